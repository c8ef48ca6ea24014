"""A compass in words, a fact a line: *U1 is in Center-Left zone. C1-C4 are unplaced. J1 is at Bottom-Edge.*"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from redraft.spatial.survey import Compass, Listed, Main, Zone

__all__ = ["words_of"]


def words_of(compass: Compass) -> str:
    """The text that a model reads."""
    return "\n".join(_lines(compass))


def _lines(compass: Compass) -> Iterator[str]:
    yield _frame(compass)
    if compass.unplaced:
        yield f"Unplaced: {_listed(compass.unplaced)}."
    if compass.locked:
        yield f"Locked: {_listed(compass.locked)}."
    yield from (_zone(zone, compass) for zone in compass.zones if zone.parts)
    if empty := [zone.name for zone in compass.zones if not zone.parts]:
        yield f"Empty zones: {', '.join(empty)}."
    yield from (f"{name}: {_listed(listed)}." for name, listed in compass.edges.items())
    if compass.main:
        nets = "" if compass.kind == "Scene" else " and shared nets (supplies left out)"
        yield f"Main parts, with nearest neighbours (gap of boxes){nets}:"
    yield from (_main(part, compass.unit) for part in compass.main)


def _name(ref: str) -> str:
    """A reference as it is; in quotes when it has the look of a sentence, for it is data and never one of ours."""
    return ref if " " not in ref else '"' + ref.replace('"', "'") + '"'


def _names(refs: Iterable[str]) -> str:
    return ", ".join(_name(ref) for ref in refs)


def _frame(compass: Compass) -> str:
    (x0, y0), (x1, y1) = compass.min, compass.max
    unit = f" {compass.unit}" if compass.unit != "canvas" else ""
    sides = ", ".join(f"{count} {layer}" for layer, count in compass.layers.items())
    what = compass.kind if compass.outline else f"{compass.kind} without an outline, its parts within"
    size = f"{what} {x1 - x0:.6g} × {y1 - y0:.6g}{unit}: x {x0:.6g} to {x1:.6g}, y {y0:.6g} to {y1:.6g}"
    count = f"{size}. {compass.parts} part{'s' * (compass.parts != 1)}{f': {sides}' if sides else ''}."
    return count if compass.outline else f"{count} Zones and edges are those of the parts; there is no edge to move to."


def _listed(listed: Listed) -> str:
    names = _names(listed.refs)
    if listed.complete:
        return names
    return f"{listed.count} parts, among them {names}" if names else f"{listed.count} parts"


def _zone(zone: Zone, compass: Compass) -> str:
    covered = [f"{layer} {percent} %" for layer, percent in zone.full.items()]
    if len(compass.layers) < 2:
        covered = [f"{percent} %" for percent in zone.full.values()]
    full = f", {' and '.join(covered)} full" if covered else ""
    count = f"{zone.parts} part{'s' * (zone.parts != 1)}"
    names = _names(zone.refs)
    if not zone.kinds:
        return f"{zone.name}: {names} ({count}{full})."
    kinds = ", ".join(f"{kind} ×{number}" for kind, number in zone.kinds.items())
    return f"{zone.name}: {count}{full}; {kinds}{f'; biggest {names}' if names else ''}."


def _main(part: Main, unit: str) -> str:
    pads = f"{part.pads} pads" if part.pads else ""
    size = f"{part.size[0]:.4g} × {part.size[1]:.4g}{f' {unit}' if unit != 'canvas' else ''}"
    facts = ", ".join(fact for fact in (part.type, part.layer, size, pads, "locked" * part.locked) if fact)
    place = "is unplaced" if part.zone == "unplaced" else f"is in {part.zone} zone"
    edge = f", at {part.edge}" if part.edge else ""
    near = ", ".join(f"{n.side} {_name(n.ref)} {n.gap:.6g}" for n in part.neighbours)
    links = ", ".join(f"{link.nets} with {_name(link.ref)}" for link in part.links)
    said = [f"{_name(part.ref)} ({facts}) {place}{edge}", near, f"shares {links}" if links else ""]
    return "; ".join(text for text in said if text) + "."
