"""Workers: what they answer, every way they can fail, the limits they meet, and that none is left behind."""

from __future__ import annotations

import io
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue
from real_parts import needs

from redraft.errors import ExecutionError, InfrastructureError, MissingPartError
from redraft.sandbox import Answer, Limits, Program, Sandbox
from redraft.worker_protocol import MAGIC, receive, send

pytestmark = [
    pytest.mark.slow,
    pytest.mark.anyio,
    pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="Linux only"),
]

ODD = Path(__file__).parent / "helpers" / "odd_worker.py"
WORKER = Program("the odd worker", (sys.executable, str(ODD)))
PLENTY = Limits(30)


async def told(box: Sandbox, do: str, limits: Limits = PLENTY, program: Program = WORKER, **job: JsonValue) -> Answer:
    return await box.ask(program, {"do": do, **job}, limits=limits, blob=b"\0\xff")


def gone(pid: int, within: float = 5.0) -> bool:
    """Whether a process has ended (one that is dead and not yet waited for has)."""
    end = time.monotonic() + within
    while time.monotonic() < end:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.02)
    return False


def left_in(folder: Path) -> list[Path]:
    return list(folder.rglob("*"))


def number(answer: Answer, name: str) -> int:
    value = answer.data[name]
    assert isinstance(value, int)
    return value


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
        ("hog", Limits(30, memory=120 << 20), "held more than 120 MiB of memory"),
        ("breed", Limits(30, processes=12), "more than 12 processes"),
        ("flood", Limits(30, output=50_000), r"100,\d\d\d bytes of output; at most 50,000"),
    ],
)
async def test_other_limits_stop_it_too(tmp_path: Path, do: str, limits: Limits, words: str) -> None:
    async with Sandbox(tmp_path) as box:
        pid = number(await told(box, "echo"), "pid")
        with pytest.raises(ExecutionError, match=words):
            await told(box, do, limits, bytes=100_000)
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
        with pytest.raises(InfrastructureError, match=r"no frame \(it begins b'HTTP'\)"):
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
    assert set(environment) <= {"PATH", "LANG", "HOME", "TMPDIR", "PYTHONDONTWRITEBYTECODE", "LC_CTYPE"}
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


CALLER = """
import sys
from pathlib import Path
import anyio
from redraft.sandbox import *

async def main():
    box = Sandbox(Path(sys.argv[1]))
    program = Program("it", (sys.executable, sys.argv[2]), level=sys.argv[3], binds=(Path(sys.argv[2]).parent,))
    await box.ask(program, {"do": "echo"}, limits=Limits())
    print("ready", flush=True)
    await box.ask(program, {"do": sys.argv[4], "seconds": 600, "hang": True}, limits=Limits(600))

anyio.run(main)
"""


def family(pid: int) -> list[int]:
    found = [pid]
    for each in found:
        for thread in Path(f"/proc/{each}/task").iterdir():
            found += map(int, (thread / "children").read_text().split())
    return found


def killed_caller(folder: Path, level: str, do: str) -> list[int]:
    """A process that uses the sandbox and is killed with no chance to tidy up; all it had started."""
    command = [sys.executable, "-c", CALLER, str(folder), str(ODD), level, do]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as caller:
        assert caller.stdout is not None
        assert caller.stdout.readline() == b"ready\n"
        time.sleep(0.2)
        started = family(caller.pid)[1:]
        caller.kill()
    return started


@pytest.mark.slow
def test_a_caller_that_is_killed_leaves_no_worker(tmp_path: Path) -> None:
    started = killed_caller(tmp_path, "worker", "hang")
    assert started
    assert all(gone(pid) for pid in started)


# The jail


@pytest.fixture
def jail() -> Program:
    needs("bwrap")
    return Program("the odd worker", WORKER.command, level="bubblewrap", binds=(ODD.parent,), scratch=32 << 20)


async def script(box: Sandbox, jail: Program, text: str) -> JsonValue:
    """What a script answers, or what it raised."""
    data = (await told(box, "run", program=jail, script=text)).data
    return data.get("answer", data.get("raised"))


OPEN = """
answer = {}
for path in PATHS:
    try:
        with open(path, MODE) as file:
            answer[path] = "opened"
    except OSError as error:
        answer[path] = type(error).__name__
"""


def opening(paths: list[str], mode: str) -> str:
    return OPEN.replace("PATHS", repr(paths)).replace("MODE", repr(mode))


@pytest.mark.real
async def test_jail_reads_nothing_of_the_user(tmp_path: Path, jail: Program) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("mine")
    paths = ["/etc/passwd", "/etc/shadow", str(Path.home() / ".bashrc"), str(secret), str(Path(__file__))]
    async with Sandbox(tmp_path / "scratch") as box:
        assert await script(box, jail, opening(paths, "r")) == dict.fromkeys(paths, "FileNotFoundError")
        homes = "import os; answer = sorted(os.listdir('/home')) if os.path.exists('/home') else []"
        assert await script(box, jail, homes) == []


@pytest.mark.real
async def test_jail_writes_in_its_scratch_only(tmp_path: Path, jail: Program) -> None:
    refused = [
        "/new",
        "/usr/new",
        "/dev/new",
        "/dev/shm/new",
        "/proc/sys/kernel/ostype",
        "/proc/sys/kernel/core_pattern",
        "/proc/self/oom_score_adj",
        "/tmp/new",
    ]
    refused += [str(ODD.parent / "new"), str(Path(sys.prefix) / "new")]
    async with Sandbox(tmp_path) as box:
        found = await script(box, jail, opening(refused, "a"))
        assert isinstance(found, dict)
        assert "opened" not in found.values()
        allowed = "import os; open('here', 'w').write('x'); open(os.path.expanduser('~/there'), 'w'); "
        assert await script(box, jail, allowed + "answer = sorted(os.listdir('.'))") == ["here", "there"]
        fill = "f = open('much', 'wb')\nfor _ in range(64): f.write(b'x' * 2**20); f.flush()"
        assert await script(box, jail, fill) == "OSError"
        assert not [path for path in left_in(tmp_path) if path.name == "here"]


@pytest.mark.real
async def test_jail_has_no_network(tmp_path: Path, jail: Program) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        port = server.getsockname()[1]
        text = f"import socket; socket.create_connection(('127.0.0.1', {port}), 2)"
        far = "import socket; socket.create_connection(('192.0.2.1', 80), 2)"
        async with Sandbox(tmp_path) as box:
            assert await script(box, jail, text) == "PermissionError"
            assert await script(box, jail, far) == "PermissionError"
        with pytest.raises(TimeoutError):
            server.accept()


@pytest.mark.real
async def test_jail_sees_no_other_process_and_has_no_power(tmp_path: Path, jail: Program) -> None:
    async with Sandbox(tmp_path) as box:
        pids = await script(box, jail, "import os; answer = [int(n) for n in os.listdir('/proc') if n.isdigit()]")
        assert isinstance(pids, list)
        assert len(pids) <= 3
        assert await script(box, jail, f"import os; os.kill({os.getpid()}, 0)") == "ProcessLookupError"
        power = (
            "answer = [l.split()[1] for l in open('/proc/self/status') if l.startswith(('CapEff', 'CapPrm', 'CapBnd'))]"
        )
        assert await script(box, jail, power) == ["0" * 16] * 3
        assert await script(box, jail, "import os; answer = [os.getuid(), os.getgid(), os.uname().nodename]") == [
            65534,
            65534,
            "jail",
        ]
        nested = "import ctypes; answer = ctypes.CDLL(None).unshare(0x10000000)"  # a user namespace of its own
        assert await script(box, jail, nested) == -1


@pytest.mark.real
async def test_jail_keeps_no_key(tmp_path: Path, jail: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    text = """
answer = ""
for pid in ("1", "2", "self"):
    try:
        answer += open(f"/proc/{pid}/environ").read()
    except OSError:
        pass
"""
    async with Sandbox(tmp_path) as box:
        found = await script(box, jail, text)
    assert "HOME=/scratch" in str(found)
    assert "sk-secret" not in str(found)


@pytest.mark.real
@pytest.mark.parametrize(
    ("do", "limits", "words"),
    [
        ("hang", Limits(0.3), "longer than 0.3 s"),
        ("hog", Limits(30, memory=120 << 20), "held more than 120 MiB"),
        ("breed", Limits(30, processes=16), "more than 16 processes"),
    ],
)
async def test_jail_stops_what_breaks_a_limit(
    tmp_path: Path, jail: Program, do: str, limits: Limits, words: str
) -> None:
    async with Sandbox(tmp_path) as box:
        await told(box, "echo", program=jail)
        inside = family(os.getpid())[1:]
        with pytest.raises(ExecutionError, match=words):
            await told(box, do, limits, program=jail)
        assert all(gone(pid) for pid in inside)
        assert (await told(box, "echo", program=jail)).blob == b"\0\xff"


@pytest.mark.real
async def test_jail_says_how_its_worker_died(tmp_path: Path, jail: Program) -> None:
    async with Sandbox(tmp_path) as box:
        with pytest.raises(InfrastructureError, match="signal 11, a segmentation fault; it last said: about to die in"):
            await told(box, "die", program=jail, signal=11)


@pytest.mark.real
def test_jail_of_a_caller_that_is_killed_is_gone(tmp_path: Path, jail: Program) -> None:
    started = killed_caller(tmp_path, jail.level, "leave_child")
    assert len(started) >= 3
    assert all(gone(pid) for pid in started)


async def test_jail_without_bubblewrap_or_with_an_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program("the odd worker", WORKER.command, level="bubblewrap")
    monkeypatch.setenv("PATH", str(tmp_path))
    async with Sandbox(tmp_path / "scratch") as box:
        with pytest.raises(MissingPartError, match=r"`bwrap` is not here\. Install it: apt-get install bubblewrap"):
            await told(box, "echo", program=program)
        fake = tmp_path / "bwrap"
        fake.write_text("#!/bin/sh\necho --size --clearenv\n")
        fake.chmod(0o755)
        with pytest.raises(MissingPartError, match="too old: it has no --disable-userns"):
            await told(box, "echo", program=program)


async def test_jail_where_namespaces_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "bwrap"
    said = "bwrap: No permissions to create new namespace, likely because the kernel does not allow it"
    fake.write_text(
        f'#!/bin/sh\nif [ "$1" = --help ]; then echo --size --clearenv --disable-userns; exit; fi\n'
        f"echo '{said}' >&2\nexit 1\n"
    )
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    program = Program("the odd worker", WORKER.command, level="bubblewrap")
    async with Sandbox(tmp_path / "scratch") as box:
        with pytest.raises(MissingPartError, match=r"No permissions to create new namespace.*needs user namespaces"):
            await told(box, "echo", program=program)


async def test_jail_names_a_path_that_is_not_there(tmp_path: Path, jail: Program) -> None:
    program = Program("the odd worker", WORKER.command, level="bubblewrap", binds=(tmp_path / "nowhere",))
    async with Sandbox(tmp_path) as box:
        with pytest.raises(MissingPartError, match=r"the odd worker needs .*nowhere, which is not there"):
            await told(box, "echo", program=program)


# Frames


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


@given(data=st.dictionaries(st.text(), json_values, max_size=5), blob=st.binary(max_size=300))
def test_frames_come_back_as_they_went(data: dict[str, JsonValue], blob: bytes) -> None:
    pipe = io.BytesIO()
    send(pipe, data, blob)
    send(pipe, {}, b"")
    pipe.seek(0)
    assert receive(pipe) == (data, blob)
    assert receive(pipe) == ({}, b"")
    with pytest.raises(EOFError):
        receive(pipe)


@given(st.binary(max_size=200), st.booleans())
def test_whatever_comes_instead_of_a_frame_is_refused(noise: bytes, magic: bool) -> None:
    with pytest.raises((InfrastructureError, ExecutionError, EOFError)):
        receive(io.BytesIO((MAGIC if magic else b"") + noise), most=1000)
