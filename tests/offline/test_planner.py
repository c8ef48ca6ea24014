"""The offline planner: boxes that keep every constraint."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import box as rectangle

from redraft.layout.items import Bounds, Item, Layout
from redraft.offline.english.grammar import read
from redraft.studios.sketch.offline.planner import PlacedScene, paint, plan

pytestmark = pytest.mark.slow


def scene(text: str, seed: int = 0, existing: Layout | None = None) -> PlacedScene:
    return plan(read(text), seed=seed, existing=existing)


def boxes(text: str, noun: str, seed: int = 0) -> list[Bounds]:
    return [o.box for o in scene(text, seed).objects if o.noun == noun]


def only(text: str, noun: str) -> Bounds:
    (found,) = boxes(text, noun)
    return found


def middle(box: Bounds) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def apart(a: Bounds, b: Bounds) -> bool:
    return a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def test_directions() -> None:
    for word, axis, sign in (("left of", 0, -1), ("right of", 0, 1), ("above", 1, -1), ("below", 1, 1)):
        text = f"a cat {word} a dog"
        a, b = middle(only(text, "cat")), middle(only(text, "dog"))
        assert sign * (a[axis] - b[axis]) > abs(a[1 - axis] - b[1 - axis])


def test_on_inside_between() -> None:
    cat, bed = only("a cat on a bed", "cat"), only("a cat on a bed", "bed")
    assert bed[1] < cat[3] <= bed[3]
    assert bed[0] <= cat[0] <= cat[2] <= bed[2]
    bird, cage = only("a bird in a cage", "bird"), only("a bird in a cage", "cage")
    assert rectangle(*cage).contains(rectangle(*bird))
    left, right = sorted(boxes("a snowman between two pine trees", "pine tree"))
    assert left[2] < only("a snowman between two pine trees", "snowman")[0]
    assert only("a snowman between two pine trees", "snowman")[2] < right[0]


def test_much_further_is_farther() -> None:
    text = "two flowers to the left of a house, and a tree much further right"
    house, tree = only(text, "house"), only(text, "tree")
    flowers = boxes(text, "flower")
    assert tree[0] - house[2] > house[0] - max(f[2] for f in flowers)
    assert tree[0] - house[2] >= 0.2


def test_columns_equal_gaps_and_the_fourth_taller() -> None:
    columns = boxes("seven columns, equally spaced, the fourth 20 % taller", "column")
    gaps = [b[0] - a[2] for a, b in pairwise(columns)]
    assert max(gaps) - min(gaps) < 1e-9
    heights = [b[3] - b[1] for b in columns]
    assert heights[3] == pytest.approx(1.2 * heights[0])
    assert len({round(h, 9) for h in heights}) == 2
    assert len({round(b[3], 9) for b in columns}) == 1


def test_a_grid_with_its_gaps_in_the_middle() -> None:
    windows = boxes("a 3 by 4 grid of windows, 0.02 apart, centred", "window")
    xs, ys = sorted({round(b[0], 6) for b in windows}), sorted({round(b[1], 6) for b in windows})
    assert (len(windows), len(xs), len(ys)) == (12, 4, 3)
    assert windows[1][0] - windows[0][2] == pytest.approx(0.02)
    assert windows[4][1] - windows[0][3] == pytest.approx(0.02)
    assert middle((windows[0][0], windows[0][1], windows[-1][2], windows[-1][3])) == pytest.approx((0.5, 0.5), abs=1e-3)


def test_the_clock_gets_its_angles() -> None:
    (clock,) = scene("a clock showing 10:10").objects
    assert clock.angles == {"hour hand": 305.0, "minute hand": 60.0}


def test_a_door_in_its_wall_at_the_scale_of_the_room() -> None:
    room, door = scene("a floor plan: a 5 m by 4 m room with a 0.9 m door in the middle of the south wall").objects
    assert door.parent == room.name
    assert middle(door.box)[0] == pytest.approx(middle(room.box)[0], abs=1e-4)
    assert (door.box[2] - door.box[0]) / (room.box[2] - room.box[0]) == pytest.approx(0.9 / 5, rel=0.04)
    assert abs(door.box[3] - room.box[3]) < 0.03


def test_sizes_that_were_asked_for() -> None:
    text = "the tree is twice as tall as the house"
    tree, house = only(text, "tree"), only(text, "house")
    assert tree[3] - tree[1] == pytest.approx(2 * (house[3] - house[1]))


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8, 13, 20, 40])
def test_counts_stay_on_the_canvas_and_apart(count: int) -> None:
    apples = boxes(f"{count} apples", "apple")
    assert len(apples) == count
    assert all(0 <= b[0] < b[2] <= 1 and 0 <= b[1] < b[3] <= 1 for b in apples)
    assert all(apart(a, b) for i, a in enumerate(apples) for b in apples[:i])


def test_parts_are_told_to_the_lexicon() -> None:
    (house,) = scene("a house with four windows and a red roof").objects
    assert house.counts["window"] == 4
    assert house.part_colours["roof"] == "red"


def test_what_is_not_known_is_a_labelled_shape() -> None:
    plan_parts, strokes = paint(scene("a zorblat left of a cat"))
    assert {"name": "zorblat", "label": "zorblat", "parent": None} in plan_parts
    assert "zorblat" in [s.get("text") for s in strokes]


def test_words_that_mean_nothing_are_drawn_as_they_stand() -> None:
    (thing,) = scene("一只猫").objects
    assert thing.noun == "一只猫"


def there(name: str, label: str, box: Bounds) -> Layout:
    return Layout((Item(name, label, rectangle(*box)),))


def test_new_things_go_where_the_words_say_and_old_ones_stay() -> None:
    house = (0.5, 0.4, 0.8, 0.8)
    found = scene("a tree to the left of the house", existing=there("home", "house", house)).objects
    assert [o.noun for o in found] == ["tree"]
    assert found[0].box[2] <= house[0]


def test_names_that_are_taken_are_not_used_again() -> None:
    found = scene("a cat", existing=there("cat", "dog", (0.1, 0.1, 0.3, 0.3))).objects
    assert found[0].name != "cat"
    assert apart(found[0].box, (0.1, 0.1, 0.3, 0.3))


def test_the_same_seed_places_alike_and_another_one_elsewhere() -> None:
    text = "a cat left of a dog, a tree behind the dog"
    assert scene(text, 3) == scene(text, 3)
    assert len({scene("a cat left of a dog", seed).objects[0].box for seed in range(4)}) > 1


def test_guesses_give_way_and_are_told() -> None:
    found = scene("a cat on a toilet next to a bathtub next to a sink next to a bed next to a chair next to a lamp")
    assert len(found.objects) == 7


NOUNS = st.sampled_from(["cat", "dog", "house", "tree", "sun", "apple", "table", "zorb"])
WORDS = st.sampled_from(
    ["left of", "right of", "above", "below", "next to", "on", "in", "behind", "in front of", "near"]
)


@settings(max_examples=40, deadline=None)
@given(NOUNS, WORDS, NOUNS, st.integers(1, 7), st.integers(0, 99))
def test_any_pair_stays_on_the_canvas(a: str, word: str, b: str, count: int, seed: int) -> None:
    for thing in scene(f"{count} {a}s {word} a {b}", seed).objects:
        x0, y0, x1, y1 = thing.box
        assert -1e-6 <= x0 < x1 <= 1 + 1e-6
        assert -1e-6 <= y0 < y1 <= 1 + 1e-6
