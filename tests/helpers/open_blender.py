"""A real Blender with redraft's add-on installed from its package and listening, with settings and a home of its own.

`background` is Blender's module, whose timers the driver calls by hand; `window` is a `blender` program with a screen
that nobody sees.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from real_parts import needs

from redraft.studios.scene.setup import write_addon

DRIVER = """
import json, os, queue, sys, threading, time
answers = os.fdopen(os.dup(1), "w")
import bpy

lines = queue.Queue()

def read():
    for line in sys.stdin:
        lines.put(line)
    lines.put("")

def work():
    while not lines.empty():
        line = lines.get()
        if not line:
            os._exit(0)
        code, names = json.loads(line), {"bpy": bpy}
        try:
            exec(code, names)
        except Exception as error:
            names["answer"] = f"{type(error).__name__}: {error}"
        print("@" + json.dumps(names.get("answer")), file=answers, flush=True)
    return 0.05

threading.Thread(target=read, daemon=True).start()
if "--window" in sys.argv:
    bpy.app.timers.register(work, persistent=True)
else:
    while True:
        work()
        for module in [each for name, each in sys.modules.items() if name.endswith("redraft_addon")]:
            module.pump()
        time.sleep(0.02)
"""
EXTENSION = """
bpy.ops.extensions.package_install_files(repo="user_default", filepath={extension!r}, enable_on_install=True)
module = "bl_ext.user_default.redraft_addon"
"""
LEGACY = """
bpy.ops.preferences.addon_install(filepath={legacy!r})
module = "redraft_addon"
bpy.ops.preferences.addon_enable(module=module)
"""
LISTEN = """
bpy.context.preferences.addons[module].preferences.port = {port}
answer = sorted(bpy.ops.redraft.listen())
"""
SOFTWARE = {"LIBGL_ALWAYS_SOFTWARE": "1", "GALLIVM_PERF": "nopt"}
"""Drawing without a graphics card; to optimize it would take longer than the little that is drawn."""


class OpenBlender:
    """One that listens; `do` runs Python in it, on its main thread, and gives what that left in `answer`."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process, self.port = process, port
        self.home = Path()

    def do(self, code: str) -> Any:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(code) + "\n")
        self.process.stdin.flush()
        said: list[str] = []
        for line in self.process.stdout:
            if line.startswith("@"):
                return json.loads(line[1:])
            said.append(line)
        raise AssertionError("".join(said) or "Blender has ended")

    def objects(self) -> list[str]:
        """Of the open file, by name."""
        return self.do("answer = sorted(each.name for each in bpy.data.objects)")


@contextmanager
def background(folder: Path) -> Generator[OpenBlender]:
    """Blender's module, with the add-on as an extension, and an empty scene."""
    with ExitStack() as stack:
        driver = _driver(folder)
        opened = _start(stack, [needs("blender"), str(driver)], {})
        yield _listening(opened, folder, EXTENSION)


@contextmanager
def window(folder: Path) -> Generator[OpenBlender]:
    """A `blender` program with a window, with the legacy add-on, and the scene that it starts with."""
    screen, program = needs("xvfb"), needs("blender-program")
    with ExitStack() as stack:
        driver = _driver(folder)
        command = [
            program,
            "--factory-startup",
            "--window-geometry",
            "0",
            "0",
            "400",
            "300",
            "--python",
            str(driver),
            "--",
            "--window",
        ]
        opened = _start(stack, command, SOFTWARE | {"DISPLAY": _display(stack, screen)})
        yield _listening(opened, folder, LEGACY)


def _driver(folder: Path) -> Path:
    driver = folder / "driver.py"
    driver.write_text(DRIVER)
    return driver


def _start(stack: ExitStack, command: list[str], more: dict[str, str]) -> OpenBlender:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        command,
        env=os.environ | more,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    stack.callback(_end, process)
    return OpenBlender(process, port)


def _listening(opened: OpenBlender, folder: Path, install: str) -> OpenBlender:
    extension, legacy = write_addon(folder)
    code = install.format(extension=str(extension), legacy=str(legacy)) + LISTEN.format(port=opened.port)
    answer = opened.do(code)
    assert answer == ["FINISHED"], answer
    return opened


def _display(stack: ExitStack, screen: str) -> str:
    """Start a screen on a number that is free; its name."""
    reading, writing = os.pipe()
    command = [screen, "-displayfd", str(writing), "-screen", "0", "1024x768x24", "-nolisten", "tcp"]
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, pass_fds=(writing,), stdout=quiet, stderr=quiet, start_new_session=True)
    stack.callback(_end, process)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        return f":{int(pipe.readline())}"


def _end(process: subprocess.Popen[Any]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe:
            pipe.close()
