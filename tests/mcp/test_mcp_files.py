"""Opening and saving: nothing is lost, nothing is written where it was not asked for."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from mcp_types import BlobResourceContents

from .conftest import Connect, opened

pytestmark = pytest.mark.anyio


async def test_open(connect: Connect, boards: Path) -> None:
    async with connect() as desk:
        answer = await desk.ok("board_open", path="small.kicad_pcb")
        assert answer["components"] == 13
        assert answer["bounds"] == [100.0, 100.0, 160.0, 140.0]
        assert answer["has_outline"] is True
        assert "unknown argument" in await desk.fails("board_open", path="small.kicad_pcb", mode="w")
        assert "outside" in await desk.fails("board_open", path="/etc/passwd")
        (boards / "broken.kicad_pcb").write_text("(kicad_pcb (version 20241229)")
        assert "broken.kicad_pcb" in await desk.fails("board_open", path="broken.kicad_pcb")
        assert (await desk.ok("board_find"))["total"] == 13  # the board before is still open


async def test_the_open_board_is_a_resource_by_its_handle(connect: Connect, boards: Path) -> None:
    async with connect() as desk:
        handle = (await desk.ok("board_open", path="small.kicad_pcb"))["handle"]
        await desk.act("move_by", refs=["C1"], dx=1.0, allow_overlap=True)
        (source,) = (await desk.client.read_resource(f"work://{handle}/source")).contents
        (picture,) = (await desk.client.read_resource(f"work://{handle}/picture.png")).contents
        assert isinstance(source, BlobResourceContents)
        assert isinstance(picture, BlobResourceContents)
        assert base64.b64decode(picture.blob).startswith(b"\x89PNG")
        await desk.ok("board_save", out="out.kicad_pcb")
    assert base64.b64decode(source.blob) == (boards / "out.kicad_pcb").read_bytes()


async def test_opening_another_board_does_not_lose_unsaved_work(connect: Connect) -> None:
    async with opened(connect) as desk:
        await desk.act("place_relative", ref="C1", target="C2", side="top", clearance=1.0)
        assert "discard" in await desk.fails("board_open", path="small.kicad_pcb")
        await desk.ok("board_open", path="small.kicad_pcb", discard=True)
        assert (await desk.ok("board_check"))["total"] == 0


async def test_save(connect: Connect, boards: Path) -> None:
    source = boards / "small.kicad_pcb"
    before = source.read_bytes()
    async with opened(connect) as desk:
        await desk.ok("board_act", actions=[{"action": "move_by", "refs": ["C1"], "dx": 1.0}])
        answer = await desk.ok("board_save", out="out.kicad_pcb")
        assert answer["changed"] == ["C1"]
        assert source.read_bytes() == before
        assert (boards / "out.kicad_pcb").read_bytes() == before.replace(b"(at 140 110)", b"(at 141 110)")
        assert "overwrite" in await desk.fails("board_save", out="out.kicad_pcb")
        await desk.ok("board_save", out="out.kicad_pcb", overwrite=True)
        assert "in_place" in await desk.fails("board_save")
        assert "in_place" in await desk.fails("board_save", out="small.kicad_pcb", overwrite=True)
        assert "outside" in await desk.fails("board_save", out="../out.kicad_pcb")
        assert (await desk.ok("board_save", in_place=True))["backup"].endswith(".bak")
        assert (boards / "small.kicad_pcb.bak").read_bytes() == before
        await desk.ok("board_undo")
        await desk.ok("board_save", in_place=True)
        assert source.read_bytes() == before


async def test_a_board_that_changed_on_disk_is_not_written_over(connect: Connect, boards: Path) -> None:
    source = boards / "small.kicad_pcb"
    async with opened(connect) as desk:
        await desk.ok("board_act", actions=[{"action": "move_by", "refs": ["C1"], "dx": 1.0}])
        source.write_bytes(source.read_bytes() + b"\n")
        assert "changed" in await desk.fails("board_save", in_place=True)
        assert source.read_bytes().endswith(b"\n\n")


async def test_a_board_that_became_a_link_outwards_is_not_written(
    connect: Connect, boards: Path, tmp_path: Path
) -> None:
    source, elsewhere = boards / "small.kicad_pcb", tmp_path / "elsewhere.kicad_pcb"
    async with opened(connect) as desk:
        source.rename(elsewhere)
        source.symlink_to(elsewhere)
        before = elsewhere.read_bytes()
        await desk.ok("board_act", actions=[{"action": "move_by", "refs": ["C1"], "dx": 1.0}])
        assert "outside" in await desk.fails("board_save", in_place=True)
        assert elsewhere.read_bytes() == before
