"""A taste profile: what somebody likes and dislikes, as given. Only judges and the final prompt see it raw."""

from __future__ import annotations

import unicodedata
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from redraft.errors import ProfileError
from redraft.scoring.profile_files import FORMS, Column, read_columns

__all__ = ["MAX_BYTES", "MAX_ENTRIES", "MAX_ENTRY", "TasteProfile", "load_profile"]

MAX_BYTES = 64_000
MAX_ENTRIES = 500
MAX_ENTRY = 300
"""Characters."""


Texts = Annotated[tuple[str, ...], Field(strict=False)]
"""Lists do as well; a single text does not."""


class TasteProfile(BaseModel):
    """Likes and dislikes in the person's own words; `loves` and `hates` are the stronger ones."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    loves: Texts = ()
    likes: Texts = ()
    dislikes: Texts = ()
    hates: Texts = ()

    @property
    def liked(self) -> tuple[str, ...]:
        """All that is wanted: what abstraction must not let through."""
        return (*self.loves, *self.likes)

    @property
    def disliked(self) -> tuple[str, ...]:
        return (*self.dislikes, *self.hates)


def load_profile(path: Path) -> TasteProfile:
    """Read a profile: YAML or JSON with the four lists, or a CSV with those columns.

    `love`, `like`, `dislike` and `hate` do as well. Control characters are taken out, runs of spaces become one.

    Raises:
        ProfileError: missing, empty, binary, of another form; with the file, line or key and value.
    """
    text = _text(path)
    columns: dict[str, Column] = {}
    for column in read_columns(text, path):
        if other := columns.get(column.name):
            raise ProfileError(
                f"{path}: {other.written} and {column.written} ({other.place} and {column.place}) are the same list. "
                "Keep one."
            )
        columns[column.name] = column
    profile = TasteProfile(**{name: _entries(column, path) for name, column in columns.items()})
    _check_amount(profile, path)
    return profile


def _text(path: Path) -> str:
    try:
        raw = _raw(path)
    except OSError as error:
        raise ProfileError(f"{path}: the profile cannot be read: {error.strerror or error}.") from error
    if len(raw) > MAX_BYTES:
        raise ProfileError(f"{path}: the profile has more than {MAX_BYTES:,} bytes; it is a list of likes, not a text.")
    if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        raise ProfileError(f"{path}: the profile is in UTF-16; save it as UTF-8.")
    if b"\0" in raw:
        raise ProfileError(f"{path}: byte {raw.index(0):,} is 0, so this is no text; {FORMS}")
    try:
        text = _cleaned(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ProfileError(
            f"{path}: byte {error.start:,} is {raw[error.start]:#04x}, which is not UTF-8; save it as UTF-8. "
            f"A{FORMS[1:]}"
        ) from error
    if not text.strip():
        raise ProfileError(f"{path}: the profile is empty; {FORMS}")
    return text


def _raw(path: Path) -> bytes:
    if path.is_dir():
        raise ProfileError(f"{path}: this is a folder; {FORMS}")
    if not path.exists():
        raise ProfileError(f"{path}: there is no such file; {FORMS}")
    if not path.is_file():
        raise ProfileError(f"{path}: this is no ordinary file; {FORMS}")
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


def _cleaned(text: str) -> str:
    """Without control characters other than line breaks and tabs."""
    return "".join(c if c in "\n\r\t" or unicodedata.category(c) != "Cc" else " " for c in text)


def _entries(column: Column, path: Path) -> tuple[str, ...]:
    return tuple(_entry(place, text, column, path) for place, text in column.entries)


def _entry(place: str, text: str, column: Column, path: Path) -> str:
    entry = " ".join(_cleaned(text).split())
    if not entry:
        raise ProfileError(f"{path}: {place} of {column.written} is blank; leave it out.")
    if len(entry) > MAX_ENTRY:
        raise ProfileError(
            f"{path}: {place} of {column.written} has {len(entry):,} characters ({entry[:40]!r}…); at most {MAX_ENTRY} "
            "are allowed. One like or dislike each."
        )
    return entry


def _check_amount(profile: TasteProfile, path: Path) -> None:
    amount = len(profile.liked) + len(profile.disliked)
    if not amount:
        raise ProfileError(f"{path}: it holds nothing that is liked or disliked; {FORMS}")
    if amount > MAX_ENTRIES:
        raise ProfileError(f"{path}: it holds {amount:,} likes and dislikes; at most {MAX_ENTRIES} are allowed.")
