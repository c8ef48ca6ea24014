"""Requests to an image server: tries and pauses, limits of time and size, and a key that is never shown.

What is tried again and how long is waited are the same as for language models: 408, 409, 429, every 5xx, a connection
that fails or drops, a time limit, and a body that cannot be read; 1, 2, 4 … 30 seconds, or as the server asks.
"""

from __future__ import annotations

import ipaddress
import json
import random
import ssl
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from typing import TypeVar

import anyio.to_thread
import httpx2
from pydantic import JsonValue

from redraft.errors import ConfigError, ImageBackendError, LimitError
from redraft.limits import ENCODINGS, IMAGE_REPLY, decompressed, parse_json, read_pieces
from redraft.models.messages import clipped, ended, said_in
from redraft.models.network import MAX_WAIT, Failed, backoff
from redraft.painting.base import Notify

Sleep = Callable[[float], Awaitable[object]]
T = TypeVar("T")

_CONNECT = 20.0
"""Seconds until a connection must stand."""
_AGAIN = frozenset({408, 409, 429})
_SPENT = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})
"""Codes of exhausted credit, which come with the status of a rate limit."""


@dataclass(frozen=True)
class Server:
    """Address, key and time limit of requests. Raises `ConfigError` for a malformed address."""

    who: str
    """The backend's name, with which every message begins."""
    base_url: str
    """Without a slash at its end."""
    timeout: float
    """Seconds of one try."""
    retries: int
    key: str = field(default="", repr=False)
    key_env: str = ""
    """The variable that holds the key, or would."""
    not_found: str = "Check the model's name, and"
    """Beginning of the sentence that says how to fix a 404; the base URL follows."""

    def __post_init__(self) -> None:
        try:
            host = httpx2.URL(self.base_url).host
        except httpx2.InvalidURL as error:
            raise ConfigError(f"images.base_url is {self.base_url!r}, which is not a URL: {error}.") from error
        if not host:
            raise ConfigError(f"images.base_url is {self.base_url!r}, an address without a host.")

    def hidden(self, text: str) -> str:
        """The text without the key."""
        return text.replace(self.key, "[hidden]") if self.key else text

    def hint(self, status: int | None) -> str:
        """Return how to fix a refusal with this status; empty if unknown."""
        key = f"Check the key in {self.key_env}." if self.key else f"Set {self.key_env or 'its key'}."
        hints = {
            401: key,
            403: f"Check that the key in {self.key_env} may use it." if self.key else key,
            404: f"{self.not_found} images.base_url (now {self.base_url}).",
        }
        return hints.get(status or 0, "")


class TryError(Exception):
    """One try failed. `what` was refused, and `fix` is a sentence for the user (None: by the status)."""

    def __init__(self, failed: Failed, *, what: str = "the request", fix: str | None = None) -> None:
        super().__init__(failed.reason)
        self.failed = failed
        self.what = what
        self.fix = fix


@dataclass(frozen=True)
class Answer:
    """A whole response."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    async def json(self) -> JsonValue:
        """Return the parsed body. Raises `TryError`, worth another try, if it is not JSON, or too much of it."""
        try:
            return await anyio.to_thread.run_sync(parse_json, self.body, abandon_on_cancel=True)
        except ValueError as error:
            reason = f"HTTP {self.status}, but no JSON: {said_in(self.body).message} ({error})"
            raise TryError(Failed(reason, again=True, status=self.status)) from None

    def checked(self, *, what: str = "the request", fix: str | None = None) -> Answer:
        """The same when its status is a success. Raises `TryError` otherwise; see there for `what` and `fix`."""
        if 200 <= self.status < 300:
            return self
        if 300 <= self.status < 400:
            where = clipped(self.headers.get("location", "nowhere"))
            reason = f"HTTP {self.status}: it redirects to {where}"
            raise TryError(Failed(reason, again=False, status=self.status), what=what, fix=fix)
        said = said_in(self.body)
        again = (self.status in _AGAIN or self.status >= 500) and not {said.code, said.kind} & _SPENT
        reason = f"HTTP {self.status}: {said.message}"
        raise TryError(Failed(reason, again, _asked_pause(self.headers), self.status), what=what, fix=fix)


class Wire:
    """The connection to a server for one picture; a context manager."""

    def __init__(self, server: Server, notify: Notify, *, seed: int, sleep: Sleep = anyio.sleep) -> None:
        self.server = server
        self.reasons: list[str] = []
        """The reasons of failed tries, in order, over all requests."""
        self._notify = notify
        self._sleep = sleep
        self._generator = random.Random(seed)  # noqa: S311  spreads clients out, hides nothing
        # A proxy meant for the world cannot reach this machine's own servers.
        self._client = httpx2.AsyncClient(
            timeout=httpx2.Timeout(None, connect=_CONNECT),
            trust_env=not is_loopback(httpx2.URL(server.base_url).host),
            verify=_certificates(),
        )

    async def __aenter__(self) -> Wire:
        await self._client.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._client.aclose()

    async def send(
        self,
        method: str,
        where: str,
        *,
        body: JsonValue = None,
        params: Mapping[str, str] | None = None,
        seconds: float | None = None,
        follow: bool = False,
    ) -> Answer:
        """One try: a path below the base URL, or a whole address. The key goes to the server's own address alone.

        Raises:
            TryError: nothing whole came within `seconds` (the server's own limit when None).
        """
        url = where if "://" in where else self.server.base_url + where
        limit = seconds or self.server.timeout
        # In ASCII, so that half a surrogate pair in a prompt reaches the server instead of ending the run.
        content = None if body is None else json.dumps(body).encode("ascii")
        try:
            headers = self._headers(url, content)
            with anyio.fail_after(limit):
                async with self._client.stream(
                    method, url, content=content, params=params, headers=headers, follow_redirects=follow
                ) as response:
                    raw = await read_pieces(response.aiter_raw(), "the response", IMAGE_REPLY)
                    encoding = response.headers.get("content-encoding", "")
                    plain = await anyio.to_thread.run_sync(_decompressed, raw, encoding, abandon_on_cancel=True)
                    return Answer(response.status_code, response.headers, plain)
        except TimeoutError:
            raise TryError(Failed(f"no answer within {limit:g} s", again=True)) from None
        except LimitError as error:
            raise TryError(Failed(str(error), again=False)) from None
        except _DamagedError as error:
            raise TryError(Failed(f"the response cannot be read: {error}", again=True)) from None
        except (httpx2.InvalidURL, httpx2.UnsupportedProtocol, httpx2.TooManyRedirects) as error:
            raise TryError(Failed(clipped(str(error)), again=False)) from None
        except (httpx2.HTTPError, OSError) as error:
            raise TryError(Failed(_on_the_way(error, url), again=True)) from None

    async def persist(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do the work, and again what failed on its way, within the budget of tries.

        Raises:
            ImageBackendError: it was refused, the last try failed, or the server asks for too long a pause.
        """
        reasons: list[str] = []
        while True:
            try:
                return await work()
            except TryError as error:
                failure = error
            reasons.append(self.server.hidden(failure.failed.reason))
            self.reasons.append(reasons[-1])
            self._give_up(failure, reasons)
            await self._pause(failure.failed, reasons)

    def _headers(self, url: str, content: bytes | None) -> dict[str, str]:
        headers = {"accept-encoding": ", ".join(ENCODINGS)}
        if content is not None:
            headers["content-type"] = "application/json"
        if self.server.key and httpx2.URL(url).origin == httpx2.URL(self.server.base_url).origin:
            headers["authorization"] = f"Bearer {self.server.key}"
        return headers

    def _give_up(self, failure: TryError, reasons: list[str]) -> None:
        failed, who = failure.failed, self.server.who
        if not failed.again:
            fix = self.server.hint(failed.status) if failure.fix is None else failure.fix
            raise ImageBackendError(f"{who} refused {failure.what}: {ended(reasons[-1])} {fix}".rstrip())
        long = (failed.wait or 0.0) > MAX_WAIT
        if len(reasons) <= self.server.retries and not long:
            return
        tries = "1 try" if len(reasons) == 1 else f"{len(reasons)} tries"
        pause = f" It asks for a pause of {failed.wait:.0f} s." if long else ""
        raise ImageBackendError(
            f"{who} sent no picture after {tries}. Last: {ended(reasons[-1])}{pause} Finished work is kept; resume the "
            "run later."
        )

    async def _pause(self, failed: Failed, reasons: list[str]) -> None:
        seconds = max(backoff(len(reasons), self._generator), failed.wait or 0.0)
        tries = self.server.retries + 1
        self._notify(f"{self.server.who}: {reasons[-1]}; try {len(reasons) + 1} of {tries} in {seconds:.1f} s")
        await self._sleep(seconds)


def is_loopback(host: str) -> bool:
    """Return whether a host's name is this machine's own."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


@cache
def _certificates() -> ssl.SSLContext:
    """Those that the system trusts; read once, which takes as long as a small picture."""
    return httpx2.create_ssl_context()


class _DamagedError(Exception):
    """A body whose compression cannot be undone."""


def _decompressed(raw: bytes, encoding: str) -> bytes:
    try:
        return decompressed(raw, encoding, "the response", IMAGE_REPLY)
    except ValueError as error:
        raise _DamagedError(str(error)) from None


def _on_the_way(error: Exception, url: str) -> str:
    where = httpx2.URL(url).netloc.decode("ascii", "replace")
    said = clipped(str(error)) or type(error).__name__
    if isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout):
        return f"no connection to {where} ({said}). Is the server running?"
    return f"the connection to {where} broke off ({said})"


def _asked_pause(headers: Mapping[str, str]) -> float | None:
    """Seconds, from Retry-After: a number, or a date."""
    value = headers.get("retry-after", "").strip()
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        until = parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
