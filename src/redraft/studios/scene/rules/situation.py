"""What a rule looks at: the space of a scene, what its brief asks for, and which things the brief names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product

from redraft.result import Issue
from redraft.spatial.binding import Binding, bind
from redraft.spatial.layout import Item
from redraft.spatial.reading import Mention, Reading, Relate, Selector
from redraft.spatial.rules import SemanticValidator
from redraft.spatial.rules.brief import asked
from redraft.spatial.rules.scene import Scene as Drawn
from redraft.studios.scene.bodies import Body, around
from redraft.studios.scene.elevation import Elevation, front
from redraft.studios.scene.space import Space
from redraft.studios.scene.spec import Box, Exposure, SceneFacts

__all__ = ["Situation", "issues_of", "steps"]

_ENTERING = re.compile(
    r"\b(in|into|inside|through|within|buried|embedded|stuck|half|full|fill\w*|wear\w*|rid(es|ing)|sit\w*|hug\w*|"
    r"hold\w*|lean\w*|cover\w*|attach\w*|grow\w*|overlap\w*|intersect\w*|merg\w*|melt\w*|pierc\w*|dipp\w*)\b",
    re.IGNORECASE,
)
"""Words between two mentions that let one thing reach into the other."""


@dataclass(frozen=True)
class Situation:
    """A scene and its brief."""

    space: Space
    exposure: Exposure | None
    reading: Reading

    @property
    def facts(self) -> SceneFacts:
        return self.space.facts

    @cached_property
    def front(self) -> Elevation:
        return front(self.space)

    @cached_property
    def binding(self) -> Binding:
        return bind(self.reading, self.front.layout)

    @cached_property
    def drawn(self) -> Drawn:
        """The elevation as the rules of drawings look at it."""
        return Drawn(self.front.layout, self.binding, self.front.layout.frame.thresholds)

    @cached_property
    def seen_from_the_front(self) -> tuple[Issue, ...]:
        """What the rules of drawings find by the words of the brief."""
        return issues_of(self.front, self.reading)

    @cached_property
    def mentioned(self) -> dict[str, tuple[Mention, ...]]:
        """Body → the mentions that are certainly it, or a part of it."""
        found: dict[str, dict[str, Mention]] = {}
        for mention in self.reading.mentions:
            bound = self.binding.of(mention.id)
            for name in bound.items if bound.certain else ():
                found.setdefault(self.space.body_of[name], {})[mention.id] = mention
        return {name: tuple(mentions.values()) for name, mentions in found.items()}

    def is_named(self, body: Body) -> bool:
        """Whether the brief certainly names it."""
        return body.name in self.mentioned

    def explained(self, one: Body, other: Body) -> bool:
        """Whether the brief lets two things reach into each other, if only by a word between them."""
        return frozenset((one.name, other.name)) in self._entering

    @cached_property
    def _entering(self) -> frozenset[frozenset[str]]:
        """Pairs of bodies that a relation of containment joins, or a word of it between their mentions."""
        pairs: set[frozenset[str]] = set()
        for relation in self.reading.constraints:
            if isinstance(relation, Relate) and relation.relation == "inside":
                pairs |= self._pairs(relation.subjects.mention, *(other.mention for other in relation.objects))
        for before, after in pairwise(sorted(self.reading.mentions, key=lambda m: m.span)):
            if _ENTERING.search(self.reading.text[before.span[1] : after.span[0]]):
                pairs |= self._pairs(before.id, after.id)
        return frozenset(pairs)

    def _pairs(self, one: str, *others: str) -> set[frozenset[str]]:
        bound = [[self.space.body_of[name] for name in self.binding.of(mention).items] for mention in (one, *others)]
        return {frozenset(pair) for items in bound[1:] for pair in product(bound[0], items)}

    def items(self, selectors: Iterable[Selector]) -> list[Item]:
        return [item for selector in selectors for item in self.binding.items(selector)]

    def box(self, name: str) -> Box:
        """Around an item with everything that is part of it."""
        family = {item.name for item in self.front.layout.family(name)}
        body = self.space.bodies[self.space.body_of[name]]
        return around(part.box for part in body.parts if part.name in family and part.box is not None)


def issues_of(view: Elevation, reading: Reading) -> tuple[Issue, ...]:
    """What the rules of drawings find in an elevation by the words of a brief."""
    return SemanticValidator(rules=(asked,)).validate(view.layout, reading).issues


def steps(body: Body, dx: float, dy: float, dz: float) -> str:
    """The code that moves a body: `bpy.data.objects['Apple.002'].location.z -= 0.031`."""
    moved = [(axis, value) for axis, value in zip("xyz", (dx, dy, dz), strict=True) if abs(value) >= 5e-5]
    change = [f"location.{axis} {'+' if value > 0 else '-'}= {abs(value):.4g}" for axis, value in moved]
    if len(body.roots) == 1:
        return "; ".join(f"bpy.data.objects[{body.roots[0]!r}].{step}" for step in change)
    names = ", ".join(repr(name) for name in body.roots)
    return f"for name in ({names}): " + "; ".join(f"bpy.data.objects[name].{step}" for step in change)
