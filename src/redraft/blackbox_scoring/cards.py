"""Idea cards: what a model proposes before anything is drafted, in strict JSON."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["IdeaCard", "IdeaCards", "parse_idea_cards"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, use_attribute_docstrings=True)


class IdeaCard(_Part):
    """One idea with the choices it leaves open."""

    id: str
    """`A`, `B` …; unique in its set."""
    hook: str
    """The pitch, one sentence."""
    narrative: str
    """A short paragraph: what is to be seen."""
    options: dict[str, tuple[str, ...]]
    """At least `composition` and `palette` (two or more each), `medium` and `mood` (one or more)."""
    avoid: tuple[str, ...] = ()


class IdeaCards(_Part):
    """The reply of the step `idea_cards_generate`."""

    ideas: tuple[IdeaCard, ...] = Field(min_length=1)


def parse_idea_cards(text: str, num_ideas: int) -> tuple[IdeaCard, ...]:
    """Read and check a reply.

    Raises:
        IdeaCardsError: `invalid_idea_cards_json: …`, naming the card and field.
    """
    raise NotImplementedError
