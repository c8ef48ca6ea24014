"""Replies of the board studio: strict, and errors in terms of the reply."""

import json
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.errors import FormatError
from redraft.models.conversation import Prompts
from redraft.studios.board.actions.registry import ACTIONS, Action, PlaceRelative
from redraft.studios.board.spec import Stated, Waiver, parse

NEXT_TO = {"action": "place_relative", "ref": "C1", "target": "U1.4", "side": "right", "clearance": 0.5}


def reply(*actions: object, **more: object) -> str:
    return f"Here it is.\n```json\n{json.dumps({'approach': 'x', 'actions': actions, **more})}\n```"


def test_a_list_of_actions() -> None:
    assert parse(reply(NEXT_TO)).actions == (Stated(action=PlaceRelative(ref="C1", target="U1.4")),)


def test_what_an_action_stands_for_is_written_beside_its_own_fields() -> None:
    more = {"quote": "within 2 mm", "at_most": 2, "measure_only": True}
    (stated,) = parse(reply({**NEXT_TO, **more})).actions
    assert stated == Stated.model_validate({"action": NEXT_TO, **more})
    assert Stated.model_validate(stated.as_written) == stated
    assert Stated.model_validate_json(stated.model_dump_json()) == stated


def test_whole_numbers_and_lists_are_what_json_has() -> None:
    made = parse(reply({"action": "align", "refs": ["R1", "R2"]}, {**NEXT_TO, "clearance": 1}))
    assert [stated.action.action for stated in made.actions] == ["align", "place_relative"]


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (
            {**NEXT_TO, "side": "rigth"},
            "actions[0].side: Input should be 'left', 'right', 'top' or 'bottom'; found 'rigth'",
        ),
        ({**NEXT_TO, "gap": 1}, "actions[0].gap: unknown field; place_relative has "),
        ({"action": "place_relative", "ref": "C1"}, "actions[0].target: this field is missing"),
        ({**NEXT_TO, "action": "place_relativ"}, "actions[0].action: did you mean place_relative? one of "),
        ({**NEXT_TO, "action": "teleport"}, "actions[0].action: one of place_relative, place_component, "),
        ({**NEXT_TO, "clearance": "0.5 mm"}, "actions[0].clearance: "),
        ({"action": "align", "refs": []}, "actions[0].refs: "),
        ({**NEXT_TO, "at_most": -1}, "actions[0].at_most: "),
        ({**NEXT_TO, "at_least": 2, "at_most": 1}, "actions[0]: at_least (2) is more than at_most (1)"),
    ],
)
def test_what_is_wrong_is_said_in_terms_of_the_reply(action: object, said: str) -> None:
    with pytest.raises(FormatError, match="does not follow its form") as caught:
        parse(reply(action))
    assert f"- {said}" in str(caught.value)


def test_unknown_fields_of_the_list_itself() -> None:
    with pytest.raises(
        FormatError, match=r"- moves: unknown field; the fields are approach, inspect, dry_run, actions, waived"
    ):
        parse(reply(moves=[]))


def test_numbers_that_are_none_are_refused() -> None:
    with pytest.raises(FormatError):
        parse('{"approach": "x", "actions": [{"action": "place_component", "ref": "C1", "x": NaN, "y": 0}]}')


def test_the_system_prompt_knows_every_action_and_field() -> None:
    text = Prompts("redraft.studios.board").text("system")
    for name, model in ACTIONS.items():
        line = next((line for line in text.splitlines() if f'"action":"{name}"' in line), None)
        assert line is not None, name
        start = line.index(f'"action":"{name}"')
        own = set(model.model_fields) - {"allow_overlap"}
        assert {f for f in own if f'"{f}":' in line[start:]} == own, name
    for field in ("allow_overlap", *(name for name in Stated.model_fields if name != "action"), *Waiver.model_fields):
        assert f'"{field}":' in text


def test_every_member_of_the_union_has_its_name() -> None:
    union = get_args(get_args(Action)[0])
    assert set(union) == set(ACTIONS.values())


VALUES = st.none() | st.booleans() | st.floats() | st.text(max_size=8)


@given(VALUES | st.lists(VALUES | st.lists(VALUES, max_size=3), max_size=3))
def test_no_other_error_than_one_of_format(value: object) -> None:
    with pytest.raises(FormatError):
        parse(json.dumps({"approach": "x", "actions": [{"action": "align", "refs": value, "axis": value}], "by": 1}))
