"""Scripts that do no harm: what they start from, what they may do, and what comes back of them."""

from __future__ import annotations

import ast
import os
import random
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from blender_stage import SEED, Stage, open_stage

from redraft.errors import ExecutionError, InfrastructureError
from redraft.sandbox.processes import DEEPEST, tree_of
from redraft.studios.scene.execute import run_script
from redraft.studios.scene.inside.stage.messages import error_text
from redraft.studios.scene.inside.stage.watch import Pipes, held_in, scratch, watch
from redraft.studios.scene.settings import SceneSettings

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with open_stage(tmp_path_factory.mktemp("box"), "worker") as opened:
        yield opened


def printed(stage: Stage, *lines: str) -> object:
    """What the last line, an expression, is."""
    *before, last = lines
    return ast.literal_eval(stage.run("\n".join(("import bpy", *before, f"print(repr({last}))"))).printed)


def reopened(stage: Stage, blend: bytes, expression: str) -> object:
    """What an expression is in a scene that was saved, opened again."""
    code = f"open('it.blend', 'wb').write({blend!r})\nimport bpy\nbpy.ops.wm.open_mainfile(filepath='it.blend')"
    return ast.literal_eval(stage.run(f"{code}\nprint(repr({expression}))").printed.splitlines()[-1])


def test_a_script_starts_from_an_empty_metric_scene_with_a_dark_grey_world(stage: Stage) -> None:
    assert printed(stage, "[len(bpy.data.objects), len(bpy.data.meshes), len(bpy.data.materials)]") == [0, 0, 0]
    assert printed(stage, "bpy.context.scene.unit_settings.system") == "METRIC"
    assert printed(stage, "[w.name for w in bpy.data.worlds] + [bpy.context.scene.world.name]") == ["World", "World"]
    colour = "bpy.context.scene.world.node_tree.nodes['Background'].inputs['Color'].default_value"
    grey = printed(stage, f"list({colour})")
    assert grey == pytest.approx(
        [0.0509, 0.0509, 0.0509, 1.0], abs=1e-4
    )  # #404040, as Blender's own first scene has it


def test_it_runs_as_a_program_of_its_own(stage: Stage) -> None:
    assert printed(stage, "import os, sys", "[__name__, __file__, os.listdir('.'), sys.argv]") == [
        "__main__",
        "script.py",
        [],
        ["script.py", "--"],
    ]
    assert printed(stage, "import sys", "sys.stdin.read()") == ""
    assert printed(stage, "class Thing: pass", "import pickle", "type(pickle.loads(pickle.dumps(Thing()))) is Thing")


def test_the_seed_decides_what_is_random(stage: Stage) -> None:
    code = "import random, numpy, mathutils\nprint([random.random(), numpy.random.rand(), mathutils.noise.random()])"
    first, again, other = stage.run(code), stage.run(code), stage.run(code, seed=8)
    assert first.printed == again.printed
    values, others = ast.literal_eval(first.printed), ast.literal_eval(other.printed)
    assert all(a != b for a, b in zip(values, others, strict=True))
    assert values[0] == random.Random(SEED).random()


def test_the_scene_comes_back_whole(stage: Stage) -> None:
    ran = stage.run(
        "import bpy\n"
        "bpy.ops.mesh.primitive_cube_add(location=(1, 2, 3))\n"
        "bpy.context.object.name = 'Würfel'\n"
        "bpy.ops.object.mode_set(mode='EDIT')\n"
        "bpy.ops.mesh.subdivide()\n"
        "image = bpy.data.images.new('Painted', 4, 4)\n"
        "image.pixels = [0.25, 0.5, 0.75, 1.0] * 16\n"
        "image.use_fake_user = True\n"
    )
    assert ran.answer is not None
    look = "[(o.name, [*o.location], o.mode, len(o.data.vertices)) for o in bpy.data.objects]"
    assert reopened(stage, ran.answer.blob, look) == [("Würfel", [1.0, 2.0, 3.0], "OBJECT", 26)]
    pixel = reopened(stage, ran.answer.blob, "[*bpy.data.images['Painted'].pixels[:4]]")
    assert pixel == pytest.approx([0.25, 0.5, 0.75, 1.0], abs=1 / 128)


def test_renders_are_left_out_and_told_of_once(stage: Stage) -> None:
    ran = stage.run(
        "import bpy\nfor _ in range(5):\n    print(bpy.ops.render.render(write_still=True))\n"
        "bpy.ops.render.opengl('INVOKE_DEFAULT')\nprint(bpy.ops.render.render.idname())"
    )
    assert ran.printed == "{'FINISHED'}\n" * 5 + "RENDER_OT_render\n"
    assert ran.notes == [
        "bpy.ops.render.render was left out: redraft renders the scene itself.",
        "bpy.ops.render.opengl was left out: redraft renders the scene itself.",
    ]


@pytest.mark.parametrize(
    ("reset", "left"),
    [
        ("bpy.ops.wm.read_factory_settings(use_empty=True)", 0),
        ("bpy.ops.wm.read_homefile(use_empty=True)", 0),
        ("bpy.ops.wm.read_factory_settings()", 3),
        ("bpy.ops.object.select_all(action='SELECT'); bpy.ops.object.delete()", 0),
        ("[bpy.data.objects.remove(o) for o in list(bpy.data.objects)]", 0),
        ("bpy.ops.wm.save_as_mainfile(filepath='mine.blend'); bpy.ops.wm.open_mainfile(filepath='mine.blend')", 0),
    ],
)
def test_scripts_may_begin_with_a_reset(stage: Stage, reset: str, left: int) -> None:
    ran = stage.run(f"import bpy\n{reset}\nprint(len(bpy.data.objects))\nbpy.ops.mesh.primitive_cube_add()\n")
    assert ran.printed.splitlines()[-1] == str(left)
    assert ran.answer is not None
    assert reopened(stage, ran.answer.blob, "len(bpy.data.objects)") == left + 1


def test_quitting_blender_is_the_scripts_end(stage: Stage) -> None:
    ran = stage.run("import bpy\nbpy.ops.mesh.primitive_cube_add()\nbpy.ops.wm.quit_blender()\nprint('not this')")
    assert ran.printed == ""
    assert ran.notes == ["bpy.ops.wm.quit_blender ended the script at that place; what it had made was kept."]
    assert ran.answer is not None
    assert reopened(stage, ran.answer.blob, "len(bpy.data.objects)") == 1


def test_a_picture_that_cannot_be_taken_along_is_told_of(stage: Stage) -> None:
    ran = stage.run(
        "import bpy, os\nimage = bpy.data.images.new('Wood', 4, 4)\nimage.filepath_raw = os.path.abspath('wood.png')\n"
        "image.save()\nbpy.data.images.remove(image)\nbpy.data.images.load(os.path.abspath('wood.png'))\nos.remove('wood.png')\n"
    )
    assert len(ran.notes) == 1
    assert ran.notes[0].startswith("The picture 'wood.png' is not in the scene: ")


@pytest.mark.slow
def test_a_file_that_is_too_large_is_the_scripts_fault(stage: Stage) -> None:
    code = (
        "import bpy, numpy\nmesh = bpy.data.meshes.new('noise')\nmesh.vertices.add(9_000_000)\n"
        "mesh.vertices.foreach_set('co', numpy.random.rand(27_000_000).astype('f'))\n"
        "bpy.context.collection.objects.link(bpy.data.objects.new('noise', mesh))\n"
    )
    message = stage.run(code, memory=3 << 30).message
    assert message.startswith("The scene takes ")
    assert "at most 64 MB are taken" in message


def test_paths_of_ours_are_in_no_message(stage: Stage) -> None:
    ran = stage.run("import os\nprint(os.getcwd())\nraise ValueError(os.getcwd())")
    assert ran.message.endswith("ValueError: /scratch/script")
    assert stage.run("import os\nprint(os.getcwd())").printed == "/scratch/script\n"


@pytest.mark.parametrize("alone", [True, False])
def test_a_script_that_starts_no_process_is_watched_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, alone: bool
) -> None:
    """To look for the processes of one with thousands of threads takes longer than it may run."""
    looked: list[int] = []

    def tree_of(pid: int) -> Iterator[int]:
        looked.append(pid)
        yield pid

    monkeypatch.setattr("redraft.studios.scene.inside.stage.watch.tree_of", tree_of)
    monkeypatch.setattr("redraft.studios.scene.inside.stage.watch.end_all", lambda pid: None)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    with subprocess.Popen(["sleep", "0.5"]) as child:
        ends = [os.pipe() for _ in range(3)]
        pipes = Pipes(*(reading for reading, _ in ends))
        ended = watch(child.pid, pipes, tmp_path, seconds=5.0, memory=1 << 30, alone=alone)
        child.returncode = ended.code
    for pair in ends:
        for end in pair:
            os.close(end)
    assert (ended.code, ended.stopped) == (0, "")
    assert bool(looked) != alone


def test_files_in_folders_that_no_path_names_are_counted(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(bytes(5_000))
    assert 5_000 <= held_in(tmp_path, 1 << 30) <= 1 << 30
    (tmp_path / "/".join("a" * DEEPEST)).mkdir(parents=True)
    assert held_in(tmp_path, 1 << 30) > 1 << 30


def test_no_folder_of_somebody_is_taken_for_scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path / ".."))
    with pytest.raises(RuntimeError, match="needs one of its own"):
        scratch()
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert scratch() == tmp_path


def test_an_exception_of_elsewhere_has_no_line() -> None:
    told = error_text(ValueError("elsewhere"), "")
    assert (told.text, told.line) == ("ValueError: elsewhere", 0)


def test_a_thing_may_be_removed_last(stage: Stage) -> None:
    code = "import bpy\nbpy.ops.mesh.primitive_cube_add()\nbpy.data.objects.remove(bpy.context.object)"
    ran = stage.run(code)
    assert ran.message == ""
    assert ran.answer is not None
    assert reopened(stage, ran.answer.blob, "len(bpy.data.objects)") == 0


WRITE = """
import os
for end in range(3, 64):
    try:
        os.write(end, {text!r})
    except OSError:
        pass
os._exit(0)
"""
FORGED = (
    b'{"broken": "the machine is on fire"}',
    b'{"failed": "no patches"}',
    b'{"failed": "not a list", "patches": 3}',
    b'{"failed": "not a patch", "patches": [{"line": "one"}]}',
    b'{"failed": 3, "patches": []}',
    b'{"done": {}}',
    b'{"done": {"notes": [3]}}',
    b'{"done": 7}',
    b"[" * 100_000,
)


@pytest.mark.parametrize("text", FORGED, ids=lambda text: text[:40].decode())
def test_a_forged_report_is_none(stage: Stage, text: bytes) -> None:
    assert stage.run(WRITE.format(text=text)).message.startswith("The script wrote to a file descriptor")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ('"line": 1, "before": "a", "after": "b", "extra": "c"', "The script wrote to a file descriptor"),
        ('"line": 1, "before": "a", "after": "b"', "wrong"),
    ],
)
def test_patches_that_cannot_be_recorded_are_no_report(stage: Stage, more: str, said: str) -> None:
    text = f'{{"failed": "wrong", "patches": [{{{more}}}]}}'.encode()
    with pytest.raises(ExecutionError, match=said):
        stage.portal.call(run_script, WRITE.format(text=text), SceneSettings(), 0, stage.box)


def test_a_script_that_is_killed_from_outside_is_no_error_of_the_script(stage: Stage) -> None:
    stage.run("")
    before = set(tree_of(os.getpid()))
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(stage.run, "import time\ntime.sleep(20)\n")
        while not (started := set(tree_of(os.getpid())) - before):
            time.sleep(0.01)
        os.kill(started.pop(), signal.SIGKILL)
        with pytest.raises(InfrastructureError, match=r"was ended by signal 9, .*, which redraft did not send"):
            running.result()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("os.kill(os.getpid(), signal.SIGKILL)", r"PermissionError: \[Errno 1\]"),
        ("signal.pthread_kill(threading.get_ident(), signal.SIGKILL)", r"PermissionError: \[Errno 1\]"),
        ("os.kill(os.getpid(), signal.SIGTERM)", "in the middle, with signal 15, asked to end, so there is no scene"),
        ("signal.setitimer(signal.ITIMER_REAL, 0.01); time.sleep(9)", "in the middle, with signal 14, SIGALRM"),
    ],
)
def test_a_script_that_ends_itself_is_an_error_of_the_script(stage: Stage, call: str, message: str) -> None:
    assert re.search(message, stage.run(f"import os, signal, threading, time\n{call}\n").message)
