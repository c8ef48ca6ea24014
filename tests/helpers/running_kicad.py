"""A real KiCad with a board open, on a screen that nobody sees, with settings and a home of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from real_parts import needs

SETTINGS = {
    "api": {"enable_server": True},
    "do_not_show_again": {
        "data_collection_prompt": True,
        "env_var_overwrite_warning": True,
        "scaled_3d_models_warning": True,
        "update_check_prompt": True,
        "zone_fill_warning": True,
    },
    "system": {"check_for_kicad_updates": False},
    "meta": {"version": 4},
}


@contextmanager
def running_kicad(board: Path, seconds: float = 60.0) -> Generator[str]:
    """Open a copy of a board (with its project) in KiCad's board editor; the address of its interface."""
    screen = needs("xvfb")
    needs("kicad-cli")
    editor = shutil.which("pcbnew")
    assert editor
    with ExitStack() as stack:
        # A short path: addresses of sockets have at most 107 characters.
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kicad-", ignore_cleanup_errors=True)))
        copy = _furnish(folder, board)
        environment = _environment(folder) | {"DISPLAY": _display(stack, screen, folder)}
        log = stack.enter_context((folder / "log").open("wb"))
        process = subprocess.Popen([editor, str(copy)], env=environment, stdout=log, stderr=log, start_new_session=True)
        stack.callback(_end, process)
        yield _address(process, folder, seconds)


@contextmanager
def screen() -> Generator[str]:
    """A screen that nobody sees; its name."""
    program = needs("xvfb")
    with ExitStack() as stack:
        yield _display(stack, program, Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="screen-"))))


def _furnish(folder: Path, board: Path) -> Path:
    settings = folder / "config" / "9.0"
    settings.mkdir(parents=True)
    (settings / "kicad_common.json").write_text(json.dumps(SETTINGS))
    for name in ("fp", "sym"):  # without these it asks, and answers nobody meanwhile
        (settings / f"{name}-lib-table").write_text(f"({name}_lib_table (version 7))")
    copy = folder / "board" / board.name
    copy.parent.mkdir()
    for suffix in (".kicad_pcb", ".kicad_pro"):
        if board.with_suffix(suffix).exists():
            shutil.copyfile(board.with_suffix(suffix), copy.with_suffix(suffix))
    return copy


def _environment(folder: Path) -> dict[str, str]:
    homes = {name: str(folder / "home") for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")}
    (folder / "home").mkdir()
    (folder / "tmp").mkdir()
    return {
        "PATH": os.environ["PATH"],
        "LC_ALL": "C.UTF-8",
        "TMPDIR": str(folder / "tmp"),
        "KICAD_CONFIG_HOME": str(folder / "config"),
        **homes,
    }


def _display(stack: ExitStack, screen: str, folder: Path) -> str:
    """Start a screen on a number that is free; its name."""
    reading, writing = os.pipe()
    log = stack.enter_context((folder / "screen-log").open("wb"))
    command = [screen, "-displayfd", str(writing), "-screen", "0", "1280x1024x24", "-nolisten", "tcp", "-noreset"]
    process = subprocess.Popen(command, pass_fds=(writing,), stdout=log, stderr=log, start_new_session=True)
    stack.callback(_end, process)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        return f":{int(pipe.readline())}"


def _address(process: subprocess.Popen[bytes], folder: Path, seconds: float) -> str:
    """Wait until the board is open."""
    from kipy import KiCad
    from kipy.errors import ApiError
    from kipy.errors import ConnectionError as Unreachable

    path = folder / "tmp" / "kicad" / "api.sock"
    for _ in range(round(seconds * 4)):
        assert process.poll() is None, (folder / "log").read_text()
        time.sleep(0.25)
        if path.exists():
            try:
                KiCad(socket_path=f"ipc://{path}", timeout_ms=2000).get_board()
            except (ApiError, Unreachable):
                continue
            return f"ipc://{path}"
    raise AssertionError(f"KiCad did not open the board in {seconds:g} s: {(folder / 'log').read_text()}")


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
