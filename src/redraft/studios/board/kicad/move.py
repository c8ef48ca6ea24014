"""Footprints moved, turned and flipped in the file: `rewritten` is called by `BoardFile`.

Most of a footprint is stored in its own frame and stays as it is when the footprint moves. Stored in the board's frame
are its place, the zones, dimensions and pictures in it, and the outlines of texts in fonts (`render_cache`). The angles
of pads and texts include the footprint's angle. So there are three steps for each footprint, all of them edits of
single spans (`spans.SpanEdits`):

1. what is stored in the board's frame moves along (`_move`);
2. where the angle changes, pads and texts turn along (`_turn`), and a text that came to stand on its head is turned by
   half;
3. where the side changes, the footprint's own frame is mirrored, top to bottom, and front layers become back layers
   (`Mirror`).

The results are those of pcbnew's own `SetPosition`, `Rotate` (which keeps texts upright) and `Flip`; a test compares
them. Inner copper layers and the layers of pictures and 3D models stay as they are, as there.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from redraft.errors import BoardError
from redraft.studios.board.kicad.model import Pose, degrees, is_number, within_half_turn, within_turn
from redraft.studios.board.kicad.sexpr import text_of
from redraft.studios.board.kicad.spans import POINTS, SpanEdits

if TYPE_CHECKING:
    from redraft.studios.board.kicad.file import BoardFile


KICAD_6, KICAD_8, KICAD_9 = 20200000, 20231000, 20240200
"""Formats: from 6 on angles of footprints are in (−180, 180], before in [0, 360). Text angles are in (−180, 180] in 6
to 8, and in [0, 360) otherwise; from 8 on an angle of 0 is written too."""
QUARTERS = {0.0: (1, 0), 90.0: (0, 1), 180.0: (-1, 0), -90.0: (0, -1)}
"""Cosine and sine of the angles that are exact."""
OPPOSITE = {b"left": b"right", b"right": b"left", b"top": b"bottom", b"bottom": b"top"}
JUSTIFICATIONS = (b"left", b"right", b"top", b"bottom", b"mirror")
"""The words of `(justify …)` in the order in which KiCad writes them."""
SHAPES = frozenset({b"fp_line", b"fp_rect", b"fp_circle", b"fp_arc", b"fp_poly", b"fp_curve", b"fp_text_box"})
TEXTS = frozenset({b"fp_text", b"property"})
UNMIRRORED = frozenset({b"at", b"layer", b"image", b"model", b"group"})
"""Lists with points or layers that `Mirror` passes over: others change them, or nobody."""
CORNERS = {
    b"top_left": b"bottom_left",
    b"top_right": b"bottom_right",
    b"bottom_left": b"top_left",
    b"bottom_right": b"top_right",
}
"""The corners of a pad, in KiCad's order, with those that they become upside down."""


@dataclass(frozen=True)
class PoseChange:
    """A footprint's way from one pose to another. Points are whole nanometers on the board, y growing downwards."""

    before: Pose
    after: Pose

    @property
    def flips(self) -> bool:
        return self.before.side != self.after.side

    @property
    def turn(self) -> float:
        """Degrees by which it turns after it was flipped, in (−180, 180]. A flip alone negates the angle."""
        flipped = -self.before.angle if self.flips else self.before.angle
        return within_half_turn(self.after.angle - flipped)

    @property
    def shifts(self) -> bool:
        """It only moves."""
        return not self.flips and not self.turn

    def point(self, x: int, y: int) -> tuple[int, int]:
        """Return where a point of the footprint goes, rounded as KiCad rounds it."""
        turn, dx, dy = self.turn, x - self.before.x, y - self.before.y
        if self.flips:
            dy = -dy
        if turn in QUARTERS:
            cos, sin = QUARTERS[turn]
            dx, dy = cos * dx + sin * dy, cos * dy - sin * dx
        else:
            cosine, sine = math.cos(math.radians(turn)), math.sin(math.radians(turn))
            dx, dy = _rounded(dy * sine + dx * cosine), _rounded(dy * cosine - dx * sine)
        return self.after.x + dx, self.after.y + dy


def _rounded(value: float) -> int:
    """Return the nearest whole number, halves away from zero."""
    return int(math.copysign(math.floor(abs(value) + 0.5), value))


def rewritten(file: BoardFile, poses: Mapping[int, Pose], ripped: Collection[int] = ()) -> bytes:
    """Return the file with some footprints (by their place in `file.footprints`) elsewhere, all else byte for byte.

    Tracks in `ripped` are left out, counted through the file's segments, then its arcs, then its vias.

    Raises:
        BoardFormatError: something stands where a number has to change. BoardError: a footprint cannot be flipped.
    """
    edits = SpanEdits(file.index, str(file.path))
    mirror = Mirror(edits, dict(file.renamed_copper))
    for place, pose in sorted(poses.items()):
        footprint = file.footprints[place]
        change = PoseChange(footprint.pose, pose)
        try:
            _move(edits, footprint.index, change, file.version)
            if not change.shifts:
                _turn(edits, footprint.index, change, file.version, mirror)
            if change.flips:
                mirror.footprint(footprint.index)
        except BoardError as error:
            raise type(error)(f"{error} (footprint {footprint.reference})") from None
    tracks = [i for head in (b"segment", b"arc", b"via") for i in file.sections.get(head, ())]
    for row in sorted(ripped):
        edits.drop(tracks[row])
    return edits.result()


def _move(edits: SpanEdits, i: int, change: PoseChange, version: int) -> None:
    """Put the i-th list, a footprint, in its new place, with what it has in the board's frame."""
    lists = edits.index.by_head(i)
    for at in lists.get(b"at", [])[:1]:
        _, x, y, *_ = edits.words(at, 3)
        edits.length(x, change.after.x)
        edits.length(y, change.after.y)
        if not change.shifts:
            normal = within_half_turn if version >= KICAD_6 else within_turn
            _write_angle(edits, at, normal(change.after.angle))

    for zone in lists.get(b"zone", []):
        edits.map_points(zone, change.point)
    for picture in lists.get(b"image", []):
        for at in edits.below(picture, [b"at"]):
            edits.map_point(at, change.point)
    for dimension in lists.get(b"dimension", []):
        _move_dimension(edits, dimension, change)
    if b"(render_cache" in edits.index.text(i):
        for cache in edits.below(i, [b"render_cache"]):
            if change.shifts:
                edits.map_points(cache, change.point)
            else:
                edits.drop(cache)  # KiCad draws the outlines of a turned text anew from the font


def _turn(edits: SpanEdits, i: int, change: PoseChange, version: int, mirror: Mirror) -> None:
    """Turn what has the footprint's angle in its own: pads and texts."""
    lists = edits.index.by_head(i)
    for pad in lists.get(b"pad", []):
        at = edits.index.child(pad, b"at")
        if at is not None:
            words = edits.words(at, 3)
            angle = edits.number(words[3]) if len(words) > 3 else 0.0
            _write_angle(edits, at, within_turn((-angle if change.flips else angle) + change.turn))
    for text in (*lists.get(b"property", []), *lists.get(b"fp_text", [])):
        turn_text(edits, text, change, version, mirrored=change.flips and mirror.is_sided(text))


def _write_angle(edits: SpanEdits, at: int, angle: float) -> None:
    """Write the third number of an `at`, which KiCad leaves out when it is 0."""
    words = edits.words(at, 3)
    end = words[3][1] if len(words) > 3 else words[2][1]
    edits.put((words[2][1], end), b" " + degrees(angle) if degrees(angle) != b"0" else b"")


def _move_dimension(edits: SpanEdits, i: int, change: PoseChange) -> None:
    for point in edits.below(i, [b"xy"]):
        edits.map_point(point, change.point)
    for text in edits.below(i, [b"gr_text"]):
        at = edits.index.child(text, b"at")
        if at is None:
            continue
        edits.map_point(at, change.point)
        words = edits.words(at, 3)
        if not change.shifts and len(words) > 3:
            angle = edits.number(words[3])
            edits.put(words[3], degrees(within_turn((-angle if change.flips else angle) + change.turn)))

    height = edits.index.child(i, b"height")
    if change.shifts or height is None:
        return
    span = edits.words(height, 2)[1]
    nm = -edits.nanometers(span) if change.flips else edits.nanometers(span)
    axis = edits.index.child(i, b"orientation")
    if axis is not None:
        # A dimension along one axis: a quarter turn puts it along the other one, on the side where KiCad puts it.
        along = edits.words(axis, 2)[1]
        upright, turn = edits.text(along) == b"1", change.turn
        if abs(turn) > 135 or (45 < turn <= 135 and upright) or (-135 <= turn < -45 and not upright):
            nm = -nm
        if 45 < abs(turn) <= 135:
            edits.put(along, b"0" if upright else b"1")
    edits.length(span, nm)


def turn_text(edits: SpanEdits, i: int, change: PoseChange, version: int, *, mirrored: bool) -> None:
    """Turn the i-th list, an `fp_text` or `property`, along with its footprint.

    A text that came to stand on its head is turned by half and justified the other way round, unless it is `unlocked`
    from being upright. `mirrored`: its writing changes sides as well. A property without a place is not text.
    """
    at = edits.index.child(i, b"at")
    if at is None:
        return
    words = edits.words(at, 3)
    numbered = len(words) > 3 and is_number(edits.text(words[3]))
    angle = edits.number(words[3]) if numbered else 0.0
    if change.flips:
        angle = 180.0 - angle

    # KiCad 4 to 9 have four ways to write that a text need not be upright.
    flag = edits.index.child(i, b"unlocked")
    unlocked = b"unlocked" in edits.index.atoms(at) or b"unlocked" in edits.index.atoms(i)[2:]
    unlocked = unlocked or (flag is not None and edits.index.atoms(flag)[1:] != [b"no"])
    overhead = bool(change.turn) and within_turn(angle + change.turn) >= 180.0 and not unlocked

    normal = within_half_turn if KICAD_6 <= version < KICAD_9 else within_turn
    turned = degrees(normal(angle + change.turn - 180.0 * overhead))
    span = (words[2][1], words[3][1] if numbered else words[2][1])
    edits.put(span, b"" if turned == b"0" and version < KICAD_8 else b" " + turned)
    justify(edits, i, opposite=overhead, mirrored=mirrored)


def justify(edits: SpanEdits, i: int, *, opposite: bool = False, mirrored: bool = False) -> None:
    """Change a text's justification: to the opposite sides, or from plain to mirrored and back."""
    effects = edits.index.child(i, b"effects")
    own = edits.index.child(effects, b"justify") if effects is not None else None
    before = edits.index.atoms(own)[1:] if own is not None else []
    words = [OPPOSITE.get(word, word) for word in before] if opposite else before
    if mirrored:
        words = [word for word in words if word != b"mirror"] + [b"mirror"] * (b"mirror" not in words)
    if words == before:
        return

    # Words that only later versions know come last.
    last = len(JUSTIFICATIONS)
    words = sorted(words, key=lambda word: JUSTIFICATIONS.index(word) if word in JUSTIFICATIONS else last)
    text = b"(justify " + b" ".join(words) + b")"
    within = effects if effects is not None else i
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


class Mirror:
    """Flips footprints of one file in their own frame: y is negated, front and back layers change places."""

    def __init__(self, edits: SpanEdits, renamed: Mapping[str, str]) -> None:
        """`renamed`: the board's names of `F.Cu` and `B.Cu`, where it has names of its own."""
        self._edits = edits
        self._index = edits.index
        outer = list(renamed) if renamed else []
        self._exchanged = {outer[0]: outer[1], outer[1]: outer[0]} if len(outer) == 2 else {}

    def footprint(self, i: int) -> None:
        """Flip the i-th list.

        Raises:
            BoardError: it holds something that redraft does not know how to flip.
        """
        for child in self._index.children(i):
            head = self._index.head(child)
            if head in SHAPES:
                self._edits.map_points(child, _mirrored)
                self._negate(child, b"angle", 1)
                if head == b"fp_text_box" and self.is_sided(child):
                    justify(self._edits, child, mirrored=True)
                self._layers(child)
            elif head in TEXTS:
                self._point(child, b"at")
                self._layers(child)
            elif head == b"pad":
                self._pad(child)
            elif head == b"zone":
                self._zone(child)
            elif head == b"dimension":
                self._layers(child)
                for text in self._edits.below(child, [b"gr_text"]):
                    if self.is_sided(text):
                        justify(self._edits, text, mirrored=True)
                    self._layers(text)
            elif head not in UNMIRRORED and self._edits.below(child, POINTS | {b"at"}):
                raise self._unflippable(child, f"it is not known how a {head.decode('utf-8', 'replace')!r} is flipped")
        self._layers(i)

    def is_sided(self, i: int) -> bool:
        """Return whether a thing lies on a layer that belongs to a side, so that its text is read from there."""
        layer = self._index.child(i, b"layer")
        name = text_of(self._index.atoms(layer)[1]) if layer is not None else ""
        return name in self._exchanged or name[:2] in ("F.", "B.") or name.endswith(".Cu")

    def _pad(self, i: int) -> None:
        if self._index.child(i, b"padstack") is not None:
            raise self._unflippable(i, "a pad has other shapes on other layers (a padstack)")
        self._point(i, b"at")
        self._layers(i)
        self._negate(i, b"rect_delta", 2)
        for drill in self._edits.below(i, [b"drill"]):
            self._point(drill, b"offset")

        # KiCad writes the corners in its own order, whichever they are.
        for chamfer in self._edits.below(i, [b"chamfer"]):
            spans = self._index.words(chamfer)[1:]
            flipped = {CORNERS.get(self._edits.text(span), self._edits.text(span)) for span in spans}
            for span, corner in zip(spans, [corner for corner in CORNERS if corner in flipped], strict=True):
                self._edits.put(span, corner)

        for primitives in self._edits.below(i, [b"primitives"]):
            self._edits.map_points(primitives, _mirrored)
            for arc in self._edits.below(primitives, [b"gr_arc"]):
                self._negate(arc, b"angle", 1)

    def _zone(self, i: int) -> None:
        """Exchange the layers of a zone; its points are the board's. It has to be filled again."""
        self._layers(i)
        for filled in self._edits.below(i, [b"filled_polygon"]):
            self._layers(filled)
        for fill in self._edits.below(i, [b"fill"]):
            words = self._index.words(fill)
            if len(words) > 1 and self._edits.text(words[1]) == b"yes":
                self._edits.put((words[0][1], words[1][1]), b"")

    def _unflippable(self, i: int, what: str) -> BoardError:
        line = self._index.line(int(self._index.start[i]))
        return BoardError(
            f"{self._edits.where}, line {line:,}: {what}, so the footprint cannot change sides here. Flip it in KiCad "
            "(key F) and save the board."
        )

    def _point(self, i: int, head: bytes) -> None:
        child = self._index.child(i, head)
        if child is not None:
            self._edits.map_point(child, _mirrored)

    def _negate(self, i: int, head: bytes, place: int) -> None:
        """Negate the number at a place of a list in the i-th one."""
        child = self._index.child(i, head)
        if child is not None:
            span = self._edits.words(child, place + 1)[place]
            value = self._edits.number(span)
            if value:
                self._edits.put(span, degrees(-value))

    def _layers(self, i: int) -> None:
        """Exchange front and back in the `layer` or `layers` of a list."""
        sides = {b"F.": b"B.", b"B.": b"F."}
        for head in (b"layer", b"layers"):
            child = self._index.child(i, head)
            for span in self._index.words(child)[1:] if child is not None else []:
                word = self._edits.text(span)
                quote = b'"' if word.startswith(b'"') else b""
                name = word.strip(b'"')
                renamed = self._exchanged.get(name.decode("utf-8", "surrogateescape"))
                if renamed is not None:
                    other = renamed.encode("utf-8", "surrogateescape")
                else:
                    other = sides.get(name[:2], name[:2]) + name[2:]
                self._edits.put(span, quote + other + quote)


def _mirrored(x: int, y: int) -> tuple[int, int]:
    return x, -y
