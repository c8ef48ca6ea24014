"""Placing in a real Blender: what is appended or imported, what is left out, and that nothing of a file runs."""

from __future__ import annotations

import ast
import json
import struct
import subprocess
import threading
import time
import zipfile
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from open_blender import OpenBlender, background, window
from real_parts import needs

from redraft.errors import SendError
from redraft.studios.scene.send import connection_file, send
from redraft.studios.scene.setup import ADDON, write_addon

MAKE = """
scene = bpy.data.scenes.new("Made")
inner = bpy.data.collections.new("Fruit")
scene.collection.children.link(inner)
apple = bpy.data.objects.new("Apple", bpy.data.meshes.new("Apple"))
inner.objects.link(apple)
lamp = bpy.data.objects.new("Lamp", bpy.data.lights.new("Lamp", "SUN"))
scene.collection.objects.link(lamp)
scene.world = bpy.data.worlds.new("Sky")
{more}
bpy.data.libraries.write({path!r}, {{scene, *{also}}})
bpy.data.batch_remove([scene, inner, apple, lamp, scene.world, apple.data, lamp.data])
for text in list(bpy.data.texts):
    bpy.data.texts.remove(text)
"""
DATA = "answer = sorted(f'{type(each).__name__} {each.name}' for each in bpy.data.user_map())"
DRIVERS = """
for index, expression in enumerate(("__import__('pathlib').Path({marker!r}).write_text('ran') * 0.0", "frame * 2")):
    driver = {owner}.driver_add("location", index).driver
    driver.type, driver.expression = "SCRIPTED", expression
"""


def made(blender: OpenBlender, path: Path, more: str = "", also: str = "()") -> Path:
    """A `.blend` with an apple in a collection, a lamp in none, and a world; from that Blender, which forgets it."""
    answer = blender.do(MAKE.format(path=str(path), more=more, also=also))
    assert answer is None, answer
    return path


def glb(path: Path, **more: Any) -> Path:
    """A triangle called Leaf."""
    numbers = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
    view = {"buffer": 0, "byteLength": len(numbers)}
    accessor = {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]}
    described: dict[str, Any] = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "Leaf", "mesh": 0}],
        "meshes": [{"name": "Leaf", "primitives": [{"attributes": {"POSITION": 0}}]}],
        "buffers": [{"byteLength": len(numbers)}],
        "bufferViews": [view],
        "accessors": [accessor],
    } | more
    text = json.dumps(described).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(numbers), b"BIN\0") + numbers
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)
    return path


@pytest.fixture(scope="module")
def blender(tmp_path_factory: pytest.TempPathFactory) -> Generator[OpenBlender]:
    """One Blender for all tests of this module, whose settings are in a home of its own."""
    folder = tmp_path_factory.mktemp("blender")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
            patch.setenv(name, str(folder))
        with background(folder) as opened:
            opened.home = folder
            yield opened


@pytest.fixture(autouse=True)
def same_home(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """redraft looks for the connection in the home of that Blender, whose scene is empty at first."""
    if "blender" in request.fixturenames:
        opened: OpenBlender = request.getfixturevalue("blender")
        monkeypatch.setenv("XDG_CONFIG_HOME", str(opened.home))
        opened.do("bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)")


@pytest.mark.real
def test_all_of_the_scene_is_appended_and_nothing_else(blender: OpenBlender, tmp_path: Path) -> None:
    file, before = made(blender, tmp_path / "made.blend"), blender.do(DATA)
    sent = send({"blend": file}, "../a/red apple")
    assert sent.model_dump() == {
        "collection": "a red apple",
        "objects": ("Apple", "Lamp"),
        "count": 2,
        "how": "append",
        "blender": sent.blender,
        "left_out": (),
        "reason": "",
    }
    tree = "c = bpy.context.scene.collection.children['a red apple']\n"
    tree += "answer = [[o.name for o in c.objects], [[o.name for o in i.objects] for i in c.children]]"
    assert blender.do(tree) == [["Lamp"], [["Apple"]]]
    assert set(blender.do(DATA)) - set(before) == {
        "Collection Fruit",
        "Collection a red apple",
        "Mesh Apple",
        "Object Apple",
        "Object Lamp",
        "SunLight Lamp",
    }
    assert send({"blend": file}, "a red apple").collection == "a red apple.001"


@pytest.mark.real
def test_nothing_of_a_file_runs(blender: OpenBlender, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    hostile = DRIVERS.format(owner="apple", marker=str(marker))
    code = f"open({str(marker)!r}, 'w')"
    hostile += f"text = bpy.data.texts.new('rig.py')\ntext.write({code!r})\ntext.use_module = True\n"
    hostile += "apple['text'] = text"
    file = made(blender, tmp_path / "made.blend", hostile, "(text,)")
    # Here drivers do run: one that was made by hand leaves the mark.
    trusted = "bpy.context.preferences.filepaths.use_scripts_auto_execute = True\n"
    own = "o = bpy.data.objects.new('Own', None)\nbpy.context.scene.collection.objects.link(o)\n"
    update = "bpy.context.view_layer.update()\nbpy.context.scene.frame_set(7)\n"
    blender.do(trusted + own + DRIVERS.format(owner="o", marker=str(marker)) + update + "bpy.data.objects.remove(o)")
    assert marker.exists()
    marker.unlink()
    sent = send({"blend": file})
    assert sent.left_out == ("driver of Apple (location)", "text block rig.py")
    found = blender.do(update + "a = bpy.data.objects['Apple']\nanswer = [len(bpy.data.texts), a.location[1]]")
    assert found == [0, 14.0], "a driver that is plain arithmetic stays"
    assert not marker.exists()


@pytest.mark.real
def test_a_blend_that_links_to_other_files_is_refused(blender: OpenBlender, tmp_path: Path) -> None:
    other = made(blender, tmp_path / "other.blend")
    link = (
        f"with bpy.data.libraries.load({str(other)!r}, link=True) as (source, target):\n    target.objects = ['Lamp']\n"
    )
    file = made(blender, tmp_path / "made.blend", link + "scene.collection.objects.link(target.objects[0])")
    blender.do("bpy.ops.wm.read_homefile(use_empty=True)")
    before = blender.do(DATA)
    with pytest.raises(SendError, match="links to other files"):
        send({"blend": file})
    assert blender.do(DATA) == before


@pytest.mark.real
@pytest.mark.parametrize("content", [b"BLENDER17-01v0999REND" + bytes(200), b"BLENDER-v999REND" + bytes(200)])
def test_a_blend_that_cannot_be_read_is_sent_as_glb(blender: OpenBlender, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "scene.blend").write_bytes(content)
    glb(tmp_path / "scene.glb")
    sent = send(tmp_path)
    assert (sent.how, sent.objects) == ("import", ("Leaf",))
    assert sent.reason.startswith("Blender 5.0.1 ")
    assert blender.do("answer = [c.name for c in bpy.data.objects['Leaf'].users_collection]") == [sent.collection]


@pytest.mark.real
def test_a_newer_blend_is_refused_before_it_is_loaded(blender: OpenBlender, tmp_path: Path) -> None:
    file = made(blender, tmp_path / "made.blend")
    file.write_bytes(file.read_bytes().replace(b"BLENDER17-01v0500", b"BLENDER17-01v0501", 1))
    before = blender.do(DATA)
    with pytest.raises(SendError, match=r"5\.0\.1 does not read a \.blend of Blender 5\.1"):
        send({"blend": file})
    assert blender.do(DATA) == before


@pytest.mark.real
@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"images": [{"uri": "../../secret.png"}]}, "refers to other files: '../../secret.png'"),
        ({"buffers": [{"uri": "file:///etc/passwd", "byteLength": 36}]}, "refers to other files"),
        ({"meshes": [7]}, "could not place it: "),
        ({"buffers": 7}, "is damaged"),
    ],
)
def test_a_glb_that_is_refused_leaves_nothing(
    blender: OpenBlender, tmp_path: Path, more: dict[str, Any], said: str
) -> None:
    before = blender.do(DATA)
    with pytest.raises(SendError) as refused:
        send({"glb": glb(tmp_path / "scene.glb", **more)})
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
    assert blender.do(DATA) == before


@pytest.mark.real
def test_what_is_being_edited_is_left_alone(blender: OpenBlender, tmp_path: Path) -> None:
    file = made(blender, tmp_path / "made.blend")
    blender.do("bpy.ops.mesh.primitive_cube_add()\nbpy.ops.object.mode_set(mode='EDIT')")
    with pytest.raises(SendError, match=r"Cube is being edited in Blender\. Change to Object Mode"):
        send({"blend": file})
    blender.do("bpy.ops.object.mode_set(mode='OBJECT')")
    assert send({"blend": file}).count == 2


@pytest.mark.real
def test_two_at_once(blender: OpenBlender, tmp_path: Path) -> None:
    file = made(blender, tmp_path / "made.blend")
    senders = [threading.Thread(target=send, args=({"blend": file}, name)) for name in ("one", "two")]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    assert blender.objects() == ["Apple", "Apple.001", "Lamp", "Lamp.001"]
    assert blender.do("answer = sorted(c.name for c in bpy.context.scene.collection.children)") == ["one", "two"]


@pytest.mark.real
def test_stopping_and_disabling_leave_nothing_behind(tmp_path: Path) -> None:
    with background(tmp_path) as opened:
        assert connection_file().stat().st_mode & 0o777 == 0o600
        opened.do("bpy.ops.redraft.listen()")
        assert not connection_file().exists()
        opened.do("bpy.ops.redraft.listen()")
        assert connection_file().exists()
        opened.do("bpy.ops.redraft.listen()")
        started = "import sys\nname = 'bl_ext.user_default.redraft_addon'\n"
        started += "bpy.context.preferences.addons[name].preferences.start = True\n"
        opened.do(started + "sys.modules[name]._start_with_blender()")
        assert connection_file().exists()
        opened.do("bpy.ops.preferences.addon_disable(module='bl_ext.user_default.redraft_addon')")
        assert not connection_file().exists()


def sleep(opened: OpenBlender) -> None:
    with pytest.raises((AssertionError, ValueError)):  # it never answers
        opened.do("import time\ntime.sleep(60)")


@pytest.mark.real
def test_blender_is_closed_in_the_middle(tmp_path: Path) -> None:
    with background(tmp_path) as opened:
        file = made(opened, tmp_path / "made.blend")
        busy = threading.Thread(target=sleep, args=(opened,))
        busy.start()
        threading.Timer(1.0, opened.process.kill).start()
        began = time.monotonic()
        with pytest.raises(SendError, match=r"was not placed, as far as is known.* If Blender was closed, open it"):
            send({"blend": file})
        assert time.monotonic() - began < 20
        busy.join()
        with pytest.raises(SendError, match="Blender no longer listens at"):
            send({"blend": file})
    assert file.exists()


@pytest.mark.real
@pytest.mark.slow
def test_an_older_blender_with_a_window_imports_the_glb_and_undoes_it_in_one_step(tmp_path: Path) -> None:
    with window(tmp_path) as opened:
        before = opened.objects()
        (tmp_path / "scene.blend").write_bytes(b"BLENDER17-01v0500REND" + bytes(200))
        glb(tmp_path / "scene.glb")
        sent = send(tmp_path, "leaf")
        assert (sent.collection, sent.objects, sent.how) == ("leaf", ("Leaf",), "import")
        assert sent.reason == f"Blender {sent.blender} cannot read this .blend."
        own = tmp_path / "own.blend"
        opened.do(f"bpy.data.libraries.write({str(own)!r}, {{bpy.context.scene}}, compress=True)")
        assert send({"blend": own}).how == "append"
        undo = "with bpy.context.temp_override(window=bpy.context.window_manager.windows[0]):\n    bpy.ops.ed.undo()"
        opened.do(undo)
        assert opened.objects() == sorted([*before, "Leaf"])
        opened.do(undo)
        assert opened.objects() == before
        assert "leaf" not in opened.do("answer = [each.name for each in bpy.data.collections]")


@pytest.mark.real
def test_the_extension_is_what_blenders_own_tool_builds_and_finds_valid(tmp_path: Path) -> None:
    python = needs("blender")
    find = "import bpy; print(bpy.utils.system_resource('SCRIPTS', path='addons_core/bl_pkg/cli'))"
    found = subprocess.run([python, "-c", find], capture_output=True, text=True, timeout=60, check=True).stdout
    tool = [python, str(Path(found.strip().splitlines()[-1]) / "blender_ext.py")]
    (tmp_path / "built").mkdir()
    extension, legacy = write_addon(tmp_path)
    subprocess.run([*tool, "build", "--source-dir", ADDON, "--output-dir", tmp_path / "built"], timeout=60, check=True)
    ran = subprocess.run([*tool, "validate", extension], capture_output=True, text=True, timeout=60, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert contents(extension) == contents(tmp_path / "built" / extension.name)
    files = {f"redraft_addon/{name}": content for name, content in contents(extension).items()}
    del files["redraft_addon/blender_manifest.toml"]
    assert contents(legacy) == files


def contents(package: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(package) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_add_on_is_python_of_its_oldest_blender() -> None:
    for path in ADDON.glob("*.py"):
        ast.parse(path.read_text("utf-8"), feature_version=(3, 9))
