"""Arrangements of several of a kind: rows, columns, equal gaps, grids, progressions."""

from __future__ import annotations

from typing import Literal, cast

from redraft.english.chunks import Arrangement, Chunk
from redraft.english.comparisons import dimension_of
from redraft.english.numbers import NUMBER, UNIT, number, unit
from redraft.english.tokens import Line, phrase
from redraft.spatial.reading import Dimension, Measure

__all__ = ["arranged", "gapped", "gridded", "progressing"]


_ROW = phrase(
    r"(?:all )?(?:standing |arranged |placed |lined up |aligned )?(?:in|as|into) (?:a|one)"
    r" (?:single |straight |horizontal |neat |long )*(?:row|line)"
    r"|lined up|aligned horizontally|horizontally aligned|side by side in a row|in a horizontal (?:row|line)"
)
_COLUMN = phrase(
    r"(?:arranged |placed |stacked |aligned )?(?:in|as|into) (?:a|one) (?:single |straight )"
    r"*(?:column|stack|vertical (?:row|line|column))|aligned vertically|vertically aligned|"
    r"stacked(?: vertically)?"
)
_EVEN = phrase(
    r"(?:are |is )?(?:equally|evenly|uniformly|regularly) (?:spaced|distributed|apart)(?: out)"
    r"?(?: apart)?(?: horizontally)?|spaced (?:equally|evenly)(?: apart)?"
    r"|(?:at|with) (?:equal|even|the same|regular) (?:distances?|spac(?:es?|ing)|gaps?|"
    r"intervals?)(?: between them| apart)?|equidistant(?: from each other)?|equal spacing"
)
_GAP = phrase(
    rf"(?:(?:equally |evenly )?spaced )?(?P<value>{NUMBER}) ?(?P<unit>{UNIT} |of the canvas |"
    rf"grid cells? )?(?:apart|gaps?|spacing)(?: from each other)?|with (?:a )?gaps? of (?P<value2>{NUMBER})"
    rf"(?: ?(?P<unit2>{UNIT}))?"
)
_GRID = phrase(
    rf"(?:in |as |into |on )?(?:a|an|the) (?P<rows>{NUMBER}) ?(?:by|x|×) ?(?P<columns>{NUMBER})"
    r" (?:grid|matrix|array|arrangement|pattern)(?! of)"
)
_GRID_AFTER = phrase(
    rf"(?:in|as|into) (?P<rows>{NUMBER}) rows? (?:of|and|by|with) (?P<columns>{NUMBER})(?: columns?| each)?"
)
_LARGER = {
    "increasing": True,
    "growing": True,
    "ascending": True,
    "rising": True,
    "decreasing": False,
    "descending": False,
    "diminishing": False,
    "shrinking": False,
}
_PROGRESSION = phrase(
    r"(?:of|in|with|by) (?:gradually |steadily |ever )?(?P<way>increasing|growing|ascending|"
    r"rising|decreasing|descending|diminishing|shrinking)(?: order of)? (?P<what>size|height|"
    r"width)s?(?: order)?|(?P<way2>increasing|growing|decreasing|shrinking) in (?P<what2>size|"
    r"height|width)"
)
_FROM_TO = phrase(
    r"from (?:the )?(?P<a>small(?:est)?|short(?:est)?|narrow(?:est)?|large(?:st)?|big(?:gest)"
    r"?|tall(?:est)?|wide(?:st)?) to (?:the )?(?P<b>\w+)|(?:getting|growing|becoming) (?P<c>bigger|"
    r"larger|taller|smaller|shorter|wider|narrower)(?: (?:from )?left to right)?"
    r"|each (?:one )?(?P<d>bigger|larger|taller|smaller|shorter|wider|narrower) than the (?:last|"
    r"previous|one before)(?: one)?"
)


def arranged(line: Line, i: int) -> Chunk | None:
    for pattern, kind in ((_ROW, "row"), (_COLUMN, "column"), (_EVEN, "even")):
        found = line.match(pattern, i)
        if found is not None:
            return Arrangement(i, found[1], kind=cast("Literal['row', 'column', 'even']", kind))
    return None


def gapped(line: Line, i: int) -> Chunk | None:
    found = line.match(_GAP, i)
    if found is None:
        return None
    group = found[0].groupdict()
    value = number(group["value"] or group["value2"] or "")
    short = (group["unit"] or group["unit2"] or "").strip()
    if value is None:
        return None
    gap = (
        Measure(value / 10)
        if short.startswith("grid")
        else Measure(value, "canvas" if short in {"", "of the canvas"} else unit(short))
    )
    return Arrangement(i, found[1], kind="gap", gap=gap)


def gridded(line: Line, i: int) -> Chunk | None:
    """Rows first, as matrices are named: a 3 by 4 grid has 3 rows and 4 columns."""
    found = line.match(_GRID, i) or line.match(_GRID_AFTER, i)
    if found is None:
        return None
    rows, columns = number(found[0].group("rows")), number(found[0].group("columns"))
    if rows is None or columns is None or rows != int(rows) or columns != int(columns):
        return None
    return Arrangement(i, found[1], kind="grid", rows=int(rows), columns=int(columns))


def progressing(line: Line, i: int) -> Chunk | None:
    found = line.match(_PROGRESSION, i)
    if found is not None:
        group = found[0].groupdict()
        way, what = group["way"] or group["way2"] or "", group["what"] or group["what2"] or "size"
        return Arrangement(i, found[1], kind="progression", increasing=_LARGER[way], dimension=cast("Dimension", what))
    found = line.match(_FROM_TO, i)
    if found is None:
        return None
    group = found[0].groupdict()
    word = group["a"] or group["c"] or group["d"] or ""
    small = word.startswith(("small", "short", "narrow"))
    increasing = small if group["a"] else not small
    return Arrangement(i, found[1], kind="progression", increasing=increasing, dimension=dimension_of(word))
