"""The words that ask for a look at a scene: read, refused, and matched with what the scene has."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from redraft.studios.scene.inside.viewer import look_syntax
from redraft.studios.scene.inside.viewer.look_syntax import Look, LookError, parse_look, with_names

NAMES = ("Apple", "Apple.001", "Bowl", "Table, round", "Äpfel")


@pytest.mark.parametrize(
    ("text", "look"),
    [
        ("front", Look(view="front")),
        ("three_quarter", Look(view="three-quarter")),
        ("at Bowl", Look(at="Bowl")),
        ("right at Bowl", Look(view="right", at="Bowl")),
        ("camera | zoom 2", Look(view="camera", zoom=2.0)),
        ("front | turn -30.5", Look(view="front", turn=-30.5)),
        ("TOP | At big red Bowl", Look(view="top", at="big red Bowl")),
        ("only A, B | only C", Look(only=("A", "B", "C"))),
        ('hide "Table, round", Bowl', Look(hide=("Table, round", "Bowl"))),
        ("section z -0.25 | lit", Look(section=("z", -0.25), lit=True)),
        ("section X=1.5m", Look(section=("x", 1.5))),
        (
            "right | at Bowl | hide Apple.001 | section x 0.2",
            Look(view="right", at="Bowl", hide=("Apple.001",), section=("x", 0.2)),
        ),
    ],
)
def test_what_is_understood(text: str, look: Look) -> None:
    assert parse_look(text) == look


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        (" | ", "not part of a look"),
        ("sideways", "'sideways' in 'sideways' is not part of a look. Allowed are: camera, front"),
        ("front | back", "'back' in 'front | back' comes second"),
        ("at", "says nothing more"),
        ("zoom 0", "'0' in 'zoom 0' is not a number from 0.1 to 20"),
        ("zoom nan", "is not a number from"),
        ("turn 361", "'361' in 'turn 361' is not a number from -360 to 360"),
        ("camera | turn 9", "has both turn and camera"),
        ("section x 0 | turn 9", "has both turn and section"),
        ("section w 1", "is not a section: an axis and a place"),
        ("section x", "is not a number"),
        ("section x inf", "is not a number"),
        ("lit brightly", "is not part of a look"),
        ("camera | section x 0", "is seen from 'right' or 'left'"),
        ("top | section x 0", "is seen from 'right' or 'left'"),
        ("at " + "x" * 3000, "at most 2,000"),
    ],
)
def test_what_is_refused_is_told_with_what_is_allowed(text: str, said: str) -> None:
    with pytest.raises(LookError) as raised:
        parse_look(text)
    assert said in str(raised.value)


def test_where_a_look_is_from_when_nobody_says() -> None:
    assert parse_look("at Bowl").seen_from == "three-quarter"
    assert [parse_look(f"section {axis} 0").seen_from for axis in "xyz"] == ["right", "front", "top"]
    assert parse_look("left | section x 0").seen_from == "left"


def test_names_are_matched_with_the_scene() -> None:
    look = with_names(parse_look('at bowl | hide apple.001, "table, ROUND" | only ÄPFEL'), NAMES)
    assert (look.at, look.hide, look.only) == ("Bowl", ("Apple.001", "Table, round"), ("Äpfel",))


def test_a_name_that_is_not_there_names_the_nearest() -> None:
    with pytest.raises(LookError, match=r"no object 'Bowll'\. Nearest: Bowl\."):
        with_names(parse_look("at Bowll"), NAMES)
    with pytest.raises(LookError, match=r"There are: Apple, Apple\.001"):
        with_names(parse_look("at Xylophone"), NAMES)
    with pytest.raises(LookError, match="no object 'apple'"):
        with_names(parse_look("at apple"), ("Apple", "APPLE"))


def test_only_the_standard_library_is_needed() -> None:
    code = f"import runpy; runpy.run_path({str(Path(look_syntax.__file__))!r})"
    subprocess.run([sys.executable, "-I", "-S", "-c", code], check=True, timeout=60)
