"""Oracles: whether a result is what its task asks for, read from its files alone. No run ever learns of them.

They share nothing with the requirements and the rules that judge within a run. Names stand for things: `apple_2` and
`Apple 2 stem` are one apple.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from redraft.bench.facts import facts_of, kept
from redraft.bench.tasks import Facts, Oracle, Picture, Things, Wires
from redraft.events import RunFinished, RunStarted
from redraft.journal import read_events

if TYPE_CHECKING:
    from redraft.metrics.base import Pixels

__all__ = ["BLANK", "Answer", "Evidence", "answer", "direction", "evidence_of", "names_of", "png_of"]

CLEAR = 0.7071
"""Cosine from which a direction is clear: within 45 degrees of it."""
NEAR = 0.05
"""Share of the frame (of the higher of the two things, in scenes) within which one thing is on another."""
LARGER = 1.1
"""Ratio of areas or volumes from which one thing is larger."""
SIDE = 256
"""Pixels at which pictures are compared."""

Box = tuple[float, ...]
"""Least coordinates, then greatest: of a picture, y down; of a solid, z up."""


@dataclass(frozen=True)
class Thing:
    """One named part: its box in the picture, and in space where it has one."""

    name: str
    box: Box
    solid: Box | None = None


@dataclass(frozen=True)
class Evidence:
    """What oracles read of one result."""

    things: tuple[Thing, ...] = ()
    prompt: str = ""
    picture: bytes = field(default=b"", repr=False)
    """PNG; empty for a blank one."""
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
        wires=wires,
    )


def _drawing(data: Any) -> tuple[Thing, ...]:
    return tuple(Thing(part["name"], tuple(part["bbox"])) for part in data["parts"])


def _scene(data: Any) -> tuple[Thing, ...]:
    """Things as the camera sees them, in a parallel view."""
    facts = data["facts"]
    camera = facts["camera"] or {"right": (1.0, 0.0, 0.0), "up": (0.0, 0.0, 1.0)}
    found: list[Thing] = []
    for thing in facts["things"]:
        if (solid := thing["box"]) is None or thing["hidden"]:
            continue
        corners = [(solid[i], solid[1 + j], solid[2 + k]) for i in (0, 3) for j in (0, 3) for k in (0, 3)]
        xs = [_dot(corner, camera["right"]) for corner in corners]
        ys = [-_dot(corner, camera["up"]) for corner in corners]
        found.append(Thing(thing["name"], (min(xs), min(ys), max(xs), max(ys)), tuple(solid)))
    return tuple(found)


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(p * q for p, q in zip(a, b, strict=True))


_READERS: Mapping[str, Callable[[Any], tuple[Thing, ...]]] = {"sketch": _drawing, "scene": _scene}
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
            counted = [(f"{n} {noun}", len(named(evidence.things, noun)) == n) for noun, n in oracle.counts.items()]
            return counted + [(" ".join(one), _related(evidence.things, *one)) for one in oracle.relations]
        case Facts():
            facts = facts_of({"include": oracle.include})
            return [(f"{fact.thing} {fact.value} {fact.other}".strip(), kept(fact, evidence.prompt)) for fact in facts]
        case Picture():
            distance = _flip(oracle.svg, evidence.picture)
            return [(f"FLIP {distance:.3f}, at most {oracle.limit}", distance <= oracle.limit)]
        case Wires():
            return [(f"wires at {evidence.wires:.3f}, at most {oracle.limit}", evidence.wires <= oracle.limit)]


def names_of(name: str, noun: str) -> str:
    """Return the thing of that noun that a part's name belongs to; empty if it belongs to none.

    `Apple_1_stem` and `apple 1` are `apple 1`; a `pineapple` is no apple.
    """
    found = re.match(rf"(?:.*?\b)??{_plain(noun)}\b(?: \d+)?", _plain(name))
    return found[0] if found else ""


def _plain(name: str) -> str:
    """Words and numbers in lower case with spaces between: `TableLamp_2` is `table lamp 2`."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=\d)", " ", name)
    return " ".join(re.findall(r"[a-z]+|\d+", words.lower()))


def named(things: Sequence[Thing], noun: str) -> dict[str, Thing]:
    """The things of a noun, each with the box around all of its parts."""
    found: dict[str, Thing] = {}
    for thing in things:
        if not (name := names_of(thing.name, noun)):
            continue
        before = found.get(name)
        found[name] = thing if before is None else _joined(before, thing)
    return found


def _joined(a: Thing, b: Thing) -> Thing:
    solid = b.solid if a.solid is None else a.solid if b.solid is None else _around(a.solid, b.solid)
    return Thing(a.name, _around(a.box, b.box), solid)


def _around(a: Box, b: Box) -> Box:
    half = len(a) // 2
    return (*map(min, a[:half], b[:half]), *map(max, a[half:], b[half:]))


def direction(a: Box, b: Box) -> str:
    """Where a is from b, by centers, y down; the first of right, above, left, below that is clear, or `none`."""
    dx = (a[0] + a[2] - b[0] - b[2]) / 2
    dy = (b[1] + b[3] - a[1] - a[3]) / 2
    distance = math.hypot(dx, dy)
    if distance == 0:
        return "none"
    cos, sin = dx / distance, dy / distance
    tests = (("right", cos > CLEAR), ("above", sin > CLEAR), ("left", cos < -CLEAR), ("below", sin < -CLEAR))
    return next((name for name, holds in tests if holds), "none")


def _related(things: Sequence[Thing], first: str, relation: str, second: str) -> bool:
    """Whether the relation holds of any two things of these nouns."""
    pairs = [(a, b) for a in named(things, first).values() for b in named(things, second).values()]
    return any(_holds(a, relation, b) for a, b in pairs if a != b)


def _holds(a: Thing, relation: str, b: Thing) -> bool:
    one, other = a.solid or a.box, b.solid or b.box
    half = len(one) // 2
    spans = [(one[i], one[i + half], other[i], other[i + half]) for i in range(half)]
    if relation == "on":  # the last axis is the vertical one; y of a picture grows downward
        *across, (low, high, below_low, below_high) = spans
        flush = abs(low - below_high) <= NEAR * max(high - low, below_high - below_low)
        return (flush if half == 3 else abs(high - below_low) <= NEAR) and all(
            a1 > b0 and a0 < b1 for a0, a1, b0, b1 in across
        )
    if relation == "inside":
        return all(b0 - NEAR * (b1 - b0) <= a0 and a1 <= b1 + NEAR * (b1 - b0) for a0, a1, b0, b1 in spans)
    if relation == "larger":
        sizes = [math.prod(s[1] - s[0] for s in spans), math.prod(s[3] - s[2] for s in spans)]
        return sizes[0] >= LARGER * sizes[1]
    return direction(a.box, b.box) == relation


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
