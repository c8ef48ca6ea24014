"""Oracles: whether a result is what its task asks for, read from its files alone. No run ever learns of them.

They share nothing with the requirements and the rules that judge within a run.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

from redraft.bench.facts import facts_of, kept
from redraft.bench.tasks import Facts, Oracle, Picture, Things, Wires
from redraft.bench.things import CONTACT, Thing, around, lineage, statements
from redraft.events import RunFinished, RunStarted
from redraft.journal import read_events

if TYPE_CHECKING:
    from redraft.metrics.base import Pixels

__all__ = ["BLANK", "Answer", "Evidence", "answer", "evidence_of", "png_of", "scene_things"]

SIDE = 256
"""Pixels at which pictures are compared."""


@dataclass(frozen=True)
class Evidence:
    """What oracles read of one result."""

    things: tuple[Thing, ...] = ()
    prompt: str = ""
    picture: bytes = field(default=b"", repr=False)
    """PNG; empty for a blank one."""
    frames: tuple[Path, ...] = ()
    """Of a moving picture."""
    wires: float = math.inf
    """Wire length as a share of that of the board as given."""


BLANK = Evidence()
"""An empty result: what holds of it is no evidence."""


@dataclass(frozen=True)
class Answer:
    """The oracles' answer: whether all hold, the share of statements that hold, and those that do not."""

    holds: bool
    share: float
    wrong: tuple[str, ...] = ()


def evidence_of(run: Path) -> Evidence:
    """Read what a run delivered; `BLANK` where it delivered nothing."""
    first, *_, last = read_events(run)
    if not isinstance(first, RunStarted) or not isinstance(last, RunFinished) or last.report is None:
        return BLANK
    files = {role: run / name for role, name in last.files.items()}
    things, wires = tuple[Thing, ...](), math.inf
    if first.studio == "board":
        things, wires = _board(files["json"])
    elif first.studio in _READERS:
        things = _READERS[first.studio](json.loads(files["json"].read_bytes()))
    return Evidence(
        things=things,
        prompt=files["prompt"].read_text("utf-8") if "prompt" in files else "",
        picture=files["png"].read_bytes() if "png" in files else b"",
        frames=tuple(sorted(files["frames"].iterdir())) if "frames" in files else (),
        wires=wires,
    )


def _drawing(data: Any) -> tuple[Thing, ...]:
    from pydantic import TypeAdapter
    from shapely import union_all

    from redraft.studios.sketch.geometry import painted
    from redraft.studios.sketch.strokes import Stroke

    areas: dict[str, list[tuple[float, str, Any]]] = {part["name"]: [] for part in data["parts"]}
    parents = {part["name"]: part["parent"] or "" for part in data["parts"]}
    strokes = TypeAdapter[tuple[Stroke, ...]](tuple[Stroke, ...]).validate_json(json.dumps(data["strokes"]))
    for stroke in strokes:
        shape = painted(stroke)
        color = stroke.stroke if stroke.fill == "none" else stroke.fill
        for above in lineage(stroke.part, parents):
            areas[above].append((shape.area, color, shape))
    found = [
        Thing(
            name,
            tuple(part["bbox"]),
            label=part["label"],
            parent=parents[name],
            group=not any(stroke.part == name for stroke in strokes),
            color=max(areas[name], key=lambda one: one[0])[1] if areas[name] else "",
            shape=union_all([shape for _, _, shape in areas[name]]),
            parts=frozenset(one for one in parents if name in lineage(one, parents)),
        )
        for part in data["parts"]
        for name in [part["name"]]
    ]
    return tuple(found)


def scene_things(data: Any) -> tuple[Thing, ...]:
    """Things as the camera sees them, in a parallel view."""
    facts = data["facts"]
    shown = {thing["name"]: thing for thing in facts["things"] if not thing["hidden"]}
    camera = facts["camera"] or {"right": (1, 0, 0), "up": (0, 0, 1), "forward": (0, 1, 0), "location": (0, 0, 0)}
    touching, sunk = _pairs(facts, "gap", most=CONTACT), _pairs(facts, "depth", least=CONTACT)
    feet = {one["name"]: shown[one["name"]]["box"] for one in facts["rests"] if one["name"] in shown}
    lowest = min((box[2] for box in feet.values() if box), default=0.0)
    more = {name for name, box in feet.items() if box and box[2] <= lowest + CONTACT}
    firm = set[str]()
    while more:
        firm |= more
        more = {other for name in more for other in touching.get(name, ())} - firm
    parents = {name: thing["parent"] or "" for name, thing in shown.items()}
    below: dict[str, list[str]] = {}
    for name in shown:
        for above in lineage(name, parents):
            below.setdefault(above, []).append(name)
    found: list[Thing] = []
    for name, thing in shown.items():
        parts, root = [shown[part] for part in below[name]], lineage(name, parents)[-1]
        solids = [tuple(part["box"]) for part in parts if part["box"]]
        if not solids:
            continue
        solid = reduce(around, solids)
        corners = [(solid[i], solid[1 + j], solid[2 + k]) for i in (0, 3) for j in (0, 3) for k in (0, 3)]
        xs = [_dot(corner, camera["right"]) for corner in corners]
        ys = [-_dot(corner, camera["up"]) for corner in corners]
        center = [(solid[i] + solid[i + 3]) / 2 for i in range(3)]
        bare = sum(part["bare"] for part in parts)
        whole = 1 - max(part["outside"] for part in parts)
        largest = max(parts, key=lambda part: part["pixels"])
        found.append(
            Thing(
                name,
                (min(xs), min(ys), max(xs), max(ys)),
                solid,
                parent=parents[name],
                group=thing["box"] is None,
                color=next(iter(largest["colours"]), ""),
                seen=min(1.0, sum(part["pixels"] for part in parts) / bare) * whole if bare else 0.0,
                depth=_dot([a - b for a, b in zip(center, camera["location"], strict=True)], camera["forward"]),
                parts=frozenset(below[name]),
                roots=frozenset({root}),
                touching=touching.get(root, frozenset()),
                sunk=sunk.get(root, frozenset()),
                firm=root in firm,
            )
        )
    return tuple(found)


def _pairs(facts: Any, measure: str, *, least: float = -1, most: float = math.inf) -> dict[str, frozenset[str]]:
    """For each top-level thing those whose contact with it has such a measure."""
    found: dict[str, frozenset[str]] = {}
    for one in facts["contacts"]:
        if least < one[measure] <= most:
            for a, b in ((one["a"], one["b"]), (one["b"], one["a"])):
                found[a] = found.get(a, frozenset()) | {b}
    return found


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(p * q for p, q in zip(a, b, strict=True))


_READERS: Mapping[str, Callable[[Any], tuple[Thing, ...]]] = {
    "sketch": _drawing,
    "scene": scene_things,
}
"""How the record of a studio's result is read as things."""


def _board(record: Path) -> tuple[tuple[Thing, ...], float]:
    from redraft.spatial.wires import wire_length
    from redraft.studios.board.placement import Placement, layout_of, unmoved

    placement = Placement.model_validate_json(record.read_bytes())
    after, before = layout_of(placement), wire_length(layout_of(unmoved(placement)))
    things = tuple(Thing(item.name, item.shape.bounds) for item in after.items)
    return things, wire_length(after) / before if before else math.inf


def answer(oracles: Sequence[Oracle], evidence: Evidence) -> Answer | None:
    """What the oracles say of a result; None without an oracle."""
    if not oracles:
        return None
    said = [one for oracle in oracles for one in _statements(oracle, evidence)]
    wrong = tuple(words for words, holds in said if not holds)
    return Answer(not wrong, 1 - len(wrong) / len(said), wrong)


def _statements(oracle: Oracle, evidence: Evidence) -> list[tuple[str, bool]]:
    """Each statement in words, and whether it holds."""
    match oracle:
        case Things():
            return statements(oracle, evidence.things)
        case Facts():
            facts = facts_of({"include": oracle.include})
            return [(f"{fact.thing} {fact.value} {fact.other}".strip(), kept(fact, evidence.prompt)) for fact in facts]
        case Picture():
            moving = evidence.frames[oracle.frame : oracle.frame + 1]
            picture = b"" if oracle.frame and not moving else moving[0].read_bytes() if moving else evidence.picture
            distance, at = _flip(oracle.svg, picture), f" of frame {oracle.frame}" if moving else ""
            return [(f"FLIP{at} {distance:.3f}, at most {oracle.limit}", distance <= oracle.limit)]
        case Wires():
            return [(f"wires at {evidence.wires:.3f}, at most {oracle.limit}", evidence.wires <= oracle.limit)]


def _flip(svg: str, picture: bytes) -> float:
    """FLIP of a picture to an SVG; of a blank one, white, where it is empty."""
    from redraft.metrics.base import open_metric

    return open_metric("flip").measure(_pixels(png_of(svg)), _pixels(picture or png_of(WHITE)))


WHITE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'


def png_of(svg: str) -> bytes:
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=SIDE, height=SIDE, background="#ffffff"))


def _pixels(png: bytes) -> Pixels:
    import io

    import numpy as np
    from PIL import Image

    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("RGB").resize((SIDE, SIDE), Image.Resampling.LANCZOS))
