"""Where a board as redraft reads it is not the board that KiCad reads."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import shapely
from pcbnew_facts import ERROR
from shapely.geometry.base import BaseGeometry

from redraft.layout.items import Item, Port
from redraft.studios.board.board import Board
from redraft.studios.board.kicad.model import MM, Footprint, Pad

KINDS = {"through": 0, "smd": 1, "connector": 2, "hole": 3}
"""As `pcbnew` numbers them."""
SHRUNK = 5_000
"""Nanometres by which `pcbnew` draws courtyards in on all sides, so that touching ones do not collide."""
FINE, COARSE = 1_000, 6_000
"""Nanometres; KiCad strays by 5 µm itself where it makes polygons of arcs in courtyards and custom pads."""
CUSTOM = 6


@dataclass
class Comparison:
    """What was compared, and what was different."""

    footprints: int = 0
    pads: int = 0
    courtyards: int = 0
    skipped: Counter[str] = field(default_factory=Counter[str])
    differences: list[str] = field(default_factory=list[str])
    worst: dict[str, float] = field(default_factory=dict[str, float])
    """Largest deviations: positions and boxes in nanometres, areas as a share."""

    def near(self, what: str, mine: float, theirs: float, allowed: float, where: str) -> None:
        off = abs(mine - theirs)
        self.worst[what] = max(self.worst.get(what, 0.0), off)
        if off > allowed:
            self.differences.append(f"{where}: {what} {mine:.10g}, in KiCad {theirs:.10g}")

    def same(self, what: str, mine: object, theirs: object, where: str) -> None:
        if mine != theirs:
            self.differences.append(f"{where}: {what} {mine!r}, in KiCad {theirs!r}")


def compare(board: Board, facts: dict[str, Any]) -> Comparison:
    """Everything that both know: count, poses, locks, pads, nets, courtyards."""
    found = Comparison()
    theirs: dict[str, list[dict[str, Any]]] = {}
    for one in facts["footprints"]:
        theirs.setdefault(_identity(one["uuid"]), []).append(one)
    found.same("number of footprints", len(board.file.footprints), len(facts["footprints"]), board.file.path.name)
    for name, place in board.names.items():
        mine = board.file.footprints[place]
        alike = theirs.get(_identity(mine.uuid), [])
        at = (mine.reference, mine.pose.x, mine.pose.y, mine.pose.side == "back")
        same = [one for one in alike if (one["reference"], *one["at"], one["back"]) == at]
        if same:
            alike.remove(same[0])
            _compare_footprint(found, name, mine, board.layout[name], same[0])
        else:
            found.differences.append(f"{name}: KiCad has none with {mine.uuid}, {at}")
    return found


def _identity(uuid: str) -> str:
    """KiCad 4 and 5 had eight digits, which today's KiCad fills up with zeros."""
    return uuid.lower().removeprefix("00000000-0000-0000-0000-0000").rjust(8, "0")


def _compare_footprint(found: Comparison, name: str, mine: Footprint, item: Item, theirs: dict[str, Any]) -> None:
    found.footprints += 1
    found.near("angle", (mine.pose.angle - theirs["angle"] + 180) % 360, 180, 1e-9, name)
    found.same("locked", mine.locked, theirs["locked"], name)
    found.same("value", mine.value, theirs["value"], name)
    found.same("number of pads", len(mine.pads), len(theirs["pads"]), name)
    _compare_pads(found, name, mine, item, theirs["pads"])
    own, other = ("rear", "front") if mine.pose.side == "back" else ("front", "rear")
    for side, shape in ((own, item.shape), (other, item.opposite)):
        if theirs[side]["outlines"] and shape is not None:
            found.courtyards += 1
            _compare_courtyard(found, f"{name} {side}", shape, theirs[side])
        elif theirs[side]["outlines"]:
            found.differences.append(f"{name}: no courtyard at the {side}, in KiCad there is one")
        else:
            found.skipped["malformed" if theirs["malformed"] else "none"] += side == own


def _compare_courtyard(found: Comparison, where: str, shape: BaseGeometry, theirs: dict[str, Any]) -> None:
    shrunk = shape.buffer(-SHRUNK / MM, join_style="mitre")
    straight = len(shapely.get_coordinates(shape)) < 40
    what = "courtyard: box" if straight else "round courtyard: box"
    _compare_box(found, what, shrunk.bounds, theirs["box"], FINE if straight else COARSE, where)
    found.near("area of a courtyard", shrunk.area * MM * MM / theirs["area"], 1, 1e-4 if straight else 1e-2, where)


def _compare_pads(found: Comparison, name: str, mine: Footprint, item: Item, theirs: list[dict[str, Any]]) -> None:
    seen = [pad for pad in mine.pads if pad.front or pad.back]
    pairs = sorted(zip(seen, item.ports[: len(seen)], strict=True), key=_mine_first)  # drawn copper comes behind
    copper = sorted((one for one in theirs if one["front"] or one["back"] or one["kind"] in {0, 3}), key=_theirs_first)
    found.same("number of pads with copper", len(seen), len(copper), name)
    for (pad, port), one in zip(pairs, copper, strict=False):
        _compare_pad(found, f"{name}.{pad.number}", pad, port, one)


def _mine_first(pair: tuple[Pad, Port]) -> tuple[Any, ...]:
    pad, port = pair
    x0, y0, *_ = port.core.bounds
    corner = [round((low - port.radius) * 10) for low in (x0, y0)]
    return (pad.number, _nm(port.at), round(pad.drill * 1000), pad.kind, corner, pad.front)


def _theirs_first(one: dict[str, Any]) -> tuple[Any, ...]:
    kind = next(kind for kind, number in KINDS.items() if number == one["kind"])
    corner = [round(low / MM * 10) for low in one["box"][:2]]
    return (one["number"], one["at"], round(one["drill"] / 1000), kind, corner, one["front"])


def _nm(at: tuple[float, float]) -> list[int]:
    return [round(at[0] * MM), round(at[1] * MM)]


def _compare_pad(found: Comparison, where: str, pad: Pad, port: Port, theirs: dict[str, Any]) -> None:
    found.pads += 1
    for mine, nanometres in zip(port.at, theirs["at"], strict=True):
        found.near("position of a pad", round(mine * MM), nanometres, 1, where)
    found.same("number", pad.number, theirs["number"], where)
    found.same("net", pad.net, theirs["net"], where)
    found.same("kind", KINDS[pad.kind], theirs["kind"], where)
    found.near("drill", pad.drill * MM, theirs["drill"], 1, where)
    shape = port.core.buffer(port.radius, quad_segs=512) if port.radius else port.core
    by_hand = theirs["shape"] == CUSTOM
    box, area = ("custom pad: box", "area of a custom pad") if by_hand else ("pad: box", "area of a pad")
    _compare_box(found, box, shape.bounds, theirs["box"], COARSE if by_hand else FINE, where)
    if theirs["area"]:
        rough = 0.0 if not port.radius else 2 * ERROR / (port.radius * MM)
        found.near(area, shape.area * MM * MM / theirs["area"], 1, 1e-2 if by_hand else 1e-3 + rough, where)


def _compare_box(
    found: Comparison, what: str, mine: tuple[float, ...], theirs: list[int], allowed: float, where: str
) -> None:
    for side, a, b in zip(("left", "top", "right", "bottom"), mine, theirs, strict=True):
        found.near(what, a * MM, b, allowed, f"{where} {side}")
