"""The base class of all actions on boards.

An action is data: a model writes it, a tool takes it, a person types it. Its class also says how it is planned, what
has to hold afterwards, and which parts it is about. A new action is a class in one of the modules beside this one, and
an entry in `registry`. No action computes a coordinate for its caller: `place_component` is for those who have one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from pydantic import BaseModel, ConfigDict

from redraft.errors import BriefError
from redraft.layout.items import Layout
from redraft.studios.board.actions.measure import Place, Reading
from redraft.studios.board.actions.plans import ALONE, Plan, Search
from redraft.studios.board.place.blocks import EDGE, with_members
from redraft.studios.board.solve.arguments import known, target_of

if TYPE_CHECKING:
    from redraft.studios.board.spec import Carried

NAMING = ("ref", "other", "refs", "block", "onto", "source", "target")
"""Fields that name parts, pads or blocks, those that are moved first."""


class BoardAction(BaseModel, ABC):
    # Not strict: a client that writes 1 for 1.0, or a list for a tuple, means the same. Unknown keys are refused.
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    allow_overlap: bool = False
    """Carry it out even if parts then collide; otherwise it is refused, with the nearest free place."""

    sets_places: ClassVar[bool | None] = None
    """Whether the places of its parts are requirements, which the solver must not give up: always, never, or (None)
    where the words of the brief that it quotes have a number."""

    @abstractmethod
    def plan(self, layout: Layout, search: Search = ALONE) -> Plan:
        """Return what it would change.

        Raises:
            BriefError: an unknown part or pad, arguments that make no sense. InfeasibleError: it cannot be done.
        """

    @abstractmethod
    def measured(self, layout: Layout, carried: Carried) -> Reading:
        """Measure on the layout as it is now what the action had to bring about when it was carried out.

        Only `measure` and names may be used for this, and no code that plans: a bug there must not hide itself.
        """

    @property
    def names(self) -> tuple[str, ...]:
        """The parts, pads and blocks that it names, those that it moves first."""
        fields = (getattr(self, field, None) for field in NAMING)
        return tuple(
            name
            for value in fields
            if value is not None and value != EDGE
            for name in ((value,) if isinstance(value, str) else value)
        )

    @property
    def references(self) -> tuple[str, ...]:
        """The parts, pads and blocks that it places others by, and does not move."""
        target: str | tuple[str, ...] | None = getattr(self, "target", None)
        if target is None or target == EDGE:
            return ()
        return (target,) if isinstance(target, str) else target

    def check_names(self, layout: Layout) -> None:
        """Check that everything that it names is on the board. Raises `BriefError`."""
        for name in self.names:
            target_of(layout, name)

    def parts(self, layout: Layout, was: Mapping[str, Place]) -> tuple[str, ...]:
        """Return the parts that it is about; a pad stands for its part. `was` are the places that `compared` names."""
        return with_members(layout, self.names)

    def moved(self, layout: Layout, was: Mapping[str, Place]) -> set[str]:
        """Return the parts that it puts somewhere, without those that it places them by."""
        return set(self.parts(layout, was)) - set(with_members(layout, self.references))

    def compared(self, layout: Layout) -> Sequence[str]:
        """Return the parts whose places just before the action are needed to measure it afterwards."""
        return ()

    def alternatives(self, layout: Layout) -> str:
        """Return in words where else on the board the requested distance can be had; empty if it requests none."""
        return ""


def several(layout: Layout, refs: Sequence[str], action: str, least: int = 2) -> tuple[str, ...]:
    """Return the names, each once.

    Raises:
        BriefError: one is unknown, or there are fewer than `least`.
    """
    names = known(layout, refs)
    if len(names) < least:
        raise BriefError(f"{action} needs at least {least} different items, found {len(names)}: {', '.join(names)}")
    return names
