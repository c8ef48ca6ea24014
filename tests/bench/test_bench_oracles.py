"""Oracles read the files of a run alone; names and boxes decide, and what is empty holds nothing."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest
from benched import BALL, Answering

from redraft import api
from redraft.bench.oracles import BLANK, Evidence, Thing, answer, direction, evidence_of, names_of
from redraft.bench.tasks import Facts, Oracle, Picture, Things, Wires

SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="5" height="10"/></svg>'


@pytest.mark.parametrize(
    ("name", "noun", "thing"),
    [
        ("apple", "apple", "apple"),
        ("Apple_2_stem", "apple", "apple 2"),
        ("Apple.002", "apple", "apple 002"),
        ("redApple2", "apple", "red apple 2"),
        ("Pineapple", "apple", ""),
        ("apples", "apple", ""),
        ("Apple Apple skin", "apple", "apple"),
        ("traffic_cone_left_base", "cone", "traffic cone"),
        ("U1", "u1", "u 1"),
        ("U12", "u1", ""),
    ],
)
def test_parts_belong_to_the_thing_of_their_name(name: str, noun: str, thing: str) -> None:
    assert names_of(name, noun) == thing


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
