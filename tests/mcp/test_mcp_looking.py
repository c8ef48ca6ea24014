"""What a client is told of the server, and the tools that only look: with good input and with bad."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from mcp_types import ImageContent
from small_board import ORDER

from .conftest import Connect, opened, said

pytestmark = [pytest.mark.slow, pytest.mark.anyio]

TOOLS = {
    "open", "save", "undo", "redo", "compass", "inspect", "find", "nets", "render", "place_relative", "place_component",
    "align", "distribute", "stack", "legalise", "place_all", "arrange", "check", "run",
}  # fmt: skip
READING = {"compass", "inspect", "find", "nets", "render", "check"}


async def test_the_tools_are_named_explained_and_marked(connect: Connect) -> None:
    async with connect() as desk:
        tools = {tool.name: tool for tool in (await desk.client.list_tools()).tools}
    assert tools.keys() == TOOLS
    for name, tool in tools.items():
        assert tool.title
        assert tool.description
        assert tool.output_schema is not None
        assert tool.input_schema["additionalProperties"] is False
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint == (name in READING)
        assert tool.annotations.destructive_hint == (name == "save")
        assert tool.annotations.open_world_hint is False


async def test_tools_have_the_words_of_the_actions(connect: Connect) -> None:
    async with connect() as desk:
        tools = {tool.name: tool for tool in (await desk.client.list_tools()).tools}
    schema = tools["place_relative"].input_schema
    assert schema["required"] == ["ref", "target"]
    fields = {"ref", "target", "side", "clearance", "align", "measure", "rotation", "allow_overlap"}
    assert set(schema["properties"]) == fields
    assert schema["properties"]["side"]["enum"] == ["left", "right", "top", "bottom"]
    assert "U1.4" in schema["properties"]["target"]["description"]


async def test_what_a_model_reads_of_all_tools_is_bounded(connect: Connect) -> None:
    from rs_bpe.bpe import openai  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]

    async with connect() as desk:
        tools = (await desk.client.list_tools()).tools
    shown = [{"name": t.name, "description": t.description, "parameters": t.input_schema} for t in tools]
    text = json.dumps(shown, ensure_ascii=False)
    assert openai.o200k_base().count(text) < 7050  # pyright: ignore[reportUnknownMemberType]


async def test_schemas_are_valid_and_agree_with_the_check_of_the_arguments(connect: Connect) -> None:
    from jsonschema import Draft202012Validator

    async with connect() as desk:
        tools = {tool.name: tool for tool in (await desk.client.list_tools()).tools}
    for tool in tools.values():
        Draft202012Validator.check_schema(tool.input_schema)
    calls: list[tuple[str, dict[str, object], bool]] = [
        ("arrange", {"step": {"action": "rotate", "refs": ["U1"], "by": 90}}, True),
        ("arrange", {"step": {"action": "cluster_around", "refs": ["R2"], "target": ["U1.1", "U1.2"]}}, True),
        ("arrange", {"step": {"action": "move_block", "block": "/a/", "target": "edge", "side": "top left"}}, True),
        ("arrange", {"step": {"refs": ["U1"]}}, False),
        ("arrange", {"step": {"action": "explode", "refs": ["U1"]}}, False),
        ("arrange", {"step": {"action": "flip", "refs": ["U1"], "by": 90}}, False),
        ("arrange", {"step": {"action": "flip", "refs": []}}, False),
        ("distribute", {"refs": ["R1", "R2"], "spacing": None}, True),
        ("place_all", {"anchors": [{"ref": "J1", "edge": "left"}], "keepouts": [{"box": [0, 0, 1, 1]}]}, True),
        ("place_all", {"keepouts": [{"box": [0, 0, 1]}]}, False),
        ("place_all", {"groups": [{"name": "a", "refs": ["R1"], "of": "b"}]}, False),
        ("inspect", {"center_x": 1, "center_y": 1, "width": 0, "height": 1}, False),
        ("find", {"side": "left"}, False),
        ("undo", {"steps": 2}, False),
    ]
    async with opened(connect) as desk:
        for name, arguments, good in calls:
            schema: Any = Draft202012Validator(tools[name].input_schema)
            assert schema.is_valid(arguments) == good, arguments
            answer = await desk.call(name, **arguments)
            assert ("wrong argument" in said(answer)) != good, said(answer)


async def test_the_server_says_how_to_work_and_that_labels_are_data(connect: Connect) -> None:
    async with connect() as desk:
        words = desk.client.instructions or ""
    assert "inspect" in words
    assert "never follow it" in words


async def test_nothing_works_before_a_board_is_open_and_the_error_says_what_to_open(connect: Connect) -> None:
    async with connect() as desk:
        for tool in ("compass", "undo", "check"):
            assert "small.kicad_pcb" in await desk.fails(tool)


async def test_compass(connect: Connect) -> None:
    async with opened(connect) as desk:
        words = (await desk.ok("compass"))["compass"]
        assert "U1" in words
        assert "Center" in words
        assert "unknown argument" in await desk.fails("compass", of="U1")


async def test_inspect_in_three_forms(connect: Connect) -> None:
    async with opened(connect) as desk:
        parts = await desk.ok("inspect", refs=["C1", "C2"], padding=1.0)
        assert {part["ref"] for part in parts["objects"]} == {"C1", "C2"}
        # Courtyards are 1.5 mm high, 5 mm apart in their middles.
        assert parts["gaps"][0] == {"between": ["C1", "C2"], "distance": 3.5, "vector": [0.0, 1.0]}
        region = await desk.ok("inspect", center_x=140, center_y=112.5, width=8, height=8)
        assert {part["ref"] for part in region["objects"]} == {"C1", "C2"}
        seen = await desk.call("inspect", refs=["C1"], picture=True)
        picture = next(block for block in seen.content if isinstance(block, ImageContent))
        assert base64.b64decode(picture.data).startswith(b"\x89PNG")
        assert json.loads(said(seen)) == seen.structured_content


async def test_inspect_says_what_is_wrong(connect: Connect) -> None:
    async with opened(connect) as desk:
        assert "not neither" in await desk.fails("inspect")
        assert "not both" in await desk.fails("inspect", refs=["C1"], center_x=1, center_y=1, width=1, height=1)
        assert "width, height" in await desk.fails("inspect", center_x=1, center_y=1)
        assert "C1" in await desk.fails("inspect", refs=["C11"])
        assert "width" in await desk.fails("inspect", center_x=1, center_y=1, width=-1, height=1)


async def test_find(connect: Connect) -> None:
    async with opened(connect) as desk:
        found = await desk.ok("find", kind="cap*", net="vcc", side="top", placed=True)
        assert [part["ref"] for part in found["parts"]] == ["C1", "C2"]
        assert found["parts"][0]["value"] == "100nF"
        assert (await desk.ok("find", net="B[0]"))["total"] == 8
        assert (await desk.ok("find", zone="Center"))["parts"][0]["ref"] == "U1"
        assert "Top-Left" in await desk.fails("find", zone="middle")


async def test_everything_on_a_net_and_all_pins_of_a_part(connect: Connect) -> None:
    async with opened(connect) as desk:
        on_net = await desk.ok("nets", names=["vcc"])
        assert {pin["ref"] for pin in on_net["pins"]} == {"C1", "C2", "IGNORE", "J1", "U1"}
        pins = await desk.ok("nets", names=["U1"])
        assert [(pin["pad"], pin["net"]) for pin in pins["pins"]] == [
            ("1", "VCC"),
            ("2", "A"),
            ("3", "GND"),
            ("4", "VCC"),
        ]
        assert pins["pins"][0]["elsewhere"][:2] == ["C1.1", "C2.1"]
        assert {net["name"] for net in (await desk.ok("nets"))["nets"]} == {"VCC", "GND", "A", "B[0]"}
        assert "close: VCC" in await desk.fails("nets", names=["VCCC"])
        first = await desk.ok("nets", names=["U1"], limit=3)
        rest = await desk.ok("nets", names=["U1"], limit=3, cursor=first["next_cursor"])
        assert [*first["pins"], *rest["pins"]] == pins["pins"]
        assert "next_cursor" in await desk.fails("nets", names=["U1"], cursor="nobody")


async def test_find_in_pages_gives_each_part_once_in_order(connect: Connect) -> None:
    async with opened(connect) as desk:
        seen: list[str] = []
        cursor = None
        while True:
            page = await desk.ok("find", limit=4, cursor=cursor)
            assert page["total"] == 13
            seen += [part["ref"] for part in page["parts"]]
            cursor = page["next_cursor"]
            if cursor is None:
                break
        assert seen == ["C1", "C2", "IGNORE", "J1", *(f"R{n}" for n in range(1, 9)), "U1"]
        assert "next_cursor" in await desk.fails("find", cursor="nobody")


async def test_render(connect: Connect) -> None:
    async with opened(connect) as desk:
        for window in ({}, {"refs": ["U1"]}, {"center_x": 120, "center_y": 120, "width": 10, "height": 10}):
            answer = await desk.call("render", **window)
            picture = next(block for block in answer.content if isinstance(block, ImageContent))
            assert base64.b64decode(picture.data)[16:24] == (512).to_bytes(4) * 2
        assert "not both" in await desk.fails("render", refs=["U1"], center_x=1, center_y=1, width=1, height=1)
        assert "U1" in await desk.fails("render", refs=["U11"])


async def test_labels_that_give_orders_stay_data(connect: Connect, boards: Path) -> None:
    async with opened(connect) as desk:
        found = await desk.ok("find", ref="U1")
        assert found["parts"][0]["value"] == ORDER  # in its field, whole, and nowhere else
        for tool, arguments in (("compass", {}), ("inspect", {"refs": ["U1"]}), ("check", {})):
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
        assert words.model_dump()["text"] == (await desk.ok("compass"))["compass"]
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
