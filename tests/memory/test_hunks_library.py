"""What a fix of one Blender script teaches, done to another one: words of the library, keywords, settings, paths."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from redraft.memory.fix import Fix
from redraft.memory.hunks import patched
from redraft.memory.normalize import diagnostics

NO_LINK = 'AttributeError: bpy_prop_collection: attribute "link" not found'
NO_RADIUS = 'TypeError: Converting py args to operator properties:: keyword "radius" unrecognized'
NO_DIAMETER = 'TypeError: create_cone: keyword "diameter1" is invalid for this operator'
NO_NODE = "RuntimeError: Error: Node type ShaderNodeSeparateRGB undefined"
NO_VIDEO = "TypeError: bpy_struct: item.attr = val: enum \"FFMPEG\" not found in ('PNG', 'JPEG')"
NO_CURSOR = "AttributeError: 'Scene' object has no attribute 'cursor_location'"
NO_SELECT = "AttributeError: 'Object' object has no attribute 'select'"
NO_BLOOM = "AttributeError: 'SceneEEVEE' object has no attribute 'use_bloom'"
NO_TREE = "AttributeError: 'Scene' object has no attribute 'node_tree'"
NO_CURVES = "AttributeError: 'Action' object has no attribute 'fcurves'"
NO_UNLINK = 'AttributeError: bpy_prop_collection: attribute "unlink" not found'
NO_PRODUCT = "TypeError: Element-wise multiplication: not supported between 'Matrix' and 'Vector' types"
NO_RED = "KeyError: 'bpy_prop_collection[key]: key \"R\" not found'"
NO_SPECULAR = "KeyError: 'bpy_prop_collection[key]: key \"Specular\" not found'"


@dataclass(frozen=True)
class Lesson:
    """`broken → fixed` was learnt; another program says the same at `line`, and is to become `mended` (None: stays)."""

    name: str
    said: str
    broken: str
    fixed: str
    line: int
    program: str
    mended: str | None

    @property
    def fix(self) -> Fix:
        key = diagnostics(self.said)[0].key
        fields = {"key": key, "error_msg": self.said, "broken_snippet": self.broken, "fixed_snippet": self.fixed}
        return Fix.model_validate({**fields, "timestamp": "2026-01-01T00:00:00Z"})

    @property
    def outcome(self) -> str | None:
        message = f'Traceback (most recent call last):\n  File "script.py", line {self.line}, in <module>\n{self.said}'
        return patched(self.program, diagnostics(message)[0], self.fix)


LESSONS = [
    Lesson(
        "a path is put right wherever it stands, with other names in its call",
        NO_LINK,
        "scene.objects.link(obj)",
        "scene.collection.objects.link(obj)",
        1,
        "scene.objects.link(cam)\ngroup.objects.link(cam)\nscene.objects.link(lamp)\n",
        "scene.collection.objects.link(cam)\ngroup.objects.link(cam)\nscene.collection.objects.link(lamp)\n",
    ),
    Lesson(
        "keywords of a call over many lines, and of the next call of the same function",
        NO_DIAMETER,
        "bmesh.ops.create_cone(bm, diameter1=0.5, diameter2=0.0, depth=2.0)",
        "bmesh.ops.create_cone(bm, radius1=0.5, radius2=0.0, depth=2.0)",
        2,
        "import bmesh\nbmesh.ops.create_cone(\n    bm,\n    segments=8,\n    cap_ends=True,\n    depth=h,\n"
        "    diameter1=r,\n)\nbmesh.ops.create_cone(bm, diameter1=1)\nbm.other(diameter1=1)\n",
        "import bmesh\nbmesh.ops.create_cone(\n    bm,\n    segments=8,\n    cap_ends=True,\n    depth=h,\n"
        "    radius1=r,\n)\nbmesh.ops.create_cone(bm, radius1=1)\nbm.other(diameter1=1)\n",
    ),
    Lesson(
        "a keyword's value goes into the same formula",
        NO_RADIUS,
        "bpy.ops.mesh.primitive_cube_add(radius=r, location=(0, 0, r))",
        "bpy.ops.mesh.primitive_cube_add(size=2 * r, location=(0, 0, r))",
        1,
        "bpy.ops.mesh.primitive_cube_add(location=(0, 0, 0), radius=h + 1)\nprimitive_cube_add(radius=0.5)\n",
        "bpy.ops.mesh.primitive_cube_add(location=(0, 0, 0), size=2 * (h + 1))\nprimitive_cube_add(size=2 * 0.5)\n",
    ),
    Lesson(
        "but not the keyword of another function",
        NO_RADIUS,
        "bpy.ops.mesh.primitive_cube_add(radius=r)",
        "bpy.ops.mesh.primitive_cube_add(size=2 * r)",
        1,
        "bpy.ops.mesh.primitive_torus_add(radius=3)\n",
        None,
    ),
    Lesson(
        "a node's type by the text alone, wherever the program has it, in its own quotation marks",
        NO_NODE,
        "split = tree.nodes.new(type='ShaderNodeSeparateRGB')",
        "split = tree.nodes.new(type='ShaderNodeSeparateColor')",
        1,
        'a = nodes.new("ShaderNodeSeparateRGB")\nKINDS = ["ShaderNodeSeparateRGB"]\n',
        'a = nodes.new("ShaderNodeSeparateColor")\nKINDS = ["ShaderNodeSeparateColor"]\n',
    ),
    Lesson(
        "a key of a socket on the line alone: another node may have it",
        NO_SPECULAR,
        "bsdf.inputs['Specular'].default_value = 0.2",
        "bsdf.inputs['Specular IOR Level'].default_value = 0.2",
        1,
        'shader.inputs["Specular"].default_value = amount\nother.inputs["Specular"].default_value = 1\n',
        'shader.inputs["Specular IOR Level"].default_value = amount\nother.inputs["Specular"].default_value = 1\n',
    ),
    Lesson(
        "a setting that must come first is made of the thing at hand",
        NO_VIDEO,
        "",
        "scene.render.image_settings.media_type = 'VIDEO'",
        2,
        "def output(settings):\n    settings.file_format = 'FFMPEG'\n",
        "def output(settings):\n    settings.media_type = 'VIDEO'\n    settings.file_format = 'FFMPEG'\n",
    ),
    Lesson(
        "and not twice",
        NO_VIDEO,
        "",
        "scene.render.image_settings.media_type = 'VIDEO'",
        2,
        "s.media_type = 'VIDEO'\ns.file_format = 'FFMPEG'\n",
        None,
    ),
    Lesson(
        "a line that was added and is no plain setting is not made up for another program",
        NO_VIDEO,
        "",
        "prepare(scene.render)",
        1,
        "s.file_format = 'FFMPEG'\n",
        None,
    ),
    Lesson(
        "a key, and the other keys of the same thing that the fix knows",
        NO_RED,
        'links.new(x.outputs["X"], rgb.inputs["R"])\nlinks.new(x.outputs["Y"], rgb.inputs["G"])',
        'links.new(x.outputs["X"], rgb.inputs["Red"])\nlinks.new(x.outputs["Y"], rgb.inputs["Green"])',
        1,
        "c.inputs['R'].default_value = 1\nc.inputs['G'].default_value = 1\nd.inputs['G'].default_value = 1\n",
        "c.inputs['Red'].default_value = 1\nc.inputs['Green'].default_value = 1\nd.inputs['G'].default_value = 1\n",
    ),
    Lesson(
        "the same thing is asked elsewhere, whatever the form, wherever it is asked by the same words",
        NO_CURSOR,
        "scene.cursor_location = saved",
        "scene.cursor.location = saved",
        1,
        "add(location=bpy.context.scene.cursor_location)\nbpy.context.scene.cursor_location.x = 2\n",
        "add(location=bpy.context.scene.cursor.location)\nbpy.context.scene.cursor.location.x = 2\n",
    ),
    Lesson(
        "an assignment becomes a call with what was assigned",
        NO_SELECT,
        "obj.select = True",
        "obj.select_set(True)",
        2,
        "for ob in things:\n    ob.select = ob in (a, b)\n",
        "for ob in things:\n    ob.select_set(ob in (a, b))\n",
    ),
    Lesson(
        "but a reading does not",
        NO_SELECT,
        "obj.select = True",
        "obj.select_set(True)",
        1,
        "if ob.select: pass\n",
        None,
    ),
    Lesson(
        "what was left out is left out",
        NO_BLOOM,
        "scene.eevee.use_bloom = True",
        "pass",
        2,
        "if fine:\n    bpy.context.scene.eevee.use_bloom = bloom\n",
        "if fine:\n    pass\n",
    ),
    Lesson(
        "unless a call would be lost",
        NO_BLOOM,
        "scene.eevee.use_bloom = True",
        "pass",
        1,
        "scene.eevee.use_bloom = ask()\n",
        None,
    ),
    Lesson(
        "a line goes before, and the path behind it is put right further down as well",
        NO_TREE,
        "tree = scene.node_tree",
        "scene.group = scene.group or made()\ntree = scene.group",
        2,
        "if True:\n    nodes = bpy.context.scene.node_tree.nodes\n    links = bpy.context.scene.node_tree.links\n",
        "if True:\n    bpy.context.scene.group = bpy.context.scene.group or made()\n"
        "    nodes = bpy.context.scene.group.nodes\n    links = bpy.context.scene.group.links\n",
    ),
    Lesson(
        "the thing may be asked twice",
        NO_CURVES,
        "for curve in cube.animation_data.action.fcurves:",
        "for curve in cube.animation_data.action.bags(cube.animation_data.action.slots[0]).fcurves:",
        1,
        "curve = act.fcurves.find('location')\n",
        "curve = act.bags(act.slots[0]).fcurves.find('location')\n",
    ),
    Lesson(
        "but where something new is made, a fix of what only looks is none",
        NO_CURVES,
        "for curve in action.fcurves:",
        "for curve in action.bags(action.slots[0]).fcurves:",
        1,
        "curve = act.fcurves.new('location')\n",
        None,
    ),
    Lesson(
        "a call becomes a statement about its argument",
        NO_UNLINK,
        "scene.objects.unlink(ob)",
        "for c in list(ob.users_collection): c.objects.unlink(ob)",
        1,
        "bpy.context.scene.objects.unlink(cutter)\n",
        "for c in list(cutter.users_collection): c.objects.unlink(cutter)\n",
    ),
    Lesson(
        "never where it would be no Python",
        NO_UNLINK,
        "scene.objects.unlink(ob)",
        "for c in list(ob.users_collection): c.objects.unlink(ob)",
        1,
        "done = bpy.context.scene.objects.unlink(cutter)\n",
        None,
    ),
    Lesson(
        "a sign is replaced, but not beside a number",
        NO_PRODUCT,
        "points = [world * v.co for v in vertices]",
        "points = [world @ v.co for v in vertices]",
        1,
        "offset = cam.matrix_world * Vector((0, 0, 1)) * 2\n",
        "offset = cam.matrix_world @ Vector((0, 0, 1)) * 2\n",
    ),
]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_a_fix_serves_another_script(lesson: Lesson) -> None:
    assert lesson.outcome == lesson.mended
