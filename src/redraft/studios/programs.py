"""From a model's reply to the one program in it, for the studios whose drafts are programs."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from redraft.errors import FormatError
from redraft.replies import Fence

__all__ = ["Language", "approach_in", "one_program"]

APPROACH_LIMIT = 300
_APPROACH = re.compile(r"^\W*approach\W*?[:：]\W*(.+)$", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class Language:
    """What programs of one kind are called, and how one is known."""

    noun: str
    """`shader`."""
    word: str
    """After the opening of its block: `glsl`."""
    ask: str
    """What a reply should be, as a sentence to the model."""
    is_whole: Callable[[str], bool]
    """Whether a block can be a whole program and not an illustration."""
    tells: Callable[[str], str]
    """The first line that tells one program from another."""


def one_program(blocks: list[Fence], prose: str, language: Language) -> str:
    """The program in a reply.

    Raises:
        FormatError: there is no block, or there are several different programs.
    """
    if not blocks:
        raise FormatError(
            f"The reply holds no {language.noun}: it begins {prose[:60]!r}, and there is no ```{language.word} block. "
            f"{language.ask}"
        )
    codes = list(dict.fromkeys(block.text for block in blocks))
    whole = [code for code in codes if language.is_whole(code)]
    if len(whole) > 1:
        raise FormatError(
            f"The reply holds {len(whole)} different {language.noun}s (they begin "
            f"{' and '.join(repr(language.tells(code)[:60]) for code in whole[:3])}); exactly one is wanted. "
            f"{language.ask}"
        )
    return (whole or codes)[0]


def approach_in(prose: str, otherwise: str = "") -> str:
    """What the reply says it tries: its APPROACH line, else its first line of prose, else what is given."""
    named = _APPROACH.search(prose)
    if named:
        return _short(named.group(1))
    return _short(next((line for line in prose.splitlines() if line.strip()), "") or otherwise)


def _short(line: str) -> str:
    line = " ".join(line.split()).strip("*_` ")
    return line if len(line) <= APPROACH_LIMIT else f"{line[: APPROACH_LIMIT - 1]}…"
