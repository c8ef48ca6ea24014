"""What every test runs under: no network but loopback, no key, no setting and no home of the person who tests.

A connection to another address raises where it is made, and fails the test even if the code under test swallows that.
"""

from __future__ import annotations

import ipaddress
import logging
import os
import re
import socket
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytest.register_assert_rewrite("redraft.testing")

# A loaded machine is slow and no fault of what is tested; a test that hangs has a time limit of its own.
settings.register_profile("redraft", deadline=None)
settings.register_profile("quick", deadline=None, max_examples=20)  # `make check`
settings.load_profile("redraft")

NOT_FOR_TESTS = re.compile(
    r"^REDRAFT_|^OTEL_|_(API_KEY|API_TOKEN|BASE_URL|AUTH_TOKEN)$|^(GEMINI|GOOGLE|OPENAI|ANTHROPIC|AZURE|AWS)_|"
    r"^(HTTPS?|ALL|NO)_PROXY$|^HF_TOKEN$|^REDIS_URL$",
    re.IGNORECASE,
)
HOMES = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "USERPROFILE", "APPDATA")


class ForbiddenConnectionError(OSError):
    """A test tried to reach an address that is not this machine's own."""


class Guard:
    """Refuses and remembers every address that is not loopback or a local socket."""

    def __init__(self) -> None:
        self.attempts: list[str] = []

    def check(self, address: object) -> None:
        if isinstance(address, tuple):
            self.check_host(cast("tuple[Any, ...]", address)[0])
        # Anything else is the path of a local socket.

    def check_host(self, host: object) -> None:
        name = host.decode() if isinstance(host, bytes) else host
        if name is None or name == "" or name == "localhost" or _is_loopback(str(name)):
            return
        self.attempts.append(str(name))
        raise ForbiddenConnectionError(f"a test tried to reach {name}; only loopback is allowed")


def _is_loopback(name: str) -> bool:
    try:
        return ipaddress.ip_address(name.partition("%")[0]).is_loopback
    except ValueError:
        return False


_guard = Guard()
_homes = count()
_originals: dict[tuple[object, str], Callable[..., Any]] = {}


def pytest_configure() -> None:
    """Guard the whole session: collection and imports too.

    Byte code is written, whatever the environment says: without it, processes take three times as long to start.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    for name in ("connect", "connect_ex"):
        _wrap(socket.socket, name, lambda arguments: _guard.check(arguments[1]))
    # sendto(data, address) and sendto(data, flags, address): the address is last.
    _wrap(socket.socket, "sendto", lambda arguments: _guard.check(arguments[-1]))
    for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex"):
        _wrap(socket, name, lambda arguments: _guard.check_host(arguments[0]))


def pytest_unconfigure() -> None:
    for (owner, name), original in _originals.items():
        setattr(owner, name, original)
    _originals.clear()


def _wrap(owner: object, name: str, check: Callable[[tuple[Any, ...]], None]) -> None:
    original = getattr(owner, name)
    _originals[owner, name] = original

    def guarded(*arguments: Any, **named: Any) -> Any:
        check(arguments)
        return original(*arguments, **named)

    setattr(owner, name, guarded)


@pytest.fixture(autouse=True)
def loopback_only() -> Iterator[Guard]:
    """Fails a test that tried to reach the network, whatever became of the exception."""
    _guard.attempts.clear()
    yield _guard
    attempts, _guard.attempts = _guard.attempts, []
    if attempts:
        pytest.fail(f"the test tried to reach {', '.join(attempts)}; only loopback is allowed")


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """No keys, no settings, no proxies from outside; a home of its own. Gives that home."""
    for name in list(os.environ):
        if NOT_FOR_TESTS.search(name):
            monkeypatch.delenv(name)
    home = tmp_path_factory.getbasetemp() / f"home-{next(_homes)}"  # mktemp looks through all the others first
    home.mkdir(mode=0o700)
    for name in HOMES:
        monkeypatch.setenv(name, str(home))
    return home


@pytest.fixture
def anyio_backend() -> str:
    """Tests marked `anyio` run on asyncio, which redraft runs on."""
    return "asyncio"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real Chromium."""
    from playwright.sync_api import sync_playwright
    from real_parts import needs

    program = needs("chromium")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture
def loggers_as_before() -> Iterator[None]:
    """Put the process's loggers back after a command that logs."""
    named = [logging.getLogger(name) for name in (None, "redraft")]
    before = [(logger, logger.level, list(logger.handlers)) for logger in named]
    yield
    for logger, level, handlers in before:
        logger.setLevel(level)
        logger.handlers[:] = handlers
