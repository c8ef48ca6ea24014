"""The HTTP client of model providers: whole replies within a limit, whichever provider's library asks for them.

A library gets a reply once it is whole, decompressed and readable. The last reply is kept for error messages.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

import anyio.to_thread
from anyio.lowlevel import checkpoint

from redraft.errors import LimitError
from redraft.limits import ENCODINGS, MODEL_REPLY, decompressed, parse_json, read_pieces
from redraft.models.messages import readable

MAX_EVENTS = 500_000
"""Events of a streamed reply: about one for each token, and the longest replies of models have 128,000."""
_PIECE = 1 << 16
"""Bytes of a reply that a library gets at once; it can be canceled between two pieces."""
_WHERE = "the reply"
_BODY_HEADERS = (b"content-encoding", b"content-length", b"transfer-encoding")
"""Headers that do not describe the body that is passed on."""


@dataclass
class Exchange:
    """The last reply to a request, as far as it came."""

    status: int = 0
    """HTTP status; 0 before a reply came."""
    media_type: str = ""
    body: bytes = b""
    read: bool = False
    """True if it was read to its end, or to the limit."""
    error: LimitError | ValueError | None = None
    """The reason that it was not passed on."""

    @property
    def succeeded(self) -> bool:
        """True if the server sent a reply with the status of a success."""
        return self.read and 200 <= self.status < 300


exchange: ContextVar[Exchange] = ContextVar("exchange")
"""The exchange of the request that is being sent."""


def bounded_client(provider: Callable[..., object]) -> Any:
    """Return a client for a provider's `http_client`; None if it does not take one.

    Args:
        provider: the provider's class. A few still need a client of the older `httpx`.
    """
    parameter = inspect.signature(provider).parameters.get("http_client")
    if parameter is None:
        return None
    from pydantic_ai.models import get_user_agent

    older = str(parameter.annotation).startswith(("httpx.", "AsyncClient"))
    library = import_module("httpx" if older else "httpx2")

    class Transport(library.AsyncBaseTransport):
        async def handle_async_request(self, request: Any) -> Any:
            return await _send(library, request)

    # Without a time limit of its own: a library gives each request one, and a whole try has another.
    return library.AsyncClient(transport=Transport(), timeout=None, headers={"user-agent": get_user_agent()})


async def _send(library: Any, request: Any) -> Any:
    """Send a request and return its whole reply."""
    kept = exchange.get()
    kept.status, kept.body, kept.read, kept.error = 0, b"", False, None
    request.headers["accept-encoding"] = ", ".join(ENCODINGS)
    # A client for each request: connections belong to one event loop, and none is left to be closed.
    async with library.AsyncClient(verify=_certificates(library), timeout=None) as client:
        reply = await client.send(request, stream=True, auth=None)
        kept.status, kept.media_type = reply.status_code, reply.headers.get("content-type", "")
        encoding = reply.headers.get("content-encoding", "")
        try:
            kept.body = await read_pieces(reply.aiter_raw(), _WHERE, MODEL_REPLY)
            kept.read = True
            body = await anyio.to_thread.run_sync(_readable, kept, encoding, abandon_on_cancel=True)
        except (LimitError, ValueError) as error:
            kept.read, kept.error = True, error
            raise
        finally:
            await reply.aclose()

    class Stream(library.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            for start in range(0, len(body), _PIECE):
                await checkpoint()
                yield body[start : start + _PIECE]

    headers = [(name, value) for name, value in reply.headers.raw if name.lower() not in _BODY_HEADERS]
    return library.Response(kept.status, headers=headers, stream=Stream())


@cache
def _certificates(library: Any) -> Any:
    """Return the certificates that the system trusts; read once."""
    return library.create_ssl_context()


def _readable(kept: Exchange, encoding: str) -> bytes:
    """Return the decompressed body once it is known that a library can parse it: see `parse_json`.

    The body of an error that is not JSON becomes JSON, with its words as the message.

    Raises:
        LimitError, ValueError: a successful reply is too large, or cannot be parsed.
    """
    kept.body = decompressed(kept.body, encoding, _WHERE, MODEL_REPLY)
    try:
        if not (kept.succeeded and "event-stream" in kept.media_type):
            parse_json(kept.body)
            return kept.body
    except ValueError:
        if kept.succeeded:
            raise
        return json.dumps({"error": {"message": readable(kept.body)}}).encode()

    events = [line[5:] for line in kept.body.splitlines() if line.startswith(b"data:")]
    if len(events) > MAX_EVENTS:
        raise ValueError(f"it is a stream of more than {MAX_EVENTS:,} events")
    for event in events:
        with suppress(json.JSONDecodeError):  # `[DONE]`, or a part of an event of several lines
            parse_json(event)
    return kept.body
