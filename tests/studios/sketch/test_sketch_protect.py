"""An edit of an earlier drawing changes what it lists, as far as the instruction says so, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sketches import house

from redraft.brief import Brief
from redraft.errors import FormatError
from redraft.studios.sketch.parse import parse
from redraft.studios.sketch.patch import draw
from redraft.studios.sketch.spec import Drawing
from redraft.studios.sketch.studio import studio

DOG: dict[str, Any] = {
    "plan": [{"name": "dog", "label": "dog", "parent": None}],
    "strokes": [{"part": "dog", "kind": "ellipse", "cx": 0.4, "cy": 0.75, "rx": 0.05, "ry": 0.04, "fill": "#8d5a2b"}],
}
BASE = ("ground", "house", "roof", "door", "knob", "tree", "crown")


def after(instruction: str, **reply: Any) -> Drawing:
    base = house().model_copy(update={"protected": BASE, "asked": instruction})
    return draw(parse("edit", json.dumps(reply), base), base)


def kept(drawing: Drawing) -> bool:
    """Whether every stroke of the base is as it was."""
    return [s for s in drawing.strokes if s.part in BASE] == [*house().strokes]


@pytest.mark.parametrize(
    "reply",
    [
        {"remove": ["house"]},
        {"redraw": ["roof"], "strokes": [{**house().strokes[3].model_dump(), "part": "roof"}]},
        {"restyle": [{"part": "house", "fill": "#000000", "children": True}]},
        {"move": [{"part": "tree", "dx": 0.1, "dy": 0}]},
        {"scale": [{"part": "house", "factor": 0.5}]},
    ],
)
def test_what_is_not_listed_is_restored_and_said(reply: dict[str, Any]) -> None:
    reply["strokes"] = [*reply.get("strokes", []), *DOG["strokes"]]
    drawing = after("add a dog", **reply, plan=DOG["plan"])
    assert kept(drawing)
    assert "dog" in {part.name for part in drawing.plan}
    report = studio.check(drawing, house(), Brief.of("add a dog"))
    assert [issue.severity for issue in report.issues if issue.code == "edit.restored"] == ["note"]


@pytest.mark.parametrize("quote", ["", "remove the house", "…", "a  DOGGY"])
def test_removing_restyling_and_redrawing_need_words_of_the_instruction(quote: str) -> None:
    listed = [{"part": "house", "reason": "room for the dog", "quote": quote}]
    drawing = after("add a dog", remove=["house"], changes=listed, **DOG)
    assert kept(drawing)
    assert drawing.notes == ("house was not removed: its quote is not in the instruction",)


def test_what_the_instruction_asks_for_is_done_with_all_that_belongs_to_the_part() -> None:
    listed = [{"part": "house", "reason": "asked for", "quote": "Remove the  house"}]
    drawing = after("please remove the house", remove=["house"], changes=listed)
    assert {part.name for part in drawing.plan} == {"ground", "tree", "crown"}
    assert drawing.notes == ()


def test_what_is_listed_may_be_moved_without_a_quote() -> None:
    drawing = after("add a dog", move=[{"part": "crown", "dx": 0.01, "dy": 0}], changes=["tree"], **DOG)
    assert drawing.strokes[6] != house().strokes[6]
    assert drawing.notes == ()


def test_an_edit_that_lists_everything_may_move_everything_and_remove_nothing() -> None:
    listed = [{"part": name, "reason": "all of it"} for name in BASE]
    drawing = after("add a dog", remove=[*BASE], changes=listed, **DOG)
    assert kept(drawing)
    assert len(drawing.notes) == len(BASE)


def test_new_parts_are_free() -> None:
    first = after("add a dog", **DOG)
    moved = draw(parse("edit", json.dumps({"remove": ["dog"]}), first), first)
    assert kept(moved)
    assert "dog" not in {part.name for part in moved.plan}
    assert (moved.protected, moved.asked) == (BASE, "add a dog")


def test_a_repair_is_held_to_it_too() -> None:
    base = after("add a dog", **DOG)
    repaired = draw(parse("repair", json.dumps({"remove": ["house"]}), base), base)
    assert kept(repaired)
    with pytest.raises(FormatError, match="protected"):
        parse("repair", base.source, base)
