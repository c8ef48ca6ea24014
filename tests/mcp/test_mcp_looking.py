"""What a client is told of the server, and the tools that only look: with good input and with bad."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

import pytest
from mcp_types import ImageContent
from small_board import ORDER

from redraft.studios.board.actions.registry import ACTIONS

from .conftest import Connect, opened, said

pytestmark = [pytest.mark.slow, pytest.mark.anyio]

DRAFTING = {"draft", "edit", "look", "export", "undo"}
TOOLS = {
    *(f"board_{verb}" for verb in ("open", "look", "find", "nets", "act", "check", "undo", "save")),
    *(f"{studio}_{verb}" for studio in ("scene", "shader", "sketch") for verb in DRAFTING),
    *(f"image_{verb}" for verb in ("draft", "paint", "history", "undo")),
    "scene_compare", "shader_compare", "memory_lookup", "run",
}  # fmt: skip
READING = {"look", "find", "nets", "check", "history", "lookup"}
WRITING = {"save", "export", "paint"}


async def test_the_tools_are_named_explained_and_marked(connect: Connect) -> None:
    async with connect() as desk:
        tools = {tool.name: tool for tool in (await desk.client.list_tools()).tools}
    assert tools.keys() == TOOLS
    assert len(tools) <= 40
    for name, tool in tools.items():
        verb = name.rpartition("_")[2]
        assert tool.title
        assert tool.description
        assert tool.output_schema is not None
        assert tool.input_schema["additionalProperties"] is False
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint == (verb in READING)
        assert tool.annotations.destructive_hint == (verb in WRITING)
        assert tool.annotations.open_world_hint is False


async def test_the_description_of_actions_has_each_with_its_fields(connect: Connect) -> None:
    async with connect() as desk:
        tools = {tool.name: tool for tool in (await desk.client.list_tools()).tools}
    words = tools["board_act"].description or ""
    lines = {line.partition("(")[0]: line for line in words.splitlines()}
    for name, model in ACTIONS.items():
        for field in model.model_fields.keys() - {"action", "allow_overlap"}:
            assert re.search(rf"\b{field}\b", lines[name]), (name, field)
    assert "place_relative(ref, target, side=right|left|top|bottom, clearance=0.5" in words
    assert "anchors?: [{ref, edge?: left|right|top|bottom|any" in words


async def test_schemas_are_valid_and_agree_with_the_check_of_the_arguments(connect: Connect) -> None:
    from jsonschema import Draft202012Validator

    async with connect() as desk:
        tools = {tool.name: tool for tool in (await desk.client.list_tools()).tools}
    for tool in tools.values():
        Draft202012Validator.check_schema(tool.input_schema)
        assert tool.output_schema is not None
        Draft202012Validator.check_schema(tool.output_schema)
    calls: list[tuple[str, dict[str, object], bool]] = [
        ("board_act", {"actions": [{"action": "rotate", "refs": ["U1"], "by": 90}]}, True),
        ("board_act", {"actions": []}, False),
        ("board_act", {"actions": [{"refs": ["U1"]}]}, False),
        ("board_act", {"actions": "rotate"}, False),
        ("board_look", {"window": [0, 0, 1, 1, 1]}, False),
        ("board_find", {"side": "left"}, False),
        ("board_undo", {"steps": 2}, False),
        ("scene_edit", {"edits": [{"before": "a"}]}, False),
        ("sketch_draft", {"drawing": "a house"}, False),
        ("shader_draft", {}, False),
        ("run", {"studio": "board"}, False),
    ]
    async with opened(connect) as desk:
        for name, arguments, good in calls:
            schema: Any = Draft202012Validator(tools[name].input_schema)
            assert schema.is_valid(arguments) == good, arguments
            answer = await desk.call(name, **arguments)
            assert answer.is_error is not good, said(answer)


async def test_the_server_says_how_to_work_and_that_labels_are_data(connect: Connect) -> None:
    async with connect() as desk:
        words = desk.client.instructions or ""
    assert "requirements" in words
    assert "never follow" in words


async def test_nothing_works_before_a_board_is_open_and_the_error_says_what_to_open(connect: Connect) -> None:
    async with connect() as desk:
        for tool in ("board_look", "board_undo", "board_check"):
            assert "small.kicad_pcb" in await desk.fails(tool)


async def test_compass(connect: Connect) -> None:
    async with opened(connect) as desk:
        words = (await desk.ok("board_look"))["compass"]
        assert "U1" in words
        assert "Center" in words
        assert "unknown argument" in await desk.fails("board_look", of="U1")


async def test_inspect_in_three_forms(connect: Connect) -> None:
    async with opened(connect) as desk:
        parts = await desk.ok("board_look", refs=["C1", "C2"], around=1.0)
        assert {part["ref"] for part in parts["objects"]} == {"C1", "C2"}
        # Courtyards are 1.5 mm high, 5 mm apart in their middles.
        assert parts["gaps"][0] == {"between": ["C1", "C2"], "distance": 3.5, "vector": [0.0, 1.0]}
        region = await desk.ok("board_look", window=[136, 108.5, 144, 116.5])
        assert {part["ref"] for part in region["objects"]} == {"C1", "C2"}
        seen = await desk.call("board_look", refs=["C1"], picture=True)
        picture = next(block for block in seen.content if isinstance(block, ImageContent))
        assert base64.b64decode(picture.data).startswith(b"\x89PNG")
        assert json.loads(said(seen)) == seen.structured_content


async def test_a_look_says_what_is_wrong(connect: Connect) -> None:
    async with opened(connect) as desk:
        assert "not both" in await desk.fails("board_look", refs=["C1"], window=[0, 0, 1, 1])
        for window in ([1, 1], [0, 0, -1, 1]):
            assert "give [x0, y0, x1, y1]" in await desk.fails("board_look", window=window)
        assert "C1" in await desk.fails("board_look", refs=["C11"])


async def test_find(connect: Connect) -> None:
    async with opened(connect) as desk:
        found = await desk.ok("board_find", kind="cap*", net="vcc", side="top", placed=True)
        assert [part["ref"] for part in found["parts"]] == ["C1", "C2"]
        assert found["parts"][0]["value"] == "100nF"
        assert (await desk.ok("board_find", net="B[0]"))["total"] == 8
        assert (await desk.ok("board_find", zone="Center"))["parts"][0]["ref"] == "U1"
        assert "Top-Left" in await desk.fails("board_find", zone="middle")


async def test_everything_on_a_net_and_all_pins_of_a_part(connect: Connect) -> None:
    async with opened(connect) as desk:
        on_net = await desk.ok("board_nets", names=["vcc"])
        assert {pin["ref"] for pin in on_net["pins"]} == {"C1", "C2", "IGNORE", "J1", "U1"}
        pins = await desk.ok("board_nets", names=["U1"])
        assert [(pin["pad"], pin["net"]) for pin in pins["pins"]] == [
            ("1", "VCC"),
            ("2", "A"),
            ("3", "GND"),
            ("4", "VCC"),
        ]
        assert pins["pins"][0]["elsewhere"][:2] == ["C1.1", "C2.1"]
        assert {net["name"] for net in (await desk.ok("board_nets"))["nets"]} == {"VCC", "GND", "A", "B[0]"}
        assert "close: VCC" in await desk.fails("board_nets", names=["VCCC"])
        first = await desk.ok("board_nets", names=["U1"], limit=3)
        rest = await desk.ok("board_nets", names=["U1"], limit=3, cursor=first["next_cursor"])
        assert [*first["pins"], *rest["pins"]] == pins["pins"]
        assert "next_cursor" in await desk.fails("board_nets", names=["U1"], cursor="nobody")


async def test_find_in_pages_gives_each_part_once_in_order(connect: Connect) -> None:
    async with opened(connect) as desk:
        seen: list[str] = []
        cursor = None
        while True:
            page = await desk.ok("board_find", limit=4, cursor=cursor)
            assert page["total"] == 13
            seen += [part["ref"] for part in page["parts"]]
            cursor = page["next_cursor"]
            if cursor is None:
                break
        assert seen == ["C1", "C2", "IGNORE", "J1", *(f"R{n}" for n in range(1, 9)), "U1"]
        assert "next_cursor" in await desk.fails("board_find", cursor="nobody")


async def test_pictures(connect: Connect) -> None:
    async with opened(connect) as desk:
        for window in ({}, {"refs": ["U1"]}, {"window": [115, 115, 125, 125]}):
            answer = await desk.call("board_look", picture=True, **window)
            picture = next(block for block in answer.content if isinstance(block, ImageContent))
            assert base64.b64decode(picture.data)[16:24] == (512).to_bytes(4) * 2


async def test_labels_that_give_orders_stay_data(connect: Connect, boards: Path) -> None:
    async with opened(connect) as desk:
        found = await desk.ok("board_find", ref="U1")
        assert found["parts"][0]["value"] == ORDER  # in its field, whole, and nowhere else
        for tool, arguments in (("board_look", {}), ("board_look", {"refs": ["U1"]}), ("board_check", {})):
            assert ORDER not in said(await desk.call(tool, **arguments))
        listed = (await desk.client.list_tools()).model_dump_json()
        prompt = (await desk.client.get_prompt("layout", {"task": "t"})).model_dump_json()
        assert ORDER not in listed + prompt + (desk.client.instructions or "")
    assert _names(boards) == {"small.kicad_pcb"}


async def test_resources_and_completion(connect: Connect) -> None:
    from mcp_types import ResourceTemplateReference

    async with opened(connect) as desk:
        client = desk.client
        assert {str(r.uri) for r in (await client.list_resources()).resources} == {"board://compass", "board://view"}
        words = (await client.read_resource("board://compass")).contents[0]
        assert words.model_dump()["text"] == (await desk.ok("board_look"))["compass"]
        view = (await client.read_resource("board://view")).contents[0].model_dump()
        assert base64.b64decode(view["blob"]).startswith(b"\x89PNG")
        part = (await client.read_resource("board://part/C1")).contents[0].model_dump()
        assert json.loads(part["text"])["objects"][0]["ref"] == "C1"
        with pytest.raises(Exception, match="C1"):
            await client.read_resource("board://part/C11")
        names = await client.complete(
            ResourceTemplateReference(uri="board://part/{ref}"), {"name": "ref", "value": "r"}
        )
        assert names.completion.values == [f"R{n}" for n in range(1, 9)]


async def test_the_prompt_takes_the_task(connect: Connect) -> None:
    async with connect() as desk:
        prompt = await desk.client.get_prompt("layout", {"task": "C1 at $U1 {now}"})
        assert "C1 at $U1 {now}" in prompt.model_dump_json()


def _names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}
