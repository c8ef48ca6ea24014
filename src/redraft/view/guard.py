"""Access to the viewer, for the browser that opened its address. Every request passes here first, every answer last.

A request needs the exact host, a cookie that the address of the viewer is exchanged for, and to change anything the
exact origin and the form's own token. Pages run no script but the viewer's own file.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path

import platformdirs
from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["FILE_POLICY", "MOST_BYTES", "Guard", "Keys"]

MOST_BYTES = 64_000_000
"""Of one request; boards and pictures are smaller."""
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
FILE_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
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
    '<!doctype html><html lang="en"><meta http-equiv="refresh" content="0;url=/"><title>redraft</title>'
    '<link rel="icon" href="data:,"><p><a href="/">Open</a></p>'
)
CLOSED = "Open the address that `redraft view` printed: this browser has no valid cookie, or the viewer was restarted."


class Keys:
    """The token of this process, and what the browser keeps, which outlives a restart of the viewer."""

    def __init__(self, folder: Path) -> None:
        secret = _secret()
        named = os.fsencode(folder)
        self.token = secrets.token_urlsafe(24)
        self.session, self.form = (
            hmac.new(secret, what + b"\0" + named, hashlib.sha256).hexdigest() for what in (b"session", b"form")
        )


def _secret() -> bytes:
    """A secret that only this user can read, kept; one for this process alone where it cannot be kept."""
    path = platformdirs.user_state_path("redraft", appauthor=False) / "view.key"
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(secrets.token_bytes(32))
        secret = path.read_bytes()
        if len(secret) == 32 and not path.stat().st_mode & 0o077:
            return secret
    return secrets.token_bytes(32)


class Guard:
    """Middleware around the whole application."""

    def __init__(self, app: ASGIApp, host: str, keys: Keys) -> None:
        self._app = app
        self._host = host
        self._keys = keys
        self._cookie = f"redraft-view-{host.rpartition(':')[2]}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
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

        await (answer or self._app)(scope, receive, guarded)

    def _answer(self, scope: Scope) -> Response | None:
        """The answer to a request that goes no further; None for one that does."""
        headers = Headers(scope=scope)
        safe = scope["method"] in ("GET", "HEAD")
        if headers.getlist("host") != [self._host]:
            return _refused(421, f"This viewer is http://{self._host} only.")
        token = QueryParams(scope["query_string"]).get("token") if safe and scope["path"] == "/" else None
        sites = ("same-origin", "none") if token is None else ("same-origin", "none", "same-site", "cross-site")
        origins = headers.getlist("origin")
        if (origins != [f"http://{self._host}"] and (origins or not safe)) or (
            headers.get("sec-fetch-site", "none") not in sites
        ):
            return _refused(403, "A page of another origin cannot use this viewer.")
        if token is not None:
            return self._opened(token)
        if not _equal(cookie_parser(headers.get("cookie", "")).get(self._cookie, ""), self._keys.session):
            return _refused(403, CLOSED)
        length = headers.get("content-length", "0" if safe else "")
        if not length.isdecimal() or int(length) > MOST_BYTES:
            return _refused(413, f"A request has at most {MOST_BYTES:,} bytes, and says how many.")
        return None

    def _opened(self, token: str) -> Response:
        if not _equal(token, self._keys.token):
            return _refused(403, CLOSED)
        response = HTMLResponse(OPENING, headers={"referrer-policy": "no-referrer"})
        response.set_cookie(self._cookie, self._keys.session, httponly=True, samesite="strict")
        return response


def _equal(given: str, own: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), own.encode())


def _refused(status: int, reason: str) -> Response:
    return PlainTextResponse(f"{HTTPStatus(status).phrase}. {reason}\n", status)
