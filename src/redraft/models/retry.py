"""What to do when a request fails on its way: again, after how long, or not at all.

One budget of tries holds: the providers' own clients are told not to retry.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from pydantic_ai.exceptions import ModelHTTPError

__all__ = ["LONGEST_WAIT", "CutOffError", "Failed", "backoff", "classify", "failures"]

LONGEST_WAIT = 120.0
"""Seconds. A server that asks for a longer pause is reported at once: the run is resumed when there is time."""

_AGAIN = frozenset({408, 409, 429})
_REASON_LENGTH = 600


class CutOffError(Exception):
    """A stream that was closed in good form, before the reply's end mark came."""


@dataclass(frozen=True)
class Failed:
    """Why one try failed."""

    reason: str
    again: bool
    """Another try may succeed."""
    wait: float | None = None
    """Seconds the server asked for (Retry-After)."""
    status: int | None = None


def backoff(number: int, generator: random.Random) -> float:
    """Seconds before try `number` + 1: 1, 2, 4 … 30, each shortened by up to a half so that clients spread out."""
    return min(30.0, 2.0 ** (number - 1)) * generator.uniform(0.5, 1.0)


def failures() -> tuple[type[Exception], ...]:
    """The exceptions that `classify` understands. Everything else is a fault of the program and goes through."""
    import httpx2
    from pydantic_ai.exceptions import AgentRunError, UserError

    return (AgentRunError, UserError, CutOffError, httpx2.HTTPError, OSError)


def classify(error: Exception) -> Failed:
    """Whether a failed try is worth another.

    Tried again: 408, 409, 429, every 5xx, a connection that failed or dropped, a time limit, and a body that cannot
    be read. Not tried again: everything else that the server answered, exhausted credit, and what cannot be sent.
    """
    from pydantic_ai import exceptions as known

    refused = (known.ModelRequestRejectedError, known.ModelQuotaExceededError)
    match error:
        case known.ModelHTTPError():
            again = error.status_code in _AGAIN or error.status_code >= 500
            again = again and not isinstance(error, refused) and error.provider_retry_hint is not False
            return Failed(_http_reason(error), again, error.retry_after, error.status_code)
        case known.UserError() | known.ModelRequestRejectedError() | known.ModelQuotaExceededError():
            return Failed(_clipped(str(error)), again=False)
        case known.ContentFilterError():
            return Failed(f"the provider's content filter stopped it: {_clipped(str(error))}", again=False)
        case known.ModelRequestTimeout() | known.ModelTimeoutError():
            return Failed("no answer in time", again=True)
        case known.ModelAPIError():
            return Failed(_clipped(_chain(error)), again=True, wait=error.retry_after)
        case _:
            return Failed(_clipped(_chain(error)), again=True)


def _http_reason(error: ModelHTTPError) -> str:
    hint = f" Did you mean {error.suggested_model_id!r}?" if error.suggested_model_id else ""
    return f"HTTP {error.status_code}: {_clipped(_body_text(error.body))}{hint}"


def _body_text(body: object) -> str:
    """The message in an error body: OpenAI and Anthropic nest it under `error`."""
    if isinstance(body, dict):
        fields = cast("dict[str, object]", body)
        inner = fields.get("error", fields.get("message"))
        return str(fields) if inner is None else _body_text(inner)
    return "no message" if body is None else str(body)


def _chain(error: BaseException) -> str:
    """The error and its causes, each said once: `Connection error.` alone says nothing."""
    said: list[str] = []
    link: BaseException | None = error
    while link is not None:
        text = str(link).rstrip(".") or type(link).__name__
        if not any(text in earlier for earlier in said):
            said.append(text)
        link = link.__cause__
    return ": ".join(said)


def _clipped(text: str) -> str:
    """One line of bounded length: a proxy may answer with a whole web page."""
    line = re.sub(r"\s+", " ", text).strip()
    return line if len(line) <= _REASON_LENGTH else f"{line[:_REASON_LENGTH]} …"
