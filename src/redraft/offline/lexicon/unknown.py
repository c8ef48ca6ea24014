"""The shape for a noun that the lexicon does not know: a rounded box with the word in it, and nothing pretended."""

from __future__ import annotations

from redraft.offline.lexicon.marks import Draft, pen_of
from redraft.offline.lexicon.palette import OUTLINE, PALETTE, hex_of, shade
from redraft.spatial.layout import Bounds

__all__ = ["unknown"]

EM = 0.58
"""Width of an average letter, in text sizes."""
LINE = 1.2
"""Distance of lines, in text sizes."""


def unknown(noun: str, box: Bounds, prefix: str, colour: str | None = None) -> tuple[list[Draft], list[Draft]]:
    """A labelled shape filling `box`: plan and strokes as `Entry.realise` gives them."""
    x0, y0, x1, y1 = box
    pen, side = pen_of(box), min(x1 - x0, y1 - y0)
    fill = shade((hex_of(colour) if colour else None) or PALETTE["sky"], 0.35)
    inset: Draft = {"x": x0 + pen / 2, "y": y0 + pen / 2, "w": x1 - x0 - pen, "h": y1 - y0 - pen, "r": 0.14 * side}
    shape: Draft = {"part": prefix, "kind": "rect", **_rounded(inset), "fill": fill, "stroke": OUTLINE, "width": pen}
    return [{"name": prefix, "label": noun, "parent": None}], [shape, *_words(noun, box, prefix)]


def _words(noun: str, box: Bounds, prefix: str) -> list[Draft]:
    """The noun in as many lines as let it be largest."""
    width, height = 0.84 * (box[2] - box[0]), 0.76 * (box[3] - box[1])
    words = noun[:60].split() or ["?"]
    lines, size = max(
        ((lines, _size(lines, width, height)) for lines in (_wrapped(words, n) for n in range(1, len(words) + 1))),
        key=lambda choice: choice[1],
    )
    middle = (box[1] + box[3]) / 2
    return [
        {
            "part": prefix,
            "kind": "text",
            **_rounded({"x": (box[0] + box[2]) / 2, "y": middle + ((i - (len(lines) - 1) / 2) * LINE + 0.28) * size}),
            "size": round(size, 5),
            "text": line,
            "anchor": "middle",
            "fill": OUTLINE,
            "stroke": "none",
            "width": 0.001,
        }
        for i, line in enumerate(lines)
    ]


def _size(lines: list[str], width: float, height: float) -> float:
    return min(width / (EM * max(len(line) for line in lines)), height / (LINE * len(lines)), 0.09)


def _wrapped(words: list[str], count: int) -> list[str]:
    """The words in `count` lines, about evenly long."""
    ends = [round(len(words) * (i + 1) / count) for i in range(count)]
    return [" ".join(words[a:b]) for a, b in zip([0, *ends], ends, strict=False)]


def _rounded(values: Draft) -> Draft:
    return {key: round(value, 5) if isinstance(value, float) else value for key, value in values.items()}
