"""Putting a footprint of KiCad's API elsewhere, exactly: whole nanometres, and nothing else of it changed.

The API holds what belongs to a footprint in the board's own coordinates, so all of it must go along. This is done on
the messages themselves: the package's own setters round each point twice when they turn, redraw rectangles, and cannot
bring a part to the other side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from redraft.studios.board.journey import Journey
from redraft.studios.board.model import Pose
from redraft.studios.board.notation import within_half_turn, within_turn

if TYPE_CHECKING:
    from kipy.board_types import FootprintInstance

__all__ = ["pose_of", "put"]

FIELDS = ("reference_field", "value_field", "datasheet_field", "description_field")
"""What belongs to a footprint beside the items of its definition."""
SIZES = frozenset({"size", "anchor", "drill", "secondary_drill", "tertiary_drill", "copper_layers"})
"""What is no place on the board. (What a pad holds for its copper layers is in the pad's own frame.)"""
POINT = "kiapi.common.types.Vector2"
MIRRORED = {"top_left": "bottom_left", "top_right": "bottom_right"}
"""Corners of a pad that change places when it changes sides."""


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
    """The footprint with all that belongs to it at another pose."""
    from kipy.board_types import FootprintInstance as Instance
    from kipy.util.proto import unpack_any

    proto: Any = footprint.proto
    journey = Journey(pose_of(footprint), pose)
    for name in FIELDS:
        _take_along(getattr(proto, name), journey)
    for packed in proto.definition.items:
        item: Any = unpack_any(packed)
        _take_along(item, journey)
        packed.Pack(item)
    proto.position.x_nm, proto.position.y_nm = pose.x, pose.y
    proto.orientation.value_degrees = within_half_turn(pose.angle)
    _change_layers(proto, journey)
    return Instance(proto=proto)


def _take_along(message: Any, journey: Journey) -> None:
    """Carry every point in a message, turn every text and pad, and change its layers; deeper messages too."""
    _change_layers(message, journey)
    for field, value in list(message.ListFields()):
        if field.message_type is None or field.name in SIZES:
            continue
        several: list[Any] = [value] if hasattr(value, "DESCRIPTOR") else list(value)
        for inner in several:
            if inner.DESCRIPTOR.full_name == POINT:
                inner.x_nm, inner.y_nm = journey.point(inner.x_nm, inner.y_nm)
            elif field.name == "rectangle" and journey.turn % 90.0:
                _as_polygon(message, inner, journey)
            else:
                _take_along(inner, journey)
                _itself(field.name, inner, journey)


def _itself(name: str, message: Any, journey: Journey) -> None:
    """What is done to a text, a pad and a rectangle beside carrying their points."""
    if name == "attributes" and "keep_upright" in message.DESCRIPTOR.fields_by_name:
        _turn_text(message, journey)
    elif name == "pad_stack":
        angle = -message.angle.value_degrees if journey.flips else message.angle.value_degrees
        message.angle.value_degrees = within_half_turn(angle + journey.turn)
        if journey.flips:
            _mirror_pad(message)
    elif name == "rectangle":
        _in_order(message.top_left, message.bottom_right)


def _turn_text(text: Any, journey: Journey) -> None:
    """As in a file: a text that came to stand on its head is turned by half and justified the other way round."""
    angle = text.angle.value_degrees
    if journey.flips:
        angle, text.mirrored = 180.0 - angle, not text.mirrored
    if journey.turn and text.keep_upright and within_turn(angle + journey.turn) >= 180.0:
        angle -= 180.0
        text.horizontal_alignment = _opposite(text, "horizontal_alignment", "HA_LEFT", "HA_RIGHT")
        text.vertical_alignment = _opposite(text, "vertical_alignment", "VA_TOP", "VA_BOTTOM")
    text.angle.value_degrees = within_half_turn(angle + journey.turn)


def _opposite(message: Any, name: str, one: str, other: str) -> int:
    """The value of a field with two of its enumeration's names exchanged."""
    numbers = message.DESCRIPTOR.fields_by_name[name].enum_type.values_by_name
    value: int = getattr(message, name)
    swap: dict[int, int] = {numbers[one].number: numbers[other].number, numbers[other].number: numbers[one].number}
    return swap.get(value, value)


def _change_layers(message: Any, journey: Journey) -> None:
    """Front to back and back to front, in all fields that name a layer of the board."""
    if not journey.flips:
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
    """What a pad holds in its own frame: its copper's offset and shapes upside down, its outer layers exchanged."""
    for copper in stack.copper_layers:
        copper.offset.y_nm = -copper.offset.y_nm
        copper.trapezoid_delta.y_nm = -copper.trapezoid_delta.y_nm
        corners = copper.chamfered_corners
        for upper, lower in MIRRORED.items():
            up, down = getattr(corners, upper), getattr(corners, lower)
            setattr(corners, upper, down)
            setattr(corners, lower, up)
        for shape in copper.custom_shapes:
            _take_along(shape.shape, Journey(Pose(x=0, y=0), Pose(x=0, y=0, side="back")))
    front, back = type(stack.front_outer_layers)(), type(stack.front_outer_layers)()
    front.CopyFrom(stack.back_outer_layers)
    back.CopyFrom(stack.front_outer_layers)
    stack.front_outer_layers.CopyFrom(front)
    stack.back_outer_layers.CopyFrom(back)


def _in_order(first: Any, second: Any) -> None:
    """Of two opposite corners, the left and upper ones in the first."""
    (x0, x1), (y0, y1) = sorted((first.x_nm, second.x_nm)), sorted((first.y_nm, second.y_nm))
    first.x_nm, first.y_nm, second.x_nm, second.y_nm = x0, y0, x1, y1


def _as_polygon(shape: Any, rectangle: Any, journey: Journey) -> None:
    """A rectangle that does not lie along the axes is a polygon, in KiCad too."""
    x0, y0 = rectangle.top_left.x_nm, rectangle.top_left.y_nm
    x1, y1 = rectangle.bottom_right.x_nm, rectangle.bottom_right.y_nm
    outline = shape.polygon.polygons.add().outline  # of the alternatives, this one takes the rectangle's place
    outline.closed = True
    for corner in ((x0, y0), (x1, y0), (x1, y1), (x0, y1)):
        point = outline.nodes.add().point
        point.x_nm, point.y_nm = journey.point(*corner)
