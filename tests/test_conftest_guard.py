"""The guard of `conftest.py` itself: it must hold, or no other test's word about the network counts."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest

OUTSIDE = "203.0.113.7"  # TEST-NET-3, RFC 5737: nobody's address


@pytest.mark.parametrize("method", ["connect", "connect_ex"])
def test_other_addresses_are_refused_and_remembered(method: str, loopback_only: Any) -> None:
    with socket.socket() as connection, pytest.raises(OSError, match=f"tried to reach {OUTSIDE}"):
        getattr(connection, method)((OUTSIDE, 443))
    assert loopback_only.attempts == [OUTSIDE]
    loopback_only.attempts.clear()


def test_names_are_not_looked_up(loopback_only: Any) -> None:
    for look_up in (lambda: socket.getaddrinfo("example.org", 443), lambda: socket.gethostbyname("example.org")):
        with pytest.raises(OSError, match=r"tried to reach example\.org"):
            look_up()
    assert loopback_only.attempts == ["example.org", "example.org"]
    loopback_only.attempts.clear()


def test_datagrams_are_refused(loopback_only: Any) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender, pytest.raises(OSError, match="tried to reach"):
        sender.sendto(b"x", (OUTSIDE, 53))
    loopback_only.attempts.clear()


@pytest.mark.anyio
async def test_asynchronous_connections_are_refused_too(loopback_only: Any) -> None:
    with pytest.raises(OSError, match=r"tried to reach|connection attempts failed"):
        await anyio.connect_tcp(OUTSIDE, 443)
    assert OUTSIDE in loopback_only.attempts
    loopback_only.attempts.clear()


def test_loopback_and_local_sockets_work() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        there, _ = server.accept()
        there.sendall(b"here")
        there.close()
        assert client.recv(4) == b"here"
    left, right = socket.socketpair()
    with left, right:
        left.sendall(b"pair")
        assert right.recv(4) == b"pair"


@pytest.mark.slow
def test_an_attempt_that_was_swallowed_fails_the_test(pytester_like: Path) -> None:
    """A whole pytest in a folder of its own, with this repository's conftest."""
    (pytester_like / "test_swallow.py").write_text(
        "import socket\n"
        "def test_swallow():\n"
        "    try:\n"
        f"        socket.create_connection(('{OUTSIDE}', 80), timeout=1)\n"
        "    except OSError:\n"
        "        pass\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(pytester_like)],
        check=False,
        capture_output=True,
        text=True,
        cwd=pytester_like,
        timeout=60,
    )
    assert done.returncode == 1, done.stdout
    assert f"tried to reach {OUTSIDE}" in done.stdout


@pytest.fixture
def pytester_like(tmp_path: Path) -> Path:
    source = Path(__file__).with_name("conftest.py")
    (tmp_path / "conftest.py").write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    return tmp_path


def test_home_and_keys_are_not_the_testers(own_environment: Path) -> None:
    assert Path.home() == own_environment
    assert not [name for name in os.environ if name.startswith("REDRAFT_") or name.endswith("_API_KEY")]
