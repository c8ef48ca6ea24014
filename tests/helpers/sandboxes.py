"""Driving the odd worker through a sandbox, scripts in it, and whether what was started is gone."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from pydantic import JsonValue

import redraft
from redraft.sandbox.pool import Sandbox
from redraft.sandbox.program import Answer, Level, Limits, Program

ODD = Path(__file__).parent / "odd_worker.py"
SOURCE = ("PYTHONPATH", str(Path(redraft.__file__).parents[1]))
"""Have a worker import the redraft that is tested, which need not be the installed one."""
WORKER = Program("the odd worker", (sys.executable, str(ODD)), environment=(SOURCE,))
PLENTY = Limits(30)


async def told(box: Sandbox, do: str, limits: Limits = PLENTY, program: Program = WORKER, **job: JsonValue) -> Answer:
    return await box.ask(program, {"do": do, **job}, limits=limits, blob=b"\0\xff")


def gone(pid: int, within: float = 5.0) -> bool:
    """Whether a process has ended (one that is dead and not yet waited for has)."""
    end = time.monotonic() + within
    while time.monotonic() < end:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.02)
    return False


def left_in(folder: Path) -> list[Path]:
    return list(folder.rglob("*"))


def number(answer: Answer, name: str) -> int:
    value = answer.data[name]
    assert isinstance(value, int)
    return value


def confined(level: Level, *binds: Path, scratch: int = 32 << 20) -> Program:
    binds = (ODD.parent, *binds)
    return Program("the odd worker", WORKER.command, level=level, binds=binds, environment=(SOURCE,), scratch=scratch)


async def script(box: Sandbox, program: Program, text: str, limits: Limits | None = None) -> JsonValue:
    """What a script answers, or what it raised."""
    data = (await told(box, "run", limits or Limits(60.0), program=program, script=text)).data
    return data.get("answer", data.get("raised"))


OPEN = """
answer = {}
for path in PATHS:
    try:
        with open(path, MODE) as file:
            answer[path] = "opened"
    except OSError as error:
        answer[path] = type(error).__name__
"""


def opening(paths: list[str], mode: str) -> str:
    return OPEN.replace("PATHS", repr(paths)).replace("MODE", repr(mode))


CALLER = """
import sys
from pathlib import Path
import anyio
import redraft
from redraft.sandbox.pool import Sandbox
from redraft.sandbox.program import Limits, Program

async def main():
    box = Sandbox(Path(sys.argv[1]))
    source = (("PYTHONPATH", sys.path[0]),)
    binds = (Path(sys.argv[2]).parent,)
    program = Program("it", (sys.executable, sys.argv[2]), level=sys.argv[3], binds=binds, environment=source)
    await box.ask(program, {"do": "echo"}, limits=Limits())
    print("ready", flush=True)
    await box.ask(program, {"do": sys.argv[4], "seconds": 600, "hang": True}, limits=Limits(600))

anyio.run(main)
"""


def family(pid: int) -> list[int]:
    """A process and all that it has started; threads and processes may end meanwhile."""
    found = [pid]
    for each in found:
        with suppress(FileNotFoundError, ProcessLookupError):
            for thread in Path(f"/proc/{each}/task").iterdir():
                with suppress(FileNotFoundError, ProcessLookupError):
                    found += map(int, (thread / "children").read_text().split())
    return found


def killed_caller(folder: Path, level: Level, do: str) -> list[int]:
    """A process that uses the sandbox and is killed with no chance to tidy up; all it had started."""
    command = [
        sys.executable,
        "-c",
        f"import sys; sys.path.insert(0, {SOURCE[1]!r})\n{CALLER}",
        str(folder),
        str(ODD),
        level,
        do,
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as caller:
        assert caller.stdout is not None
        assert caller.stdout.readline() == b"ready\n"
        time.sleep(0.2)
        started = family(caller.pid)[1:]
        caller.kill()
    return started
