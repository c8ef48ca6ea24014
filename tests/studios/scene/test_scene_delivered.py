"""The `.blend` and `.glb` that a run delivers, opened elsewhere: nothing of a hostile script runs, reads or writes
there, and what a harmless one has made is in it."""

from __future__ import annotations

import json
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest
from real_parts import needs
from scene_replies import APPLE, reply_of

import redraft
from redraft.models.scripted import ScriptedModel
from redraft.record.transcript import Record
from redraft.studios.scene.blender import find_blender
from redraft.studios.scene.parse import load

pytestmark = [pytest.mark.real, pytest.mark.slow, pytest.mark.timeout(600)]

HOSTILE = Path(__file__).parent / "hostile" / "reach_out.py"
SETTINGS = {
    "loop.iterations": 1,
    "loop.repairs": 0,
    "loop.fixes": 0,
    "studios.scene.width": 96,
    "studios.scene.height": 72,
    "studios.scene.samples": 1,
    "memory": "none",
}

OPEN = """
import json, sys
import bpy
bpy.ops.wm.open_mainfile(filepath=sys.argv[1], use_scripts=False)
paths, seen = [], set()


def walk(part, place):
    key = (part.as_pointer(), part.bl_rna.identifier)
    if key in seen or part.bl_rna.identifier == "Depsgraph":
        return
    seen.add(key)
    for kind in part.bl_rna.properties:
        if kind.identifier == "rna_type":
            continue
        value = getattr(part, kind.identifier)
        if kind.type == "STRING" and kind.subtype in ("FILE_PATH", "DIR_PATH", "FILE_NAME") and value:
            paths.append(f"{place}.{kind.identifier} = {value}")
        values = [value] if kind.type == "POINTER" else value if kind.type == "COLLECTION" else []
        for each in values:
            if each is not None and (not isinstance(each, bpy.types.ID) or each.is_embedded_data):
                walk(each, f"{place}.{kind.identifier}")


blocks = {}
for kind in bpy.data.bl_rna.properties:
    if kind.type == "COLLECTION" and kind.identifier not in ("screens", "window_managers", "workspaces"):
        blocks[kind.identifier] = [each.name for each in getattr(bpy.data, kind.identifier)]
        for each in getattr(bpy.data, kind.identifier):
            walk(each, each.name)
scene = bpy.context.scene
drivers = [
    curve.driver.expression
    for each in [*bpy.data.objects, *(material.node_tree for material in bpy.data.materials)]
    if each.animation_data
    for curve in each.animation_data.drivers
]
print("FACTS" + json.dumps({
    "paths": paths,
    "blocks": blocks,
    "drivers": drivers,
    "nodes": sorted({node.bl_idname for tree in (*bpy.data.node_groups, *(m.node_tree for m in bpy.data.materials))
                     for node in tree.nodes}),
    "strips": scene.sequence_editor is not None,
    "freestyle": [layer.freestyle_settings.mode for layer in scene.view_layers],
    "cameras": [camera.type for camera in bpy.data.cameras],
    "pixels": {each.name: list(each.pixels[:4]) for each in bpy.data.images},
    "corners": {each.name: len(each.to_mesh().vertices) for each in bpy.data.objects if each.type in ("MESH", "FONT")},
    "smoothed": [each.node_group.name for o in bpy.data.objects for each in o.modifiers if each.type == "NODES"],
}))
scene.render.engine = "CYCLES"
scene.cycles.samples = 1
scene.cycles.shading_system = True
scene.render.resolution_x = scene.render.resolution_y = 16
try:
    bpy.ops.render.render(write_still=True)
except RuntimeError as error:
    print(error)
scene.frame_set(scene.frame_current + 1)
"""


def delivered(folder: Path, script: str) -> Path:
    result = redraft.scene(
        "an apple on the ground", model=ScriptedModel([reply_of(script)]), out=folder, config=SETTINGS
    )
    assert result.error is None
    assert [record.errors for record in result.iterations] == [()]
    return folder


def opened(path: Path, here: Path) -> dict[str, Any]:
    """What a Blender without scripts, and without a sandbox, has of a file when it was opened there and rendered."""
    here.mkdir()
    home = {"HOME": str(here), "TMPDIR": str(here), "PATH": "/usr/bin:/bin"}
    command = [str(find_blender().place), "-P", "-s", "-B", "-W", "ignore", "-c", OPEN, str(path)]
    output = subprocess.run(
        command, capture_output=True, text=True, timeout=240, cwd=here, env=home, check=False
    ).stdout
    return json.loads(next(line for line in output.splitlines() if line.startswith("FACTS")).removeprefix("FACTS"))


def files_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The folder of the run, and the one that its script wants to write to and read from."""
    needs("blender")
    needs("bwrap")
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "target").mkdir()
    script = HOSTILE.read_text("utf-8").replace("@@FOLDER@@", str(folder / "target"))
    return delivered(folder / "run", script), folder / "target"


def test_a_delivered_blend_runs_reads_and_writes_nothing(hostile: tuple[Path, Path], tmp_path: Path) -> None:
    run, target = hostile
    facts = opened(run / "scene.blend", tmp_path / "here")
    assert facts["paths"] == ["Bfont Regular.filepath = <builtin>"] or facts["paths"] == []
    kinds = ("texts", "libraries", "sounds", "movieclips", "cache_files")
    assert {kind: facts["blocks"][kind] for kind in kinds} == {kind: [] for kind in kinds}
    assert facts["drivers"] == []
    unwanted = ("OutputFile", "NodeScript", "TexIES", "NodeImport")
    assert [name for name in facts["nodes"] if any(word in name for word in unwanted)] == []
    assert not facts["strips"]
    assert facts["freestyle"] == ["EDITOR"]
    assert set(facts["cameras"]) == {"PERSP"}
    assert files_in(target) == []
    assert [name for name in files_in(tmp_path / "here") if "cache" not in name] == []


def test_what_was_removed_is_listed(hostile: tuple[Path, Path]) -> None:
    run, target = hostile
    removed = load(run).facts.removed
    expected = (
        "The text block 'register.py'",
        "The driver of 'Plane' (location)",
        "The node 'File Output' of 'Compositor'",
        "The node 'Script' of",
        "The node 'IES Texture' of",
        "The node 'Import OBJ' of 'Growth'",
        "The shader of the camera 'Shader'",
        "The linked 'Cone'",
        "The video sequence of 'Scene'",
        "The Freestyle script of 'ViewLayer'",
        "The fluid simulation of 'Domain'",
        "The image 'Movie'",
        "The sound 'tone.wav'",
        f"The path '{target}/mine/render' of 'Scene' (RenderSettings)",
        f"The path '{target}/others/smoke.vdb' of 'Smoke' (Volume)",
        f"The path '{target}/mine/export.obj' of 'Scene Collection' (CollectionExport)",
    )
    assert [words for words in expected if not any(sentence.startswith(f"{words} ") for sentence in removed)] == []
    warnings = Record.load(run).transcript.warnings
    assert warnings[:-1] == removed[: len(warnings) - 1]
    assert (
        warnings[-1]
        == f"{len(removed) - 5} more parts of the scene are not in scene.blend: see facts.removed in scene.json."
    )
    assert "register.py" in (run / "report.html").read_text()


def test_what_is_in_the_file_itself_stays(hostile: tuple[Path, Path], tmp_path: Path) -> None:
    facts = opened(hostile[0] / "scene.blend", tmp_path / "here")
    assert facts["pixels"] == {"Drawn": [0.0, 1.0, 0.0, 1.0], "Loaded": [0.0, 0.0, 0.0, 1.0]}
    assert {"Grown", "Changed", "Cloth", "Domain", "Plane"} <= facts["corners"].keys()


def test_what_a_harmless_script_made_stays(tmp_path: Path) -> None:
    needs("blender")
    needs("bwrap")
    fonts = sorted(Path("/usr/share/fonts").rglob("*.ttf"))
    if not fonts:
        pytest.skip("no font is installed (apt-get install fonts-dejavu)")
    more = (
        "bpy.context.view_layer.objects.active = apple\napple.select_set(True)\nbpy.ops.object.shade_auto_smooth()\n"
        "words = bpy.data.curves.new('Words', 'FONT')\nwords.body = 'apple'\n"
        f"words.font = bpy.data.fonts.load({str(fonts[0])!r})\nput('Words', words, (0, 0, 1))\n"
        "picture = bpy.data.images.new('Skin', 8, 8)\npicture.pixels = [1.0, 0.0, 0.0, 1.0] * 64\n"
        "apple.data.materials[0].node_tree.nodes.new('ShaderNodeTexImage').image = picture\n"
    )
    run = delivered(tmp_path / "run", APPLE + more)
    assert load(run).facts.removed == ()
    assert Record.load(run).transcript.warnings == ()
    facts = opened(run / "scene.blend", tmp_path / "here")
    assert facts["pixels"] == {"Skin": [1.0, 0.0, 0.0, 1.0]}
    assert facts["smoothed"] == ["Smooth by Angle"]
    assert facts["blocks"]["libraries"] == []
    assert facts["corners"]["Words"] > 20
    assert len(facts["blocks"]["fonts"]) == 2


def test_a_delivered_glb_names_no_file(hostile: tuple[Path, Path]) -> None:
    content = (hostile[0] / "scene.glb").read_bytes()
    size = struct.unpack_from("<I", content, 12)[0]
    words = content[20 : 20 + size].decode()
    assert '"uri"' not in words
    assert '"extras"' not in words
    assert str(hostile[1]) not in words
