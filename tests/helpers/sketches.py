"""Drawings for tests of the sketch studio: one that somebody would draw, and one with every kind of stroke."""

from __future__ import annotations

import json
from typing import Any

from redraft.studios.sketch.spec import Drawing

Json = dict[str, Any]

HOUSE: Json = {
    "plan": [
        {"name": "ground", "label": "ground", "parent": None},
        {"name": "house", "label": "house", "parent": None},
        {"name": "roof", "label": "roof", "parent": "house"},
        {"name": "door", "label": "door", "parent": "house"},
        {"name": "knob", "label": "doorknob", "parent": "door"},
        {"name": "tree", "label": "tree", "parent": None},
        {"name": "crown", "label": "crown", "parent": "tree"},
    ],
    "strokes": [
        {"part": "ground", "kind": "rect", "x": 0, "y": 0.8, "w": 1, "h": 0.2, "fill": "#8bc34a"},
        {"part": "house", "kind": "rect", "x": 0.5, "y": 0.5, "w": 0.3, "h": 0.3, "fill": "#f3dcb2", "stroke": "brown"},
        {"part": "roof", "kind": "path", "d": "M 0.46 0.5 L 0.65 0.34 L 0.84 0.5 Z", "fill": "#b5432e"},
        {"part": "door", "kind": "rect", "x": 0.62, "y": 0.65, "w": 0.06, "h": 0.15, "fill": "#8d5a2b"},
        {"part": "knob", "kind": "ellipse", "cx": 0.67, "cy": 0.73, "rx": 0.004, "ry": 0.004, "fill": "gold"},
        {"part": "tree", "kind": "line", "points": [[0.2, 0.8], [0.2, 0.55]], "stroke": "#795548", "width": 0.03},
        {"part": "crown", "kind": "ellipse", "cx": 0.2, "cy": 0.45, "rx": 0.1, "ry": 0.13, "fill": "#4caf50"},
    ],
}
PARTED: Json = {
    "plan": [{"name": name, "label": name, "parent": None} for name in ("house", "roof")],
    "strokes": [
        {"part": "house", "kind": "rect", "x": 0.3, "y": 0.5, "w": 0.4, "h": 0.32, "fill": "#f3dcb2"},
        {"part": "roof", "kind": "rect", "x": 0.3, "y": 0.3, "w": 0.4, "h": 0.15, "fill": "#b5432e"},
    ],
    "requirements": [{"kind": "relation", "parts": ["roof"], "relation": "touches", "of": ["house"]}],
}
"""The roof is 0.05 above the house that it has to touch."""

_PEN = {"stroke": "red", "width": 0.012}

KINDS: tuple[Json, ...] = (
    {"kind": "line", "points": [[0.05, 0.05], [0.2, 0.15]], "stroke": "navy", "width": 0.02},
    {"kind": "polyline", "points": [[0.3, 0.05], [0.4, 0.2], [0.2, 0.2]], "stroke": "#333", "fill": "gold"},
    {"kind": "path", "d": "M.45.15c0-.1.05-.13.075-.06.025-.07.075-.04.075.06s-.1.05-.15 0z", "fill": "pink"},
    {"kind": "path", "d": "M .7 .1 h .2 v .2 h -.2 z m .05 .05 v .1 h .1 v -.1 z", "fill": "teal"},
    {"kind": "path", "d": "M .1 .5 A .05 .08 20 1 1 .2 .5 q .05 .1 .1 0 t .1 0", **_PEN},
    {"kind": "rect", "x": 0.5, "y": 0.4, "w": 0.15, "h": 0.1, "fill": "tan", **_PEN},
    {"kind": "rect", "x": 0.7, "y": 0.4, "w": 0.2, "h": 0.1, "r": 0.03, "fill": "tan"},
    {"kind": "ellipse", "cx": 0.2, "cy": 0.7, "rx": 0.1, "ry": 0.05, "angle": 30, "fill": "plum", **_PEN},
    {"kind": "ellipse", "cx": 0.45, "cy": 0.7, "rx": 0.06, "ry": 0.06, "stroke": "indigo", "width": 0.02},
    {"kind": "arc", "cx": 0.65, "cy": 0.7, "rx": 0.08, "ry": 0.05, "start": 110, "end": 250, **_PEN},
    {"kind": "arc", "cx": 0.85, "cy": 0.7, "rx": 0.06, "ry": 0.06, "start": 300, "end": 30, "fill": "orange"},
    {"kind": "text", "x": 0.5, "y": 0.95, "size": 0.08, "text": "Größe 12 <&>", "fill": "black"},
)


def drawing_of(data: Json) -> Drawing:
    return Drawing.model_validate_json(json.dumps(data))


def house() -> Drawing:
    return drawing_of(HOUSE)


def kinds() -> Drawing:
    """Every kind of stroke, each as a part of its own."""
    names = [f"part_{i}" for i in range(len(KINDS))]
    plan = [{"name": n, "label": k["kind"], "parent": None} for n, k in zip(names, KINDS, strict=True)]
    return drawing_of({"plan": plan, "strokes": [{"part": n, **k} for n, k in zip(names, KINDS, strict=True)]})


def reply_of(data: Json) -> str:
    """As a model would send it."""
    return f"Here it is.\n\n```json\n{json.dumps(data, indent=1)}\n```\n"
