"""Scripts that mean harm, or do it: each is contained, and the next draft runs right after on the same warm server."""

from __future__ import annotations

import json
import os
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from blender_stage import Stage, open_stage

from redraft.sandbox.processes import usage_of
from redraft.sandbox.program import Level

HOSTILE = Path(__file__).parents[2] / "hostile"
SHORT = 1.5
"""Seconds for a script that never ends."""

PROBE = """
import json, os, random, sys, threading
import bpy


def is_open(descriptor):
    try:
        return bool(os.fstat(descriptor))
    except OSError:
        return False


lists = {name: getattr(bpy.app.handlers, name) for name in dir(bpy.app.handlers)}
print(json.dumps({
    "server": os.getppid(),
    "objects": len(bpy.data.objects),
    "worlds": [each.name for each in bpy.data.worlds],
    "random": random.random(),
    "here": os.listdir("."),
    "around": sorted(name for name in os.listdir("..") if not name.startswith("blender_")),
    "handlers": {name: len(each) for name, each in lists.items() if isinstance(each, list)},
    "drivers": sorted(bpy.app.driver_namespace),
    "importers": len(sys.meta_path) + len(sys.path_hooks),
    "threads": threading.active_count(),
    "recursion": sys.getrecursionlimit(),
    "descriptors": [n for n in range(1024) if is_open(n)],
}))
"""

STOPPED = r"ran longer than 1\.5 s and was stopped"
REFUSED = r"PermissionError"
NO_FILE = r"PermissionError|FileNotFoundError"
MIDDLE = r"ended Blender in the middle"
NOT_OPENED = r"file descriptor that it had not opened"
RUNS = ""

EXPECTED = {
    "abort": r"crashed Blender \(signal 6, an abort\), twice\. .*\n  File \"script.py\", line 4, in <module>: os.abort",
    "absent_addon": r"Add-on not loaded: \"archimesh\"",
    "all_memory": r"held more than .* of memory and was stopped",
    "break_the_interpreter": MIDDLE,
    "break_the_reporting": MIDDLE,
    "change_blender": r"ran to its end, but its scene could not be saved\. AttributeError",
    "close_everything": MIDDLE,
    "crash": r"crashed Blender \(signal 11, a segmentation fault\), twice\. .*\n  File \"script.py\", line 6,",
    "delete_everything": RUNS,
    "end_by_alarm": MIDDLE + ", with signal 14, SIGALRM",
    "endless_words": STOPPED,
    "fill_disk": r"wrote too many files|No space left on device|File too large",
    "forge_an_answer": r"OSError: \[Errno 9\]",
    "fork_bomb": REFUSED,
    "gigabyte_of_words": RUNS,
    "half_a_message": NOT_OPENED,
    "handlers": RUNS,
    "kill_by_limit": r"ValueError: not allowed to raise",
    "kill_by_timer": REFUSED,
    "kill_itself": REFUSED,
    "kill_parent": REFUSED,
    "leave_files": r"^$|folders nested too deep|nested folders more than 64 deep",  # as it is over before the next look
    "many_threads": r"ran more than 1,024 threads at once and was stopped",
    "many_files": r"wrote too many files|No space left on device",
    "million_objects": STOPPED + r"(.|\n)*line 4(.|\n)*bmesh",
    "names_of_others": RUNS,
    "nonsense_everywhere": NOT_OPENED,
    "not_ascii": r"ValueError: Straße — 道路 \?$",
    "odd_exception": r"raised an exception that raises Odd itself when it is read",
    "quit_blender": RUNS,
    "reach_out": RUNS,
    "read_home": NO_FILE,
    "save_elsewhere": r"RuntimeError: Error: Cannot open file(.|\n)*redraft saves the scene itself: leave out",
    "scene_is_a_pipe": f"{MIDDLE}|{REFUSED}",
    "scene_is_a_symlink": RUNS,
    "socket_out": r"URLError: .*not permitted",
    "spin": STOPPED + r"(.|\n)*line \d, in <module>",
    "spin_deaf": STOPPED,
    "start_programs": RUNS,
    "threads": RUNS,
    "write_through_symlink": NO_FILE,
}
"""What is said of each; empty where it may run to its end."""
NEEDS_WALLS = frozenset(
    ("names_of_others", "reach_out", "read_home", "scene_is_a_symlink", "socket_out", "write_through_symlink")
)
"""Those that only a level which keeps files and network away can hold."""
WITHOUT_END = frozenset(("endless_words", "million_objects", "spin", "spin_deaf"))

pytestmark = [pytest.mark.real, pytest.mark.slow]


@pytest.fixture(scope="module", params=["worker", "bubblewrap", "landlock"])
def level(request: pytest.FixtureRequest) -> Level:
    return cast("Level", request.param)


@pytest.fixture(scope="module")
def stage(level: Level, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with open_stage(tmp_path_factory.mktemp("box"), level) as opened:
        yield opened


@pytest.fixture(scope="module")
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        yield server


def state(stage: Stage) -> dict[str, Any]:
    """What the next script finds."""
    return json.loads(stage.run(PROBE).printed)


def test_every_hostile_script_is_expected_to_do_something() -> None:
    assert {path.stem for path in HOSTILE.glob("*.py")} == set(EXPECTED)


@pytest.mark.parametrize("name", sorted(EXPECTED.keys() - NEEDS_WALLS))
def test_it_is_contained_and_the_next_draft_runs(
    stage: Stage, level: Level, name: str, tmp_path: Path, listener: socket.socket
) -> None:
    hold(stage, level, name, tmp_path, listener)


@pytest.mark.parametrize("level", ["bubblewrap", "landlock"], indirect=True)
@pytest.mark.parametrize("name", sorted(NEEDS_WALLS))
def test_what_walls_are_needed_for_is_contained(
    stage: Stage, level: Level, name: str, tmp_path: Path, listener: socket.socket
) -> None:
    hold(stage, level, name, tmp_path, listener)


def hold(stage: Stage, level: Level, name: str, tmp_path: Path, listener: socket.socket) -> None:
    """Run a hostile script, and see that it did nothing and left nothing."""
    secret = tmp_path / "secret.txt"
    secret.write_text("nobody's business")
    code = (HOSTILE / f"{name}.py").read_text("utf-8")
    port = listener.getsockname()[1]
    for mark, value in (("SECRET", str(secret)), ("FOLDER", str(tmp_path)), ("PORT", str(port))):
        code = code.replace(f"@@{mark}@@", value)
    before, running = state(stage), processes()

    ran = stage.run(code, seconds=SHORT if name in WITHOUT_END else 20.0)

    assert re.search(EXPECTED[name] or "^$", ran.message)
    assert not ran.answer or re.search(r"READ|LISTED|WROTE|sent|^started", ran.printed, re.MULTILINE) is None
    assert secret.read_text() == "nobody's business"
    assert [path.name for path in tmp_path.iterdir()] == ["secret.txt"]
    with pytest.raises(BlockingIOError):
        listener.accept()
    after = state(stage)
    if name == "many_threads" or (level == "landlock" and name in ("all_memory", "leave_files")):
        before["server"] = after["server"]  # there the sandbox sees it too, or it alone, and ends the server as well
    assert after == before
    assert processes() == running


def processes() -> int:
    """How many there are of the tests and below."""
    return usage_of(os.getpid()).processes


def test_what_is_printed_is_kept_to_its_end(stage: Stage) -> None:
    ran = stage.run((HOSTILE / "gigabyte_of_words.py").read_text())
    assert len(ran.printed) == 2_000
    assert ran.printed.endswith("xthe end\n")


def test_a_scene_that_is_empty_is_no_error(stage: Stage) -> None:
    ran = stage.run((HOSTILE / "delete_everything.py").read_text())
    assert ran.answer is not None
    assert len(ran.answer.blob) > 10_000
