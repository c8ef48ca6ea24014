"""Edits change only what they list: existing objects that an edit changed or removed without listing them.

By what was measured of both scenes, object by object. What stands on a listed object may move along with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property

from redraft.brief import Brief
from redraft.layout.requirements import says
from redraft.result import Issue
from redraft.studios.scene.rules.issues import found, length
from redraft.studios.scene.space import Space
from redraft.studios.scene.spec import Scene, Thing

MOVED = 0.001
"""Meters that are measured anew as another place or size."""
TOLD = 12
"""Objects that get an issue of their own."""


@dataclass(frozen=True)
class _Listed:
    """What the edits of a run said they change."""

    scene: Scene
    base: Scene
    brief: Brief

    @cached_property
    def things(self) -> tuple[Mapping[str, Thing], Mapping[str, Thing]]:
        before, after = ({t.name: t for t in scene.facts.things} for scene in (self.base, self.scene))
        return before, after

    @cached_property
    def space(self) -> Space:
        return Space(self.base.facts)

    def may(self, name: str, *, quoted: bool) -> bool:
        """Whether an object, or what it is part of, is listed; if need be, with words of the instruction."""
        return any(
            (above == change.part or fnmatchcase(above, change.part))
            and (not quoted or says(self.brief.instruction, change.quote))
            for above in self._above(name)
            for change in self.scene.changes
        )

    def may_follow(self, name: str) -> bool:
        """Whether it stood, at any number of steps, on something that may change."""
        at, seen = self.space.body_of.get(name, ""), set[str]()
        while at and at not in seen:
            seen.add(at)
            rest = self.space.rests.get(at)
            at = rest.on if rest is not None and rest.on in self.space.bodies else ""
            if at and self.may(at, quoted=False):
                return True
        return False

    def _above(self, name: str) -> Iterator[str]:
        before, seen = self.things[0], set[str]()
        at: str | None = name
        while at is not None and at in before and at not in seen:
            seen.add(at)
            yield at
            at = before[at].parent


def unlisted(scene: Scene, base: Scene, brief: Brief) -> Iterator[Issue]:
    """One error for each object that was changed and not listed, parts under what they are part of."""
    differing = dict(_changes(_Listed(scene, base, brief)))
    roots = {name: what for name, what in differing.items() if _parent_of(base, name) not in differing}
    for name, what in list(roots.items())[:TOLD]:
        yield _issue(f"{what}, and the edit does not list it", (name,))
    rest = tuple(roots)[TOLD:]
    if rest:
        yield _issue(f"{len(rest)} more objects are not as they were: {', '.join(rest[:TOLD])}", rest)


def _issue(message: str, names: tuple[str, ...]) -> Issue:
    return found(
        "edit.unlisted",
        message,
        names,
        numbers={"found": 1.0, "expected": 0.0},
        hint=f"put {names[0]} back as it was, or list it in `changes` with the reason, and the words that ask for it",
    )


def _parent_of(base: Scene, name: str) -> str:
    return next((thing.parent or "" for thing in base.facts.things if thing.name == name), "")


def _changes(listed: _Listed) -> Iterator[tuple[str, str]]:
    """Each object of the base that is not as it was, with what changed."""
    before, after = listed.things
    for name, old in before.items():
        if old.box is None or old.hidden:
            continue
        new = after.get(name)
        for look in _LOOKS:
            what, needs_quote = look(old, new)
            if what and not listed.may(name, quoted=needs_quote) and (needs_quote or not listed.may_follow(name)):
                yield name, f"{name} {what}"
                break


_Look = Callable[[Thing, Thing | None], tuple[str, bool]]
"""What changed in words (empty for nothing), and whether that needs a quote."""


def _removed(old: Thing, new: Thing | None) -> tuple[str, bool]:
    gone = new is None or new.box is None or new.hidden
    return ("was removed" if gone else "", True)


def _redrawn(old: Thing, new: Thing | None) -> tuple[str, bool]:
    if new is None or old.box is None or new.box is None:
        return "", True
    sizes = [tuple(box[i + 3] - box[i] for i in range(3)) for box in (old.box, new.box)]
    if all(abs(a - b) <= MOVED for a, b in zip(*sizes, strict=True)):
        return "", True
    was, now = (" × ".join(length(side) for side in size) for size in sizes)
    return f"was {was} and is {now}", True


def _recolored(old: Thing, new: Thing | None) -> tuple[str, bool]:
    if new is None or sorted(old.colours) == sorted(new.colours):
        return "", True
    was, now = (", ".join(colours) or "without color" for colours in (old.colours, new.colours))
    return f"was {was} and is {now}", True


def _moved(old: Thing, new: Thing | None) -> tuple[str, bool]:
    if new is None or old.box is None or new.box is None:
        return "", False
    x, y, z = (((new.box[i] + new.box[i + 3]) - (old.box[i] + old.box[i + 3])) / 2 for i in range(3))
    if max(abs(x), abs(y), abs(z)) <= MOVED:
        return "", False
    return f"moved by ({x:+.3f}, {y:+.3f}, {z:+.3f}) m", False


_LOOKS: tuple[_Look, ...] = (_removed, _redrawn, _recolored, _moved)
