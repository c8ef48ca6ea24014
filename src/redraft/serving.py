"""Serving over HTTP, for the viewer and the MCP server: the port, limits on connections, and users of this machine.

No connection holds a place for longer than a request takes: one whose request is not complete in time is closed, and
where all places are taken, a new connection replaces the one that has been waiting longest.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import os
import socket
import struct
import sys
from collections import deque
from functools import cache, partial
from http import HTTPStatus
from ipaddress import ip_address

import uvicorn
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope
from uvicorn.protocols.http.h11_impl import H11Protocol

from redraft.errors import ConfigError

REQUEST_TIME = 20.0
"""Seconds for the head of a request, from the opening of a connection or the previous answer; then for its body."""
PROGRESS = 1_000_000
"""Bytes of a body that give it as much time again: an upload of 64 MB takes 10 seconds where the machine is busy."""
MAX_CONNECTIONS = 400
"""Connections at once: fewer than the 1,024 files that Linux lets a process open by default."""
SOCK_DIAG_BY_FAMILY = 20
ESTABLISHED, LISTENING = 1, 10
"""States of a socket. Of one that is being closed, the kernel no longer names the user."""


class Connection(H11Protocol):
    """A connection that is closed where it waits too long for a whole request, or where another needs its place."""

    waiting_since = 0.0
    received = 0
    """Bytes since then."""
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self.app_state = {**self.app_state, "user": cache(partial(user_of, self.client, self.server))}
        self._wait()
        if len(self.connections) > MAX_CONNECTIONS:
            others = (other for other in self.connections if isinstance(other, Connection) and other is not self)
            waiting = (other for other in others if other.waiting and not other.transport.is_closing())
            min(waiting, key=lambda other: other.waiting_since, default=self).transport.abort()

    def data_received(self, data: bytes) -> None:
        """Give the body of a request a time of its own."""
        cycle = self.cycle
        self.received += len(data)
        super().data_received(data)
        if self.cycle is not cycle:
            self._wait()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the waiting."""
        super().connection_lost(exc)
        if self._deadline is not None:
            self._deadline.cancel()

    @property
    def waiting(self) -> bool:
        """True until a whole request has arrived: an answer under way is never broken off, however long it takes."""
        return not self.cycle or self.cycle.response_complete or self.cycle.more_body

    def _wait(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self.waiting_since, self.received = self.loop.time(), 0
        self._deadline = self.loop.call_later(REQUEST_TIME, self.expire)

    def expire(self) -> None:
        """Close the connection, unless an answer is under way or the body is coming."""
        if self.waiting and self.cycle and not self.cycle.response_complete and self.received >= PROGRESS:
            self._wait()
        elif self.waiting:
            self.transport.close()


class _Server(uvicorn.Server):
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End at once: answers that are under way are dropped, which is not an error to report."""
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        await super().shutdown(sockets)


def run_server(app: ASGIApp, listening: socket.socket, *, grace: int) -> None:
    """Serve an application on an open port until Ctrl-C; answers under way then have `grace` seconds."""
    settings = uvicorn.Config(
        app,
        http=Connection,
        ws="none",
        log_level="warning",
        access_log=False,  # addresses hold secrets
        proxy_headers=False,  # anyone could claim another address
        backlog=MAX_CONNECTIONS,  # that are taken in one turn, before those too many are closed
        timeout_graceful_shutdown=grace,
    )
    _Server(settings).run(sockets=[listening])


def open_port(host: str, port: int, advice: str) -> socket.socket:
    """Return the open port; 0 takes any that is free. Raises `ConfigError` with the advice when it cannot be opened."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        # The error's own text names the address twice.
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error
        raise ConfigError(f"{host}, port {port}, cannot be opened: {reason}. {advice}") from error


def is_loopback(host: str) -> bool:
    """Return whether a host names this machine, by an address or as `localhost`."""
    try:
        return host == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def equal(given: str, own: str) -> bool:
    """Compare a secret in a time that does not depend on it."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), own.encode())


def refused(status: int, reason: str, **headers: str) -> Response:
    """Return the answer to a request that goes no further."""
    return PlainTextResponse(f"{HTTPStatus(status).phrase}. {reason}\n", status, headers)


async def whole_body(receive: Receive, limit: int) -> Receive | None:
    """Wait for the body of a request; return what receives it again, or None where the client breaks off.

    A body of more than `limit` bytes is not waited for: the application refuses it.
    """
    messages, size, more = deque[Message](), 0, True
    while more and size <= limit:
        message = await receive()
        if message["type"] != "http.request":
            return None
        messages.append(message)
        size, more = size + len(message.get("body", b"")), message.get("more_body", False)

    async def again() -> Message:
        return messages.popleft() if messages else await receive()

    return again


def is_other_user(scope: Scope) -> bool:
    """Return whether another user of this machine sent a request. Only Linux tells; elsewhere this is false.

    The administrator counts as this user: programs of the system forward ports.
    """
    user = scope["state"]["user"]()
    return user is not None and user not in (0, os.getuid())


def user_of(client: tuple[str, int] | None, server: tuple[str, int | None] | None) -> int | None:
    """Return the user id of the other end of a connection within this machine; -1 where it is closed already.

    None where the system does not tell, or the other end is on another machine.
    """
    if sys.platform != "linux" or client is None or server is None or not is_loopback(client[0]):
        return None
    own = (server[0], server[1] or 0)
    try:
        state, user = _socket_state(client, own)
        if state == ESTABLISHED:
            return user
        listening, _ = _socket_state(own, ("::" if ":" in own[0] else "0.0.0.0", 0))  # noqa: S104  any peer
    except OSError:  # such as a sandbox that has no such interface
        return None
    return -1 if listening == LISTENING else None


def _socket_state(source: tuple[str, int], target: tuple[str, int]) -> tuple[int, int]:
    """Return state and user id of a TCP socket of this machine by its ends; zeros where there is none.

    The kernel answers for one socket: see sock_diag(7). The list in /proc takes some 10 ms.
    """
    family = socket.AF_INET6 if ":" in source[0] else socket.AF_INET
    addresses = b"".join(ip_address(host).packed.ljust(16, b"\0") for host, _ in (source, target))
    query = struct.pack("=BBBxI", family, socket.IPPROTO_TCP, 0, 0xFFFF_FFFF)  # in any state
    query += struct.pack("!HH", source[1], target[1]) + addresses + struct.pack("=Iq", 0, -1)  # no interface, no cookie
    with socket.socket(socket.AF_NETLINK, socket.SOCK_DGRAM, 4) as kernel:  # NETLINK_SOCK_DIAG
        kernel.settimeout(1.0)
        kernel.send(struct.pack("=IHHII", 16 + len(query), SOCK_DIAG_BY_FAMILY, 1, 0, 0) + query)
        answer = kernel.recv(4096)
    if struct.unpack_from("=H", answer, 4)[0] != SOCK_DIAG_BY_FAMILY:
        return 0, 0
    return answer[17], struct.unpack_from("=I", answer, 80)[0]
