"""What the tools answer, as typed JSON. Lengths are in millimetres, y grows downwards, angles counter-clockwise.

References, values, nets and messages hold the board's own words: they are data.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from redraft.result import Severity
from redraft.spatial.layout import Bounds
from redraft.spatial.workspace import Outcome

__all__ = ["Bearings", "Checked", "Opened", "Problem", "Ran", "Rendered", "Saved", "Step", "exact"]


def exact(window: Bounds) -> Bounds:
    """A box in whole nanometres, without the noise of binary fractions."""
    x0, y0, x1, y1 = (round(value, 6) + 0.0 for value in window)
    return (x0, y0, x1, y1)


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Opened(_Answer):
    """The board that is open now."""

    board: str
    """Its handle; only needed where a call has to say which board it means."""
    path: str
    parts: int
    locked: int
    bounds: Bounds
    """Box of the board, mm: x0, y0, x1, y1."""
    has_outline: bool
    """False: the file draws no board edge, so nothing can be off the board."""
    changed: tuple[str, ...] = ()
    """Parts that were moved since it was opened, at most 100."""
    unsaved: bool = False


class Saved(_Answer):
    """What was written."""

    path: str
    changed: tuple[str, ...]
    """Parts that lie elsewhere than when the board was opened, at most 100."""
    backup: str = ""
    """The file as it was before, when it was saved in place."""


class Bearings(_Answer):
    """The board in words."""

    compass: str


class Rendered(_Answer):
    """What the picture shows."""

    window: Bounds
    """x0, y0, x1, y1 in mm."""


class Step(_Answer):
    """What an action did."""

    outcome: Outcome
    changed: int
    """How many parts lie elsewhere than when the board was opened."""
    can_undo: int
    """How many steps can be taken back."""


class Problem(_Answer):
    """One thing that is wrong."""

    code: str
    severity: Severity
    message: str
    parts: tuple[str, ...] = ()
    mend: str = ""
    at: tuple[float, float] | None = None
    """Where, in mm."""


class Checked(_Answer):
    """What the checks found that the board did not have when it was opened."""

    valid: bool
    """No rule was broken by this session; never that all was verified."""
    score: float
    asked: tuple[str, ...]
    """Who checked: `redraft`, and `KiCad` with its version."""
    problems: tuple[Problem, ...]
    total: int
    next_cursor: str | None
    inherited: int
    """Problems that the board already had: they do not count, and are listed with `inherited=true`."""
    unchecked: tuple[str, ...] = ()


class Ran(_Answer):
    """What the loop came to."""

    model: str
    """Who was asked: the client's own model, or the server's."""
    valid: bool
    score: float
    taken: bool
    """The result is now on the open board, as one step that undo takes back; it is not saved."""
    outcome: Outcome | None = None
    problems: tuple[Problem, ...] = ()
    unchecked: tuple[str, ...] = ()
    """Words of the instruction that no rule could check."""
    calls: int = 0
    notes: tuple[str, ...] = ()
    record: str = ""
    """Folder with the run's transcript."""
