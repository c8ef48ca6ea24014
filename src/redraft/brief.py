"""The request of a run, checked once, before anything is spent on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from redraft.errors import BriefError
from redraft.ideas.profile import TasteProfile

MAX_WORDS = 2_000
"""A drawing is asked for in a sentence or a page; a novel is refused before any model sees it."""

MAX_CHARACTERS = 40_000

JOINERS = "\u200c\u200d"
"""Characters that are not seen and belong to words all the same: in Persian and Hindi, and within emoji."""

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
    """For an image: what it is to hold, each in a word or a phrase."""
    profile: TasteProfile | None = None
    """Whom it is for."""
    described: bool = False
    """The instruction describes a picture, as an image prompt does: what is made is not held to the letter of it."""

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
        """Clean and check an instruction. With a target or concepts it may be empty: then these say it all.

        `example` is named where it is empty.

        Raises:
            BriefError: it is empty, has control characters only, or is longer than `MAX_WORDS`.
        """
        asked = _each_once(filter(None, (" ".join(_cleaned(concept).split()) for concept in concepts)))
        text = _cleaned(instruction) or ", ".join(asked) or ("" if target is None else TOWARD)
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
            concepts=asked,
            profile=profile,
            described=described,
        )


def _cleaned(text: str) -> str:
    shown = "".join(c if c.isprintable() or c in "\n\t" or c in JOINERS else " " for c in text.lstrip("\ufeff"))
    return shown.strip().strip(JOINERS).strip()


def _each_once(concepts: Iterable[str]) -> tuple[str, ...]:
    """Each once, in whatever case."""
    found: dict[str, str] = {}
    for concept in concepts:
        found.setdefault(concept.casefold(), concept)
    return tuple(found.values())
