"""A board as a layout: footprints as items, the outline and keep-outs around them, and changes on top of the file.

`Board` joins three readings of a file: `items_of` (its footprints), `site_of` (what is around them) and `groups_of`
(sheets and groups).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
from redraft.studios.board.kicad.model import MM, Footprint, Pad, Pose, rounded_nanometers
from redraft.studios.board.kicad.outline import edges_of, joined
from redraft.studios.board.kicad.pads import turned
from redraft.studios.board.kicad.project import DesignRules, rules_of
from redraft.studios.board.kicad.sexpr import Tree, first, is_set, text_of, tree, words
from redraft.studios.board.kicad.tracks import Copper
from redraft.studios.board.kicad.zones import keepout_of, rule_areas_of, zone_fixture, zones_of
from redraft.studios.board.words.names import noun_of

Floats = NDArray[np.float64]

_POINT = box(-0.005, -0.005, 0.005, 0.005)
"""The shape of a footprint without pads, courtyard and body on its side, which can be found and moved."""
LAYERS = {"front": 1, "back": 0}


def items_of(
    names: Sequence[str],
    footprints: Sequence[Footprint],
    poses: Mapping[int, Pose],
    nouns: Sequence[str],
    keepouts: Mapping[int, Sequence[Keepout]] | None = None,
    rules: DesignRules | None = None,
) -> tuple[Item, ...]:
    """Return the items, in the order of the footprints.

    Args:
        poses: poses that differ from the file's, by the footprint's place.
        nouns: the kind of each, such as "capacitor".
        keepouts: those that belong to a footprint, by its place, where the file has them.
        rules: of the board, which bound the clearances of pads and holes; those of a new one by default.
    """
    if not names:
        return ()
    now = [poses.get(i, footprint.pose) for i, footprint in enumerate(footprints)]
    flipped = [pose.side != footprint.pose.side for footprint, pose in zip(footprints, now, strict=True)]
    turns, shifts = _matrices(now, flipped)
    copper = [_copper_of(footprint) for footprint in footprints]

    # For each footprint its area, body, area on the other side, and pads. All are transformed in one go.
    shapes: list[list[BaseGeometry | None]] = []
    for footprint, pads in zip(footprints, copper, strict=True):
        own, opposite = footprint.front, footprint.back
        if footprint.pose.side == "back":
            own, opposite = opposite, own
        shapes.append([_POINT if own is None else own, footprint.body, opposite, *(pad.core for pad in pads)])
    flat = np.array([shape for one in shapes for shape in one], dtype=object)
    sizes: NDArray[np.int32] = shapely.get_num_coordinates(flat)  # pyright: ignore[reportUnknownMemberType]
    owner = np.repeat(np.repeat(np.arange(len(shapes)), [len(one) for one in shapes]), sizes)
    moved = shapely.transform(flat, lambda xy: np.einsum("ni,nij->nj", xy, turns[owner]) + shifts[owner]).tolist()
    ends = [0, *accumulate(len(one) for one in shapes)]
    on_board = [moved[a:b] for a, b in pairwise(ends)]
    places: list[list[tuple[float, float]]] = []
    for pads, turn, shift in zip(copper, turns, shifts, strict=True):
        points: Floats = np.array([pad.at for pad in pads]).reshape(-1, 2) @ turn + shift
        places.append([(x, y) for x, y in points.tolist()])

    known = rules or DesignRules()
    rows = zip(names, nouns, footprints, now, on_board, places, strict=True)
    items = [_item(*row, rules=known) for row in rows]
    for place, kept in (keepouts or {}).items():
        carried = (_carried(keepout, footprints[place].pose, now[place]) for keepout in kept)
        items[place] = replace(items[place], keepouts=tuple(replace(k, item=names[place]) for k in carried))
    return tuple(items)


def _copper_of(footprint: Footprint) -> tuple[Pad, ...]:
    """Return pads and drawn copper; an opening in the paste connects nothing."""
    return (*(pad for pad in footprint.pads if pad.front or pad.back), *footprint.copper)


def _matrices(poses: Sequence[Pose], flipped: Sequence[bool]) -> tuple[Floats, Floats]:
    """Return for row vectors matrices (n, 2, 2) that turn, flipped ones mirrored in y before, and shifts (n, 2)."""
    turns = np.array([turned(pose.angle) for pose in poses])
    turns[np.array(flipped, dtype=bool), 1] *= -1
    return turns, np.array([(pose.x, pose.y) for pose in poses]) / MM


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
    stated = footprint.clearance if pad.clearance is None else pad.clearance

    # The hole asks for more than its copper where the ring of copper around it is thin: a slot's counts as 0.
    least = rules.min_clearance
    if pad.drill:
        inside = float(core.boundary.distance(Point(at))) if core.area else 0.0
        ring = max(inside + pad.radius - pad.drill / 2, 0.0) if pad.kind != "hole" else 0.0
        least = max(least, rules.hole_clearance - ring)
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
        stated if stated and stated > 0 else None,  # as in KiCad, 0 is no statement
        least,
    )


def _carried(keepout: Keepout, before: Pose, now: Pose) -> Keepout:
    """Return a keep-out of a footprint that has gone from one pose to another."""
    if before == now:
        return keepout
    flips = before.side != now.side
    (back, turn), (start, end) = _matrices([before, now], [False, flips])
    shape = shapely.transform(keepout.shape, lambda xy: (xy - start) @ back.T @ turn + end)
    layers = keepout.layers and tuple(1 - layer if flips else layer for layer in keepout.layers)
    return replace(keepout, shape=shape, layers=layers)


@dataclass(frozen=True)
class Site:
    """The surroundings of the parts of a board, for a `Layout`. Lengths are millimeters."""

    area: BaseGeometry | None
    """The board without its cut-outs; several pieces for a panel. None: no outline, or an open one."""
    keepouts: tuple[Keepout, ...]
    """Rule areas that bar footprints, on the sides (1 front, 0 back) that they are on."""
    carried: Mapping[int, Sequence[Keepout]]
    """The keep-outs within footprints, where the file has them, by the footprint's place in the file."""
    fixtures: Callable[..., Sequence[Fixture]]
    """Tracks, vias and zones in a window; the first call reads them, and may raise `BoardFormatError`."""
    warnings: tuple[str, ...] = ()
    """Problems with the outline."""


def site_of(file: BoardFile) -> Site:
    """Read the surroundings of the parts; tracks, vias and zones are read when they are first asked for.

    Raises:
        BoardFormatError: a line of the outline or a rule area is damaged.
    """
    outline = joined(list(edges_of(file)))
    places = {i: place for place, i in enumerate(file.sections.get(b"footprint", ()))}
    fixed: list[Keepout] = []
    carried: dict[int, list[Keepout]] = {}
    for zone in rule_areas_of(file):
        keepout = keepout_of(zone)
        if keepout is None:
            continue
        if zone.footprint is None:
            fixed.append(keepout)
        elif zone.footprint in places:
            carried.setdefault(places[zone.footprint], []).append(keepout)
    return Site(outline.area, tuple(fixed), carried, _Fixtures(file), outline.warnings)


class _Fixtures:
    """Finds the tracks, vias and zones in a window; reads them when first asked."""

    def __init__(self, file: BoardFile) -> None:
        self._file = file

    def __call__(self, window: Bounds, without: frozenset[int] = frozenset()) -> Sequence[Fixture]:
        x0, y0, x1, y1 = window
        zones, b = self._zones
        met = (b[:, 0] <= x1) & (b[:, 2] >= x0) & (b[:, 1] <= y1) & (b[:, 3] >= y0)
        return [*(zones[i] for i in np.flatnonzero(met).tolist()), *self._copper.within(window, without)]

    @cached_property
    def _zones(self) -> tuple[Sequence[Fixture], NDArray[np.float64]]:
        """All zones, and their boxes (n, 4)."""
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
    """The poses of moved footprints, by their place in `file.footprints`; never one that is where it was."""
    ripup: bool = False
    """Remove the tracks that ended at the pads of moved footprints."""

    @classmethod
    def read(cls, path: Path) -> Board:
        """Read a board. Raises `BoardError`."""
        return cls(BoardFile.read(path))

    @cached_property
    def names(self) -> Mapping[str, int]:
        """Places in `file.footprints` by item name. Raises `BoardFormatError` where a footprint is damaged."""
        return {name: place for place, name in enumerate(_unique([part.reference for part in self.file.footprints]))}

    @cached_property
    def layout(self) -> Layout:
        """The board as placed items, in millimeters, y growing downwards.

        `Item.shape` is the courtyard on the part's own side (else body and pads), `opposite` that of the other side,
        `layer` 1 on the front and 0 on the back, `label` the kind that the reference's letters stand for ("IC",
        "capacitor"), else the footprint's name. A footprint without pads, courtyard and body on its own side is a
        square of 0.01 mm about its position: it can be found and moved, and is no obstacle. The frame's bounds are
        those of the board, or of all parts where it has no outline. `blocks` are the sheets and groups of
        `groups_of`. Raises `BoardFormatError` where a footprint, the outline or a keep-out is damaged.
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
    def loose_tracks(self) -> frozenset[int]:
        """Rows of `Copper` that moved parts have left behind: tracks that end in a pad of theirs in the file."""
        if not self.poses:
            return frozenset()
        places = sorted(self.poses)
        parts = [self.file.footprints[place] for place in places]
        pads = [p for i in items_of(tuple(map(str, places)), parts, {}, [""] * len(parts)) for p in i.ports if p.net]
        return Copper.of(self.file).ending_in([(pad.shape, pad.net) for pad in pads])

    @property
    def ripped(self) -> frozenset[int]:
        """The loose tracks that `ripup` removes: all or none."""
        return self.loose_tracks if self.ripup else frozenset()

    @property
    def torn(self) -> dict[str, int]:
        """The number of loose tracks of each net, the most first."""
        return Copper.of(self.file).nets_of(self.loose_tracks) if self.loose_tracks else {}

    def rewritten(self) -> bytes:
        """Return the file with the changes."""
        return self.file.rewritten(self.poses, self.ripped)

    def unrouted(self) -> bytes:
        """Return the file with the changes, and without any tracks and vias."""
        return self.file.rewritten(self.poses, frozenset(range(len(Copper.of(self.file).words))))

    @cached_property
    def site(self) -> Site:
        """The surroundings of the parts. Raises `BoardFormatError` where the outline or a keep-out is damaged."""
        return site_of(self.file)

    def amend(self, moves: Sequence[Move]) -> Board:
        """Return the board after moves, in order, rounded to whole nanometers once, at the end.

        A part that comes back to where the file has it is unchanged. Raises `KeyError` for a name that is not on the
        board: `Workspace` checks them.
        """
        steps: dict[int, list[Move]] = {}
        for move in moves:
            steps.setdefault(self.names[move.item], []).append(move)
        poses = dict(self.poses)
        for place, some in steps.items():
            original = self.file.footprints[place].pose
            poses[place] = _after(poses.get(place, original), some)
            if poses[place] == original:
                del poses[place]
        return replace(self, poses=poses)

    def save(self, out: Path | None = None, *, in_place: bool = False) -> Path:
        """Write the board, as `BoardFile.save` does."""
        return self.file.save(self.poses, out, in_place=in_place, ripped=self.ripped)


class Groups(NamedTuple):
    """The sheets and groups of a board."""

    blocks: Mapping[str, tuple[str, ...]]
    """Names of components, by the name of their sheet or group."""
    locked: frozenset[str]
    """Components of groups that are locked as a whole."""


def groups_of(file: BoardFile, names: Sequence[str]) -> Groups:
    """Return the sheets and groups of a board, each with its components in the file's order.

    A sheet contains the components of the sheets below it too; the root sheet is not a block. It is named as in the
    file (`/power/`); where the file has no names, by a number in the order of the identifiers: `sheet 1`, and `sheet
    1/2` below it. A group without a name is `group 1`. Members that are not footprints are left out, and so are
    groups of fewer than two components, or of exactly those of a sheet. A name that a component or an earlier block
    has gets a number: `U1#2`.

    Args:
        names: of the footprints, in the file's order.

    Raises:
        BoardFormatError: a footprint is damaged.
    """
    trees = [tree(file.index.text(i)) for i in file.sections.get(b"group", ())]
    members = _members(trees)
    of_uuid = {part.uuid: place for place, part in enumerate(file.footprints) if part.uuid}
    sheets = _sheets(file.footprints)
    named = [*sheets]
    locked: set[int] = set()
    for number, group in enumerate(trees, 1):
        within = sorted({of_uuid[uuid] for uuid in members[number - 1] if uuid in of_uuid})
        locked.update(within if is_set(group, b"locked") else ())
        if len(within) > 1 and all(within != places for _, places in sheets):
            title = text_of(group[1]) if len(group) > 1 and isinstance(group[1], bytes) else ""
            named.append((title or f"group {number}", within))
    titles = _unique([*names, *(title for title, _ in named)])[len(names) :]
    blocks = {title: tuple(names[place] for place in within) for title, (_, within) in zip(titles, named, strict=True)}
    return Groups(blocks, frozenset(names[place] for place in locked))


def _members(groups: Sequence[Tree]) -> list[set[str]]:
    """Return the identifiers of all that is in each group, also in the groups within it."""
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
    """Return each sheet's name, which others may have too, and the places of the footprints in it."""
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

    # Sheets without a name get a number, under the name of the sheet above, which therefore comes first.
    titles, counts = dict[tuple[str, ...], str](), dict[tuple[str, ...], int]()
    for chain in sorted(chains, key=lambda chain: (len(chain), chain)):
        name, above = names.get(chain, ""), titles.get(chain[:-1], "")
        if not name:
            counts[chain[:-1]] = counts.get(chain[:-1], 0) + 1
            name = f"{above}/{counts[chain[:-1]]}" if above else f"sheet {counts[chain[:-1]]}"
        elif not name.startswith("/"):
            name = f"{above if above.endswith('/') else '/'}{name}/"
        titles[chain] = name
    return [(titles[chain], chains[chain]) for chain in sorted(chains, key=lambda chain: (titles[chain], chain))]


def _unique(references: Sequence[str]) -> list[str]:
    """Return the references, each with a number where it occurred before: the first number that makes a new name."""
    taken, count, names = set(references), dict[str, int](), list[str]()
    for reference in references:
        name = reference or "unnamed"
        count[name] = count.get(name, 0) + 1
        if count[name] > 1:
            while (numbered := f"{name}#{count[name]}") in taken:
                count[name] += 1
            name = numbered
        taken.add(name)
        names.append(name)
    return names


def _bounds(shapes: Sequence[BaseGeometry]) -> Bounds:
    """Return the box of all shapes; a millimeter about the origin where there are none."""
    if not shapes:
        return (-0.5, -0.5, 0.5, 0.5)
    boxes = np.array([shape.bounds for shape in shapes])
    (x0, y0), (x1, y1) = boxes[:, :2].min(axis=0).tolist(), boxes[:, 2:].max(axis=0).tolist()
    return (x0, y0, x1, y1)


def _after(pose: Pose, moves: Sequence[Move]) -> Pose:
    """Return the pose after the moves. Mere shifts add whole nanometers, the same ones back and forth."""
    if all(move.matrix[:4] == (1, 0, 0, 1) and not move.flips for move in moves):
        dx, dy = (sum(move.matrix[axis] for move in moves) for axis in (4, 5))
        return pose.model_copy(update={"x": pose.x + rounded_nanometers(dx), "y": pose.y + rounded_nanometers(dy)})
    before = Item("", "part", Point(), origin=(pose.x / MM, pose.y / MM), rotation=pose.angle, layer=LAYERS[pose.side])
    after = transformed(before, moves)
    assert after.origin is not None
    x, y = map(rounded_nanometers, after.origin)
    return Pose(x=x, y=y, angle=after.rotation, side="front" if after.layer == LAYERS["front"] else "back")
