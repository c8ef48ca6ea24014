"""The drawings that the rule benchmarks read, as layouts."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from redraft.spatial.layout import Layout
from redraft.studios.sketch.geometry import layout_of
from redraft.studios.sketch.spec import Draft

__all__ = ["Clean", "clean_drawings", "sixteen"]

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Clean:
    """A drawing without faults. `counted` are labels whose number its instruction states, `stated` pairs it relates."""

    name: str
    held_out: bool
    instruction: str
    counted: tuple[str, ...]
    stated: tuple[tuple[str, str], ...]
    layout: Layout


def _layout(path: Path) -> Layout:
    data = json.loads(path.read_text(encoding="utf-8")) | {"approach": ""}
    return layout_of(Draft.model_validate_json(json.dumps(data)).drawing)


def _index() -> dict[str, Any]:
    return cast("dict[str, Any]", json.loads((DATA / "rules" / "index.json").read_text(encoding="utf-8")))


def sixteen() -> list[tuple[str, str, Layout]]:
    """Number, instruction and layout of the sixteen first answers."""
    texts = cast("dict[str, str]", _index()["sixteen"])
    return [(number, text, _layout(DATA / "oneshot" / f"{number}.json")) for number, text in texts.items()]


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
        layout=_layout(path),
    )
