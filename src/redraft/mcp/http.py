"""Streamable HTTP: accepted hosts, origins and tokens, and the sessions of clients."""

from __future__ import annotations

import asyncio
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers

from redraft.config import MCP_TOKEN
from redraft.errors import ConfigError
from redraft.serving import equal, is_loopback, is_other_user, open_port, refused, run_server, whole_body

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

PORT = 8765
PATH = "/mcp"
OWN_NAMES = ("127.0.0.1", "localhost", "[::1]")
"""This machine, as its own programs name it."""
SHORTEST = 16
"""Characters of a token."""
MOST_SESSIONS = 256
"""Sessions at once; some clients never end theirs, which then lasts half an hour."""
CLIENT_SESSIONS = 64
"""Sessions of one client: all programs on this machine, or those at one other address."""
HEADER = "mcp-session-id"
MAX_BYTES = 4 << 20
"""Bytes of one request: the limit of the SDK, which refuses more."""
GRACE = 10.0
"""Seconds in which a client whose call broke off can come back before its session is ended."""


def serve_http(
    server: MCPServer[Any],
    host: str,
    port: int,
    allowed: TransportSecuritySettings,
    token: str | None,
    in_use: Callable[[str], bool],
) -> None:
    """Serve until Ctrl-C. `in_use` tells whether a session has anything open.

    Raises:
        ConfigError: the port cannot be opened.
    """
    with open_port(host, port, "Choose another --port or --host.") as listening:
        port = listening.getsockname()[1]
        allowed.allowed_hosts += [name if port == 80 else f"{name}:{port}" for name in OWN_NAMES]
        app = server.streamable_http_app(
            streamable_http_path=PATH, transport_security=allowed, host=host, max_sessions=MOST_SESSIONS
        )
        named = f"[{host}]" if ":" in host else host
        sys.stderr.write(f"redraft: serving http://{named}:{port}{PATH}\n")
        sys.stderr.flush()
        run_server(SessionMiddleware(app, token, in_use), listening, grace=2)


class SessionMiddleware:
    """ASGI middleware that checks the token, and ends sessions.

    One whose client disconnects in the middle of a call ends: this cancels the call and closes its works; the SDK alone
    lets the call go on and keeps the session for half an hour. A client that sends something within `GRACE`, or still
    has another request open, keeps its session. Where a client has `CLIENT_SESSIONS` already, a new one ends that
    which has been idle longest and has nothing open, so that no client takes the places of others.
    """

    def __init__(self, app: ASGIApp, token: str | None, in_use: Callable[[str], bool]) -> None:
        self.app, self.token, self.in_use = app, token, in_use
        self.active = Counter[str]()
        """Requests under way, by session."""
        self.clients = dict[str, str]()
        """The client of each session, longest idle first; those that the SDK has ended for that lie in front."""
        self.ending = dict[str, asyncio.Task[None]]()
        """Tasks that wait to end a session whose client disconnected."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See the ASGI specification."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if self.token is None and is_other_user(scope):
            text = f"This server belongs to another user of this machine; others need a token. Set {MCP_TOKEN} there."
            await refused(403, text)(scope, receive, send)
        elif self.token is not None and not _bears(headers.get("authorization", ""), self.token):
            text = f"Send the header 'Authorization: Bearer TOKEN' with the token that {MCP_TOKEN} holds at the server."
            await refused(401, text, **{"WWW-Authenticate": "Bearer"})(scope, receive, send)
        elif (body := await whole_body(receive, MAX_BYTES)) is None:
            return
        elif session := headers.get(HEADER):
            await self._continue(session, scope, body, send)
        else:
            await self._begin(scope, body, send)

    async def _begin(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request without a session, which may open one, where its client has room for it."""
        address = scope["client"][0]
        client = "this machine" if is_loopback(address) else address
        if self._count(client) >= CLIENT_SESSIONS and self._idle(client) is None:
            text = f"All {CLIENT_SESSIONS} sessions of {client} are in use. End one, then try again."
            await refused(429, text)(scope, receive, send)
            return

        async def watched(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < 400:
                session = Headers(raw=message["headers"]).get(HEADER)
                self.clients |= {session: client} if session else {}
            await send(message)

        await self.app(scope, receive, watched)
        if self._count(client) > CLIENT_SESSIONS and (idle := self._idle(client)):
            await self._end(idle, scope)

    def _count(self, client: str) -> int:
        return sum(other == client for other in self.clients.values())

    def _idle(self, client: str) -> str | None:
        """Return the session of a client that has been idle longest and has nothing open."""
        own = (session for session, other in self.clients.items() if other == client)
        return next((session for session in own if not self.active[session] and not self.in_use(session)), None)

    async def _continue(self, session: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request of a session, and end the session if it breaks off."""
        answered = False

        async def watched(message: Message) -> None:
            nonlocal answered
            if message["type"] == "http.response.start" and (scope["method"] == "DELETE" or message["status"] == 404):
                self.clients.pop(session, None)
            answered = message["type"] == "http.response.body" and not message.get("more_body", False)
            await send(message)

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
        if client := self.clients.pop(session, None):
            self.clients[session] = client

    async def _end_later(self, session: str, scope: Scope) -> None:
        await asyncio.sleep(GRACE)
        del self.ending[session]
        if session not in self.active:
            await self._end(session, scope)

    async def _end(self, session: str, scope: Scope) -> None:
        """End a session as its client would, by a request like one that came."""
        self.clients.pop(session, None)
        headers = [pair for pair in scope["headers"] if pair[0] != HEADER.encode()]
        named = (HEADER.encode(), session.encode("latin-1"))
        await self.app({**scope, "method": "DELETE", "headers": [*headers, named]}, _nothing, _ignore)


def _bears(header: str, token: str) -> bool:
    scheme, _, given = header.partition(" ")
    return scheme.lower() == "bearer" and equal(given.strip(), token)


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
    if missing and not is_loopback(host):
        raise ConfigError(
            f"--host {host}: other machines could connect and write files. This needs {' and '.join(missing)}."
        )
    given = [origin.partition("//")[2] for origin in allow_origins]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=given,
        allowed_origins=[*(f"http://{name}{port}" for name in OWN_NAMES for port in ("", ":*")), *allow_origins],
    )
