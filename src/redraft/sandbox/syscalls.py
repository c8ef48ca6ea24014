"""System calls that Python has no functions for: their numbers, making them, and giving up capabilities with them.

This module, `landlock` and `seccomp` need only the standard library, so that any Python can use them, also Blender's.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import sys

PR_SET_NO_NEW_PRIVS = 38

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""The known architectures, with the kernel's constants for them in filters of system calls."""

# on x86_64 and on aarch64
_TABLE = """
acct 163 89 | add_key 248 217 | adjtimex 159 171 | bind 49 200 | bpf 321 280 | capset 126 91 | chmod 90 -
chown 92 - | chroot 161 51 | clock_adjtime 305 266 | clock_settime 227 112 | clone 56 220 | clone3 435 435
connect 42 203 | delete_module 176 106 | execve 59 221 | execveat 322 281 | fanotify_init 300 262
fchmod 91 52 | fchmodat 268 53 | fchmodat2 452 452 | fchown 93 55 | fchownat 260 54 | fcntl 72 25
file_setattr 469 469 | finit_module 313 273 | fork 57 - | fremovexattr 199 16 | fsconfig 431 431
fsetxattr 190 7 | fsmount 432 432 | fsopen 430 430 | fspick 433 433 | futimesat 261 - | init_module 175 105
inotify_add_watch 254 27 | io_uring_enter 426 426 | io_uring_register 427 427 | io_uring_setup 425 425
ioctl 16 29 | ioperm 173 - | iopl 172 - | ioprio_set 251 30 | kcmp 312 272 | kexec_file_load 320 294
kexec_load 246 104 | keyctl 250 219 | kill 62 129 | landlock_add_rule 445 445
landlock_create_ruleset 444 444 | landlock_restrict_self 446 446 | lchown 94 - | listen 50 201
lremovexattr 198 15 | lsetxattr 189 6 | memfd_create 319 279 | memfd_secret 447 447 | migrate_pages 256 238
modify_ldt 154 - | mmap 9 222 | mount 165 40 | mount_setattr 442 442 | move_mount 429 429 | move_pages 279 239
mq_open 240 180 | mq_unlink 241 181 | msgctl 71 187 | msgget 68 186 | msgrcv 70 188 | msgsnd 69 189
name_to_handle_at 303 264 | open 2 - | open_by_handle_at 304 265 | open_tree 428 428
open_tree_attr 467 467 | openat 257 56 | openat2 437 437 | perf_event_open 298 241 | personality 135 92
pidfd_getfd 438 438 | pidfd_open 434 434 | pidfd_send_signal 424 424 | pivot_root 155 41 | prctl 157 167
prlimit64 302 261 | process_madvise 440 440 | process_mrelease 448 448 | process_vm_readv 310 270
process_vm_writev 311 271 | ptrace 101 117 | quotactl 179 60 | quotactl_fd 443 443 | reboot 169 142
removexattr 197 14 | removexattrat 466 466 | request_key 249 218 | rt_sigqueueinfo 129 138
rt_tgsigqueueinfo 297 240 | sched_setaffinity 203 122 | sched_setattr 314 274 | sched_setparam 142 118
sched_setscheduler 144 119 | seccomp 317 277 | semctl 66 191 | semget 64 190 | semop 65 193
semtimedop 220 192 | setdomainname 171 162 | sethostname 170 161 | setns 308 268 | setpgid 109 154
setpriority 141 140 | setrlimit 160 164 | setsid 112 157 | settimeofday 164 170 | setxattr 188 5 | setxattrat 463 463
shmat 30 196 | shmctl 31 195 | shmget 29 194 | socket 41 198 | socketpair 53 199 | swapoff 168 225
swapon 167 224 | syslog 103 116 | tgkill 234 131 | timer_create 222 107 | tkill 200 130 | umount2 166 39
unshare 272 97 | userfaultfd 323 282 | utime 132 - | utimensat 280 88 | utimes 235 - | vfork 58 - | vhangup 153 58
"""
NUMBERS: dict[str, tuple[int | None, int | None]] = {
    name: (None if first == "-" else int(first), None if second == "-" else int(second))
    for name, first, second in (entry.split() for line in _TABLE.strip().splitlines() for entry in line.split(" | "))
}


def machine() -> str:
    """Return the name of this machine's architecture. Raises `OSError` if it is not Linux on one of `ARCHITECTURES`."""
    name = platform.machine()
    if not sys.platform.startswith("linux") or name not in ARCHITECTURES or sys.maxsize < 2**32:
        raise OSError(errno.ENOSYS, f"confinement is known for 64-bit Linux on x86_64 and aarch64, not for this {name}")
    return name


def number_of(name: str) -> int | None:
    """The number of a system call here; None where this machine has no such call. Raises as `machine` does."""
    return NUMBERS[name][list(ARCHITECTURES).index(machine())]


def call(name: str, *arguments: object) -> int:
    """Make a system call; arguments are integers or what `ctypes` passes. Raises `OSError` when the kernel refuses."""
    found = number_of(name)
    if found is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), name)
    passed = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    return _checked(_libc().syscall(ctypes.c_long(found), *passed), name)


def set_process(option: int, value: int) -> None:
    """Change a property of this process (`prctl`). Raises `OSError` when the kernel refuses."""
    words = [ctypes.c_ulong(each) for each in (value, 0, 0, 0)]
    _checked(_libc().prctl(ctypes.c_int(option), *words), f"prctl {option}")


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> int:
    if result == -1:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), what)
    return result


CAPABILITY_VERSION = 0x20080522
PR_SET_DUMPABLE = 4


class _Head(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int32))


def drop_capabilities() -> None:
    """Give up every capability, for good, also for programs started later. Raises `OSError` when the kernel refuses."""
    set_process(PR_SET_NO_NEW_PRIVS, 1)
    none = (ctypes.c_uint32 * 6)()
    call("capset", ctypes.byref(_Head(CAPABILITY_VERSION, 0)), ctypes.byref(none))


def hide() -> None:
    """Let no process without powers look into this one or its forks. Raises `OSError` when the kernel refuses."""
    set_process(PR_SET_DUMPABLE, 0)
