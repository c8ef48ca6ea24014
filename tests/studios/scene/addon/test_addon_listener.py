"""The add-on's listener: whom it takes a file from, which files, and what becomes of one that does not arrive."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Generator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from blender_listener import ANSWER, listener, listening

BLEND = b"BLENDER-v300" + bytes(range(256)) * 40
TYPE = "application/x-blender"


class Placed:
    """Files that were placed, as (name, kind, bytes)."""

    def __init__(self) -> None:
        self.files: list[tuple[str, str, bytes]] = []

    def __call__(self, path: Path, kind: str, name: str) -> dict[str, Any]:
        assert path.name == f"scene.{kind}"
        self.files.append((name, kind, path.read_bytes()))
        return ANSWER


@pytest.fixture
def placed() -> Placed:
    return Placed()


@pytest.fixture
def open_one(placed: Placed) -> Generator[Any]:
    with listening(placed) as found:
        yield found


def ask(
    to: Any, body: bytes = BLEND, *, start: str = "POST /place?name=apple", less: int = 0, **headers: Any
) -> tuple[int, dict[str, Any]]:
    """Send a request as bytes, with headers replaced, added, or left out (None); status and answer."""
    named = {
        "Host": f"127.0.0.1:{to.port}",
        "Authorization": f"Bearer {to.token}",
        "Content-Type": TYPE,
        "Content-Length": str(len(body)),
    } | {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"{start} HTTP/1.1", *(f"{name}: {value}" for name, value in named.items() if value is not None)]
    with socket.create_connection(("127.0.0.1", to.port), timeout=20) as connection:
        connection.sendall("\r\n".join([*lines, "", ""]).encode() + body[: len(body) - less])
        connection.shutdown(socket.SHUT_WR)
        said = b""
        while chunk := connection.recv(65536):
            said += chunk
    head, _, content = said.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(content)


def test_a_file_is_placed(open_one: Any, placed: Placed) -> None:
    assert ask(open_one) == (200, ANSWER)
    assert placed.files == [("apple", "blend", BLEND)]


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [
        ("..%2F..%2Fetc%2Fpasswd", "etc passwd"),
        ("C:%5CWindows%5Cwin.ini", "C Windows win.ini"),
        ("%2F", "redraft"),
        ("..", "redraft"),
        ("a%00b%0A%1B[31mc", "a b 31mc"),
        ("%C3%84pfel", "Äpfel"),
        ("x" * 300, "x" * 60),
        ("", "redraft"),
    ],
)
def test_a_name_is_a_label_and_never_a_path(open_one: Any, placed: Placed, name: str, cleaned: str) -> None:
    assert ask(open_one, start=f"POST /place?name={name}")[0] == 200
    assert placed.files[0][0] == cleaned


@pytest.mark.parametrize(
    ("status", "said", "headers"),
    [
        (401, "The token is wrong", {"Authorization": "Bearer no"}),
        (401, "The token is wrong", {"Authorization": None}),
        (401, "The token is wrong", {"Authorization": "Bearer Ä"}),
        (403, "Only programs on this machine", {"Host": "example.org"}),
        (403, "Only programs on this machine", {"Host": "127.0.0.1"}),
        (403, "Only programs on this machine", {"Host": None}),
        (403, "Only programs on this machine", {"Origin": "http://127.0.0.1"}),
        (411, "given '-1'", {"Content_Length": "-1"}),
        (411, "given ''", {"Content_Length": None}),
        (411, "must be given", {"Transfer_Encoding": "chunked"}),
        (413, "has 1 to", {"Content_Length": "999999999999"}),
        (413, "has 1 to", {"Content_Length": "0"}),
        (411, "must be given", {"Content_Length": "9" * 5000}),
        (415, "given 'text/x-python'", {"Content_Type": "text/x-python"}),
        (415, "not a .glb file: it begins with b'BLENDER-'", {"Content_Type": "model/gltf-binary"}),
        (431, "longer than 16384 bytes", {"X_Long": "x" * 20_000}),
        (431, "longer than 16384 bytes", {f"X{number}": "x" * 300 for number in range(80)}),
    ],
)
def test_what_is_refused(open_one: Any, placed: Placed, status: int, said: str, headers: dict[str, Any]) -> None:
    got, answer = ask(open_one, **headers)
    assert got == status
    assert said in answer["error"]
    assert placed.files == []
    assert ask(open_one)[0] == 200, "and the next one is taken"


@pytest.mark.parametrize("start", ["GET /place", "POST /run", "OPTIONS /place", "nonsense"])
def test_there_is_one_kind_of_message(open_one: Any, placed: Placed, start: str) -> None:
    status, answer = ask(open_one, start=start)
    assert status in (400, 404, 501)
    assert "It takes POST /place" in answer["error"]
    assert placed.files == []


def test_an_address_without_end_is_refused(open_one: Any, placed: Placed) -> None:
    assert ask(open_one, start=f"POST /place?name={'x' * 100_000}")[0] in (400, 414, 431)
    assert placed.files == []


def test_a_host_named_twice_is_refused(open_one: Any, placed: Placed) -> None:
    assert ask(open_one, Host=f"127.0.0.1:{open_one.port}\r\nHost: example.org")[0] == 403
    assert placed.files == []


def test_a_file_that_ends_early_is_not_placed(open_one: Any, placed: Placed) -> None:
    status, answer = ask(open_one, less=100)
    assert (status, answer["error"]) == (400, f"The file ended after {len(BLEND) - 100} of {len(BLEND)} bytes.")
    assert placed.files == []
    assert ask(open_one)[0] == 200


def test_a_sender_that_sends_nothing_is_given_up(placed: Placed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "HEADER_TIME", 0.2)
    with listening(placed) as found, socket.create_connection(("127.0.0.1", found.port), timeout=20) as connection:
        assert connection.recv(1) == b""


def test_a_sender_that_stops_in_the_middle_is_given_up(placed: Placed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "STALL_TIMEOUT", 0.2)
    with listening(placed) as found, socket.create_connection(("127.0.0.1", found.port), timeout=20) as connection:
        head = f"POST /place HTTP/1.1\r\nHost: 127.0.0.1:{found.port}\r\nAuthorization: Bearer {found.token}\r\n"
        connection.sendall(f"{head}Content-Type: {TYPE}\r\nContent-Length: 1000\r\n\r\nBLENDER".encode())
        assert b" 400 " in connection.recv(100)
    assert placed.files == []


@pytest.mark.slow
def test_a_header_in_small_pieces_has_no_more_time(placed: Placed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "HEADER_TIME", 1.0)
    with listening(placed) as found, ExitStack() as stack:
        connection = stack.enter_context(socket.create_connection(("127.0.0.1", found.port), timeout=20))
        stack.enter_context(suppress(ConnectionError))
        for _ in range(300):
            connection.send(b"x")
            time.sleep(0.1)
        pytest.fail("the header has taken 30 seconds")


def test_connections_have_a_limit(placed: Placed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "MAX_CONNECTIONS", 3)
    with listening(placed) as found, ExitStack() as stack:
        connect = [socket.create_connection(("127.0.0.1", found.port), timeout=20) for _ in range(4)]
        for connection in connect:
            stack.enter_context(connection)
        assert connect[3].recv(1) == b""
        for connection in connect[:3]:
            connection.close()
        deadline = time.monotonic() + 20
        while found._server.free._value < 3 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert ask(found)[0] == 200


def test_two_senders_at_once_are_served_one_after_the_other() -> None:
    under_way, most = 0, 0

    def place(path: Path, kind: str, name: str) -> dict[str, Any]:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        time.sleep(0.2)
        assert path.read_bytes() == BLEND + name.encode()
        under_way -= 1
        return ANSWER | {"collection": name}

    answers: list[tuple[int, dict[str, Any]]] = []

    def sender_of(name: str) -> None:
        answers.append(ask(found, BLEND + name.encode(), start=f"POST /place?name={name}"))

    with listening(place) as found:
        senders = [threading.Thread(target=sender_of, args=(name,)) for name in ("one", "two")]
        for sender in senders:
            sender.start()
        for sender in senders:
            sender.join()
    assert sorted((status, answer["collection"]) for status, answer in answers) == [(200, "one"), (200, "two")]
    assert most == 1


def test_what_a_busy_blender_was_not_in_time_for_is_not_placed_later(
    placed: Placed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener, "BUSY_TIMEOUT", 0.1)
    with listening(placed, pumped=False) as found:
        status, answer = ask(found)
        assert (status, answer["error"]) == (503, "Blender was busy for 0.1 seconds; nothing was placed.")
        found.pump()
    assert placed.files == []


def test_stopping_refuses_what_waits(placed: Placed) -> None:
    with listening(placed, pumped=False) as found:
        threading.Timer(0.3, found.stop).start()
        assert ask(found) == (503, {"error": "The listener was stopped."})


def test_a_fault_in_blender_is_answered_in_a_line(open_one: Any, placed: Placed) -> None:
    def fail(path: Path, kind: str, name: str) -> dict[str, Any]:
        raise RuntimeError("Error: Python: Traceback …\n  File …\nKeyError: 'mesh'\nLocation: ops.py:113\n")

    with listening(fail) as found:
        assert ask(found) == (500, {"error": "Blender could not place it: KeyError: 'mesh'"})
        assert ask(found)[0] == 500, "it listens on"


def test_port_and_token_are_for_the_user_alone(own_environment: Path) -> None:
    file = own_environment / "redraft" / "blender.json"
    with listening(Placed()) as first:
        assert json.loads(file.read_text()) == {"port": first.port, "token": first.token}
        assert file.stat().st_mode & 0o777 == 0o600
        with listening(Placed()) as second:
            assert second.token != first.token
            first.stop()
            assert json.loads(file.read_text())["token"] == second.token, "that of the one that listens now"
    assert not file.exists()


def test_a_port_that_is_taken(open_one: Any) -> None:
    with pytest.raises(OSError, match="in use"):
        listener.Listener(Placed(), open_one.port)


def test_it_listens_on_this_machine_alone(open_one: Any) -> None:
    assert open_one._server.server_address[0] == "127.0.0.1"
