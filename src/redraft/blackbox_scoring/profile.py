"""A taste profile: what somebody likes and dislikes, as given. Only judges and the final prompt see it raw."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict

__all__ = ["TasteProfile", "load_profile"]


class TasteProfile(BaseModel):
    """Likes and dislikes in the person's own words; `loves` and `hates` are the stronger ones."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    loves: tuple[str, ...] = ()
    likes: tuple[str, ...] = ()
    dislikes: tuple[str, ...] = ()
    hates: tuple[str, ...] = ()

    @property
    def liked(self) -> tuple[str, ...]:
        """All that is wanted: what abstraction must not let through."""
        return (*self.loves, *self.likes)

    @property
    def disliked(self) -> tuple[str, ...]:
        return (*self.dislikes, *self.hates)


def load_profile(path: Path) -> TasteProfile:
    """Read a profile: YAML or JSON with the four lists, or a CSV with those columns.

    Raises:
        ProfileError: missing, empty, binary, of another form; with the file, line or key and value.
    """
    raise NotImplementedError
