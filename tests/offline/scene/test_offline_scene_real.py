"""Scripts of the offline model in a real Blender: what they build is read back from there."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, cast

import pytest
from tests.helpers.real_parts import needs
from tests.helpers.scene_boxes import Box, holds, named

from redraft.studios.scene.offline.answers import written

pytestmark = [pytest.mark.real, pytest.mark.slow]

READER = """
import json, sys, time
import bpy

found = {}
for path in sys.argv[1:]:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    began = time.process_time()
    exec(compile(open(path).read(), path, "exec"), {"__name__": "__main__"})
    seconds = time.process_time() - began
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    clouds, points = {}, 0
    for item in bpy.data.objects:
        if item.type in {"MESH", "CURVE", "FONT"}:
            top = item
            while top.parent:
                top = top.parent
            shape = item.evaluated_get(graph)
            mesh = shape.to_mesh()
            clouds.setdefault(top.name, []).extend(tuple(shape.matrix_world @ v.co) for v in mesh.vertices)
            shape.to_mesh_clear()
    boxes = {n: [f(p[k] for p in c) for f in (min, max) for k in range(3)] for n, c in clouds.items()}
    camera = bpy.context.scene.camera
    found[path] = {"boxes": boxes, "seconds": seconds, "camera": camera.data.type}
json.dump(found, open(sys.argv[0] + ".json", "w"))
"""
BRIEFS: dict[str, list[tuple[str, str, str]]] = {
    "a wooden table with three red apples in a white bowl, soft morning light": [("bowl", "on", "table")],
    "a red car in front of a house, a tree to its left": [("car", "in front of", "house"), ("tree", "left of", "car")],
    "a cat under a table": [("cat", "under", "table")],
    "a lighthouse on a cliff by the sea at sunset": [("lighthouse", "on", "cliff")],
    "a clock above a sofa in a room": [("clock", "above", "sofa")],
    "a crab to the right of a blue zorblatt": [("crab", "right of", "zorblatt")],
    "a dog beside a pine tree": [("dog", "next to", "tree")],
}


def _built(codes: list[str], folder: Path) -> list[dict[str, Any]]:
    """What Blender holds after each script: boxes of top-level things, seconds, the camera's kind."""
    python = needs("blender")
    reader = folder / "reader.py"
    reader.write_text(READER, "utf-8")
    paths = [folder / f"{k}.py" for k in range(len(codes))]
    for path, code in zip(paths, codes, strict=True):
        path.write_text(code, "utf-8")
    command = [python, str(reader), *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads((folder / "reader.py.json").read_text("utf-8"))
    return [found[str(path)] for path in paths]


def test_scripts_build_what_was_planned(tmp_path: Path) -> None:
    plans = [written(text) for text in BRIEFS]
    for (_, plan), built, relations in zip(
        plans, _built([code for code, _ in plans], tmp_path), BRIEFS.values(), strict=True
    ):
        boxes = cast("dict[str, Box]", built["boxes"])
        for one in plan.things:
            planned = one.box
            slack = 0.06 * max(b - a for a, b in zip(planned, planned[3:], strict=False))  # wheels, facets
            assert boxes[one.name] == pytest.approx(list(planned), abs=max(0.002, slack)), one.name
        for a, relation, b in relations:
            mine, other = named(boxes, a)[0], named(boxes, b)[0]
            assert holds(relation, mine, other), (a, relation, b, mine, other)
