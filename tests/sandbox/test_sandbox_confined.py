"""What a script tries against us, at both levels that keep it from files, network and other processes."""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import JsonValue
from real_parts import needs
from sandboxes import confined, family, gone, killed_caller, left_in, number, opening, script, told

from redraft.errors import ExecutionError
from redraft.sandbox.pool import Sandbox
from redraft.sandbox.processes import DEEPEST
from redraft.sandbox.program import Level, Limits, Program

pytestmark = [
    pytest.mark.slow,
    pytest.mark.real,
    pytest.mark.anyio,
    pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="Linux only"),
]
UNREACHABLE = {"FileNotFoundError", "PermissionError"}


@pytest.fixture(params=["bubblewrap", "landlock"])
def level(request: pytest.FixtureRequest) -> Level:
    level: Level = request.param
    needs("bwrap" if level == "bubblewrap" else "landlock")
    return level


@pytest.fixture
def program(level: Level) -> Program:
    return confined(level)


async def answers(folder: Path, program: Program, *scripts: str) -> list[JsonValue]:
    async with Sandbox(folder) as box:
        return [await script(box, program, text) for text in scripts]


def mode_of(path: str) -> int:
    return Path(path).stat().st_mode


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def status_of(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/status").read_text().splitlines()


# Files


async def test_it_reads_nothing_of_the_user(tmp_path: Path, program: Program) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("mine")
    bashrc = Path.home() / ".bashrc"
    bashrc.write_text("mine")
    parent = [f"/proc/{os.getpid()}/{name}" for name in ("environ", "cmdline", "mem", "fd/0")]
    paths = ["/etc/passwd", "/etc/shadow", "/dev/kmsg", str(bashrc), str(secret), str(Path(__file__)), *parent]
    link = f"import os; os.symlink({str(secret)!r}, 'link'); open('link')"
    hard = f"import os; os.link({str(secret)!r}, 'hard'); open('hard')"
    homes = f"import os; answer = os.listdir({str(tmp_path)!r})"
    scratch = tmp_path / "scratch"
    found, *others = await answers(scratch, program, opening(paths, "rb"), link, hard, homes, opening(["/usr"], "r"))
    assert isinstance(found, dict)
    assert set(found) == set(paths)
    assert set(found.values()) <= UNREACHABLE
    *others, reached = others
    assert reached == {"/usr": "IsADirectoryError"}
    assert set(map(str, others)) <= UNREACHABLE | {"OSError"}


async def test_it_reads_what_it_is_given_and_writes_in_its_scratch_only(tmp_path: Path, level: Level) -> None:
    given = tmp_path / "given"
    given.mkdir()
    (given / "texture").write_text("wood")
    outside = tmp_path / "outside"
    outside.write_text("whole")
    outside.chmod(0o640)
    before = outside.stat()
    names = [str(given / "texture"), str(given / "new"), str(outside), "/usr/new", "/dev/new", "/dev/shm/new"]
    names += ["/tmp/new", "/proc/sys/kernel/core_pattern", "/proc/self/oom_score_adj"]
    harm = (
        f"os.truncate({str(outside)!r}, 0)",
        f"os.unlink({str(outside)!r})",
        f"os.rename({str(outside)!r}, 'mine')",
        f"os.open({str(tmp_path)!r}, os.O_TMPFILE | os.O_RDWR)",
        f"os.symlink('x', {str(tmp_path / 'link')!r})",
        f"os.chmod({str(outside)!r}, 0o777)",
        f"os.utime({str(outside)!r}, (1, 1))",
        f"os.chown({str(outside)!r}, 1, 1)",
        f"os.setxattr({str(outside)!r}, 'user.mark', b'1')",
        "os.chmod('/usr', 0o700)",
    )
    texts = [f"import os\ntry: {each}\nexcept OSError: pass" for each in harm]
    allowed = (
        "import os, shutil; shutil.copy2(FROM, 'copy'); open('here', 'w').write('x'); os.rename('here', 'there'); "
    )
    allowed = allowed.replace("FROM", repr(str(given / "texture"))) + "answer = sorted(os.listdir('.'))"
    read = f"answer = open({str(given / 'texture')!r}).read()"
    mode = mode_of("/usr")
    found, read_it, *_, listed = await answers(
        tmp_path / "scratch", confined(level, given), opening(names, "a"), read, *texts, allowed
    )
    assert isinstance(found, dict)
    assert "opened" not in found.values()
    assert set(found) == set(names)
    assert read_it == "wood"
    assert listed == ["copy", "there"]
    after = outside.stat()
    assert outside.read_text() == "whole"
    assert (after.st_mode, after.st_uid, after.st_mtime) == (before.st_mode, before.st_uid, before.st_mtime)
    assert os.listxattr(outside) == []
    assert mode_of("/usr") == mode
    assert names_in(tmp_path) == ["given", "outside", "scratch"]
    assert left_in(tmp_path / "scratch") == []


FILL = """
import os, time
with open("much", "wb") as file:
    if HIDDEN:
        os.unlink("much")
    for _ in range(200):
        file.write(b"x" * 2**20)
        file.flush()
    time.sleep(20)
"""
LITTER = """
import time
for number in range(20_000):
    open(str(number), "w").close()
time.sleep(20)
"""

DEEP = """
import os, time
for _ in range(300):
    os.mkdir("a" * 60)
    os.chdir("a" * 60)
with open("much", "wb") as file:
    file.write(b"x" * 2**26)
time.sleep(20)
"""


@pytest.mark.parametrize("text", [FILL.replace("HIDDEN", "False"), FILL.replace("HIDDEN", "True"), LITTER])
async def test_it_cannot_fill_the_disk(tmp_path: Path, text: str) -> None:
    needs("landlock")
    program = confined("landlock", scratch=32 << 20)
    async with Sandbox(tmp_path) as box:
        with pytest.raises(ExecutionError, match="kept more than 32 MiB of files"):
            await script(box, program, text)
        assert (await told(box, "echo", program=program)).blob == b"\0\xff"
    assert left_in(tmp_path) == []


async def test_it_hides_nothing_deeper_than_a_path_can_name(tmp_path: Path) -> None:
    needs("landlock")
    async with Sandbox(tmp_path) as box:
        with pytest.raises(ExecutionError, match=f"nested folders more than {DEEPEST} deep and was stopped"):
            await script(box, confined("landlock"), DEEP)
    assert left_in(tmp_path) == []


async def test_its_folder_is_removed_however_deep_it_is(tmp_path: Path, program: Program) -> None:
    async with Sandbox(tmp_path) as box:
        with suppress(ExecutionError):
            await script(box, program, DEEP.replace("300", "1500").replace("20", "0").replace("2**26", "2**10"))
    assert left_in(tmp_path) == []


async def test_a_jail_holds_a_bounded_number_of_files(tmp_path: Path) -> None:
    needs("bwrap")
    async with Sandbox(tmp_path) as box:
        with pytest.raises(ExecutionError, match=r"^It kept more than 8,192 files and was stopped"):
            await script(box, confined("bubblewrap", scratch=32 << 20), LITTER)


async def test_what_a_job_leaves_lying_is_no_fault_of_the_next(tmp_path: Path) -> None:
    needs("landlock")
    program = confined("landlock", scratch=32 << 20)
    async with Sandbox(tmp_path) as box:
        first = await told(box, "echo", program=program)
        fill = "with open('much', 'wb') as file: file.write(b'x' * 2**26)"
        with suppress(ExecutionError):  # it may be over before anybody looks at what it keeps, or be told so itself
            await script(box, program, fill)
        assert (await told(box, "nap", program=program, seconds=0.2)).data["pid"] != first.data["pid"]


# The network, and memory that is in nobody's count


async def test_it_reaches_no_socket(tmp_path: Path, program: Program) -> None:
    path = f"{tmp_path}/socket"
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_UNIX) as named,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        named.bind(path)
        abstract.bind(f"\0{path}")
        for server in (tcp, named, abstract):
            server.listen()
            server.settimeout(0.1)
        port = tcp.getsockname()[1]
        texts = (
            f"socket.create_connection(('127.0.0.1', {port}), 2)",
            "socket.create_connection(('192.0.2.1', 80), 2)",
            f"socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', {port}))",
            f"socket.socket(socket.AF_UNIX).connect({path!r})",
            f"socket.socket(socket.AF_UNIX).connect({chr(0) + path!r})",
            "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)",
            "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)",
        )
        own = "a, b = socket.socketpair(); a.send(b'self'); answer = b.recv(9).decode()"
        found = await answers(tmp_path / "scratch", program, *(f"import socket; {text}" for text in (*texts, own)))
        assert found == ["PermissionError"] * len(texts) + ["self"]
        for server in (tcp, named, abstract):
            with pytest.raises(TimeoutError):
                server.accept()


CALL = """
import ctypes
from redraft.sandbox.syscalls import call
area = ctypes.create_string_buffer(4096)
"""


async def test_it_makes_no_call_that_hides_memory_or_undoes_the_walls(tmp_path: Path, program: Program) -> None:
    calls = (
        "memfd_create', area, 0",
        "memfd_secret', 0",
        "shmget', 0, 4096, 0o1600",
        "mq_open', b'/x', 0o102, 0o600, 0",
    )
    calls += (
        "io_uring_setup', 4, area",
        "userfaultfd', 0",
        "bpf', 0, area, 64",
        "perf_event_open', area, 0, -1, -1, 0",
    )
    calls += ("unshare', 0x10000000", "setns', 0, 0", "mount', b'a', b'/usr', b'tmpfs', 0, 0", "chroot', b'/usr'")
    calls += (
        "keyctl', 0, -3, 1",
        "add_key', b'user', b'k', b'v', 1, -3",
        "personality', 0x40000",
        "setsid'",
        "swapoff', b'/'",
    )
    calls += ("open_tree', -100, b'/', 1", "fsopen', b'tmpfs', 0", "sethostname', b'mine', 4", "syslog', 3, area, 4096")
    found = await answers(tmp_path, program, *(f"{CALL}answer = call('{each})" for each in calls))
    assert found == ["PermissionError"] * len(calls)


async def test_it_shares_no_memory_that_no_figure_shows(tmp_path: Path, program: Program) -> None:
    texts = (
        "import mmap; mmap.mmap(-1, 4096)",
        "import mmap; mmap.mmap(-1, 4096, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS | 0x4000)",
        "import mmap, os; mmap.mmap(os.open('/dev/zero', os.O_RDONLY), 4096, prot=mmap.PROT_READ)",
        "import mmap, os; mmap.mmap(os.open('/dev/zero', os.O_RDWR), 4096)",
    )
    own = "import mmap; answer = len(mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))"
    found = await answers(tmp_path, program, *texts, own)
    assert found[:2] == ["PermissionError"] * 2
    assert {str(each) for each in found[2:4]} <= {"PermissionError", "OSError"}
    assert found[4] == 4096


async def test_it_opens_a_bounded_number_of_files_and_pipes(tmp_path: Path, program: Program) -> None:
    text = "import resource; answer = resource.getrlimit(resource.RLIMIT_NOFILE)"
    assert await answers(tmp_path, program, text) == [[1024, 1024]]


# Other processes


async def test_it_touches_no_other_process(tmp_path: Path, program: Program) -> None:
    us = os.getpid()
    texts = (
        f"import os; os.kill({us}, 0)",
        f"import resource; resource.prlimit({us}, resource.RLIMIT_NOFILE, (8, 8))",
        f"import os; os.setpriority(os.PRIO_PROCESS, {us}, 19)",
        f"import os; os.sched_setaffinity({us}, [0])",
        f"{CALL}call('ptrace', 16, {us}, 0, 0)",
        f"{CALL}call('process_vm_readv', {us}, area, 1, area, 1, 0)",
        f"import os; os.readlink('/proc/{us}/cwd')",
        "import fcntl, os; r, w = os.pipe(); fcntl.fcntl(r, fcntl.F_SETOWN, os.getppid())",
    )
    found = await answers(tmp_path, program, *texts)
    assert set(map(str, found)) <= {"PermissionError", "ProcessLookupError", "FileNotFoundError"}


async def test_it_has_no_power_also_not_in_what_it_starts(tmp_path: Path, program: Program) -> None:
    text = (
        "import subprocess; p = subprocess.Popen(['sh', '-c', 'echo ready; sleep 60'], stdout=subprocess.PIPE); "
        "answer = p.stdout.readline().decode()"
    )
    async with Sandbox(tmp_path) as box:
        assert await script(box, program, text) == "ready\n"
        inside = family(os.getpid())[1:]
        statuses = [status_of(pid) for pid in inside]
    powers = [
        [line for line in lines if line.startswith(("Name:", "CapEff:", "CapPrm:", "NoNew"))] for lines in statuses
    ]
    names = [lines[0].split()[1] for lines in powers]
    assert "sh" in names
    ours = [lines[1:] for name, lines in zip(names, powers, strict=True) if name != "bwrap"]
    assert len(ours) >= 2
    assert all(lines == [f"CapPrm:\t{0:016x}", f"CapEff:\t{0:016x}", "NoNewPrivs:\t1"] for lines in ours)


@pytest.mark.parametrize(
    ("do", "limits", "words"),
    [
        ("hang", Limits(0.3), "longer than 0.3 s"),
        ("hog", Limits(30), "held more than 120 MiB"),
        ("breed", Limits(30, processes=16), "more than 16 processes"),
        ("spin_up", Limits(30, threads=64), "more than 64 threads"),
    ],
)
async def test_what_breaks_a_limit_is_stopped_with_all_it_started(
    tmp_path: Path, program: Program, do: str, limits: Limits, words: str
) -> None:
    program = replace(program, memory=120 << 20) if do == "hog" else program
    async with Sandbox(tmp_path) as box:
        await told(box, "echo", program=program)
        inside = family(os.getpid())[1:]
        with pytest.raises(ExecutionError, match=words):
            await told(box, do, limits, program=program)
        assert all(gone(pid) for pid in inside)
        assert family(os.getpid()) == [os.getpid()]
        assert (await told(box, "echo", program=program)).blob == b"\0\xff"


async def test_a_child_does_not_outlive_its_worker(tmp_path: Path, program: Program) -> None:
    async with Sandbox(tmp_path) as box:
        number(await told(box, "leave_child", program=program), "child")
        started = family(os.getpid())[1:]
        assert len(started) >= 2
        with pytest.raises(Exception, match="exit code 3"):
            await told(box, "leave", program=program, code=3)
        assert all(gone(pid) for pid in started)


def test_a_caller_that_is_killed_leaves_no_worker(tmp_path: Path, level: Level) -> None:
    started = killed_caller(tmp_path, level, "hang")
    assert started
    assert all(gone(pid) for pid in started)
