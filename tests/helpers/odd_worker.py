"""A worker that does what it is told, good or bad: the tests of the sandbox drive it."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from redraft.errors import ExecutionError, MissingPartError
from redraft.sandbox.protocol import Handler, serve

Made = tuple[dict[str, Any], bytes]


def echo(job: dict[str, Any], blob: bytes) -> Made:
    return {"said": job.get("say"), "pid": os.getpid()}, blob


def hang(job: dict[str, Any], blob: bytes) -> Made:
    while True:
        pass


def nap(job: dict[str, Any], blob: bytes) -> Made:
    time.sleep(job["seconds"])
    return {"pid": os.getpid()}, b""


def die(job: dict[str, Any], blob: bytes) -> Made:
    print(f"about to die in {Path.cwd()}", file=sys.stderr, flush=True)
    if job["signal"] == signal.SIGSEGV:
        ctypes.string_at(0)
    os.kill(os.getpid(), job["signal"])
    return {}, b""


def leave(job: dict[str, Any], blob: bytes) -> Made:
    os._exit(job["code"])


def spin_up(job: dict[str, Any], blob: bytes) -> Made:
    threading.stack_size(65536)
    for _ in range(200):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    time.sleep(60)
    return {}, b""


def hog(job: dict[str, Any], blob: bytes) -> Made:
    held: list[bytearray] = []
    while True:
        held.append(bytearray(b"x") * (8 << 20))
        time.sleep(0.005)


def reserve(job: dict[str, Any], blob: bytes) -> Made:
    return {"bytes": len(bytearray(job["bytes"]))}, b""


def flood(job: dict[str, Any], blob: bytes) -> Made:
    return {}, b"x" * job["bytes"]


def babble(job: dict[str, Any], blob: bytes) -> Made:
    for _ in range(job["lines"]):
        print("la " * 1000)
        os.write(1, b"straight to the descriptor\n")
    return {"quiet": True}, b""


def garble(job: dict[str, Any], blob: bytes) -> Made:
    for descriptor in range(3, 20):  # wherever the pipe was moved to
        try:
            os.write(descriptor, b"HTTP/1.1 200 OK and so on\n")
        except OSError:
            continue
    time.sleep(60)
    return {}, b""


def blame(job: dict[str, Any], blob: bytes) -> Made:
    raise ExecutionError(job["say"], by="Odd 1.2")


def stumble(job: dict[str, Any], blob: bytes) -> Made:
    raise RuntimeError("a fault of the worker's own")


def breed(job: dict[str, Any], blob: bytes) -> Made:
    while True:
        try:
            if os.fork() == 0:
                continue
        except OSError:
            time.sleep(0.01)


def leave_child(job: dict[str, Any], blob: bytes) -> Made:
    child = os.fork()
    if child == 0:
        with suppress(PermissionError):  # where it is confined it may not
            if job.get("own_session", True):
                os.setsid()
        if not job.get("keeps_pipes", True):
            os.closerange(0, 256)
        time.sleep(600)
        os._exit(0)
    if job.get("hang"):
        time.sleep(600)
    return {"child": child}, b""


def environment(job: dict[str, Any], blob: bytes) -> Made:
    return {"environment": dict(os.environ), "folder": str(Path.cwd()), "core": _limits()}, b""


def run(job: dict[str, Any], blob: bytes) -> Made:
    """A script, as a model would write it; what it leaves in `answer`."""
    names: dict[str, Any] = {"answer": None}
    try:
        exec(job["script"], names)
    except Exception as error:
        return {"raised": type(error).__name__, "words": str(error)}, b""
    return {"answer": names["answer"]}, b""


def _limits() -> list[int]:
    import resource

    return list(resource.getrlimit(resource.RLIMIT_CORE))


DEEDS: dict[str, Callable[[dict[str, Any], bytes], Made]] = {
    deed.__name__: deed
    for deed in (echo, hang, nap, die, leave, hog, reserve, flood, babble, garble, blame, stumble, breed, spin_up)
} | {"leave_child": leave_child, "environment": environment, "run": run}


def make() -> Handler:
    print("this must not get into the pipe")
    match os.environ.get("ODD"):
        case "missing":
            raise MissingPartError("The odd part is missing. Install it: apt-get install odd")
        case "stuck":
            time.sleep(600)
        case "broken":
            raise RuntimeError("cannot begin")
        case _:
            pass
    return lambda job, blob: DEEDS[job["do"]](job, blob)


if __name__ == "__main__":
    serve(make)
