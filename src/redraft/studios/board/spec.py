"""The draft of a board: a list of actions. Nobody writes a coordinate who does not want to."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from redraft.spatial.actions import Action, Ref

__all__ = ["MAX_ACTIONS", "ActionList"]

MAX_ACTIONS = 200
"""In one reply; a longer list is better given, and checked, in parts."""


class ActionList(BaseModel):
    """What a model answers: actions in order, or parts that it wants to look at first."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    approach: str = Field(max_length=400)
    """One line: what is tried."""
    inspect: tuple[Ref, ...] = Field(default=(), max_length=24)
    """Parts to look at closely before acting; then `actions` stays empty."""
    actions: tuple[Action, ...] = Field(default=(), max_length=MAX_ACTIONS)
    """Carried out in order, all or none."""
