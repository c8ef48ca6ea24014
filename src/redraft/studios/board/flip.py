"""A footprint on the other side of the board: its own frame mirrored top to bottom, its layers exchanged.

As pcbnew's `FOOTPRINT::Flip(position, TOP_BOTTOM)` does it. Inner copper layers, the layers of pictures and 3D models
stay as they are, as there. Angles, and what is stored on the board's frame, are the business of `rewrite`.
"""

from __future__ import annotations

from collections.abc import Mapping

from redraft.errors import BoardError
from redraft.studios.board.notation import degrees
from redraft.studios.board.script import POINTS, Script
from redraft.studios.board.sexpr import text_of
from redraft.studios.board.texts import justify

__all__ = ["Mirror"]

SHAPES = frozenset({b"fp_line", b"fp_rect", b"fp_circle", b"fp_arc", b"fp_poly", b"fp_curve"})
TEXTS = frozenset({b"fp_text", b"property"})
ELSEWHERE = frozenset({b"at", b"layer", b"image", b"model", b"group"})
"""Lists whose numbers `rewrite` changes, or nobody."""
CORNERS = {
    b"top_left": b"bottom_left",
    b"top_right": b"bottom_right",
    b"bottom_left": b"top_left",
    b"bottom_right": b"top_right",
}


class Mirror:
    """Flips footprints of one file."""

    def __init__(self, script: Script, renamed: Mapping[str, str]) -> None:
        """`renamed`: what the board calls `F.Cu` and `B.Cu`, where it has names of its own."""
        self._script = script
        self._index = script.index
        outer = list(renamed) if renamed else []
        self._exchanged = {outer[0]: outer[1], outer[1]: outer[0]} if len(outer) == 2 else {}

    def footprint(self, i: int) -> None:
        """Flip the i-th list.

        Raises:
            BoardError: it holds something of which is not known how it is flipped.
        """
        for child in self._index.children(i):
            self._child(child, self._index.head(child))
        self._layers(i)

    def is_sided(self, i: int) -> bool:
        """The thing lies on a layer that belongs to a side, so that its text is read from there."""
        layer = self._index.child(i, b"layer")
        name = text_of(self._index.atoms(layer)[1]) if layer is not None else ""
        return name in self._exchanged or name[:2] in ("F.", "B.") or name.endswith(".Cu")

    def _child(self, i: int, head: bytes) -> None:
        if head in SHAPES:
            self._points(i)
            self._negate(i, b"angle", 1)
            self._layers(i)
        elif head in TEXTS:
            self._point(i, b"at")
            self._layers(i)
        elif head == b"pad":
            self._pad(i)
        elif head == b"fp_text_box":
            self._text_box(i)
        elif head == b"zone":
            self._zone(i)
        elif head == b"dimension":
            self._dimension(i)
        elif head not in ELSEWHERE and self._script.below(i, POINTS | {b"at"}):
            raise self._unflippable(i, f"it is not known how a {head.decode('utf-8', 'replace')!r} is flipped")

    def _unflippable(self, i: int, what: str) -> BoardError:
        line = self._index.line(int(self._index.start[i]))
        return BoardError(
            f"{self._script.where}, line {line:,}: {what}, so the footprint cannot change sides here. Flip it in KiCad "
            "(key F) and save the board."
        )

    def _pad(self, i: int) -> None:
        if self._index.child(i, b"padstack") is not None:
            raise self._unflippable(i, "a pad has other shapes on other layers (a padstack)")
        self._point(i, b"at")
        self._layers(i)
        self._negate(i, b"rect_delta", 2)
        for drill in self._script.below(i, [b"drill"]):
            self._point(drill, b"offset")
        for chamfer in self._script.below(i, [b"chamfer"]):
            self._corners(chamfer)
        for primitives in self._script.below(i, [b"primitives"]):
            self._points(primitives)
            for arc in self._script.below(primitives, [b"gr_arc"]):
                self._negate(arc, b"angle", 1)

    def _corners(self, i: int) -> None:
        spans = self._index.words(i)[1:]
        flipped = {CORNERS.get(self._script.text(span), self._script.text(span)) for span in spans}
        for span, corner in zip(spans, [c for c in CORNERS if c in flipped], strict=True):
            self._script.put(span, corner)

    def _text_box(self, i: int) -> None:
        self._points(i)
        self._negate(i, b"angle", 1)
        if self.is_sided(i):
            justify(self._script, i, mirrored=True)
        self._layers(i)

    def _zone(self, i: int) -> None:
        self._layers(i)
        for filled in self._script.below(i, [b"filled_polygon"]):
            self._layers(filled)
        for fill in self._script.below(i, [b"fill"]):
            words = self._index.words(fill)
            if len(words) > 1 and self._script.text(words[1]) == b"yes":
                self._script.put((words[0][1], words[1][1]), b"")  # to be filled again

    def _dimension(self, i: int) -> None:
        for thing in (i, *self._script.below(i, [b"gr_text"])):
            if self.is_sided(thing) and thing != i:
                justify(self._script, thing, mirrored=True)
            self._layers(thing)

    def _points(self, i: int) -> None:
        self._script.map_points(i, _mirrored)

    def _point(self, i: int, head: bytes) -> None:
        child = self._index.child(i, head)
        if child is not None:
            self._script.map_point(child, _mirrored)

    def _negate(self, i: int, head: bytes, word: int) -> None:
        child = self._index.child(i, head)
        if child is not None:
            span = self._script.words(child, word + 1)[word]
            value = self._script.number(span)
            if value:
                self._script.put(span, degrees(-value))

    def _layers(self, i: int) -> None:
        """Exchange front and back in the `layer` or `layers` of a list."""
        for head in (b"layer", b"layers"):
            child = self._index.child(i, head)
            for span in self._index.words(child)[1:] if child is not None else []:
                self._script.put(span, self._other(self._script.text(span)))

    def _other(self, word: bytes) -> bytes:
        quote = b'"' if word.startswith(b'"') else b""
        name = word.strip(b'"')
        if name.decode("utf-8", "surrogateescape") in self._exchanged:
            exchanged = self._exchanged[name.decode("utf-8", "surrogateescape")]
            return quote + exchanged.encode("utf-8", "surrogateescape") + quote
        sides = {b"F.": b"B.", b"B.": b"F."}
        return quote + sides.get(name[:2], name[:2]) + name[2:] + quote


def _mirrored(x: int, y: int) -> tuple[int, int]:
    return x, -y
