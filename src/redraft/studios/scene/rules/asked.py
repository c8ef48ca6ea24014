"""What the brief states, judged by the rules of drawings on the scene's elevations, and made sure of in space.

A drawing has no depth, so what a rule finds in the front view alone may be right in space. Left and right are the
camera's, above and below the same from everywhere; whatever else lies somewhere must be wrong from the front, the side
and above. What rests on or in something is looked at in space. What no rule understands is unchecked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from redraft.result import Issue
from redraft.spatial.grammar.words import vocabulary
from redraft.spatial.labels import NONE, match_label
from redraft.spatial.layout import Item
from redraft.spatial.lexicon.index import find
from redraft.spatial.reading import Mention, Relate
from redraft.spatial.scenery import is_kind
from redraft.studios.scene.bodies import Body, size_of
from redraft.studios.scene.elevation import above, side, world_front
from redraft.studios.scene.naming import typical_size
from redraft.studios.scene.rules.codes import found
from redraft.studios.scene.rules.placed import is_so
from redraft.studios.scene.rules.situation import Situation, issues_of
from redraft.studios.scene.rules.wording import in_space
from redraft.studios.scene.space import gap_between
from redraft.studios.scene.spec import Box

__all__ = ["may_be_there", "stated", "together", "uncoloured"]

Key = tuple[str, tuple[str, ...], str]

ANYWHERE = frozenset({"count.missing", "count.surplus", "colour.other", "ratio.progression"})
"""Judged from the front alone."""
SETTING = ("ground", "sky", "interior")
"""Kinds of scenery, which a scene may show in many ways: by a sky alone, by what it is lit with."""
ELSEWHERE = frozenset(
    {"angle.hand", "distance.likely", "distance.stated", "measure.proportion", "relation.on", "relation.inside"}
    | {"relation.touching"}
)
"""Not taken from drawings at all: shares of a canvas mean nothing here, and contact is measured in space."""
WRONG_SIDE = 0.05
"""Of the canvas: centres so far on the wrong side are wrong, whatever the script's own front says."""
APART = 0.1
"""Of the smaller one's least side: so far apart, and one is not on or in the other."""
UNPAINTED = "#e7e7e7"
"""Blender's own grey, which stands for what could not be read, too: a picture, a pattern."""


def stated(at: Situation) -> Iterator[Issue]:
    """All that is wrong by the words of the brief."""
    if not at.reading.mentions or not at.space.bodies:
        return
    seen = [issue for issue in at.seen_from_the_front if not may_be_there(at, issue)]
    anywhere = [{_key(issue) for issue in issues_of(view, at.reading)} for view in (side(at.space), above(at.space))]
    own = {_key(issue) for issue in issues_of(world_front(at.space), at.reading)}
    for issue in seen:
        if _holds_in_space(at, issue, anywhere, own):
            told = in_space(at, issue)
            yield told.model_copy(update={"severity": "hint"}) if _may_be_joined(at, issue) else told
    yield from _contacts(at)


def may_be_there(at: Situation, issue: Issue) -> bool:
    """What is missing may be there: as scenery, or as a thing that is no child of what it is a part of."""
    if issue.code != "count.missing":
        return False
    mention = _missing(at, issue)
    if mention is None or issue.numbers["found"] > 0:
        return False
    setting = any(is_kind(mention.noun, kind) for kind in SETTING) or vocabulary().has(mention.noun, *_UNCOUNTED)
    setting = setting or (mention.noun in _LIGHTS and bool(at.facts.lights))
    there = (item for item in at.front.layout if match_label(item.label, mention.noun) < NONE)
    return setting or (mention.whole is not None and any(there)) or not _is_thing(mention.noun)


_UNCOUNTED = ("uncountable", "settings")
_LIGHTS = frozenset({"light", "lighting", "moonlight", "spotlight", "sun", "sunlight", "glow"})


def _is_thing(noun: str) -> bool:
    """Whether a noun is known to name a thing; a projection, a mood, a view are none."""
    return typical_size(noun) is not None or find(noun) is not None


def _may_be_joined(at: Situation, issue: Issue) -> bool:
    """A part that is missing altogether may be in the mesh of its whole; "a roof" may be made of two slopes."""
    if issue.code == "count.surplus":
        mentions = [m for m in at.reading.mentions if issue.subjects == at.binding.of(m.id).items]
        return issue.severity == "warning" and any(m.whole is not None for m in mentions)
    mention = _missing(at, issue) if issue.code == "count.missing" and issue.numbers["found"] == 0 else None
    return mention is not None and mention.whole is not None


def _missing(at: Situation, issue: Issue) -> Mention | None:
    """The mention of which nothing is found: its noun is then what the issue is about."""
    return next((m for m in at.reading.mentions if (m.noun,) == issue.subjects), None)


def _key(issue: Issue) -> Key:
    return issue.code, tuple(sorted(issue.subjects)), issue.phrase


def _holds_in_space(at: Situation, issue: Issue, anywhere: Iterable[set[Key]], own: set[Key]) -> bool:
    """Whether an issue of the front view is one of the scene."""
    if issue.code == "colour.other":
        return not _unreadable(at, issue.subjects)
    if issue.code in ANYWHERE:
        return True
    if issue.code in ELSEWHERE:
        return False
    if issue.code == "relation.depth":
        return _wrong_depth(at, issue)
    relation = _relation(at, issue)
    if issue.code == "relation.direction" and relation is not None:
        return not is_so(at, relation, issue.subjects[0]) and _is_off(at, relation, issue, anywhere, own)
    return all(_key(issue) in keys for keys in anywhere)


def _is_off(at: Situation, relation: Relate, issue: Issue, anywhere: Iterable[set[Key]], own: set[Key]) -> bool:
    """A wrong direction: to a side by the camera and by the script's own front, up and down from everywhere."""
    if relation.relation == "beside":
        return all(_key(issue) in keys for keys in anywhere)
    sideways = relation.relation in {"left_of", "right_of"}
    return not sideways or _key(issue) in own or _wrong_side(at, relation, issue)


def _relation(at: Situation, issue: Issue) -> Relate | None:
    """The constraint that an issue is about: the one with its phrase whose subjects it names first."""
    for constraint in at.reading.constraints:
        if (
            isinstance(constraint, Relate)
            and constraint.phrase == issue.phrase
            and issue.subjects[0] in {item.name for item in at.binding.items(constraint.subjects)}
        ):
            return constraint
    return None


def _unreadable(at: Situation, names: Sequence[str]) -> bool:
    """Whether a colour of it could not be read."""
    bodies = [at.space.bodies[at.space.body_of[name]] for name in names]
    return any(UNPAINTED in part.colours for body in bodies for part in body.parts)


def _wrong_side(at: Situation, relation: Relate, issue: Issue) -> bool:
    boxes = [at.front.layout.bounds(name) for name in issue.subjects[:2]]
    if len(boxes) < 2:
        return False
    ahead = (boxes[0][0] + boxes[0][2] - boxes[1][0] - boxes[1][2]) / 2
    return ahead > WRONG_SIDE if relation.relation == "left_of" else ahead < -WRONG_SIDE


def _wrong_depth(at: Situation, issue: Issue) -> bool:
    """The one that should be nearer begins behind the middle of the other; scenery is nowhere in particular."""
    relation = _relation(at, issue)
    bodies = [at.space.bodies[at.space.body_of[name]] for name in issue.subjects[:2]]
    if relation is None or len(bodies) < 2 or any(body.scenery for body in bodies) or bodies[0] is bodies[1]:
        return False
    if not all(_in_picture(body) for body in bodies):
        return False
    near, far = bodies if relation.relation == "in_front_of" else bodies[::-1]
    return at.space.along(near, at.space.forward)[0] >= sum(at.space.along(far, at.space.forward)) / 2


def _in_picture(body: Body) -> bool:
    """A camera that does not see it says nothing of its place."""
    return min(part.outside for part in body.parts) < 1.0


def _contacts(at: Situation) -> Iterator[Issue]:
    """What should be on or in something, by boxes and measured gaps."""
    for relation in at.reading.constraints:
        if not isinstance(relation, Relate) or not relation.certain:
            continue
        if not at.binding.certain(relation.subjects, *relation.objects):
            continue
        if relation.relation in {"on", "inside"}:
            for subject in at.binding.items(relation.subjects):
                others = [o for o in at.items(relation.objects) if not _is_part(at, o, subject)]
                if others and not any(together(at, relation, subject, other) for other in others):
                    yield _not_together(at, relation, subject, others[0])


def _is_part(at: Situation, one: Item, other: Item) -> bool:
    """Of two items one is part of the other, or both are the same: a robot with a ball in its hand is not in it."""
    families = [{item.name for item in at.front.layout.family(it.name)} for it in (one, other)]
    return one.name in families[1] or other.name in families[0]


def together(at: Situation, relation: Relate, subject: Item, other: Item) -> bool:
    """Whether a thing is on, or in, another, as a relation says."""
    one, two = (at.space.body_of[item.name] for item in (subject, other))
    a, b = at.box(subject.name), at.box(other.name)
    near = _near(at, one, two, a, b)
    if at.space.bodies[two].scenery and relation.relation == "inside":
        return True
    if relation.relation == "on":
        return near or _through(at, one, two) or (relation.phrase == "on top" and _on_anything_named(at, one))
    return (near and is_kind(other.label, "posed")) or _inside(a, b, open_top=is_kind(other.label, "vessel"))


def _near(at: Situation, one: str, two: str, a: Box, b: Box) -> bool:
    """They meet, or are parts of one thing, or so near that nobody can tell."""
    met = at.space.meeting(one, two)
    allowed = APART * max(min(*size_of(a), *size_of(b)), 0.05 * min(max(size_of(a)), max(size_of(b))))
    return one == two or (met is not None and met.gap <= allowed) or (met is None and gap_between(a, b) <= allowed)


def _on_anything_named(at: Situation, one: str) -> bool:
    """ "… and a vase on top" does not say on top of which."""
    on = [at.space.body_of.get(rest.on, "") for rest in at.space.rests.get(one, ())]
    return any(name and at.is_named(at.space.bodies[name]) for name in on)


def _through(at: Situation, one: str, two: str) -> bool:
    """It stands on something that stands on the other: a cup on a saucer is on the table, too."""
    seen, waiting = {one}, [one]
    while waiting:
        for rest in at.space.rests.get(waiting.pop(), ()):
            on = at.space.body_of.get(rest.on, "")
            if on == two:
                return True
            if on and on not in seen:
                seen.add(on)
                waiting.append(on)
    return False


def _inside(a: Box, b: Box, *, open_top: bool) -> bool:
    """Its middle is within the other's box, or its foot is, where that is open at the top."""
    middle = [(a[i] + a[i + 3]) / 2 for i in range(3)]
    level = all(b[i] <= middle[i] <= b[i + 3] for i in (0, 1))
    deep = a[2] < b[5] + 0.02 * (b[5] - b[2]) and a[5] > b[2]
    heaped = a[2] < b[5] + (a[5] - a[2])
    return level and (b[2] <= middle[2] <= b[5] or (open_top and (deep or heaped)))


def _not_together(at: Situation, relation: Relate, subject: Item, other: Item) -> Issue:
    a, b = at.box(subject.name), at.box(other.name)
    gap, word = gap_between(a, b), relation.relation
    dx, dy = ((b[i] + b[i + 3] - a[i] - a[i + 3]) / 2 for i in (0, 1))
    dz = b[5] - a[2] if word == "on" else (b[2] + b[5] - a[2] - a[5]) / 2
    x, y, z = (a[i] + step for i, step in enumerate((dx, dy, dz)))
    said = f"the lower corner of its box to ({x:.3f}, {y:.3f}, {z:.3f})"
    return found(
        f"relation.{word}",
        "error",
        f"{subject.name} should be {word} {other.name} and is not: their boxes are {gap:.3f} m apart",
        (subject.name, other.name),
        numbers={"found": gap, "expected": 0.0, "dx": dx, "dy": dy, "dz": dz},
        mend=f"move {subject.name} by ({dx:+.3f}, {dy:+.3f}, {dz:+.3f}), which brings {said}",
        phrase=relation.phrase,
    )


def uncoloured(at: Situation) -> Iterator[Issue]:
    """Things that the brief gives a colour, and that have no material at all."""
    for name, mentions in at.mentioned.items():
        colour = next((m.colour for m in mentions if m.colour), None)
        body = at.space.bodies[name]
        whole = {m.id for m in mentions if name in at.binding.of(m.id).items}
        if colour and whole and not any(part.materials for part in body.parts):
            yield found(
                "colour.none",
                "error",
                f"{name} should be {colour} and has no material",
                (name,),
                mend=f"give {name} a material whose Base Color is {colour}",
                phrase=mentions[0].phrase,
            )
