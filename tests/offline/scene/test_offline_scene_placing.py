"""Where the offline model puts things: judged from boxes by a reader of its own."""

from __future__ import annotations

from itertools import combinations

import pytest
from tests.helpers.scene_boxes import Box, apart, holds, named

from redraft.studios.scene.offline.answers import written
from redraft.studios.scene.offline.placing import Plan

RELATIONS = {
    "to the left of": "left of", "to the right of": "right of", "next to": "next to", "in front of": "in front of",
    "behind": "behind", "on top of": "on", "under": "under", "above": "above",
}  # fmt: skip
PAIRS = (("cat", "chair"), ("dog", "car"), ("cup", "book"), ("bird", "bus"), ("apple", "table"), ("tv", "bed"))


def _boxes(plan: Plan) -> dict[str, Box]:
    return {one.name: one.box for one in plan.things}


@pytest.mark.parametrize("words", RELATIONS)
@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_a_relation_holds_in_the_plan(words: str, a: str, b: str) -> None:
    _, plan = written(f"a {a} {words} a {b}")
    boxes = _boxes(plan)
    relation = "above" if words == "above" else RELATIONS[words]
    mine, other = named(boxes, a), named(boxes, b)
    assert len(mine) == len(other) == 1
    assert holds(relation, mine[0], other[0]), (boxes, plan.unread)


@pytest.mark.parametrize(
    "text",
    [
        "a red car in front of a house, a tree to its left",
        "two dogs and three cats beside a house",
        "seven balls",
        "ten trees in a row",
        "a desk with a laptop and a coffee mug",
        "a candle between a book and a cup",
    ],
)
def test_things_keep_clear_of_each_other(text: str) -> None:
    _, plan = written(text)
    boxes = _boxes(plan)
    holders = {"Table", "Desk"}
    for (a, one), (b, other) in combinations(boxes.items(), 2):
        assert apart(one, other) or {a, b} & holders, (a, b)


@pytest.mark.parametrize("number", [1, 2, 5, 12, 40, 100])
def test_there_are_as_many_as_are_asked_for(number: int) -> None:
    _, plan = written(f"{number} apples")
    boxes = _boxes(plan)
    assert len(boxes) == number
    assert all(apart(a, b) for a, b in combinations(boxes.values(), 2))


@pytest.mark.parametrize("number", [1, 2, 3, 4, 6, 9])
def test_apples_lie_in_their_bowl_and_touch_nothing_else(number: int) -> None:
    _, plan = written(f"a bowl with {number} apples on a table")
    boxes = _boxes(plan)
    bowl, table = named(boxes, "bowl")[0], named(boxes, "table")[0]
    apples = [box for name, box in boxes.items() if name.startswith("Apple")]
    assert len(apples) == number
    assert holds("on", bowl, table)
    assert all(holds("in", apple, bowl) for apple in apples)
    assert all(bowl[0] < (a[0] + a[3]) / 2 < bowl[3] for a in apples)
    for a, b in combinations(apples, 2):  # round things: their middles are a diameter apart, seen from above
        far = ((a[0] + a[3] - b[0] - b[3]) ** 2 + (a[1] + a[4] - b[1] - b[4]) ** 2) ** 0.5 / 2
        assert far > 0.97 * min(a[3] - a[0], a[4] - a[1])


def test_everything_rests_on_something() -> None:
    _, plan = written("a cup on a table, a cat under the table, a chair beside it")
    boxes = _boxes(plan)
    assert boxes["Cat"][2] == pytest.approx(0, abs=0.002)
    assert boxes["Table"][2] == pytest.approx(0, abs=0.002)
    assert boxes["Cup"][2] == pytest.approx(0.72, abs=0.002)


def test_what_is_named_after_with_is_on_it() -> None:
    _, plan = written("a wooden table with three red apples in a white bowl, soft morning light")
    boxes = _boxes(plan)
    assert plan.light == "morning"
    assert holds("on", named(boxes, "bowl")[0], named(boxes, "table")[0])
    assert [one.solid.color for one in plan.things if one.name == "Apple 1"] == ["red"]


@pytest.mark.parametrize(
    ("text", "light", "ground"),
    [
        ("a castle on a hill at night", "night", "grass"),
        ("a lighthouse on a cliff by the sea at sunset", "evening", "water"),
        ("a dog on the beach", "day", "sand"),
        ("a rocket on mars", "space", "moon"),
        ("a snowman in the snow", "day", "snow"),
        ("an apple", "day", "studio"),
        ("a sofa beside a lamp by candlelight", "night", "floor"),
        ("a dark blue car", "day", "road"),
    ],
)
def test_light_and_ground_are_as_the_words_say(text: str, light: str, ground: str) -> None:
    _, plan = written(text)
    assert (plan.light, plan.ground) == (light, ground)
