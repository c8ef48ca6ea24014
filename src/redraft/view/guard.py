"""Access to the viewer, for the browser that opened its address. Every request passes here first, every answer last.

A request needs the exact host, a path that begins with a secret, and a cookie; to change anything it needs the exact
origin and the form's own token too. Browsers do not separate cookies by port: they send those of 127.0.0.1 to servers
of other users on this machine too. This cookie is sent under the secret path alone, which no other server can lead to.
Pages run no script but the viewer's own file.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable

from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from redraft.serving import equal, is_other_user, refused

MAX_BYTES = 64_000_000
"""Of one request; boards and pictures are smaller."""
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
FILE_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'; style-src 'unsafe-inline'; img-src data:"
"""For files of runs, which models wrote: they run nothing, fetch nothing and belong to no origin."""
HEADERS = {
    "content-security-policy": PAGE_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # with no-referrer, forms would be sent with the origin `null`
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
# The cookie is not sent on a way that began on another site. A page of our own in between begins a new way.
OPENING = (
    '<!doctype html><html lang="en"><meta http-equiv="refresh" content="0;url={root}/"><title>redraft</title>'
    '<link rel="icon" href="data:,"><p><a href="{root}/">Open</a></p>'
)
CLOSED = (
    "This browser is not let in. An address that `redraft view` prints works once, for ten minutes: press Enter in its "
    "terminal for another one, or start it again."
)
TOKEN_TIME = 600.0
"""Seconds in which an address can be opened."""
SESSION_TIME = 86_400.0
"""Seconds in which a browser that opened it is let in."""


class Keys:
    """The secrets of one start of the viewer. They are kept in memory alone, so none outlives it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.root = f"/{secrets.token_hex(16)}"
        """The path that all pages lie under."""
        self.form = secrets.token_hex(16)
        self._clock = clock
        self._tokens: dict[str, tuple[float, Callable[[], None]]] = {}
        self._sessions: dict[str, float] = {}

    def token(self, used: Callable[[], None] = lambda: None) -> str:
        """Return a new token, which opens one session; `used` is called then, and otherwise at the end."""
        token = secrets.token_hex(16)
        self._tokens[token] = (self._clock() + TOKEN_TIME, used)
        return token

    def session(self, token: str) -> str | None:
        """Use up a token; return the value of a new session's cookie, or None where the token is not valid."""
        end, used = self._tokens.pop(token, (0.0, lambda: None))
        used()
        if self._clock() >= end:
            return None
        session = secrets.token_hex(16)
        self._sessions[session] = self._clock() + SESSION_TIME
        return session

    def admits(self, session: str) -> bool:
        """Return whether this is the cookie of a session that lasts."""
        return self._clock() < self._sessions.get(session, 0.0)

    def close(self) -> None:
        """End all tokens."""
        while self._tokens:
            self._tokens.popitem()[1][1]()


class Guard:
    """Middleware around the whole application."""

    def __init__(self, app: ASGIApp, host: str, keys: Keys) -> None:
        self._app = app
        self._host = host
        self._keys = keys
        self._cookie = f"redraft-view-{host.rpartition(':')[2]}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        answer = self._answer(scope)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await (answer or self._app)({**scope, "root_path": self._keys.root}, receive, guarded)

    def _answer(self, scope: Scope) -> Response | None:
        """The answer to a request that goes no further; None for one that does."""
        headers = Headers(scope=scope)
        safe = scope["method"] in ("GET", "HEAD")
        if headers.getlist("host") != [self._host]:
            return refused(421, f"This viewer is http://{self._host} only.")
        if is_other_user(scope):
            return refused(403, "This viewer belongs to another user of this machine.")
        opening = scope["method"] == "GET" and scope["path"] == "/"
        sites = ("same-origin", "none", *(("same-site", "cross-site") if opening else ()))
        origins = headers.getlist("origin")
        if (origins != [f"http://{self._host}"] and (origins or not safe)) or (
            headers.get("sec-fetch-site", "none") not in sites
        ):
            return refused(403, "A page of another origin cannot use this viewer.")
        if opening:
            return self._open(QueryParams(scope["query_string"]).get("token", ""))
        return self._closed(scope["path"], headers) or self._too_large(headers, "0" if safe else "")

    def _too_large(self, headers: Headers, default: str) -> Response | None:
        length = headers.get("content-length", default)
        if not length.isdecimal() or int(length) > MAX_BYTES or "transfer-encoding" in headers:
            return refused(413, f"A request has at most {MAX_BYTES:,} bytes, and says how many.")
        return None

    def _open(self, token: str) -> Response:
        session = self._keys.session(token)
        if session is None:
            return refused(403, CLOSED)
        root = self._keys.root
        response = HTMLResponse(OPENING.format(root=root), headers={"referrer-policy": "no-referrer"})
        response.set_cookie(
            self._cookie, session, max_age=int(SESSION_TIME), path=f"{root}/", httponly=True, samesite="strict"
        )
        return response

    def _closed(self, path: str, headers: Headers) -> Response | None:
        # Servers on other ports can set cookies of the same name: one of them must be valid.
        pairs = (part.strip().partition("=") for part in headers.get("cookie", "").split(";"))
        valid = any(name == self._cookie and self._keys.admits(value) for name, _, value in pairs)
        under = equal(path[: len(self._keys.root) + 1], f"{self._keys.root}/")
        return None if valid and under else refused(403, CLOSED)
