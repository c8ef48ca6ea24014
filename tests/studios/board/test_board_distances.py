"""Distances with no side named: a certain wish that leaves the side open, and an action that keeps it."""

from __future__ import annotations

import pytest
from commanded import bench
from hypothesis import given
from hypothesis import strategies as st

from redraft.spatial.actions import PlaceRelative
from redraft.spatial.layout import Move
from redraft.spatial.workspace import Workspace
from redraft.studios.board.commands import read_commands
from redraft.studios.board.measure import distance_of, holds
from redraft.studios.board.wishes import Wish

BOARD = bench()


def the_wish(text: str) -> Wish:
    (wish,) = read_commands(text, BOARD).wishes
    return wish


@pytest.mark.parametrize(
    "text",
    [
        "place C1 at 0.5 mm from pin 4 of U1",
        "put C1 at exactly 0.5 mm from U1.4",
        "put C1 exactly 0.5 mm from U1's pin 4",
        "put C1 at a distance of 0.5 mm from U1 pin 4",
        "C1 0.5 mm away from U1.4",
        "C1 should be 0.5 mm from U1.4",
        "put C1 next to U1 pin 4, 0.5 mm from that pin",
        "put C1 near pin 4 of U1 at 0.5 mm",
        "put C1 close to U1 pin 4, exactly 0.5 mm away",
        "put C1 0.5 mm from U1 pin 4, pad to pad",
    ],
)
def test_a_distance_from_a_pin_is_certain_and_measured_from_pad_to_pad(text: str) -> None:
    found = read_commands(text, BOARD)
    (wish,) = found.wishes
    assert (wish.relation, wish.refs, wish.target, wish.value) == ("distance", ("C1",), "U1.4", 0.5)
    assert (wish.side, wish.measure, wish.certain) == (None, "pad", True)
    assert found.unchecked == ()
    (action,) = found.actions
    assert isinstance(action, PlaceRelative)
    assert (action.target, action.side, action.measure) == ("U1.4", "left", "pad")  # the pads 1 to 4 are on the left


def test_a_distance_from_a_part_is_that_of_the_courtyards_unless_something_else_is_said() -> None:
    assert the_wish("put C1 0.5 mm from U1").measure == "courtyard"
    assert the_wish("put C1 0.5 mm from U1, body to body").measure == "body"


@pytest.mark.parametrize(
    ("at", "side"),
    [((30, 40), "left"), ((70, 41), "right"), ((50, 10), "top"), ((50, 60), "bottom"), ((50, 40), "right")],
)
def test_a_part_comes_to_the_side_on_which_it_lies(at: tuple[float, float], side: str) -> None:
    board = BOARD.moved((Move.shift("C1", at[0] - 40, at[1] - 60),))  # where the bench has it
    (action,) = read_commands("put C1 0.5 mm from U1", board).actions
    assert isinstance(action, PlaceRelative)
    assert action.side == side


def test_several_are_each_held_to_the_distance() -> None:
    wish = the_wish("put C1 and C2 0.5 mm from U1")
    assert (wish.relation, wish.refs, wish.value, wish.certain) == ("distance", ("C1", "C2"), 0.5, True)


@given(gap=st.integers(1, 3000).map(lambda n: n / 1000), pin=st.sampled_from("12345678"))
def test_the_action_keeps_the_distance_and_anything_else_is_found_out(gap: float, pin: str) -> None:
    found = read_commands(f"put C1 at {gap} mm from pin {pin} of U1", BOARD)
    work = Workspace(BOARD)
    work.do(found.actions[0].model_copy(update={"allow_overlap": True}))
    assert distance_of(work.layout, "C1", f"U1.{pin}", "pad") == pytest.approx(gap, abs=1e-6)
    assert holds(found.stated[0], work.layout)
    assert not holds(found.stated[0], BOARD)  # nothing was done


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("put C1 0.5 mm right of U1 pin 4 and C2 0.5 mm above that pin", "U1.4"),
        ("put C1 right of pin 3 of U1, then move C2 0.5 mm left of this pad", "U1.3"),
        ("put C1 left of U1.2, put R1 right of U2.3 and C2 1 mm from the same pin", "U2.3"),
        ("C2 decouples U1 pin 4: put it at exactly 0.5 mm from that pin", "U1.4"),
    ],
)
def test_that_pin_is_the_one_named_last(text: str, target: str) -> None:
    wish = read_commands(text, BOARD).wishes[-1]
    assert (wish.refs, wish.target, wish.measure, wish.certain) == (("C2",), target, "pad", True)


@pytest.mark.parametrize(
    "text",
    [
        "put C1 0.5 mm from that pin",
        "put C1 right of U1, then C2 0.5 mm from that pin",
        "C1 and C2 decouple U1 pin 4: put it 0.5 mm from that pin",
        "C1 decouples U1 pin 4: put it right of R1",
        "put C1 0.5 mm from U1 or U2",
        "put C1 at least 0.5 mm from U1",
        "put C1 0.5 mm from the right side of U1",
        "C1 0.5 mm right of U1 is too far",
        "Is C1 0.5 mm from U1?",
        "C1 at 10, 20 mm",
        "C1 2 mm left",
    ],
)
def test_what_may_mean_something_else_is_left_unchecked_and_said(text: str) -> None:
    found = read_commands(text, BOARD)
    assert found.unchecked
    assert not any(wish.relation == "distance" for wish in found.wishes)


@pytest.mark.parametrize(
    "text",
    [
        "C1 0,5 mm rechts von U1 Pin 4",
        "Setze C1 0,5 mm rechts von U1 Pin 4",
        "Platziere C1 rechts von U1 und C2 darüber",
        "mets C1 à 0,5 mm à droite de U1",
    ],
)
def test_another_language_is_unchecked_as_a_whole(text: str) -> None:
    found = read_commands(text, BOARD)
    assert (found.actions, found.wishes, found.unchecked) == ((), (), (text,))
