"""Looks at real scenes, as somebody asks for them in words."""

from __future__ import annotations

import io
from collections.abc import Iterator

import numpy as np
import pytest
from blender_viewer import Viewer, open_viewer
from PIL import Image

from redraft.errors import ExecutionError
from redraft.studios.scene.execute import Wanted

pytestmark = [pytest.mark.real, pytest.mark.slow]

SCENE = """
def painted(name, colour, at, size):
    bpy.ops.mesh.primitive_cube_add(size=1, location=at)
    made = bpy.context.object
    made.name = name
    made.scale = size
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    material.node_tree.nodes['Principled BSDF'].inputs['Base Color'].default_value = (*colour, 1)
    made.data.materials.append(material)
    return made
box = painted('Red Box', (0.8, 0, 0), (0, 0, 0.5), (1, 1, 1))
painted('Green', (0, 0.6, 0), (0, 0, 0.5), (0.4, 0.4, 0.4))
blue = painted('Blue', (0, 0, 0.8), (2, 0, 0.25), (0.5, 0.5, 0.5))
part = painted('Blue.001', (0, 0, 0.8), (2, 0, 0.6), (0.2, 0.2, 0.2))
part.parent = blue
part.matrix_parent_inverse = blue.matrix_world.inverted()
"""
CAMERA = """
bpy.ops.object.camera_add(location=(0, -8, 0.5), rotation=(math.radians(90), 0, 0))
bpy.context.scene.camera = bpy.context.object
"""


@pytest.fixture(scope="module")
def viewer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewer]:
    with open_viewer(tmp_path_factory.mktemp("box")) as opened:
        yield opened


def shares(viewer: Viewer, *looks: str, script: str = SCENE + CAMERA) -> list[tuple[float, float, float]]:
    """Of each look, how much is clearly red, green, blue."""
    parts = viewer.see(script, Wanted(looks=looks, look_size=(120, 90))).parts
    return [colours(parts[f"look-{index}"]) for index in range(len(looks))]


def colours(png: bytes) -> tuple[float, float, float]:
    with Image.open(io.BytesIO(png)) as picture:
        assert picture.size == (120, 90)
        found = np.asarray(picture.convert("RGB")).astype(float)
    rest = [np.maximum(found[:, :, (i + 1) % 3], found[:, :, (i + 2) % 3]) for i in range(3)]
    red, green, blue = (float((found[:, :, i] > 1.4 * rest[i] + 8).mean()) for i in range(3))
    return red, green, blue


def test_sides(viewer: Viewer) -> None:
    front, right, left, back, top, below = shares(viewer, "front", "right", "left", "back", "top", "below")
    for seen in (front, back, top, below):
        assert seen[0] > 0.05
        assert seen[2] > 0.01
        assert seen[1] == 0
    assert right[2] > 0.05  # Blue stands before the box
    assert left[2] < 0.01
    turned, back = shares(viewer, "front | turn 90", "front | turn -90")
    assert turned[2] > 0.02
    assert back[2] < 0.01


def test_a_close_look_fills_the_picture_with_its_parts(viewer: Viewer) -> None:
    far, near = shares(viewer, "front", "front | at Blue")
    assert near[2] > 0.1
    assert near[2] > 3 * far[2]
    assert near[0] < 0.1


def test_hide_and_only_take_parts_along(viewer: Viewer) -> None:
    hidden, only, box, inner = shares(
        viewer, "front | hide blue", "front | only Blue", "front | only Red Box", "front | hide Red Box, Blue"
    )
    assert hidden[2] == 0
    assert hidden[0] > 0.2
    assert only[0] == 0
    assert only[2] > 0.2
    assert box[0] > 0.3
    assert inner[1] > 0.3


@pytest.mark.parametrize("look", ["section x 0", "left | section x 0", "section y 0", "back | section y 0"])
def test_a_section_shows_what_is_inside(viewer: Viewer, look: str) -> None:
    ((red, green, _),) = shares(viewer, f"{look} | at Red Box")
    assert red > 0.05
    assert green > 0.03


def test_a_section_beyond_everything_takes_nothing_away(viewer: Viewer) -> None:
    plain, beyond, behind = shares(viewer, "right", "section x 50", "section x -50")
    assert beyond == plain
    assert behind == (0, 0, 0)


def test_the_camera_comes_closer_from_where_it_stands(viewer: Viewer) -> None:
    plain, twice, aimed = shares(viewer, "camera", "camera | zoom 2", "camera | at Blue")
    assert twice[0] == pytest.approx(4 * plain[0], rel=0.1)
    assert aimed[2] > 4 * plain[2]


def test_three_quarter_is_from_where_most_is_seen_unless_it_is_said(viewer: Viewer) -> None:
    screen = "painted('Screen', (0.3, 0.3, 0.3), (2.6, -0.6, 0.6), (0.9, 0.9, 1.2))\n"
    free, said = shares(viewer, "at Blue", "three-quarter | at Blue", script=SCENE + screen)
    assert free[2] > 0.1
    assert said[2] < free[2] / 3


def test_lit_is_the_scenes_own_light(viewer: Viewer) -> None:
    dark = "bpy.context.scene.world.node_tree.nodes['Background'].inputs['Strength'].default_value = 0\n"
    plain, lit = shares(viewer, "front", "front | lit", script=SCENE + dark)
    assert plain[0] > 0.1
    assert lit == (0, 0, 0)


def test_looks_do_not_change_one_another(viewer: Viewer) -> None:
    looks = ("front", "front | only Blue", "section x 0", "front | lit", "at Green", "front")
    parts = viewer.see(SCENE + CAMERA, Wanted(looks=looks, look_size=(120, 90))).parts
    assert parts["look-0"] == parts["look-5"]


@pytest.mark.parametrize(
    ("look", "said"),
    [
        ("at Bleu", "no object 'Bleu'. Nearest: Blue"),
        ("hide Gren", "Nearest: Green"),
        ("sideways", "is not part of a look. Allowed are:"),
        ("camera", "the scene has none"),
        ("at Nothing Here At All", "There are: Blue"),
    ],
)
def test_what_cannot_be_looked_at_is_said(viewer: Viewer, look: str, said: str) -> None:
    with pytest.raises(ExecutionError) as raised:
        shares(viewer, look, script=SCENE)
    assert said in str(raised.value)


def test_what_has_no_surface_cannot_be_looked_at(viewer: Viewer) -> None:
    with pytest.raises(ExecutionError, match="'Camera', which has no surface"):
        shares(viewer, "at Camera")
