"""The loop as a tool: with the client's own model in both protocols, without one, and with one that will not answer."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from mcp_types import (
    CreateMessageRequestParams,
    CreateMessageResult,
    ErrorData,
    ImageContent,
    InputResponses,
    TextContent,
)
from picture_files import encoded, photograph
from real_parts import needs
from shaders import RINGS
from shaders import reply_of as shader_reply
from sketches import HOUSE

from redraft.config import Config
from redraft.mcp import run as rounds
from redraft.record.transcript import Record

from .conftest import Connect, opened

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

INSTRUCTION = "put C1 0.5 mm right of U1 pin 4"
ASKED = {"studio": "board", "instruction": INSTRUCTION}
PLACE = {
    "action": "place_relative",
    "ref": "C1",
    "target": "U1.4",
    "side": "right",
    "clearance": 0.5,
    "quote": INSTRUCTION,
}
QUIET = Config(studios={"board": {"drc": "never"}})
SMALL = Config(memory="none", studios={"shader": {"width": 64, "height": 48, "frames": 2}})
EITHER = pytest.mark.parametrize("mode", ["auto", "legacy"])


class Person:
    """A client's model: says what it was told to say, in order, and remembers what it was asked."""

    def __init__(self, *replies: str | ErrorData) -> None:
        self.replies = list(replies)
        self.asked: list[CreateMessageRequestParams] = []

    async def __call__(self, context: object, params: CreateMessageRequestParams) -> CreateMessageResult | ErrorData:
        self.asked.append(params)
        reply = self.replies.pop(0)
        if isinstance(reply, ErrorData):
            return reply
        return CreateMessageResult(role="assistant", content=TextContent(text=reply), model="claude-of-the-client")


def actions(*steps: dict[str, Any]) -> str:
    return json.dumps({"approach": "as asked", "actions": list(steps)})


@EITHER
async def test_the_clients_own_model_places_the_part(connect: Connect, boards: Path, mode: str) -> None:
    person = Person(actions(PLACE))
    async with opened(connect, mode=mode, sampling_callback=person, config=QUIET) as desk:
        answer = await desk.ok("run", studio="board", instruction=INSTRUCTION)
        assert answer["taken"] is True
        assert answer["valid"] is True
        assert answer["model"] == "the client's own (claude-of-the-client)"
        assert answer["calls"] == len(person.asked) == 1
        assert answer["outcome"]["moved"] == ["C1 to (125.5, 118)"]
        assert (await desk.ok("board_undo"))["changed"] == 0  # one step
        view = await desk.ok("board_look", refs=["C1"])
        assert view["objects"][0]["location"] == [140.0, 110.0]
    asked = person.asked[0]
    assert INSTRUCTION in str(asked.messages)
    assert asked.max_tokens > 0
    assert not any(isinstance(block, ImageContent) for m in asked.messages for block in m.content_as_list)


@EITHER
async def test_a_bad_reply_is_asked_about_again(connect: Connect, mode: str) -> None:
    person = Person("I would rather not say it in JSON.", actions({**PLACE, "ref": "C11"}), actions(PLACE))
    async with opened(connect, mode=mode, sampling_callback=person, config=QUIET) as desk:
        answer = await desk.ok("run", studio="board", instruction=INSTRUCTION)
    assert answer["taken"] is True
    assert answer["calls"] == len(person.asked) == 3


@EITHER
async def test_pictures_go_along_when_asked_for(connect: Connect, mode: str) -> None:
    person = Person(
        actions(PLACE), *[json.dumps({"satisfied": True, "score": 1, "summary": "", "differences": []})] * 4
    )
    async with opened(connect, mode=mode, sampling_callback=person, config=QUIET) as desk:
        await desk.ok("run", studio="board", instruction=INSTRUCTION, pictures=True)
    assert any(isinstance(b, ImageContent) for p in person.asked for m in p.messages for b in m.content_as_list)


@EITHER
async def test_a_client_that_refuses_is_told_so_and_nothing_moved(connect: Connect, mode: str) -> None:
    person = Person(*[ErrorData(code=-1, message="the user said no")] * 20)
    async with opened(connect, mode=mode, sampling_callback=person, config=QUIET) as desk:
        if mode == "legacy":
            answer = await desk.ok("run", studio="board", instruction=INSTRUCTION)
            assert answer["taken"] is False
            assert "the user said no" in " ".join(answer["notes"])
        else:  # the client itself ends the call
            with pytest.raises(Exception, match="the user said no"):
                await desk.call("run", studio="board", instruction=INSTRUCTION)
        assert "nothing to undo" in await desk.fails("board_undo")


async def test_without_sampling_the_servers_model_works_and_says_so(connect: Connect) -> None:
    async with opened(connect, config=QUIET) as desk:
        answer = await desk.ok("run", studio="board", instruction=INSTRUCTION)
    assert answer["model"] == "offline"
    assert answer["taken"] is True
    assert answer["outcome"]["moved"] == ["C1 to (125.5, 118)"]


async def test_it_works_on_the_board_as_it_is_now(connect: Connect) -> None:
    async with opened(connect, config=QUIET) as desk:
        await desk.act("place_component", ref="C2", x=150, y=120)
        answer = await desk.ok("run", studio="board", instruction="put C1 1 mm above C2")
        # Courtyards are 1.5 mm high.
        assert answer["outcome"]["moved"] == ["C1 to (150, 117.5)"]
        assert (await desk.ok("board_undo"))["changed"] == 1


async def test_the_record_lies_beside_the_board(connect: Connect, boards: Path) -> None:
    async with opened(connect, config=QUIET) as desk:
        record = Path((await desk.ok("run", studio="board", instruction=INSTRUCTION))["record"])
    assert record.parent.samefile(boards / "runs")


async def test_an_instruction_about_a_part_that_is_not_there_gets_the_closest(connect: Connect) -> None:
    async with opened(connect, config=QUIET) as desk:
        assert "C1" in await desk.fails("run", studio="board", instruction="put C11 0.5 mm right of U1")
        assert "instruction" in await desk.fails("run", studio="board", instruction="")


async def test_progress_is_told_in_the_loops_words(connect: Connect) -> None:
    told: list[tuple[float, str | None]] = []

    async def heard(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, message))

    async with opened(connect, config=QUIET) as desk:
        await desk.client.call_tool("run", ASKED, progress_callback=heard)
    assert any("Validation" in (message or "") for _, message in told)
    assert [number for number, _ in told] == sorted({number for number, _ in told})


async def test_an_answer_to_a_run_that_is_over_is_refused_in_words(connect: Connect) -> None:
    async with opened(connect, sampling_callback=Person(), config=QUIET) as desk:
        first = await desk.client.session.call_tool("run", ASKED, allow_input_required=True)
        state = getattr(first, "request_state", None)
        assert state is not None
        result = CreateMessageResult(role="assistant", content=TextContent(text=actions(PLACE)), model="m")
        answers: InputResponses = dict.fromkeys(getattr(first, "input_requests", {}), result)
        for expected in (False, True):
            last = await desk.client.session.call_tool("run", ASKED, input_responses=answers, request_state=state)
            assert last.is_error is expected


async def test_a_model_that_never_comes_back_ends_the_run(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    import anyio

    monkeypatch.setattr(rounds, "PATIENCE", 0.05)
    async with opened(connect, sampling_callback=Person(), config=QUIET) as desk:
        first = await desk.client.session.call_tool("run", ASKED, allow_input_required=True)
        await anyio.sleep(0.5)
        last = await desk.client.session.call_tool(
            "run",
            ASKED,
            input_responses={},
            request_state=getattr(first, "request_state", None),
        )
        assert "did not answer" in last.model_dump_json()


async def test_a_board_that_changed_meanwhile_keeps_its_changes(connect: Connect) -> None:
    async with opened(connect, sampling_callback=Person(), config=QUIET) as desk:
        first = await desk.client.session.call_tool("run", ASKED, allow_input_required=True)
        await desk.act("place_component", ref="C2", x=150, y=120)
        result = CreateMessageResult(role="assistant", content=TextContent(text=actions(PLACE)), model="m")
        last = await desk.client.session.call_tool(
            "run",
            ASKED,
            input_responses=dict.fromkeys(getattr(first, "input_requests", {}), result),
            request_state=getattr(first, "request_state", None),
        )
        assert "changed while the run was under way" in last.model_dump_json()
        assert (await desk.ok("board_undo"))["changed"] == 0


# Studios that draft


@EITHER
async def test_the_clients_own_model_draws(connect: Connect, boards: Path, mode: str) -> None:
    person = Person(json.dumps(HOUSE))
    async with connect(mode=mode, sampling_callback=person) as desk:
        answer = await desk.ok("run", studio="sketch", instruction="a house with a door")
        assert answer["taken"] is True
        assert answer["calls"] == len(person.asked) == 1
        assert (await desk.ok("sketch_edit", patch={}))["handle"] == answer["handle"]  # it is open now
        assert (await desk.ok("sketch_undo"))["summary"] == "7 strokes"
        await desk.ok("sketch_export", folder="out")
    assert (boards / "out" / "drawing.svg").exists()


@EITHER
async def test_a_run_changes_what_is_open(connect: Connect, boards: Path, mode: str) -> None:
    changes = [{"part": "door", "reason": "asked for", "quote": "the door red"}]
    person = Person(json.dumps({"changes": changes, "restyle": [{"part": "door", "fill": "#ff0000"}]}))
    async with connect(mode=mode, sampling_callback=person) as desk:
        missing = await desk.fails("run", studio="sketch", instruction="a red door", edit=True)
        assert "Call sketch_draft first" in missing
        assert not (boards / "runs").exists()
        await desk.ok("sketch_draft", drawing=HOUSE, brief="a house")
        answer = await desk.ok("run", studio="sketch", instruction="make the door red", edit=True)
        assert answer["taken"] is True
        await desk.ok("sketch_export", folder="out")
    drawing = (boards / "out" / "drawing.svg").read_text()
    assert "#f3dcb2" in drawing  # the wall stayed
    assert "#ff0000" in drawing
    assert "#f3dcb2" in str(person.asked[0].messages)


async def test_the_offline_model_draws_and_then_changes_the_drawing(connect: Connect) -> None:
    async with connect() as desk:
        first = await desk.ok("run", studio="sketch", instruction="a red house with a door")
        assert first["model"] == "offline"
        second = await desk.ok("run", studio="sketch", instruction="make the house blue", edit=True)
        assert second["taken"] is True
        assert second["handle"] != first["handle"]


@pytest.mark.real
async def test_the_clients_own_model_writes_a_shader_toward_a_target(connect: Connect, boards: Path) -> None:
    needs("egl")
    (boards / "target.png").write_bytes(encoded(photograph(), "PNG"))
    broken = RINGS.replace("length(p)", "lngth(p)")
    person = Person(shader_reply(broken), shader_reply(RINGS), *[shader_reply(RINGS)] * 9)
    async with connect(sampling_callback=person, config=SMALL) as desk:
        answer = await desk.ok("run", studio="shader", instruction="rings", target="target.png")
        assert answer["taken"] is True
        assert "lngth" in str(person.asked[1].messages)
        edited = await desk.ok("shader_edit", edits=[{"before": "20.0", "after": "30.0"}])
        assert edited["handle"] == answer["handle"]
        assert "outside" in await desk.fails("run", studio="shader", instruction="rings", target="/etc/passwd")


async def test_a_canceled_run_ends_and_leaves_what_was_open(connect: Connect, boards: Path) -> None:
    import anyio

    asked = anyio.Event()

    async def silent(context: object, params: CreateMessageRequestParams) -> CreateMessageResult:
        asked.set()
        await anyio.sleep_forever()
        raise AssertionError

    async with connect(mode="legacy", sampling_callback=silent) as desk:
        before = await desk.ok("sketch_draft", drawing=HOUSE, brief="a house")
        async with anyio.create_task_group() as group:
            group.start_soon(partial(desk.call, "run", studio="sketch", instruction="a red door", edit=True))
            with anyio.fail_after(20):
                await asked.wait()
            group.cancel_scope.cancel()
        after = await desk.ok("sketch_edit", patch={})
        assert after["handle"] == before["handle"]
    # The record of the run says that it was stopped, and a lock does not hold it.
    ended = [Record.load(run) for run in (boards / "runs").iterdir()]
    assert len(ended) == 2
