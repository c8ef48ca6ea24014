"""The frames of JSON and bytes between the sandbox and its workers, over two pipes, and the loop of a worker.

A frame is a head of sixteen bytes (`rdw1`, the length of the JSON, the length of the blob, big-endian), a JSON object,
and a blob. The sandbox sends one hello with the limits and then jobs; each is answered by one frame whose JSON has a
single key: `done` (the answer), `failed` (the job's own error), `missing` (a part of the system), or `broken` (an error
of the worker). A worker script is two lines::

    if __name__ == "__main__":
        serve(open_renderer)  # called once; returns the function that does jobs

Only the standard library and `redraft.errors` are needed here: workers import this before anything slow or anything
that prints, and the Python that runs them may be another one.
"""

from __future__ import annotations

import json
import os
import signal
import struct
import sys
import traceback
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO, cast

from redraft.errors import ExecutionError, InfrastructureError, MissingPartError
from redraft.limits import WORKER_TEXT

HEAD = struct.Struct(">4sIQ")
MAGIC = b"rdw1"
MAX_MESSAGE = 4_000
"""Characters of a worker's error message."""
PR_SET_PDEATHSIG = 1

Data = dict[str, Any]
Frame = tuple[Data, bytes]
Handler = Callable[[Data, bytes], tuple[Mapping[str, Any], bytes | memoryview]]
"""Does one job. `ExecutionError` is an error of the job; any other exception is one of the worker."""


def send(pipe: BinaryIO, data: Mapping[str, Any], blob: bytes | memoryview = b"") -> None:
    """Write one whole frame. Raises `OSError` if the other side is gone."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":")).encode("ascii")
    body = memoryview(blob).cast("B") if len(blob) else b""
    pipe.write(HEAD.pack(MAGIC, len(text), len(body)) + text)
    pipe.write(body)
    pipe.flush()


def receive(pipe: BinaryIO, most: int | None = None) -> Frame:
    """Read one frame.

    Raises:
        EOFError: the other side is gone. InfrastructureError: the bytes are not a frame.
        ExecutionError: it has more than `most` bytes; the rest was not read.
    """
    magic, text_size, blob_size = HEAD.unpack(_exactly(pipe, HEAD.size))
    if magic != MAGIC or text_size > WORKER_TEXT.size:
        raise InfrastructureError(f"The worker sent bytes that are not a frame (they begin {magic!r}).")
    if most is not None and text_size + blob_size > most:
        raise ExecutionError(f"It made {text_size + blob_size:,} bytes of output; at most {most:,} are taken.")

    def refuse_constant(name: str) -> float:
        raise ValueError(f"{name} is not a JSON number")

    try:
        data = json.loads(_exactly(pipe, text_size), parse_constant=refuse_constant)
    except (ValueError, RecursionError) as error:
        raise InfrastructureError(f"The worker sent text that is not JSON: {error}.") from error
    if not isinstance(data, dict):
        raise InfrastructureError("The worker sent JSON that is not an object.")
    return cast("Data", data), _exactly(pipe, blob_size)


def _exactly(pipe: BinaryIO, size: int) -> bytes:
    """Return so many bytes. Raises `EOFError` if there are fewer."""
    content = pipe.read(size)
    if len(content) < size:
        raise EOFError
    return content


def serve(make: Callable[[], Handler]) -> None:
    """Run a worker: take the pipes, set the limits, and do jobs until the last one.

    `make` runs after standard output was moved away, so that whatever it imports may print; it may raise
    `MissingPartError`.
    """
    # Both pipes are kept: from now on output goes to standard error, and there is no input.
    job_pipe, answer_pipe = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    jobs, answers = open(job_pipe, "rb"), open(answer_pipe, "wb")  # noqa: PTH123, SIM115 - open as long as the process

    try:
        hello, _ = receive(jobs)
    except EOFError:
        return
    try:
        _apply_limits(hello)
        handler = make()
    except MissingPartError as error:
        send(answers, {"missing": str(error)})
        return
    except Exception:  # the last thing before the process ends: it must not be lost
        send(answers, {"broken": _exception_line()})
        return
    send(answers, {"done": {}})

    while True:
        try:
            data, blob = receive(jobs)
        except EOFError:
            return
        try:
            answer, answer_blob = handler(data, blob)
            send(answers, {"done": dict(answer)}, answer_blob)
        except ExecutionError as error:
            send(answers, {"failed": str(error)[:MAX_MESSAGE], "by": error.by, "patches": list(error.patches)})
        except MemoryError:
            message = "It asked for more memory than it may have. Make what it holds smaller."
            send(answers, {"failed": message, "by": ""})
        except Exception:  # any error here must reach the sandbox
            send(answers, {"broken": _exception_line()})


def _apply_limits(hello: Data) -> None:
    """Confine this process before it runs anything of a model's, as the sandbox says in its `hello`.

    It gets limits, and with a `reach` gives up all that `landlock` and `seccomp` can take.

    Raises:
        MissingPartError: the system cannot confine it as it has to be.
    """
    if sys.platform == "win32":
        return
    import resource

    limits = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_AS: hello.get("address"),
        resource.RLIMIT_NPROC: hello.get("tasks"),
        resource.RLIMIT_FSIZE: hello.get("file"),
        resource.RLIMIT_NOFILE: hello.get("files"),
    }
    for kind, limit in limits.items():
        hard = resource.getrlimit(kind)[1]
        if limit is not None:
            allowed = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
            resource.setrlimit(kind, (allowed, allowed))
    os.nice(hello.get("nice", 0))
    die_with(hello.get("parent"))
    if "reach" not in hello:
        return

    from redraft.sandbox import landlock, seccomp, syscalls

    reach: Data | None = hello["reach"]  # in a jail None: it has no other paths
    try:
        syscalls.drop_capabilities()
        if reach is None:
            syscalls.hide()
        else:
            landlock.confine_reach(reach["read"], reach["write"])
            seccomp.confine_attributes()
        seccomp.confine_worker()
    except OSError as error:
        raise MissingPartError(f"The protection from scripts cannot be set up here: {error}.") from error


def die_with(parent: int | None) -> None:
    """End at once when the process that started this one does, however it ends."""
    if not sys.platform.startswith("linux"):
        return
    import ctypes

    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if parent is not None and os.getppid() != parent:
        os._exit(0)  # it has ended already


def _exception_line() -> str:
    """Return the exception that is being handled in a line, with its place."""
    _, error, trace = sys.exc_info()
    where = traceback.extract_tb(trace)[-1]
    place = f"{os.path.basename(where.filename)}, line {where.lineno}"  # noqa: PTH119 - the name is enough
    return f"{type(error).__name__}: {error} ({place})"[:MAX_MESSAGE]
