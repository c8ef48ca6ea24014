"""The filters: what each says to a call on both machines, by the kernel's own rules; and what a process feels."""

from __future__ import annotations

import errno
import re
import subprocess
import sys
from pathlib import Path

import pytest
from real_parts import needs

from redraft.sandbox.seccomp import Step, attributes_filter, available, script_filter, worker_filter
from redraft.sandbox.syscalls import ARCHITECTURES, NUMBERS

ALLOWED = "allowed"
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
OWN = 4321


def verdict(steps: list[Step], machine: str, number: int, *arguments: int) -> str:
    """What the kernel does with a call, by the rules of classic BPF."""
    data = {0: number, 4: ARCHITECTURES[machine]}
    data |= {16 + 8 * at: value & 0xFFFFFFFF for at, value in enumerate(arguments)}
    data |= {20 + 8 * at: value >> 32 & 0xFFFFFFFF for at, value in enumerate(arguments)}
    held, at = 0, 0
    while True:
        code, yes, no, constant = steps[at]
        at += 1
        match code:
            case 0x20:
                held = data.get(constant, 0)
            case 0x54:
                held &= constant
            case 0x06:
                return returned(constant)
            case _:
                holds = {0x15: held == constant, 0x35: held >= constant, 0x45: bool(held & constant)}[code]
                at += yes if holds else no


def returned(value: int) -> str:
    action = value & 0xFFFF0000
    if action == 0x00050000:
        return errno.errorcode.get(value & 0xFFFF, "passed over")
    return {0x7FFF0000: ALLOWED, 0x80000000: "killed"}[action]


@pytest.fixture(params=list(ARCHITECTURES))
def machine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    name: str = request.param
    monkeypatch.setattr("platform.machine", lambda: name)
    monkeypatch.setattr(sys, "platform", "linux")
    return name


def said(steps: list[Step], machine: str, name: str, *arguments: int) -> str:
    number = NUMBERS[name][list(ARCHITECTURES).index(machine)]
    assert number is not None
    return verdict(steps, machine, number, *arguments)


def test_what_a_worker_gives_up(machine: str) -> None:
    steps = worker_filter()
    assert len(steps) < 4096
    for name in ("memfd_create", "io_uring_setup", "socket", "ptrace", "mount", "bpf", "keyctl", "shmget", "setsid"):
        assert said(steps, machine, name) == "EPERM"
    assert said(steps, machine, "clone3") == "ENOSYS"
    assert said(steps, machine, "socketpair", 1, 0o2000001) == ALLOWED  # SOCK_STREAM | SOCK_CLOEXEC
    assert said(steps, machine, "socketpair", 1, 2) == "EPERM"
    assert said(steps, machine, "socketpair", 2, 1) == "EPERM"
    assert said(steps, machine, "prlimit64", 0, 7) == ALLOWED
    assert said(steps, machine, "prlimit64", 1, 7) == "EPERM"
    assert said(steps, machine, "openat", 0, 0, 0o102) == ALLOWED
    assert said(steps, machine, "openat", 0, 0, 0o20200002) == "EPERM"
    for shared, verdict_on_it in ((0x21, "EPERM"), (0x23, "EPERM"), (0x4021, "EPERM"), (0x22, ALLOWED), (1, ALLOWED)):
        assert said(steps, machine, "mmap", 0, 4096, 3, shared) == verdict_on_it
    assert said(steps, machine, "fcntl", 0, 4) == ALLOWED
    assert said(steps, machine, "fcntl", 0, 15) == "EPERM"
    for flag in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000):
        assert said(steps, machine, "clone", flag | 17) == "EPERM"
    for name in ("clone", "execve", "kill", "tgkill", "prctl", "ioctl", "pidfd_open", "seccomp"):
        assert said(steps, machine, name, 17) == ALLOWED


def test_what_a_script_gives_up_besides(machine: str) -> None:
    steps = script_filter(OWN)
    for name in ("execve", "execveat", "tkill", "pidfd_open", "pidfd_send_signal"):
        assert said(steps, machine, name, OWN) == "EPERM"
    for name in ("kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"):
        assert said(steps, machine, name, OWN, 6) == ALLOWED
        assert said(steps, machine, name, OWN, 9, 9) == "EPERM"  # SIGKILL, in the place where either call has it
        for other in (0, 1, -1, -OWN, OWN + 1):
            assert said(steps, machine, name, other, 6) == "EPERM"
    assert said(steps, machine, "timer_create") == said(steps, machine, "setrlimit") == "EPERM"
    assert said(steps, machine, "prlimit64", 0, 0, 0, 1 << 40) == ALLOWED
    for new in (1 << 20, 1 << 40):
        assert said(steps, machine, "prlimit64", 0, 0, new) == "EPERM"
    assert said(steps, machine, "clone", 17) == "EPERM"
    assert said(steps, machine, "clone", 0x3D0F00) == ALLOWED  # a thread, as the C library makes them
    assert said(steps, machine, "prctl", 1, 0) == "EPERM"
    assert said(steps, machine, "prctl", 15, 0) == ALLOWED


def test_attributes(machine: str) -> None:
    steps = attributes_filter()
    assert said(steps, machine, "fchmodat") == said(steps, machine, "utimensat") == "passed over"
    assert said(steps, machine, "fchownat") == said(steps, machine, "setxattr") == "EPERM"
    assert said(steps, machine, "ioctl", 3, 0x40086602) == "EPERM"
    assert said(steps, machine, "ioctl", 3, 0x5401) == ALLOWED


def test_calls_of_another_kind(machine: str) -> None:
    for steps in (worker_filter(), script_filter(OWN), attributes_filter()):
        assert verdict(steps, machine, 0) == ALLOWED
        assert verdict(steps, machine, 0x40000000) == "EPERM"
        assert verdict(steps, next(other for other in ARCHITECTURES if other != machine), 0) == "killed"


@pytest.mark.parametrize("machine", list(ARCHITECTURES))
def test_the_numbers_are_those_of_the_system(machine: str) -> None:
    header = HEADERS[machine]
    if not header.exists():
        pytest.skip(f"{header} is missing (install linux-libc-dev)")
    defined = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", header.read_text()))
    at = list(ARCHITECTURES).index(machine)
    ours = {name: number for name, numbers in NUMBERS.items() if (number := numbers[at]) is not None}
    known = {name: number for name, number in ours.items() if name in defined}
    assert known == {name: int(defined[name]) for name in known}
    assert len(known) > 90
    assert all(number > 450 for name, number in ours.items() if name not in defined)  # newer than such a header


# What a process feels


FORKED = """
import os, signal, sys, threading, time
from redraft.sandbox.syscalls import drop_capabilities
from redraft.sandbox.seccomp import confine_script, confine_worker
above = os.getpid()
drop_capabilities()
child = os.fork()
if child:
    print(os.waitpid(child, 0)[1])
else:
    try:
        confine_worker()
        confine_script()
        SCRIPT
    except OSError as error:
        print(type(error).__name__, flush=True)
    os._exit(0)
"""


def forked(text: str, folder: Path) -> list[str]:
    """What a script says that runs in a confined fork, and then how it ended."""
    code = FORKED.replace("SCRIPT", text.replace("\n", "\n        "))
    asked = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True, cwd=folder
    )
    return asked.stdout.split()


@pytest.mark.skipif(not available(), reason="Linux with seccomp only")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("os.fork()", ["PermissionError", "0"]),
        ("os.execv(sys.executable, [sys.executable])", ["PermissionError", "0"]),
        ("os.kill(above, signal.SIGKILL)", ["PermissionError", "0"]),
        ("os.kill(0, signal.SIGKILL)", ["PermissionError", "0"]),
        ("os.kill(os.getpid(), signal.SIGTERM)", ["15"]),
        ("os.kill(os.getpid(), signal.SIGKILL)", ["PermissionError", "0"]),
        ("signal.raise_signal(signal.SIGKILL)", ["PermissionError", "0"]),
        ("import resource; print(len(resource.getrlimit(resource.RLIMIT_CPU)))", ["2", "0"]),
        ("os.abort()", ["6"]),
        ("os.mkdir('d'); open('a', 'w').close(); os.rename('a', 'd/a'); print(os.listdir('d'))", ["['a']", "0"]),
        ("t = threading.Thread(target=print, args=('threaded',)); t.start(); t.join()", ["threaded", "0"]),
        ("import ctypes; print(ctypes.CDLL(None).prctl(1, 0, 0, 0, 0))", ["-1", "0"]),
        ("print(open(os.devnull).read() == '', flush=True)", ["True", "0"]),
    ],
)
def test_a_script_in_a_fork(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert forked(text, tmp_path) == expected


@pytest.mark.real
@pytest.mark.parametrize("name", ["fd/1", "mem", "environ"])
def test_a_script_does_not_look_into_its_parent(tmp_path: Path, name: str) -> None:
    needs("landlock")
    open_it = f"open(f'/proc/{{above}}/{name}', 'rb'); print('opened')"
    assert forked(open_it, tmp_path) == ["PermissionError", "0"]


@pytest.mark.real
def test_a_script_reads_no_names_of_processes(tmp_path: Path) -> None:
    needs("landlock")
    for name in ("cmdline", "comm", "status", "task"):
        opened = f"os.close(os.open(f'/proc/{{above}}/{name}', os.O_RDONLY)); print('opened')"
        assert forked(opened, tmp_path) == ["PermissionError", "0"]
    assert forked("os.listdir('/proc')", tmp_path) == ["PermissionError", "0"]
    assert forked("print(len(open('/proc/meminfo').read()) > 9, flush=True)", tmp_path) == ["True", "0"]


OLD_CALL = """
import ctypes, mmap
private = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
page = mmap.mmap(-1, 4096, flags=private, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(bytes.fromhex("b814000000cd80c3"))  # mov eax, 20 (getpid); int 0x80; ret
ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
"""


@pytest.mark.skipif(not available() or sys.platform != "linux", reason="Linux with seccomp only")
def test_a_call_in_the_old_manner_ends_the_process(tmp_path: Path) -> None:
    import platform

    if platform.machine() != "x86_64":
        pytest.skip("only x86_64 has a second manner of calling")
    assert forked(OLD_CALL, tmp_path) == ["31"]


@pytest.mark.skipif(not available(), reason="Linux with seccomp only")
def test_a_script_ends_with_its_parent() -> None:
    code = """
import os, sys, time
from redraft.sandbox.seccomp import confine_script
if os.fork() == 0:
    confine_script()
    print(os.getpid(), flush=True)
    time.sleep(60)
sys.stdin.readline()
os.kill(os.getpid(), 9)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        assert parent.stdin is not None
        assert parent.stdout is not None
        assert int(parent.stdout.readline()) > 1
        parent.stdin.write(b"\n")
        parent.stdin.flush()
        assert parent.stdout.read() == b""  # nobody is left who could write
        assert parent.wait() == -9
