"""Streamable HTTP: accepted hosts, origins and tokens, and clients that disconnect in the middle of a call."""

from __future__ import annotations

import asyncio
import hmac
import os
import re
import socket
import sys
from collections import Counter
from collections.abc import Sequence
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse

from redraft.config import MCP_TOKEN
from redraft.errors import ConfigError

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["GRACE", "MOST_SESSIONS", "PATH", "PORT", "checked_token", "security", "serve_http"]

PORT = 8765
PATH = "/mcp"
OWN_NAMES = ("127.0.0.1", "localhost", "[::1]")
"""This machine, as its own programs name it."""
SHORTEST = 16
"""Characters of a token."""
MOST_SESSIONS = 256
"""Sessions at once; some clients never end theirs, which then lasts half an hour."""
GRACE = 10.0
"""Seconds in which a client whose call broke off can come back before its session is ended."""


def serve_http(
    server: MCPServer[Any], host: str, port: int, allowed: TransportSecuritySettings, token: str | None
) -> None:
    """Serve until Ctrl-C.

    Raises:
        ConfigError: the port cannot be opened.
    """
    import uvicorn

    with _listening(host, port) as listening:
        port = listening.getsockname()[1]
        allowed.allowed_hosts += [name if port == 80 else f"{name}:{port}" for name in OWN_NAMES]
        app = server.streamable_http_app(
            streamable_http_path=PATH, transport_security=allowed, host=host, max_sessions=MOST_SESSIONS
        )
        settings = uvicorn.Config(
            ConnectionMiddleware(app, token), host=host, port=port, log_level="warning", timeout_graceful_shutdown=2
        )
        named = f"[{host}]" if ":" in host else host
        sys.stderr.write(f"redraft: serving http://{named}:{port}{PATH}\n")
        sys.stderr.flush()
        uvicorn.Server(settings).run(sockets=[listening])


class ConnectionMiddleware:
    """ASGI middleware that checks the token, and ends a session whose client disconnects in the middle of a call.

    Ending it cancels the call and closes its works; the SDK alone lets the call go on and keeps the session for half an
    hour. A client that sends something within `GRACE`, or still has another request open, keeps its session.
    """

    def __init__(self, app: ASGIApp, token: str | None) -> None:
        self.app, self.token = app, token
        self.active = Counter[str]()
        """Requests under way, by session."""
        self.ending = dict[str, asyncio.Task[None]]()
        """Tasks that wait to end a session whose client disconnected."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See the ASGI specification."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if self.token is not None and not _bears(headers.get("authorization", ""), self.token):
            text = (
                f"Send the header 'Authorization: Bearer TOKEN' with the token that {MCP_TOKEN} holds at the server.\n"
            )
            await PlainTextResponse(text, 401, {"WWW-Authenticate": "Bearer"})(scope, receive, send)
            return
        session, answered = headers.get("mcp-session-id"), False

        async def watched(message: Message) -> None:
            nonlocal answered
            answered = message["type"] == "http.response.body" and not message.get("more_body", False)
            await send(message)

        if session is None:
            await self.app(scope, receive, send)
            return
        self._keep(session)
        self.active[session] += 1
        try:
            await self.app(scope, receive, watched)
        finally:
            self.active -= Counter([session])
        if scope["method"] == "POST" and not answered:
            # In a task of its own, which does not hold up the end of the server.
            self._keep(session)
            self.ending[session] = asyncio.create_task(self._end_later(session, scope))

    def _keep(self, session: str) -> None:
        if task := self.ending.pop(session, None):
            task.cancel()

    async def _end_later(self, session: str, scope: Scope) -> None:
        await asyncio.sleep(GRACE)
        del self.ending[session]
        if session not in self.active:
            await self.app({**scope, "method": "DELETE"}, _nothing, _ignore)


def _bears(header: str, token: str) -> bool:
    scheme, _, given = header.partition(" ")
    return scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), token.encode())


async def _nothing() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _ignore(message: Message) -> None:
    """The answer has no receiver."""


def checked_token(token: str | None) -> str | None:
    """Return the token.

    Raises:
        ConfigError: it is too short, or has characters that a header cannot carry. The error does not show it.
    """
    advice = "Make one with: python -c 'import secrets; print(secrets.token_urlsafe(32))'"
    if token is not None and len(token) < SHORTEST:
        raise ConfigError(
            f"The token in {MCP_TOKEN} has {len(token)} characters, and needs at least {SHORTEST}. {advice}"
        )
    if token is not None and not re.fullmatch(r"[\x21-\x7e]+", token):
        raise ConfigError(f"The token in {MCP_TOKEN} has blanks, control characters or letters outside ASCII. {advice}")
    return token


def _listening(host: str, port: int) -> socket.socket:
    """Return the open port. Raises `ConfigError` when it cannot be opened."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        # The error's own text names the address twice.
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error
        raise ConfigError(
            f"{host}, port {port}, cannot be opened: {reason}. Choose another --port or --host."
        ) from error


def security(host: str, allow_origins: Sequence[str], token: str | None = None) -> TransportSecuritySettings:
    """Return the accepted `Origin` headers, this machine's own names and the allowed ones, and the accepted `Host`
    headers, to which `serve_http` adds this machine's names with the port: the SDK compares a port left open only by
    what stands before it.

    The check refuses web pages in a browser on this machine, also those that point a name of their own to it.

    Raises:
        ConfigError: another host without a token or an allowed origin, or an origin that is not valid.
    """
    for origin in allow_origins:
        if not origin.startswith(("http://", "https://")) or origin.count("/") != 2 or "*" in origin:
            raise ConfigError(f"--allow-origin {origin!r}: give scheme, host and port, as in http://192.168.1.5:8765.")
    needed = {
        f"a token in the environment variable {MCP_TOKEN}": token,
        "--allow-origin http://NAME:PORT, with the name that they use for this machine": allow_origins,
    }
    missing = [what for what, given in needed.items() if not given]
    if missing and not _is_loopback(host):
        raise ConfigError(
            f"--host {host}: other machines could connect and write files. This needs {' and '.join(missing)}."
        )
    given = [origin.partition("//")[2] for origin in allow_origins]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=given,
        allowed_origins=[*(f"http://{name}{port}" for name in OWN_NAMES for port in ("", ":*")), *allow_origins],
    )


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
