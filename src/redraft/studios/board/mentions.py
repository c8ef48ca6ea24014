"""Parts that a text speaks of, in whatever language and grammar: what a model is shown closely, or told to look at.

Nothing is understood here but names: `C13`, `U1.16`, "pin 16 of U1", "the VCC pin of U1". Where a text names no part,
its words are looked for in references, values and kinds: a model that cannot see a part cannot place it either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from redraft.english.names import NamedLine, Names, named_line
from redraft.spatial.layout import Layout
from redraft.spatial.views.tokens import clean
from redraft.studios.board.board import Board
from redraft.studios.board.commands import NOUNS
from redraft.studios.board.find import Found, Query, find

__all__ = ["Sought", "candidates", "mentioned", "sought"]

_PIN = frozenset({"pin", "pins", "pad", "pads", "ball", "terminal", "lead"})
_THROUGH = frozenset({"to", "through", "thru", "till", "bis", "~"})
_OF = frozenset({"of", "on", "at", "von", "vom", "am", "an", "de", "du", "del", "di"})
_NEAR = 4
"""So many words may lie between a pin's number and its part."""
_ON_NET = 4
"""Pads of one part that a net's name brings out."""
_LISTED = 12
"""Parts that the words of a text may mean."""
_WORD = re.compile(r"[^\W_][^\s,;()]*[^\W_]")
_PLAIN = frozenset({
    "the", "and", "for", "put", "place", "move", "set", "bring", "keep", "left", "right", "top", "bottom", "edge",
    "edges", "side", "sides", "upper", "lower", "above", "below", "near", "next", "from", "with", "all", "along",
    "board", "part", "parts", "component", "components", "pin", "pins", "pad", "pads", "exactly", "section", "area",
    "row", "column", "tidy", "together", "close", "closer", "align", "space", "spread", "corner", "center", "centre",
    "that", "this", "them", "its", "into", "onto", "back", "front", "flip", "rotate", "swap", "mirror",
})  # fmt: skip
"""Words of a request that mean no part."""


def mentioned(text: str, layout: Layout) -> tuple[str, ...]:
    """The parts and pads ("U1.16") that a text names, in its order; a pad stands for its part."""
    line = named_line(text.replace('"', " "), Names(layout, NOUNS))
    found = dict.fromkeys(name for i in range(len(line)) for name in _named(line, i))
    for net in dict.fromkeys(line.net(i) for i in range(len(line)) if line.net(i)):
        found |= dict.fromkeys(pad for name in [*found] for pad in _pads_on(layout, name, net))
    owners = {name.rpartition(".")[0] for name in found if name not in layout}
    return tuple(name for name in found if name not in owners)


def _named(line: NamedLine, i: int) -> Iterator[str]:
    """What the i-th word names: parts, a pad of one, or the number in "pin 16 of U1" and "U1 pin 16"."""
    refs, port = line.refs(i), line.port(i)
    if refs:
        yield from (f"{refs[0]}.{port}",) if port else (*refs, *_up_to(line, i))
    elif line.word(i) in _PIN and i + 1 < len(line):
        number = line.source(i + 1, i + 2)
        before, behind = range(i - 1, max(i - 4, -1), -1), range(i + 2, min(i + 2 + _NEAR, len(line)))
        near = [*behind, *before] if line.word(i + 2) in _OF else [*before, *behind]
        yield from [f"{ref}.{number}" for k in near for ref in _bearing(line, k, number)][:1]


def _up_to(line: NamedLine, i: int) -> Iterator[str]:
    """The rest of "D1 to D5"."""
    last = line.refs(i + 2)
    if line.word(i + 1) in _THROUGH and len(last) == 1 and len(line.refs(i)) == 1:
        yield from line.names.between(line.refs(i)[0], last[0]) or ()


def _bearing(line: NamedLine, k: int, pad: str) -> tuple[str, ...]:
    """The part that the k-th word names, if it is one and has such a pad."""
    refs = line.refs(k)
    layout = line.names.layout
    return refs if len(refs) == 1 and layout[refs[0]].ports_named(pad) else ()


def _pads_on(layout: Layout, name: str, net: str) -> list[str]:
    if name not in layout:
        return []
    pads = dict.fromkeys(port.name for port in layout[name].ports if port.net == net and port.name)
    return [f"{name}.{pad}" for pad in pads][:_ON_NET] if len(layout[name].ports) > 2 else []


@dataclass(frozen=True)
class Sought:
    """What a list of wanted names comes to."""

    names: tuple[str, ...]
    """Parts and pads that are there."""
    strange: tuple[str, ...]
    """One sentence for each name that is none, with close ones."""


def sought(wanted: Sequence[str], layout: Layout) -> Sought:
    """Names as a model writes them: parts, pads, patterns ("USB*"), kinds ("connector")."""
    names, known, strange = Names(layout, NOUNS), list[str](), list[str]()
    for text in dict.fromkeys(wanted):
        found = _meant(text, names)
        known += found
        if not found:
            close = names.closest(text)
            strange.append(f"There is no part {text[:60]!r}" + (f"; close: {', '.join(close)}" if close else ""))
    return Sought(tuple(dict.fromkeys(known)), tuple(strange))


def _meant(text: str, names: Names) -> list[str]:
    layout = names.layout
    owner, _, pad = text.rpartition(".")
    if text in layout or (owner in layout and layout[owner].ports_named(pad)):
        return [text]
    kind = names.kind(text.casefold())
    if kind is not None:
        return [*names.kinds[kind[0]]]
    pattern = text.casefold().replace("[", "[[]")
    return [item.name for item in layout.roots if fnmatchcase(item.name.casefold(), pattern)]


def candidates(text: str, board: Board, layout: Layout) -> tuple[str, ...]:
    """One line for each part whose reference, value or kind has words of a text, the most telling first."""
    words = {w for w in (m.group().casefold() for m in _WORD.finditer(text)) if len(w) > 2 and w not in _PLAIN}
    words |= {w.removesuffix("s") for w in words if len(w) > 3}
    kinds = {kind[0] for word in words if (kind := Names(layout, NOUNS).kind(word)) is not None}
    scored = [(_score(part, words, kinds), part) for part in _all(board, layout)] if words else []
    best = sorted((entry for entry in scored if entry[0]), key=lambda entry: -entry[0])
    told = [_line(part) for _, part in best[:_LISTED]]
    return (*told, f"and {len(best) - _LISTED} more") if len(best) > _LISTED else tuple(told)


def _all(board: Board, layout: Layout) -> Iterator[Found]:
    cursor: str | None = None
    while True:
        page = find(board, layout, Query(limit=100, cursor=cursor))
        yield from page.parts
        cursor = page.next_cursor
        if cursor is None:
            return


def _score(part: Found, words: set[str], kinds: set[str]) -> int:
    """A word in the reference or the value says more than a kind that many are of."""
    said = f"{part.ref} {part.value}".casefold()
    return 2 * sum(word in said for word in words) + (part.kind.casefold() in kinds)


def _line(part: Found) -> str:
    where = f"{part.zone} zone" if part.zone else "not placed yet"
    locked = ", locked" if part.locked else ""
    return f"{clean(part.ref)} ({part.kind} “{clean(part.value, 30)}”, {part.side}, {where}{locked})"
