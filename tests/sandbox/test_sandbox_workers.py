"""Workers: what they answer, every way they can fail, the limits they meet, and that none is left behind."""

from __future__ import annotations

import os
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from sandboxes import WORKER, family, gone, killed_caller, left_in, number, script, told

from redraft.errors import ExecutionError, InfrastructureError, MissingPartError
from redraft.sandbox.pool import Sandbox
from redraft.sandbox.program import Limits, Program

pytestmark = [
    pytest.mark.timed,
    pytest.mark.slow,
    pytest.mark.anyio,
    pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="Linux only"),
]


async def test_a_worker_answers_again_and_again_and_is_the_same(tmp_path: Path) -> None:
    async with Sandbox(tmp_path) as box:
        first = await told(box, "echo", say="ä\u2028")
        second = await told(box, "echo", say=[1, {"a": None}])
    assert first.data["said"] == "ä\u2028"
    assert second.data["said"] == [1, {"a": None}]
    assert first.blob == b"\0\xff"
    assert first.data["pid"] == second.data["pid"]
    assert gone(number(first, "pid"))
    assert left_in(tmp_path) == []


async def test_what_a_job_is_blamed_for_leaves_the_worker_as_it_is(tmp_path: Path) -> None:
    async with Sandbox(tmp_path) as box:
        before = await told(box, "echo")
        with pytest.raises(ExecutionError, match=r"^no such thing$") as caught:
            await told(box, "blame", say="no such thing")
        assert caught.value.by == "Odd 1.2"
        with pytest.raises(ExecutionError, match="more memory than it may have"):
            await told(box, "reserve", bytes=1 << 40)
        assert (await told(box, "echo")).data["pid"] == before.data["pid"]


async def test_a_loop_without_end_is_stopped_and_the_next_job_runs(tmp_path: Path) -> None:
    async with Sandbox(tmp_path) as box:
        first = await told(box, "echo")
        with pytest.raises(ExecutionError, match=r"longer than 0\.3 s and was stopped"):
            await told(box, "hang", Limits(0.3))
        assert gone(number(first, "pid"))
        assert (await told(box, "echo")).data["pid"] != first.data["pid"]
        with pytest.raises(ExecutionError, match=r"^too many steps$"):
            await told(box, "hang", Limits(0.2, slow="too many steps"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("do", "limits", "words"),
    [
        ("hog", Limits(30), "held more than 120 MiB of memory"),
        ("breed", Limits(30, processes=12), "more than 12 processes"),
        ("flood", Limits(30, output=50_000), r"100,\d\d\d bytes of output; at most 50,000"),
    ],
)
async def test_other_limits_stop_it_too(tmp_path: Path, do: str, limits: Limits, words: str) -> None:
    program = replace(WORKER, memory=120 << 20) if do == "hog" else WORKER
    async with Sandbox(tmp_path) as box:
        pid = number(await told(box, "echo", program=program), "pid")
        with pytest.raises(ExecutionError, match=words):
            await told(box, do, limits, program=program, bytes=100_000)
        assert gone(pid)


@pytest.mark.parametrize(
    ("number", "words"),
    [(signal.SIGSEGV, "signal 11, a segmentation fault"), (signal.SIGABRT, "signal 6, an abort"), (34, "signal 34")],
)
async def test_a_worker_that_dies_says_how_in_words(tmp_path: Path, number: int, words: str) -> None:
    async with Sandbox(tmp_path) as box:
        with pytest.raises(
            InfrastructureError, match=f"the odd worker was ended by {words}.*about to die in"
        ) as caught:
            await told(box, "die", signal=number)
        assert str(tmp_path) not in str(caught.value)
        assert (await told(box, "echo")).blob == b"\0\xff"


async def test_a_worker_that_leaves_babbles_or_stumbles(tmp_path: Path) -> None:
    async with Sandbox(tmp_path) as box:
        with pytest.raises(InfrastructureError, match="ended by itself, with exit code 3"):
            await told(box, "leave", code=3)
        assert (await told(box, "babble", lines=200)).data == {"quiet": True}
        with pytest.raises(InfrastructureError, match=r"not a frame \(they begin b'HTTP'\)"):
            await told(box, "garble")
        with pytest.raises(
            InfrastructureError, match=r"RuntimeError: a fault of the worker's own \(odd_worker\.py, line"
        ):
            await told(box, "stumble")


async def test_one_that_ended_while_idle_is_replaced_without_a_word(tmp_path: Path) -> None:
    async with Sandbox(tmp_path) as box:
        pid = number(await told(box, "echo"), "pid")
        os.kill(pid, signal.SIGKILL)
        assert gone(pid)
        assert number(await told(box, "echo"), "pid") != pid


@pytest.mark.parametrize(
    ("odd", "error", "words"),
    [
        ("missing", MissingPartError, "The odd part is missing"),
        ("broken", InfrastructureError, "could not be made ready: RuntimeError: cannot begin"),
        ("stuck", InfrastructureError, r"was not ready after 0\.5 s"),
    ],
)
async def test_one_that_cannot_begin(tmp_path: Path, odd: str, error: type[Exception], words: str) -> None:
    program = Program(
        "the odd worker", WORKER.command, environment=(("ODD", odd),), start=0.5 if odd == "stuck" else 30
    )
    async with Sandbox(tmp_path) as box:
        with pytest.raises(error, match=words):
            await told(box, "echo", program=program)
    assert left_in(tmp_path) == []


async def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    async with Sandbox(tmp_path) as box:
        with pytest.raises(MissingPartError, match="/no/such/program: No such file"):
            await told(box, "echo", program=Program("it", ("/no/such/program",)))
    assert left_in(tmp_path) == []


async def test_it_gets_nothing_of_our_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    async with Sandbox(tmp_path) as box:
        answer = await told(box, "environment")
    assert "sk-secret" not in str(answer.data)
    environment = answer.data["environment"]
    assert isinstance(environment, dict)
    assert set(environment) <= {"PATH", "LANG", "HOME", "TMPDIR", "PYTHONDONTWRITEBYTECODE", "LC_CTYPE", "PYTHONPATH"}
    assert str(environment["HOME"]).startswith(str(tmp_path))
    assert answer.data["core"] == [0, 0]


async def test_who_stops_waiting_stops_the_worker(tmp_path: Path) -> None:
    async with Sandbox(tmp_path) as box:
        pid = number(await told(box, "echo"), "pid")
        with anyio.move_on_after(0.2) as scope:
            await told(box, "hang")
        assert scope.cancelled_caught
        assert gone(pid)
        assert (await told(box, "echo")).blob == b"\0\xff"


@pytest.mark.slow
async def test_several_at_once_and_no_more_than_there_are_places(tmp_path: Path) -> None:
    pids: list[int] = []
    async with Sandbox(tmp_path, workers=2) as box:

        async def nap() -> None:
            pids.append(number(await told(box, "nap", seconds=0.2), "pid"))

        async with anyio.create_task_group() as group:
            for _ in range(4):
                group.start_soon(nap)
        assert len(pids) == 4
        assert len(set(pids)) == 2
    assert all(gone(pid) for pid in pids)


async def test_closing_ends_what_is_under_way(tmp_path: Path) -> None:
    box = Sandbox(tmp_path)
    pid = number(await told(box, "echo"), "pid")
    async with anyio.create_task_group() as group:

        async def hang() -> None:
            with pytest.raises(InfrastructureError, match="signal 9"):
                await told(box, "hang")

        group.start_soon(hang)
        await anyio.sleep(0.1)
        await box.close()
    assert gone(pid)


async def test_a_child_in_a_session_of_its_own_is_ended_too(tmp_path: Path) -> None:
    async with Sandbox(tmp_path) as box:
        child = number(await told(box, "leave_child"), "child")
        assert not gone(child, 0.1)
    assert gone(child)


@pytest.mark.slow
def test_a_caller_that_is_killed_leaves_no_worker(tmp_path: Path) -> None:
    started = killed_caller(tmp_path, "worker", "hang")
    assert started
    assert all(gone(pid) for pid in started)


# Workers that retire, and that start ahead


async def pids_of_three(box: Sandbox, program: Program) -> list[int]:
    return [number(await told(box, "echo", program=program), "pid") for _ in range(3)]


async def test_a_worker_ends_after_its_number_of_jobs(tmp_path: Path) -> None:
    async with Sandbox(tmp_path) as box:
        one, two, three = await pids_of_three(box, replace(WORKER, jobs=2))
        assert one == two != three
        assert gone(one)


async def test_a_worker_that_holds_too_much_is_not_kept(tmp_path: Path) -> None:
    async with Sandbox(tmp_path) as box:
        program = replace(WORKER, retire=100 << 20)
        one, two, three = await pids_of_three(box, program)
        assert one == two == three
        kept = "import sys; sys.held = bytearray(b'x') * (120 << 20)"
        await told(box, "run", program=program, script=kept)
        assert gone(one)
        assert number(await told(box, "echo", program=program), "pid") != one


async def test_one_that_is_started_ahead_is_the_one_that_is_asked(tmp_path: Path) -> None:
    async with Sandbox(tmp_path) as box:
        box.warm(WORKER)
        box.warm(WORKER)
        started = family(os.getpid())[1:]
        assert len(started) == 1
        assert number(await told(box, "echo"), "pid") == started[0]
        box.warm(WORKER)
        assert family(os.getpid())[1:] == started
        assert (await told(box, "echo")).data["pid"] == started[0]


@pytest.mark.parametrize(
    ("command", "odd", "words"),
    [
        (WORKER.command, "missing", "The odd part is missing"),
        (("/no/such/program",), "", "No such file"),
        ((sys.executable, "-c", ""), "", "ended by itself, with exit code 0"),
    ],
)
async def test_what_goes_wrong_ahead_is_said_when_it_is_asked(
    tmp_path: Path, command: tuple[str, ...], odd: str, words: str
) -> None:
    program = Program("it", command, environment=(("ODD", odd),))
    async with Sandbox(tmp_path) as box:
        box.warm(program)
        with pytest.raises((MissingPartError, InfrastructureError), match=words):
            await told(box, "echo", program=program)
    assert left_in(tmp_path) == []


async def test_one_that_was_never_asked_is_ended(tmp_path: Path) -> None:
    async with Sandbox(tmp_path) as box:
        box.warm(WORKER)
        (started,) = family(os.getpid())[1:]
    assert gone(started)
    assert left_in(tmp_path) == []


@pytest.mark.parametrize("keeps_pipes", [True, False])
async def test_a_child_ends_with_its_worker_and_does_not_hold_us_up(tmp_path: Path, keeps_pipes: bool) -> None:
    async with Sandbox(tmp_path) as box:
        child = number(await told(box, "leave_child", own_session=False, keeps_pipes=keeps_pipes), "child")
        with pytest.raises(InfrastructureError, match="exit code 3"):
            await told(box, "leave", code=3)
        assert gone(child)


THREADS = """
import threading
threading.stack_size(65536)
end = threading.Event()
threads = [threading.Thread(target=end.wait) for _ in range(3000)]
for each in threads:
    each.start()
end.wait(4)
end.set()
for each in threads:
    each.join()
answer = len(threads)
"""


async def test_three_thousand_threads_leave_a_worker_its_time(tmp_path: Path) -> None:
    async with Sandbox(tmp_path) as box:
        began, used = anyio.current_time(), time.process_time()
        assert await script(box, WORKER, THREADS, Limits(threads=4_000)) == 3000
        share = (time.process_time() - used) / (anyio.current_time() - began)
        assert share < 0.35
