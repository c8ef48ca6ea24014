"""Footprints moved, turned and flipped in the file: only the spans of what changes are rewritten.

Most of a footprint is stored in its own frame and stays as it is when that moves. Stored on the board's are the
footprint's place, the zones, dimensions and pictures in it, and the outlines of texts in fonts (`render_cache`); the
angles of its pads and texts include its own angle. All that follows as when pcbnew itself moves (`SetPosition`), turns
(`Rotate`, which keeps texts upright) or flips (`Flip`, top to bottom) the footprint. Inner copper layers and the layers
of pictures and 3D models stay as they are, as there."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from redraft.errors import BoardError
from redraft.studios.board.kicad.model import Pose, degrees, is_number, within_half_turn, within_turn
from redraft.studios.board.kicad.sexpr import text_of
from redraft.studios.board.kicad.spans import POINTS, Span, SpanEdits

if TYPE_CHECKING:
    from redraft.studios.board.kicad.file import BoardFile


QUARTERS = {0.0: (1, 0), 90.0: (0, 1), 180.0: (-1, 0), -90.0: (0, -1)}


@dataclass(frozen=True)
class PoseChange:
    """From `now` to `then`. Points are whole nanometers in the board's frame, y growing downwards."""

    now: Pose
    then: Pose

    @property
    def flips(self) -> bool:
        return self.now.side != self.then.side

    @property
    def turn(self) -> float:
        """Degrees by which it turns after it was flipped, in (−180, 180]. A flip alone negates the angle."""
        flipped = -self.now.angle if self.flips else self.now.angle
        return within_half_turn(self.then.angle - flipped)

    @property
    def shifts(self) -> bool:
        """It only moves."""
        return not self.flips and not self.turn

    def point(self, x: int, y: int) -> tuple[int, int]:
        """Where a point of the footprint goes, rounded as KiCad rounds it."""
        dx, dy = x - self.now.x, y - self.now.y
        dx, dy = _turned(dx, -dy if self.flips else dy, self.turn)
        return self.then.x + dx, self.then.y + dy


def _turned(x: int, y: int, angle: float) -> tuple[int, int]:
    if angle in QUARTERS:
        cos, sin = QUARTERS[angle]
        return cos * x + sin * y, cos * y - sin * x
    cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return _rounded(y * sine + x * cosine), _rounded(y * cosine - x * sine)


def _rounded(value: float) -> int:
    """To the nearest whole number, halves away from zero."""
    return int(math.copysign(math.floor(abs(value) + 0.5), value))


KICAD_6, KICAD_8, KICAD_9 = 20200000, 20231000, 20240200
"""Formats: from 6 on angles of footprints are in (−180, 180], before in [0, 360). Text angles are in (−180, 180] in 6
to 8, and in [0, 360) otherwise; from 8 on an angle of 0 is written too."""
OPPOSITE = {b"left": b"right", b"right": b"left", b"top": b"bottom", b"bottom": b"top"}


def turn_text(edits: SpanEdits, i: int, change: PoseChange, version: int, *, mirrored: bool) -> None:
    """Turn the i-th list, an `fp_text` or `property`, along with its footprint.

    A text that came to stand on its head is turned by half and justified the other way round, unless it is `unlocked`
    from being upright; `mirrored`: its writing changes sides as well. A property without a place is not text.
    """
    at = edits.index.child(i, b"at")
    if at is None:
        return
    words = edits.words(at, 3)
    numbered = len(words) > 3 and is_number(edits.text(words[3]))
    angle = edits.number(words[3]) if numbered else 0.0
    if change.flips:
        angle = 180.0 - angle
    overhead = bool(change.turn) and within_turn(angle + change.turn) >= 180.0 and not _unlocked(edits, i, at)
    _write(
        edits,
        (words[2][1], words[3][1] if numbered else words[2][1]),
        angle + change.turn - 180.0 * overhead,
        version,
    )
    justify(edits, i, opposite=overhead, mirrored=mirrored)


def _write(edits: SpanEdits, span: Span, angle: float, version: int) -> None:
    normal = within_half_turn if KICAD_6 <= version < KICAD_9 else within_turn
    text = degrees(normal(angle))
    edits.put(span, b"" if text == b"0" and version < KICAD_8 else b" " + text)


def _unlocked(edits: SpanEdits, i: int, at: int) -> bool:
    if b"unlocked" in edits.index.atoms(at) or b"unlocked" in edits.index.atoms(i)[2:]:
        return True
    word = edits.index.child(i, b"unlocked")
    return word is not None and edits.index.atoms(word)[1:] != [b"no"]


def justify(edits: SpanEdits, i: int, *, opposite: bool = False, mirrored: bool = False) -> None:
    """Change a text's justification: to the opposite sides, or from plain to mirrored and back."""
    effects = edits.index.child(i, b"effects")
    own = edits.index.child(effects, b"justify") if effects is not None else None
    before = edits.index.atoms(own)[1:] if own is not None else []
    words = [OPPOSITE.get(word, word) for word in before] if opposite else before
    if mirrored:
        words = [word for word in words if word != b"mirror"] + [b"mirror"] * (b"mirror" not in words)
    if words != before:
        _write_justify(edits, effects if effects is not None else i, own, words)


def _write_justify(edits: SpanEdits, within: int, own: int | None, words: list[bytes]) -> None:
    text = b"(justify " + b" ".join(sorted(words, key=_rank)) + b")"
    font = edits.index.child(within, b"font")
    if own is not None and words:
        edits.put((int(edits.index.start[own]), int(edits.index.end[own])), text)
    elif own is not None:
        edits.drop(own)
    elif font is not None:
        edits.add_after(font, text)
    else:
        end = int(edits.index.end[within]) - 1
        edits.put((end, end), b" " + text if edits.index.head(within) == b"effects" else b" (effects " + text + b")")


def _rank(word: bytes) -> int:
    """KiCad's order of the words; later KiCads' own come last."""
    order = (b"left", b"right", b"top", b"bottom", b"mirror")
    return order.index(word) if word in order else len(order)


SHAPES = frozenset({b"fp_line", b"fp_rect", b"fp_circle", b"fp_arc", b"fp_poly", b"fp_curve"})
TEXTS = frozenset({b"fp_text", b"property"})
ELSEWHERE = frozenset({b"at", b"layer", b"image", b"model", b"group"})
"""Lists whose numbers `rewrite` changes, or none."""
CORNERS = {
    b"top_left": b"bottom_left",
    b"top_right": b"bottom_right",
    b"bottom_left": b"top_left",
    b"bottom_right": b"top_right",
}


class Mirror:
    """Flips footprints of one file."""

    def __init__(self, edits: SpanEdits, renamed: Mapping[str, str]) -> None:
        """`renamed`: what the board calls `F.Cu` and `B.Cu`, where it has names of its own."""
        self._edits = edits
        self._index = edits.index
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
        elif head not in ELSEWHERE and self._edits.below(i, POINTS | {b"at"}):
            raise self._unflippable(i, f"it is not known how a {head.decode('utf-8', 'replace')!r} is flipped")

    def _unflippable(self, i: int, what: str) -> BoardError:
        line = self._index.line(int(self._index.start[i]))
        return BoardError(
            f"{self._edits.where}, line {line:,}: {what}, so the footprint cannot change sides here. Flip it in KiCad "
            "(key F) and save the board."
        )

    def _pad(self, i: int) -> None:
        if self._index.child(i, b"padstack") is not None:
            raise self._unflippable(i, "a pad has other shapes on other layers (a padstack)")
        self._point(i, b"at")
        self._layers(i)
        self._negate(i, b"rect_delta", 2)
        for drill in self._edits.below(i, [b"drill"]):
            self._point(drill, b"offset")
        for chamfer in self._edits.below(i, [b"chamfer"]):
            self._corners(chamfer)
        for primitives in self._edits.below(i, [b"primitives"]):
            self._points(primitives)
            for arc in self._edits.below(primitives, [b"gr_arc"]):
                self._negate(arc, b"angle", 1)

    def _corners(self, i: int) -> None:
        spans = self._index.words(i)[1:]
        flipped = {CORNERS.get(self._edits.text(span), self._edits.text(span)) for span in spans}
        for span, corner in zip(spans, [c for c in CORNERS if c in flipped], strict=True):
            self._edits.put(span, corner)

    def _text_box(self, i: int) -> None:
        self._points(i)
        self._negate(i, b"angle", 1)
        if self.is_sided(i):
            justify(self._edits, i, mirrored=True)
        self._layers(i)

    def _zone(self, i: int) -> None:
        self._layers(i)
        for filled in self._edits.below(i, [b"filled_polygon"]):
            self._layers(filled)
        for fill in self._edits.below(i, [b"fill"]):
            words = self._index.words(fill)
            if len(words) > 1 and self._edits.text(words[1]) == b"yes":
                self._edits.put((words[0][1], words[1][1]), b"")  # to be filled again

    def _dimension(self, i: int) -> None:
        for thing in (i, *self._edits.below(i, [b"gr_text"])):
            if self.is_sided(thing) and thing != i:
                justify(self._edits, thing, mirrored=True)
            self._layers(thing)

    def _points(self, i: int) -> None:
        self._edits.map_points(i, _mirrored)

    def _point(self, i: int, head: bytes) -> None:
        child = self._index.child(i, head)
        if child is not None:
            self._edits.map_point(child, _mirrored)

    def _negate(self, i: int, head: bytes, word: int) -> None:
        child = self._index.child(i, head)
        if child is not None:
            span = self._edits.words(child, word + 1)[word]
            value = self._edits.number(span)
            if value:
                self._edits.put(span, degrees(-value))

    def _layers(self, i: int) -> None:
        """Exchange front and back in the `layer` or `layers` of a list."""
        for head in (b"layer", b"layers"):
            child = self._index.child(i, head)
            for span in self._index.words(child)[1:] if child is not None else []:
                self._edits.put(span, self._other(self._edits.text(span)))

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


def rewritten(file: BoardFile, poses: Mapping[int, Pose], ripped: Collection[int] = ()) -> bytes:
    """The file with some footprints (by their place in `file.footprints`) elsewhere, all else byte for byte the same.

    Tracks in `ripped` are left out, counted through the file's segments, then its arcs, then its vias.

    Raises:
        BoardFormatError: a number that has to change is none. BoardError: a footprint cannot be flipped.
    """
    edits = SpanEdits(file.index, str(file.path))
    mirror = Mirror(edits, dict(file.renamed_copper))
    for place, then in sorted(poses.items()):
        footprint = file.footprints[place]
        change = PoseChange(footprint.pose, then)
        try:
            _move(edits, footprint.index, change, file.version, mirror)
        except BoardError as wrong:
            raise type(wrong)(f"{wrong} (footprint {footprint.reference})") from None
    tracks = [i for head in (b"segment", b"arc", b"via") for i in file.sections.get(head, ())]
    for row in sorted(ripped):
        edits.drop(tracks[row])
    return edits.result()


def _move(edits: SpanEdits, i: int, change: PoseChange, version: int, mirror: Mirror) -> None:
    lists = edits.index.by_head(i)
    for at in lists.get(b"at", [])[:1]:
        _place(edits, at, change, version)
    for zone in lists.get(b"zone", []):
        edits.map_points(zone, change.point)
    for picture in lists.get(b"image", []):
        for at in edits.below(picture, [b"at"]):
            edits.map_point(at, change.point)
    for dimension in lists.get(b"dimension", []):
        _move_dimension(edits, dimension, change)
    if b"(render_cache" in edits.index.text(i):
        _move_outlines(edits, i, change)
    if not change.shifts:
        _turn_pads(edits, lists.get(b"pad", []), change)
        for text in (*lists.get(b"property", []), *lists.get(b"fp_text", [])):
            turn_text(edits, text, change, version, mirrored=change.flips and mirror.is_sided(text))
    if change.flips:
        mirror.footprint(i)


def _place(edits: SpanEdits, at: int, change: PoseChange, version: int) -> None:
    words = edits.words(at, 3)
    edits.length(words[1], change.then.x)
    edits.length(words[2], change.then.y)
    normal = within_half_turn if version >= KICAD_6 else within_turn
    if not change.shifts:
        _write_angle(edits, at, normal(change.then.angle))


def _write_angle(edits: SpanEdits, at: int, angle: float) -> None:
    """The third number of an `at`, which KiCad leaves out when it is 0."""
    words = edits.words(at, 3)
    end = words[3][1] if len(words) > 3 else words[2][1]
    edits.put((words[2][1], end), b" " + degrees(angle) if degrees(angle) != b"0" else b"")


def _turn_pads(edits: SpanEdits, pads: list[int], change: PoseChange) -> None:
    for pad in pads:
        at = edits.index.child(pad, b"at")
        if at is not None:
            words = edits.words(at, 3)
            angle = edits.number(words[3]) if len(words) > 3 else 0.0
            _write_angle(edits, at, within_turn((-angle if change.flips else angle) + change.turn))


def _move_dimension(edits: SpanEdits, i: int, change: PoseChange) -> None:
    for head in edits.below(i, [b"xy"]):
        edits.map_point(head, change.point)
    for text in edits.below(i, [b"gr_text"]):
        at = edits.index.child(text, b"at")
        if at is None:
            continue
        edits.map_point(at, change.point)
        words = edits.words(at, 3)
        if not change.shifts and len(words) > 3:
            angle = edits.number(words[3])
            edits.put(words[3], degrees(within_turn((-angle if change.flips else angle) + change.turn)))
    if not change.shifts:
        _turn_axis(edits, i, change)


def _turn_axis(edits: SpanEdits, i: int, change: PoseChange) -> None:
    """A dimension along one axis: a quarter turn puts it along the other one, on the side where KiCad puts it."""
    height, axis = edits.index.child(i, b"height"), edits.index.child(i, b"orientation")
    if height is None:
        return
    span = edits.words(height, 2)[1]
    nm = -edits.nanometres(span) if change.flips else edits.nanometres(span)
    if axis is not None:
        along = edits.words(axis, 2)[1]
        upright, turn = edits.text(along) == b"1", change.turn
        if abs(turn) > 135 or (45 < turn <= 135 and upright) or (-135 <= turn < -45 and not upright):
            nm = -nm
        if 45 < abs(turn) <= 135:
            edits.put(along, b"0" if upright else b"1")
    edits.length(span, nm)


def _move_outlines(edits: SpanEdits, i: int, change: PoseChange) -> None:
    """Outlines of texts move along; those of turned ones are left out, and KiCad draws them anew from the font."""
    for cache in edits.below(i, [b"render_cache"]):
        if change.shifts:
            edits.map_points(cache, change.point)
        else:
            edits.drop(cache)
