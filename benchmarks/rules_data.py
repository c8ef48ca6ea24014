"""The drawings that the rule benchmarks read: first drafts of a capable model, and drawings without faults."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

from redraft.layout.items import Bounds, Layout
from redraft.layout.requirements import Requirement
from redraft.layout.requirements.kinds import measure
from redraft.studios.sketch.geometry import layout_of
from redraft.studios.sketch.parse import parse
from redraft.studios.sketch.spec import Draft, Drawing

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True)
class First:
    """A drawing that a capable model gave at once."""

    name: str
    brief: str
    drawing: Drawing

    @property
    def layout(self) -> Layout:
        return layout_of(self.drawing)


@dataclass(frozen=True)
class Clean:
    """A drawing without faults. `counted` are labels whose number its instruction states, `stated` pairs it relates."""

    name: str
    held_out: bool
    instruction: str
    counted: tuple[str, ...]
    stated: tuple[tuple[str, str], ...]
    layout: Layout


def _drawing(path: Path) -> Drawing:
    data = json.loads(path.read_text(encoding="utf-8"))
    return Drawing.model_validate_json(json.dumps({key: data[key] for key in ("plan", "strokes")}))


def _index() -> dict[str, Any]:
    return cast("dict[str, Any]", json.loads((DATA / "rules" / "index.json").read_text(encoding="utf-8")))


def first_drafts() -> list[First]:
    """The sixteen of `oneshot`, by number, the twelve of `blind`, by name, and the first of each recorded run."""
    texts = cast("dict[str, str]", _index()["sixteen"])
    drafts = [First(number, text, _drawing(DATA / "oneshot" / f"{number}.json")) for number, text in texts.items()]
    blind = sorted((DATA / "blind").glob("*.json"))
    drafts += [First(p.stem, json.loads(p.read_text(encoding="utf-8"))["brief"], _drawing(p)) for p in blind]
    for path in sorted((DATA / "recordings").glob("*.jsonl")):
        head, *rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        spec = parse("draft", next(row["text"] for row in rows if row["kind"] == "sketch.draft"), None)
        assert isinstance(spec, Draft), path
        drafts.append(First(path.stem, head["brief"], spec.drawing))
    return drafts


def clean_drawings() -> list[Clean]:
    """All drawings that faults are put into."""
    return [_clean(entry) for entry in cast("list[dict[str, Any]]", _index()["drawings"])]


def _clean(entry: dict[str, Any]) -> Clean:
    path = (DATA / "rules" / entry["file"]).resolve()
    return Clean(
        name=path.stem,
        held_out=entry["set"] == "held out",
        instruction=entry["instruction"],
        counted=tuple(entry["counted"]),
        stated=tuple((a, b) for a, b in entry["stated"]),
        layout=layout_of(_drawing(path)),
    )


def requirements_of(clean: Clean) -> tuple[Requirement, ...]:
    """What a model would state of a clean drawing: its numbers, its relations, its even rows, its mirrored pairs.

    From the index and the names of the parts; what does not hold in the clean drawing is not stated.
    """
    layout, found = clean.layout, list[dict[str, Any]]()
    for label in clean.counted:
        names = [i.name for i in layout if i.label == label]
        stem = names[0].rstrip("0123456789") if len(names) > 1 else names[0]
        pattern = f"{stem.removesuffix('left').removesuffix('right')}*"
        found.append({"kind": "count", "parts": (pattern,), "number": len(names)})
    for one, other in clean.stated:
        found.append({"kind": "relation", "parts": (one,), "of": (other,), "relation": _direction(layout, one, other)})
    for row in rows_of(layout):
        found.append({"kind": "spacing", "parts": tuple(row), "axis": "x"})
    for left in (i.name for i in layout if "left" in i.name):
        right = left.replace("left", "right")
        if right in layout and layout[left].parent == layout[right].parent is not None:
            found.append({"kind": "symmetry", "parts": (left, right), "of": (layout[left].parent,)})
    requirements = tuple(Requirement(id=f"r{n}", **raw) for n, raw in enumerate(found, 1))
    held = {m.id for m in measure(requirements, layout) if m.outcome != "broken"}
    return tuple(r for r in requirements if r.id in held)


def _direction(layout: Layout, one: str, other: str) -> str:
    (ax, ay), (bx, by) = _center(layout.bounds(one)), _center(layout.bounds(other))
    if abs(ax - bx) >= abs(ay - by):
        return "left_of" if ax < bx else "right_of"
    return "above" if ay < by else "below"


def _center(b: Bounds) -> tuple[float, float]:
    return ((b[0] + b[2]) / 2, (b[1] + b[3]) / 2)


def rows_of(layout: Layout) -> list[list[str]]:
    """Even rows of three or more like things, by label and parent."""
    kinds: dict[tuple[str, str | None], list[str]] = {}
    for item in layout:
        noun = item.label.split()[-1] if item.label else ""
        kinds.setdefault((noun, item.parent), []).append(item.name)
    return [order for names in kinds.values() if (order := _even(layout, names)) is not None]


def _even(layout: Layout, names: list[str]) -> list[str] | None:
    order = sorted(names, key=lambda n: layout.bounds(n)[0])
    boxes = [layout.bounds(n) for n in order]
    gaps = [b[0] - a[2] for a, b in pairwise(boxes)]
    feet = [b[3] for b in boxes]
    if len(order) < 3 or min(gaps) <= 0.01 or max(gaps) - min(gaps) >= 0.003 or max(feet) - min(feet) >= 0.01:
        return None
    return order
