"""The contract of studios, kept by those that are built in and by the smallest that there is."""

from __future__ import annotations

import json
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, ClassVar

import pytest
import scene_replies
from drawings import HOUSE
from real_parts import needs
from shaders import reply_of
from toy import ToyStudio
from two_parts import two_parts

from redraft import studios
from redraft.studios import open_studio
from redraft.studios.base import Studio
from redraft.testing import StudioContract


class TestToy(StudioContract):
    name = "toy"
    instruction = "at least 3"
    reply = "3"
    failing_reply = "-1"

    @pytest.fixture(autouse=True)
    def installed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        point = EntryPoint("toy", "toy:studio", studios.GROUP)
        monkeypatch.setattr(studios, "entry_points", lambda group="": [point] if group == studios.GROUP else [])

    @pytest.fixture
    def studio(self) -> Studio[Any, Any]:
        return ToyStudio()


class TestSketch(StudioContract):
    name = "sketch"
    instruction = "a house with a door"
    reply = HOUSE


class TestBoard(StudioContract):
    name = "board"
    instruction = "put R2 3 mm right of R1"
    reply = json.dumps(
        {
            "approach": "say it",
            "actions": [
                {"action": "place_relative", "ref": "R2", "target": "R1", "side": "right", "clearance": 3},
            ],
        }
    )

    def inputs(self, folder: Path) -> dict[str, Any]:
        (folder / "two.kicad_pcb").write_text(two_parts())
        return {"source": folder / "two.kicad_pcb"}


class TestImage(StudioContract):
    name = "image"
    instruction = "a blue door"
    reply = "A blue door."
    bad_reply = ""


@pytest.mark.real
class TestShader(StudioContract):
    name = "shader"
    instruction = "rings of light"
    reply = reply_of()

    @pytest.fixture
    def studio(self) -> Studio[Any, Any]:
        needs("egl")
        return open_studio("shader")


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.timeout(400)
class TestScene(StudioContract):
    name = "scene"
    instruction = "a red apple on the ground"
    reply = scene_replies.reply_of()
    options: ClassVar[dict[str, Any]] = {"size": "96x72", "samples": 1}

    @pytest.fixture
    def studio(self) -> Studio[Any, Any]:
        needs("blender")
        needs("bwrap")
        return open_studio("scene")
