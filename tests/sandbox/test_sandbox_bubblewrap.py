"""The jail of bubblewrap: what does not exist in it, and what is said where it cannot be made."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from real_parts import needs
from sandboxes import ODD, WORKER, confined, left_in, opening, script, told

from redraft.errors import InfrastructureError, MissingPartError
from redraft.sandbox.pool import Sandbox
from redraft.sandbox.program import Program

pytestmark = [
    pytest.mark.slow,
    pytest.mark.anyio,
    pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="Linux only"),
]


@pytest.fixture
def jail() -> Program:
    needs("bwrap")
    return confined("bubblewrap")


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


LOOK_UP = """
import os
read, write = os.pipe()
if os.fork() == 0:
    found = ""
    for name in ("fd/0", "mem", "environ"):
        try:
            open(f"/proc/{os.getppid()}/{name}", "rb")
            found += "opened "
        except OSError as error:
            found += type(error).__name__ + " "
    os.write(write, found.encode())
    os._exit(0)
answer = os.read(read, 1000).decode().split()
"""


@pytest.mark.real
async def test_jail_lets_no_fork_look_into_its_worker(tmp_path: Path, jail: Program) -> None:
    async with Sandbox(tmp_path) as box:
        assert await script(box, jail, LOOK_UP) == ["PermissionError"] * 3


@pytest.mark.real
async def test_jail_keeps_no_key(tmp_path: Path, jail: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    text = """
import os
answer = str(os.environ)
for pid in ("1", "2", "self"):
    try:
        answer += open(f"/proc/{pid}/environ").read()
    except OSError:
        pass
"""
    async with Sandbox(tmp_path) as box:
        found = await script(box, jail, text)
    assert "'HOME': '/scratch'" in str(found)
    assert "sk-secret" not in str(found)


@pytest.mark.real
async def test_jail_says_how_its_worker_died(tmp_path: Path, jail: Program) -> None:
    async with Sandbox(tmp_path) as box:
        with pytest.raises(InfrastructureError, match="signal 11, a segmentation fault; it last said: about to die in"):
            await told(box, "die", program=jail, signal=11)


async def test_jail_without_bubblewrap_or_with_an_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program("the odd worker", WORKER.command, level="bubblewrap")
    monkeypatch.setenv("PATH", str(tmp_path))
    async with Sandbox(tmp_path / "scratch") as box:
        with pytest.raises(MissingPartError, match=r"`bwrap` is missing\. Install it: apt-get install bubblewrap"):
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
        with pytest.raises(MissingPartError, match=r"the odd worker needs .*nowhere, which is missing"):
            await told(box, "echo", program=program)
