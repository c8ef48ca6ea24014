"""Exceptions to keys: Python's own as they are raised here, and what Blender 5.0.1 said of scripts for older ones."""

from __future__ import annotations

import json
import traceback
from collections import defaultdict
from pathlib import Path

import pytest

from redraft.fixes.normalize import CATEGORIES, diagnostics, key_of

OBSERVED = json.loads((Path(__file__).parents[1] / "data" / "bpy_errors.json").read_text(encoding="utf-8"))["errors"]

KEYS = {
    "scene.objects.link -> collection.objects.link (2.80)": "bpy:no_attribute:link",
    "primitive_cube_add(radius=) -> size= (2.80)": "bpy:unknown_keyword:radius",
    "scene.objects.unlink -> collection/data.remove (2.80)": "bpy:no_attribute:unlink",
    "Action.fcurves -> layered actions/channelbags (5.0)": "bpy:no_attribute:fcurves",
    "Scene.node_tree -> compositing_node_group (5.0)": "bpy:no_attribute:node_tree",
    "CombineRGB/SeparateRGB -> CombineColor/SeparateColor (removed 5.0)": "bpy:unknown_node:shadernodecombinergb",
    "view look names prefixed with AgX (4.0)": "bpy:enum_value:very_high_contrast",
    "eevee.use_bloom removed (4.2)": "bpy:no_attribute:use_bloom",
    "file_format FFMPEG needs image_settings.media_type=VIDEO (5.0)": "bpy:enum_value:ffmpeg",
    "layers operators removed (2.80)": "bpy:unknown_operator:object.select_by_layer",
    "WorldLighting AO removed (2.80/4.2)": "bpy:no_attribute:use_ambient_occlusion",
    "bmesh create_cone diameter1 -> radius1 (3.0)": "bpy:unknown_keyword:diameter1",
    "Principled Specular -> Specular IOR Level (4.0)": "bpy:unknown_key:specular",
    "scene.cursor_location -> scene.cursor.location (2.80)": "bpy:no_attribute:cursor_location",
    "matrix * vector -> @ (2.80)": "bpy:operator_mismatch:matrix_vector",
}


@pytest.mark.parametrize("case", OBSERVED, ids=lambda case: case["api_change"])
def test_what_blender_said(case: dict[str, str]) -> None:
    assert key_of(f"{case['error_type']}: {case['message']}") == KEYS[case["api_change"]]


def test_one_change_has_one_key_and_two_have_two() -> None:
    changes: defaultdict[str, set[str]] = defaultdict(set)
    for case in OBSERVED:
        changes[key_of(f"{case['error_type']}: {case['message']}")].add(case["api_change"])
    assert all(len(found) == 1 for found in changes.values())
    assert len(changes) == len({case["api_change"] for case in OBSERVED})


def raised(source: str) -> str:
    """The traceback of a script."""
    try:
        exec(compile(source, "<string>", "exec"), {})
    except Exception:
        return traceback.format_exc()
    raise AssertionError(f"{source!r} raised nothing")


@pytest.mark.parametrize(
    ("source", "key", "token"),
    [
        ("radius = 1\nx = radios", "py:name_error", "radios"),
        ("x = math.pi", "py:name_error:math", "math"),
        ("class Tree: pass\nTree().leaf", "py:attribute_error", "Tree"),
        ("[].add(1)", "py:attribute_error:list.add", "list"),
        ("None.data", "py:attribute_error:nonetype", "NoneType"),
        ("import math\nmath.sine(1)", "py:attribute_error:math.sine", "math"),
        ("def f(a): pass\nf(size=1)", "py:type_error:unexpected_keyword", "size"),
        ("def f(a): pass\nf()", "py:type_error:missing_argument", "a"),
        ("def f(a): pass\nf(1, 2)", "py:type_error:argument_count", ""),
        ("x = 1\nx()", "py:type_error:not_callable", "int"),
        ("x = None\nx[0]", "py:type_error:not_subscriptable", "NoneType"),
        ("for i in 5: pass", "py:type_error:not_iterable", "int"),
        ("a, b = 1", "py:type_error:not_iterable", ""),
        ("1 + 'a'", "py:type_error:operand_types", "int"),
        ("x = 'a'\n[1][x]", "py:type_error:index_type", ""),
        ("import tree_helpers", "py:import_error", "tree_helpers"),
        ("from math import sine", "py:import_error:math.sine", "sine"),
        ("x = (1,", "py:syntax_error", "("),
        ("if True:\nx = 1", "py:indentation_error", "if"),
        ("[1][5]", "py:index_error", ""),
        ("{}['a']", "py:key_error", "a"),
        ("int('x')", "py:value_error", "x"),
        ("1 / 0", "py:zero_division_error", ""),
        ("open('/nowhere/at/all')", "py:file_not_found_error", "/nowhere/at/all"),
        ("assert 1 > 2, 'no'", "py:assertion_error", ""),
        ("class OwnError(Exception): pass\nraise OwnError('odd')", "py:exception", ""),
        ("def f(): f()\nf()", "py:recursion_error", ""),
    ],
)
def test_pythons_own(source: str, key: str, token: str) -> None:
    (found,) = diagnostics(raised(source))
    assert found.key == key
    if token:
        assert found.token == token
    assert ":".join(found.key.split(":")[:2]) in CATEGORIES


@pytest.mark.parametrize(
    ("message", "key"),
    [
        ('TypeError: Converting py args to operator properties:: enum "BLENDER_EEVEE_NEXT" not found in (\'A\')',
         "bpy:enum_value:blender_eevee_next"),
        ("AttributeError: module 'bpy.types' has no attribute 'Lamp'", "bpy:no_attribute:lamp"),
        ("AttributeError: 'BlendData' object has no attribute 'lamps'", "bpy:no_attribute:lamps"),
        ("AttributeError: 'ShaderNodeTree' object has no attribute 'inputs'", "bpy:no_attribute:inputs"),
        ('AttributeError: bpy_struct: attribute "name" from "Object" is read-only', "bpy:read_only:name"),
        ("RuntimeError: Operator bpy.ops.mesh.bevel.poll() failed, context is incorrect", "bpy:context:mesh.bevel"),
        ("KeyError: 'bpy_prop_collection[key]: key \"Grandma\\'s lamp\" not found'", "bpy:unknown_key"),
        ("ReferenceError: StructRNA of type Object has been removed", "bpy:removed_data"),
        ("TypeError: unsupported operand type(s) for *: 'Matrix' and 'Vector'", "bpy:operator_mismatch:matrix_vector"),
        ("RuntimeError: Error: Cannot join, no active object", "bpy:operator_error"),
        ("RuntimeError: something else", "py:runtime_error"),
        ("AttributeError: 'Robot' object has no attribute 'arm'", "py:attribute_error"),
    ],
)  # fmt: skip
def test_more_of_blenders_messages(message: str, key: str) -> None:
    """Forms known from Blender's source and documentation; not produced here."""
    assert key_of(message) == key


def test_the_innermost_line_of_the_script() -> None:
    (found,) = diagnostics(raised("import json\ndef read():\n    return json.loads('{')\n\nread()"))
    assert found.line == 3
    assert found.key == "py:exception"


def test_the_line_of_a_syntax_error() -> None:
    (found,) = diagnostics(raised("x = 1\ny = 2 +\n"))
    assert (found.key, found.line) == ("py:syntax_error", 2)


def test_a_script_in_a_file() -> None:
    message = (
        "Traceback (most recent call last):\n"
        '  File "/opt/worker/main.py", line 90, in run\n    exec(code, scope)\n'
        '  File "/scratch/x1/script.py", line 102, in <module>\n    bmesh.ops.create_cone(bm, diameter1=1)\n'
        '  File "/usr/lib/python3.11/site-packages/bpy/4/scripts/modules/bpy/ops.py", line 117, in __call__\n'
        'TypeError: create_cone: keyword "diameter1" is invalid for this operator\n'
    )
    (found,) = diagnostics(message)
    assert (found.key, found.line, found.token) == ("bpy:unknown_keyword:diameter1", 102, "diameter1")


def test_of_a_chain_the_last_exception_counts() -> None:
    source = "try:\n    {}['a']\nexcept KeyError:\n    [1][5]\n"
    (found,) = diagnostics(raised(source))
    assert (found.key, found.line) == ("py:index_error", 4)
    source = "try:\n    {}['a']\nexcept KeyError as error:\n    raise ValueError('no a') from error\n"
    (found,) = diagnostics(raised(source))
    assert (found.key, found.line) == ("py:value_error", 4)


def test_messages_of_several_lines() -> None:
    (found,) = diagnostics(raised("raise RuntimeError('Error: first\\nsecond: third')"))
    assert found.key == "bpy:operator_error"
    assert found.text.endswith("second: third")


def test_prose_is_no_exception() -> None:
    for text in ("Note: all is well", "ran longer than 20 s and was stopped", "Warning: deprecated", "Tree: oak"):
        assert diagnostics(text) == []


@pytest.mark.parametrize(
    ("said", "key"),
    [
        ("AttributeError: 'module' object has no attribute 'Objekt'", "bpy:no_attribute:objekt"),
        ('AttributeError: bpy_struct: Context property "object" is read-only', "bpy:read_only:object"),
        ('TypeError: ObjectModifiers.new(): required parameter "type" not specified', "bpy:missing_argument:type"),
        ("ValueError: 1-2 args execution context is supported", "bpy:context_argument"),
        (
            'AttributeError: BMeshOpsModule: operator "create_cubes" doesn\'t exist',
            "bpy:unknown_operator:create_cubes",
        ),
        (
            'TypeError: CollectionObjects.link(): error with argument 1, "object" -  Function.object expected a Object '
            "type, not str",
            "bpy:wrong_type",
        ),
        (
            'TypeError: ObjectModifiers.new(): error with argument 2, "type" -  enum "BEVELL" not found in (\'BEVEL\')',
            "bpy:enum_value:bevell",
        ),
        ("AttributeError: 'NodeGroupOutput' object has no attribute 'use_alpha'", "bpy:no_attribute:use_alpha"),
        ("AttributeError: 'MeshVertices' object has no attribute 'append'", "bpy:no_attribute:append"),
        ("KeyError: 'bpy_prop_collection[key]: key \"R\" not found'", "bpy:unknown_key:r"),
        ("KeyError: 'bpy_prop_collection[key]: key \"Old barn\" not found'", "bpy:unknown_key"),
    ],
)
def test_what_else_blender_says(said: str, key: str) -> None:
    assert key_of(said) == key
    assert key.rpartition(":")[0] in CATEGORIES or key in CATEGORIES


def test_advice_under_an_exception_is_no_part_of_it() -> None:
    said = "AttributeError: 'Mesh' object has no attribute 'calc_normals'"
    advised = f"{said}\n\nIn Blender 5.0.1:\n- `Mesh` has no `calc_normals` since 4.0; leave it out"
    assert diagnostics(advised) == diagnostics(said)
