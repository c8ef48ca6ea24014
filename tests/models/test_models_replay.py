"""Replay: what a run recorded is given again, and nothing else."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from asking import make_request
from toy import run_for

from redraft.errors import ConfigError, ReplayMissError, RunFormatError, RunNotFoundError
from redraft.models.base import Reply, digest
from redraft.models.replay import Header, Recorded, ReplayModel, read_recording, record_run, write_recording
from redraft.models.scripted import ScriptedModel
from redraft.record.events import RunStarted
from redraft.result import Usage

pytestmark = pytest.mark.anyio

HEADER = Header(label="Two cats.", answered_by="a capable model", recorded_at="2026-01-02", redraft="0.1.0", sees=True)
USAGE = Usage(calls=1, input_tokens=100, output_tokens=20, cost=0.25)
DRAFT = make_request("Draw a cat.", seed=3)
LOOK = make_request("What differs?", kind="sketch.critique", path="iteration-1/critique", pictures=1)


async def record(folder: Path, *, asked: int = 2) -> Path:
    """A run's folder, made with the journal and the desk that real runs use."""
    replies = [
        Reply(text="first", model="some:model", usage=USAGE, params={"finish_reason": "stop"}),
        Reply(text="second", model="some:model", usage=USAGE),
    ]
    model = ScriptedModel(replies, name="some:model", sees=True)
    desk = run_for(folder, model)
    start = RunStarted(
        key="run",
        at=datetime(2026, 1, 2, tzinfo=UTC),
        redraft="0.1.0",
        run="cat-1",
        studio="toy",
        brief={},
        config={},
        model=model.info.model_dump(mode="json"),
        seed=0,
        worst_case_calls=2,
    )
    desk.journal.note(start)
    for request in (DRAFT, LOOK)[:asked]:
        await desk.ask(request)
    desk.journal.__exit__()
    return folder


@pytest.mark.parametrize("by", ["folder", "events.jsonl"])
async def test_a_run_answers_as_it_did(tmp_path: Path, by: str) -> None:
    run = await record(tmp_path / "run")
    model = ReplayModel.open(run if by == "folder" else run / "events.jsonl")
    assert await model.ask(DRAFT) == Reply(
        text="first", model="some:model", usage=USAGE, params={"finish_reason": "stop"}
    )
    assert (await model.ask(LOOK)).text == "second"
    assert (await model.ask(DRAFT)).text == "first", "asking does not use a reply up"


async def test_it_sees_as_the_recorded_model_saw_and_says_what_it_is(tmp_path: Path) -> None:
    info = ReplayModel.open(await record(tmp_path / "run")).info
    assert info.sees
    assert "some:model" in info.label
    assert "no model is asked" in info.label
    assert str(tmp_path) not in info.label + info.name


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 4},
        {"temperature": 0.5},
        {"kind": "sketch.edit"},
        {"path": "iteration-1/candidate-0/draft"},
        {"messages": make_request("Draw a dog.").messages},
    ],
    ids="-".join,
)
async def test_a_request_that_was_not_recorded_is_a_miss(tmp_path: Path, change: dict[str, Any]) -> None:
    model = ReplayModel.open(await record(tmp_path / "run"))
    request = DRAFT.model_copy(update=change)
    with pytest.raises(ReplayMissError) as caught:
        await model.ask(request)
    assert f"{request.kind} at {request.path}" in str(caught.value)
    there = "nothing at this path" if "path" in change else f"sketch.draft (digest {digest(DRAFT)})"
    assert there in str(caught.value)


async def test_another_picture_is_a_miss(tmp_path: Path) -> None:
    model = ReplayModel.open(await record(tmp_path / "run"))
    other = LOOK.pictures[0].model_copy(update={"png": b"other pixels"})
    with pytest.raises(ReplayMissError, match=r"sketch\.critique at iteration-1/critique"):
        await model.ask(LOOK.model_copy(update={"pictures": (other,)}))


async def test_what_was_in_flight_at_a_kill_is_a_miss(tmp_path: Path) -> None:
    run = await record(tmp_path / "run")
    lines = (run / "events.jsonl").read_bytes().splitlines(keepends=True)
    (run / "events.jsonl").write_bytes(b"".join(lines[:-1]))
    with pytest.raises(ReplayMissError):
        await ReplayModel.open(run).ask(LOOK)


async def test_a_run_becomes_a_recording_that_answers_alike(tmp_path: Path) -> None:
    header, lines = record_run(await record(tmp_path / "run"))
    file = write_recording(tmp_path / "two.jsonl", header, lines.values())
    assert read_recording(file) == (header, lines)
    model = ReplayModel.open(file)
    assert [(await model.ask(r)).text for r in (DRAFT, LOOK)] == ["first", "second"]


async def test_several_runs_fit_into_one_recording(tmp_path: Path) -> None:
    """Their paths are the same; their digests are not."""
    asked = [make_request(f"Draw {n} cats.") for n in range(3)]
    lines = [Recorded(path=r.path, kind=r.kind, digest=digest(r), text=f"{n}", model="m") for n, r in enumerate(asked)]
    model = ReplayModel.open(write_recording(tmp_path / "cats.jsonl", HEADER, lines))
    assert [(await model.ask(request)).text for request in asked] == ["0", "1", "2"]
    assert "Two cats." in model.info.label


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("{}\n", 1),
        (f"{HEADER.model_dump_json()}\nnot json\n", 2),
        (f'{HEADER.model_dump_json()}\n{{"path": "a", "kind": "b"}}\n', 2),
        (json.dumps({**HEADER.model_dump(), "recording": 2}) + "\n", 1),
    ],
    ids=["empty", "no-header", "garbage", "short", "version"],
)
def test_what_is_no_recording_is_said_with_its_line(tmp_path: Path, text: str, line: int) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(text)
    with pytest.raises(RunFormatError, match=rf"bad\.jsonl, line {line}"):
        ReplayModel.open(path)


def test_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nothing to replay"):
        ReplayModel.open(tmp_path / "gone")
    with pytest.raises(RunNotFoundError):
        ReplayModel.open(tmp_path)


async def test_a_picture_that_is_gone_is_said(tmp_path: Path) -> None:
    run = await record(tmp_path / "run")
    for picture in list((run / "pictures").iterdir()):
        picture.unlink()
    with pytest.raises(RunFormatError, match="iteration-1/critique cannot be read"):
        ReplayModel.open(run)
