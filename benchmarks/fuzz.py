"""Damaged input for everything that reads files and replies: no crash, no hang, no damaged file.

    python benchmarks/fuzz.py [--count 100000] [--first 0] [--seed 0] [--reader NAME] [--processes 2]

A case is a real file or reply with one to four mutations. Its number and the seed decide all of it, so that a failing
case runs alone with the command that is printed for it. Each reader may raise redraft's own exceptions and nothing
else, within `SECONDS` of processor time and `GROWTH` of memory. A board that reads is changed, written and read again,
and a write that fails leaves the file that was there. Exits 1 when a case fails or a reader had no case.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import re
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from types import FrameType
from typing import Any
from unittest.mock import patch

import anyio

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))

from drawings import HOUSE, TREE_PATCH
from image_servers import comfy_workflow
from small_board import small_board

from redraft import api, config
from redraft.brief import Brief
from redraft.errors import BoardError, HistoryError, RedraftError
from redraft.fixes.exchange import read_fixes
from redraft.ideas.abstraction import check_hints
from redraft.ideas.cards import parse_idea_cards
from redraft.ideas.compose import ids_of
from redraft.ideas.history import Generation, append_generation, read_recent
from redraft.ideas.profile import TasteProfile, load_profile
from redraft.ideas.scores import parse_scores
from redraft.layout.items import Layout
from redraft.layout.requirements.kinds import measure
from redraft.layout.requirements.reading import statements
from redraft.models.base import Message, Request
from redraft.models.inbox import InboxModel
from redraft.models.replay import read_recording
from redraft.models.replies import reply_as
from redraft.models.scripted import ScriptedModel
from redraft.painting.base import ImageRequest
from redraft.record.journal import EVENTS_FILE
from redraft.record.transcript import Record
from redraft.report.page import write_page
from redraft.studios import open_studio
from redraft.studios.board import placement
from redraft.studios.board.board import Board
from redraft.studios.board.kicad.file import BoardFile
from redraft.studios.board.kicad.model import MM
from redraft.studios.board.kicad.project import rules_of
from redraft.studios.image.backends.workflow import read_workflow
from redraft.studios.image.concepts import load_categories
from redraft.studios.image.parse import parse as parse_prompt
from redraft.studios.requests import ComparisonReply, CritiqueReply, Discovery, Kind, SurveyReply
from redraft.studios.scene.parse import parse as parse_scene
from redraft.studios.shader.parse import parse as parse_shader
from redraft.studios.sketch.geometry import layout_of
from redraft.studios.sketch.memory import as_json, read_json
from redraft.studios.sketch.patch import draw
from redraft.studios.sketch.spec import Drawing
from redraft.studios.sketch.svg import svg
from redraft.testing import a_fix

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests" / "data"
COUNT = 100_000
SECONDS = 20.0
"""Processor time of a case."""
GROWTH = 512 << 10
"""KiB by which a case may raise the most memory that the process has used."""

Reader = Callable[[bytes, Path], object]


class DamageError(AssertionError):
    """A file is not what it should be after a case."""


class HangError(BaseException):
    """A case took too long; not an `Exception`, so that no reader takes it for a fault of its input."""


# Mutations ------------------------------------------------------------------------------------------------------------

ODD_NUMBERS = (
    b"", b"0", b"-0", b"-1", b"0.5", b"1e5", b"1e-300", b"1e308", b"1e999", b"-1e999", b"NaN", b"nan", b"Infinity",
    b"-Infinity", b"2147483648", b"-2147483649", b"9223372036854775808", b"9" * 400, b"9" * 5000, b"1" + b"0" * 40,
    b"0x10", b"1_000", b"1.2.3", "٣".encode(), "²".encode(), b"\xff",
)  # fmt: skip
ODD_VALUES = (
    b"null", b"true", b"false", b"[]", b"{}", b'""', b'"\\u0000"', b'"\\ud800"', b'"-"', b'" "', b"0", b"-1", b"1e308",
    b"[[]]", b"[null]", b'{"": null}', b'"' + b"x" * 5000 + b'"', b'"../../etc/passwd"', b'"/dev/zero"', b'"*"', b'"."',
    "\"\u202e\u200d\"".encode(), b"9" * 400, b"- x", b"&a [*a]", b"2020-99-99", b"!!python/name:os.system ''",
)  # fmt: skip
ODD_BYTES = (
    b"\0", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xff\xfe", b"\r", b"\r\n", b"\x1b[2J", b"\x85",
    "\u2028".encode(), b"(", b")", b'"', b"\\", b"{", b"}", b"[", b"]", b":", b",", b"`", b"```", b"---\n", b"\t", b"#",
)  # fmt: skip
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_VALUE = re.compile(rb'"(?:[^"\\]|\\.){0,400}"|-?\d[\d.eE+-]*|\b(?:true|false|null|yes|no)\b')
_OPENINGS = (b"(", b"[", b"{", b'{"a":', b"(a ", b"- ", b"'", b'"', b">")


def mutated(data: bytes, chance: random.Random) -> bytes:
    """The data with one to four mutations."""
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 4))):
        data = chance.choice(MUTATIONS)(data, chance)
    return data


def _span(data: bytes, chance: random.Random, most: int) -> tuple[int, int]:
    start = chance.randint(0, len(data))
    return start, min(len(data), start + chance.randint(0, most))


def _cut(data: bytes, chance: random.Random) -> bytes:
    start, _ = _span(data, chance, 0)
    return data[:start]


def _flip(data: bytes, chance: random.Random) -> bytes:
    flipped = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 8)) if data else 0):
        flipped[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(flipped)


def _delete(data: bytes, chance: random.Random) -> bytes:
    start, end = _span(data, chance, chance.choice((1, 10, 200, 5000)))
    return data[:start] + data[end:]


def _double(data: bytes, chance: random.Random) -> bytes:
    start, end = _span(data, chance, chance.choice((1, 10, 200, 5000)))
    return data[:end] + data[start:end] * chance.choice((1, 1, 1, 5)) + data[end:]


def _swap(data: bytes, chance: random.Random) -> bytes:
    places = sorted(chance.randint(0, len(data)) for _ in range(4))
    a, b, c, d = places
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:]


def _lines(data: bytes, chance: random.Random) -> bytes:
    """A line deleted, doubled or moved."""
    lines = data.split(b"\n")
    line = lines.pop(chance.randrange(len(lines)))
    for _ in range(chance.choice((0, 1, 2))):
        lines.insert(chance.randint(0, len(lines)), line)
    return b"\n".join(lines)


def _replace(pattern: re.Pattern[bytes], odd: Sequence[bytes], data: bytes, chance: random.Random) -> bytes:
    """A number or a value replaced; one time in three many, by one and the same."""
    found = list(pattern.finditer(data))
    if not found:
        return data
    other = chance.choice(odd)
    chosen = chance.sample(found, chance.choice((1, 1, min(len(found), 20))))
    for match in sorted(chosen, key=lambda match: -match.start()):
        data = data[: match.start()] + other + data[match.end() :]
    return data


def _exchange(data: bytes, chance: random.Random) -> bytes:
    """One value in the place of another."""
    found = list(_VALUE.finditer(data))
    if not found:
        return data
    one, other = chance.choice(found), chance.choice(found)
    return data[: one.start()] + other.group() + data[one.end() :]


def _insert(data: bytes, chance: random.Random) -> bytes:
    start, end = _span(data, chance, chance.choice((0, 0, 4)))
    return data[:start] + chance.choice(ODD_BYTES) + data[end:]


def _nest(data: bytes, chance: random.Random) -> bytes:
    """Deep nesting, of which half is closed again."""
    opening, depth = chance.choice(_OPENINGS), chance.choice((40, 1_000, 100_000))
    closing = {b"(": b")", b"[": b"]", b"{": b"}", b'{"a":': b"}", b"(a ": b")"}.get(opening, b"")
    start, end = _span(data, chance, chance.choice((0, 200)))
    closed = closing * depth if chance.random() < 0.5 else b""
    return data[:start] + opening * depth + data[start:end] + closed + data[end:]


def _nest_value(data: bytes, chance: random.Random) -> bytes:
    """A value wrapped so often that a reader that recurses runs out of its stack."""
    found = list(_VALUE.finditer(data))
    if not found:
        return data
    match, depth = chance.choice(found), chance.choice((1, 40, 1_000, 20_000))
    opening, closing = chance.choice(((b"[", b"]"), (b'{"a":', b"}")))
    return data[: match.start()] + opening * depth + match.group() + closing * depth + data[match.end() :]


def _line_ends(data: bytes, chance: random.Random) -> bytes:
    return data.replace(b"\n", chance.choice((b"\r\n", b"\r", b"\n\n")))


def _encoded(data: bytes, chance: random.Random) -> bytes:
    """The same text in another encoding, or behind a byte order mark."""
    marked = b"\xef\xbb\xbf" + data
    text = data.decode("utf-8", "replace")
    return chance.choice((marked, marked, text.encode("utf-16"), text.encode("latin-1", "replace"), data + b"\0" * 64))


MUTATIONS: Sequence[Callable[[bytes, random.Random], bytes]] = (
    _cut,
    _flip,
    _delete,
    _double,
    _swap,
    _lines,
    _insert,
    _exchange,
    partial(_replace, _NUMBER, ODD_NUMBERS),
    partial(_replace, _VALUE, ODD_VALUES),
    partial(_replace, _VALUE, ODD_VALUES),
    _nest,
    _nest_value,
    _line_ends,
    _encoded,
)


# What reads -----------------------------------------------------------------------------------------------------------


def read_board(data: bytes, folder: Path) -> None:
    """A board, its rules, and a copy of it with the first footprint moved, over a file that was there."""
    path, out = folder / "board.kicad_pcb", folder / "out.kicad_pcb"
    path.write_bytes(data)
    out.write_bytes(b"what was there")
    file = BoardFile.read(path)
    rules_of(file).clearance("GND", "")
    board = Board.read(path)
    first = next(iter(file.footprints), None)
    poses = {} if first is None else {0: first.pose.model_copy(update={"x": first.pose.x + MM})}
    try:
        with patch("pathlib.Path.replace", side_effect=OSError(28, "No space left on device")):
            file.save(poses, out)
    except BoardError:
        check(out.read_bytes() == b"what was there", "a write that failed changed the file that was there")
    else:
        raise DamageError("a write that failed was not reported")
    file.save(poses, out)
    check(path.read_bytes() == data, "the board that was read has changed")
    names = sorted(found.name for found in folder.iterdir())
    check(names == [path.name, out.name], f"files were left beside the board: {', '.join(names)}")
    check(len(Board.read(out).layout) == len(board.layout), "the written board has other parts")
    again = BoardFile.read(out)
    for place, (before, after) in enumerate(zip(file.footprints, again.footprints, strict=True)):
        then = poses.get(place, before.pose)
        same = (after.reference, after.pose, len(after.pads)) == (before.reference, then, len(before.pads))
        check(same, f"footprint {before.reference} lies elsewhere in the written board")


def each(readers: Iterable[Callable[[], object]]) -> None:
    """Call all of them. Raises the last one's `RedraftError` where none took its input."""
    refused: list[RedraftError] = []
    calls = 0
    for calls, reader in enumerate(readers, start=1):  # noqa: B007  counted
        try:
            reader()
        except RedraftError as error:
            refused.append(error)
    if len(refused) == calls:
        raise refused[-1]


def check(holds: bool, message: str) -> None:
    if not holds:
        raise DamageError(message)


def read_project(data: bytes, folder: Path) -> None:
    """The rules of a project beside a board; nothing in it is an error."""
    path = folder / "board.kicad_pcb"
    path.write_text(small_board(), "utf-8")
    path.with_suffix(".kicad_pro").write_bytes(data)
    rules = never_raises(rules_of, BoardFile.read(path))
    for net in ("", "GND", "/VCC_" + "a" * 60):
        never_raises(rules.clearance, net, "A")


def boxes(layout: Layout) -> dict[str, tuple[float, ...]]:
    """Where the parts lie, to the nanometer."""
    return {item.name: tuple(round(side, 6) for side in layout.bounds(item.name)) for item in layout}


def never_raises(reader: Callable[..., Any], *inputs: Any) -> Any:
    """Call a reader that takes everything. Raises `DamageError` for redraft's own exceptions too."""
    try:
        return reader(*inputs)
    except RedraftError as error:
        raise DamageError(f"{reader.__name__} takes everything, but raised {error!r}") from error


def text_of(data: bytes) -> str:
    """A reply as a model's server can send it: any text, halves of surrogate pairs too."""
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace")


def read_sketch(data: bytes, folder: Path) -> None:
    """A reply, the drawing that it makes, its report and its picture."""
    studio, brief = open_studio("sketch"), Brief.of("a house with a red roof, and a tree to its left")
    attempts: Sequence[tuple[Kind, Drawing | None]] = (("draft", None), ("edit", house()), ("repair", house()))
    for kind, base in attempts:
        with contextlib.suppress(RedraftError):
            drawing = draw(studio.parse(kind, text_of(data), base), base)
            studio.check(drawing, base, brief)
            svg(drawing).encode()
            check(
                read_json(as_json(drawing), "drawing.json").strokes == drawing.strokes, "the drawing does not come back"
            )


@cache
def house() -> Drawing:
    return draw(open_studio("sketch").parse("draft", HOUSE, None), None)


def read_stated(data: bytes, folder: Path) -> None:
    """Requirements of a reply, measured on a drawing."""
    try:
        raw = json.loads(data)
    except (ValueError, RecursionError):
        return
    drawing = house()
    layout = layout_of(drawing)
    read = never_raises(statements, raw if isinstance(raw, list) else [raw], "a house with a red roof", layout)
    measure(read.requirements, layout)


def read_actions(data: bytes, folder: Path) -> None:
    """A list of actions, carried out on a board."""
    path = folder / "board.kicad_pcb"
    path.write_text(small_board(), "utf-8")
    studio, brief = open_studio("board"), Brief.of("Put C1 0.5 mm right of U1 pin 4", source=path)
    before = placement.opened(path)
    after = placement.carried_out(studio.parse("edit", text_of(data), before), before)
    studio.check(after, before, brief)
    out = folder / "out.kicad_pcb"
    out.write_bytes(placement.board_of(after).rewritten())
    found, wanted = Board.read(out).layout, placement.layout_of(after)
    check(boxes(found) == boxes(wanted), "the written board is not the one that was made")


def read_program(parse: Callable[[str, str | None], object], data: bytes, folder: Path) -> None:
    """A script, a shader or a prompt, new and as a change of an earlier one."""
    currents = (None, "import bpy\nx = 1\n", "void main() { gl_FragColor = vec4(1.0); }")
    each(partial(parse, text_of(data), current) for current in currents)


def read_judgment(data: bytes, folder: Path) -> None:
    """A critique, a discovery, idea cards, scores, hints."""
    text = text_of(data)
    readers: Sequence[Callable[[str], object]] = (
        *(partial(_reply_as, model) for model in (CritiqueReply, ComparisonReply, SurveyReply, Discovery)),
        lambda text: parse_idea_cards(text, 3),
        lambda text: parse_scores(text, ids_of(3)),
        lambda text: check_hints(text, TasteProfile(likes=("herons",), hates=("spiders",))),
    )
    each(partial(reader, text) for reader in readers)


def _reply_as(model: Any, text: str) -> object:
    return reply_as(model, text, "reply")


def read_config(data: bytes, folder: Path) -> None:
    """A configuration file, and its settings as they are listed."""
    path = folder / "redraft.yaml"
    path.write_bytes(data)
    report = config.load(path)
    report.lines()
    config.refuse_unused(report)


def read_lists(data: bytes, folder: Path) -> None:
    """Concepts, a taste profile, a table of generations, a workflow, fixes and a recording."""
    path = folder / "file"
    path.write_bytes(data)
    readers: Sequence[Callable[[], object]] = (
        lambda: load_categories(path),
        lambda: load_profile(path),
        lambda: read_workflow(path).filled(ImageRequest(prompt="x", seed=1, width=64, height=64)),
        lambda: read_fixes(path),
        lambda: read_recording(path),
        lambda: read_recent(path, 25),
    )
    try:
        each(readers)
    finally:
        check(path.read_bytes() == data, "a file that was only read has changed")
    with contextlib.suppress(HistoryError):
        before = len(read_recent(path, None))
        added = append_generation(path, GENERATIONS[0])
        check(len(read_recent(path, None)) == before + added, "a row was lost")


def read_inbox(data: bytes, folder: Path) -> None:
    """A reply in an inbox, and a request that a killed run left; a good reply comes later."""
    request = Request(path="draft", kind="sketch.draft", inputs={}, messages=(Message(role="user", text="draw"),))
    clock = [0.0]

    async def sleep(seconds: float) -> None:
        clock[0] += 1.0
        if clock[0] == 30:
            other = folder / "good"
            other.write_text("a good reply\n", "utf-8")
            other.replace(folder / "0001.reply.md")
        check(clock[0] < 60, "the inbox waits although a good reply lies there")

    def answer(asked: Path) -> None:
        check(asked.name == "0001.request.md", f"the request is {asked.name}")
        asked.with_name("0001.reply.md").write_bytes(data)

    (folder / "0000.request.md").write_bytes(data)
    model = InboxModel(folder, run="fuzz", on_wait=answer, sleep=sleep, clock=lambda: clock[0])
    reply = anyio.run(model.ask, request)
    check(reply.text in ("a good reply\n", data.decode("utf-8", "replace")), "the inbox took another text")


def read_journal(data: bytes, folder: Path) -> None:
    """A run's journal: its record, its page, and the run resumed."""
    run = folder / "run"
    for name, content in recorded_run().items():
        (run / name).parent.mkdir(parents=True, exist_ok=True)
        (run / name).write_bytes(data if name == EVENTS_FILE else content)
    with contextlib.suppress(RedraftError):
        write_page(Record.load(run))
    before = {path.name: path.read_bytes() for path in run.iterdir() if path.name.startswith("drawing.")}
    try:
        api.resume(run, model=ScriptedModel([HOUSE] * 8))
    except RedraftError:
        for name, content in before.items():
            check((run / name).read_bytes() == content, f"{name} changed although the run was not resumed")
        raise


# What is read ---------------------------------------------------------------------------------------------------------


@cache
def recorded_run() -> Mapping[str, bytes]:
    """The files of a finished run."""
    with tempfile.TemporaryDirectory(prefix="fuzz-run-") as folder:
        run = Path(folder) / "run"
        result = api.run("sketch", "a house", config={"memory": "none"}, model=ScriptedModel([HOUSE]), out=run)
        assert result.valid, result.error
        return {str(path.relative_to(run)): path.read_bytes() for path in sorted(run.rglob("*")) if path.is_file()}


def recordings(folder: Path, *kinds: str) -> list[bytes]:
    """The replies of recordings, of these kinds."""
    found: list[bytes] = []
    for path in sorted(folder.rglob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines()[1:]:
            entry = json.loads(line)
            if entry["kind"] in kinds:
                found.append(entry["text"].encode())
    return found


GENERATIONS = tuple(
    Generation(
        generation_id=f"run-{number}",
        selected_concepts=("storm", "an oak, old"),
        final_image_prompt='An oak in a "storm",\nas an ink drawing',
        image_path=f"run-{number}/image.png",
        created_at="2026-11-22T10:00:00Z",
        seed=number,
    )
    for number in range(3)
)


@cache
def generations() -> bytes:
    """A table of generations; its first row is not there yet."""
    with tempfile.TemporaryDirectory(prefix="fuzz-lists-") as folder:
        path = Path(folder) / "generations.csv"
        for row in GENERATIONS[1:]:
            append_generation(path, row)
        return path.read_bytes()


PROJECT = {
    "board": {
        "design_settings": {
            "rules": {"min_clearance": 0.1, "min_copper_edge_clearance": 0.3, "min_hole_to_hole": 0.27},
            "rule_severities": {"clearance": "error", "courtyards_overlap": "warning", "silk_overlap": "ignore"},
        }
    },
    "net_settings": {
        "classes": [
            {"name": "Default", "clearance": 0.15, "priority": 2147483647, "nets": ["A"]},
            {"name": "wide", "clearance": 0.4, "priority": 1},
        ],
        "netclass_patterns": [{"pattern": "/VCC_(a|b)+*", "netclass": "wide"}, {"pattern": "G*", "netclass": "wide"}],
        "netclass_assignments": {"GND": ["wide", "Default"], "VCC": "wide"},
    },
}
CONFIG = """\
# settings of a team
model: openai-compatible:some-model
seed: 7
loop: &loop
  iterations: 3
  candidates: 2
  polish: true
  critic: null
budget: {calls: 20, cost: 1.5}
models:
  base_url: http://localhost:8080/v1
  timeout: 300.0
  temperature: 0.7
images: {backend: sketch, width: 1024}
memory: none
studios:
  sketch: {animate: true, size: 800}
"""
ACTIONS: Sequence[Mapping[str, object]] = (
    {"action": "place_relative", "ref": "C1", "target": "U1.4", "side": "right", "clearance": 0.5, "rotation": 90},
    {"action": "place_component", "ref": "C2", "x": 150.0, "y": 130.5, "rotation": 45, "quote": "150, 130.5"},
    {"action": "move_by", "refs": ["R1", "R2"], "dx": 0.5, "dy": -2, "allow_overlap": True},
    {"action": "align", "refs": ["R1", "R2", "R3"], "axis": "x", "edge": "center"},
    {"action": "distribute", "refs": ["R1", "R2", "R3"], "spacing": 0.5, "axis": "x"},
    {"action": "stack", "refs": ["R4", "R5", "R6"], "direction": "up", "spacing": 1.25},
    {"action": "rotate", "refs": ["J1"], "to": 90},
    {"action": "swap", "ref": "R7", "other": "R8"},
    {"action": "cluster_around", "refs": ["C1", "C2"], "target": "U1", "clearance": 0.5},
    {"action": "move_to_edge", "ref": "J1", "edge": "left", "clearance": 1.0},
    {"action": "flip", "refs": ["C2"]},
)
"""Each is carried out on the small board."""
CONCEPTS = "light:\n- lighthouse\n- 'storm: at sea'\nplants: [oak, fern, moss]\n"


@cache
def samples() -> Mapping[str, tuple[Reader, Sequence[bytes]]]:
    """Every reader with the inputs that are damaged for it."""
    replies, drawings = DATA / "recordings", ROOT / "benchmarks" / "data" / "recordings"
    boards = [path.read_bytes() for path in sorted((DATA / "boards").glob("*.kicad_pcb"))]
    annotated = json.loads((ROOT / "benchmarks" / "data" / "annotated_requirements.json").read_bytes())
    stated = [on_the_house(entry) for entries in annotated.values() for entry in entries]
    fixes = "\n".join(json.dumps(a_fix(number).model_dump()) for number in range(3))
    recording = (replies / "shaders" / "koi.jsonl").read_bytes()
    profiles = [path.read_bytes() for path in sorted((replies / "images").glob("*.yaml"))]
    judgments = (
        "scene.critique",
        "board.critique",
        "shader.discover",
        "ideas.cards",
        "ideas.judge",
        "ideas.abstraction",
    )
    changes = ("draft", "edit", "fix", "repair")
    return {
        "board": (read_board, [*(board for board in boards if len(board) < 20_000), small_board().encode()]),
        "old board": (read_board, [board for board in boards if len(board) >= 20_000]),
        "project": (read_project, [json.dumps(PROJECT, indent=2).encode()]),
        "sketch": (read_sketch, [HOUSE.encode(), TREE_PATCH.encode(), *recordings(drawings, "sketch.draft")[:12]]),
        "stated": (
            read_stated,
            stated,
        ),
        "actions": (
            read_actions,
            [json.dumps({"approach": "as asked", "actions": [action]}).encode() for action in ACTIONS],
        ),
        "scene": (partial(read_program, parse_scene), recordings(replies, *(f"scene.{kind}" for kind in changes))),
        "shader": (partial(read_program, parse_shader), recordings(replies, *(f"shader.{kind}" for kind in changes))),
        "prompt": (
            partial(read_program, lambda text, current: parse_prompt(text)),
            recordings(replies, "image.prompt", "image.repair"),
        ),
        "judgment": (read_judgment, recordings(replies, *judgments)),
        "config": (read_config, [CONFIG.encode()]),
        "lists": (
            read_lists,
            [
                CONCEPTS.encode(),
                *profiles,
                b"loves,likes,dislikes,hates\nteal,herons,horror,spiders\n,moss,,\n",
                json.dumps(comfy_workflow()).encode(),
                fixes.encode(),
                recording,
                generations(),
            ],
        ),
        "inbox": (read_inbox, [HOUSE.encode() + b"\n", left_request(), "naïve 🐱\n".encode()]),
        "journal": (read_journal, [recorded_run()[EVENTS_FILE]]),
    }


def on_the_house(entry: Mapping[str, Any]) -> bytes:
    """A requirement of another drawing, stated of the house's parts; with one more, for those that are about two."""
    names = {key: ["house" if key == "of" else "roof"] for key in ("parts", "of", "each") if key in entry}
    return json.dumps(
        [{**entry, **names, "quote": "a red roof"}, {"id": "r9", "kind": "count", "parts": ["*"]}]
    ).encode()


def left_request() -> bytes:
    """A request in an inbox, as the run that asked left it."""
    header = {"format": "inbox-1", "run": "fuzz", "path": "draft", "kind": "sketch.draft", "digest": "0" * 32}
    return "".join(["---\n", *(f"{k}: {json.dumps(v)}\n" for k, v in header.items()), "---\n\n# Request\n"]).encode()


WEIGHTS = {"board": 4, "old board": 1, "journal": 1, "inbox": 1}
"""Of readers that are drawn more or less often than the others, which have 2."""


# Cases ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """One damaged input."""

    number: int
    reader: str
    data: bytes


@dataclass
class Outcome:
    """What became of a range of cases."""

    counts: Counter[str] = field(default_factory=Counter[str])
    """Cases by reader."""
    refused: Counter[str] = field(default_factory=Counter[str])
    """Of these, those that ended in an exception of redraft's."""
    failures: list[str] = field(default_factory=list[str])


def case_of(number: int, seed: int = 0, only: str = "") -> Case:
    """The case with a number; of one reader, where `only` names it."""
    chance = random.Random(f"{seed}:{number}:{only}")
    known = samples()
    readers = [only] if only else list(known)
    reader = chance.choices(readers, [WEIGHTS.get(name, 2) for name in readers])[0]
    return Case(number, reader, mutated(chance.choice(known[reader][1]), chance))


def run_case(reader: str, data: bytes) -> bool:
    """Whether a reader refused its input in an exception of redraft's.

    Raises:
        Exception: what it must not raise. DamageError: a file is wrong. HangError: it took too long.
    """
    read = samples()[reader][0]
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder, contextlib.chdir(folder), at_most(SECONDS):
        place = Path(folder) / "case"
        place.mkdir()
        refused = False
        try:
            read(data, place)
        except RedraftError as error:
            refused = True
            check(str(error).isprintable() or bool(str(error)), "the error says nothing")
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - most
    check(grown < GROWTH, f"the case took {grown >> 10:,} MiB more memory than any before")
    return refused


@contextlib.contextmanager
def at_most(seconds: float) -> Generator[None]:
    """Raise `HangError` in the block after so much processor time."""

    def stop(number: int, frame: FrameType | None) -> None:
        where = "".join(traceback.format_stack(frame, 6)) if frame else ""
        raise HangError(f"the case took more than {seconds:g} s of processor time, here:\n{where}")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def run_cases(numbers: Sequence[int], seed: int = 0, only: str = "") -> Outcome:
    """Run cases; a failing one is described with the command that runs it alone."""
    outcome = Outcome()
    for number in numbers:
        case = case_of(number, seed, only)
        outcome.counts[case.reader] += 1
        try:
            outcome.refused[case.reader] += run_case(case.reader, case.data)
        except (Exception, HangError) as error:
            words = f" --reader '{only}'" if only else ""
            outcome.failures.append(
                f"{case.reader}: {type(error).__name__}: {str(error)[:2000]}\n"
                f"    python benchmarks/fuzz.py --seed {seed} --first {number} --count 1{words}\n"
                + "".join(traceback.format_tb(error.__traceback__)[-4:])
            )
    return outcome


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--reader", default="", choices=["", *samples()])
    parser.add_argument("--processes", type=int, default=min(2, os.cpu_count() or 1))
    given = parser.parse_args()
    warnings.simplefilter("error")
    start = time.perf_counter()
    numbers = range(given.first, given.first + given.count)
    blocks = [numbers[i : i + 250] for i in range(0, len(numbers), 250)]
    outcome = Outcome()
    with ProcessPoolExecutor(min(given.processes, len(blocks)), mp_context=get_context("spawn")) as pool:
        for found in pool.map(partial(run_cases, seed=given.seed, only=given.reader), blocks):
            outcome.counts += found.counts
            outcome.refused += found.refused
            outcome.failures += found.failures
            for failure in found.failures:
                print(failure, flush=True)
    print(f"{'reader':12}{'cases':>10}{'refused':>10}")
    for name, count in sorted(outcome.counts.items()):
        print(f"{name:12}{count:10,}{outcome.refused[name]:10,}")
    total, seconds = outcome.counts.total(), time.perf_counter() - start
    print(f"{total:,} cases from seed {given.seed} in {seconds:,.0f} s: {len(outcome.failures)} failed")
    missing = [] if given.reader or given.count < 1000 else [name for name in samples() if not outcome.counts[name]]
    if missing:
        print(f"no case of {', '.join(missing)}")
    return 1 if outcome.failures or missing or total != given.count else 0


if __name__ == "__main__":
    sys.exit(main())
