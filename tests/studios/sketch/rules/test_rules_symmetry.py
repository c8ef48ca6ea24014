"""Symmetry of what is drawn aslant: a pair is mirrored in the long axis of its whole."""

from __future__ import annotations

from dataclasses import replace

import pytest
from shapely.affinity import rotate
from shapely.geometry import LineString, Polygon, box
from shapely.geometry.base import BaseGeometry

from redraft.layout.items import Item, Layout
from redraft.result import Heuristics
from redraft.studios.sketch.rules import SemanticValidator


def rocket(angle: float, *, slip: float = 0.0, tall: float = 0.6) -> list[str]:
    """The codes for a rocket with two fins, turned; `slip` shifts one fin along its axis."""

    def turned(shape: BaseGeometry) -> BaseGeometry:
        return rotate(shape, angle, origin=(0.5, 0.5))

    hull = Item("rocket", "rocket", turned(box(0.4, 0.5 - tall / 2, 0.6, 0.5 + tall / 2)))
    fins = [
        Item("fin_left", "fin", turned(box(0.32, 0.6, 0.4, 0.7)), "rocket"),
        Item("fin_right", "fin", turned(box(0.6, 0.6 + slip, 0.68, 0.7 + slip)), "rocket"),
    ]
    codes = [i.code for i in SemanticValidator().validate(Layout((hull, *fins))).issues]
    return [code for code in codes if code.startswith("symmetry.")]


@pytest.mark.parametrize("angle", [0.0, 20.0, 45.0, -60.0])
def test_a_slanting_rocket_has_its_fins_on_both_sides(angle: float) -> None:
    assert rocket(angle) == []


@pytest.mark.parametrize(("slip", "right"), [(0.01, True), (0.1, False)])
def test_fins_are_mirrored_in_the_axis(slip: float, right: bool) -> None:
    assert (rocket(45.0, slip=slip) == []) is right


def test_what_has_no_long_axis_is_not_aslant() -> None:
    assert "symmetry.height" in rocket(45.0, tall=0.4)


@pytest.mark.parametrize(("angle", "right"), [(30.0, True), (60.0, True), (90.0, False)])
def test_the_rails_of_a_leaning_ladder_lie_along_each_other(angle: float, right: bool) -> None:
    rails = (box(0.44, 0.2, 0.46, 0.8), box(0.54, 0.2, 0.56, 0.8))
    left, second = (rotate(rail, angle, origin=(0.5, 0.5)) for rail in rails)
    ladder = (
        Item("ladder", "ladder", rotate(box(0.44, 0.48, 0.56, 0.52), angle, origin=(0.5, 0.5))),
        Item("rail_left", "rail", left, "ladder"),
        Item("rail_right", "rail", second, "ladder"),
    )
    codes = [i.code for i in SemanticValidator().validate(Layout(ladder)).issues if i.code.startswith("symmetry.")]
    assert (codes == []) is right


def ears(
    left: str, right: str, *, apart: float = 0.3, size: float = 0.1, heuristics: Heuristics = "strict"
) -> list[str]:
    head = Item("head", "head", box(0.2, 0.3, 0.8, 0.9))
    one = Item(left, "ear", box(0.3, 0.2, 0.4, 0.35), "head", layer=1)
    two = Item(right, "ear", box(0.3 + apart, 0.35 - 1.5 * size, 0.3 + apart + size, 0.35), "head", layer=2)
    return [i.code for i in SemanticValidator(heuristics=heuristics).validate(Layout((head, one, two))).issues]


@pytest.mark.parametrize(("left", "right"), [("ear_left", "ear_right"), ("l_ear", "r_ear"), ("ear_1", "ear_2")])
def test_pairs_are_found_by_their_names(left: str, right: str) -> None:
    assert ears(left, right) == []
    assert "overlap.duplicate" in ears(left, right, apart=0.05)
    assert "symmetry.size" in ears(left, right, size=0.16)
    at_one_place = "symmetry.sides" if left == "ear_1" else "symmetry.stacked"
    assert at_one_place in ears(left, right, apart=0.0)


@pytest.mark.parametrize(
    ("left", "right", "stacked"),
    [
        (Polygon([(0.45, 0.3), (0.45, 0.1), (0.55, 0.3)]), Polygon([(0.55, 0.3), (0.55, 0.1), (0.45, 0.3)]), True),
        (LineString([(0.4, 0.1), (0.6, 0.3)]).buffer(0.02), LineString([(0.6, 0.1), (0.4, 0.3)]).buffer(0.02), False),
    ],
    ids=["mirrored ears", "crossed sticks"],
)
def test_a_pair_is_on_each_other_where_the_shapes_are_too(left: Polygon, right: Polygon, *, stacked: bool) -> None:
    head = Item("head", "head", box(0.2, 0.25, 0.8, 0.9))
    pair = [Item(f"thing_{side}", "thing", shape, "head") for side, shape in (("left", left), ("right", right))]
    errors = SemanticValidator(heuristics="default").validate(Layout((head, *pair))).errors
    assert [issue.code for issue in errors] == ["symmetry.stacked"] * stacked


def test_numbered_parts_of_other_sizes_at_other_heights_are_no_pair_by_default() -> None:
    assert "symmetry.size" not in ears("ear_1", "ear_2", size=0.16, heuristics="default")
    assert "overlap.duplicate" not in ears("ear_a", "ear_b", apart=0.07)
    assert "overlap.duplicate" in ears("ear_1", "ear_2", apart=0.07)


def test_numbered_windows_one_above_the_other_are_only_a_warning() -> None:
    tower = Item("tower", "tower", box(0.4, 0.1, 0.6, 0.9))
    windows = [Item(f"window_{k}", "window", box(0.47, 0.3 * k, 0.53, 0.3 * k + 0.1), "tower", layer=k) for k in (1, 2)]
    report = SemanticValidator().validate(Layout((tower, *windows)))
    assert report.valid
    assert [(i.code, i.severity) for i in report.issues] == [("symmetry.sides", "warning")]
    assert not SemanticValidator(heuristics="default").validate(Layout((tower, *windows))).issues


@pytest.mark.parametrize(
    ("head", "tops", "parent"),
    [
        (box(0.3, 0.4, 0.7, 0.8), (0.15, 0.28), "head"),  # above each other, the lower one on the head
        (box(0.3, 0.4, 0.7, 0.8), (0.45, 0.6), "head"),  # within it, but it is not tall
        (box(0.42, 0.2, 0.58, 0.9), (0.1, 0.3), "head"),  # it is tall, and one sticks out
        (box(0.42, 0.1, 0.58, 0.9), (0.3, 0.38), "head"),  # tall, and they overlap
        (box(0.42, 0.1, 0.58, 0.9), (0.3, 0.5), None),  # two objects
    ],
)
def test_numbered_ears_one_above_the_other_are_an_error(
    head: BaseGeometry, tops: tuple[float, float], parent: str | None
) -> None:
    ears = [Item(f"ear_{k}", "ear", box(0.45, top, 0.55, top + 0.12), parent, layer=k) for k, top in enumerate(tops, 1)]
    layout = Layout((Item("head", "head", head), *ears))
    (issue,) = (i for i in SemanticValidator().validate(layout).issues if i.category == "symmetry")
    assert (issue.code, issue.severity, issue.subjects) == ("symmetry.sides", "error", ("ear_1", "ear_2"))


def test_three_numbered_things_are_no_pair() -> None:
    windows = [Item(f"window_{k}", "window", box(0.45, 0.3 * k, 0.55, 0.3 * k + 0.1)) for k in range(3)]
    assert "symmetry.sides" in {i.code for i in SemanticValidator().validate(Layout(tuple(windows[1:]))).issues}
    windows[0] = replace(windows[0], name="window_3")
    assert "symmetry.sides" not in {i.code for i in SemanticValidator().validate(Layout(tuple(windows))).issues}


@pytest.mark.parametrize("mode", ["strict", "default"])
@pytest.mark.parametrize("names", [("tree_left", "tree_right"), ("tree_1", "tree_2")])
def test_a_pair_in_a_mere_group_is_measured(mode: Heuristics, names: tuple[str, str]) -> None:
    group = Item("trees", "trees", Polygon())
    trees = [Item(n, "tree", box(x, 0.3, x + 0.2, 0.8), "trees") for n, x in zip(names, (0.1, 0.6), strict=True)]
    assert SemanticValidator(heuristics=mode).validate(Layout((group, *trees))).issues == ()


def test_a_pair_may_mirror_in_the_part_that_holds_it() -> None:
    """The ears of a cat with a tail: both are parts of the cat, and sit on its head."""
    body, tail = (
        Item("body", "body", box(0.3, 0.5, 0.7, 0.9), "cat"),
        Item("tail", "tail", box(0.7, 0.7, 0.95, 0.75), "cat"),
    )
    head = Item("head", "head", box(0.38, 0.25, 0.62, 0.5), "cat", layer=1)
    ears = [
        Item(f"ear_{s}", "ear", box(x, 0.15, x + 0.08, 0.26), "cat", layer=2)
        for s, x in (("left", 0.39), ("right", 0.53))
    ]
    layout = Layout((Item("cat", "cat", Polygon()), body, tail, head, *ears))
    assert not [i for i in SemanticValidator().validate(layout).issues if i.category == "symmetry"]


def test_hands_on_arms_in_a_pose_need_not_be_level() -> None:
    body = Item("body", "body", box(0.4, 0.3, 0.6, 0.8))
    arms = (
        Item("arm_left", "arm", box(0.2, 0.4, 0.4, 0.45), "body"),
        Item("arm_right", "arm", box(0.6, 0.1, 0.65, 0.45), "body"),
    )
    hands = (
        Item("hand_left", "hand", box(0.14, 0.395, 0.2, 0.455), "arm_left"),
        Item("hand_right", "hand", box(0.595, 0.04, 0.655, 0.1), "arm_right"),
    )
    codes = [i.code for i in SemanticValidator().validate(Layout((body, *arms, *hands))).issues]
    assert "symmetry.height" not in codes
    level = (arms[0], Item("arm_right", "arm", box(0.6, 0.4, 0.8, 0.45), "body"))
    codes = [i.code for i in SemanticValidator().validate(Layout((body, *level, *hands))).issues]
    assert "symmetry.height" in codes
