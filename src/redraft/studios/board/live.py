"""The board that is open in a running KiCad: read as it is there, changed in one step that one undo takes back.

KiCad 9 has an interface for this (its IPC API), which the package `kicad-python` speaks. `LiveBoard.board` reads the
board as text, by the same reader as files, so names and shapes are the same. `LiveBoard.apply` moves footprints: the
API has everything that belongs to one in the board's coordinates, so all of it has to move along (`put`). That is
done on the protobuf messages themselves, because the package's own setters round each point twice when they turn,
redraw rectangles, and cannot flip a footprint.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from redraft.errors import BoardChangedError, BoardError, InfrastructureError, MissingPartError
from redraft.studios.board.board import Board
from redraft.studios.board.kicad.file import BoardFile
from redraft.studios.board.kicad.model import Pose, within_half_turn, within_turn
from redraft.studios.board.kicad.move import PoseChange

if TYPE_CHECKING:
    from kipy import KiCad
    from kipy.board import Board as OpenBoard
    from kipy.board_types import FootprintInstance


FIELDS = ("reference_field", "value_field", "datasheet_field", "description_field")
"""The texts of a footprint beside the items of its definition."""
SIZES = frozenset({"size", "anchor", "drill", "secondary_drill", "tertiary_drill", "copper_layers"})
"""Fields with vectors that are not places on the board. A pad's copper layers are in the pad's own frame."""
POINT = "kiapi.common.types.Vector2"
MIRRORED = {"top_left": "bottom_left", "top_right": "bottom_right"}
"""Corners of a pad that change places when it changes sides."""


def pose_of(footprint: FootprintInstance) -> Pose:
    """Return the pose of a footprint of the API."""
    from kipy.proto.board.board_types_pb2 import BoardLayer

    proto = footprint.proto
    return Pose(
        x=proto.position.x_nm,
        y=proto.position.y_nm,
        angle=proto.orientation.value_degrees,
        side="back" if proto.layer == BoardLayer.BL_B_Cu else "front",
    )


def put(footprint: FootprintInstance, pose: Pose) -> FootprintInstance:
    """Return the footprint, with all that belongs to it, at another pose."""
    from kipy.board_types import FootprintInstance as Instance
    from kipy.util.proto import unpack_any

    proto: Any = footprint.proto
    change = PoseChange(pose_of(footprint), pose)
    for name in FIELDS:
        _take_along(getattr(proto, name), change)
    for packed in proto.definition.items:
        item: Any = unpack_any(packed)
        _take_along(item, change)
        packed.Pack(item)
    proto.position.x_nm, proto.position.y_nm = pose.x, pose.y
    proto.orientation.value_degrees = within_half_turn(pose.angle)
    _change_layers(proto, change)
    return Instance(proto=proto)


def _take_along(message: Any, change: PoseChange) -> None:
    """Move every point in a message, turn every text and pad, and change layers, at any depth."""
    _change_layers(message, change)
    for field, value in list(message.ListFields()):
        if field.message_type is None or field.name in SIZES:
            continue
        several: list[Any] = [value] if hasattr(value, "DESCRIPTOR") else list(value)
        for inner in several:
            if inner.DESCRIPTOR.full_name == POINT:
                inner.x_nm, inner.y_nm = change.point(inner.x_nm, inner.y_nm)
            elif field.name == "rectangle" and change.turn % 90.0:
                _as_polygon(message, inner, change)
            else:
                _take_along(inner, change)
                _finish(field.name, inner, change)


def _finish(name: str, message: Any, change: PoseChange) -> None:
    """Change what a text, a pad and a rectangle have beside points and layers."""
    if name == "attributes" and "keep_upright" in message.DESCRIPTOR.fields_by_name:
        _turn_text(message, change)
    elif name == "pad_stack":
        angle = -message.angle.value_degrees if change.flips else message.angle.value_degrees
        message.angle.value_degrees = within_half_turn(angle + change.turn)
        if change.flips:
            _mirror_pad(message)
    elif name == "rectangle":
        # The left and upper corner comes first.
        first, second = message.top_left, message.bottom_right
        (x0, x1), (y0, y1) = sorted((first.x_nm, second.x_nm)), sorted((first.y_nm, second.y_nm))
        first.x_nm, first.y_nm, second.x_nm, second.y_nm = x0, y0, x1, y1


def _turn_text(text: Any, change: PoseChange) -> None:
    """Turn a text as in a file: where it came to stand on its head, by another half, justified the other way round."""
    angle = text.angle.value_degrees
    if change.flips:
        angle, text.mirrored = 180.0 - angle, not text.mirrored
    if change.turn and text.keep_upright and within_turn(angle + change.turn) >= 180.0:
        angle -= 180.0
        text.horizontal_alignment = _opposite(text, "horizontal_alignment", "HA_LEFT", "HA_RIGHT")
        text.vertical_alignment = _opposite(text, "vertical_alignment", "VA_TOP", "VA_BOTTOM")
    text.angle.value_degrees = within_half_turn(angle + change.turn)


def _opposite(message: Any, name: str, one: str, other: str) -> int:
    """Return the value of a field with two of its enumeration's names exchanged."""
    numbers = message.DESCRIPTOR.fields_by_name[name].enum_type.values_by_name
    value: int = getattr(message, name)
    swap: dict[int, int] = {numbers[one].number: numbers[other].number, numbers[other].number: numbers[one].number}
    return swap.get(value, value)


def _change_layers(message: Any, change: PoseChange) -> None:
    """Exchange front and back in all fields of a message that name a layer of the board."""
    if not change.flips:
        return
    for field, value in list(message.ListFields()):
        if field.enum_type is None or field.enum_type.name != "BoardLayer":
            continue
        names = field.enum_type.values_by_name
        if isinstance(value, int):
            setattr(message, field.name, _other_side(names, value))
        else:
            value[:] = [_other_side(names, layer) for layer in value]


def _other_side(names: Any, layer: int) -> int:
    swaps = (("BL_F_", "BL_B_"), ("BL_B_", "BL_F_"))
    by_number = {value.number: name for name, value in names.items()}
    for here, there in swaps:
        if by_number.get(layer, "").startswith(here):
            return int(names[there + by_number[layer].removeprefix(here)].number)
    return layer


def _mirror_pad(stack: Any) -> None:
    """Flip a pad in its own frame: its copper's offset and shapes upside down, its outer layers exchanged."""
    for copper in stack.copper_layers:
        copper.offset.y_nm = -copper.offset.y_nm
        copper.trapezoid_delta.y_nm = -copper.trapezoid_delta.y_nm
        corners = copper.chamfered_corners
        for upper, lower in MIRRORED.items():
            up, down = getattr(corners, upper), getattr(corners, lower)
            setattr(corners, upper, down)
            setattr(corners, lower, up)
        for shape in copper.custom_shapes:
            _take_along(shape.shape, PoseChange(Pose(x=0, y=0), Pose(x=0, y=0, side="back")))
    front, back = type(stack.front_outer_layers)(), type(stack.front_outer_layers)()
    front.CopyFrom(stack.back_outer_layers)
    back.CopyFrom(stack.front_outer_layers)
    stack.front_outer_layers.CopyFrom(front)
    stack.back_outer_layers.CopyFrom(back)


def _as_polygon(shape: Any, rectangle: Any, change: PoseChange) -> None:
    """Replace a rectangle that no longer lies along the axes by a polygon, as KiCad does."""
    x0, y0 = rectangle.top_left.x_nm, rectangle.top_left.y_nm
    x1, y1 = rectangle.bottom_right.x_nm, rectangle.bottom_right.y_nm
    outline = shape.polygon.polygons.add().outline  # fields of one `oneof`: this removes the rectangle
    outline.closed = True
    for corner in ((x0, y0), (x1, y0), (x1, y1), (x0, y1)):
        point = outline.nodes.add().point
        point.x_nm, point.y_nm = change.point(*corner)


TIMEOUT = 30.0
"""Seconds that KiCad has for one answer; a large board takes a few."""
UUID = re.compile(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
SWITCH = "KiCad, Preferences, Plugins: Enable KiCad API"


@dataclass(frozen=True)
class LiveBoard:
    """A connection to one open board."""

    kicad: KiCad
    open: OpenBoard
    timeout: float

    @classmethod
    def connect(cls, socket: str | None = None, timeout: float = TIMEOUT) -> LiveBoard:
        """Reach the KiCad that is running.

        Args:
            socket: its address (`ipc:///tmp/kicad/api.sock`); where KiCad puts it, when left out.
            timeout: seconds for each answer.

        Raises:
            MissingPartError: `kicad-python` is not installed.
            BoardError: no KiCad answers, it is older than 9, has no board open, or is busy.
        """
        try:
            from kipy import KiCad
        except ImportError as error:
            raise MissingPartError(
                "The board open in KiCad needs the package kicad-python: pip install 'redraft[kicad]'"
            ) from error
        with _translated(timeout, socket):
            kicad = KiCad(socket_path=socket, client_name="redraft", timeout_ms=round(timeout * 1000))
            version = kicad.get_version()
            if version.major < 9:
                raise BoardError(f"KiCad {version.full_version} is running; its interface came with KiCad 9.")
        with _translated(timeout, socket, nothing_open=True):
            return cls(kicad, kicad.get_board(), timeout)

    @cached_property
    def path(self) -> Path:
        """The file that the board was opened from. The board in KiCad may be newer than the file."""
        return Path(self.open.document.project.path) / self.open.name

    @cached_property
    def board(self) -> Board:
        """The board as it was when this was first read, with unsaved changes.

        Raises:
            BoardError: KiCad did not send it. BoardFormatError: it cannot be read.
        """
        with _translated(self.timeout):
            data = self.open.get_as_string().encode(errors="surrogateescape")
        return Board(BoardFile(self.path, data, hashlib.sha256(data).hexdigest()))

    def selected(self) -> tuple[str, ...]:
        """Return the names of the components that are selected in KiCad, as in `board.names`.

        Raises:
            BoardError: KiCad did not send them. BoardFormatError: as for `board`.
        """
        from kipy.proto.common.types import KiCadObjectType

        with _translated(self.timeout):
            chosen = {item.proto.id.value for item in self.open.get_selection(KiCadObjectType.KOT_PCB_FOOTPRINT)}
        footprints = self.board.file.footprints
        return tuple(name for name, place in self.board.names.items() if footprints[place].uuid in chosen)

    def apply(self, poses: Mapping[int, Pose], message: str = "redraft") -> None:
        """Move footprints, by their place in `board.file.footprints`: all in one step, or none.

        Args:
            poses: their new poses, as in `Board.poses`.
            message: the name of the step in KiCad's list of undoable ones.

        Raises:
            BoardChangedError: one of them was moved or deleted in KiCad since the board was read.
            BoardError: a part belongs to a group, or KiCad is busy.
            InfrastructureError: KiCad put a part elsewhere than asked; all was taken back.
        """
        footprints = self.board.file.footprints
        changes = {place: pose for place, pose in sorted(poses.items()) if pose != footprints[place].pose}
        self._refuse_grouped(changes)
        moved: list[tuple[Pose, FootprintInstance]] = []
        with _translated(self.timeout):
            in_kicad = {footprint.id.value: footprint for footprint in self.open.get_footprints()}
            for place, pose in changes.items():
                known = footprints[place]
                current = in_kicad.get(known.uuid)
                if current is None or not _same(pose_of(current), known.pose):
                    what = "is no longer on the board" if current is None else "has been moved"
                    raise BoardChangedError(
                        f"{known.reference} {what} in KiCad since the board was read; nothing was changed. "
                        "Read it again."
                    )
                moved.append((pose, put(current, pose)))
            if moved:
                self._commit(moved, message)

    def _refuse_grouped(self, places: Iterable[int]) -> None:
        """Refuse members of groups: KiCad 9 takes an edited one out and dissolves the group, and undo does not help."""
        file = self.board.file
        groups = [file.data[file.index.start[i] : file.index.end[i]] for i in file.sections.get(b"group", ())]
        grouped = {uuid.decode() for text in groups for uuid in UUID.findall(text)}
        names = [file.footprints[place].reference for place in places if file.footprints[place].uuid in grouped]
        if names:
            raise BoardError(
                f"{', '.join(names)}: part of a group, which KiCad 9 would dissolve if they were moved through its "
                "interface; nothing was changed. Ungroup them in KiCad first, or work on the saved file."
            )

    def _commit(self, moved: list[tuple[Pose, FootprintInstance]], message: str) -> None:
        """Send the footprints in one commit, and undo it where KiCad put one elsewhere."""
        commit = self.open.begin_commit()
        pushed = False
        try:
            self.open.update_items([footprint for _, footprint in moved])
            self.open.push_commit(commit, message)
            pushed = True
        finally:
            if not pushed:
                self.open.drop_commit(commit)
        now = {footprint.id.value: pose_of(footprint) for footprint in self.open.get_footprints()}
        wrong = [f for pose, f in moved if not _same(now.get(f.id.value, pose), pose)]
        if wrong:
            self.kicad.run_action("common.Interactive.undo")
            names = ", ".join(footprint.reference_field.text.value for footprint in wrong)
            raise InfrastructureError(f"KiCad put {names} elsewhere than asked; the whole step was taken back.")


def _same(a: Pose, b: Pose) -> bool:
    turn = abs(a.angle - b.angle) % 360.0
    return (a.x, a.y, a.side) == (b.x, b.y, b.side) and min(turn, 360.0 - turn) < 1e-6


@contextmanager
def _translated(timeout: float, socket: str | None = None, *, nothing_open: bool = False) -> Generator[None]:
    """Raise the package's errors as redraft's."""
    from kipy.errors import ApiError
    from kipy.errors import ConnectionError as Unreachable
    from kipy.proto.common import ApiStatusCode

    try:
        yield
    except Unreachable as error:
        if "imed out" in str(error):
            raise BoardError(
                f"KiCad did not answer within {timeout:g} s. A dialog may be open in it: close that and try again."
            ) from error
        raise BoardError(
            f"No KiCad answers{f' at {socket}' if socket else ''} ({error}). Start KiCad 9, open the board in its "
            f"board editor, and switch its interface on: {SWITCH}."
        ) from error
    except ApiError as error:
        if error.code in {ApiStatusCode.AS_BUSY, ApiStatusCode.AS_NOT_READY}:
            raise BoardError(
                f"KiCad is busy ({error}). Finish or cancel what it is doing, close its dialogs, and try again."
            ) from error
        if nothing_open:
            raise BoardError(f"No board is open in KiCad ({error}). Open it in the board editor.") from error
        raise BoardError(f"KiCad refused: {error}. Nothing was changed.") from error
