"""Pictures of real scenes: that they show what matters, are the same each time, and keep to what was asked."""

from __future__ import annotations

import io
import json
import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from blender_viewer import Viewer, open_viewer
from numpy.typing import NDArray
from PIL import Image

from redraft.errors import InfrastructureError
from redraft.sandbox.processes import usage_of
from redraft.studios.scene.execute import Wanted, survey
from redraft.studios.scene.settings import SceneSettings
from redraft.studios.scene.spec import VIEWS

pytestmark = [pytest.mark.real, pytest.mark.slow]

PAINTED = """
def painted(name, colour, at, size, add=bpy.ops.mesh.primitive_cube_add):
    add(location=at)
    made = bpy.context.object
    made.name = name
    made.scale = [each / 2 for each in size]
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    material.node_tree.nodes['Principled BSDF'].inputs['Base Color'].default_value = (*colour, 1)
    made.data.materials.append(material)
    return made
"""
CUBE = PAINTED + "painted('Red', (0.8, 0, 0), (0, 0, 0.5), (1, 1, 1))\n"
CAMERA = """
bpy.ops.object.camera_add(location=(0, -6, 0.5), rotation=(math.radians(90), 0, 0))
bpy.context.scene.camera = bpy.context.object
"""
SUN = "bpy.ops.object.light_add(type='SUN', rotation=(0.8, 0.2, 0))\nbpy.context.object.data.energy = 3\n"
ROOM = """
for name, at, size in (
    ('Floor', (0, 0, -0.05), (5, 4, 0.1)), ('Ceiling', (0, 0, 2.65), (5, 4, 0.1)),
    ('North', (0, 2.05, 1.3), (5, 0.1, 2.6)), ('South', (0, -2.05, 1.3), (5, 0.1, 2.6)),
    ('East', (2.55, 0, 1.3), (0.1, 4.2, 2.6)), ('West', (-2.55, 0, 1.3), (0.1, 4.2, 2.6)),
):
    painted(name, (0.5, 0.5, 0.5), at, size)
"""
SMALL = (64, 48, 4)


@pytest.fixture(scope="module")
def viewer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewer]:
    with open_viewer(tmp_path_factory.mktemp("box")) as opened:
        yield opened


def pixels(png: bytes) -> NDArray[np.int64]:
    with Image.open(io.BytesIO(png)) as picture:
        assert picture.mode == "RGB"
        return np.asarray(picture).astype(np.int64)


def red(png: bytes) -> float:
    """Share of a picture that is clearly red."""
    found = pixels(png)
    return float((found[:, :, 0] > 1.5 * found[:, :, 1:].max(axis=2)).mean())


def chunks(png: bytes) -> list[bytes]:
    found: list[bytes] = []
    place = 8
    while place < len(png):
        (size,) = struct.unpack_from(">I", png, place)
        found.append(png[place + 4 : place + 8])
        place += 12 + size
    return found


def views(viewer: Viewer, script: str) -> dict[str, bytes]:
    return viewer.see(script, Wanted(views=VIEWS, view_size=160)).parts


def test_four_views_of_the_size_that_was_asked_for_and_nothing_but_the_picture(viewer: Viewer) -> None:
    found = viewer.see(CUBE, Wanted(views=VIEWS, view_size=160, camera=SMALL)).parts
    assert set(found) == {*VIEWS, "camera"}
    assert all(pixels(found[view]).shape == (160, 160, 3) for view in VIEWS)
    assert pixels(found["camera"]).shape == (48, 64, 3)
    assert all(set(chunks(png)) == {b"IHDR", b"IDAT", b"IEND"} for png in found.values())


def test_each_view_is_from_its_side(viewer: Viewer) -> None:
    script = PAINTED + (
        "painted('Post', (0.2, 0.2, 0.2), (0, 0, 0), (1, 1, 1))\n"
        "painted('Red', (0.8, 0, 0), (0, -0.55, 0), (0.6, 0.1, 0.6))\n"
    )
    found = {view: red(png) for view, png in views(viewer, script).items()}
    assert found["front"] > 0.2
    assert found["three_quarter"] > 0.05
    assert found["side"] < 0.06
    assert found["top"] < 0.06
    side = pixels(views(viewer, script)["side"])
    rows, columns = np.nonzero(side[:, :, 0] > 1.5 * side[:, :, 1])
    assert len(rows)
    assert columns.mean() < 80  # −y is at the left of who looks from +x


def test_a_ground_and_a_sky_do_not_make_everything_tiny(viewer: Viewer) -> None:
    around = """
bpy.ops.mesh.primitive_plane_add(size=500)
bpy.ops.mesh.primitive_uv_sphere_add(radius=400)
"""
    alone, within = views(viewer, CUBE), views(viewer, CUBE + around)
    for view in VIEWS:
        assert red(within[view]) == pytest.approx(red(alone[view]), abs=0.03), view


@pytest.mark.parametrize("room", [ROOM, "painted('Room', (0.5, 0.5, 0.5), (0, 0, 1.3), (5, 4, 2.6))\n"])
def test_the_walls_of_a_room_hide_nothing(viewer: Viewer, room: str) -> None:
    found = views(viewer, CUBE + room)
    assert all(red(found[view]) > 0.1 for view in VIEWS), {view: red(found[view]) for view in VIEWS}


def test_an_empty_scene_has_views_too(viewer: Viewer) -> None:
    seen = viewer.see("pass", Wanted(facts=True, views=VIEWS, view_size=64, camera=SMALL, glb=True))
    assert seen.facts is not None
    assert seen.facts.things == seen.facts.contacts == seen.facts.rests == ()
    assert set(seen.parts) >= {*VIEWS, "camera", "glb"}


def test_the_same_job_is_the_same_bytes_also_in_a_fresh_viewer(viewer: Viewer, tmp_path: Path) -> None:
    script = CUBE + CAMERA + SUN + "bpy.ops.mesh.primitive_monkey_add(location=(2, 0, 1))\n"
    blend = viewer.blend(script)
    job = {
        "facts": True, "exposure": True, "views": [*VIEWS], "view_size": 128, "glb": True,
        "camera": {"width": 96, "height": 72, "samples": 8, "seed": 3},
        "looks": ["at Red", "camera | zoom 2", "top | lit"], "look_size": [96, 72],
    }  # fmt: skip
    first, again = viewer.ask(job, blend), viewer.ask(job, blend)
    assert first == again
    with open_viewer(tmp_path) as fresh:
        other = fresh.ask(job, blend)
    assert other.data == first.data
    assert other.blob == first.blob


def test_the_seed_is_the_noise(viewer: Viewer) -> None:
    blend = viewer.blend(CUBE + CAMERA + SUN)
    job: dict[str, Any] = {"camera": {"width": 64, "height": 48, "samples": 1, "seed": 1}}
    other = {"camera": {**job["camera"], "seed": 2}}
    assert viewer.ask(job, blend).blob != viewer.ask(other, blend).blob


def test_parts_lie_one_after_the_other(viewer: Viewer) -> None:
    answer = viewer.ask({"facts": True, "views": ["top", "front"], "view_size": 64}, viewer.blend(CUBE))
    parts: Any = answer.data["parts"]
    assert [part["name"] for part in parts] == ["triangles", "top", "front"]
    assert [part["offset"] for part in parts] == [sum(p["size"] for p in parts[:i]) for i in range(3)]
    assert sum(part["size"] for part in parts) == len(answer.blob)


@pytest.mark.parametrize("blob", [b"", b"BLENDER-v500", b"\x89PNG", os.urandom(4000)])
def test_what_is_no_scene_is_no_error_of_the_script(viewer: Viewer, blob: bytes) -> None:
    with pytest.raises(InfrastructureError, match=r"could not be viewed: .*viewer failed"):
        viewer.portal.call(survey, blob, Wanted(facts=True), SceneSettings(), viewer.box)
    assert viewer.facts(CUBE).things[0].name == "Red"


def test_a_scene_that_breaks_off_is_no_error_of_the_script(viewer: Viewer) -> None:
    blend = viewer.blend(CUBE)
    with pytest.raises(InfrastructureError):
        viewer.ask({"facts": True}, blend[: len(blend) // 3])
    assert viewer.facts(CUBE).things[0].name == "Red"


def test_nothing_in_the_file_is_run(viewer: Viewer) -> None:
    script = CUBE + (
        "text = bpy.data.texts.new('evil.py')\n"
        "text.write('import bpy\\nbpy.ops.mesh.primitive_cube_add()\\nbpy.context.object.name = \"Ran\"\\n')\n"
        "text.use_module = True\n"
        "curve = bpy.data.objects['Red'].driver_add('rotation_euler', 2)\n"
        "curve.driver.expression = '(bpy.ops.mesh.primitive_cube_add() and 0.0) if bpy.app.background else 0.0'\n"
        "curve.driver.is_valid = True\n"
    )
    assert [thing.name for thing in viewer.facts(script).things] == ["Red"]


def test_what_the_script_set_for_its_own_renders_does_not_matter(viewer: Viewer) -> None:
    settings = """
render = bpy.context.scene.render
render.resolution_x, render.resolution_y, render.resolution_percentage = 1000, 10, 10
render.pixel_aspect_x = 3
render.use_border, render.border_max_x = True, 0.2
render.film_transparent = True
render.use_stamp = True
render.image_settings.file_format = 'JPEG'
render.dither_intensity = 2
render.filepath = '/nowhere/at/all'
bpy.context.scene.cycles.samples = 1
bpy.context.scene.cycles.use_adaptive_sampling = True
"""
    wanted = Wanted(views=("front",), view_size=64, camera=SMALL)
    plain, odd = (viewer.see(CUBE + CAMERA + SUN + more, wanted).parts for more in ("", settings))
    assert plain == odd


def test_the_scripts_view_transform_and_exposure_are_kept(viewer: Viewer) -> None:
    def brightness(more: str) -> float:
        return float(pixels(viewer.see(CUBE + CAMERA + SUN + more, Wanted(camera=SMALL)).parts["camera"]).mean())

    scene = "bpy.context.scene.view_settings."
    plain = brightness(f"{scene}view_transform = 'Standard'\n")
    assert brightness(f"{scene}view_transform = 'AgX'\n") != plain
    assert brightness(f"{scene}view_transform = 'Standard'\n{scene}exposure = -3\n") < plain * 0.6


def test_exposure_tells_black_from_blown_out(viewer: Viewer) -> None:
    world = "bpy.context.scene.world.node_tree.nodes['Background'].inputs['{}'].default_value = {}\n"
    dark = viewer.see(CUBE + CAMERA + world.format("Strength", 0), Wanted(camera=SMALL)).exposure
    bright = viewer.see(
        CUBE + CAMERA + "bpy.context.scene.view_settings.view_transform = 'Standard'\n"
        + world.format("Color", (1, 1, 1, 1)) + world.format("Strength", 400), Wanted(camera=SMALL),
    ).exposure  # fmt: skip
    good = viewer.see(CUBE + CAMERA + SUN, Wanted(camera=SMALL)).exposure
    assert dark is not None
    assert bright is not None
    assert good is not None
    assert (dark.mean, dark.black, dark.blown, dark.spread) == (0, 1, 0, 0)
    assert bright.blown > 0.8
    assert bright.mean > 0.9
    assert 0.1 < good.mean < 0.9
    assert good.black < 0.1
    assert good.spread > 0.03


def test_without_a_camera_the_picture_is_from_three_quarters(viewer: Viewer) -> None:
    seen = viewer.see(CUBE + SUN, Wanted(facts=True, camera=(96, 72, 4)))
    assert seen.facts is not None
    assert seen.facts.camera is None
    assert red(seen.parts["camera"]) > 0.15


def test_the_scene_that_the_script_left_active_is_looked_at(viewer: Viewer) -> None:
    script = CUBE + (
        "other = bpy.data.scenes.new('Other')\nbpy.context.window.scene = other\n"
        "bpy.ops.mesh.primitive_cone_add()\nbpy.context.object.name = 'Cone'\n"
    )
    assert [thing.name for thing in viewer.facts(script).things] == ["Cone"]


def test_the_glb_holds_what_a_render_shows(viewer: Viewer) -> None:
    script = CUBE + CAMERA + SUN + (
        "many = bpy.data.objects['Red'].modifiers.new('Many', 'ARRAY')\nmany.count = 3\n"
        "painted('Hidden', (0, 0, 1), (3, 0, 0), (1, 1, 1)).hide_render = True\n"
    )  # fmt: skip
    seen = viewer.see(script, Wanted(glb=True, views=("three_quarter",), view_size=64, looks=("at Red", "camera")))
    glb = seen.parts["glb"]
    magic, version, size, length, kind = struct.unpack_from("<4sIII4s", glb)
    assert (magic, version, size, kind) == (b"glTF", 2, len(glb), b"JSON")
    data = json.loads(glb[20 : 20 + length])
    names = {node["name"] for node in data["nodes"]}
    assert {name.partition(".")[0].partition("_")[0] for name in names} == {"Red", "Camera", "Sun"}
    (mesh,) = data["meshes"]
    positions = data["accessors"][mesh["primitives"][0]["attributes"]["POSITION"]]
    assert positions["max"][0] - positions["min"][0] == pytest.approx(3)


def test_it_stays_level(viewer: Viewer) -> None:
    blend = viewer.blend(CUBE + CAMERA + SUN + "bpy.ops.mesh.primitive_monkey_add(location=(2, 0, 1))\n")
    job = {
        "facts": True, "exposure": True, "views": [*VIEWS], "view_size": 96, "look_size": [64, 48],
        "camera": {"width": 64, "height": 48, "samples": 1, "seed": 0}, "looks": ["at Red"], "glb": True,
    }  # fmt: skip
    held: list[int] = []
    for _ in range(3):
        for _ in range(12):
            viewer.ask(job, blend)
        held.append(usage_of(os.getpid()).memory)
    assert held[2] - held[1] < 16 << 20


def test_the_delivered_file_holds_nothing_that_runs(viewer: Viewer) -> None:
    script = CUBE + (
        "bpy.data.texts.new('evil.py').use_module = True\n"
        "curve = bpy.data.objects['Red'].driver_add('location', 2)\n"
        "curve.driver.expression = '__import__(\"os\").getpid() * 0 + 3'\n"
        "curve = bpy.data.objects['Red'].driver_add('location', 0)\n"
        "curve.driver.expression = 'frame * 0 + 2'\n"
    )
    seen = viewer.see(script, Wanted(facts=True, blend=True))
    assert seen.facts is not None
    assert seen.facts.removed == (
        "The text block 'evil.py' is not in scene.blend: it could run there.",
        "The driver of 'Red' (location) is not in scene.blend: it ran Python.",
    )
    again = viewer.ask({"facts": True}, seen.parts["blend"]).data["facts"]
    assert isinstance(again, dict)
    assert again["notes"] == again["removed"] == []
    assert [thing.name for thing in seen.facts.things] == ["Red"]


@pytest.mark.parametrize("face", ["(0, 1, 7)", "(0, 1, -1)", "(0, 1, 1)"])
def test_a_face_with_a_corner_that_does_not_exist_is_left_out_and_told_of(viewer: Viewer, face: str) -> None:
    script = (
        "mesh = bpy.data.meshes.new('Bad')\n"
        f"mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2), {face}])\n"
        "bpy.context.collection.objects.link(bpy.data.objects.new('Bad', mesh))\n"
    )
    facts = viewer.facts(script, Wanted(views=("front",), view_size=64))
    assert facts.things[0].faces == 1
    assert facts.notes[0].startswith("The mesh 'Bad' had faces or edges with corners that do not exist")


def test_a_lit_view_keeps_the_light_of_what_is_left_out_of_it(viewer: Viewer) -> None:
    script = (
        CUBE
        + CAMERA
        + """
bpy.context.scene.world.node_tree.nodes['Background'].inputs['Strength'].default_value = 0
bpy.ops.mesh.primitive_plane_add(size=4, location=(0, 0, 3))
lamp = bpy.context.object
lamp.name = 'Lamp'
shine = bpy.data.materials.new('Shine')
shine.use_nodes = True
principled = shine.node_tree.nodes['Principled BSDF'].inputs
principled['Emission Color'].default_value, principled['Emission Strength'].default_value = (1, 1, 1, 1), 5
lamp.data.materials.append(shine)
"""
    )
    looks = ("front | at Red | lit", "front | at Red | hide Lamp | lit")
    parts = viewer.see(script, Wanted(looks=looks, look_size=(64, 48))).parts
    whole, hidden = (float(pixels(parts[f"look-{n}"]).mean()) for n in range(2))
    assert whole > 0
    assert hidden == pytest.approx(whole, rel=0.1)
