"""Limits that several runs share: calls at once, calls in a time, and caps, in files and in a real Redis."""

from __future__ import annotations

import itertools
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from real_parts import needs
from redis_server import RedisServer, free_port

from redraft.batch.limits import FileMeter, Limit, LimitedModel, Meter, RedisMeter, limit_of, patiently
from redraft.config import BudgetSettings
from redraft.errors import BudgetError, ConfigError, ModelUnavailableError
from redraft.models.base import Message, ModelInfo, Reply, Request
from redraft.result import Usage

NONE = BudgetSettings(calls=None)
FREE = Limit()
ASKED = Request(kind="x", path="x", inputs={}, messages=(Message(role="user", text="x"),))
COST = Usage(calls=1, input_tokens=60, output_tokens=40, cost=0.5)


class Busy:
    """Answers after a moment, and keeps how many asked at once and when."""

    info = ModelInfo(name="busy")

    def __init__(self, usage: Usage = COST, *, fails: bool = False) -> None:
        self.usage, self.fails = usage, fails
        self.now = self.most = 0
        self.times: list[float] = []

    async def ask(self, request: Request) -> Reply:
        self.now += 1
        self.most = max(self.most, self.now)
        self.times.append(time.monotonic())
        await anyio.sleep(0.05)
        self.now -= 1
        if self.fails:
            raise ModelUnavailableError("away")
        return Reply(text="", model="busy", usage=self.usage)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with RedisServer(needs("redis-server"), tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture(params=["files", pytest.param("redis", marks=pytest.mark.real)])
def meters(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[list[Meter]]:
    """Of three processes."""
    if request.param == "files":
        yield [FileMeter(tmp_path) for _ in range(3)]
    else:
        server: RedisServer = request.getfixturevalue("shared")
        server.wipe()
        yield [RedisMeter(server.url, "b") for _ in range(3)]


async def asked(meters: list[Meter], model: Busy, limit: Limit = FREE, caps: BudgetSettings = NONE) -> list[str]:
    """Ask from all meters at once, twice each; what was refused."""
    refused: list[str] = []

    async def one(limited: LimitedModel) -> None:
        try:
            await limited.ask(ASKED)
        except (BudgetError, ModelUnavailableError) as error:
            refused.append(str(error))

    async with anyio.create_task_group() as group:
        for number, meter in enumerate(meters):
            limited = LimitedModel("busy:x", model, f"run-{number}", meter, limit, caps)
            for _ in range(2):
                group.start_soon(one, limited)
    return refused


def test_a_limit_is_read() -> None:
    assert limit_of("anthropic=4,60/min") == ("anthropic", Limit(4, 60, 60))
    assert limit_of("openai=2") == ("openai", Limit(2))
    assert limit_of("ollama=3/s") == ("ollama", Limit(None, 3, 1))


@pytest.mark.parametrize("text", ["", "x", "x=", "x=0", "x=2/week", "=3", "x=-1", "x=1.5", "x=4;60/min"])
def test_what_is_no_limit_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="give a provider with calls at once"):
        limit_of(text)


@pytest.mark.anyio
async def test_calls_at_once(meters: list[Meter]) -> None:
    model = Busy()
    assert await asked(meters, model, Limit(at_once=2)) == []
    assert (model.most, len(model.times)) == (2, 6)


@pytest.mark.anyio
@pytest.mark.slow
async def test_calls_in_a_time(meters: list[Meter], monkeypatch: pytest.MonkeyPatch) -> None:
    model = Busy()
    if isinstance(meters[0], RedisMeter):  # nodes whose clocks are hours apart
        hours = itertools.count()
        clock = "pyrate_limiter.buckets.redis_bucket.time_ns"
        monkeypatch.setattr(clock, lambda: time.time_ns() - next(hours) * 3_600_000_000_000)
    assert await asked(meters, model, Limit(calls=3, seconds=1)) == []
    times = sorted(model.times)
    assert times[2] - times[0] < 0.9 < times[3] - times[0]


@pytest.mark.anyio
async def test_a_cap_on_calls_is_exact(meters: list[Meter]) -> None:
    model = Busy()
    refused = await asked(meters, model, caps=BudgetSettings(calls=4))
    assert (len(model.times), len(refused)) == (4, 2)
    assert refused[0].startswith("The cap of the batch on calls, 4, is reached. Run it again with a higher --max-calls")


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("caps", "said"),
    [
        (BudgetSettings(calls=None, tokens=400), "on tokens, 400,"),
        (BudgetSettings(calls=None, cost=2.0), "on cost, 2.0,"),
    ],
)
async def test_caps_on_tokens_and_money(caps: BudgetSettings, said: str, meters: list[Meter]) -> None:
    model = Busy()
    refused = await asked(meters, model, Limit(at_once=1), caps)
    assert (len(model.times), len(refused)) == (4, 2)
    assert said in refused[0]


@pytest.mark.anyio
async def test_a_call_without_a_price_ends_a_batch_with_a_cap_on_money(meters: list[Meter]) -> None:
    model = Busy(Usage(calls=1, cost=None))
    refused = await asked(meters, model, Limit(at_once=1), BudgetSettings(calls=None, cost=9.0))
    assert len(model.times) == 1
    assert "the price of a call was unknown" in refused[0]


@pytest.mark.anyio
async def test_a_call_that_fails_costs_nothing(meters: list[Meter]) -> None:
    assert len(await asked(meters, Busy(fails=True), caps=BudgetSettings(calls=6))) == 6
    assert await asked(meters, Busy(), caps=BudgetSettings(calls=6)) == []


def test_what_records_say_replaces_what_was_counted(meters: list[Meter]) -> None:
    meters[0].spent(lambda _: {"a": COST, "b": COST})
    meters[1].spent(lambda _: {"a": COST + COST})
    seen: list[dict[str, Usage]] = []
    meters[2].spent(lambda spent: (seen.append(dict(spent)), {"c": COST})[1])
    assert seen == [{"a": COST + COST, "b": COST}]
    meters[0].forget()
    meters[1].spent(lambda spent: (seen.append(dict(spent)), {"c": COST})[1])
    assert seen[1] == {}


@pytest.mark.slow
def test_the_place_of_a_killed_process_is_free_again(tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from redraft.batch.limits import FileMeter\n"
        "place = FileMeter(Path(sys.argv[1])).take('x-0'); print(place is not None, flush=True); time.sleep(60)"
    )
    holder = subprocess.Popen([sys.executable, "-c", code, tmp_path], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    with holder, holder.stdout:
        assert holder.stdout.readline() == "True\n"
        assert FileMeter(tmp_path).take("x-0") is None
        holder.kill()
        holder.wait()
        assert FileMeter(tmp_path).take("x-0") is not None


@pytest.mark.real
@pytest.mark.anyio
async def test_calls_wait_while_redis_restarts(tmp_path: Path) -> None:
    with RedisServer(needs("redis-server"), tmp_path) as server:
        meter = RedisMeter(server.url, "b")
        limited = LimitedModel("busy", Busy(), "run", meter, Limit(1, 100, 60), BudgetSettings(calls=9))
        await limited.ask(ASKED)
        server.kill()
        threading.Timer(0.7, server.start).start()
        with anyio.fail_after(20):
            await limited.ask(ASKED)
        meter.close()


@pytest.mark.anyio
async def test_a_redis_that_stays_away_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("redraft.batch.limits.RESTART_TIMEOUT", 0.2)
    meter = RedisMeter(f"redis://127.0.0.1:{free_port()}/0", "b")
    with pytest.raises(ModelUnavailableError, match="Redis server that keeps the limits of the batch is out of reach"):
        await patiently(meter, meter.forget)


def test_what_is_no_url_of_redis_is_refused() -> None:
    with pytest.raises(ConfigError, match="redis: not the URL of a Redis server"):
        RedisMeter("http://x", "b")
