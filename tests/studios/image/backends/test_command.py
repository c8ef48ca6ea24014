"""A program of the user's own paints: what it is given, what is taken from it, and how it fails and ends."""

from __future__ import annotations

import os
import shlex
import stat
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from image_servers import picture

from redraft.errors import ConfigError, ImageBackendError, MissingPartError
from redraft.painting.base import ImageBackend, ImageReply, ImageRequest
from redraft.painting.settings import ImagingSettings
from redraft.studios.image.backends import command
from redraft.studios.image.backends.command import CommandBackend

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.timed]

PNG = picture()
START = "import base64, os, sys, time\nfrom pathlib import Path\n"
TO_FILE = f"Path(sys.argv[1]).write_bytes({PNG!r})\n"
TO_STDOUT = f"sys.stdout.buffer.write({PNG!r})\n"


class Place:
    """A folder with one program in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def backend(self, code: str, arguments: str = "{out}", **settings: Any) -> CommandBackend:
        (self.folder / "paint.py").write_text(START + code, encoding="utf-8")
        line = f"{shlex.quote(sys.executable)} -I paint.py {arguments}"
        return CommandBackend(line, ImagingSettings(**settings), self.folder)

    async def painted(self, code: str, arguments: str = "{out}", **given: Any) -> ImageReply:
        request = ImageRequest(prompt=given.pop("prompt", "a lighthouse"), seed=7, width=64, height=48)
        return await self.backend(code, arguments, **given).paint(request, lambda line: None)

    async def refused(self, code: str, arguments: str = "{out}", **given: Any) -> str:
        with pytest.raises(ImageBackendError) as error:
            await self.painted(code, arguments, **given)
        assert str(error.value).startswith(f"command:{sys.executable}")
        return str(error.value)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


async def test_a_picture_written_to_the_file_is_taken(place: Place) -> None:
    reply = await place.painted(TO_FILE)
    assert reply.png == PNG
    assert reply.backend == f"command:{sys.executable}"
    assert reply.params == {"seed": 7, "from": "its file", "size": "64x48", "received": "PNG, 64x48"}


async def test_a_picture_on_standard_output_is_taken(place: Place) -> None:
    reply = await place.painted(TO_STDOUT, "")
    assert reply.png == PNG
    assert reply.params["from"] == "its standard output"


async def test_the_file_goes_before_what_was_printed(place: Place) -> None:
    reply = await place.painted("print('step 1 of 20')\n" + TO_FILE)
    assert reply.png == PNG


TELLS = """
Path("given.txt").write_text(repr(dict(
    arguments=sys.argv[2:],
    stdin=sys.stdin.buffer.read().decode(),
    file=Path(sys.argv[2]).read_text("utf-8"),
    variables={n: v for n, v in sorted(os.environ.items()) if n.startswith("PAINT_")},
    others=sorted(n for n in os.environ if not n.startswith("PAINT_")),
)), "utf-8")
"""


async def test_prompt_seed_and_size_are_given_in_every_way(place: Place) -> None:
    prompt = "a 'storm'; $(touch hacked) `x` \\ {seed} 灯台\n-o /etc/passwd"
    await place.painted(TO_FILE + TELLS, "{out} {prompt_file} --seed={seed} {width}x{height}", prompt=prompt)
    given: dict[str, Any] = eval((place.folder / "given.txt").read_text("utf-8"))
    assert given["stdin"] == given["file"] == prompt
    assert given["arguments"][1:] == ["--seed=7", "64x48"]
    variables = given["variables"]
    assert (variables["PAINT_SEED"], variables["PAINT_WIDTH"], variables["PAINT_HEIGHT"]) == ("7", "64", "48")
    assert variables["PAINT_PROMPT_FILE"] == given["arguments"][0]
    assert variables["PAINT_OUT"].endswith("picture.png")
    assert not (place.folder / "hacked").exists()


async def test_of_the_environment_it_gets_what_is_needed_and_the_key_that_is_named(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "MY_KEY", "HTTP_PROXY", "LD_PRELOAD_OTHER"):
        monkeypatch.setenv(name, "secret")
    await place.painted(TO_FILE + TELLS, "{out} {prompt_file}", api_key_env="MY_KEY")
    given: dict[str, Any] = eval((place.folder / "given.txt").read_text("utf-8"))
    assert set(given["others"]) <= {*command.KEPT_VARIABLES, "MY_KEY", "LC_CTYPE"}
    assert {"PATH", "HOME", "MY_KEY"} <= set(given["others"])
    with pytest.raises(ConfigError, match=r"variable NO_KEY is not set \(images\.api_key_env"):
        place.backend(TO_FILE, api_key_env="NO_KEY")


async def test_nothing_of_it_stays_on_the_disk(place: Place) -> None:
    await place.painted("Path('where.txt').write_text(sys.argv[1])\n" + TO_FILE)
    assert not Path((place.folder / "where.txt").read_text()).parent.exists()


async def test_a_program_that_reads_no_standard_input_is_no_trouble(place: Place) -> None:
    reply = await place.painted("sys.stdin.close()\n" + TO_FILE, prompt="long " * 200_000)
    assert reply.png == PNG


async def test_the_cost_is_the_price_of_the_settings_or_unknown(place: Place) -> None:
    assert (await place.painted(TO_FILE)).cost is None
    assert (await place.painted(TO_FILE, price=0.01)).cost == 0.01


FAILURES: dict[str, tuple[str, str]] = {
    "exit code": (
        "print('loading', file=sys.stderr); print('no such model: x', file=sys.stderr); sys.exit(3)",
        "ended with exit code 3. It last said: loading | no such model: x",
    ),
    "silent": ("sys.exit(1)", "ended with exit code 1. It said nothing."),
    "crash": ("os.kill(os.getpid(), 11)", "was ended by signal 11, a segmentation fault"),
    "nothing": ("", "succeeded and wrote no picture: neither to the file that {out} names nor to standard output."),
    "empty file": ("Path(sys.argv[1]).touch()", "wrote no picture"),
    "warning only": ("print('CPU only', file=sys.stderr)", "standard output. It last said: CPU only"),
    "text": (
        "print('Usage: paint [-h]')",
        "in its standard output, sent a text file instead of a picture: 'Usage",
    ),
    "truncated": (f"Path(sys.argv[1]).write_bytes({PNG[:-9]!r})", "in its file, sent a picture that is damaged"),
    "failed with a picture": (TO_FILE + "sys.exit(2)", "ended with exit code 2"),
    "a folder": ("os.mkdir(sys.argv[1])", "wrote no picture"),
}


@pytest.mark.parametrize("failure", FAILURES)
async def test_how_it_failed_is_told_in_words(place: Place, failure: str) -> None:
    code, words = FAILURES[failure]
    assert words in await place.refused(code)


async def test_only_the_last_words_are_quoted(place: Place) -> None:
    said = await place.refused("print('x' * 900_000 + '\\nthe end', file=sys.stderr); sys.exit(1)")
    assert len(said) < 1500
    assert "\x1b" not in await place.refused("print('\\x1b[31mred', file=sys.stderr); sys.exit(1)")


CHILD = """
import subprocess
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
Path("child.txt").write_text(str(child.pid))
"""


def is_gone(pid: int) -> bool:
    """Ended, or waiting to be buried."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


async def gone_soon(place: Place) -> bool:
    pid = int(await anyio.Path(place.folder / "child.txt").read_text())
    for _ in range(150):
        if is_gone(pid):
            return True
        await anyio.sleep(0.02)
    return False


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="processes are looked up in /proc")
class TestTheEnd:
    """Nothing that it started goes on without it."""

    async def test_one_that_is_too_slow_is_ended_with_all_it_started(self, place: Place) -> None:
        began = time.monotonic()
        said = await place.refused(CHILD + "print('busy', file=sys.stderr, flush=True); time.sleep(60)", timeout=1.0)
        assert "was ended after 1 s (images.timeout), with all that it had started. It last said: busy" in said
        assert time.monotonic() - began < 8
        assert await gone_soon(place)

    async def test_a_cancelled_run_ends_it(self, place: Place) -> None:
        request = ImageRequest(prompt="x", seed=7, width=64, height=48)
        with anyio.move_on_after(1.0):
            await place.backend(CHILD + "time.sleep(60)").paint(request, lambda line: None)
        assert await gone_soon(place)

    async def test_what_it_leaves_behind_is_ended_and_not_waited_for(self, place: Place) -> None:
        began = time.monotonic()
        reply = await place.painted(CHILD + TO_FILE)
        assert reply.png == PNG
        assert time.monotonic() - began < 8
        assert await gone_soon(place)

    async def test_one_that_never_stops_writing_is_ended(self, place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(command, "PROGRAM_OUTPUT", replace(command.PROGRAM_OUTPUT, size=1_000_000))
        said = await place.refused("while True: sys.stdout.buffer.write(b'x' * 65536)", timeout=20.0)
        assert "wrote more than" in said
        assert "and was ended" in said


class TestBeforeAnyCall:
    """What cannot work is said at once."""

    def test_a_program_that_is_not_installed(self, tmp_path: Path) -> None:
        with pytest.raises(MissingPartError, match=r"'no-such-painter' of images\.backend is not on the PATH"):
            CommandBackend("no-such-painter {out}", ImagingSettings(), tmp_path)

    def test_a_program_that_lies_beside(self, tmp_path: Path) -> None:
        (tmp_path / "paint-it").touch()
        with pytest.raises(MissingPartError, match=r"write \./paint-it"):
            CommandBackend("paint-it {out}", ImagingSettings(), tmp_path)

    def test_a_file_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(MissingPartError, match="is missing"):
            CommandBackend("./paint-it {out}", ImagingSettings(), tmp_path)

    def test_a_file_that_may_not_be_run(self, tmp_path: Path) -> None:
        (tmp_path / "paint-it").touch()
        with pytest.raises(ConfigError, match=r"is not executable: chmod \+x"):
            CommandBackend("./paint-it {out}", ImagingSettings(), tmp_path)

    def test_a_file_is_looked_for_from_the_folder(self, tmp_path: Path) -> None:
        script = tmp_path / "paint-it"
        script.touch()
        script.chmod(stat.S_IRWXU)
        assert CommandBackend("./paint-it {out}", ImagingSettings(), tmp_path).name == "command:./paint-it"

    @pytest.mark.parametrize("line", ["", "''", "  "])
    def test_no_program(self, tmp_path: Path, line: str) -> None:
        with pytest.raises(ConfigError, match="names no program"):
            CommandBackend(line, ImagingSettings(), tmp_path)

    def test_a_quote_that_does_not_close(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigError, match="cannot be split into words: No closing quotation"):
            CommandBackend("paint 'x", ImagingSettings(), tmp_path)

    def test_a_placeholder_that_is_unknown(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigError, match=r"placeholder \{hight\}\. Did you mean \{height\}\?"):
            CommandBackend("sh x {hight}", ImagingSettings(), tmp_path)

    def test_the_prompt_as_an_argument(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigError, match=r"never part of the command; it is in the file \{prompt_file\}"):
            CommandBackend("sh -c 'paint {prompt}'", ImagingSettings(), tmp_path)


async def test_a_program_that_the_system_cannot_start(tmp_path: Path) -> None:
    script = tmp_path / "paint-it"
    script.write_bytes(b"\x7fELF nonsense")
    script.chmod(0o700)
    backend = CommandBackend("./paint-it {out}", ImagingSettings(), tmp_path)
    with pytest.raises(ImageBackendError, match=r"command:\./paint-it cannot be started: "):
        await backend.paint(ImageRequest(prompt="x", seed=1, width=64, height=64), lambda line: None)


def test_it_is_an_image_backend(tmp_path: Path) -> None:
    assert isinstance(CommandBackend("sh x", ImagingSettings(), tmp_path), ImageBackend)
    assert os.sep in sys.executable
