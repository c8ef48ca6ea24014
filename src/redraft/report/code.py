"""The delivered program as the page lists it: lines, each cut into pieces that are told apart by what they are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from redraft.report.pictures import inside
from redraft.report.words import clip

__all__ = ["Listing", "listing_of"]

LIMIT = 60_000
"""Characters on the page; the file has all of them. A usual shader has 3,000."""

_GLSL = re.compile(
    r"(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))"
    r"|(?P<order>^[ \t]*\#[^\n]*)"
    r"|(?P<keyword>\b(?:attribute|break|case|const|continue|default|discard|do|else|flat|for|highp|if|in|inout|layout"
    r"|lowp|mediump|out|precision|return|struct|switch|uniform|varying|while|void|bool|int|uint|float|double"
    r"|[biud]?vec[234]|mat[234](?:x[234])?)\b)",
    re.DOTALL | re.MULTILINE,
)
_PYTHON = re.compile(
    r"(?P<text>(?:\b[rbuf]{1,2})?(?:\"\"\".*?(?:\"\"\"|\Z)|'''.*?(?:'''|\Z)"
    r"|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'))"
    r"|(?P<comment>\#[^\n]*)"
    r"|(?P<keyword>\b(?:and|as|assert|break|class|continue|def|del|elif|else|except|False|finally|for|from|global|if"
    r"|import|in|is|lambda|None|nonlocal|not|or|pass|raise|return|True|try|while|with|yield)\b)",
    re.DOTALL,
)

Piece = tuple[str, str]
"""What it is (`comment`, `order` for the preprocessor's, `keyword`, `text` in quotes, or nothing), and its text."""


@dataclass(frozen=True)
class Listing:
    """A program, or as much of it as the page holds."""

    name: str
    """Its file, in the run folder."""
    count: int
    """Lines of the whole."""
    lines: tuple[tuple[Piece, ...], ...]
    left_out: int
    """Characters that are not shown."""


def listing_of(folder: Path, name: str) -> Listing | None:
    """The listing of a file of the run folder; None when there is no such file there."""
    path = inside(folder, name)
    if path is None:
        return None
    text = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n").removesuffix("\n")
    shown = clip(text, LIMIT)
    language = _PYTHON if path.suffix == ".py" else _GLSL
    return Listing(name, text.count("\n") + 1, _lines(shown.text, language), shown.left_out)


def _lines(text: str, language: re.Pattern[str]) -> tuple[tuple[Piece, ...], ...]:
    lines: list[list[Piece]] = [[]]
    for kind, piece in _pieces(text, language):
        first, *rest = piece.split("\n")
        lines[-1].append((kind, first))
        lines += [[(kind, part)] for part in rest]
    return tuple(tuple(piece for piece in line if piece[1]) for line in lines)


def _pieces(text: str, language: re.Pattern[str]) -> list[Piece]:
    pieces: list[Piece] = []
    end = 0
    for match in language.finditer(text):
        pieces += [("", text[end : match.start()]), (match.lastgroup or "", match.group())]
        end = match.end()
    return [*pieces, ("", text[end:])]
