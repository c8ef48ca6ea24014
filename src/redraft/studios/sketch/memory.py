"""The memory of a drawing: its parts with all their anchors, as text for prompts and as `drawing.json`."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from redraft.errors import RunFormatError, RunNotFoundError
from redraft.layout.items import Layout, anchors_of
from redraft.limits import RECORD, read_text
from redraft.studios.sketch.geometry import layout_of
from redraft.studios.sketch.spec import Drawing, compact

FILE = "drawing.json"
VERSION = 1

_SCENERY = 0.85
"""Of the canvas's width."""

_SHORT = {
    "center": "c", "left": "l", "right": "r", "top": "t", "bottom": "b",
    "top_left": "tl", "top_right": "tr", "bottom_left": "bl", "bottom_right": "br",
}  # fmt: skip


def anchors_text(drawing: Drawing, names: Collection[str]) -> str:
    """One line a named part, children under their parents: label, width and height, the nine anchors of its box."""
    layout = layout_of(drawing)
    lines = [", ".join(f"{short} = {name}" for name, short in _SHORT.items())]
    for name, depth in _tree(drawing):
        if name not in names:
            continue
        x0, y0, x1, y1 = layout.bounds(name)
        anchors = " ".join(f"{_SHORT[k]}=({x:.3f},{y:.3f})" for k, (x, y) in anchors_of((x0, y0, x1, y1)).items())
        label = json.dumps(layout[name].label, ensure_ascii=False)
        lines.append(f"{'  ' * depth}{name} {label} {x1 - x0:.3f} x {y1 - y0:.3f}: {anchors}")
    return "\n".join(lines)


def _tree(drawing: Drawing) -> list[tuple[str, int]]:
    """Names in plan order, each followed by its parts, with their depth."""
    found: list[tuple[str, int]] = []
    waiting = [(p.name, 0) for p in reversed(drawing.plan) if p.parent is None]
    while waiting:
        name, depth = waiting.pop()
        found.append((name, depth))
        waiting += [(p.name, depth + 1) for p in reversed(drawing.plan) if p.parent == name]
    return found


def nouns_of(drawing: Drawing | None) -> tuple[str, ...]:
    """What "it" may mean in a sentence about this drawing: the labels of its things, the largest first.

    What spans the canvas is scenery and comes last.
    """
    if drawing is None:
        return ()
    layout = layout_of(drawing)

    def order(name: str) -> tuple[bool, float]:
        x0, _, x1, _ = layout.bounds(name)
        return (x1 - x0 > _SCENERY, -layout.whole(name).area)

    return tuple(dict.fromkeys(layout[name].label for name in sorted((i.name for i in layout.roots), key=order)))


def as_json(drawing: Drawing) -> str:
    """The file `drawing.json`: version, parts with boxes and anchors (of each with its parts), plan, strokes and
    requirements."""
    layout = layout_of(drawing)
    parts = ",\n".join(_dump(_part(layout, p.name)) for p in drawing.plan)
    plan, strokes = (",\n".join(compact(m) for m in models) for models in (drawing.plan, drawing.strokes))
    stated = ",\n".join(_dump(statement) for statement in drawing.requirements)
    return (
        f'{{"version":{VERSION},\n"parts":[\n{parts}\n],\n"plan":[\n{plan}\n],\n"strokes":[\n{strokes}\n],\n'
        f'"requirements":[\n{stated}\n]}}\n'
    )


def _part(layout: Layout, name: str) -> dict[str, Any]:
    item, bounds = layout[name], layout.bounds(name)
    return {
        "name": item.name,
        "label": item.label,
        "parent": item.parent,
        "bbox": [round(v, 6) for v in bounds],
        "anchors": {k: [round(x, 6), round(y, 6)] for k, (x, y) in anchors_of(bounds).items()},
    }


def _dump(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def read_json(text: str, where: str) -> Drawing:
    """A drawing from the text of a `drawing.json`; boxes and anchors are derived and not read.

    Raises:
        RunFormatError: it is damaged, or of another version.
    """
    try:
        data: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RunFormatError(
            f"{where} is not JSON ({error}); it was probably cut off. Draw again without --on."
        ) from error
    fields = cast("dict[str, Any]", data) if isinstance(data, dict) else {}
    if (version := fields.get("version")) != VERSION:
        raise RunFormatError(f"{where} has the version {version!r}; this redraft reads version {VERSION}.")
    try:
        kept = {k: fields.get(k) for k in ("plan", "strokes")} | {"requirements": fields.get("requirements", [])}
        return Drawing.model_validate_json(json.dumps(kept))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise RunFormatError(f"{where} is damaged at {'.'.join(map(str, first['loc']))}: {first['msg']}.") from error


def load(folder: Path) -> Drawing:
    """The drawing that a run folder holds.

    Raises:
        RunNotFoundError: no such folder, or no drawing in it. RunFormatError: it is damaged.
    """
    file = folder / FILE
    if not folder.is_dir():
        raise RunNotFoundError(f"{str(folder)!r} is not a run folder; --on takes the folder of an earlier run.")
    if not file.exists():
        raise RunNotFoundError(f"The run folder {str(folder)!r} holds no {FILE}; a run that delivered a drawing does.")
    try:
        return read_json(read_text(file, RECORD), str(file))
    except (OSError, UnicodeDecodeError) as error:
        raise RunFormatError(f"{file} cannot be read: {error}.") from error
