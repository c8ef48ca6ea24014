"""A board as a layout: footprints as items, the outline and keep-outs around them, and changes on top of the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import accumulate, pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import Point, box
from shapely.geometry.base import BaseGeometry

from redraft.layout.items import Bounds, Fixture, Frame, Item, Keepout, Layout, Move, Port, transformed
from redraft.studios.board.kicad.file import BoardFile
from redraft.studios.board.kicad.model import MM, Footprint, Pad, Pose
from redraft.studios.board.kicad.outline import edges_of, joined
from redraft.studios.board.kicad.pads import turned
from redraft.studios.board.kicad.project import DesignRules, rules_of
from redraft.studios.board.kicad.sexpr import Tree, first, is_set, text_of, tree, words
from redraft.studios.board.kicad.tracks import Copper
from redraft.studios.board.kicad.zones import keepout_of, rule_areas_of, zone_fixture, zones_of
from redraft.studios.board.words.names import noun_of

Floats = NDArray[np.float64]

_POINT = box(-0.005, -0.005, 0.005, 0.005)
"""The place of a footprint with no pads, courtyard or body on its side: to find, see and move it; no obstacle."""
LAYERS = {"front": 1, "back": 0}


class _Shapes(NamedTuple):
    """Those of one footprint on the side where it lies now: room, body, room on the other side, pad cores."""

    room: BaseGeometry
    body: BaseGeometry | None
    opposite: BaseGeometry | None
    pads: tuple[Pad, ...]

    def all(self) -> list[BaseGeometry | None]:
        return [self.room, self.body, self.opposite, *(pad.core for pad in self.pads)]


def items_of(
    names: Sequence[str],
    footprints: Sequence[Footprint],
    poses: Mapping[int, Pose],
    nouns: Sequence[str],
    keepouts: Mapping[int, Sequence[Keepout]] | None = None,
    rules: DesignRules | None = None,
) -> tuple[Item, ...]:
    """The items, in the order of the footprints.

    Args:
        poses: where a footprint lies that is not where its file has it, by its place.
        nouns: what each is.
        keepouts: those that belong to a footprint, by its place, where the file has them.
        rules: of the board, which bound what pads and holes ask for; those of a new one by default.
    """
    if not names:
        return ()
    now = [poses.get(i, footprint.pose) for i, footprint in enumerate(footprints)]
    flipped = [pose.side != footprint.pose.side for footprint, pose in zip(footprints, now, strict=True)]
    shapes = [_shapes(footprint) for footprint in footprints]
    turns, shifts = _matrices(now, flipped)
    rows = zip(
        names, nouns, footprints, now, _geometries(shapes, turns, shifts), _pins(shapes, turns, shifts), strict=True
    )
    known = rules or DesignRules()
    items = [_item(*row, rules=known) for row in rows]
    for place, kept in (keepouts or {}).items():
        moved = tuple(_carried(keepout, footprints[place].pose, now[place]) for keepout in kept)
        items[place] = replace(items[place], keepouts=tuple(replace(k, item=names[place]) for k in moved))
    return tuple(items)


def _shapes(footprint: Footprint) -> _Shapes:
    own, other = footprint.front, footprint.back
    if footprint.pose.side == "back":
        own, other = other, own
    return _Shapes(_POINT if own is None else own, footprint.body, other, _copper_of(footprint))


def _copper_of(footprint: Footprint) -> tuple[Pad, ...]:
    """Pads and drawn copper; an opening in the paste connects nothing."""
    return (*(pad for pad in footprint.pads if pad.front or pad.back), *footprint.copper)


def _matrices(poses: Sequence[Pose], flipped: Sequence[bool]) -> tuple[Floats, Floats]:
    """For row vectors: (n, 2, 2) to turn, y first mirrored where a part is on the other side, and (n, 2) to shift."""
    turns = np.array([turned(pose.angle) for pose in poses])
    turns[np.array(flipped, dtype=bool), 1] *= -1
    return turns, np.array([(pose.x, pose.y) for pose in poses]) / MM


def _geometries(shapes: Sequence[_Shapes], turns: Floats, shifts: Floats) -> list[Sequence[BaseGeometry | None]]:
    """All shapes of each footprint, in the order of `_Shapes.all`, on the board."""
    many = [one.all() for one in shapes]
    flat = np.array([shape for one in many for shape in one], dtype=object)
    sizes: NDArray[np.int32] = shapely.get_num_coordinates(flat)  # pyright: ignore[reportUnknownMemberType]
    owner = np.repeat(np.repeat(np.arange(len(many)), [len(one) for one in many]), sizes)
    moved = shapely.transform(flat, lambda xy: np.einsum("ni,nij->nj", xy, turns[owner]) + shifts[owner]).tolist()
    ends = [0, *accumulate(len(one) for one in many)]
    return [moved[a:b] for a, b in pairwise(ends)]


def _pins(shapes: Sequence[_Shapes], turns: Floats, shifts: Floats) -> list[list[tuple[float, float]]]:
    """Where the pads of each footprint are."""
    return [
        list(map(tuple, (np.array([pad.at for pad in one.pads]).reshape(-1, 2) @ turn + shift).tolist()))
        for one, turn, shift in zip(shapes, turns, shifts, strict=True)
    ]


def _item(
    name: str,
    noun: str,
    footprint: Footprint,
    pose: Pose,
    shapes: Sequence[BaseGeometry | None],
    pins: Sequence[tuple[float, float]],
    rules: DesignRules,
) -> Item:
    room, body, opposite, *cores = shapes
    assert room is not None
    pads = zip(_copper_of(footprint), pins, cores, strict=True)
    return Item(
        name=name,
        label=noun,
        shape=room,
        layer=LAYERS[pose.side],
        ports=tuple(_port(pad, at, core, footprint, pose, rules) for pad, at, core in pads),
        locked=footprint.locked,
        body=body,
        opposite=opposite,
        origin=(pose.x / MM, pose.y / MM),
        rotation=pose.angle,
        claims=room.area > _POINT.area * 1.01 or opposite is not None or bool(footprint.pads),
        value=footprint.value,
        symbol=footprint.path[-1] if footprint.path else "",
    )


def _port(
    pad: Pad, at: tuple[float, float], core: BaseGeometry | None, footprint: Footprint, pose: Pose, rules: DesignRules
) -> Port:
    assert core is not None
    through = pad.kind in {"through", "hole"} or (pad.front and pad.back)
    away = not through and pad.front != (footprint.pose.side == "front")
    layer = 1 - LAYERS[pose.side] if away else None
    asked = footprint.clearance if pad.clearance is None else pad.clearance
    return Port(
        pad.number,
        at,
        core,
        pad.radius,
        pad.net,
        through,
        layer,
        pad.function,
        pad.type,
        asked if asked and asked > 0 else None,  # as in KiCad
        max(rules.min_clearance, rules.hole_clearance - _ring(pad, at, core) if pad.drill else 0.0),
    )


def _ring(pad: Pad, at: tuple[float, float], core: BaseGeometry) -> float:
    """How far its copper reaches beyond the edge of its hole, at least; 0 for a hole without copper, or a slot."""
    inside = float(core.boundary.distance(Point(at))) if core.area else 0.0
    return max(inside + pad.radius - pad.drill / 2, 0.0) if pad.kind != "hole" else 0.0


def _carried(keepout: Keepout, before: Pose, now: Pose) -> Keepout:
    """A keep-out of a footprint that has gone from one pose to another."""
    if before == now:
        return keepout
    flips = before.side != now.side
    (back, turn), (start, end) = _matrices([before, now], [False, flips])
    shape = shapely.transform(keepout.shape, lambda xy: (xy - start) @ back.T @ turn + end)
    layers = keepout.layers and tuple(1 - layer if flips else layer for layer in keepout.layers)
    return replace(keepout, shape=shape, layers=layers)


@dataclass(frozen=True)
class Site:
    """What a `Layout` needs to know of a board beside its parts. Lengths are millimeters."""

    area: BaseGeometry | None
    """The board, cut-outs left out; several pieces for a panel. None: no outline, or an open one."""
    keepouts: tuple[Keepout, ...]
    """Rule areas that bar footprints, on the sides (1 front, 0 back) that they are on."""
    carried: Mapping[int, Sequence[Keepout]]
    """Those within footprints, by the footprint's place in the file; they lie where the file has the footprint."""
    fixtures: Callable[..., Sequence[Fixture]]
    """Tracks, vias and zones in a window; the first call reads them, and may raise `BoardFormatError`."""
    warnings: tuple[str, ...] = ()
    """What is wrong with the outline, in words."""


def site_of(file: BoardFile) -> Site:
    """Read the site of a board, copper and its zones left for later.

    Raises:
        BoardFormatError: a line of the outline or a rule area is damaged.
    """
    outline = joined(list(edges_of(file)))
    keepouts = [(zone.footprint, found) for zone in rule_areas_of(file) if (found := keepout_of(zone)) is not None]
    lying = tuple(keepout for owner, keepout in keepouts if owner is None)
    return Site(outline.area, lying, _by_place(file, keepouts), _Fixtures(file), outline.warnings)


def _by_place(file: BoardFile, keepouts: Iterable[tuple[int | None, Keepout]]) -> dict[int, list[Keepout]]:
    """Keep-outs of footprints, by the footprint's place in the file."""
    places = {i: place for place, i in enumerate(file.sections.get(b"footprint", ()))}
    found: dict[int, list[Keepout]] = {}
    for owner, keepout in keepouts:
        if owner in places:
            found.setdefault(places[owner], []).append(keepout)
    return found


class _Fixtures:
    """Finds what lies in a window; reads zones and copper when first asked."""

    def __init__(self, file: BoardFile) -> None:
        self._file = file

    def __call__(self, window: Bounds, without: frozenset[int] = frozenset()) -> Sequence[Fixture]:
        x0, y0, x1, y1 = window
        zones, b = self._zones
        met = (b[:, 0] <= x1) & (b[:, 2] >= x0) & (b[:, 1] <= y1) & (b[:, 3] >= y0)
        return [*(zones[i] for i in np.flatnonzero(met).tolist()), *self._copper.within(window, without)]

    @cached_property
    def _zones(self) -> tuple[Sequence[Fixture], NDArray[np.float64]]:
        """With their boxes, (n, 4)."""
        zones = [zone_fixture(zone) for zone in zones_of(self._file)]
        return zones, np.array([zone.shape.bounds for zone in zones]).reshape(-1, 4)

    @cached_property
    def _copper(self) -> Copper:
        return Copper.of(self._file)


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
    ripup: bool = False
    """Without the tracks that end at the pads of what was moved, where the file has them."""

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
        """The board as placed items, in millimeters, y growing downwards.

        `Item.shape` is the courtyard on the part's own side (else body and pads), `opposite` that of the other side,
        `layer` 1 on the front and 0 on the back, `label` what the reference's letters say ("IC", "capacitor"), else
        the footprint's name. A footprint that has no pads, no courtyard and no body on its own side has a place of
        0.01 mm about its position, so that it can be found and moved, and is no obstacle. The frame's bounds are those
        of the board, or of all parts where it has no outline. `blocks` are the sheets and groups of `groups_of`. Raises
        `BoardFormatError` where a footprint, the outline or a keep-out is damaged.
        """
        parts, site = self.file.footprints, self.site
        names, rules = tuple(self.names), rules_of(self.file)
        nouns = [noun_of(part.reference, part.library) for part in parts]
        items = items_of(names, parts, self.poses, nouns, site.carried, rules)
        frame = replace(_FRAME, bounds=_bounds([item.shape for item in items] if site.area is None else [site.area]))
        fixtures = partial(site.fixtures, without=self.ripped) if self.ripped else site.fixtures
        blocks, locked = groups_of(self.file, names)
        if locked:
            items = tuple(replace(item, locked=True) if item.name in locked else item for item in items)
        return Layout(items, frame, site.area, site.keepouts, fixtures, blocks, rules.clearance, rules.edge_clearance)

    @cached_property
    def left(self) -> frozenset[int]:
        """Rows of `Copper` that moving parts has left: tracks with an end in a pad of their net, where the file has
        it."""
        if not self.poses:
            return frozenset()
        places = sorted(self.poses)
        parts = [self.file.footprints[place] for place in places]
        pads = [p for i in items_of(tuple(map(str, places)), parts, {}, [""] * len(parts)) for p in i.ports if p.net]
        return Copper.of(self.file).ending_in([(pad.shape, pad.net) for pad in pads])

    @property
    def ripped(self) -> frozenset[int]:
        """Those of `left` that `ripup` removes: all or none."""
        return self.left if self.ripup else frozenset()

    @property
    def torn(self) -> dict[str, int]:
        """How many tracks of each net moving parts has left, the most first."""
        return Copper.of(self.file).nets_of(self.left) if self.left else {}

    def rewritten(self) -> bytes:
        """The file with the changes."""
        return self.file.rewritten(self.poses, self.ripped)

    def unrouted(self) -> bytes:
        """The file with the changes, and without any tracks and vias."""
        return self.file.rewritten(self.poses, frozenset(range(len(Copper.of(self.file).words))))

    @cached_property
    def site(self) -> Site:
        """The board around its parts. Raises `BoardFormatError` where the outline or a keep-out is damaged."""
        return site_of(self.file)

    def amend(self, moves: Sequence[Move]) -> Board:
        """The board after moves, in order, rounded to whole nanometers once, at the end.

        A part that comes back to where the file has it is unchanged. Raises `KeyError` for a name that is not on the
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
        return self.file.save(self.poses, out, in_place=in_place, ripped=self.ripped)


class Groups(NamedTuple):
    """What the file has together."""

    blocks: Mapping[str, tuple[str, ...]]
    """Names of components, by the name of their sheet or group."""
    locked: frozenset[str]
    """Components of groups that are locked as a whole."""


def groups_of(file: BoardFile, names: Sequence[str]) -> Groups:
    """The sheets and groups of a board, each with its components in the file's order.

    A sheet has those of the sheets below it too; the root sheet is no block. It is named as in the file (`/power/`);
    where the file has no names, by a number in the order of the identifiers: `sheet 1`, and `sheet 1/2` below it. A
    group without a name is `group 1`. Members that are not footprints are left out, and so are groups of fewer than two
    components, or of those of one sheet. A name that is taken, by a component too, gets a number: `U1#2`.

    Args:
        names: of the footprints, in the file's order.

    Raises:
        BoardFormatError: a footprint is damaged.
    """
    trees = [tree(file.index.text(i)) for i in file.sections.get(b"group", ())]
    members = _members(trees)
    of_uuid = {part.uuid: place for place, part in enumerate(file.footprints) if part.uuid}
    sheets = _sheets(file.footprints)
    found = [*sheets]
    locked: set[int] = set()
    for number, group in enumerate(trees, 1):
        within = sorted({of_uuid[uuid] for uuid in members[number - 1] if uuid in of_uuid})
        locked.update(within if is_set(group, b"locked") else ())
        if len(within) > 1 and all(within != places for _, places in sheets):
            title = text_of(group[1]) if len(group) > 1 and isinstance(group[1], bytes) else ""
            found.append((title or f"group {number}", within))
    titles = _unique([*names, *(title for title, _ in found)])[len(names) :]
    blocks = {title: tuple(names[place] for place in within) for title, (_, within) in zip(titles, found, strict=True)}
    return Groups(blocks, frozenset(names[place] for place in locked))


def _members(groups: Sequence[Tree]) -> list[set[str]]:
    """Identifiers of all that is in each group, those of the groups in it included."""
    own = [set(words(first(group, b"members") or [])) for group in groups]
    uuids = [" ".join(words(first(group, b"uuid") or first(group, b"id") or [])) for group in groups]
    inner = {uuid: members for uuid, members in zip(uuids, own, strict=True) if uuid}
    for members in own:
        waiting = [uuid for uuid in members if uuid in inner]
        while waiting:  # a group in itself adds nothing new, which ends it
            added = inner[waiting.pop()] - members
            members.update(added)
            waiting += [uuid for uuid in added if uuid in inner]
    return own


def _sheets(footprints: Sequence[Footprint]) -> list[tuple[str, list[int]]]:
    """Each sheet's name, which others may have too, and the places of the footprints in it."""
    chains: dict[tuple[str, ...], list[int]] = {}
    names: dict[tuple[str, ...], str] = {}
    for place, part in enumerate(footprints):
        chain = part.path[:-1]
        for depth in range(1, len(chain) + 1):
            chains.setdefault(chain[:depth], []).append(place)
        steps = part.sheet.strip("/").split("/")
        if part.sheet.startswith("/") and len(steps) == len(chain):  # a path, which names those above as well
            names |= {chain[: n + 1]: f"/{'/'.join(steps[: n + 1])}/" for n in range(len(chain))}
        elif part.sheet:
            names.setdefault(chain, part.sheet)
    found, counts = dict[tuple[str, ...], str](), dict[tuple[str, ...], int]()
    for chain in sorted(chains, key=lambda chain: (len(chain), chain)):
        name, above = names.get(chain, ""), found.get(chain[:-1], "")
        if not name:
            counts[chain[:-1]] = counts.get(chain[:-1], 0) + 1
            name = f"{above}/{counts[chain[:-1]]}" if above else f"sheet {counts[chain[:-1]]}"
        elif not name.startswith("/"):
            name = f"{above if above.endswith('/') else '/'}{name}/"
        found[chain] = name
    return [(found[chain], chains[chain]) for chain in sorted(chains, key=lambda chain: (found[chain], chain))]


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
    """The box of all of them; a millimeter about the origin where there are none."""
    if not shapes:
        return (-0.5, -0.5, 0.5, 0.5)
    boxes = np.array([shape.bounds for shape in shapes])
    (x0, y0), (x1, y1) = boxes[:, :2].min(axis=0).tolist(), boxes[:, 2:].max(axis=0).tolist()
    return (x0, y0, x1, y1)


def _after(pose: Pose, moves: Sequence[Move]) -> Pose:
    """The pose after the moves. Mere shifts add whole nanometers, the same ones back and forth."""
    if all(move.matrix[:4] == (1, 0, 0, 1) and not move.flips for move in moves):
        dx, dy = (sum(move.matrix[axis] for move in moves) for axis in (4, 5))
        return pose.model_copy(update={"x": pose.x + _nanometres(dx), "y": pose.y + _nanometres(dy)})
    before = Item("", "part", Point(), origin=(pose.x / MM, pose.y / MM), rotation=pose.angle, layer=LAYERS[pose.side])
    after = transformed(before, moves)
    assert after.origin is not None
    x, y = map(_nanometres, after.origin)
    return Pose(x=x, y=y, angle=after.rotation, side="front" if after.layer == LAYERS["front"] else "back")


def _nanometres(millimeters: float) -> int:
    """Halves away from zero, that there and back may be the same."""
    whole = int(abs(millimeters) * MM + 0.5)
    return whole if millimeters >= 0 else -whole
