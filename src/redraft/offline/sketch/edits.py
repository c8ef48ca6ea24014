"""Edits as patches, by rule: which parts a noun means, and what to do to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from redraft.english.words import singular
from redraft.offline import planner
from redraft.offline.lexicon import find, hex_of
from redraft.spatial import relations
from redraft.spatial.edits import Edit, Recolour, Remove, Resize, Shift
from redraft.spatial.layout import Bounds, Item, Layout
from redraft.spatial.reading import Place, Relate
from redraft.studios.sketch.spec import Drawing

__all__ = ["PatchDraft", "addition", "changed", "merged"]

PatchDraft = dict[str, list[Any]]
"""Fields of a patch, as JSON."""

EDGE = 0.02


def addition(text: str, layout: Layout, nouns: Sequence[str], seed: int) -> PatchDraft:
    """New things, placed relative to what is there."""
    scene = planner.plan(relations.read(text, present=nouns), seed=seed, existing=layout)
    plan, strokes = planner.paint(scene, seed=seed)
    return {"plan": plan, "strokes": strokes} if plan else {}


def merged(patches: Sequence[PatchDraft]) -> PatchDraft:
    """Several patches as one; the same new name is not planned twice."""
    found: PatchDraft = {}
    for patch in patches:
        for key, entries in patch.items():
            found.setdefault(key, []).extend(entries)
    return found


def changed(edit: Edit, drawing: Drawing, layout: Layout, seed: int) -> PatchDraft:
    """The patch of one edit; empty when nothing is there that it names."""
    if isinstance(edit, Recolour | Remove | Resize | Shift):
        items = _meant(layout, edit.noun, edit.whole if not isinstance(edit, Shift) else None)
        match edit:
            case Recolour():
                return _repainted(items, layout, drawing, edit.colour)
            case Remove():
                kept = len(items) - (edit.number if edit.number is not None else len(items))
                return {"remove": [i.name for i in items[max(0, kept) :]]} if items else {}
            case Resize():
                return {"scale": [_scaled(i, edit.factor) for i in items]} if items else {}
            case Shift():
                return _moved(items, layout, edit, seed) if items else {}
    return {}


def _meant(layout: Layout, noun: str, whole: str | None) -> list[Item]:
    """The items that a noun names: top-level things first, else parts, else what the lexicon calls by another name."""
    one = singular(noun)[0]
    items = [i for i in layout if i.label == one or i.label.endswith(f" {one}") or i.label == noun]
    if not items:
        entry = find(noun)
        items = [i for i in layout.roots if entry is not None and find(i.label) is entry]
    if whole is not None:
        items = [i for i in items if layout.root_of(i.name).label.endswith(whole)] or items
    roots = [i for i in items if i.parent is None]
    found = roots or items
    names = {i.name for i in found}
    return [i for i in found if i.parent not in names]


def _repainted(items: Sequence[Item], layout: Layout, drawing: Drawing, colour: str) -> PatchDraft:
    """Repaint each item and those of its parts that have its main colour."""
    value = hex_of(colour)
    if value is None or not items:
        return {}
    found: list[dict[str, str]] = []
    for item in items:
        family = layout.family(item.name)
        main = next((f for f in (_main(drawing, i.name) for i in family) if f is not None), None)
        if main is None:
            found += [{"part": i.name, "stroke": value} for i in family]
        found += [
            {"part": i.name, "fill": value} for i in family if main is not None and _main(drawing, i.name) == main
        ]
    return {"restyle": found}


def _main(drawing: Drawing, name: str) -> str | None:
    """A part's own first fill."""
    fills = [fill for s in drawing.strokes if s.part == name if (fill := getattr(s, "fill", "none")) != "none"]
    return fills[0] if fills else None


def _scaled(item: Item, factor: float) -> dict[str, object]:
    entry = find(item.label)
    standing = entry is not None and entry.rests in {"ground", "lies"}
    return {"part": item.name, "factor": min(50.0, max(0.02, factor)), "about": "bottom" if standing else "center"}


def _moved(items: Sequence[Item], layout: Layout, edit: Shift, seed: int) -> PatchDraft:
    box = _around([layout.bounds(i.name) for i in items])
    if edit.way == "to":
        return _put(items, _to(edit, box, items, layout, seed), box)
    dx, dy = _step(edit, box, items, layout)
    dx = min(max(dx, EDGE - box[0]), 1 - EDGE - box[2])
    dy = min(max(dy, EDGE - box[1]), 1 - EDGE - box[3])
    return {"move": [{"part": i.name, "dx": round(dx, 6), "dy": round(dy, 6)} for i in items]}


def _put(items: Sequence[Item], new: Bounds | None, old: Bounds) -> PatchDraft:
    """Move to a new box, and shrink about the centre where there is less room than before."""
    if new is None:
        return {}
    dx, dy = (new[0] + new[2] - old[0] - old[2]) / 2, (new[1] + new[3] - old[1] - old[3]) / 2
    factor = (new[2] - new[0]) / (old[2] - old[0])
    patch: PatchDraft = {"move": [{"part": i.name, "dx": round(dx, 6), "dy": round(dy, 6)} for i in items]}
    if factor < 0.999 and len(items) == 1:
        patch["scale"] = [{"part": items[0].name, "factor": round(factor, 6), "about": "center"}]
    return patch


def _step(edit: Shift, box: Bounds, items: Sequence[Item], layout: Layout) -> tuple[float, float]:
    """A step in a direction; toward or away from its neighbour for "closer" and "away"."""
    steps: Mapping[str, tuple[float, float]] = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
    if edit.way in steps:
        ux, uy = steps[edit.way]
        return ux * edit.amount, uy * edit.amount
    other = _neighbour(edit, box, items, layout)
    if other is None:
        return 0.0, 0.0
    gap = max(other[0] - box[2], box[0] - other[2])
    side = 1.0 if other[0] + other[2] > box[0] + box[2] else -1.0
    if edit.way == "away":
        return -side * edit.amount, 0.0
    return side * max(0.0, min(gap * 0.6, gap - 0.03)), 0.0


def _neighbour(edit: Shift, box: Bounds, items: Sequence[Item], layout: Layout) -> Bounds | None:
    """What it is moved toward: what was named, else the nearest thing on the same level."""
    mine = {i.name for i in items}
    named = _meant(layout, edit.toward, None) if edit.toward else []
    others = [i for i in (named or layout.roots) if i.name not in mine]
    boxes = [b for b in (layout.bounds(i.name) for i in others) if b[2] - b[0] < 0.85 or named]
    level = [b for b in boxes if b[1] < box[3] and box[1] < b[3]] or boxes
    return min(level, key=lambda b: abs(b[0] + b[2] - box[0] - box[2]), default=None)


def _to(edit: Shift, box: Bounds, items: Sequence[Item], layout: Layout, seed: int) -> Bounds | None:
    """Where the planner would put it, were it not there yet: at its size, or as much smaller as is needed."""
    gone = {n.name for i in items for n in layout.family(i.name)}
    rest = Layout(tuple(i for i in layout if i.name not in gone), layout.frame)
    reading = relations.read(edit.to)
    if not any(isinstance(c, Relate | Place) for c in reading.constraints):
        return None
    for share in (1.0, 0.8, 0.6, 0.45, 0.3):
        size = {edit.noun: ((box[2] - box[0]) * share, (box[3] - box[1]) * share)}
        scene = planner.plan(reading, seed=seed, existing=rest, sizes=size)
        new = next((o.box for o in scene.objects if o.noun == edit.noun), None)
        if new is not None and not scene.unmet:
            return new
    return None


def _around(boxes: Sequence[Bounds]) -> Bounds:
    return (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))
