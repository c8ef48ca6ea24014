"""Counts: as many of each thing as the brief says, within each instance of its whole, and no head with three eyes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from redraft.result import Issue, Severity
from redraft.spatial.labels import head, heads_in, same_noun
from redraft.spatial.reading import Count, Mention
from redraft.spatial.rules.arrays import pieces
from redraft.spatial.rules.scene import Scene
from redraft.spatial.rules.words import box, found
from redraft.spatial.scenery import usual_number

__all__ = ["countable", "counted"]


def counted(scene: Scene) -> Iterator[Issue]:
    """Stated numbers are errors; "a tree" with two trees is a warning, and so is one eye too many."""
    reading = scene.binding.reading
    stated = {c.mention for c in reading.constraints if isinstance(c, Count)}
    for constraint in reading.constraints:
        if isinstance(constraint, Count) and constraint.certain and countable(scene, constraint.mention):
            mention = reading.mention(constraint.mention)
            yield from _count(
                scene, mention, constraint.number, _weight(constraint), constraint.at_least, constraint.phrase
            )
    for mention in reading.mentions:
        if mention.id not in stated and countable(scene, mention.id):
            at_least = not mention.exact or mention.count is None
            number = 1 if not mention.exact else mention.count or 2
            yield from _count(scene, mention, number, "warning", at_least, mention.phrase)
    yield from _too_many(scene)


def _weight(count: Count) -> Severity:
    """An article is no number: a second tree beside "a tree" is a warning."""
    article = count.number == 1 and not re.search(r"\b(one|single|only|lone|1)\b", count.phrase, re.IGNORECASE)
    return "warning" if article else "error"


def countable(scene: Scene, mention: str) -> bool:
    """Whether how many there are can be told: found by more than a guess, or certainly not there at all."""
    bound = scene.binding.of(mention)
    if bound.items:
        return bound.certain and not (bound.lumped and _pieces(scene, bound.items[0]) is None)
    whole = scene.binding.reading.mention(mention).whole
    return scene.binding.certain_of(whole) if whole is not None else not _unclaimed(scene)


def _unclaimed(scene: Scene) -> bool:
    """Objects that no mention is bound to: one of them may be what was not found by its label."""
    claimed = {scene.object_of.get(n, n) for b in scene.binding.bound.values() if b.certain for n in b.items}
    return any(name not in claimed for name in scene.actors)


def _pieces(scene: Scene, name: str) -> int | None:
    """How many separate shapes a lump of things is; None for one piece, which cannot be told apart."""
    many = pieces(scene.layout.whole(name))
    return many if many > 1 else None


def _count(
    scene: Scene, mention: Mention, number: int, severity: Severity, at_least: bool, phrase: str
) -> Iterator[Issue]:
    groups = scene.binding.groups(mention.id)
    bound = scene.binding.of(mention.id)
    if bound.lumped:
        have = [(groups[0][0], _pieces(scene, bound.items[0]) or 1)]
    else:
        have = [(owner, len(names)) for owner, names in groups]
    if sum(n for _, n in have) == number:
        return  # as many in all: "each" may not be meant
    surplus_ok = at_least or scene.binding.reading.edit
    for owner, n in have:
        if n < number:
            vague = at_least and not mention.exact  # "waves": one may be drawn for many
            kind: Severity = "error" if n == 0 else "hint" if vague else severity
            yield _issue(scene, "count.missing", kind, mention, owner, n, number, phrase)
        elif n > number and not surplus_ok:
            yield _issue(scene, "count.surplus", severity, mention, owner, n, number, phrase)


def _issue(
    scene: Scene, code: str, severity: Severity, mention: Mention, owner: str | None, n: int, number: int, phrase: str
) -> Issue:
    names = next((g for o, g in scene.binding.groups(mention.id) if o == owner), ())
    step = abs(number - n)
    verb, where = ("add", "to") if n < number else ("remove", "from")
    place = f" {where} {owner}" if owner is not None else ""
    return found(
        code,
        severity,
        f"{number} × {mention.noun} asked for{f' in {owner}' if owner else ''}, {n} drawn",
        names or (mention.noun,),
        numbers={"found": n, "expected": number},
        mend=f"{verb} {step} {mention.noun}{place}, labelled {mention.noun!r}"
        if n < number
        else f"{verb} {step} {mention.noun}{place}",
        marks=tuple(box(scene.box(name), str(i + 1)) for i, name in enumerate(names)),
        phrase=phrase,
    )


def _too_many(scene: Scene) -> Iterator[Issue]:
    """More of a part than one head has, where the brief mentions none."""
    nouns = [m.noun for m in scene.binding.reading.mentions]
    for noun, most in usual_number().items():
        if any(heads_in(n, frozenset({noun})) for n in nouns):
            continue
        owners: dict[str, list[str]] = {}
        for item in scene.parts:
            if item.parent is not None and same_noun(head(item.label), noun):
                owners.setdefault(item.parent, []).append(item.name)
        for owner, names in owners.items():
            if len(names) == most + 1:
                yield found(
                    "count.surplus",
                    "warning",
                    f"{owner} has {len(names)} × {noun}; {most} is usual",
                    tuple(names),
                    numbers={"found": len(names), "expected": most},
                    mend=f"remove one {noun} of {owner}",
                    marks=tuple(box(scene.box(n), n) for n in names),
                )
