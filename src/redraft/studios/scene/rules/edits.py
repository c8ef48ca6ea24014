"""Edits: existing objects that an edit changed or removed without listing them.

Both scenes are compared as measured, object by object. Things on a listed object may move along with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property

from redraft.brief import Brief
from redraft.layout.requirements import says
from redraft.result import Issue
from redraft.studios.scene.bodies import Space
from redraft.studios.scene.rules.issues import finding, length
from redraft.studios.scene.spec import Scene, Thing

MAX_SHIFT = 0.001
"""Meters up to which a place or size that is measured again counts as the same."""
MAX_LISTED = 12
"""Objects that get a finding of their own, and names in the one about the others."""


@dataclass(frozen=True)
class _Edits:
    """The edits of a run, with the changes that they list."""

    scene: Scene
    base: Scene
    brief: Brief

    @cached_property
    def before(self) -> Mapping[str, Thing]:
        return {thing.name: thing for thing in self.base.facts.things}

    @cached_property
    def space(self) -> Space:
        return Space(self.base.facts)

    def lists(self, name: str, *, quoted: bool) -> bool:
        """Return whether an object, or one that it is part of, is listed; if need be, with words of the instruction."""
        at, seen = name, set[str]()
        while at in self.before and at not in seen:
            seen.add(at)
            for change in self.scene.changes:
                named = at == change.part or fnmatchcase(at, change.part)
                if named and (not quoted or says(self.brief.instruction, change.quote)):
                    return True
            at = self.before[at].parent or ""
        return False

    def lists_support(self, name: str) -> bool:
        """Return whether an object stood, at any number of steps, on something that is listed."""
        at, seen = self.space.body_of.get(name, ""), set[str]()
        while at and at not in seen:
            seen.add(at)
            rest = self.space.rests.get(at)
            at = rest.on if rest is not None and rest.on in self.space.bodies else ""
            if at and self.lists(at, quoted=False):
                return True
        return False


def unlisted(scene: Scene, base: Scene, brief: Brief) -> Iterator[Issue]:
    """Find each object that was changed and not listed, parts under what they are part of."""
    edits = _Edits(scene, base, brief)
    after = {thing.name: thing for thing in scene.facts.things}
    differing: dict[str, str] = {}
    for name, old in edits.before.items():
        if old.box is None or old.hidden:
            continue
        for what, needs_quote in _differences(old, after.get(name)):
            if not edits.lists(name, quoted=needs_quote) and (needs_quote or not edits.lists_support(name)):
                differing[name] = f"{name} {what}"
                break

    roots = {name: what for name, what in differing.items() if edits.before[name].parent not in differing}
    for name, what in list(roots.items())[:MAX_LISTED]:
        yield _finding(f"{what}, and the edit does not list it", (name,))
    rest = tuple(roots)[MAX_LISTED:]
    if rest:
        yield _finding(f"{len(rest)} more objects are not as they were: {', '.join(rest[:MAX_LISTED])}", rest)


def _finding(message: str, names: tuple[str, ...]) -> Issue:
    return finding(
        "edit.unlisted",
        message,
        names,
        numbers={"found": 1.0, "expected": 0.0},
        hint=f"put {names[0]} back as it was, or list it in `changes` with the reason, and the words that ask for it",
    )


def _differences(old: Thing, new: Thing | None) -> Iterator[tuple[str, bool]]:
    """Yield what changed of an object, in words, and whether that needs a quote."""
    if new is None or new.box is None or new.hidden:
        yield "was removed", True
    if new is None:
        return

    if old.box is not None and new.box is not None:
        sizes = [tuple(box[i + 3] - box[i] for i in range(3)) for box in (old.box, new.box)]
        if any(abs(a - b) > MAX_SHIFT for a, b in zip(*sizes, strict=True)):
            was, now = (" × ".join(length(side) for side in size) for size in sizes)
            yield f"was {was} and is {now}", True

    if sorted(old.colours) != sorted(new.colours):
        was, now = (", ".join(colors) or "without color" for colors in (old.colours, new.colours))
        yield f"was {was} and is {now}", True

    if old.box is not None and new.box is not None:
        x, y, z = (((new.box[i] + new.box[i + 3]) - (old.box[i] + old.box[i + 3])) / 2 for i in range(3))
        if max(abs(x), abs(y), abs(z)) > MAX_SHIFT:
            yield f"moved by ({x:+.3f}, {y:+.3f}, {z:+.3f}) m", False
