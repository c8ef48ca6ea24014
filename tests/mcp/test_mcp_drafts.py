"""Tools of studios that draft, through the SDK's own client."""

from __future__ import annotations

import pytest
from shaders import RINGS

from .conftest import Connect

pytestmark = [pytest.mark.slow, pytest.mark.anyio]


async def test_settings_that_shape_the_result_are_arguments_and_stay(connect: Connect) -> None:
    async with connect() as desk:
        first = await desk.ok("shader_draft", brief="rings", code=RINGS, frames=3, width=64, height=64, picture=False)
        assert first["summary"].endswith("3 frames")
        assert first["facts"][0].startswith("64 × 64")
        again = await desk.ok("shader_edit", seconds=2, picture=False)
        assert [fact.split(":")[0] for fact in again["facts"][1:]] == ["t=0.00 s", "t=0.67 s", "t=1.33 s"]
        assert "frames" in await desk.fails("shader_edit", frames=0)
        assert "unknown argument" in await desk.fails("shader_draft", code=RINGS, limit=1e9)
