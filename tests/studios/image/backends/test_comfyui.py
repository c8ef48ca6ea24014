"""ComfyUI's HTTP interface on a real wire: queue, history, files, and every way in which a prompt comes to nothing."""

from __future__ import annotations

import io
import json
import time
from pathlib import Path
from typing import Any

import anyio
import pytest
from image_servers import (
    Act,
    Comfy,
    Drop,
    Half,
    Hang,
    HttpServer,
    Received,
    Reply,
    comfy_failure,
    comfy_success,
    comfy_workflow,
    picture,
)
from PIL import Image

from redraft.errors import ConfigError, ImageBackendError
from redraft.painting.base import ImageBackend, ImageReply, ImageRequest
from redraft.painting.settings import ImagingSettings
from redraft.studios.image.backends.comfyui import COMFYUI_URL, ComfyUIBackend

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

REQUEST = ImageRequest(prompt="a lighthouse", seed=7, width=64, height=48)
VALUE_NOT_IN_LIST: dict[str, Any] = {
    "error": {
        "type": "prompt_outputs_failed_validation",
        "message": "Prompt outputs failed validation",
        "details": "",
        "extra_info": {},
    },
    "node_errors": {
        "4": {
            "errors": [
                {
                    "type": "value_not_in_list",
                    "message": "Value not in list",
                    "details": "ckpt_name: 'painter.safetensors' not in ['sd_xl_base.safetensors']",
                }
            ],
            "dependent_outputs": ["9"],
            "class_type": "CheckpointLoaderSimple",
        }
    },
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "workflow.json").write_text(json.dumps(comfy_workflow()), encoding="utf-8")
    return tmp_path


async def _no_pause(seconds: float) -> None:
    """Stands in for sleep between tries."""


def backend_at(server: HttpServer, folder: Path, **settings: Any) -> ComfyUIBackend:
    chosen = ImagingSettings(base_url=server.url, **settings)
    return ComfyUIBackend("workflow.json", chosen, folder, sleep=_no_pause, every=0.01)


async def painted(comfy: Comfy, folder: Path, **settings: Any) -> tuple[ImageReply, list[str], HttpServer]:
    """What a server makes of one request, with what was told meanwhile."""
    lines: list[str] = []
    with comfy.server() as server:
        reply = await backend_at(server, folder, **settings).paint(REQUEST, lines.append)
    return reply, lines, server


async def refused(comfy: Comfy, folder: Path, **settings: Any) -> tuple[str, HttpServer]:
    """The words with which one request fails."""
    with comfy.server() as server, pytest.raises(ImageBackendError) as error:
        await backend_at(server, folder, **settings).paint(REQUEST, lambda line: None)
    assert str(error.value).startswith("comfyui:workflow.json ")
    return str(error.value), server


async def test_a_picture_comes_back_byte_for_byte(folder: Path) -> None:
    reply, _, server = await painted(Comfy(), folder)
    assert reply.png == picture()
    assert reply.backend == "comfyui:workflow.json"
    (view,) = server.asked("GET", "/view")
    assert view.query == {"filename": "redraft_00001_.png", "subfolder": "", "type": "output"}


async def test_prompt_seed_and_size_arrive_in_the_nodes_that_they_belong_to(folder: Path) -> None:
    reply, _, server = await painted(Comfy(), folder)
    sent = server.received[0].body["prompt"]
    expected = comfy_workflow()
    expected["6"]["inputs"]["text"] = "a lighthouse"
    expected["3"]["inputs"]["seed"] = 7
    expected["5"]["inputs"] |= {"width": 64, "height": 48}
    assert sent == expected
    assert reply.params == {"seed": 7, "size": "64x48", "received": "PNG, 64x48"}


async def test_the_place_in_the_queue_and_the_painting_are_told(folder: Path) -> None:
    _, lines, _ = await painted(Comfy(looks=6, ahead=3), folder)
    assert lines == ["in the queue behind 3", "in the queue behind 2", "in the queue behind 1", "painting, 0 s"]


async def test_the_cost_is_the_price_of_the_settings_or_unknown(folder: Path) -> None:
    assert (await painted(Comfy(), folder))[0].cost is None
    assert (await painted(Comfy(), folder, price=0.002))[0].cost == 0.002


async def test_a_key_goes_along_where_the_settings_name_one(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMFY_KEY", "comfy-0123456789")
    _, _, server = await painted(Comfy(), folder, api_key_env="COMFY_KEY")
    assert {each.headers.get("authorization") for each in server.received} == {"Bearer comfy-0123456789"}


async def test_openais_key_never_goes_to_comfyui(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789")
    _, _, server = await painted(Comfy(), folder)
    assert all("authorization" not in each.headers for each in server.received)


async def test_saved_pictures_come_before_previews_and_the_others_are_noted(folder: Path) -> None:
    entry = comfy_success(("preview.png", "temp"), ("first.png", "output"), ("second.png", "output"))
    files = {name: picture(colour=colour) for name, colour in [("first.png", "red"), ("second.png", "blue")]}
    reply, _, _ = await painted(Comfy(entry=entry, files=files), folder)
    assert reply.png == files["first.png"]
    assert reply.params["notes"] == ["3 pictures came; the first was taken (first.png)."]


async def test_a_picture_of_another_format_becomes_a_png(folder: Path) -> None:
    reply, _, _ = await painted(Comfy(files={"redraft_00001_.png": picture("WEBP")}), folder)
    with Image.open(io.BytesIO(reply.png)) as image:
        assert image.format == "PNG"
    assert reply.params["received"] == "WEBP, 64x48"


async def test_a_server_that_gives_ids_of_its_own_is_followed(folder: Path) -> None:
    reply, _, server = await painted(Comfy(own_ids=False), folder)
    assert reply.png == picture()
    assert [each.path for each in server.asked("GET", "/history")] == ["/history/server-1"]


async def test_an_old_server_keeps_no_status(folder: Path) -> None:
    entry = comfy_success()
    del entry["status"]
    assert (await painted(Comfy(entry=entry), folder))[0].png == picture()


class TestLostAnswers:
    """A prompt whose answer did not arrive may be in the queue all the same: it is never painted twice."""

    @pytest.mark.parametrize("own_ids", [True, False])
    async def test_a_prompt_that_was_queued_is_found_and_not_sent_again(self, folder: Path, own_ids: bool) -> None:
        comfy = Comfy(acts={"/prompt": [Drop()]}, looks=3, own_ids=own_ids)
        reply, _, server = await painted(comfy, folder)
        assert reply.png == picture()
        assert len(server.asked("POST", "/prompt")) == 1
        assert len(comfy.prompts) == 1

    async def test_a_prompt_that_was_not_queued_is_sent_again(self, folder: Path) -> None:
        comfy = Comfy(acts={"/prompt": [Reply("busy", 503)]})
        reply, lines, server = await painted(comfy, folder)
        assert reply.png == picture()
        assert len(server.asked("POST", "/prompt")) == 2
        assert "HTTP 503: busy; try 2 of 4" in lines[0]

    async def test_questions_and_the_picture_are_asked_for_again(self, folder: Path) -> None:
        comfy = Comfy(
            acts={"/queue": [Drop(), Reply("<html>502</html>", 502)], "/view": [Half(Reply(picture())), Drop()]}
        )
        reply, _, _ = await painted(comfy, folder)
        assert reply.png == picture()
        assert len(reply.params["retry_reasons"]) == 4  # type: ignore[arg-type]

    async def test_a_server_that_stays_away_ends_it(self, folder: Path) -> None:
        said, _ = await refused(Comfy(acts={"/queue": [Drop()] * 9}), folder, retries=2)
        assert "sent no picture after 3 tries" in said


class TestWhatTheServerSays:
    """Its own words are quoted, with the node that they are about."""

    async def test_a_model_that_it_does_not_have(self, folder: Path) -> None:
        said, server = await refused(Comfy(acts={"/prompt": [Reply(VALUE_NOT_IN_LIST, 400)]}), folder)
        assert "refused the workflow: Prompt outputs failed validation. node 4 (CheckpointLoaderSimple): " in said
        assert "'painter.safetensors' not in ['sd_xl_base.safetensors']" in said
        assert "Choose one that the server has" in said
        assert len(server.received) == 1

    async def test_a_node_that_it_does_not_know(self, folder: Path) -> None:
        error = {"message": "Node 'Glow' not found. The custom node may not be installed.", "details": "Node ID '#11'"}
        said, _ = await refused(Comfy(acts={"/prompt": [Reply({"error": error, "node_errors": {}}, 400)]}), folder)
        assert "Node 'Glow' not found. The custom node may not be installed. Install that node on the server" in said

    async def test_many_errors_are_counted(self, folder: Path) -> None:
        node = {"errors": [{"message": "Required input is missing", "details": "model"}], "class_type": "KSampler"}
        body = {"error": {"message": "Bad"}, "node_errors": {str(number): node for number in range(9)}}
        said, _ = await refused(Comfy(acts={"/prompt": [Reply(body, 400)]}), folder)
        assert said.count("Required input is missing") == 4
        assert "and 5 more" in said

    async def test_outputs_that_it_leaves_out(self, folder: Path) -> None:
        comfy = Comfy()
        with comfy.server() as server:
            lines: list[str] = []
            original = comfy._queue  # pyright: ignore[reportPrivateUsage]

            def with_errors(body: dict[str, Any]) -> Any:
                reply = original(body)
                return Reply({**reply.body, "node_errors": VALUE_NOT_IN_LIST["node_errors"]})  # type: ignore[union-attr]

            comfy._queue = with_errors  # type: ignore[method-assign]
            reply = await backend_at(server, folder).paint(REQUEST, lines.append)
        assert "leaves out some outputs: node 4" in lines[0]
        assert "ckpt_name" in str(reply.params["notes"])

    async def test_an_error_while_painting(self, folder: Path) -> None:
        entry = comfy_failure(
            "execution_error", exception_type="torch.OutOfMemoryError", exception_message="Allocation on device\n\n"
        )
        said, server = await refused(Comfy(entry=entry), folder)
        assert "failed to paint: node 3 (KSampler): torch.OutOfMemoryError: Allocation on device." in said
        assert len(server.asked("POST", "/prompt")) == 1

    async def test_somebody_stopped_it(self, folder: Path) -> None:
        said, _ = await refused(Comfy(entry=comfy_failure("execution_interrupted")), folder)
        assert "it was stopped on the server, at node 3 (KSampler)" in said

    async def test_it_finished_without_a_picture(self, folder: Path) -> None:
        entry = {**comfy_success(), "outputs": {"9": {"text": ["hello"]}}}
        said, _ = await refused(Comfy(entry=entry), folder)
        assert "finished without a picture" in said

    async def test_it_forgot_the_prompt(self, folder: Path) -> None:
        said, server = await refused(Comfy(vanishes=True, looks=2), folder)
        assert "has lost the prompt" in said
        assert "The server was restarted, or the prompt was removed" in said
        assert len(server.asked("POST", "/prompt")) == 1

    async def test_the_file_is_gone(self, folder: Path) -> None:
        said, _ = await refused(Comfy(files={}), folder)
        assert "refused its own picture: HTTP 404" in said
        assert "redraft_00001_.png" in said

    async def test_the_file_is_cut_short(self, folder: Path) -> None:
        said, _ = await refused(Comfy(files={"redraft_00001_.png": picture()[:-9]}), folder)
        assert "damaged or cut short" in said

    async def test_something_else_listens_there(self, folder: Path) -> None:
        said, _ = await refused(Comfy(acts={"/prompt": [Reply("<html><body>Not here</body></html>", 404)]}), folder)
        assert "HTTP 404: Not here. Is there a ComfyUI at images.base_url" in said

    async def test_a_queue_that_is_none(self, folder: Path) -> None:
        said, _ = await refused(Comfy(acts={"/queue": [Reply({"hello": "world"})] * 3}), folder, retries=1)
        assert "its answer to /queue is not a queue" in said


class TestTakingBack:
    """Who stops waiting takes back the own prompt, and nobody else's."""

    async def test_a_prompt_that_waits_is_removed(self, folder: Path) -> None:
        comfy = Comfy(looks=10_000, ahead=10_000)
        said, _ = await refused(comfy, folder, timeout=0.3)
        assert "painted nothing within 0.3 s (images.timeout); the prompt was taken back" in said
        assert len(comfy.deleted) == 1
        assert comfy.stopped == []
        assert comfy.prompts == {}

    async def test_taking_back_has_its_own_time_not_what_painting_had(self, folder: Path) -> None:
        comfy = Comfy(looks=10_000, ahead=10_000)

        def slow_queue(received: Received) -> Act:
            if received.path == "/queue":
                time.sleep(0.3)
            return comfy.act(received)

        with HttpServer(slow_queue) as server, pytest.raises(ImageBackendError):
            await backend_at(server, folder, timeout=0.2).paint(REQUEST, lambda line: None)
        assert len(comfy.deleted) == 1

    async def test_a_prompt_that_is_being_painted_is_stopped_by_its_id(self, folder: Path) -> None:
        comfy = Comfy(looks=10_000)
        await refused(comfy, folder, timeout=0.3)
        assert comfy.stopped == list(comfy.prompts)
        assert comfy.deleted == []

    async def test_a_prompt_that_stays_in_the_queue_stops_nobody_elses(self, folder: Path) -> None:
        """Old servers stop whatever runs, whichever id they are sent."""
        comfy = Comfy(looks=10_000, ahead=10_000, keeps=True)
        await refused(comfy, folder, timeout=0.3)
        assert len(comfy.deleted) == 1
        assert comfy.stopped == []

    async def test_a_cancelled_run_takes_its_prompt_back(self, folder: Path) -> None:
        comfy = Comfy(looks=10_000)
        with comfy.server() as server:
            with anyio.move_on_after(0.3) as scope:
                await backend_at(server, folder).paint(REQUEST, lambda line: None)
            assert scope.cancelled_caught
        assert comfy.stopped == list(comfy.prompts)

    async def test_a_prompt_whose_answer_never_came_is_taken_back_too(self, folder: Path) -> None:
        comfy = Comfy(looks=10_000, own_ids=False, acts={"/prompt": [Drop(), *[Hang()] * 3]})
        with comfy.server() as server:
            with anyio.move_on_after(0.3):
                await backend_at(server, folder, retries=20).paint(REQUEST, lambda line: None)
        assert comfy.stopped == ["server-1"]

    async def test_a_finished_prompt_is_left_alone(self, folder: Path) -> None:
        comfy = Comfy(entry=comfy_failure("execution_error"))
        await refused(comfy, folder)
        assert (comfy.deleted, comfy.stopped) == ([], [])

    async def test_a_server_that_hangs_does_not_hold_up_the_end(self, folder: Path) -> None:
        comfy = Comfy(acts={"/queue": [Drop()] * 50})
        with comfy.server() as server:
            with anyio.fail_after(5):
                with pytest.raises(ImageBackendError):
                    await backend_at(server, folder, retries=1).paint(REQUEST, lambda line: None)


async def test_nobody_listens(folder: Path) -> None:
    with Comfy().server() as server:
        pass
    with pytest.raises(ImageBackendError, match=r"no connection to 127\.0\.0\.1:\d+ .*Is the server running\?"):
        await backend_at(server, folder, retries=0).paint(REQUEST, lambda line: None)


def test_it_is_an_image_backend_at_this_machine(folder: Path) -> None:
    backend = ComfyUIBackend("workflow.json", ImagingSettings(), folder)
    assert isinstance(backend, ImageBackend)
    assert backend._server.base_url == COMFYUI_URL == "http://127.0.0.1:8188"  # pyright: ignore[reportPrivateUsage]


def test_no_workflow_is_named(folder: Path) -> None:
    with pytest.raises(ConfigError, match="names no workflow"):
        ComfyUIBackend("", ImagingSettings(), folder)


def test_a_key_that_is_not_there(folder: Path) -> None:
    with pytest.raises(ConfigError, match="COMFY_KEY is not set"):
        ComfyUIBackend("workflow.json", ImagingSettings(api_key_env="COMFY_KEY"), folder)
