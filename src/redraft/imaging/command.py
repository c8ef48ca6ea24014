"""Any program that takes a prompt and writes a picture: `command:PROGRAM ARGUMENTS …`.

It is the user's own program, named by the user: it runs with the user's rights and environment, and is not confined.
There is no shell between, and the prompt, which a model wrote, is never part of the command: it comes in a file and on
standard input. The picture is read from the file named by `{out}`, or else from standard output.
"""

from __future__ import annotations

import difflib
import os
import re
import shlex
import shutil
import tempfile
from pathlib import Path

import anyio
from pydantic import JsonValue

from redraft.errors import ConfigError, ImageBackendError, MissingPartError
from redraft.imaging.base import ImageReply, ImageRequest, Tell
from redraft.imaging.pictures import whole_in_thread
from redraft.imaging.process import MOST_BYTES, Ended, ended_in_words, run
from redraft.imaging.progress import with_news
from redraft.imaging.received import received
from redraft.imaging.settings import ImagingSettings

__all__ = ["PLACEHOLDERS", "CommandBackend"]

PLACEHOLDERS = ("prompt_file", "out", "seed", "width", "height")
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
_VARIABLE = "PAINT_"
"""Not REDRAFT_: those are settings, and the program may be redraft itself."""


class CommandBackend:
    """A program named `command:PROGRAM …`, started anew for each picture in the folder that the name is seen from.

    Raises on construction:
        ConfigError: the line cannot be split into words, names no program, or has an unknown placeholder.
        MissingPartError: there is no such program.
    """

    def __init__(self, line: str, settings: ImagingSettings, folder: Path) -> None:
        self._words = _words(line)
        self._folder = folder.absolute()
        self._program = _program(self._words[0], self._folder)
        self._settings = settings

    @property
    def name(self) -> str:
        return f"command:{self._words[0]}"

    async def paint(self, request: ImageRequest, tell: Tell) -> ImageReply:
        """Start the program and take its picture. A program that failed is not started again.

        Raises:
            ImageBackendError: it failed, was too slow, or wrote no picture.
        """
        with tempfile.TemporaryDirectory(prefix="redraft-paint-", ignore_cleanup_errors=True) as scratch:
            values = _values(request, Path(scratch))
            prompt = request.prompt.encode("utf-8", "replace")
            await anyio.Path(values["prompt_file"]).write_bytes(prompt)
            end = await with_news(lambda: self._run(values, prompt), tell)
            self._refuse_failure(end)
            raw, where = self._picture(Path(values["out"]), end)
        picture = await whole_in_thread(raw, f"{self.name}, in {where},")
        params: dict[str, JsonValue] = {"seed": request.seed, "from": where}
        came = received(self.name, request, picture, tell)
        return ImageReply(png=picture.png, backend=self.name, cost=self._settings.price, params=params | came)

    async def _run(self, values: dict[str, str], prompt: bytes) -> Ended:
        rest = [_PLACEHOLDER.sub(lambda found: values[found[1]], word) for word in self._words[1:]]
        environment = {**os.environ, **{_VARIABLE + name.upper(): value for name, value in values.items()}}
        try:
            return await run(
                [self._program, *rest],
                given=prompt,
                folder=self._folder,
                environment=environment,
                seconds=self._settings.timeout,
            )
        except OSError as error:
            raise ImageBackendError(f"{self.name} cannot be started: {error.strerror or error}.") from error

    def _refuse_failure(self, end: Ended) -> None:
        said = f" It last said: {end.words}" if end.words else " It said nothing."
        if end.late:
            raise ImageBackendError(
                f"{self.name} was ended after {self._settings.timeout:g} s (images.timeout), with all that it had "
                f"started.{said}"
            )
        if end.flooded:
            raise ImageBackendError(f"{self.name} wrote more than {MOST_BYTES >> 20} MB and was ended.{said}")
        if end.code != 0:
            raise ImageBackendError(f"{self.name} {ended_in_words(end.code)}.{said}")

    def _picture(self, out: Path, end: Ended) -> tuple[bytes, str]:
        """The bytes, and where they were. Without either, what the program printed may say why."""
        size = out.stat().st_size if out.is_file() else 0
        if size > MOST_BYTES:
            raise ImageBackendError(
                f"{self.name} wrote a file of {size >> 20} MB; at most {MOST_BYTES >> 20} are read."
            )
        if size:
            return out.read_bytes(), "its file"
        if end.out:
            return end.out, "its standard output"
        said = f" It last said: {end.words}" if end.words else ""
        raise ImageBackendError(
            f"{self.name} ended well and wrote no picture: neither to the file that {{out}} names nor to standard "
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
            "images.backend is 'command:', and names no program, as in command:./paint.sh {prompt_file} {out}."
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
            f"The program {name!r} of images.backend is not there (looked for {path}). Install it first."
        )
    if not os.access(path, os.X_OK):
        raise ConfigError(f"The program {name!r} of images.backend may not be run: chmod +x {shlex.quote(str(path))}")
    return str(path)
