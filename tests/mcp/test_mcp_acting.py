"""Every tool that moves parts or checks them, with good input and with bad, through the SDK's own client."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_board import write_routed

from .conftest import Connect, opened

pytestmark = [pytest.mark.slow, pytest.mark.anyio]


async def test_place_relative_is_exact(connect: Connect) -> None:
    async with opened(connect) as desk:
        step = await desk.act("place_relative", ref="C1", target="U1.4", side="right", clearance=0.5)
        # Pad 4 of U1 ends at x = 123.5; C1's left pad is 1 mm wide and 1 mm left of its middle.
        assert step["moved"] == [f"C1 to ({123.5 + 0.5 + 0.5 + 1.0}, 118)"]
        assert step["changed"] == 1
        assert step["can_undo"] == 1


async def test_a_refused_action_names_what_is_in_the_way_and_a_free_place_and_changes_nothing(connect: Connect) -> None:
    async with opened(connect) as desk:
        words = await desk.refused("place_relative", ref="R1", target="R2", side="right", clearance=0.0)
        assert "R3" in words
        assert "free place" in words
        assert (await desk.ok("board_check"))["total"] == 0
        assert "nothing to undo" in await desk.fails("board_undo")


async def test_names_that_are_not_there_get_the_closest(connect: Connect) -> None:
    async with opened(connect) as desk:
        assert "C1" in await desk.refused("place_relative", ref="C11", target="U1")
        assert "pad" in await desk.refused("place_relative", ref="C1", target="U1.99")


async def test_arguments_of_a_wrong_kind_are_told_one_by_one(connect: Connect) -> None:
    async with opened(connect) as desk:
        words = await desk.refused("place_relative", ref="C1", target="U1", side="up", clearance="far")
        assert "side" in words
        assert "clearance" in words
        assert "errors.pydantic.dev" not in words
        assert "given 'up'" in words


async def test_place_component(connect: Connect) -> None:
    async with opened(connect) as desk:
        step = await desk.act("place_component", ref="J1", x=150, y=120, rotation=90)
        assert step["moved"] == ["J1 to (150, 120), 90°"]
        assert "10000" in await desk.refused("place_component", ref="J1", x=1e9, y=0)


async def test_align_distribute_stack(connect: Connect) -> None:
    async with opened(connect) as desk:
        await desk.act("place_component", ref="R3", x=120, y=131)
        await desk.act("align", refs=["R1", "R2", "R3"], axis="x")
        await desk.act("distribute", refs=["R1", "R2", "R3"], spacing=1.0)
        view = await desk.ok("board_look", refs=["R1", "R2", "R3"], around=0.5)
        gaps = {tuple(gap["between"]): gap["distance"] for gap in view["gaps"]}
        assert gaps["R1", "R2"] == 1.0
        assert gaps["R2", "R3"] == 1.0
        await desk.act("stack", refs=["C1", "C2"], direction="down", spacing=0.25)
        view = await desk.ok("board_look", refs=["C1", "C2"], around=0.5)
        assert view["gaps"][0]["distance"] == 0.25
        assert "axis" in await desk.refused("align", refs=["R1", "R2"], axis="z")
        assert "refs" in await desk.refused("distribute", refs=[])
        assert "direction" in await desk.refused("stack", refs=["C1", "C2"], direction="sideways")


async def test_arrange(connect: Connect) -> None:
    async with opened(connect) as desk:
        steps = [
            {"action": "rotate", "refs": ["C1"], "by": 90},
            {"action": "swap", "ref": "C1", "other": "J1"},
            {"action": "move_to_edge", "ref": "J1", "edge": "bottom", "allow_overlap": True},
            {"action": "move_by", "refs": ["C2"], "dx": 1.5},
            {"action": "flip", "refs": ["C2"]},
            {"action": "cluster_around", "refs": ["R1"], "target": "U1"},
            {"action": "cluster_around", "refs": ["R2"], "target": ["U1.1", "U1.2"]},
            {"action": "decouple", "target": "U1", "refs": ["C1"]},
            {"action": "move_block", "refs": ["R3", "R4"], "target": "edge", "side": "bottom right", "clearance": 1},
            {"action": "lock", "refs": ["U1"]},
        ]
        for number, step in enumerate(steps, start=1):
            assert (await desk.ok("board_act", actions=[step]))["can_undo"] == number
        assert "no block" in await desk.refused("copy_block", source="a", onto=["b"])
        assert "locked" in await desk.refused("move_by", refs=["U1"], dx=1)
        assert "no action 'explode'" in await desk.refused("explode", refs=["U1"])
        assert "actions[1] flip: by: Extra inputs" in await desk.refused("flip", refs=["C1"], by=90)


async def test_legalise(connect: Connect) -> None:
    async with opened(connect) as desk:
        await desk.act("place_component", ref="C1", x=140, y=114.5, allow_overlap=True)
        assert (await desk.ok("board_check"))["valid"] is False
        await desk.act("legalise", refs=["C1"])
        assert (await desk.ok("board_check"))["valid"] is True
        assert "C1" in await desk.refused("legalise", refs=["C11"])


async def test_check_in_pages(connect: Connect) -> None:
    async with opened(connect) as desk:
        assert (await desk.ok("board_check"))["findings"] == []
        await desk.act("place_component", ref="R2", x=111, y=135, allow_overlap=True)
        await desk.act("place_component", ref="R4", x=121, y=135, allow_overlap=True)
        first = await desk.ok("board_check", limit=1)
        assert first["valid"] is False
        assert first["asked"] == ["redraft"]
        assert first["total"] >= 2
        second = await desk.ok("board_check", limit=1, cursor=first["next_cursor"])
        assert second["findings"][0] != first["findings"][0]
        await desk.ok("board_undo")
        assert "Check again" in await desk.fails("board_check", limit=1, cursor=first["next_cursor"])
        assert "cursor" in await desk.fails("board_check", cursor="5")


async def test_undo_and_redo(connect: Connect) -> None:
    async with opened(connect) as desk:
        before = await desk.ok("board_look", refs=["C1"])
        await desk.ok("board_act", actions=[{"action": "move_by", "refs": ["C1"], "dx": 1.0}])
        after = await desk.ok("board_look", refs=["C1"])
        assert (await desk.ok("board_undo"))["changed"] == 0
        assert await desk.ok("board_look", refs=["C1"]) == before
        await desk.ok("board_undo", redo=True)
        assert await desk.ok("board_look", refs=["C1"]) == after
        assert "no step was undone" in await desk.fails("board_undo", redo=True)


async def test_ripping_up_is_asked_for_when_a_board_is_opened(connect: Connect, boards: Path) -> None:
    path = write_routed(boards)
    async with connect() as desk:
        await desk.ok("board_open", path=path.name)
        await desk.ok("board_act", actions=[{"action": "swap", "ref": "C1", "other": "R1"}])
        assert all(found["code"] == "board.short" for found in (await desk.ok("board_check"))["findings"])
        await desk.ok("board_open", path=path.name, ripup=True, discard=True)
        await desk.ok("board_act", actions=[{"action": "swap", "ref": "C1", "other": "R1"}])
        assert (await desk.ok("board_check"))["valid"]


async def test_a_format_newer_than_the_newest_known_is_noted(connect: Connect, boards: Path) -> None:
    path = boards / "small.kicad_pcb"
    path.write_text(path.read_text().replace("20241229", "20260101"))
    async with connect() as desk:
        (note,) = (await desk.ok("board_open", path=path.name))["notes"]
        assert "newer than that of KiCad 9 (20260101" in note


async def test_a_list_of_actions_is_one_step_or_nothing(connect: Connect) -> None:
    async with opened(connect) as desk:
        await desk.act("move_by", refs=["C2"], dx=1)
        await desk.ok("board_undo")
        good = [{"action": "move_by", "refs": ["C1"], "dx": 1}, {"action": "rotate", "refs": ["C1"], "by": 90}]
        words = await desk.fails("board_act", actions=[*good, {"action": "move_by", "refs": ["C99"], "dx": 1}])
        assert "Action 3 of 3 (move_by)" in words
        redone = await desk.ok("board_undo", redo=True)  # what was undone before can still be done again
        assert redone["changed"] == 1
        tried = await desk.ok("board_act", actions=good, dry_run=True)
        assert tried["did"].startswith("not done: ")
        assert tried["moved"][0].startswith("C1 to (141, 110), 90")
        assert tried["changed"] == 1
        done = await desk.ok("board_act", actions=good)
        assert (done["changed"], done["can_undo"]) == (2, 2)
        assert (await desk.ok("board_undo"))["changed"] == 1
