"""A board as placed parts: the file, where its footprints lie now, and the layout that all spatial tools read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from shapely.geometry import Point
from shapely.geometry.base import BaseGeometry

from redraft.spatial.layout import Bounds, Frame, Item, Layout, Move, transformed
from redraft.studios.board.kicad_file import BoardFile
from redraft.studios.board.model import MM, Pose
from redraft.studios.board.nouns import noun_of
from redraft.studios.board.placed import LAYERS, items_of
from redraft.studios.board.site import Site, site_of

__all__ = ["Board"]

_FRAME = Frame(
    unit="mm", quantum=1 / MM, grid=0.1, solid=True, layers={LAYERS["front"]: "Top", LAYERS["back"]: "Bottom"}
)


@dataclass(frozen=True)
class Board:
    """A board file with changes on top that are not written yet.

    Items of the layout are named by their reference; of several with one reference (`REF**`) the later ones by
    `REF**#2` and so on, in the file's order. A footprint without a reference is `unnamed`.
    """

    file: BoardFile
    poses: Mapping[int, Pose] = field(default_factory=dict[int, Pose])
    """Where footprints lie that were moved, by their place in `file.footprints`; never one that is where it was."""

    @classmethod
    def read(cls, path: Path) -> Board:
        """Raises `BoardError`."""
        return cls(BoardFile.read(path))

    @cached_property
    def names(self) -> Mapping[str, int]:
        """Item name → place in `file.footprints`. Raises `BoardFormatError` where a footprint is damaged."""
        return {name: place for place, name in enumerate(_unique([part.reference for part in self.file.footprints]))}

    @cached_property
    def layout(self) -> Layout:
        """The board as placed items, in millimetres, y growing downwards.

        `Item.shape` is the courtyard on the part's own side (else body and pads), `opposite` that of the other side,
        `layer` 1 on the front and 0 on the back, `label` what the reference's letters say ("IC", "capacitor"). A
        footprint that draws nothing at all has a room of 0.01 mm about its position, so that it can be found and
        moved. The frame's bounds are those of the board, or of all parts where it has no outline. Raises
        `BoardFormatError` where a footprint, the outline or a keep-out is damaged.
        """
        parts, site = self.file.footprints, self.site
        items = items_of(
            tuple(self.names), parts, self.poses, [noun_of(part.reference) for part in parts], site.carried
        )
        frame = replace(_FRAME, bounds=_bounds([item.shape for item in items] if site.area is None else [site.area]))
        return Layout(items, frame, site.area, site.keepouts, site.fixtures)

    @cached_property
    def site(self) -> Site:
        """The board around its parts. Raises `BoardFormatError` where the outline or a keep-out is damaged."""
        return site_of(self.file)

    def amend(self, moves: Sequence[Move]) -> Board:
        """The board after moves, in order, rounded to whole nanometres once, at the end.

        A part that comes back to where the file has it is no change. Raises `KeyError` for a name that is not on the
        board: `Workspace` checks them.
        """
        steps: dict[int, list[Move]] = {}
        for move in moves:
            steps.setdefault(self.names[move.item], []).append(move)
        poses = dict(self.poses)
        for place, some in steps.items():
            there = self.file.footprints[place].pose
            poses[place] = _after(poses.get(place, there), some)
            if poses[place] == there:
                del poses[place]
        return replace(self, poses=poses)

    def save(self, out: Path | None = None, *, in_place: bool = False) -> Path:
        """See `BoardFile.save`."""
        return self.file.save(self.poses, out, in_place=in_place)


def _unique(references: Sequence[str]) -> list[str]:
    """Each reference with a number where it was there before; the number is the first that makes a new name."""
    taken, count, found = set(references), dict[str, int](), list[str]()
    for reference in references:
        name = reference or "unnamed"
        count[name] = count.get(name, 0) + 1
        if count[name] > 1:
            while (numbered := f"{name}#{count[name]}") in taken:
                count[name] += 1
            name = numbered
        taken.add(name)
        found.append(name)
    return found


def _bounds(shapes: Sequence[BaseGeometry]) -> Bounds:
    """The box of all of them; a millimetre about the origin where there are none."""
    if not shapes:
        return (-0.5, -0.5, 0.5, 0.5)
    boxes = np.array([shape.bounds for shape in shapes])
    (x0, y0), (x1, y1) = boxes[:, :2].min(axis=0).tolist(), boxes[:, 2:].max(axis=0).tolist()
    return (x0, y0, x1, y1)


def _after(pose: Pose, moves: Sequence[Move]) -> Pose:
    """The pose after the moves. Mere shifts add whole nanometres, the same ones back and forth."""
    if all(move.matrix[:4] == (1, 0, 0, 1) and not move.flips for move in moves):
        dx, dy = (sum(move.matrix[axis] for move in moves) for axis in (4, 5))
        return pose.model_copy(update={"x": pose.x + _nanometres(dx), "y": pose.y + _nanometres(dy)})
    before = Item("", "part", Point(), origin=(pose.x / MM, pose.y / MM), rotation=pose.angle, layer=LAYERS[pose.side])
    after = transformed(before, moves)
    assert after.origin is not None
    x, y = map(_nanometres, after.origin)
    return Pose(x=x, y=y, angle=after.rotation, side="front" if after.layer == LAYERS["front"] else "back")


def _nanometres(millimetres: float) -> int:
    """Halves away from zero, that there and back may be the same."""
    whole = int(abs(millimetres) * MM + 0.5)
    return whole if millimetres >= 0 else -whole
