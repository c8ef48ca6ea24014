"""The final prompt of a run of the image studio, and who painted it."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, JsonValue, ValidationError

from redraft.events import EffectFinished, Event
from redraft.transcript import EXECUTION, FINISH, Transcript

__all__ = ["PROMPTING", "Painting", "painting_of"]

PROMPTING = "image"
"""The studio whose drafts are prompts."""


class Painting(BaseModel):
    """What is recorded of a prompt and its picture; what else is recorded stays there."""

    prompt: str
    picture: str = ""
    width: int = 0
    height: int = 0
    backend: str = ""

    @property
    def by(self) -> str:
        """`openai:gpt-image-1, 1024 × 1024`; empty until it is painted."""
        return (
            f"{self.backend}, {self.width}\u00a0×\u00a0{self.height}" if self.backend and self.width else self.backend
        )


def painting_of(transcript: Transcript, events: Sequence[Event]) -> Painting | None:
    """The delivered prompt with its picture, else the last one that was written; None in other studios."""
    if transcript.studio != PROMPTING:
        return None
    done = [event for event in events if isinstance(event, EffectFinished)]
    for last in (FINISH, EXECUTION):
        for event in reversed(done):
            if event.key.rpartition("/")[2].startswith(last) and (found := _as_painting(event.result)):
                return found
    return None


def _as_painting(result: JsonValue) -> Painting | None:
    try:
        return Painting.model_validate(result)
    except ValidationError:
        return None
