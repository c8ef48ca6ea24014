"""The request of a run, checked once, before anything is spent on it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from redraft.errors import BriefError
from redraft.ideas.profile import TasteProfile

MAX_WORDS = 2_000
"""Words of an instruction: a few pages. A longer one is refused before any model sees it."""

MAX_CHARACTERS = 40_000

JOINERS = "\u200c\u200d"
"""Invisible characters that belong to words: in Persian and Hindi, and within emoji."""

TOWARD = "Come as near to the target picture as you can."
"""The instruction of a target without words."""


class Brief(BaseModel):
    """One request.

    `on` is an earlier run's folder whose artifact this one continues; `source` a file to work on, such as a board;
    `target` an image to work toward; `reference` a text or a program to learn from before anything is drafted.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    instruction: str
    on: Path | None = None
    source: Path | None = None
    target: Path | None = None
    reference: Path | None = None
    concepts: tuple[str, ...] = ()
    """The things that an image shows, each in a word or a phrase."""
    profile: TasteProfile | None = None
    """The taste of the person that the image is for."""
    described: bool = False
    """The instruction describes a picture, as an image prompt does, and is not taken literally."""

    @classmethod
    def of(
        cls,
        instruction: str,
        *,
        on: Path | None = None,
        source: Path | None = None,
        target: Path | None = None,
        reference: Path | None = None,
        concepts: Sequence[str] = (),
        profile: TasteProfile | None = None,
        described: bool = False,
        example: str = "a house with a red roof",
    ) -> Brief:
        """Clean and check an instruction, which may be empty with a target or concepts.

        The error about an empty one names the `example`.

        Raises:
            BriefError: it is empty, has control characters only, or is longer than `MAX_WORDS`.
        """
        unique: dict[str, str] = {}  # by their lower case
        for concept in (" ".join(_cleaned(concept).split()) for concept in concepts):
            if concept:
                unique.setdefault(concept.casefold(), concept)
        named = tuple(unique.values())
        text = _cleaned(instruction) or ", ".join(named) or ("" if target is None else TOWARD)
        if not text:
            raise BriefError(
                f"The instruction is empty (given: {instruction[:40]!r}). Say what to make or change, for example "
                f'"{example}".'
            )
        words = len(text.split())
        if words > MAX_WORDS or len(text) > MAX_CHARACTERS:
            raise BriefError(
                f"The instruction has {words:,} words and {len(text):,} characters; at most {MAX_WORDS:,} words and "
                f"{MAX_CHARACTERS:,} characters are read. It begins {text[:60]!r}. Shorten it, or split it into "
                "several runs with --on."
            )
        return cls(
            instruction=text,
            on=on,
            source=source,
            target=target,
            reference=reference,
            concepts=named,
            profile=profile,
            described=described,
        )


def _cleaned(text: str) -> str:
    """Return a text without invisible characters, other than those that belong to words."""
    visible = "".join(c if c.isprintable() or c in "\n\t" or c in JOINERS else " " for c in text.lstrip("\ufeff"))
    return visible.strip().strip(JOINERS).strip()
