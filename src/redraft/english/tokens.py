"""Words with their places in the text, and a line of them that patterns can be matched against."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

__all__ = ["Line", "Token", "phrase", "tokenise"]

_TOKEN = re.compile(
    r"""
    (?P<quote> "[^"\n]{0,200}" | “[^”\n]{0,200}” )
  | (?P<product> \d+[x×]\d+ \b )
  | (?P<clock> \d{1,2}:\d{2} (?!\d) )
  | (?P<number> \d+(?:\.\d+)?(?=(?:mm|cm|m|ft|in|x|mils?|thou|[uµμn]m|deg|°|th|st|nd|rd)\b|\s*%|°)
              | \d+(?:\.\d+)? (?!\w|\.\d) | \.\d+ )
  | (?P<name> [^\W\d_]+\d+\w* )
  | (?P<word> [^\W\d_]+ (?: [-'’] [^\W\d_]+ )* | \w+ )
  | (?P<mark> [.,;:!?()%°×/&"'’] )
  | (?P<dash> — | (?<=\s)–(?=\s) )
    """,
    re.VERBOSE,
)


@dataclass(frozen=True)
class Token:
    """One word, number or mark. `word` is lower case; a quotation is one token, `"`."""

    text: str
    word: str
    start: int
    end: int


def tokenise(text: str) -> tuple[Token, ...]:
    """Cut a text into tokens; what is neither word, number nor mark is dropped. Linear in the text's length.

    A dash between words parts them as a comma does.
    """
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        found.extend(_split(match))
    return tuple(found)


def _split(match: re.Match[str]) -> list[Token]:
    """The tokens of one match: a possessive 's stands alone, "3x4" is three tokens."""
    text, start = match.group(), match.start()
    if match.lastgroup == "quote":
        return [Token(text, '"', start, match.end())]
    if match.lastgroup == "product":
        return [Token(m.group(), m.group(), start + m.start(), start + m.end()) for m in re.finditer(r"\d+|\D", text)]
    if match.lastgroup == "dash":
        return [Token(text, ",", start, match.end())]
    word = text.lower().replace("’", "'")
    for owner, tail in ((r"'s", "'s"), (r"s'", "'")):
        if (
            match.lastgroup == "word"
            and word.endswith(owner)
            and len(word) > 2
            and word not in {"it's", "that's", "there's"}
        ):
            cut = len(text) - len(tail)
            return [
                Token(text[:cut], word[:cut], start, start + cut),
                Token(text[cut:], "'s", start + cut, match.end()),
            ]
    return [Token(text, word, start, match.end())]


def phrase(pattern: str) -> re.Pattern[str]:
    """A pattern over the words of a line, whole words only. A space is a word break; `(?:very )?` takes one along."""
    return re.compile(rf"(?:{pattern})(?=$| )")


class Line:
    """Tokens and their lower-case words joined by single spaces, so that patterns see whole words."""

    def __init__(self, text: str, tokens: tuple[Token, ...]) -> None:
        self.text = text
        self.tokens = tokens
        self.joined = " ".join(t.word for t in tokens)

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        found, at = list[int](), 0
        for token in self.tokens:
            found.append(at)
            at += len(token.word) + 1
        return (*found, at)

    @cached_property
    def _index(self) -> dict[int, int]:
        return {at - 1: i for i, at in enumerate(self._starts)}

    def __len__(self) -> int:
        return len(self.tokens)

    def word(self, i: int) -> str:
        """The i-th word, empty beyond the ends."""
        return self.tokens[i].word if 0 <= i < len(self.tokens) else ""

    def match(self, pattern: re.Pattern[str], i: int) -> tuple[re.Match[str], int] | None:
        """A match that begins at the i-th word, and the index of the word after it."""
        found = pattern.match(self.joined, self._starts[i])
        if found is None or found.end() == found.start():
            return None
        end = found.end()
        while end not in self._index and end > found.start():
            end -= 1
        return found, self._index[end]

    def source(self, i: int, j: int) -> str:
        """The words i to j as they stand in the text."""
        return self.text[self.tokens[i].start : self.tokens[j - 1].end] if i < j else ""
