"""From a backend's name to a backend; what cannot be honoured is refused before anything is painted."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from image_servers import comfy_workflow, picture
from pydantic import ValidationError

from redraft.errors import BriefError, BudgetError, ConfigError, ImageBackendError, MissingPartError, RedraftError
from redraft.painting.base import Drawn, ImageBackend, ImageRequest, with_progress
from redraft.painting.registry import open_backend
from redraft.painting.settings import ImagingSettings
from redraft.studios.image.backends import registry

REQUEST = ImageRequest(prompt="a lighthouse", seed=7, width=64, height=48)
PNG = picture()


async def draw(request: ImageRequest) -> Drawn:
    """Draws everything in the same way."""
    return Drawn(PNG)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789")
    (tmp_path / "flows").mkdir()
    (tmp_path / "flows" / "w.json").write_text(json.dumps(comfy_workflow()), encoding="utf-8")
    return tmp_path


def opened(folder: Path, backend: str, **settings: Any) -> ImageBackend:
    return open_backend(ImagingSettings(backend=backend, **settings), draw=draw, folder=folder)


@pytest.mark.parametrize(
    ("backend", "name"),
    [
        ("sketch", "sketch"),
        ("openai:gpt-image-2", "openai:gpt-image-2"),
        ("openai: gpt-image-2 ", "openai:gpt-image-2"),
        ("comfyui:flows/w.json", "comfyui:flows/w.json"),
        ("command:sh paint.sh {out}", "command:sh"),
    ],
)
def test_every_kind_of_backend_opens_under_its_name(folder: Path, backend: str, name: str) -> None:
    assert opened(folder, backend).name == name


@pytest.mark.parametrize(
    ("backend", "hint"),
    [
        ("opnai:gpt-image-2", "Did you mean openai:gpt-image-2?"),
        ("comfy-ui:w.json", "Did you mean comfyui:w.json?"),
        ("skech", "Did you mean sketch?"),
        ("openai", "Say which one, as in openai:gpt-image-2."),
        ("comfyui", "Say which one, as in comfyui:workflow.json."),
        ("comand", "Did you mean command:./paint.sh {prompt_file} {out}?"),
        ("gpt-image-2", "Did you mean openai:gpt-image-2?"),
        ("flows/w.json", "Did you mean comfyui:flows/w.json?"),
        ("sketch:claude", "images.sketch_model names the model that draws"),
        ("midjourney", "Known backends: sketch, openai:MODEL, comfyui:WORKFLOW.json and command:PROGRAM …."),
        ("", "Known backends: sketch"),
    ],
)
def test_a_name_that_is_none_says_what_was_probably_meant(folder: Path, backend: str, hint: str) -> None:
    with pytest.raises(ConfigError) as error:
        opened(folder, backend)
    assert str(error.value).startswith(f"images.backend is {backend!r}, which is not an image backend.")
    assert hint in str(error.value)


@pytest.mark.parametrize(
    ("backend", "setting"),
    [
        ("sketch", {"api_key_env": "MY_KEY"}),
        ("sketch", {"base_url": "http://127.0.0.1:1"}),
        ("sketch", {"quality": "high"}),
        ("command:sh x", {"base_url": "http://127.0.0.1:1"}),
        ("command:sh x", {"quality": "high"}),
        ("comfyui:flows/w.json", {"quality": "high"}),
        ("openai:gpt-image-2", {"sketch_model": "anthropic:claude-haiku-4-5"}),
    ],
)
def test_a_setting_that_a_backend_cannot_honour_is_refused(folder: Path, backend: str, setting: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=f"does not know images.{next(iter(setting))}; remove it"):
        opened(folder, backend, **setting)


def test_the_embedded_backend_draws_squares(folder: Path) -> None:
    with pytest.raises(ConfigError, match="are 1536 × 1024, and sketch draws squares"):
        opened(folder, "sketch", width=1536)


def test_a_workflow_is_checked_before_any_call(folder: Path) -> None:
    (folder / "ui.json").write_text(json.dumps({"nodes": [], "links": []}), encoding="utf-8")
    with pytest.raises(ConfigError, match="in the editor's format"):
        opened(folder, "comfyui:ui.json")


def _nothing(module: str) -> None:
    """No module is installed."""


@pytest.mark.parametrize("backend", ["openai:gpt-image-2", "comfyui:flows/w.json", "command:sh x"])
def test_a_missing_library_is_named_with_the_command_that_installs_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, backend: str
) -> None:
    monkeypatch.setattr(registry, "find_spec", _nothing)
    with pytest.raises(MissingPartError, match=r"pip install 'redraft\[image\]'"):
        opened(folder, backend)


def test_the_embedded_backend_loads_neither_network_nor_pillow() -> None:
    code = (
        "import sys; from redraft.painting.registry import open_backend; "
        "from redraft.painting.settings import ImagingSettings; from pathlib import Path; "
        "open_backend(ImagingSettings(), draw=lambda r: None, folder=Path()); "
        "print([m for m in sys.modules if m.split('.')[0] in {'httpx2', 'PIL', 'pydantic_ai', 'numpy'}])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert found.stdout.strip() == "[]"


@pytest.mark.anyio
class TestTheEmbeddedBackend:
    """The sketch studio's hand is lent to it."""

    async def test_what_is_drawn_comes_back(self, folder: Path) -> None:
        reply = await opened(folder, "sketch").paint(REQUEST, lambda line: None)
        assert (reply.png, reply.backend, reply.cost) == (PNG, "sketch", 0.0)
        assert reply.params == {"model": "offline", "seed": 7, "size": "64x48", "received": "PNG, 64x48"}

    async def test_what_is_only_a_placeholder_comes_back_by_name(self) -> None:
        async def unsure(request: ImageRequest) -> Drawn:
            return Drawn(PNG, ("dragon",))

        reply = await open_backend(ImagingSettings(), draw=unsure, folder=Path()).paint(REQUEST, lambda line: None)
        assert reply.params["stand_ins"] == ["dragon"]

    async def test_what_another_model_draws_has_no_known_price(self, folder: Path) -> None:
        backend = opened(folder, "sketch", sketch_model="anthropic:claude-haiku-4-5")
        assert (await backend.paint(REQUEST, lambda line: None)).cost is None

    async def test_another_size_than_asked_is_told(self, folder: Path) -> None:
        lines: list[str] = []
        await opened(folder, "sketch").paint(REQUEST.model_copy(update={"width": 640}), lines.append)
        assert lines == ["sketch sent 64x48 pixels instead of 640x48"]

    async def test_what_cannot_be_drawn_is_told_with_its_reason(self) -> None:
        async def cannot(request: ImageRequest) -> Drawn:
            raise BriefError("The instruction is empty")

        backend = open_backend(ImagingSettings(), draw=cannot, folder=Path())
        with pytest.raises(ImageBackendError, match=r"sketch drew no picture: The instruction is empty\."):
            await backend.paint(REQUEST, lambda line: None)

    @pytest.mark.parametrize("error", [BudgetError("cap"), MissingPartError("part"), ConfigError("setting")])
    async def test_what_a_person_can_fix_goes_through_as_it_is(self, error: RedraftError) -> None:
        async def cannot(request: ImageRequest) -> Drawn:
            raise error

        backend = open_backend(ImagingSettings(), draw=cannot, folder=Path())
        with pytest.raises(type(error), match=str(error)):
            await backend.paint(REQUEST, lambda line: None)

    async def test_what_is_no_png_is_refused(self) -> None:
        async def scribble(request: ImageRequest) -> Drawn:
            return Drawn(b"<svg/>")

        backend = open_backend(ImagingSettings(), draw=scribble, folder=Path())
        with pytest.raises(ImageBackendError, match="is not a PNG"):
            await backend.paint(REQUEST, lambda line: None)


@pytest.mark.anyio
async def test_while_it_paints_the_time_is_told_and_no_longer() -> None:
    import anyio

    lines: list[str] = []

    async def work() -> str:
        await anyio.sleep(0.12)
        return "done"

    assert await with_progress(work, lines.append, every=0.05) == "done"
    told = len(lines)
    await anyio.sleep(0.1)
    assert lines[:1] == ["painting, 0 s"]
    assert len(lines) == told


class TestSettings:
    """Settings that are wrong in themselves."""

    @pytest.mark.parametrize("address", ["localhost:8188", "ftp://x", "http://", "https:///v1"])
    def test_an_address_that_is_none(self, address: str) -> None:
        with pytest.raises(ValidationError, match="expected an address"):
            ImagingSettings(base_url=address)

    @pytest.mark.parametrize("address", ["http://me:secret@host/v1", "https://token@host"])
    def test_a_login_in_an_address_would_be_recorded_and_is_refused(self, address: str) -> None:
        with pytest.raises(ValidationError, match="so an address has no login"):
            ImagingSettings(base_url=address)

    @pytest.mark.parametrize("quality", ["", "High", "a b", "x" * 40])
    def test_a_quality_that_is_no_word(self, quality: str) -> None:
        with pytest.raises(ValidationError):
            ImagingSettings(quality=quality)
