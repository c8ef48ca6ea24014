"""What a model reads of its script's fault, as raised by the Blender that is here.

The keys that the fix memory knows a fault by are derived by hand, from what the script does wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from blender_stage import Stage, open_stage

from redraft.fixes.normalize import diagnostics, key_of
from redraft.result import CodePatch

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with open_stage(tmp_path_factory.mktemp("box"), "worker") as opened:
        yield opened


OBJECT = "bpy.ops.mesh.primitive_cube_add()\nit = bpy.context.object\n"
KEYS = {
    # what changed in Blender since a script like it was written
    "bpy.context.scene.objects.link(None)": "bpy:no_attribute:link",
    "bpy.context.scene.objects.unlink(None)": "bpy:no_attribute:unlink",
    "bpy.context.scene.cursor_location = (0, 0, 0)": "bpy:no_attribute:cursor_location",
    "bpy.context.scene.eevee.use_bloom = True": "bpy:no_attribute:use_bloom",
    "bpy.context.scene.node_tree": "bpy:no_attribute:node_tree",
    "bpy.data.actions.new('Walk').fcurves": "bpy:no_attribute:fcurves",
    "bpy.data.worlds[0].light_settings.use_ambient_occlusion = True": "bpy:no_attribute:use_ambient_occlusion",
    "bpy.ops.mesh.primitive_cube_add(radius=2)": "bpy:unknown_keyword:radius",
    "bpy.ops.object.select_by_layer()": "bpy:unknown_operator:object.select_by_layer",
    "bpy.context.scene.view_settings.look = 'Very High Contrast'": "bpy:enum_value:very_high_contrast",
    "bpy.context.scene.render.image_settings.file_format = 'FFMPEG'": "bpy:enum_value:ffmpeg",
    "m = bpy.data.materials.new('m')\nm.use_nodes = True\n"
    "m.node_tree.nodes.new('ShaderNodeCombineRGB')": "bpy:unknown_node:shadernodecombinergb",
    "m = bpy.data.materials.new('m')\nm.use_nodes = True\n"
    "m.node_tree.nodes['Principled BSDF'].inputs['Specular'].default_value = 0.5": "bpy:unknown_key:specular",
    "import bmesh\nb = bmesh.new()\n"
    "bmesh.ops.create_cone(b, segments=8, diameter1=1, diameter2=0, depth=2)": "bpy:unknown_keyword:diameter1",
    "from mathutils import Matrix, Vector\nMatrix() * Vector((1, 2, 3))": "bpy:operator_mismatch:matrix_vector",
    # what a writer of scripts gets wrong in any version
    "bpy.ops.object.mode_set(mode='EDIT')": "bpy:context:object.mode_set",
    OBJECT + "it.location = (1, 2)": "bpy:wrong_length",
    OBJECT + "it.data.vertices[0].co = 3.0": "bpy:wrong_type",
    OBJECT + "it.users = 3": "bpy:read_only:users",
    OBJECT + "bpy.data.objects.remove(it)\nit.name": "bpy:removed_data",
    OBJECT + "it.modifiers.new('m', 'SUBDIVIDE')": "bpy:enum_value:subdivide",
    "bpy.data.objects['Tisch']": "bpy:unknown_key",
    "bpy.data.meshes[4]": "bpy:unknown_key",
    "import bpy_extras.nothing": "py:import_error:bpy_extras.nothing",
    "import trimesh": "py:import_error",
    "angle = radians(90)": "py:name_error",
    "print(1 / 0)": "py:zero_division_error",
    "[][1]": "py:index_error",
    "raise RuntimeError": "py:runtime_error",
    "for i in range(3:\n    pass": "py:syntax_error",
    "if True:\npass": "py:indentation_error",
    "open('nowhere.txt')": "py:file_not_found_error",
    "bpy.ops.mesh.primitive_cube_add(location=(1, 2))": "bpy:wrong_length",
}


@pytest.mark.parametrize("script", KEYS)
def test_the_key_is_that_of_the_fault_with_and_without_the_advice(stage: Stage, script: str) -> None:
    code = f"import bpy\n{script}\n"
    ran = stage.run(code)
    assert ran.error is not None
    assert ran.error.by == "Blender 5.0.1"
    bare = ran.message.partition("\n\nIn Blender ")[0]
    assert key_of(bare) == KEYS[script], bare
    assert key_of(ran.message) == KEYS[script], ran.message
    found = diagnostics(ran.message)
    assert len(found) == 1
    if not script.startswith(("for", "if")):  # of what is no Python, Python says the place
        assert found[0].line == 1 + len(script.splitlines())


def test_a_fault_is_told_from_the_outer_call_to_the_inner_one(stage: Stage) -> None:
    ran = stage.run("import bpy\n\ndef build(size):\n    bpy.nothing  # here\n\nfor i in range(3):\n    build(i)\n")
    assert ran.message.splitlines()[:4] == [
        "Traceback (most recent call last):",
        '  File "script.py", line 7, in <module>: build(i)',
        '  File "script.py", line 4, in build: bpy.nothing  # here',
        "AttributeError: module 'bpy' has no attribute 'nothing'",
    ]


def test_frames_of_blenders_own_modules_are_left_out(stage: Stage) -> None:
    ran = stage.run("import bpy\nbpy.ops.object.select_by_layer()\n")
    assert "ops.py" not in ran.message
    assert ran.message.splitlines()[1] == '  File "script.py", line 2, in <module>: bpy.ops.object.select_by_layer()'


def test_the_fault_before_the_fault_is_told_in_a_line(stage: Stage) -> None:
    code = "try:\n    {}['a']\nexcept KeyError:\n    raise ValueError('no a')\n"
    assert stage.run(code).message.splitlines()[-2:] == ["  while handling: KeyError: 'a' (line 2)", "ValueError: no a"]
    assert "while handling" not in stage.run(code.replace("no a')", "no a') from None")).message
    assert (
        "while handling: KeyError"
        in stage.run(code.replace("KeyError:", "KeyError as e:").replace("no a')", "b') from e")).message
    )


def test_endless_recursion_is_told_by_its_ends(stage: Stage) -> None:
    message = stage.run("def f(n):\n    return g(n)\n\ndef g(n):\n    return f(n + 1)\n\nf(0)\n").message
    assert re.search(r"\n  \(9\d\d more calls between\)\n", message)
    assert len(message) < 1_000
    assert key_of(message) == "py:recursion_error"


@pytest.mark.parametrize(
    "words", ["'x' * 100_000", "'\\n'.join(map(str, range(5_000)))", "'\\x00\\x1b[31m' * 9_000 + '\\ud800'"]
)
def test_a_message_is_bounded_however_long_the_fault(stage: Stage, words: str) -> None:
    message = stage.run(
        f"def f(n):\n    if n:\n        f(n - 1)\n    raise ValueError({words})  # {'y' * 500}\nf(30)\n"
    ).message
    assert len(message) <= 3_000
    assert key_of(message) == "py:value_error"
    assert not re.search(r"[\x00-\x08\x1b\ud800]", message)


def test_of_a_text_that_is_no_python_nothing_is_run(stage: Stage) -> None:
    ran = stage.run("print('first')\nfor i in range(3\n    print(i)\n")
    assert ran.message.splitlines() == [
        "The script is not valid Python; none of it was run.",
        '  File "script.py", line 2',
        "    for i in range(3",
        "                  ^",
        "SyntaxError: '(' was never closed",
    ]


@pytest.mark.parametrize("code", ["x = 1\0", "(" * 5_000 + ")" * 5_000, "é = '\udcff'"])
def test_a_text_that_python_cannot_even_read_is_the_scripts_fault(stage: Stage, code: str) -> None:
    assert "none of it was run" in stage.run(code).message


@pytest.mark.parametrize("end", ["sys.exit()", "sys.exit(0)", "raise SystemExit", "exit()", "quit()"])
def test_to_leave_is_a_normal_end(stage: Stage, end: str) -> None:
    ran = stage.run(f"import sys\nprint('done')\n{end}\nprint('not this')")
    assert ran.printed == "done\n"


@pytest.mark.parametrize(("end", "words"), [("sys.exit(3)", "SystemExit: 3"), ("sys.exit('no')", "SystemExit: no")])
def test_to_leave_as_failed_is_a_fault(stage: Stage, end: str, words: str) -> None:
    lines = stage.run(f"import sys\n{end}\n").message.splitlines()
    assert lines[-2:] == ["The script ended itself as failed; a normal end is sys.exit(0).", words]


@pytest.mark.parametrize(
    "error", ["KeyboardInterrupt", "GeneratorExit", "BaseException('b')", "type('Odd', (Exception,), {})(1)"]
)
def test_whatever_is_raised_is_the_scripts_fault(stage: Stage, error: str) -> None:
    message = stage.run(f"raise {error}").message
    assert message.startswith('Traceback (most recent call last):\n  File "script.py", line 1, in <module>: raise')


def test_a_saving_that_is_refused_comes_with_its_patch(stage: Stage) -> None:
    code = "import bpy\nif True:\n    bpy.ops.wm.save_as_mainfile(filepath='/not/there.blend')\n"
    ran = stage.run(code)
    assert ran.error is not None
    patch = CodePatch.model_validate(ran.error.patches[0])
    assert (patch.line, patch.after) == (3, "pass")
    assert stage.run(code.replace(patch.before, patch.after)).answer is not None


def test_advice_comes_under_a_heading_with_the_version(stage: Stage) -> None:
    _, _, advice = stage.run("import bpy\nbpy.context.scene.eevee.use_bloom = True\n").message.partition("\n\n")
    heading, *hints = advice.splitlines()
    assert heading == "In Blender 5.0.1:"
    assert hints
    assert all(hint.startswith("- ") for hint in hints)
