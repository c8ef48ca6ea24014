"""Any program that takes a prompt and writes a picture: `command:PROGRAM ARGUMENTS …`.

It is the user's own program, named by the user: it runs with the user's rights, and is not confined. Of the environment
it gets what programs need to run and the key that `images.api_key_env` names, and no other key.
No shell runs it, and the prompt, which a model wrote, is never part of the command: it comes in a file and on
standard input. The picture is read from the file named by `{out}`, or else from standard output.
"""

from __future__ import annotations

import difflib
import os
import re
import shlex
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import anyio
from anyio.abc import ByteReceiveStream, ByteSendStream, Process
from pydantic import JsonValue

from redraft.errors import ConfigError, ImageBackendError, MissingPartError
from redraft.files import temporary
from redraft.limits import PROGRAM_OUTPUT, read_file
from redraft.models.messages import clipped
from redraft.painting.base import ImageReply, ImageRequest, Notify, received, with_progress
from redraft.painting.settings import ImagingSettings
from redraft.sandbox.processes import end_all, end_group, signal_in_words
from redraft.studios.image.backends.pictures import whole_in_thread

PLACEHOLDERS = ("prompt_file", "out", "seed", "width", "height")
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
_VARIABLE = "PAINT_"
"""Not REDRAFT_: those are settings, and the program may be redraft itself."""
KEPT_VARIABLES = ("PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR")
_KEPT = 8_000
"""Bytes of standard error that are kept, the last ones."""
_PATIENCE = 3.0
"""Seconds for the pipes of a program that has ended: something that left its group may hold them."""


class CommandBackend:
    """A program named `command:PROGRAM …`, started anew for each picture in the folder that the name is seen from.

    Raises on construction:
        ConfigError: the line cannot be split into words, names no program, or has an unknown placeholder; or the
            variable that `api_key_env` names is not set.
        MissingPartError: the program is missing.
    """

    def __init__(self, line: str, settings: ImagingSettings, folder: Path) -> None:
        self._words = _words(line)
        self._folder = folder.absolute()
        self._program = _program(self._words[0], self._folder)
        self._settings = settings
        if settings.api_key_env is not None and settings.api_key_env not in os.environ:
            raise ConfigError(
                f"The environment variable {settings.api_key_env} is not set (images.api_key_env names it)."
            )

    @property
    def name(self) -> str:
        return f"command:{self._words[0]}"

    async def paint(self, request: ImageRequest, notify: Notify) -> ImageReply:
        """Start the program and take its picture. A program that failed is not started again.

        Raises:
            ImageBackendError: it failed, was too slow, or wrote no picture.
        """
        with temporary("paint-") as scratch:
            values = _values(request, scratch)
            prompt = request.prompt.encode("utf-8", "replace")
            await anyio.Path(values["prompt_file"]).write_bytes(prompt)
            end = await with_progress(lambda: self._run(values, prompt), notify)
            self._refuse_failure(end)
            raw, where = self._picture(Path(values["out"]), end)
        picture = await whole_in_thread(raw, f"{self.name}, in {where},")
        params: dict[str, JsonValue] = {"seed": request.seed, "from": where}
        came = received(self.name, request, picture.size, picture.came_as, notify)
        return ImageReply(png=picture.png, backend=self.name, cost=self._settings.price, params=params | came)

    async def _run(self, values: dict[str, str], prompt: bytes) -> _Ended:
        rest = [_PLACEHOLDER.sub(lambda found: values[found[1]], word) for word in self._words[1:]]
        variables = [*KEPT_VARIABLES, *filter(None, [self._settings.api_key_env])]
        environment = {name: os.environ[name] for name in variables if name in os.environ}
        environment |= {_VARIABLE + name.upper(): value for name, value in values.items()}
        try:
            return await _run(
                [self._program, *rest],
                given=prompt,
                folder=self._folder,
                environment=environment,
                seconds=self._settings.timeout,
            )
        except OSError as error:
            raise ImageBackendError(f"{self.name} cannot be started: {error.strerror or error}.") from error

    def _refuse_failure(self, end: _Ended) -> None:
        said = f" It last said: {end.last_words}" if end.last_words else " It said nothing."
        if end.late:
            raise ImageBackendError(
                f"{self.name} was ended after {self._settings.timeout:g} s (images.timeout), with all that it had "
                f"started.{said}"
            )
        if end.flooded:
            raise ImageBackendError(f"{self.name} wrote more than {PROGRAM_OUTPUT.in_words} and was ended.{said}")
        if end.code != 0:
            raise ImageBackendError(f"{self.name} {_exit_in_words(end.code)}.{said}")

    def _picture(self, out: Path, end: _Ended) -> tuple[bytes, str]:
        """The bytes and their source. Without any, the program's output may have the reason."""
        try:
            raw = read_file(out, PROGRAM_OUTPUT) if out.exists() else b""
        except OSError as error:
            raise ImageBackendError(f"{self.name} wrote no picture: {error}") from error
        if raw:
            return raw, "its file"
        if end.out:
            return end.out, "its standard output"
        said = f" It last said: {end.last_words}" if end.last_words else ""
        raise ImageBackendError(
            f"{self.name} succeeded and wrote no picture: neither to the file that {{out}} names nor to standard "
            f"output.{said}"
        )


def _values(request: ImageRequest, scratch: Path) -> dict[str, str]:
    return {
        "prompt_file": str(scratch / "prompt.txt"),
        "out": str(scratch / "picture.png"),
        "seed": str(request.seed),
        "width": str(request.width),
        "height": str(request.height),
    }


def _words(line: str) -> list[str]:
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise ConfigError(f"images.backend is 'command:{line}', which cannot be split into words: {error}.") from error
    if not words or not words[0]:
        raise ConfigError(
            "images.backend is 'command:' and names no program, as in command:./paint.sh {prompt_file} {out}."
        )
    for name in _PLACEHOLDER.findall(" ".join(words)):
        if name not in PLACEHOLDERS:
            raise ConfigError(f"images.backend has the placeholder {{{name}}}. {_known(name)}")
    return words


def _known(name: str) -> str:
    if name == "prompt":
        return (
            "The prompt is never part of the command; it is in the file {prompt_file} and on standard input. A program "
            "that wants it as an argument is called by a script of two lines."
        )
    close = difflib.get_close_matches(name, PLACEHOLDERS, n=1)
    hint = f"Did you mean {{{close[0]}}}? " if close else ""
    return f"{hint}Known are {', '.join(f'{{{each}}}' for each in PLACEHOLDERS)}."


def _program(name: str, folder: Path) -> str:
    """The whole path: of a file seen from the folder when the name has a slash, else of a program on the PATH."""
    if os.sep not in name and "/" not in name:
        found = shutil.which(name)
        if found is None:
            beside = f" There is {name} in {folder}: write ./{name}." if (folder / name).is_file() else ""
            raise MissingPartError(
                f"The program {name!r} of images.backend is not on the PATH.{beside} Install it first."
            )
        return found
    path = folder / Path(name).expanduser()
    if not path.is_file():
        raise MissingPartError(
            f"The program {name!r} of images.backend is missing (looked for {path}). Install it first."
        )
    if not os.access(path, os.X_OK):
        raise ConfigError(
            f"The program {name!r} of images.backend is not executable: chmod +x {shlex.quote(str(path))}"
        )
    return str(path)


@dataclass
class _Ended:
    """The end of a program, with its output."""

    code: int = 0
    out: bytes = b""
    late: bool = False
    """The time was up."""
    flooded: bool = False
    """It wrote more than `PROGRAM_OUTPUT`."""
    errors: bytes = b""
    """The end of standard error."""

    @property
    def last_words(self) -> str:
        """Its last lines on standard error, as one."""
        lines = self.errors.decode("utf-8", "replace").strip().splitlines()
        return clipped(" | ".join(line.strip() for line in lines[-5:] if line.strip()))


def _exit_in_words(code: int) -> str:
    """`ended with exit code 3`, `was ended by signal 11, a segmentation fault`."""
    return f"ended with exit code {code}" if code >= 0 else signal_in_words(code)


async def _run(
    command: Sequence[str], *, given: bytes, folder: Path, environment: Mapping[str, str], seconds: float
) -> _Ended:
    """Run a program to its end, at most so many seconds; `given` goes to its standard input. No shell.

    Whatever is still in its group when it has ended, or when this is cancelled, is killed.

    Raises:
        OSError: it cannot be started.
    """
    process = await anyio.open_process(
        command, cwd=folder, env=dict(environment), stdin=-1, stdout=-1, stderr=-1, start_new_session=True
    )
    out, errors = _Kept(PROGRAM_OUTPUT.size, process), _Kept(_KEPT, None)
    late = True
    try:
        with anyio.move_on_after(seconds):
            await _to_its_end(process, given, out, errors)
            late = False
    finally:
        await _end(process)
    return _Ended(process.returncode or 0, bytes(out.found), late, out.flooded, bytes(errors.found))


@dataclass
class _Kept:
    """Output of a pipe: everything up to a limit, with a process to end beyond it; or its last bytes."""

    most: int
    process: Process | None
    found: bytearray = field(default_factory=bytearray)
    flooded: bool = False

    async def listen(self, pipe: ByteReceiveStream) -> None:
        with suppress(anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError):
            while True:
                self.found += await pipe.receive()
                if len(self.found) <= self.most:
                    continue
                if self.process is not None:
                    self.flooded = True
                    end_all(self.process.pid)
                    return
                del self.found[: -self.most]


async def _to_its_end(process: Process, given: bytes, out: _Kept, errors: _Kept) -> None:
    if process.stdin is None or process.stdout is None or process.stderr is None:
        raise RuntimeError("a process was started without its pipes")
    async with anyio.create_task_group() as group:
        group.start_soon(_feed, process.stdin, given)
        group.start_soon(out.listen, process.stdout)
        group.start_soon(errors.listen, process.stderr)
        await process.wait()
        end_group(process.pid)
        group.cancel_scope.deadline = anyio.current_time() + _PATIENCE


async def _feed(pipe: ByteSendStream, given: bytes) -> None:
    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, BrokenPipeError, ConnectionResetError):
        await pipe.send(given)
    with suppress(anyio.BrokenResourceError, BrokenPipeError, ConnectionResetError):
        await pipe.aclose()


async def _end(process: Process) -> None:
    """_Ended for certain, and its pipes closed."""
    if process.returncode is None:
        end_all(process.pid)
    with anyio.CancelScope(shield=True), anyio.move_on_after(_PATIENCE):
        await process.aclose()
