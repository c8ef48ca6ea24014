"""Small drawings as replies, written by hand for the tests."""

from __future__ import annotations

import json
from typing import Any


def as_reply(draft: dict[str, Any]) -> str:
    return f"```json\n{json.dumps(draft)}\n```"


def house(x: float = 0.3) -> dict[str, Any]:
    """A house with a roof and a door, standing at the bottom."""
    return {
        "approach": "a plain house",
        "plan": [
            {"name": "house", "label": "house", "parent": None},
            {"name": "roof", "label": "roof", "parent": "house"},
            {"name": "door", "label": "door", "parent": "house"},
        ],
        "strokes": [
            _rect("house", x, 0.5, 0.3, 0.3, "#f3dcb2"),
            {
                "part": "roof",
                "kind": "polyline",
                "points": [[x - 0.03, 0.505], [x + 0.15, 0.33], [x + 0.33, 0.505], [x - 0.03, 0.505]],
                "fill": "#b5533c",
                "stroke": "#5d4037",
                "width": 0.005,
            },
            _rect("door", x + 0.12, 0.62, 0.07, 0.18, "#795548"),
        ],
    }


def two_boxes(left: str, right: str, gap: float) -> dict[str, Any]:
    """Two things side by side, so far apart; a negative gap makes them overlap."""
    return {
        "approach": "two boxes",
        "plan": [{"name": left, "label": left, "parent": None}, {"name": right, "label": right, "parent": None}],
        "strokes": [
            _rect(left, 0.2, 0.5, 0.2, 0.3, "#8bc34a"),
            _rect(right, 0.4 + gap, 0.5, 0.2, 0.3, "#c0392b"),
        ],
    }


def _rect(part: str, x: float, y: float, w: float, h: float, fill: str) -> dict[str, Any]:
    return {
        "part": part,
        "kind": "rect",
        "x": round(x, 6),
        "y": y,
        "w": w,
        "h": h,
        "fill": fill,
        "stroke": "#5d4037",
        "width": 0.005,
    }


HOUSE = as_reply(house())

TREE_PATCH = as_reply(
    {
        "approach": "a tree to the left",
        "plan": [{"name": "tree", "label": "tree", "parent": None}],
        "strokes": [
            _rect("tree", 0.13, 0.65, 0.04, 0.15, "#795548"),
            {"part": "tree", "kind": "ellipse", "cx": 0.15, "cy": 0.55, "rx": 0.07, "ry": 0.12, "fill": "#4caf50"},
        ],
    }
)
