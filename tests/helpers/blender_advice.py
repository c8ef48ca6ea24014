"""Scripts in a plain Blender process, and what the API look-up has to say to what they raise."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import redraft
from redraft.result import CodePatch

SOURCE = Path(redraft.__file__).parent
RUNNER = """
import json, os, sys, time, types, warnings
source, answers = sys.argv[-1], os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
warnings.simplefilter("ignore")
package = types.ModuleType("redraft")
package.__path__ = [source]
sys.modules["redraft"] = package
import bpy
from redraft.studios.scene.inside.advice.lookup import advise, advise_on_look

def held():
    names = [p.identifier for p in bpy.data.bl_rna.properties if p.type == "COLLECTION"]
    return {name: sorted(repr(thing) for thing in getattr(bpy.data, name)) for name in names}

def run(code):
    try:
        exec(compile(code, "script.py", "exec"), {"__name__": "__main__"})
    except BaseException as error:
        trace, line = error.__traceback__, getattr(error, "lineno", None) or 1
        while trace is not None:
            line = trace.tb_lineno if trace.tb_frame.f_code.co_filename == "script.py" else line
            trace = trace.tb_next
        before, began = held(), time.process_time()
        advice = advise(error, code, line)
        seconds = time.process_time() - began
        return {"said": f"{type(error).__name__}: {error}", "hints": advice.hints, "patches": advice.patches,
                "seconds": seconds, "same": held() == before}
    look = advise_on_look(code)
    said = "it does not look as it says" if look.patches else ""
    return {"said": said, "hints": look.hints, "patches": look.patches, "seconds": 0.0, "same": True}

def forked(code):
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        with os.fdopen(write, "w") as out:
            out.write(json.dumps(run(code)))
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as found:
        row = json.loads(found.read())
    os.waitpid(child, 0)
    return row

bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.context.scene.world = bpy.data.worlds.new("World")
answers.write(json.dumps([forked(code) for code in json.load(sys.stdin)]))
answers.close()
"""


@dataclass(frozen=True)
class Advised:
    """What became of one script. `said` is empty where it ran to its end, and looks as it says."""

    said: str
    hints: tuple[str, ...]
    patches: tuple[CodePatch, ...]
    seconds: float
    """Of the processor, for the look-up."""
    same: bool
    """Whether the look-up left Blender's data as it was."""


def advised(blender: str, codes: Sequence[str]) -> list[Advised]:
    """Each script in an empty scene, in a fork of one Blender."""
    command = [blender, "-c", RUNNER, str(SOURCE)]
    done = subprocess.run(command, input=json.dumps([*codes]), capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    rows = json.loads(done.stdout)
    return [
        Advised(
            row["said"],
            tuple(row["hints"]),
            tuple(CodePatch.model_validate(patch) for patch in row["patches"]),
            row["seconds"],
            row["same"],
        )
        for row in rows
    ]
