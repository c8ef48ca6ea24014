"""Names of things that are there, found in a text: references, ranges, lists, wildcards, pads, nets, and kinds.

Only what the layout holds is a name: nothing is made up. What looks like a reference and is none is remembered as
strange, for whoever reads on to refuse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import cached_property

from redraft.english.tokens import Line, Token, tokenise, value_key
from redraft.layout import Item, Layout

__all__ = ["NAME", "NET", "NamedLine", "Names", "Strange", "earlier_pad", "named_line"]


NAME = "@"
"""The word that a token has which names items."""
NET = "$"
"""The word that a token has which names a net."""

_RUN = re.compile(r'"[^"\n]{0,200}"|“[^”\n]{0,200}”|[^\s,;()"“”]+')
_SIGNED = re.compile(r"(?<![\w.)\-−])[-−](?=\d|\.\d)(\d+(?:\.\d+)?|\.\d+)")
_DASH = frozenset({"-", "–", "—", "..", "...", "…", "~"})
_RANGE = re.compile(r"(.+?)(?:-|–|—|\.{2,3}|…|~)(.+)")
_SERIES = re.compile(r"([A-Za-z_]+)(\d+)")
_LOOKS_NAMED = re.compile(r"[A-Za-z]{1,3}[1-9]\d{0,3}[A-Za-z]?")
_USUAL = frozenset({
    "R", "C", "L", "D", "U", "IC", "J", "Q", "SW", "TP", "LED", "FB", "Y", "F", "BT", "RV", "CN", "CON", "JP",
    "K", "RN", "TR",
})  # fmt: skip
"""Letters that references begin with wherever boards are made."""
_ENGLISH = frozenset({
    "a", "an", "as", "at", "be", "by", "do", "go", "in", "is", "it", "no", "of", "on", "or", "so", "to", "up",
    "us", "we", "i", "am", "if", "my", "off", "out", "the", "and", "put", "set", "pin", "pad", "top", "all",
    "row",
})  # fmt: skip


@dataclass(frozen=True)
class Strange:
    """A word that looks like a name and is none."""

    text: str
    offset: int
    owner: str = ""
    """The item on which a pad of that name was looked for."""


@dataclass(frozen=True)
class Names:
    """What may be named: the items of a layout, their ports and nets, and the kinds of thing that they are.

    `nouns` are other words for kinds: "cap" for "capacitor".
    """

    layout: Layout
    nouns: Mapping[str, str] = field(default_factory=dict[str, str])

    @cached_property
    def _folded(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for item in self.layout.roots:
            found.setdefault(item.name.casefold(), []).append(item.name)
        return found

    @cached_property
    def series(self) -> dict[str, dict[int, str]]:
        """Names of letters and a number, by both."""
        found: dict[str, dict[int, str]] = {}
        for item in self.layout.roots:
            if match := _SERIES.fullmatch(item.name):
                found.setdefault(match[1], {})[int(match[2])] = item.name
        return found

    @cached_property
    def kinds(self) -> dict[str, tuple[str, ...]]:
        """Names by kind, lower-case, in the layout's order: what they are, else the letters that they begin with."""
        found: dict[str, list[str]] = {}
        for item in self.layout.roots:
            found.setdefault(item.label.casefold(), []).append(item.name)
        for letters, numbered in self.series.items():
            if len(letters) > 1 and letters.casefold() not in found:
                found[letters.casefold()] = list(numbered.values())
        return {kind: tuple(names) for kind, names in found.items() if kind}

    @cached_property
    def values(self) -> dict[str, tuple[str, ...]]:
        """Names by value, as `value_key` writes it, in the layout's order."""
        found: dict[str, list[str]] = {}
        for item in self.layout.roots:
            if item.value:
                found.setdefault(value_key(item.value), []).append(item.name)
        return {value: tuple(names) for value, names in found.items()}

    @cached_property
    def nets(self) -> dict[str, tuple[Item, ...]]:
        """The items on each net."""
        found: dict[str, dict[str, Item]] = {}
        for item in self.layout.roots:
            for port in item.ports:
                if port.net:
                    found.setdefault(port.net, {})[item.name] = item
        return {net: tuple(items.values()) for net, items in found.items()}

    def name(self, text: str) -> str | None:
        """The item of that name: as written, else in other capitals where only one fits."""
        if text in self.layout and self.layout[text].parent is None:
            return text if text not in _ENGLISH else None
        same = self._folded.get(text.casefold(), [])
        return same[0] if len(same) == 1 and any(c.isdigit() for c in text) else None

    def net(self, text: str) -> str | None:
        """The net of that name, a leading slash left out or not; never a plain small word."""
        if not any(c.isupper() or not c.isalpha() for c in text):
            return None
        return next((net for net in (text, f"/{text}") if net in self.nets), None)

    def kind(self, words: str) -> tuple[str, bool] | None:
        """The kind that a noun means, and whether it is a plural: ("capacitor", True) for "caps"."""
        for single, plural in ((words, False), *((stem, True) for stem in _stems(words))):
            kind = self.nouns.get(single, single)
            if kind.casefold() in self.kinds:
                return kind.casefold(), plural
        return None

    def between(self, first: str, last: str) -> tuple[str, ...] | None:
        """All names from one of a series to another, in that order."""
        a, b = _SERIES.fullmatch(first), _SERIES.fullmatch(last)
        if a is None or b is None or a[1] != b[1]:
            return None
        low, high = sorted((int(a[2]), int(b[2])))
        inside = [name for n, name in sorted(self.series[a[1]].items()) if low <= n <= high]
        return tuple(inside if int(a[2]) <= int(b[2]) else reversed(inside))

    def closest(self, text: str) -> list[str]:
        return get_close_matches(text.upper(), [item.name for item in self.layout.roots], n=3, cutoff=0.4)

    def looks_named(self, text: str) -> bool:
        """Letters that this board's references or all boards' begin with, and a number."""
        series = _SERIES.match(text.upper())
        if series is None or _LOOKS_NAMED.fullmatch(text) is None:
            return False
        return series[1] in self.series or series[1] in _USUAL


@dataclass(frozen=True)
class _Found:
    refs: tuple[str, ...] = ()
    port: str = ""
    net: str = ""
    strange: Strange | None = None


class NamedLine(Line):
    """A line in which names are single words: `NAME` for items, `NET` for nets."""

    def __init__(self, text: str, tokens: tuple[Token, ...], found: Mapping[int, _Found], names: Names) -> None:
        super().__init__(text, tokens)
        self.names = names
        self._found = {i: found[t.start] for i, t in enumerate(tokens) if t.start in found}
        self.breaks = frozenset(i for i in range(1, len(tokens)) if "\n" in text[tokens[i - 1].end : tokens[i].start])
        """Words that begin a line of the text."""

    def refs(self, i: int) -> tuple[str, ...]:
        """The items that the i-th word names; none for any other word."""
        return self._found[i].refs if i in self._found else ()

    def port(self, i: int) -> str:
        """The port that the i-th word names as well: "U1.4"."""
        return self._found[i].port if i in self._found else ""

    def net(self, i: int) -> str:
        return self._found[i].net if i in self._found else ""

    def strange(self) -> dict[int, Strange]:
        """Words that look like names and are none, by their index."""
        return {i: found.strange for i, found in self._found.items() if found.strange is not None}


def named_line(text: str, names: Names) -> NamedLine:
    """Cut a text into words and names. Linear in the text's length."""
    own: list[Token] = []
    found: dict[int, _Found] = {}
    for token, what in _scanned(text, names):
        own.append(token)
        if what is not None:
            found[token.start] = what
    rest = list(text)
    for token in own:
        rest[token.start : token.end] = " " * (token.end - token.start)
    tokens = sorted([*own, *tokenise("".join(rest))], key=lambda t: t.start)
    return NamedLine(text, tuple(tokens), found, names)


def _scanned(text: str, names: Names) -> Iterator[tuple[Token, _Found | None]]:
    """Names, nets, dashes between words and signed numbers, as tokens."""
    for run in _RUN.finditer(text):
        word = run.group()
        if word[0] in '"“':
            continue
        if word in _DASH:
            yield Token(word, "~", run.start(), run.end()), None
            continue
        start, core = _core(word, names)
        what = _meaning(core, run.start() + start, names) if core else None
        if what is not None:
            at = run.start() + start
            kind = NAME if what.refs else NET if what.net else core.casefold()
            yield Token(core, kind, at, at + len(core)), what
        elif signed := _SIGNED.match(word):
            yield Token(signed.group(), f"-{signed[1]}", run.start(), run.start() + signed.end()), None


def _core(word: str, names: Names) -> tuple[int, str]:
    """A run of letters without the marks around it, unless they are part of a name; and how many were cut in front."""
    if word in names.layout:
        return 0, word
    start = len(word) - len(word.lstrip("'‘[{"))
    core = re.sub(r"(?:['’]s|['’\]}.:!?])+$", "", word[start:])
    return start, core


def _meaning(core: str, offset: int, names: Names) -> _Found | None:
    """What a run of letters names."""
    if (name := names.name(core)) is not None:
        return _Found((name,))
    return (
        _pad(core, offset, names)
        or _range(core, offset, names)
        or _wildcard(core, names)
        or _slashed(core, names)
        or _net(core, names)
        or (_Found(strange=Strange(core, offset)) if names.looks_named(core) else None)
    )


def _pad(core: str, offset: int, names: Names) -> _Found | None:
    owner, dot, port = core.rpartition(".")
    name = names.name(owner) if dot else None
    if name is None or owner.endswith("."):
        return None
    if names.layout[name].ports_named(port):
        return _Found((name,), port)
    return _Found(strange=Strange(port, offset, name))


def _range(core: str, offset: int, names: Names) -> _Found | None:
    split = _RANGE.fullmatch(core)
    if split is None:
        return None
    first, last = names.name(split[1]), split[2]
    series = _SERIES.fullmatch(first or split[1])
    if series is None:
        return None
    if last.isdigit():
        last = series[1] + last
    end = names.name(last)
    if first is None or end is None:
        odd = next((w for w in (split[1], last) if names.name(w) is None and names.looks_named(w)), None)
        return _Found(strange=Strange(odd, offset)) if odd is not None else None
    refs = names.between(first, end)
    return _Found(refs) if refs else None


def _wildcard(core: str, names: Names) -> _Found | None:
    if not core.endswith("*") or len(core.rstrip("*")) < 1 or not core[0].isalpha():
        return None
    refs = tuple(item.name for item in names.layout.roots if fnmatchcase(item.name, _pattern(core)))
    return _Found(refs) if refs else None


def _pattern(core: str) -> str:
    """The prefix is taken as written, whatever signs are in it."""
    return re.sub(r"([\[\]?])", r"[\1]", core.rstrip("*")) + "*"


def _slashed(core: str, names: Names) -> _Found | None:
    parts: Sequence[str | None] = [names.name(part) for part in core.split("/")]
    found = [part for part in parts if part is not None]
    return _Found(tuple(found)) if len(parts) > 1 and len(found) == len(parts) else None


def _net(core: str, names: Names) -> _Found | None:
    net = names.net(core)
    return _Found(net=net) if net is not None else None


def _stems(word: str) -> Iterator[str]:
    if word.endswith("es"):
        yield word[:-2]
    if word.endswith("ies"):
        yield word[:-3] + "y"
    if word.endswith("s"):
        yield word[:-1]


_PIN = frozenset({"pin", "pad", "terminal", "lead"})
_OF = frozenset({"of", "on", "at"})
"""The part comes behind: in "C1 near pin 1 of U1" it is not C1's."""
_BACK = 80
"""So many words back a pad may have been named: farther, nobody remembers which."""
_NEAR = 4
"""So many words may lie between a pad's number and its part."""


def earlier_pad(line: NamedLine, i: int) -> tuple[str, str] | None:
    """The part and the pad that the words before the i-th name last: `U1.4`, `U1 pin 4`, `pin 4 of U1`."""
    for k in range(i - 1, max(i - _BACK, 0) - 1, -1):
        found = _pad_at(line, k, i)
        if found is not None:
            return found
    return None


def _pad_at(line: NamedLine, k: int, end: int) -> tuple[str, str] | None:
    refs, port = line.refs(k), line.port(k)
    if len(refs) == 1 and port:
        return refs[0], port
    if line.word(k) not in _PIN or k + 1 >= end:
        return None
    number = line.source(k + 1, k + 2)
    before, behind = range(k - 1, max(k - 4, -1), -1), range(k + 2, min(k + 2 + _NEAR, end))
    near = [*behind, *before] if line.word(k + 2) in _OF else [*before, *behind]
    return next((pad for n in near if (pad := _borne(line, n, number)) is not None), None)


def _borne(line: NamedLine, n: int, number: str) -> tuple[str, str] | None:
    """The pad of that number, if the n-th word names a part that has it."""
    refs = line.refs(n)
    if len(refs) != 1 or line.port(n) or not line.names.layout[refs[0]].ports_named(number):
        return None
    return refs[0], number
