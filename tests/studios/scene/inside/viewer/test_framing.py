"""What a view is framed on, and where its camera stands."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from redraft.studios.scene.inside.viewer.framing import CORNERS, VIEW_AXES, focus, is_flat, stand, turned
from redraft.studios.scene.inside.viewer.raster import Array


def box(*numbers: float) -> Array:
    return np.array(numbers, float).reshape(2, 3)


TABLE = box(-0.7, -0.4, 0, 0.7, 0.4, 0.75)
CUP = box(0.2, -0.1, 0.75, 0.3, 0, 0.85)
GROUND = box(-50, -50, 0, 50, 50, 0)
DOME = box(-80, -80, -80, 80, 80, 80)
FLOOR = box(-2.5, -2, -0.1, 2.5, 2, 0)
WALLS = {
    "n": box(-2.5, 2, 0, 2.5, 2.1, 2.6),
    "s": box(-2.5, -2.1, 0, 2.5, -2, 2.6),
    "w": box(-2.6, -2, 0, -2.5, 2, 2.6),
    "e": box(2.5, -2, 0, 2.6, 2, 2.6),
}


def test_a_ground_and_a_sky_are_not_what_matters() -> None:
    found, names = focus({"table": TABLE, "cup": CUP, "ground": GROUND, "dome": DOME})
    assert names == {"table", "cup"}
    np.testing.assert_allclose(found, box(-0.7, -0.4, 0, 0.7, 0.4, 0.85))


def test_the_walls_of_a_room_are_not_what_matters_but_the_furniture_is() -> None:
    sofa = box(-2.4, 1.1, 0, -0.4, 1.9, 0.9)
    shelf = box(1.8, -1.9, 0, 2.3, -0.5, 2)
    _, names = focus({"sofa": sofa, "shelf": shelf, "table": TABLE, "floor": FLOOR, **WALLS})
    assert names == {"sofa", "shelf", "table"}


def test_what_is_far_off_does_not_make_the_rest_tiny() -> None:
    crowd = {f"t{i}": TABLE + np.array([i * 2.0, 0, 0]) for i in range(5)}
    _, names = focus({**crowd, "bird": box(300, 0, 80, 301, 1, 81)})
    assert names == set(crowd)


def test_a_ground_with_a_road_on_it_and_a_car() -> None:
    car = box(-1, -2, 0, 1, 2, 1.5)
    road = box(-4, -40, 0, 4, 40, 0.02)
    assert focus({"car": car, "road": road, "ground": GROUND})[1] == {"car"}


def test_a_plate_is_no_ground_to_the_apple_on_it() -> None:
    plate, apple = box(-0.13, -0.13, 0, 0.13, 0.13, 0.015), box(-0.04, -0.04, 0.015, 0.04, 0.04, 0.095)
    assert focus({"plate": plate, "apple": apple})[1] == {"plate", "apple"}


def test_a_floor_that_is_larger_than_all_that_stands_on_it_is_not_what_matters() -> None:
    chairs = {"left": box(-1.2, 0, 0, -0.8, 0.4, 0.9), "right": box(0.8, 0, 0, 1.2, 0.4, 0.9)}
    floor = box(-3, -3, -0.02, 3, 3, 0)
    assert focus({"table": TABLE, "floor": floor, **chairs})[1] == {"table", *chairs}


def test_a_room_in_one_piece_is_known_by_the_camera_in_it() -> None:
    room, sofa, shelf = box(-2.5, -2, 0, 2.5, 2, 2.6), box(-2.4, 1, 0, -0.4, 1.9, 0.9), box(1.9, -1.9, 0, 2.4, 0, 2.2)
    things = {"room": room, "sofa": sofa, "shelf": shelf}
    assert focus(things, np.array([0, -1.8, 1.6]))[1] == {"sofa", "shelf"}
    assert focus(things, np.array([0, -9, 1.6]))[1] == set(things)
    assert focus({"room": room, "table": TABLE})[1] == {"table"}


@pytest.mark.parametrize("only", [GROUND, DOME, CUP])
def test_what_is_alone_matters(only: Array) -> None:
    assert focus({"it": only})[1] == {"it"}


def test_two_of_one_size_both_matter_however_far_apart() -> None:
    assert focus({"a": CUP, "b": CUP + 30})[1] == {"a", "b"}


def test_an_empty_scene_has_a_box_to_look_at() -> None:
    found, names = focus({})
    assert names == set()
    assert (found[1] > found[0]).all()


def test_a_tall_tower_and_its_ground() -> None:
    cubes = {f"c{i}": box(-0.1, -0.1, i * 0.2, 0.1, 0.1, i * 0.2 + 0.2) for i in range(100)}
    found, names = focus({**cubes, "ground": GROUND})
    assert names == set(cubes)
    assert found[1][2] == pytest.approx(20)


def test_flat_is_a_wall_and_no_table() -> None:
    assert all(is_flat(wall) for wall in (*WALLS.values(), FLOOR, GROUND))
    assert not is_flat(TABLE)


@pytest.mark.parametrize("view", VIEW_AXES)
@pytest.mark.parametrize("aspect", [1.0, 1.78, 0.5])
@pytest.mark.parametrize("seen", [TABLE, CUP, box(0, 0, 0, 0.1, 0.1, 9), box(-3, 0, 0, 3, 0, 1)])
def test_all_of_the_box_is_in_the_picture_and_nearly_fills_it(view: str, aspect: float, seen: Array) -> None:
    where = stand(view, seen, aspect)
    corners = np.array(list(product(*seen.T))) - where.place
    across, tall, deep = corners @ where.right, corners @ where.up, corners @ where.forward
    if view in CORNERS:
        half = np.tan(where.angle / 2)
        across, tall = across / deep / half, tall / deep / half
    else:
        across, tall = across / where.scale * 2, tall / where.scale * 2
    wide, high = (1, 1 / aspect) if aspect >= 1 else (aspect, 1)
    reach = max(np.abs(across).max() / wide, np.abs(tall).max() / high)
    assert 0.8 < reach <= 1
    assert where.near <= deep.min() <= deep.max() < where.far
    np.testing.assert_allclose(np.cross(where.right, where.up), -where.forward, atol=1e-9)


def test_zoom_is_that_much_closer() -> None:
    assert stand("front", TABLE, 1.0, 4.0).scale == pytest.approx(stand("front", TABLE, 1.0).scale / 4)


def test_a_turn_goes_around_at_one_distance_and_always_sees_all() -> None:
    np.testing.assert_allclose(
        turned("front", TABLE, 1.0, 1.0, 90.0).forward, stand("right", TABLE, 1.0).forward, atol=1e-9
    )
    middle, away = TABLE.mean(0), set[float]()
    for degrees in range(-360, 361, 15):
        where = turned("three_quarter", TABLE, 1.5, 1.0, degrees)
        away.add(round(float(np.linalg.norm(where.place - middle)), 6))
        corners = np.array(list(product(*TABLE.T))) - where.place
        deep = corners @ where.forward * np.tan(where.angle / 2)
        assert np.abs(corners @ where.right / deep).max() <= 1
        assert np.abs(corners @ where.up / deep).max() <= 1 / 1.5
    assert len(away) == 1
