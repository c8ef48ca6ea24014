"""Putting a footprint of KiCad's API elsewhere, exactly: whole nanometres, and nothing else of it changed.

The API holds what belongs to a footprint in the board's own coordinates, so all of it must go along. This is done on
the messages themselves: the package's own setters round each point twice when they turn, and redraw rectangles.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from redraft.studios.board.model import Pose
from redraft.studios.board.shapes import turned

if TYPE_CHECKING:
    from kipy.board_types import FootprintInstance

__all__ = ["pose_of", "put"]

Carry = Callable[[int, int], tuple[int, int]]

ALONGSIDE = ("reference_field", "value_field", "datasheet_field", "description_field")
"""What belongs to a footprint beside the items of its definition."""
OWN_FRAME = frozenset({"copper_layers", "drill", "secondary_drill", "tertiary_drill", "size", "anchor"})
"""What is no place on the board: sizes, and what a pad holds in its own frame."""
POINT = "kiapi.common.types.Vector2"
ANY = "google.protobuf.Any"


def pose_of(footprint: FootprintInstance) -> Pose:
    """Where a footprint of the API lies."""
    from kipy.proto.board.board_types_pb2 import BoardLayer

    proto = footprint.proto
    return Pose(
        x=proto.position.x_nm,
        y=proto.position.y_nm,
        angle=proto.orientation.value_degrees,
        side="back" if proto.layer == BoardLayer.BL_B_Cu else "front",
    )


def put(footprint: FootprintInstance, pose: Pose) -> FootprintInstance:
    """The footprint with all that belongs to it at a pose on the same side."""
    from kipy.board_types import FootprintInstance as Instance

    proto: Any = footprint.proto
    was = pose_of(footprint)
    assert was.side == pose.side
    turn = pose.angle - was.angle
    carry = _carrier(was, pose)
    for name in ALONGSIDE:
        _take_along(getattr(proto, name), carry, turn)
    for item in proto.definition.items:
        _unpacked(item, carry, turn)
    proto.position.x_nm, proto.position.y_nm = pose.x, pose.y
    proto.orientation.value_degrees = _half_turn(pose.angle)
    return Instance(proto=proto)


def _carrier(was: Pose, now: Pose) -> Carry:
    """How points go along: turned about the footprint's position, then shifted; exact for quarter turns."""
    matrix = turned(now.angle - was.angle)

    def carry(x: int, y: int) -> tuple[int, int]:
        dx, dy = (np.array([x - was.x, y - was.y]) @ matrix).tolist()
        return now.x + round(dx), now.y + round(dy)

    return carry


def _take_along(message: Any, carry: Carry, turn: float) -> None:
    """Carry every point in a message, turn every angle of a text or pad; deeper messages too."""
    for field, value in list(message.ListFields()):
        if field.message_type is None or field.name in OWN_FRAME:
            continue
        several: list[Any] = [value] if hasattr(value, "DESCRIPTOR") else list(value)
        for inner in several:
            kind = inner.DESCRIPTOR.full_name
            if kind == POINT:
                inner.x_nm, inner.y_nm = carry(inner.x_nm, inner.y_nm)
            elif kind == ANY:
                _unpacked(inner, carry, turn)
            elif field.name == "rectangle" and turn % 90.0:
                _as_polygon(message, inner, carry)
            else:
                _take_along(inner, carry, turn)
                _turned_itself(field.name, inner, turn)


def _turned_itself(name: str, message: Any, turn: float) -> None:
    if name in {"attributes", "pad_stack"} and "angle" in message.DESCRIPTOR.fields_by_name:
        message.angle.value_degrees = _half_turn(message.angle.value_degrees + turn)
    if name == "rectangle":
        _in_order(message.top_left, message.bottom_right)


def _unpacked(packed: Any, carry: Carry, turn: float) -> None:
    from kipy.util.proto import unpack_any

    message: Any = unpack_any(packed)
    _take_along(message, carry, turn)
    packed.Pack(message)


def _in_order(first: Any, second: Any) -> None:
    """Of two opposite corners, the left and upper ones in the first."""
    (x0, x1), (y0, y1) = sorted((first.x_nm, second.x_nm)), sorted((first.y_nm, second.y_nm))
    first.x_nm, first.y_nm, second.x_nm, second.y_nm = x0, y0, x1, y1


def _as_polygon(shape: Any, rectangle: Any, carry: Carry) -> None:
    """A rectangle that does not lie along the axes is a polygon, in KiCad too."""
    x0, y0 = rectangle.top_left.x_nm, rectangle.top_left.y_nm
    x1, y1 = rectangle.bottom_right.x_nm, rectangle.bottom_right.y_nm
    outline = shape.polygon.polygons.add().outline  # of the alternatives, this one takes the rectangle's place
    outline.closed = True
    for corner in ((x0, y0), (x1, y0), (x1, y1), (x0, y1)):
        point = outline.nodes.add().point
        point.x_nm, point.y_nm = carry(*corner)


def _half_turn(degrees: float) -> float:
    """In (−180, 180]."""
    rest = degrees % 360.0
    return rest - 360.0 if rest > 180.0 else rest
