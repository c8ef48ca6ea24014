"""Limits that the runs of a batch share: calls at once and by the minute to a provider, and caps on what is spent.

On one machine they are kept in files of the batch, across machines in a Redis server. Calls at once are locks, which
the system or the server takes back from a process that is killed; rates are pyrate-limiter's.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import anyio
from filelock import FileLock, Timeout

from redraft.config import BudgetSettings
from redraft.errors import BudgetError, ConfigError, MissingPartError, ModelUnavailableError
from redraft.models.base import Model, ModelInfo, Reply, Request
from redraft.result import Usage

if TYPE_CHECKING:
    from pyrate_limiter import Rate

T = TypeVar("T")

LEASE = 30.0
"""Seconds after which the server takes a place back from a process that is gone; it is renewed three times in them."""
POLL_INTERVAL = 0.05
"""Seconds between two looks for a free place."""
RESTART_TIMEOUT = 60.0
"""Seconds to wait for a server that restarts, or for another process to release the file."""
SECONDS = {"s": 1, "sec": 1, "min": 60, "h": 3600, "hour": 3600, "day": 86400}


@dataclass(frozen=True)
class Limit:
    """A limit on calls to one provider; None means none."""

    at_once: int | None = None
    calls: int | None = None
    """Calls in `seconds` at most."""
    seconds: int = 60


def limit_of(text: str) -> tuple[str, Limit]:
    """Read `anthropic=4,60/min`: 4 calls at once, 60 in a minute; each of the two may be left out.

    Raises:
        ConfigError: it is not a limit.
    """
    provider, _, rest = text.partition("=")
    limit = Limit()
    for part in rest.split(","):
        number, slash, unit = part.strip().partition("/")
        known = number.isdecimal() and int(number) > 0 and (not slash or unit in SECONDS)
        if not known or not provider.strip():
            raise ConfigError(
                f"limit is {text!r}; give a provider with calls at once, calls in a time (s, min, h, day), or both, as "
                "in anthropic=4,60/min."
            )
        if slash:
            limit = replace(limit, calls=int(number), seconds=SECONDS[unit])
        else:
            limit = replace(limit, at_once=int(number))
    return provider.strip(), limit


class Meter(Protocol):
    """Storage of limits."""

    away: tuple[type[Exception], ...]
    """Errors of a server that is out of reach or was restarted; another try may succeed."""

    def take(self, name: str) -> Any:
        """Take a place; None where another has it."""

    def renew(self, place: Any) -> None:
        """Keep a place for longer."""

    def give_back(self, place: Any) -> None:
        """Give a place back."""

    def bucket(self, name: str, rate: Rate) -> Any:
        """Return the record of a provider's latest calls."""

    def spent(self, change: Callable[[Mapping[str, Usage]], Mapping[str, Usage]]) -> None:
        """Replace what runs have spent, by their ids, in one step."""

    def forget(self) -> None:
        """Forget what runs have spent; their records have it."""


class FileMeter:
    """Limits of the processes of one machine."""

    away: tuple[type[Exception], ...] = ()

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._buckets: list[Any] = []

    def close(self) -> None:
        """Close the database connections; this also happens when the meter is garbage-collected."""
        for bucket in self._buckets:
            bucket.conn.close()

    __del__ = close

    def take(self, name: str) -> Any:
        """Take a place; None where another has it."""
        lock = FileLock(self._folder / f"{name}.lock", timeout=0, thread_local=False)
        try:
            lock.acquire()
        except Timeout:
            return None
        return lock

    def renew(self, place: Any) -> None:
        """Do nothing: the system knows whether the process lives."""

    def give_back(self, place: Any) -> None:
        """Give a place back."""
        place.release()

    def bucket(self, name: str, rate: Rate) -> Any:
        """Return the record of a provider's latest calls."""
        from pyrate_limiter import SQLiteBucket

        path = str(self._folder / f"{name}.sqlite")
        bucket = SQLiteBucket.init_from_file([rate], table="calls", db_path=path, use_file_lock=True)
        self._buckets.append(bucket)
        return bucket

    def spent(self, change: Callable[[Mapping[str, Usage]], Mapping[str, Usage]]) -> None:
        """Replace what runs have spent, by their ids, in one step."""
        with self._ledger() as ledger:
            rows = ledger.execute("SELECT run, usage FROM spent").fetchall()
            new = change({run: Usage.model_validate_json(usage) for run, usage in rows})
            values = [(run, usage.model_dump_json()) for run, usage in new.items()]
            ledger.executemany("INSERT OR REPLACE INTO spent VALUES (?, ?)", values)

    def forget(self) -> None:
        """Forget what runs have spent; their records say it."""
        with self._ledger() as ledger:
            ledger.execute("DELETE FROM spent")

    @contextmanager
    def _ledger(self) -> Generator[sqlite3.Connection]:
        ledger = sqlite3.connect(self._folder / "spent.sqlite", timeout=RESTART_TIMEOUT, isolation_level=None)
        try:
            ledger.execute("CREATE TABLE IF NOT EXISTS spent (run TEXT PRIMARY KEY, usage TEXT NOT NULL)")
            ledger.execute("BEGIN IMMEDIATE")
            yield ledger
            ledger.execute("COMMIT")
        finally:
            ledger.close()  # rolls back what was not committed


class RedisMeter:
    """Limits across machines, in a Redis server: those on a provider hold for all batches, the caps for one."""

    def __init__(self, url: str, batch: str) -> None:
        try:
            import redis
            from redis import exceptions
        except ImportError as error:
            raise MissingPartError("Limits across machines need redis: pip install 'redraft[redis]'") from error
        client: Any = redis.Redis
        try:
            self._client = client.from_url(url, socket_timeout=5, decode_responses=True)
        except ValueError as error:
            raise ConfigError(f"redis: not the URL of a Redis server ({error}). Give redis://HOST:PORT/0.") from error
        self.away: tuple[type[Exception], ...] = (
            exceptions.ConnectionError,
            exceptions.TimeoutError,
            exceptions.NoScriptError,
        )
        self._key = f"redraft:batch:{batch}"

    def close(self) -> None:
        """Close the connections, as happens without it when the meter is no longer used: each run has one."""
        if hasattr(self, "_client"):
            self._client.close()

    __del__ = close

    def take(self, name: str) -> Any:
        """Take a place; None where another has it."""
        lock = self._client.lock(f"redraft:limit:{name}", timeout=LEASE, blocking=False, thread_local=False)
        return lock if lock.acquire() else None

    def renew(self, place: Any) -> None:
        """Keep a place for longer."""
        self._ignore_errors(place.reacquire)

    def give_back(self, place: Any) -> None:
        """Give a place back."""
        self._ignore_errors(place.release)

    def _ignore_errors(self, do: Callable[[], object]) -> None:
        """Do something whose failure is harmless: a server that was restarted or is away forgets the place anyway."""
        from redis.exceptions import RedisError

        with suppress(RedisError):
            do()

    def bucket(self, name: str, rate: Rate) -> Any:
        """Return the record of a provider's latest calls, by the clock of the server."""
        from pyrate_limiter import RedisBucket

        class ServerClock(RedisBucket):
            def now(self) -> int:
                server: Any = self.redis
                seconds, micros = server.time()
                return seconds * 1000 + micros // 1000

        return ServerClock.init([rate], self._client, f"redraft:rate:{name}")

    def spent(self, change: Callable[[Mapping[str, Usage]], Mapping[str, Usage]]) -> None:
        """Replace what runs have spent, by their ids, in one step."""

        def exchange(pipe: Any) -> None:
            rows = pipe.hgetall(self._key)
            new = change({run: Usage.model_validate_json(usage) for run, usage in rows.items()})
            pipe.multi()
            pipe.hset(self._key, mapping={run: usage.model_dump_json() for run, usage in new.items()})

        self._client.transaction(exchange, self._key)

    def forget(self) -> None:
        """Forget what runs have spent; their records say it."""
        self._client.delete(self._key)


def open_meter(url: str, folder: Path, batch: str) -> Meter:
    """Return the storage of a batch's limits: a Redis server, or without a URL files in a folder."""
    if url:
        return RedisMeter(url, batch)
    folder.mkdir(parents=True, exist_ok=True)
    return FileMeter(folder)


async def patiently(meter: Meter, ask: Callable[[], T]) -> T:
    """Use a meter, and try again while its server is away. Raises `ModelUnavailableError` if it stays away."""
    until = time.monotonic() + RESTART_TIMEOUT
    while True:
        try:
            return ask()
        except meter.away as error:
            if time.monotonic() > until:
                raise ModelUnavailableError(
                    f"The Redis server that keeps the limits of the batch is out of reach ({error}). Start it and run "
                    "the batch again."
                ) from error
        await anyio.sleep(0.5)


class LimitedModel:
    """A model whose calls wait for their turn, and are refused when a cap of the batch is reached."""

    def __init__(self, spec: str, model: Model, run: str, meter: Meter, limit: Limit, caps: BudgetSettings) -> None:
        self._provider = spec.partition(":")[0]
        self._model, self._run, self._meter, self._limit, self._caps = model, run, meter, limit, caps
        self._bucket: Any = None

    @property
    def info(self) -> ModelInfo:
        """The properties of the model."""
        return self._model.info

    async def ask(self, request: Request) -> Reply:
        """Answer one request when it is its turn.

        Raises:
            BudgetError: a cap of the batch is reached. ModelUnavailableError: the limits cannot be read.
        """
        async with self._place():
            if self._limit.calls is not None:
                while wait := await patiently(self._meter, self._wait):  # noqa: ASYNC110  the time is known
                    await anyio.sleep(wait)

            # The call counts before it is made; afterwards its cost is added, or a failed call taken back.
            await patiently(self._meter, lambda: self._meter.spent(self._with_one_call))
            usage: Usage | None = None
            try:
                reply = await self._model.ask(request)
                usage = reply.usage
            finally:
                rest = Usage(calls=-1) if usage is None else usage.model_copy(update={"calls": usage.calls - 1})

                def settled(spent: Mapping[str, Usage]) -> Mapping[str, Usage]:
                    return {self._run: spent.get(self._run, Usage()) + rest}

                with anyio.CancelScope(shield=True):
                    await patiently(self._meter, lambda: self._meter.spent(settled))
            return reply

    def _with_one_call(self, spent: Mapping[str, Usage]) -> Mapping[str, Usage]:
        """Return what this run has spent with one more call. Raises `BudgetError` if a cap of the batch is reached."""
        total, caps = sum(spent.values(), Usage()), self._caps
        tokens = total.input_tokens + total.output_tokens
        if caps.cost is not None and total.cost is None:
            raise BudgetError(
                f"The batch may cost {caps.cost} US dollars, but the price of a call was unknown. Set "
                "models.input_price and models.output_price, or drop the cap."
            )
        for name, used in {"calls": total.calls, "tokens": tokens, "cost": total.cost or 0.0}.items():
            cap = getattr(caps, name)
            if cap is not None and used >= cap:
                raise BudgetError(
                    f"The cap of the batch on {name}, {cap}, is reached. Run it again with a higher --max-{name} to "
                    "resume this run."
                )
        return {self._run: spent.get(self._run, Usage()) + Usage(calls=1)}

    @asynccontextmanager
    async def _place(self) -> AsyncGenerator[None]:
        """Hold one of the places among the calls at once."""
        if self._limit.at_once is None:
            yield
            return
        names = [f"{self._provider}-{number}" for number in range(self._limit.at_once)]
        place = None
        while place is None:
            for name in names:
                if place := await patiently(self._meter, partial(self._meter.take, name)):
                    break
            else:
                await anyio.sleep(POLL_INTERVAL)

        async def renew() -> None:
            while True:
                await anyio.sleep(LEASE / 3)
                self._meter.renew(place)

        renewing = asyncio.create_task(renew())
        try:
            yield
        finally:
            renewing.cancel()
            self._meter.give_back(place)

    def _wait(self) -> float:
        """Return the seconds to wait before a call; 0 if it is counted and may be made."""
        from pyrate_limiter import Rate, RateItem

        assert self._limit.calls is not None
        if self._bucket is None:
            self._bucket = self._meter.bucket(self._provider, Rate(self._limit.calls, self._limit.seconds * 1000))
        try:
            item = RateItem(self._provider, self._bucket.now())
            self._bucket.leak(item.timestamp)
            return 0.0 if self._bucket.put(item) else max(self._bucket.waiting(item), 10) / 1000
        except Exception:
            self._bucket = None  # a server that was restarted has lost its script
            raise
