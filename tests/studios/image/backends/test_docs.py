"""docs/images.md: what it shows works, and what it says is so."""

from __future__ import annotations

import json
import os
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml
from image_servers import picture

from redraft.errors import ConfigError, ImageBackendError
from redraft.painting.base import Drawn, ImageRequest
from redraft.painting.registry import open_backend
from redraft.painting.settings import ImagingSettings
from redraft.studios.image.backends.command import PLACEHOLDERS as IN_COMMANDS
from redraft.studios.image.backends.openai import RETIRED, known
from redraft.studios.image.backends.workflow import PLACEHOLDERS as IN_WORKFLOWS
from redraft.studios.image.backends.workflow import read_workflow

ROOT = Path(__file__).parents[4]
PAGE = (ROOT / "docs" / "images.md").read_text(encoding="utf-8")
REQUEST = ImageRequest(prompt='a "lighthouse"; $(touch hacked)', seed=7, width=640, height=384)


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


async def draw(request: ImageRequest) -> Drawn:
    """Draws everything in the same way."""
    return Drawn(picture())


def test_the_settings_are_settings() -> None:
    shown = yaml.safe_load(blocks("yaml")[0])["images"]
    assert list(shown) == list(ImagingSettings.model_fields)
    ImagingSettings.model_validate(shown)
    defaults = ImagingSettings()
    for name in ("width", "height", "timeout", "retries", "sketch_model"):
        assert shown[name] == getattr(defaults, name)


def backends() -> list[str]:
    """Every backend that a command on the page names."""
    words = [shlex.split(line) for block in blocks("sh") for line in block.splitlines() if "--backend" in line]
    return [line[line.index("--backend") + 1] for line in words]


def test_the_backends_are_backends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789")
    (tmp_path / "workflow.json").write_text(blocks("json")[0], encoding="utf-8")
    script = tmp_path / "paint.sh"
    script.touch(0o700)
    assert len(backends()) >= 5
    for name in backends():
        settings = ImagingSettings(backend=name)
        assert open_backend(settings, draw=draw, folder=tmp_path).name == name.partition(" ")[0]


def test_the_workflow_is_filled_in(tmp_path: Path) -> None:
    (tmp_path / "w.json").write_text(blocks("json")[0], encoding="utf-8")
    filled = read_workflow(tmp_path / "w.json").filled(REQUEST)
    graph: Any = filled.graph
    assert graph["2"]["inputs"]["text"] == REQUEST.prompt
    assert (graph["4"]["inputs"]["width"], graph["4"]["inputs"]["height"]) == (640, 384)
    assert graph["5"]["inputs"]["seed"] == 7
    assert (filled.seed, filled.sized) == (7, True)


def test_the_workflow_without_placeholders_is_found_by_its_links(tmp_path: Path) -> None:
    plain = blocks("json")[0].replace('"{{prompt}}"', '"x"').replace('"{{seed}}"', "1")
    plain = plain.replace('"{{width}}"', "512").replace('"{{height}}"', "512")
    (tmp_path / "w.json").write_text(plain, encoding="utf-8")
    graph: Any = read_workflow(tmp_path / "w.json").filled(REQUEST).graph
    assert graph == json.loads(blocks("json")[0]) | {name: graph[name] for name in ("2", "4", "5")}
    assert graph["2"]["inputs"]["text"] == REQUEST.prompt
    assert graph["5"]["inputs"]["seed"] == 7


@pytest.mark.anyio
async def test_the_script_hands_the_prompt_on_as_one_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a stand-in for the painter, which keeps its arguments and writes the picture where it is told."""
    script = next(block for block in blocks("sh") if block.startswith("#!"))
    painter = tmp_path / "bin" / "sd-cli"
    painter.parent.mkdir()
    (tmp_path / "good.png").write_bytes(picture())
    painter.write_text('#!/bin/sh\nprintf "%s\\n" "$@" > arguments.txt\ncp good.png "$6"\n', encoding="utf-8")
    (tmp_path / "paint.sh").write_text(script, encoding="utf-8")
    for program in (painter, tmp_path / "paint.sh"):
        program.chmod(0o700)
    monkeypatch.setenv("PATH", f"{painter.parent}{os.pathsep}{os.environ['PATH']}")
    line = next(name for name in backends() if name.endswith("{height}"))
    backend = open_backend(ImagingSettings(backend=line), draw=draw, folder=tmp_path)
    reply = await backend.paint(REQUEST, lambda line: None)
    assert reply.png == picture()
    arguments = (tmp_path / "arguments.txt").read_text().splitlines()
    assert arguments[:4] == ["-m", "model.safetensors", "-p", REQUEST.prompt]
    assert arguments[6:] == ["-s", "7", "-W", "640", "-H", "384"]
    assert not (tmp_path / "hacked").exists()


def test_every_placeholder_is_on_the_page() -> None:
    assert set(re.findall(r"`\{(\w+)\}`", PAGE)) == set(IN_COMMANDS)
    assert set(re.findall(r"`\{\{(\w+)\}\}`", PAGE)) == set(IN_WORKFLOWS)
    assert set(re.findall(r"`PAINT_(\w+)`", PAGE)) == {name.upper() for name in IN_COMMANDS}


def test_the_table_of_sizes_is_the_table() -> None:
    rows = re.findall(r"^\| (`(?:gpt-image|dall-e).*?) \| (.*?) \|$", PAGE, re.MULTILINE)
    assert len(rows) == 4
    for names, sizes in rows:
        for name in re.findall(r"`([^`]*)`", names):
            family = known(name.replace("…", "flare"))
            assert family is not None
            shown = {(int(w), int(h)) for w, h in re.findall(r"(\d+) × (\d+)", sizes)}
            assert shown == set(family.sizes or {(3840, 2160)})


def test_every_retired_model_is_on_the_page() -> None:
    assert all(f"`{name}`" in PAGE for name in RETIRED if name != "chatgpt-image-latest")


def test_every_error_on_the_page_is_one_of_ours() -> None:
    """The words after the class stand in a message of the room, or are what its other tests have seen."""
    files = [*(ROOT / "src/redraft/studios/image/backends").glob("*.py"), *Path(__file__).parent.glob("test_*.py")]
    room = " ".join(path.read_text(encoding="utf-8") for path in files if path != Path(__file__))
    room = re.sub(r'"\s*f?"', "", room)  # sentences that go on in the next line
    rows = re.findall(r"^\| `(ConfigError|ImageBackendError): ([^`]+)`", PAGE, re.MULTILINE)
    assert len(rows) >= 12
    assert {globals()[kind] for kind, _ in rows} == {ConfigError, ImageBackendError}
    for _, words in rows:
        parts = [part.strip() for part in words.replace("OPENAI_API_KEY", "…").replace("4 tries", "…").split("…")]
        assert all(part in room for part in parts if len(part) > 8), words
