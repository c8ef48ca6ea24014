"""The memory of a drawing: its parts with all their anchors, as text for prompts and as `drawing.json`."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from redraft.errors import RunFormatError, RunNotFoundError
from redraft.layout.items import anchors_of
from redraft.limits import RECORD, read_text
from redraft.studios.sketch.geometry import layout_of
from redraft.studios.sketch.spec import Drawing, compact

FILE = "drawing.json"
VERSION = 1

SCENERY = 0.85
"""Share of the canvas's width from which a thing is scenery, which "it" means last."""

_LINES = ",\n"
"""Between the entries of a list, one a line."""

_SHORT = {
    "center": "c", "left": "l", "right": "r", "top": "t", "bottom": "b",
    "top_left": "tl", "top_right": "tr", "bottom_left": "bl", "bottom_right": "br",
}  # fmt: skip


def anchors_text(drawing: Drawing, names: Collection[str]) -> str:
    """Return a line for each named part, children under their parents: label, size, the nine anchors of its box."""
    layout = layout_of(drawing)
    lines = [", ".join(f"{short} = {name}" for name, short in _SHORT.items())]
    waiting = [(p.name, 0) for p in reversed(drawing.plan) if p.parent is None]
    while waiting:
        name, depth = waiting.pop()
        waiting += [(p.name, depth + 1) for p in reversed(drawing.plan) if p.parent == name]
        if name not in names:
            continue
        x0, y0, x1, y1 = layout.bounds(name)
        anchors = " ".join(f"{_SHORT[k]}=({x:.3f},{y:.3f})" for k, (x, y) in anchors_of((x0, y0, x1, y1)).items())
        label = json.dumps(layout[name].label, ensure_ascii=False)
        lines.append(f"{'  ' * depth}{name} {label} {x1 - x0:.3f} x {y1 - y0:.3f}: {anchors}")
    return "\n".join(lines)


def nouns_of(drawing: Drawing | None) -> tuple[str, ...]:
    """Return what "it" may mean in a sentence about this drawing: the labels of its things, the largest first.

    What spans the canvas is scenery and comes last.
    """
    if drawing is None:
        return ()
    layout = layout_of(drawing)

    def order(name: str) -> tuple[bool, float]:
        x0, _, x1, _ = layout.bounds(name)
        return (x1 - x0 > SCENERY, -layout.whole(name).area)

    return tuple(dict.fromkeys(layout[name].label for name in sorted((i.name for i in layout.roots), key=order)))


def as_json(drawing: Drawing) -> str:
    """Return the file `drawing.json`: version, parts with boxes and anchors, plan, strokes and requirements."""
    layout = layout_of(drawing)
    parts: list[str] = []
    for part in drawing.plan:
        bounds = layout.bounds(part.name)  # with its parts
        fields: dict[str, Any] = {
            "name": part.name,
            "label": part.label,
            "parent": part.parent,
            "bbox": [round(v, 6) for v in bounds],
            "anchors": {k: [round(x, 6), round(y, 6)] for k, (x, y) in anchors_of(bounds).items()},
        }
        parts.append(_dump(fields))
    sections = {
        "parts": parts,
        "plan": [compact(part) for part in drawing.plan],
        "strokes": [compact(stroke) for stroke in drawing.strokes],
        "requirements": [_dump(statement) for statement in drawing.requirements],
    }
    lists = ",\n".join(f'"{name}":[\n{_LINES.join(lines)}\n]' for name, lines in sections.items())
    return f'{{"version":{VERSION},\n{lists}}}\n'


def _dump(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def read_json(text: str, where: str) -> Drawing:
    """Return a drawing from the text of a `drawing.json`; boxes and anchors are derived and not read.

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
        stored = {k: fields.get(k) for k in ("plan", "strokes")} | {"requirements": fields.get("requirements", [])}
        return Drawing.model_validate_json(json.dumps(stored))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise RunFormatError(f"{where} is damaged at {'.'.join(map(str, first['loc']))}: {first['msg']}.") from error


def load(folder: Path) -> Drawing:
    """Return the drawing of a run folder.

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
