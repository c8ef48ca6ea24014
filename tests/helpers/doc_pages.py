"""The pages of the documentation as readers use them: blocks in order, each with its mark and the output shown for it.

A comment on the line before a block marks it: `<!-- not run: reason -->`, or `<!-- exit code 1 -->`.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = tuple(
    str(path.relative_to(ROOT)) for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md")))
)
MARK = re.compile(r"<!-- (.*?) -->")


@dataclass(frozen=True)
class Block:
    """One fenced block."""

    page: str
    line: int
    language: str
    text: str
    mark: str = ""
    shown: str = ""
    """The block `text` right below it: what it prints."""

    @property
    def place(self) -> str:
        """`docs/models.md:12`, for messages."""
        return f"{self.page}:{self.line}"


@dataclass(frozen=True)
class Command:
    """One line of a shell block: variables set for it, and its words up to a pipe or a redirection."""

    place: str
    environment: dict[str, str]
    words: tuple[str, ...]


@cache
def blocks(page: str) -> tuple[Block, ...]:
    """The fenced blocks of a page, in order."""
    found = list[Block]()
    mark = ""
    tokens = MarkdownIt().parse((ROOT / page).read_text("utf-8"))
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.type == "html_block":
            mark = match[1] if (match := MARK.match(token.content)) else ""
            continue
        if token.type == "fence" and token.map:
            language = token.info.split()[0] if token.info else ""
            if language == "text" and before is not None and before.type == "fence" and found:
                last = found.pop()
                found.append(Block(last.page, last.line, last.language, last.text, last.mark, token.content))
            else:
                found.append(Block(page, token.map[0] + 1, language, token.content, mark))
        mark = ""
    return tuple(found)


def commands(block: Block) -> list[Command]:
    """The commands of a shell block; none of another block, or of one that shows what a program prints."""
    if block.language != "sh" or block.text.startswith("#!"):
        return []
    lines = re.sub(r"\\\n\s*", "", block.text).splitlines()
    return [found for number, line in enumerate(lines, 1) if (found := _command(line, f"{block.place} line {number}"))]


def _command(line: str, place: str) -> Command | None:
    words = shlex.split(line, comments=True)
    environment = dict[str, str]()
    while words and (match := re.fullmatch(r"([A-Z_]+)=(.*)", words[0])):
        environment[match[1]] = match[2]
        del words[0]
    end = next((n for n, word in enumerate(words) if re.fullmatch(r"\d?[<>|&]+", word)), len(words))
    return Command(place, environment, tuple(words[:end])) if words else None


def inline_code(page: str) -> list[str]:
    """The code in the running text of a page."""
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse((ROOT / page).read_text("utf-8"))
    return [" ".join(c.content.split()) for token in tokens for c in token.children or () if c.type == "code_inline"]
