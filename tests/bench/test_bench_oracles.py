"""Oracles read the files of a run alone: labels, parents and shapes decide, and what is empty holds nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from bench_drawings import RIGHT, Drawn
from benched import BALL, Answering, by_name
from scenes import ball, block, scene
from shapely.geometry import Point
from sketches import reply_of

from redraft import api
from redraft.bench.oracles import BLANK, Evidence, answer, evidence_of, scene_things
from redraft.bench.tasks import Facts, Oracle, Picture, Things, Wires, tasks_of
from redraft.bench.things import Thing, color_word, direction, named
from redraft.bench.trials import Plan, Trial, run_trials
from redraft.studios.scene.spec import Thing as Part

SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="5" height="10"/></svg>'


def part(name: str, label: str = "", parent: str = "", **more: Any) -> Thing:
    return Thing(name, (0.4, 0.4, 0.6, 0.6), label=label, parent=parent, **more)


@pytest.mark.parametrize(
    ("names", "noun", "found"),
    [
        ("apple_1 apple_2 apple_2_stem", "apple", 2),
        ("Apple.001 Apple.002 redApple3", "apple", 3),
        ("apple_body apple_stem", "apple", 1),
        ("Pineapple apples", "apple", 0),
        ("mug_left mug_left_handle mug_right", "mug", 2),
        ("dot_upper_1 dot_upper_2 dot_lower_1", "dot", 3),
        ("chair_left_leg chair_right_leg chair_seat", "chair", 1),
        ("traffic_cone_1 traffic_cone_1_base", "cone", 1),
        ("U1 U12", "u1", 1),
        ("cup_1 mug_1", "cup|mug", 2),
        ("Ball_Above_1 Ball_Above_2 Ball_Top_1", "ball", 3),
        ("Pawn_black_1 Pawn_black_2 Pawn_white_1", "pawn", 3),
    ],
)
def test_parts_belong_to_the_thing_of_their_name(names: str, noun: str, found: int) -> None:
    assert len(named([part(name) for name in names.split()], noun)) == found


def test_a_label_says_what_a_part_is_and_a_group_is_no_thing() -> None:
    halves = [part(f"half_{n}", "half", "tile") for n in (1, 2)]
    pips = [part(f"pip_{n}", "dot", f"half_{1 + n % 2}") for n in range(7)]
    things = [part("tile", "domino tile"), *halves, *pips, part("dots", "dot", group=True), part("rim", "dot rim")]
    assert [len(named(things, noun)) for noun in ("tile", "half", "dot", "rim", "domino")] == [1, 2, 8, 1, 0]
    dots = [part("dots", "dot", group=True), *(part(f"dot_{n}", "dot", "dots") for n in (1, 2))]
    assert [thing.name for thing in named(dots, "dot")] == ["dot_1", "dot_2"]
    mug = [part("mug", "mug", group=True), part("mug_body", "mug", "mug"), part("handle", "handle", "mug")]
    assert [thing.name for thing in named(mug, "mug")] == ["mug"]
    inside = [part("square_1", "square"), part("square_2", "square", "square_1")]
    assert len(named(inside, "square")) == 2


def test_a_machine_named_after_its_crank_is_no_crank() -> None:
    machine = [part("machine", "slider-crank", group=True), part("arm", "crank", "machine")]
    assert [thing.name for thing in named(machine, "crank")] == ["arm"]


def test_what_belongs_to_a_thing_is_measured_against_the_rest_of_it() -> None:
    disc, moon = Point(0.5, 0.5).buffer(0.1), Point(0.5, 0.3).buffer(0.02)
    inside = frozenset({"planet", "moon"})
    planet = Thing("planet", (0.4, 0.28, 0.6, 0.6), label="planet", shape=disc.union(moon), parts=inside)
    for shape, apart in ((moon, True), (Point(0.5, 0.4).buffer(0.02), False)):
        whole = replace(planet, shape=disc.union(shape))
        little = Thing(
            "moon", (0.48, 0.28, 0.52, 0.32), label="moon", parent="planet", shape=shape, parts=frozenset({"moon"})
        )
        assert holds(relation("moon", "apart", "planet"), whole, little) is apart


def test_recorded_drawings_are_counted_as_they_look() -> None:
    """Two drawings that an earlier oracle called wrong: seven dots of a domino, and two mugs."""
    names = [*(f"dot_upper_{n}" for n in (1, 2, 3)), *(f"dot_lower_{n}" for n in (1, 2, 3, 4))]
    assert len(named([part(name, "dot", name[4:9] + "_half") for name in names], "dot")) == 7
    mugs = [("mug_left", "mug", ""), ("mug_left_handle", "handle", "mug_left"), ("mug_right", "mug", "")]
    assert [thing.name for thing in named([part(*mug) for mug in mugs], "mug")] == ["mug_left", "mug_right"]


@pytest.mark.parametrize(
    ("at", "where"), [((3, 0), "right"), ((-3, 1), "left"), ((0, -3), "above"), ((1, 3), "below"), ((0, 0), "none")]
)
def test_direction_is_of_centers_with_y_down(at: tuple[int, int], where: str) -> None:
    x, y = at
    assert direction((x - 1, y - 1, x + 1, y + 1), (-1, -1, 1, 1)) == where


def holds(oracle: Oracle, *things: Thing) -> bool:
    found = answer((oracle,), Evidence(things=things))
    assert found is not None
    return found.holds


def relation(first: str, words: str, second: str) -> Things:
    return Things.model_validate({"relations": [[first, words, second]]})


TABLE = Thing("table", (0.1, 0.5, 0.9, 0.9))
SOLID = Thing("table", (0, 0, 1, 1), (0, 0, 0, 2, 1, 0.7))


@pytest.mark.parametrize(
    ("cup", "table", "words", "right"),
    [
        (Thing("cup", (0.4, 0.3, 0.5, 0.5)), TABLE, "on", True),
        (Thing("cup", (0.4, 0.2, 0.5, 0.4)), TABLE, "on", False),
        (Thing("cup", (0.95, 0.3, 1.0, 0.5)), TABLE, "on", False),
        (Thing("cup", (0, 0, 1, 1), (0.5, 0.5, 0.7, 0.6, 0.6, 0.8)), SOLID, "on", True),
        (Thing("cup", (0, 0, 1, 1), (0.5, 0.5, 0.8, 0.6, 0.6, 0.9)), SOLID, "on", False),
        (Thing("cup", (0.4, 0.6, 0.5, 0.7)), TABLE, "inside", True),
        (Thing("cup", (0.4, 0.3, 0.5, 0.7)), TABLE, "inside", False),
        (Thing("cup", (0.0, 0.0, 1.0, 1.0)), TABLE, "larger", True),
        (Thing("cup", (0.1, 0.5, 0.9, 0.91)), TABLE, "larger", False),
    ],
)
def test_relations_of_things(cup: Thing, table: Thing, words: str, right: bool) -> None:
    assert holds(relation("cup", words, "table"), cup, table) is right


def test_a_thing_is_as_large_as_its_parts_and_counted_once() -> None:
    parts = (
        Thing("cup_1", (0.2, 0.2, 0.3, 0.4)),
        Thing("cup_1_handle", (0.3, 0.2, 0.4, 0.5)),
        Thing("cup_2", (0, 0, 0.1, 0.1)),
    )
    assert holds(Things(counts={"cup": 2}), *parts)
    assert not holds(Things(counts={"cup": 3}), *parts)
    assert holds(relation("cup", "on", "table"), *parts, Thing("table", (0.35, 0.5, 0.9, 0.9)))


def test_a_relation_needs_two_things() -> None:
    assert not holds(relation("cup", "inside", "cup"), Thing("cup", (0, 0, 1, 1)))


def test_the_share_counts_statements() -> None:
    oracle = Things(counts={"cup": 1, "table": 1}, relations=(("cup", "on", "table"),))
    found = answer((oracle,), Evidence(things=(TABLE,)))
    assert found is not None
    assert (found.share, found.wrong) == (pytest.approx(1 / 3), ("1 cup", "cup on table"))


def test_without_an_oracle_nothing_is_said() -> None:
    assert answer((), BLANK) is None


@pytest.mark.parametrize(
    "oracle",
    [
        Things(counts={"cup": 1}),
        Facts(include=({"class": "cup", "count": 1},)),
        Picture(svg=SQUARE, limit=0.05),
        Wires(limit=2.0),
    ],
)
def test_a_blank_result_holds_of_nothing(oracle: Oracle) -> None:
    found = answer((oracle,), BLANK)
    assert found is not None
    assert (found.holds, found.share) == (False, 0)


def test_facts_are_read_from_the_prompt() -> None:
    oracle = Facts(include=({"class": "bus", "count": 2, "color": "green"},))
    for prompt, right in (("Two green buses on a hill.", True), ("Two red buses on a hill.", False)):
        found = answer((oracle,), Evidence(prompt=prompt))
        assert found is not None
        assert found.holds is right


def test_a_picture_is_compared_by_flip() -> None:
    from redraft.bench.oracles import WHITE, png_of

    for svg, right in ((SQUARE, True), (SQUARE.replace('"5"', '"6"'), False), (WHITE, False)):
        found = answer((Picture(svg=SQUARE, limit=0.05),), Evidence(picture=png_of(svg)))
        assert found is not None
        assert found.holds is right, svg


def test_wires_are_a_share_of_those_before() -> None:
    for wires, right in ((0.9, True), (1.0, False)):
        found = answer((Wires(limit=0.95),), Evidence(wires=wires))
        assert found is not None
        assert found.holds is right


@pytest.mark.parametrize(
    ("color", "word"),
    [("#cc2222", "red"), ("#f5d328", "yellow"), ("#2244cc", "blue"), ("#111111", "black"), ("#f4f1ea", "white")],
)
def test_colors_have_words(color: str, word: str) -> None:
    assert color_word(color) == word


Change = Callable[[list[dict[str, Any]], list[dict[str, Any]]], None]


def without(name: str) -> Change:
    def change(plan: list[dict[str, Any]], strokes: list[dict[str, Any]]) -> None:
        plan[:] = [one for one in plan if one["name"] != name]
        strokes[:] = [one for one in strokes if one["part"] != name]

    return change


def shifted(name: str, **by: float) -> Change:
    def change(_: list[dict[str, Any]], strokes: list[dict[str, Any]]) -> None:
        for stroke in strokes:
            if stroke["part"] == name:
                for key, amount in by.items():
                    stroke[key] += amount
                if "points" in stroke:
                    stroke["points"] = [(x + by.get("x", 0), y + by.get("y", 0)) for x, y in stroke["points"]]

    return change


WRONG: dict[str, Change] = {
    "clocks": shifted("clock_left", cx=0.03),
    "gears": without("tooth_2_5"),
    "ferris": shifted("cabin_4", y=0.06),
    "crank": shifted("piston", y=-0.05),
    "oranges": shifted("orange_15", cy=-0.03),
    "necklace": shifted("bead_3", cx=0.02),
    "dominoes": without("pip_1_043_5"),
    "stairs": shifted("ball_2", cx=0.05),
    "squares": without("square_4"),
    "orbits": shifted("planet_3", cx=0.1),
    "shelves": shifted("hat_21", y=-0.1),
    "seesaw": shifted("ball_1", cy=-0.03),
}
"""One error that is seen at once, in each right drawing."""


@pytest.mark.slow
def test_the_oracles_of_sketches_hold_of_right_drawings_and_of_none_with_an_error(tmp_path: Path) -> None:
    right: dict[str, str] = {}
    wrong: dict[str, str] = {}
    tasks = [task for task in tasks_of("sketch") if not task.draft]
    assert {task.id for task in tasks} == set(RIGHT) == set(WRONG)
    for task in tasks:
        drawn = Drawn()
        RIGHT[task.id](drawn)
        right[task.brief] = reply_of({"plan": drawn.plan, "strokes": drawn.strokes, "requirements": []})
        WRONG[task.id](drawn.plan, drawn.strokes)
        wrong[task.brief] = reply_of({"plan": drawn.plan, "strokes": drawn.strokes, "requirements": []})

    def drawn_by(replies: dict[str, str], folder: Path) -> list[Trial]:
        model = Answering({"draft": lambda request: replies[str(request.inputs["instruction"])]})
        plan = Plan("sketch", tasks, by_name("one-shot"), folder, 1)
        return anyio.run(lambda: run_trials(plan, lambda _, __: model))[0]

    made = drawn_by(right, tmp_path / "right")
    assert [(trial.task, trial.error, trial.wrong) for trial in made if not trial.snapshots[-1].holds] == []
    spoiled = drawn_by(wrong, tmp_path / "wrong")
    assert [trial.task for trial in spoiled if not trial.run or trial.snapshots[-1].holds] == []
    for task, other in zip(tasks, [*made[1:], made[0]], strict=True):
        unrelated = answer(task.oracles, evidence_of(tmp_path / "right" / other.run))
        assert unrelated is not None
        assert not unrelated.holds, task.id


def test_a_scene_is_read_from_its_facts() -> None:
    table = block("Table", (0, 0, 0), (1, 1, 0.7))
    legs = [
        block(f"Chair 1 {part}", (0.8, 0, z), (0.3, 0.3, 0.3), parent="Chair 1")
        for part, z in (("Leg", 0), ("Seat", 0.3))
    ]
    chair = Part(name="Chair 1", kind="EMPTY", location=(0, 0, 0))
    cups = [
        ball(f"Cup {n}", (0.2 * n, 0, 0.7 + lift), 0.1, pixels=seen)
        for n, lift, seen in ((0, 0, 0.02), (1, 0.05, 0.005))
    ]
    facts = json.loads(scene(table, chair, *legs, *cups).model_dump_json())
    found = {thing.name: thing for thing in scene_things(facts)}
    assert found["Chair 1"].solid == pytest.approx((0.65, -0.15, 0, 0.95, 0.15, 0.6))
    assert (found["Cup 0"].firm, found["Cup 1"].firm) == (True, False)
    assert found["Cup 1"].seen == pytest.approx(0.25)
    assert [len(named(list(found.values()), noun)) for noun in ("chair", "cup", "table")] == [1, 2, 1]
    oracle = Things.model_validate(
        {
            "counts": {"cup": 2, "table": 1},
            "every": [["cup", "touches", "table"]],
            "measures": [{"things": "cup", "of": "seen", "values": [0.5], "absolute": True, "limit": "at_least"}],
            "firm": True,
        }
    )
    said = answer((oracle,), Evidence(things=tuple(found.values())))
    assert said is not None
    assert said.wrong == ("every cup touches table", "seen of cup: 0.5 (1, 0.25)", "nothing floats (Cup 1)")


def test_parts_of_a_scene_touch_by_the_contacts_of_what_they_belong_to() -> None:
    tray = block("Tray", (0, 0, 0), (0.5, 0.5, 0.02))
    cart = Part(name="Cart", kind="EMPTY", location=(0, 0, 0))
    bed = block("Bed", (2, 0, 0.3), (1, 0.5, 0.05), parent="Cart")
    wheels = [block(f"Wheel {n}", (2 + x, 0, 0), (0.3, 0.05, 0.3), parent="Cart") for n, x in ((1, -0.4), (2, 0.9))]
    barrel, orange = ball("Barrel", (2, 0, 0.35), 0.3), ball("Orange", (0, 0, 0.008), 0.1)
    facts = json.loads(scene(tray, cart, bed, *wheels, barrel, orange).model_dump_json())
    facts["facts"]["contacts"] += [{"a": "Barrel", "b": "Cart", "gap": 0.0, "depth": 0.0, "share": 0.0}]
    found = scene_things(facts)
    for first, words, second, right in (
        ("wheel", "touches", "bed", True),
        ("barrel", "touches", "bed", True),
        ("barrel", "touches", "wheel", False),
        ("orange", "touches", "barrel", False),
        ("orange", "on", "tray", True),
    ):
        assert holds(relation(first, words, second), *found) is right, (first, words, second)


def test_a_drawing_is_read_from_its_run(tmp_path: Path) -> None:
    async def draw() -> None:
        await api.arun("sketch", "a ball on a box", model=Answering({"draft": BALL["right"]}), out=tmp_path / "run")

    anyio.run(draw)
    found = evidence_of(tmp_path / "run")
    assert {thing.name: thing.box for thing in found.things} == {
        "box": pytest.approx((0.3, 0.6, 0.7, 0.9)),
        "ball": pytest.approx((0.4, 0.4, 0.6, 0.6)),
    }
    assert found.picture.startswith(b"\x89PNG")


def test_a_run_that_delivers_nothing_is_blank(tmp_path: Path) -> None:
    async def draw() -> None:
        model = Answering({"draft": "I cannot draw.", "fix": "Really not.", "edit": "No."})
        await api.arun("sketch", "a ball", model=model, out=tmp_path / "run", fixes=1, iterations=1)

    anyio.run(draw)
    assert evidence_of(tmp_path / "run") is BLANK
