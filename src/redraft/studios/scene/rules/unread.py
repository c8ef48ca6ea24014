"""What nothing checks of a brief's words, and what does get checked although the grammar only guessed it."""

from __future__ import annotations

from collections.abc import Iterator

from redraft.spatial.layout import Item
from redraft.spatial.reading import Angle, Constraint, EqualSpacing, Measure, Relate, Selector, Size
from redraft.spatial.rules.brief import selectors_of, unchecked
from redraft.studios.scene.bodies import volume
from redraft.studios.scene.rules.asked import may_be_there, together
from redraft.studios.scene.rules.situation import Situation

__all__ = ["unread"]


def unread(at: Situation) -> tuple[str, ...]:
    """Words of the brief that nothing checks."""
    unsure = [issue.phrase for issue in at.seen_from_the_front if issue.phrase and may_be_there(at, issue)]
    flat = [c.phrase for c in at.reading.constraints if isinstance(c, Angle) or _of_a_canvas(c)]
    settled = {*_settled(at), *_recoloured(at)}
    guessed = [phrase for phrase in unchecked(at.drawn) if phrase not in settled]
    return tuple(dict.fromkeys([*guessed, *unsure, *flat]))


def _settled(at: Situation) -> Iterator[str]:
    """Words of relations, each of them said of one thing at least that is looked at, or is seen to be so."""
    groups: dict[str, dict[tuple[Selector, ...], bool]] = {}
    for relation in at.reading.constraints:
        if isinstance(relation, Relate):
            group = groups.setdefault(relation.phrase, {})
            group[relation.objects] = group.get(relation.objects, False) or _is_settled(at, relation)
    yield from (phrase for phrase, group in groups.items() if all(group.values()))


def _is_settled(at: Situation, relation: Relate) -> bool:
    if not at.binding.certain(*selectors_of(relation)) or _of_a_canvas(relation):
        return False
    if relation.certain:
        return True
    subjects, others = at.binding.items(relation.subjects), at.items(relation.objects)
    return (
        relation.relation in {"on", "inside"}
        and bool(subjects)
        and all(any(_is_together(at, relation, subject, other) for other in others) for subject in subjects)
    )


def _is_together(at: Situation, relation: Relate, subject: Item, other: Item) -> bool:
    """And small enough for it: no table is in the bowl that stands on it."""
    fits = volume(at.box(subject.name)) <= volume(at.box(other.name))
    return (fits or relation.relation != "inside") and together(at, relation, subject, other)


def _recoloured(at: Situation) -> Iterator[str]:
    """Things of which a change says nothing but their colour: that is looked at."""
    for mention in at.reading.mentions if at.reading.edit else ():
        if mention.colour and at.binding.of(mention.id).items and at.binding.of(mention.id).certain:
            yield mention.phrase


def _of_a_canvas(constraint: Constraint) -> bool:
    """A length without a unit, which is a share of a drawing and nothing in a scene."""
    match constraint:
        case Relate(distance=Measure(unit="canvas")) | EqualSpacing(gap=Measure(unit="canvas")):
            return True
        case Size(width=Measure(unit="canvas")) | Size(height=Measure(unit="canvas")):
            return True
        case _:
            return False
