"""Where new parts are painted, and repairs that send only the change."""

import pytest
from drawings import HOUSE, as_reply, house

from redraft.errors import ExecutionError, FormatError
from redraft.studios.sketch.parse import parse
from redraft.studios.sketch.patch import Patch, draw
from redraft.studios.sketch.spec import Drawing

HILL = {"part": "hill", "kind": "ellipse", "cx": 0.5, "cy": 0.8, "rx": 0.5, "ry": 0.3, "fill": "#8bc34a"}


def base() -> Drawing:
    return draw(parse("draft", HOUSE, None), None)


def with_hill(**fields: object) -> list[str]:
    plan = [{"name": "hill", "label": "hill", "parent": None}]
    patch = parse("edit", as_reply({"approach": "", "plan": plan, "strokes": [HILL], **fields}), base())
    return [stroke.part for stroke in draw(patch, base()).strokes]


def test_new_parts_go_on_top_or_behind_a_part() -> None:
    assert with_hill() == ["house", "roof", "door", "hill"]
    assert with_hill(behind="door") == ["house", "roof", "hill", "door"]
    assert with_hill(behind="house") == ["hill", "house", "roof", "door"]  # behind all that belongs to it


def test_behind_what_is_not_there() -> None:
    with pytest.raises((FormatError, ExecutionError), match=r"behind: there is no part 'garage'"):
        with_hill(behind="garage")


def test_a_repair_may_send_only_the_change() -> None:
    reply = as_reply({"approach": "lower", "move": [{"part": "door", "dx": 0.01, "dy": 0.0}]})
    patch = parse("repair", reply, base())
    assert isinstance(patch, Patch)
    moved = draw(patch, base())
    assert moved.plan == base().plan
    assert moved.strokes[:2] == base().strokes[:2]


@pytest.mark.parametrize(
    "change",
    [
        {"remove": ["door"]},
        {"plan": [{"name": "hill", "label": "hill", "parent": None}], "strokes": [HILL]},
        {"plan": house()["plan"][:2], "strokes": house()["strokes"][:2]},
    ],
)
def test_a_strict_repair_that_changes_the_plan_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(FormatError, match="The repair changes the plan"):
        parse("repair", as_reply({"approach": "", **change}), base(), strict=True)
