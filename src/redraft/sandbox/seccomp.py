"""System calls that a process gives up for good, for itself and all that it starts: a filter in the kernel.

Three filters, which can be combined:

- `confine_worker`: no sockets but pairs of its own, no memory that no process's figures show, no other namespaces,
  mounts, keys, tracing, or changes to the system and to other processes.
- `confine_attributes`: no changes to a file's mode, owner and times.
- `confine_script`: also no new processes or programs, no signals to others, no look into them, no SIGKILL to itself,
  and an end together with its parent.

A refused call gives EPERM; a call in the manner of another architecture ends the process.
"""

from __future__ import annotations

import ctypes
import os
import signal
from collections.abc import Sequence

from redraft.sandbox import landlock
from redraft.sandbox.syscalls import ARCHITECTURES, PR_SET_NO_NEW_PRIVS, call, machine, number_of, set_process

Step = tuple[int, int, int, int]
"""One instruction: what it does, how many to skip where it holds and where it does not, and its constant."""

LOAD, AND, IF_EQUAL, IF_AT_LEAST, IF_ANY_BIT, RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
NUMBER_AT, ARCHITECTURE_AT, ARGUMENTS_AT = 0, 4, 16
"""Offsets of a call's data in `struct seccomp_data`."""
ALLOW: Step = (RETURN, 0, 0, 0x7FFF0000)
REFUSE: Step = (RETURN, 0, 0, 0x00050001)  # EPERM
UNKNOWN: Step = (RETURN, 0, 0, 0x00050026)  # ENOSYS: the C library then takes the older call
PASS_OVER: Step = (RETURN, 0, 0, 0x00050000)
"""Nothing is done, and no error given."""
KILL: Step = (RETURN, 0, 0, 0x80000000)
X32 = 0x40000000
"""From this number on, calls of x86_64 are those of a second, nearly unused kind."""

SECCOMP_SET_MODE_FILTER = 1
SECCOMP_GET_ACTION_AVAIL = 2
ALL_THREADS = 1
PR_SET_PDEATHSIG = 1
AF_UNIX, SOCK_STREAM = 1, 1
CLONE_THREAD = 0x00010000
NEW_NAMESPACES = 0x7E020000
"""The bits of `clone` that make a namespace of any kind."""
SETS_OWNER_OR_SIGNAL = (8, 10, 15)
"""F_SETOWN, F_SETSIG and F_SETOWN_EX: a file that sends a signal of choice to any process."""
SETS_OWNER_OF_SOCKET = (0x8901, 0x8902)
UNNAMED_FILE = 0o20000000
"""O_TMPFILE: bytes in no folder."""
SHARED_UNNAMED = 0x21
"""MAP_SHARED with MAP_ANONYMOUS: memory that is held where no process's figures show it, as soon as a part of it is
unmapped, or dropped by `madvise`."""
SETS_FLAGS_OF_FILE = (0x40086602, 0x401C5820)

REFUSED = (
    # memory that no process's own figures show
    *("memfd_create", "memfd_secret", "userfaultfd", "shmget", "shmat", "shmctl"),
    *("msgget", "msgsnd", "msgrcv", "msgctl", "semget", "semop", "semctl", "semtimedop", "mq_open", "mq_unlink"),
    # other ways to do what is refused here
    *("io_uring_setup", "io_uring_enter", "io_uring_register", "personality", "modify_ldt"),
    # the network, and sockets of other processes
    *("socket", "connect", "bind", "listen"),
    # other processes
    *("ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "kcmp", "pidfd_getfd"),
    *("move_pages", "migrate_pages", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr"),
    *("setpriority", "ioprio_set", "setsid", "setpgid"),
    # namespaces and mounts
    *("unshare", "setns", "mount", "umount2", "mount_setattr", "move_mount", "open_tree", "open_tree_attr"),
    *("fsopen", "fsconfig", "fsmount", "fspick", "pivot_root", "chroot", "name_to_handle_at", "open_by_handle_at"),
    # the system itself
    *("bpf", "perf_event_open", "keyctl", "add_key", "request_key", "kexec_load", "kexec_file_load"),
    *("init_module", "finit_module", "delete_module", "reboot", "swapon", "swapoff", "acct", "syslog"),
    *("quotactl", "quotactl_fd", "sethostname", "setdomainname", "settimeofday", "clock_settime", "clock_adjtime"),
    *("adjtimex", "ioperm", "iopl", "vhangup", "fanotify_init"),
)

MODES_AND_TIMES = ("chmod", "fchmod", "fchmodat", "fchmodat2", "utime", "utimes", "futimesat", "utimensat")
OWNERS_AND_MORE = (
    *("chown", "fchown", "lchown", "fchownat", "setxattr", "lsetxattr", "fsetxattr", "setxattrat"),
    *("removexattr", "lremovexattr", "fremovexattr", "removexattrat", "file_setattr", "inotify_add_watch"),
)


def available() -> bool:
    """Return whether this kernel and this machine know such filters."""
    try:
        call("seccomp", SECCOMP_GET_ACTION_AVAIL, 0, ctypes.byref(ctypes.c_uint32(REFUSE[-1] & 0xFFFF0000)))
    except OSError:
        return False
    return True


def confine_worker() -> None:
    """Give up, for good, what no worker needs. Raises `OSError` where kernel or machine know no such filter."""
    _install(worker_filter())


def confine_attributes() -> None:
    """Give up changing modes, owners, times and other attributes of files, which Landlock does not watch over.

    Changes of modes and times are ignored without an error, since copying a file sets them. Raises as `confine_worker`.
    """
    _install(attributes_filter())


def confine_script() -> None:
    """Give up, for good, what only a program of several processes needs: call it in the process that runs a script.

    It may make threads, and end itself by any signal but SIGKILL: that one is then known to come from outside, as when
    memory runs out. It ends when its parent does.

    Raises:
        OSError: the kernel or the machine does not support such a filter.
    """
    set_process(PR_SET_PDEATHSIG, signal.SIGKILL)
    landlock.set_apart()
    _install(script_filter(os.getpid()))


def worker_filter() -> list[Step]:
    """Return the filter of a worker for this machine. Raises `OSError` where there is none."""
    return _whole(
        *(_when(name, REFUSE) for name in REFUSED),
        _when("clone3", UNKNOWN),
        _when("openat2", UNKNOWN),
        _when("clone", *_without_bits(0, NEW_NAMESPACES)),
        _when("socketpair", *_only(0, AF_UNIX), *_only(1, SOCK_STREAM, mask=0xF), ALLOW),
        _when("prlimit64", *_only(0, 0), ALLOW),
        _when("fcntl", *_none_of(1, SETS_OWNER_OR_SIGNAL)),
        _when("ioctl", *_none_of(1, SETS_OWNER_OF_SOCKET)),
        _when("open", *_without_bits(1, UNNAMED_FILE)),
        _when("openat", *_without_bits(2, UNNAMED_FILE)),
        _when("mmap", *_without_all(3, SHARED_UNNAMED)),
    )


def attributes_filter() -> list[Step]:
    return _whole(
        *(_when(name, PASS_OVER) for name in MODES_AND_TIMES),
        *(_when(name, REFUSE) for name in OWNERS_AND_MORE),
        _when("ioctl", *_none_of(1, SETS_FLAGS_OF_FILE)),
    )


def script_filter(own: int) -> list[Step]:
    """`own` is the process that it is for."""
    return _whole(
        *(_when(name, REFUSE) for name in ("fork", "vfork", "execve", "execveat")),
        *(_when(name, REFUSE) for name in ("tkill", "pidfd_open", "pidfd_send_signal")),
        *(_when(name, *_only(0, own), *_none_of(1, (signal.SIGKILL,))) for name in ("kill", "rt_sigqueueinfo")),
        *(_when(name, *_only(0, own), *_none_of(2, (signal.SIGKILL,))) for name in ("tgkill", "rt_tgsigqueueinfo")),
        # a timer can send SIGKILL, and so does the kernel at a limit on time that a script sets itself
        *(_when(name, REFUSE) for name in ("timer_create", "setrlimit")),
        _when("prlimit64", *_no_pointer(2)),
        _when("clone3", UNKNOWN),
        _when("clone", *_with_bits(0, CLONE_THREAD)),
        _when("prctl", *_none_of(0, (PR_SET_PDEATHSIG,))),
    )


def _whole(*rules: Sequence[Step]) -> list[Step]:
    return [
        (LOAD, 0, 0, ARCHITECTURE_AT),
        (IF_EQUAL, 1, 0, ARCHITECTURES[machine()]),
        KILL,
        (LOAD, 0, 0, NUMBER_AT),
        (IF_AT_LEAST, 0, 1, X32),
        REFUSE,
        *(step for rule in rules for step in rule),
        ALLOW,
    ]


def _when(name: str, *steps: Step) -> list[Step]:
    """Steps for one system call; the last must return."""
    number = number_of(name)
    return [] if number is None else [(IF_EQUAL, 0, len(steps), number), *steps]


def _argument(index: int) -> Step:
    """The lower half of an argument, which is all that the kernel itself takes of an `int` or of flags."""
    return (LOAD, 0, 0, ARGUMENTS_AT + 8 * index)


def _only(index: int, value: int, *, mask: int = 0xFFFFFFFF) -> list[Step]:
    """Refuse other values of an argument; go on where it is this one."""
    return [_argument(index), (AND, 0, 0, mask), (IF_EQUAL, 1, 0, value), REFUSE]


def _none_of(index: int, values: Sequence[int]) -> list[Step]:
    refused = [step for value in values for step in ((IF_EQUAL, 0, 1, value), REFUSE)]
    return [_argument(index), *refused, ALLOW]


def _no_pointer(index: int) -> list[Step]:
    """Refuse an argument that points to something."""
    low, upper = _argument(index), (LOAD, 0, 0, ARGUMENTS_AT + 8 * index + 4)
    return [low, (IF_EQUAL, 1, 0, 0), REFUSE, upper, (IF_EQUAL, 1, 0, 0), REFUSE, ALLOW]


def _with_bits(index: int, bits: int) -> list[Step]:
    return [_argument(index), (IF_ANY_BIT, 1, 0, bits), REFUSE, ALLOW]


def _without_bits(index: int, bits: int) -> list[Step]:
    return [_argument(index), (IF_ANY_BIT, 0, 1, bits), REFUSE, ALLOW]


def _without_all(index: int, bits: int) -> list[Step]:
    """Refuse an argument that has all of these bits."""
    return [_argument(index), (AND, 0, 0, bits), (IF_EQUAL, 0, 1, bits), REFUSE, ALLOW]


class _Instruction(ctypes.Structure):
    _fields_ = (("code", ctypes.c_ushort), ("yes", ctypes.c_ubyte), ("no", ctypes.c_ubyte), ("k", ctypes.c_uint32))


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.POINTER(_Instruction)))


def _install(steps: Sequence[Step]) -> None:
    array = (_Instruction * len(steps))(*(_Instruction(*step) for step in steps))
    set_process(PR_SET_NO_NEW_PRIVS, 1)
    call("seccomp", SECCOMP_SET_MODE_FILTER, ALL_THREADS, ctypes.byref(_Filter(len(steps), array)))
