"""Plans of actions: moves, a description with numbers, and the constraints that later legalizing keeps.

Making a plan changes nothing; `workspace.Workspace.do` carries it out or refuses it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from redraft.layout.items import Move
from redraft.studios.board.solve.constraints import Constraint
from redraft.studios.board.solve.free_places import Line
from redraft.text import number

CUT_SHORT = "the search was cut short"
"""In the note of a plan whose search was stopped."""


def ignore(_: object) -> None:
    """Do nothing with it."""


def never() -> bool:
    """Return False: a search goes on to its end."""
    return False


def written(value: float) -> str:
    """Return a length or an angle as a person writes it, to the nanometer."""
    return number(value, 6)


@dataclass(frozen=True)
class Plan:
    """The changes that carry out an action."""

    words: str
    moves: tuple[Move, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    """Relations that it sets, for later legalizing."""
    note: str = ""
    line: Line | None = None
    """The direction in which a single part may give way and still be placed as requested."""
    locks: Mapping[str, bool] = field(default_factory=dict[str, bool])
    overhanging: frozenset[str] = frozenset()
    """Parts that are meant to reach over the edge."""
    complete: bool = True
    """False where a search was stopped."""
    groups: tuple[tuple[str, ...], ...] = ()
    """Parts that move as one rigid body each."""


@dataclass(frozen=True)
class Search:
    """Inputs of a plan that searches: earlier constraints, and callbacks for progress and stopping."""

    constraints: Callable[[], Sequence[Constraint]] = tuple[Constraint, ...]
    """Return the constraints that earlier actions set; called only by plans that need them."""
    notify: Callable[[str], None] = ignore
    """Called with a line about the progress, at most once a second."""
    stop: Callable[[], bool] = never
    """Called often; when it returns True, the plan is the best so far."""


ALONE = Search()
"""A search without earlier constraints, progress lines or an early end."""
