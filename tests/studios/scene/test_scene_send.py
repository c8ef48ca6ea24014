"""Sending a scene to the open Blender: what is sent, what is said when it cannot be, and that nothing is lost."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from blender_listener import ANSWER, listener, listening

from redraft.cli.outcome import exit_code
from redraft.errors import SendError
from redraft.result import Report, Result, Usage, Verdict
from redraft.studios.scene import send as sending
from redraft.studios.scene.send import Sent, connection_file, send
from redraft.studios.scene.settings import SceneSettings
from redraft.studios.scene.studio import studio

GLB = b"glTF" + bytes(100)
BLEND = b"BLENDER" + bytes(100)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    folder = tmp_path / "2026-11-24-a-red-apple"
    folder.mkdir()
    (folder / "scene.blend").write_bytes(BLEND)
    (folder / "scene.glb").write_bytes(GLB)
    return folder


def older(path: Path, kind: str, name: str) -> dict[str, Any]:
    """A Blender that cannot read the `.blend`."""
    if kind == "blend":
        raise listener.RefusedError(409, "Blender 3.4.1 cannot read this .blend.", send="glb")
    return ANSWER | {"how": "import", "collection": name, "blender": "3.4.1"}


@contextmanager
def answering(answer: Callable[[socket.socket], None]) -> Generator[None]:
    """Something else on the port that the add-on left behind."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        connect(server.getsockname()[1])

        def serve() -> None:
            with server.accept()[0] as connection:
                answer(connection)

        thread = threading.Thread(target=serve)
        thread.start()
        yield
        thread.join()


def connect(port: int) -> None:
    connection_file().parent.mkdir(parents=True, exist_ok=True)
    connection_file().write_text(json.dumps({"port": port, "token": "x" * 32}))


def test_the_add_on_and_redraft_agree_on_the_file() -> None:
    assert connection_file() == listener.connection_file()
    assert (sending.SCENE.size, set(sending.TYPES.values())) == (listener.MAX_FILE, set(listener.KINDS))


def test_a_run_is_appended_under_the_name_of_its_folder(run: Path) -> None:
    got: list[tuple[str, str, bytes]] = []

    def place(path: Path, kind: str, name: str) -> dict[str, Any]:
        got.append((kind, name, path.read_bytes()))
        return ANSWER

    with listening(place):
        sent = send(run)
    assert got == [("blend", run.name, BLEND)]
    assert (sent.collection, sent.how, sent.reason) == ("apple", "append", "")
    assert sent.line() == "1 object, appended into the new collection 'apple' in Blender 5.0.1"


def test_an_older_blender_gets_the_glb(run: Path) -> None:
    with listening(older):
        sent = send(run, "apple")
        assert (sent.how, sent.reason) == ("import", "Blender 3.4.1 cannot read this .blend.")
        with pytest.raises(SendError, match=r"did not take scene\.blend: Blender 3\.4\.1 cannot read"):
            send({"blend": run / "scene.blend"})
        assert send({"glb": run / "scene.glb"}).reason == ""


def test_without_a_blender(run: Path) -> None:
    with pytest.raises(SendError, match=r"(?s)blender\.json is missing.*Start Listening.*redraft setup blender-addon"):
        send(run)


def test_a_blender_that_was_closed_without_a_word(run: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        connect(free.getsockname()[1])
    with pytest.raises(SendError, match=r"Blender no longer listens at 127\.0\.0\.1:\d+\. .* press Start Listening"):
        send(run)


@pytest.mark.parametrize("content", ["", "{", '{"port": 80, "token": "x"}', '{"port": 8767, "token": "a b\\r\\nX: y"}'])
def test_a_damaged_connection_file(run: Path, content: str) -> None:
    connect(8767)
    connection_file().write_text(content)
    with pytest.raises(SendError, match="cannot be used: no port and token"):
        send(run)


def test_the_token_of_another_blender(run: Path) -> None:
    with listening(older) as found:
        (run / "scene.blend").write_bytes(BLEND + bytes(20_000_000))  # more than fits between the two
        connect(found.port)
        with pytest.raises(SendError, match=r"did not take scene\.blend: The token is wrong"):
            send(run)


def close_midway(connection: socket.socket) -> None:
    connection.recv(1000)


def test_blender_is_closed_while_it_receives(run: Path) -> None:
    (run / "scene.blend").write_bytes(BLEND + bytes(20_000_000))
    with (
        answering(close_midway),
        pytest.raises(SendError, match=r"scene\.blend was not placed, as far as is known: .* If Blender was closed"),
    ):
        send(run)
    assert (run / "scene.blend").stat().st_size > 20_000_000


@pytest.mark.parametrize("said", [b"HTTP/1.0 200 OK\r\n\r\n<html>", b"HTTP/1.0 404 No\r\n\r\n", b"220 mail\r\n"])
def test_something_else_listens(run: Path, said: bytes) -> None:
    def answer(connection: socket.socket) -> None:
        connection.recv(65536)
        connection.sendall(said)

    with answering(answer), pytest.raises(SendError, match=r"is not redraft's add-on|was not placed"):
        send(run)


def test_nothing_to_send(tmp_path: Path) -> None:
    with pytest.raises(SendError, match="There is no scene to send"):
        send(tmp_path)


def test_a_file_that_is_too_large(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "SCENE", replace(sending.SCENE, size=50))
    connect(8767)
    with pytest.raises(SendError, match=r"scene\.blend has 107 bytes; Blender takes up to 50"):
        send(run)


def result_of(run: Path, **more: Any) -> Result:
    files = {"blend": run / "scene.blend", "glb": run / "scene.glb"}
    told: dict[str, Any] = {
        "studio": "scene",
        "valid": True,
        "score": 1.0,
        "report": Report(),
        "verdict": Verdict(by="critic", satisfied=True),
        "usage": Usage(),
        "iterations": (),
        "files": files,
    }
    return Result(run=run, **{**told, **more})


SEND = SceneSettings(send=True)


def test_a_delivery_is_sent_only_if_the_settings_say_so(run: Path) -> None:
    result = result_of(run)
    assert studio.hand_over(result, SceneSettings()) == result


def test_a_delivery_that_was_sent_says_where_it_is(run: Path) -> None:
    def place(path: Path, kind: str, name: str) -> dict[str, Any]:
        return older(path, kind, name) | {"left_out": ["text block rig.py"]}

    with listening(place):
        result = studio.hand_over(result_of(run), SEND)
    assert result.error is None
    assert result.warnings == (
        "sent as .glb: Blender 3.4.1 cannot read this .blend.",
        "not sent: text block rig.py, which could run in Blender.",
    )
    assert studio.details(result) == [
        f"sent:    1 object, imported into the new collection {run.name!r} in Blender 3.4.1"
    ]
    assert Sent.model_validate_json((run / "sent.json").read_bytes()).blender == "3.4.1"


def test_a_delivery_that_cannot_be_sent_is_whole_and_the_exit_code_says_so(run: Path) -> None:
    result = studio.hand_over(result_of(run), SEND)
    assert result.error is not None
    assert str(result.error["message"]).startswith("Blender is not listening")
    assert (result.valid, result.files, exit_code(result)) == (True, result_of(run).files, 3)


def test_a_run_that_ended_early_is_not_sent(run: Path) -> None:
    ended = result_of(run, error={"phase": "loop", "step": "", "message": "stopped"})
    assert studio.hand_over(ended, SEND) == ended
