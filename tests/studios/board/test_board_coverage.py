"""The words and numbers of a brief against what a run's actions set: each met exactly, waived with a reason, or not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from small_board import write_board

from redraft.brief import Brief
from redraft.record.log import statements
from redraft.result import Report
from redraft.studios.board.check import check
from redraft.studios.board.placement import Placement, carried_out, opened, repair
from redraft.studios.board.spec import parse

Fields = dict[str, object]


def beside(ref: str, target: str, gap: float, quote: str = "", side: str = "right", **more: object) -> Fields:
    """R1 to R8 lie 5 mm apart in a row at the bottom, 0.5 mm × … courtyards of 3.5 × 1.5 mm; C1 and C2 at the right."""
    fields = {"action": "place_relative", "ref": ref, "target": target, "side": side, "clearance": gap}
    return {**fields, "quote": quote, **more}


@pytest.fixture
def board(tmp_path: Path) -> Placement:
    return opened(write_board(tmp_path))


def after(board: Placement, *replies: list[Fields], waived: list[Fields] | None = None) -> Placement:
    """The placement after replies; the waivers are in the last one."""
    for i, actions in enumerate(replies):
        last = waived if waived and i == len(replies) - 1 else []
        board = carried_out(parse(json.dumps({"approach": "x", "actions": actions, "waived": last})), board)
    return board


def report(board: Placement, brief: str, *replies: list[Fields], waived: list[Fields] | None = None) -> Report:
    done = after(board, *replies, waived=waived)
    return check(done, board, Brief.of(brief, source=board.file))


def codes(found: Report) -> list[str]:
    return [issue.code for issue in (*found.errors, *found.warnings)]


ASKED = "put C1 0.5 mm right of U1 pin 4"
DONE = beside("C1", "U1.4", 0.5, ASKED)


def test_an_action_is_listed_with_its_words_and_what_was_measured(board: Placement) -> None:
    found = report(board, ASKED, [DONE])
    assert found.valid, found.issues
    (one,) = found.requirements
    assert (one.id, one.kind, one.quote, one.outcome, one.deviation) == ("a1", "action", ASKED, "met", 0.0)
    assert one.words == "place_relative C1 0.5 mm right of U1.4 (pad, level with the pad)"
    assert one.found == "0.5 mm, pad to pad"
    assert one.subjects == ("C1", "U1")
    assert one.numbers == {"found": 0.5, "expected": 0.5}


@pytest.mark.parametrize(
    ("brief", "gap"),
    [
        ("C1 0,5 mm rechts von U1 Pin 4", 0.5),
        ("C1を U1.4 の右 0.5mm に", 0.5),
        ("C1 0.5 mm right of U1.4", 0.5),
        ("C1 20mil right of U1.4", 0.508),
        ("C1 ½ mm right of U1.4", 0.5),
        ("C1 0.5 right of U1.4", 0.5),
        ("C1 half a millimeter right of U1.4", 0.7),
        ("C1 at 3 in from pin 4 of U1", 3.0),
    ],
)
def test_a_number_is_met_by_the_same_length_in_whatever_unit_or_language(
    board: Placement, brief: str, gap: float
) -> None:
    found = report(board, brief, [beside("C1", "U1.4", gap, brief)])
    assert codes(found) == []
    assert found.unchecked[:-1] == ()


@pytest.mark.parametrize("gap", [0.500001, 0.499999, 0.51, 0.7])
def test_a_nanometer_is_too_much(board: Placement, gap: float) -> None:
    found = report(board, ASKED, [beside("C1", "U1.4", gap, ASKED)])
    (error,) = found.errors
    assert (error.code, error.basis, error.severity) == ("brief.number", "requirement", "error")
    assert error.message.startswith("“0.5 mm” is not what the actions that quote it set")
    assert not found.valid


def test_a_number_that_nobody_quotes_is_not_met_by_chance(board: Placement) -> None:
    (error,) = report(board, ASKED, [{**DONE, "quote": "put C1"}]).errors[:1]
    assert error.message == "“0.5 mm” is in no action's quote"
    assert "waived" in error.hint


def test_a_quote_that_is_not_in_the_brief_is_a_warning_and_the_action_counts(board: Placement) -> None:
    found = report(board, "tidy C1", [beside("C1", "U1.4", 0.5, "put C1 next to it")])
    assert codes(found) == ["brief.quote"]
    assert [(m.outcome, m.quote) for m in found.requirements] == [("met", "")]
    assert found.valid
    wrong = report(board, ASKED, [{**DONE, "quote": "put C1 0.5 mm left of U1 pin 4"}])
    assert codes(wrong) == ["brief.number", "brief.number", "brief.quote"]


@pytest.mark.parametrize("quote", ["PUT C1  0.5 mm\nright of u1 pin 4", f"“{ASKED}”", ASKED + "."])
def test_quotes_are_folded(board: Placement, quote: str) -> None:
    assert codes(report(board, ASKED, [{**DONE, "quote": quote}])) == []


@pytest.mark.parametrize("quote", [7, None, ["put C1"], {"a": 1}])
def test_a_malformed_quote_costs_no_action(board: Placement, quote: object) -> None:
    found = report(board, "tidy C1", [{**DONE, "quote": quote}])
    assert [m.outcome for m in found.requirements] == ["met"]


TWICE = "C1 0.5 mm right of U1, C2 0.5mm left of U1"


def test_the_same_number_twice_takes_two_actions(board: Placement) -> None:
    one, two = beside("C1", "U1", 0.5, "C1 0.5 mm right of U1"), beside("C2", "U1", 0.5, "C2 0.5mm left of U1", "left")
    assert codes(report(board, TWICE, [one, two])) == []
    assert codes(report(board, TWICE, [one])) == ["brief.number"]
    whole = [{**one, "quote": TWICE}, {**two, "quote": TWICE}]
    assert codes(report(board, TWICE, whole)) == []
    assert codes(report(board, TWICE, whole[:1])) == ["brief.number"]


def test_the_same_words_twice_are_the_first_and_the_second_place(board: Placement) -> None:
    brief = "C1 0.5 mm right of U1, C2 0.5 mm left of U1"
    one, two = beside("C1", "U1", 0.5, "0.5 mm"), beside("C2", "U1", 0.5, "0.5 mm", "left")
    assert codes(report(board, brief, [one])) == ["brief.number"]
    assert codes(report(board, brief, [one, two])) == []


def test_of_several_for_the_same_words_each_keeps_the_number(board: Placement) -> None:
    brief = "put C1 and C2 0.5 mm from U1"
    one = beside("C1", "U1", 0.5, brief)
    assert codes(report(board, brief, [one, beside("C2", "U1", 0.5, brief, "left")])) == []
    found = report(board, brief, [one, beside("C2", "U1", 0.7, brief, "left")])
    assert codes(found) == ["brief.number"]
    assert "C2" in found.errors[0].message


def test_one_action_for_many_gaps(board: Placement) -> None:
    row: Fields = {"action": "distribute", "refs": ["R1", "R2", "R3"], "spacing": 1, "axis": "x"}
    brief = "1 mm between R1 and R2, and 1 mm from R2 to R3"
    assert codes(report(board, brief, [{**row, "quote": brief}])) == []
    assert codes(report(board, brief, [{**row, "spacing": 1.5, "quote": brief}])) == ["brief.number"] * 2


def test_a_pitch_is_measured_from_middle_to_middle(board: Placement) -> None:
    brief = "R1, R2 and R3 at a pitch of 5.08 mm"
    row: Fields = {"action": "distribute", "refs": ["R1", "R2", "R3"], "spacing": 5.08 - 3.5, "quote": brief}
    assert codes(report(board, brief, [row])) == []
    assert codes(report(board, brief, [{**row, "spacing": 1}])) == ["brief.number"]


def test_pins_parts_and_counts_are_no_lengths(board: Placement) -> None:
    brief = "the 2 capacitors beside U1, C1 at pin 4 and C2 at pad 2"
    two = [beside("C1", "U1.4", 0.5, brief), beside("C2", "U1.2", 0.5, brief, "left")]
    assert codes(report(board, brief, two)) == []
    assert codes(report(board, "align the 3 resistors R1-R3", [
        {"action": "align", "refs": ["R1", "R2", "R3"], "quote": "align the 3 resistors R1-R3"},
    ])) == []  # fmt: skip
    wrong = [beside("C1", "U1.1", 0.5, brief, "left"), two[1]]
    assert codes(report(board, brief, wrong)) == ["brief.number"]  # pin 4


def test_a_pin_uses_up_no_length(board: Placement) -> None:
    """The part has a pin 4, and the clearance is 0.5: the other 4 is nobody's."""
    brief = "put C1 4 right of U1 pin 4"
    assert codes(report(board, brief, [beside("C1", "U1.4", 0.5, brief)])) == ["brief.number"]
    assert codes(report(board, brief, [beside("C1", "U1.4", 4, brief)])) == []


def test_angles(board: Placement) -> None:
    turn: Fields = {"action": "rotate", "refs": ["C1"], "by": -90, "quote": "turn C1 by 90° clockwise"}
    assert codes(report(board, "turn C1 by 90° clockwise", [turn])) == []
    assert codes(report(board, "turn C1 by 90° clockwise", [{**turn, "by": 45}])) == ["brief.number"]
    assert codes(report(board, "turn C1 to 270 Grad", [
        {"action": "rotate", "refs": ["C1"], "to": -90, "quote": "turn C1 to 270 Grad"},
    ])) == []  # fmt: skip


def test_limits(board: Placement) -> None:
    brief = "C1 within 2 mm of U1"
    near: Fields = {"action": "cluster_around", "refs": ["C1"], "target": "U1", "quote": brief}
    assert codes(report(board, brief, [near])) == ["brief.number"]
    assert codes(report(board, brief, [{**near, "at_most": 2}])) == []
    assert codes(report(board, brief, [{**near, "at_most": 3}])) == ["brief.number"]
    far = {**beside("C1", "U1", 5, brief), "at_most": 2}
    assert codes(report(board, brief, [far])) == ["brief.action", "brief.number"]


def test_what_a_later_action_undoes_does_not_hold(board: Placement) -> None:
    away: Fields = {"action": "move_by", "refs": ["C1"], "dx": 1.0}
    found = report(board, ASKED, [DONE, away])
    assert codes(found) == ["brief.action", "brief.number"]
    assert found.errors[1].numbers == {"found": 1.5, "expected": 0.5}
    assert "measures 1.5 mm" in found.errors[1].message


def test_a_part_that_moves_on_as_the_brief_says_was_where_it_should_be(board: Placement) -> None:
    brief = "put C1 0.5 mm above U1 pin 4, then move it 2 mm up"
    first = beside("C1", "U1.4", 0.5, "put C1 0.5 mm above U1 pin 4", "top")
    then: Fields = {"action": "move_by", "refs": ["C1"], "dy": -2, "quote": "then move it 2 mm up"}
    found = report(board, brief, [first, then])
    assert codes(found) == []
    assert [m.found for m in found.requirements] == ["done, then moved on as the brief says", "by (0, -2) mm"]
    assert codes(report(board, brief, [first, {**then, "dy": -3}])) == ["brief.action", "brief.number", "brief.number"]


def test_a_later_reply_replaces_what_an_earlier_one_said_of_the_same_words(board: Placement) -> None:
    wrong, right = beside("C1", "U1.4", 0.7, ASKED), DONE
    found = report(board, ASKED, [wrong], [right])
    assert codes(found) == []
    assert len(found.requirements) == 1
    quoted = report(board, ASKED, [{**DONE, "quote": ""}], [{**DONE, "measure_only": True}])
    assert codes(quoted) == []
    assert [m.quote for m in quoted.requirements] == [ASKED]
    both = "C1 0.5 mm right of U1, C2 0.5 mm left of U1"
    one = beside("C1", "U1", 0.5, both)
    found = report(board, both, [one, beside("C2", "U1", 0.6, both, "left")], [beside("C2", "U1", 0.5, both, "left")])
    assert codes(found) == []
    assert [m.subjects for m in found.requirements] == [("C1", "U1"), ("C2", "U1")]


def test_steps_without_words_may_be_undone(board: Placement) -> None:
    aside: Fields = {"action": "move_by", "refs": ["C1"], "dx": 2.0}
    found = report(board, ASKED, [aside, DONE])
    assert codes(found) == []
    assert len(found.requirements) == 1


def test_measuring_only_moves_nothing(board: Placement) -> None:
    so = {**DONE, "measure_only": True}
    assert after(board, [so]).poses == {}
    assert codes(report(board, ASKED, [so])) == ["brief.action", "brief.number"]


def test_nothing_done_is_an_error_unless_it_is_stated_to_be_so(board: Placement) -> None:
    assert codes(report(board, "keep U1 where it is")) == ["brief.nothing"]
    lock: Fields = {"action": "lock", "refs": ["U1"], "measure_only": True, "quote": "keep U1 where it is"}
    assert codes(report(board, "keep U1 where it is", [lock])) == []


OLD = "put C1 0.5 mm right of U1 pin 4, the 3 mm LED stays, rev 2"


def waiver(quote: str, *, cannot: bool = False, reason: str = "a size") -> Fields:
    return {"quote": quote, "reason": reason, "cannot": cannot}


def test_numbers_may_be_waived_one_by_one_with_a_reason(board: Placement) -> None:
    assert codes(report(board, OLD, [DONE])) == ["brief.number"] * 2
    waived = [waiver("the 3 mm LED"), waiver("rev 2", reason="a revision")]
    found = report(board, OLD, [DONE], waived=waived)
    assert found.valid
    assert codes(found) == ["brief.waived"]  # a length is a warning, a bare number is only listed
    assert found.set_aside == ("“the 3 mm LED” is waived: a size", "“rev 2” is waived: a revision")


def test_a_waiver_of_everything_waives_nothing(board: Placement) -> None:
    found = report(board, OLD, [DONE], waived=[waiver("the 3 mm LED stays, rev 2")])
    assert codes(found) == ["brief.number"] * 2
    assert found.set_aside == ("“the 3 mm LED stays, rev 2” has 2 numbers, and waives none: quote one at a time",)
    found = report(board, ASKED, [], waived=[waiver(ASKED)])
    assert "brief.number" in codes(found)
    strange = report(board, ASKED, [DONE], waived=[waiver("5 mm left of J1")])
    assert strange.set_aside == ("“5 mm left of J1” is not in the brief, and waives nothing (a size)",)
    assert codes(strange) == []


def test_waiving_instead_of_doing_is_no_way_out(board: Placement) -> None:
    waived = [waiver("0.5 mm"), waiver("pin 4")]
    assert codes(report(board, ASKED, [], waived=waived)) == ["brief.number"]
    found = report(board, ASKED, [beside("C1", "U1.4", 0.7)], waived=waived)
    assert codes(found) == ["brief.number"]
    assert found.set_aside[-1].startswith("“0.5 mm” is not waived: a length or angle is met exactly, or cannot be met")
    assert codes(report(board, "put C1 near pin 4", [], waived=[waiver("pin 4")])) == ["brief.nothing"]


def test_what_cannot_be_done_is_an_error_with_the_reason(board: Placement) -> None:
    found = report(board, OLD, [DONE], waived=[waiver("the 3 mm LED stays, rev 2", cannot=True, reason="no LED")])
    assert [issue.message for issue in found.errors] == ["“the 3 mm LED stays, rev 2” was not carried out: no LED"]
    unclear = report(board, ASKED, [DONE], waived=[waiver("all of it", cannot=True)])
    assert codes(unclear) == ["brief.cannot"]  # also where its words are not found
    silent = parse(json.dumps({"approach": "x", "waived": [{"quote": "rev 2", "reason": "?"}]}))
    assert silent.waived[0].cannot  # unless it says otherwise


def test_a_waiver_gives_way_to_a_later_action(board: Placement) -> None:
    given_up = carried_out(
        parse(json.dumps({"approach": "x", "waived": [waiver(ASKED, cannot=True, reason="no room")]})), board
    )
    brief = Brief.of(ASKED, source=board.file)
    assert codes(check(given_up, board, brief)) == ["brief.cannot"]
    assert codes(check(after(given_up, [DONE]), board, brief)) == []
    assert codes(check(after(given_up, [beside("C1", "U1.4", 0.7, ASKED)]), board, brief)) == ["brief.number"]


@pytest.mark.parametrize(
    "waived", [[{"quote": "rev 2"}], [{"quote": "rev 2", "reason": ""}], [{"quote": "x", "reason": "y", "why": 1}], [7]]
)
def test_a_waiver_without_a_reason_is_malformed(waived: list[object]) -> None:
    from redraft.errors import FormatError

    with pytest.raises(FormatError, match=r"waived\[0\]"):
        parse(json.dumps({"approach": "x", "waived": waived}))


def test_what_was_not_measured_is_listed(board: Placement) -> None:
    found = report(board, f"{ASKED} and make the whole thing elegant", [DONE])
    assert found.unchecked[0] == "and make the whole thing elegant"
    assert report(board, f"please {ASKED}", [DONE]).unchecked == ()  # a single word says nothing


def test_the_solver_is_not_asked_about_what_a_number_holds(board: Placement) -> None:
    on = beside("C1", "U1", -1, "C1 -1 mm right of U1", allow_overlap=True)
    done = after(board, [on])
    found = check(done, board, Brief.of("C1 -1 mm right of U1", source=board.file))
    assert [issue.code for issue in found.errors] == ["board.overlap"]
    assert repair(done, board, found).moves == ()


@pytest.mark.slow
def test_hundreds_of_numbers_are_not_listed_one_by_one(board: Placement) -> None:
    import time

    brief = f"{ASKED} " + "7 mm, " * 900
    began = time.process_time()
    errors = report(board, brief, [{**DONE, "quote": ASKED}] * 50).errors
    assert time.process_time() - began < 20
    assert len(errors) == 25
    assert errors[-1].message == "and 876 more numbers like these"


@pytest.mark.parametrize("words", ["put C1 4 mm right of U1 pin 4", "set C1 4.5mm right of U1", "C1 5.5 mm nach U1"])
def test_a_length_is_met_or_the_run_is_not_valid(board: Placement, words: str) -> None:
    length = next(word for word in words.replace("mm", " mm").split() if word[0].isdigit())
    quote = f"{length} mm" if f"{length} mm" in words else f"{length}mm"
    lock: Fields = {"action": "lock", "refs": ["U1"], "measure_only": True, "quote": "U1"}
    found = report(board, words, [lock], waived=[waiver(quote, reason="no room at this distance"), waiver("pin 4")])
    assert "brief.number" in codes(found)
    assert not found.valid
    assert any("a length or angle is met exactly" in said for said in found.set_aside)


@pytest.mark.parametrize(
    ("brief", "limit", "valid"),
    [
        ("put C1 exactly 0.5mm right of U1 pin 4", {"at_least": 0.5}, False),
        ("put C1 0.5 mm right of U1 pin 4", {"at_least": 0.5}, False),
        ("put C1 2 mm right of U1 pin 4", {"at_most": 2}, False),
        ("put C1 within 2 mm right of U1 pin 4", {"at_most": 2}, True),
        ("put C1 at least 0.5 mm right of U1 pin 4", {"at_least": 0.5}, True),
        ("put C1 0.5 mm or more right of U1 pin 4", {"at_least": 0.5}, True),
        ("C1 ≤ 2 mm rechts von U1 pin 4", {"at_most": 2}, True),
        ("C1 höchstens 2 mm rechts von U1 pin 4", {"at_most": 2}, False),
        ("put C1 0.5 to 2 mm right of U1 pin 4", {"at_least": 0.5, "at_most": 2}, True),
    ],
)
def test_a_limit_stands_for_a_number_only_where_the_brief_sets_one(
    board: Placement, brief: str, limit: Fields, valid: bool
) -> None:
    found = report(board, brief, [{**beside("C1", "U1.4", 0.9, brief), **limit}])
    assert found.valid is valid, found.issues
    assert codes(found) == ([] if valid else ["brief.number"])


def test_words_that_are_waived_as_impossible_are_never_met(board: Placement) -> None:
    brief = f"{ASKED} without a new DRC error"
    done = {**DONE, "quote": brief}
    given_up = waiver("without a new DRC error", cannot=True, reason="two errors are left")
    found = report(board, brief, [done], waived=[given_up])
    assert [m.outcome for m in found.requirements] == ["waived"]
    assert codes(found) == ["brief.cannot"]
    assert found.set_aside == ("“without a new DRC error” is waived: two errors are left",)
    assert statements(found) == "1 of 2 statements measured: 0 hold, waived: a1 (" + found.requirements[0].words + ")"
    aside = report(board, brief, [DONE], waived=[given_up])
    assert [m.outcome for m in aside.requirements] == ["met"]


def test_a_wish_that_is_not_read_does_not_waive_the_whole(board: Placement) -> None:
    """Words within those of a `place_all` that are given up cost that wish alone; all of its words cost the whole."""
    brief = "place R1 again, R1 at the left edge, under the antenna"
    act: Fields = {
        "action": "place_all", "refs": ["R1"], "anchors": [{"ref": "R1", "edge": "left"}], "effort": 0.001,
        "quote": brief,
    }  # fmt: skip
    part = report(board, brief, [act], waived=[waiver("under the antenna", cannot=True, reason="no antenna")])
    assert [m.outcome for m in part.requirements] == ["met"]
    assert codes(part) == ["brief.cannot"]
    whole = report(board, brief, [act], waived=[waiver(brief, cannot=True, reason="no antenna")])
    assert [m.outcome for m in whole.requirements] == ["waived"]
