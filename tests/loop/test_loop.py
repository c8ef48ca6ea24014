"""The loop on the toy studio: its verbs, its small budgets, its classes, its delivery rule."""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from toy import PIXEL, Number, StatingToy, ToyStudio, kinds, run_for

from redraft.errors import BudgetError, InfrastructureError, ModelUnavailableError
from redraft.loop.keep import Progress
from redraft.loop.turns import run_loop
from redraft.models.base import ModelInfo, Reply, Request
from redraft.models.scripted import ScriptedModel
from redraft.record.events import Discarded, Event, Validated, Warned
from redraft.record.log import log_lines
from redraft.result import Picture, Report
from redraft.studios.base import Resources

pytestmark = pytest.mark.anyio


async def drive(folder: Path, model: ScriptedModel, **options: Any) -> Progress:
    progress = Progress()
    desk = run_for(folder, model, **options)
    try:
        await run_loop(desk, progress)
    finally:
        desk.journal.__exit__()
    return progress


def delivered(progress: Progress) -> int | None:
    best = progress.best
    return None if best is None or best.candidate is None else cast("Number", best.candidate.artifact).value


async def test_right_at_once_is_one_call(tmp_path: Path) -> None:
    model = ScriptedModel(["3"])
    progress = await drive(tmp_path, model)
    assert (delivered(progress), kinds(model.requests)) == (3, ["draft"])


async def test_fast_retry_fixes_syntax_error(tmp_path: Path) -> None:
    model = ScriptedModel(["well, three", "-3", "3"])
    progress = await drive(tmp_path, model)
    assert (delivered(progress), kinds(model.requests)) == (3, ["draft", "fix", "fix"])
    inputs = [request.inputs for request in model.requests]
    assert (inputs[1]["reply"], inputs[1]["error"]) == ("well, three", "a number is expected, found 'well, three'")
    assert (inputs[2]["reply"], inputs[2]["error"]) == ("-3", "-3 is negative")


async def test_fast_retry_gives_up_after_max(tmp_path: Path) -> None:
    model = ScriptedModel(["a", "b", "c", "d", "3"])
    progress = await drive(tmp_path, model, loop={"iterations": 1})
    assert (delivered(progress), kinds(model.requests)) == (None, ["draft", "fix", "fix", "fix"])
    assert progress.records[0].retry_count == 3
    assert [line[:3] for line in progress.records[0].errors] == ["E2:"] * 4
    turn = progress.turns[1]
    assert turn.verdict.satisfied is False
    assert turn.verdict.summary.startswith("did not run (E2:")


async def test_fast_retry_does_not_trigger_on_success(tmp_path: Path) -> None:
    model = ScriptedModel(["3"])
    progress = await drive(tmp_path, model)
    assert progress.records[0].retry_count == 0
    assert progress.records[0].errors == ()


async def test_fast_retry_count_is_recorded(tmp_path: Path) -> None:
    progress = await drive(tmp_path, ScriptedModel(["a", "b", "3"]))
    record = progress.records[0]
    assert record.retry_count == 2
    assert [line[:3] for line in record.errors] == ["E2:", "E2:"]
    assert len(progress.records) == 1  # retries are never iterations


async def test_no_fixes_means_none(tmp_path: Path) -> None:
    model = ScriptedModel(["a"])
    await drive(tmp_path, model, loop={"fixes": 0, "iterations": 1})
    assert kinds(model.requests) == ["draft"]


async def test_a_crash_runs_the_same_draft_once_more(tmp_path: Path) -> None:
    studio, model = ToyStudio(crashes=1), ScriptedModel(["13"])
    progress = await drive(tmp_path, model, studio=studio)
    assert (delivered(progress), studio.executed) == (13, [13, 13])
    assert progress.records[0].retry_count == 0


async def test_a_crash_that_happens_again_ends_the_run_and_asks_no_model(tmp_path: Path) -> None:
    studio, model = ToyStudio(crashes=3), ScriptedModel(["13"])
    with pytest.raises(InfrastructureError, match="failed twice, the second time on a fresh start: the worker died"):
        await drive(tmp_path, model, studio=studio)
    assert (studio.executed, kinds(model.requests)) == ([13, 13], ["draft"])
    progress = await drive(tmp_path, ScriptedModel([]), studio=studio)  # resumed: the draft runs again, twice
    assert (delivered(progress), studio.executed) == (13, [13] * 4)
    studio.executed.clear()
    await drive(tmp_path, ScriptedModel([]), studio=studio)  # and what has a result is not repeated
    assert studio.executed == []


async def test_repairs_have_a_budget_of_their_own(tmp_path: Path) -> None:
    model = ScriptedModel(["0", "1", "2"])
    progress = await drive(tmp_path, model, loop={"iterations": 1})
    assert (delivered(progress), kinds(model.requests)) == (2, ["draft", "repair", "repair"])
    assert model.requests[1].inputs["issues"] == ["one is missing"] * 3


async def test_the_best_candidate_stays(tmp_path: Path) -> None:
    model = ScriptedModel(["2", "0", "1"])
    progress = await drive(tmp_path, model, loop={"iterations": 1})
    assert delivered(progress) == 2
    assert [r.inputs["current"] for r in model.requests] == ["", "2", "2"]  # repairs begin from the best


async def test_the_next_turn_edits_the_best_so_far(tmp_path: Path) -> None:
    model = ScriptedModel(["0", "1", "2", "a", "b", "c", "d"])
    progress = await drive(tmp_path, model, loop={"iterations": 2})
    assert delivered(progress) == 2
    edit = model.requests[3]
    assert (edit.kind, edit.inputs["current"]) == ("toy.edit", "2")
    assert str(edit.inputs["history"]).startswith("ITERATION HISTORY:\n  Iter 1: VALIDATION=0.7000")


async def test_the_history_has_a_line_for_each_turn_and_none_for_a_retry(tmp_path: Path) -> None:
    model = ScriptedModel(["in words", "-1", "0", "1", "2", "in words again", "a", "b", "2", "c", "d"])
    progress = await drive(tmp_path, model, loop={"iterations": 2})
    assert progress.records[0].retry_count == 2
    (edit,) = [request for request in model.requests if request.kind == "toy.edit"]
    assert str(edit.inputs["history"]).splitlines() == [
        "ITERATION HISTORY:",
        f"  Iter 1: VALIDATION=0.7000 | Approach: {progress.records[0].agent_notes}",
    ]
    assert [record.iteration for record in progress.records] == [1, 2]
    assert progress.records[1].retry_count == 3


async def test_candidates_are_ranked_and_only_the_best_goes_on(tmp_path: Path) -> None:
    model = ScriptedModel(["0", "2", "words", "1", "3"])
    seen: list[Event] = []
    loop = {"candidates": 3, "fixes": 0, "iterations": 1}
    progress = await drive(tmp_path, model, loop=loop, observer=seen.append)
    assert kinds(model.requests) == ["draft", "draft", "draft", "repair", "repair"]
    assert model.requests[3].inputs["current"] == "2"
    assert delivered(progress) == 3
    ranked = {e.key: e.kept for e in seen if isinstance(e, Validated) and e.next == "rank"}
    assert ranked == {"iteration-1/candidate-0/validate-0": False}
    lines = [line for event in seen for line in log_lines(event)]
    assert "[CANDIDATE 0] [ITERATION 0] Validation score: 0.10, valid: False" in lines
    assert "[CANDIDATE 1] [ITERATION 0] Validation score: 0.70, valid: False" in lines


async def test_the_lines_of_the_specification(tmp_path: Path) -> None:
    seen: list[Event] = []
    await drive(tmp_path, ScriptedModel(["1", "3"]), observer=seen.append)
    assert [line for event in seen for line in log_lines(event)] == [
        "[ITERATION 0] Validation score: 0.40, valid: False",
        "  [ERROR] count: one is missing",
        "  [ERROR] count: one is missing",
        "[ITERATION 0] Validation FAILED - attempting repair (iteration 1/2)",
        "[ITERATION 1] Repair generated the number 3",
        "[ITERATION 1] Validation score: 1.00, valid: True",
        "[ITERATION 1] Validation PASSED - using this response",
    ]


async def test_turns_and_verdicts_are_told(tmp_path: Path) -> None:
    seen: list[Event] = []
    replies = ["3", critique("too plain", "more"), "4", preferring("later")]
    await drive(tmp_path, ScriptedModel(replies, sees=True), observer=seen.append)
    lines = [line for event in seen for line in log_lines(event)]
    assert lines[2] == "[CRITIC] not satisfied (0.5): too plain"
    assert "[TURN 2] editing: too plain" in lines
    assert lines[-1] == "[CRITIC] satisfied (0.5): compared"


def critique(summary: str, *must: str, score: int = 5, **more: object) -> str:
    """A critic's reply; without something that must change it is satisfied."""
    differences = [{"text": text, "weight": "must"} for text in must]
    said = {"satisfied": not must, "score": score, "summary": summary, "differences": differences}
    return json.dumps({**said, **more})


async def narrated(
    folder: Path, replies: Sequence[str | Callable[[Request], str]], **options: Any
) -> tuple[Progress, list[Event], list[str]]:
    """A run of the studio whose numbers carry statements: what came of it, its events, and the requests' kinds."""
    sees = options.pop("sees", True)
    model, seen = ScriptedModel(list(replies), sees=sees), list[Event]()
    progress = await drive(folder, model, studio=StatingToy(), observer=seen.append, **options)
    return progress, seen, kinds(model.requests)


FIVE = {"kind": "count", "parts": ["n"], "number": 5}


async def test_the_critics_words_open_the_next_turn(tmp_path: Path) -> None:
    replies = ["3", critique("too plain", "more"), "4", preferring("later")]
    model = ScriptedModel(replies, sees=True)
    progress = await drive(tmp_path, model, loop={"iterations": 3})
    assert kinds(model.requests) == ["draft", "critique", "edit", "critique"]
    assert model.requests[2].inputs["critique"] == "too plain"
    assert "Critique: too plain" in str(model.requests[2].inputs["history"])
    assert len(model.requests[2].pictures) == 1
    assert len(model.requests[1].pictures) == 1
    assert delivered(progress) == 4


async def test_a_later_candidate_has_to_be_preferred(tmp_path: Path) -> None:
    replies = ["3", critique("nearly", "more"), "9", critique("hm", "more", better="earlier")]
    for better, value in (("earlier", 3), ("same", 3), ("later", 9)):
        folder = tmp_path / better
        model = ScriptedModel([*replies[:3], preferring(better)], sees=True)
        seen = list[Event]()
        progress = await drive(folder, model, loop={"iterations": 2}, observer=seen.append)
        assert delivered(progress) == value
        assert len([e for e in seen if isinstance(e, Discarded)]) == (value == 3)


async def test_runs_with_one_seed_show_the_later_version_first_or_second(tmp_path: Path) -> None:
    letters = set[object]()
    for number in range(12):
        model = ScriptedModel(["3", critique("nearly", "more"), "4", preferring("later")], sees=True)
        await drive(tmp_path / str(number), model, instruction=f"at least 3, attempt {number}")
        letters.add(model.requests[3].inputs["letter"])
    assert letters == {"A", "B"}


def preferring(better: str) -> Callable[[Request], str]:
    """A critic that prefers the earlier or the later of two, wherever it stands: what is measured is the later one."""

    def answer(request: Request) -> str:
        later = str(request.inputs["letter"])
        earlier = "AB".replace(later, "")
        return critique("compared", better={"later": later, "earlier": earlier, "same": "same"}[better])

    return answer


async def test_a_critic_nobody_can_read_is_no_verdict_and_one_warning(tmp_path: Path) -> None:
    model = ScriptedModel(["3", "I like it", "Really!"], sees=True)
    seen: list[Event] = []
    progress = await drive(tmp_path, model, loop={"fixes": 1}, observer=seen.append)
    verdict = progress.turns[1].verdict
    assert (verdict.by, verdict.satisfied, verdict.score) == ("none", None, None)
    warnings = [event.message for event in seen if isinstance(event, Warned)]
    assert len(warnings) == 1
    assert "I like it" not in warnings[0]
    assert "'Really!'" in warnings[0]


@pytest.mark.parametrize("reply", ['{"satisfied": "false", "score": 3, "summary": ""}', '{"score": 11}', "[]"])
async def test_a_critique_is_strict(tmp_path: Path, reply: str) -> None:
    model = ScriptedModel(["3", reply, critique("fine")], sees=True)
    await drive(tmp_path, model)
    assert kinds(model.requests) == ["draft", "critique", "fix"]
    assert model.requests[2].inputs["of"] == "critique"
    assert model.requests[2].path == "iteration-1/verify/fix-1"


async def test_the_hard_cap_ends_the_run_and_keeps_the_best(tmp_path: Path) -> None:
    progress = Progress()
    desk = run_for(tmp_path, ScriptedModel(["0", "1"]), calls=2)
    with pytest.raises(BudgetError, match=r"budget\.calls of 2"):
        await run_loop(desk, progress)
    desk.journal.__exit__()
    assert delivered(progress) == 1


async def test_a_candidate_that_cannot_be_asked_cancels_no_sibling(tmp_path: Path) -> None:
    model = ScriptedModel([ModelUnavailableError("gone"), "2", "3"])
    progress = Progress()
    desk = run_for(tmp_path, model, loop={"candidates": 3})
    with pytest.raises(ModelUnavailableError):
        await run_loop(desk, progress)
    desk.journal.__exit__()
    assert delivered(progress) == 3


async def test_candidates_keep_their_numbers_when_one_could_not_be_asked(tmp_path: Path) -> None:
    loop = {"candidates": 3, "iterations": 1, "repairs": 0}
    gone = ScriptedModel([ModelUnavailableError("gone"), "2", "1"])
    with pytest.raises(ModelUnavailableError):
        await drive(tmp_path, gone, loop=loop)
    seen: list[Event] = []
    rest = ScriptedModel(["0"])
    progress = await drive(tmp_path, rest, loop=loop, observer=seen.append)
    assert (delivered(progress), [r.path for r in rest.requests]) == (2, ["iteration-1/candidate-0/draft"])
    scores = {e.key: e.report.score for e in seen if isinstance(e, Validated)}
    assert scores == {
        "iteration-1/candidate-0/validate-0": 0.1,
        "iteration-1/candidate-1/validate-0": 0.7,
        "iteration-1/candidate-2/validate-0": 0.4,
    }


async def test_a_resumed_run_repeats_no_finished_effect(tmp_path: Path) -> None:
    gone = ScriptedModel(["0", "words", ModelUnavailableError("gone")])
    with pytest.raises(ModelUnavailableError):
        await drive(tmp_path, gone)
    studio = ToyStudio()
    rest = ScriptedModel(["3"])
    progress = await drive(tmp_path, rest, studio=studio)
    assert (delivered(progress), studio.executed, kinds(rest.requests)) == (3, [3], ["fix"])


async def test_the_same_replies_give_the_same_events(tmp_path: Path) -> None:
    script = ["0", "b", "1", "2"]
    for name in ("one", "two"):
        await drive(tmp_path / name, ScriptedModel(script), loop={"iterations": 1})
    texts = [(tmp_path / name / "events.jsonl").read_text() for name in ("one", "two")]
    assert texts[0] == texts[1]


async def test_a_request_is_complete_in_itself(tmp_path: Path) -> None:
    def two_digits(request: Request) -> str | Reply:
        assert [m.role for m in request.messages] == ["user"]
        return "0"

    model = ScriptedModel([two_digits, two_digits, two_digits])
    await drive(tmp_path, model, loop={"iterations": 1})


async def test_validations_are_numbered_within_a_turn(tmp_path: Path) -> None:
    seen: list[Event] = []
    await drive(tmp_path, ScriptedModel(["0", "1", "2", "3"]), loop={"iterations": 2}, observer=seen.append)
    keys = [e.key for e in seen if isinstance(e, Validated)]
    assert keys == [f"iteration-1/validate-{n}" for n in range(3)] + ["iteration-2/validate-0"]
    assert all(re.fullmatch(r"[a-z0-9/-]+", e.key) for e in seen)


def report_of(progress: Progress) -> Report:
    assert progress.best is not None
    assert progress.best.candidate is not None
    return progress.best.candidate.report


def answer(name: str, wrong: str, reason: str = "look") -> dict[str, Any]:
    return {"id": name, "wrong": wrong, "reason": reason}


THREE_OF_FIVE = json.dumps({"value": 3, "requirements": [FIVE]})
"""A draft whose one statement does not hold."""


async def test_a_model_that_cannot_see_gets_a_broken_requirement_in_its_repair(tmp_path: Path) -> None:
    progress, seen, asked = await narrated(tmp_path, [THREE_OF_FIVE, "5"], sees=False)
    assert (delivered(progress), asked) == (5, ["draft", "repair"])
    reports = [e.report for e in seen if isinstance(e, Validated)]
    assert [(i.severity, i.requirement) for i in reports[0].issues] == [("error", "r1")]
    assert reports[-1].valid


async def test_a_broken_requirement_stands_where_nothing_answers(tmp_path: Path) -> None:
    progress, _, asked = await narrated(tmp_path, [THREE_OF_FIVE], sees=False, loop={"iterations": 1, "repairs": 0})
    assert asked == ["draft"]
    assert [(i.basis, i.severity) for i in report_of(progress).issues] == [("requirement", "error")]


async def test_a_model_that_cannot_see_may_restate_or_withdraw_in_a_repair(tmp_path: Path) -> None:
    restated = json.dumps({"requirements": [{**FIVE, "id": "r1", "number": 3, "reason": "the brief says three"}]})
    withdrawn = json.dumps({"mismatches": [answer("r1", "statement", "it binds the wrong parts")]})
    for name, reply, outcome in (("restated", restated, "met"), ("withdrawn", withdrawn, "withdrawn")):
        progress, _, asked = await narrated(tmp_path / name, [THREE_OF_FIVE, reply], sees=False)
        assert (delivered(progress), asked) == (3, ["draft", "repair"])
        assert [m.outcome for m in report_of(progress).requirements] == [outcome]
        assert report_of(progress).valid
    assert report_of(progress).requirements[0].changed == "it binds the wrong parts"


async def test_repairs_that_restate_again_and_again_end(tmp_path: Path) -> None:
    disputes = [json.dumps({"requirements": [{**FIVE, "id": "r1", "number": n}]}) for n in (4, 7, 9)]
    progress, _, asked = await narrated(tmp_path, [THREE_OF_FIVE, *disputes], sees=False, loop={"iterations": 1})
    assert asked == ["draft", "repair", "repair"]
    assert not report_of(progress).valid


async def test_a_critic_says_whether_the_drawing_or_the_statement_is_wrong(tmp_path: Path) -> None:
    """No request is made for a requirement but the look that is made anyway."""
    for wrong, valid, outcome in (("statement", True, "withdrawn"), ("drawing", False, "broken")):
        replies = [THREE_OF_FIVE, critique("looked", mismatches=[answer("r1", wrong, "three are asked for")])]
        progress, seen, asked = await narrated(tmp_path / wrong, replies, loop={"iterations": 1})
        assert asked == ["draft", "critique"]
        first = next(e.report for e in seen if isinstance(e, Validated))
        assert [(i.severity, first.valid) for i in first.issues] == [("note", True)]
        report = report_of(progress)
        assert (report.valid, [(m.outcome, m.upheld) for m in report.requirements]) == (
            valid,
            [(outcome, wrong == "drawing")],
        )
        assert progress.turns[1].verdict.satisfied is valid


async def test_what_the_critic_upholds_has_to_change_in_the_next_turn(tmp_path: Path) -> None:
    upheld = critique("looked", mismatches=[answer("r1", "drawing", "two are missing")])
    model = ScriptedModel([THREE_OF_FIVE, upheld, "5", preferring("later")], sees=True)
    progress = await drive(tmp_path, model, studio=StatingToy())
    assert (delivered(progress), kinds(model.requests)) == (5, ["draft", "critique", "edit", "critique"])
    assert report_of(progress).valid
    [difference] = progress.turns[1].verdict.differences
    assert (difference.weight, "two are missing" in difference.text) == ("must", True)


@pytest.mark.parametrize(
    ("answers", "outcome", "warning"),
    [
        ([], "broken", "did not say what is wrong about r1"),
        ([answer("r7", "statement")], "broken", "answered about 'r7'"),
    ],
)
async def test_strange_answers_of_a_critic_are_a_warning_and_no_loop(
    tmp_path: Path, answers: list[dict[str, Any]], outcome: str, warning: str
) -> None:
    replies = [THREE_OF_FIVE, critique("looked", mismatches=answers)]
    progress, seen, asked = await narrated(tmp_path, replies, loop={"iterations": 3})
    assert asked == ["draft", "critique"]
    assert [m.outcome for m in report_of(progress).requirements] == [outcome]
    assert any(warning in e.message and e.message.startswith("iteration-1") for e in seen if isinstance(e, Warned))


async def test_a_critic_that_withdraws_every_requirement_is_a_warning(tmp_path: Path) -> None:
    two = [FIVE, {**FIVE, "number": 6}]
    answers = [answer("r1", "statement"), answer("r2", "statement")]
    replies = [json.dumps({"value": 3, "requirements": two}), critique("looked", mismatches=answers)]
    progress, seen, asked = await narrated(tmp_path, replies)
    assert (asked, report_of(progress).valid) == (["draft", "critique"], True)
    assert any("withdrew all 2 requirements" in e.message for e in seen if isinstance(e, Warned))


async def test_an_answer_about_a_requirement_that_holds_changes_nothing(tmp_path: Path) -> None:
    holds = json.dumps({"value": 5, "requirements": [FIVE]})
    replies = [holds, critique("looked", mismatches=[answer("r1", "statement")])]
    progress, _, _ = await narrated(tmp_path, replies, loop={"iterations": 1})
    assert [m.outcome for m in report_of(progress).requirements] == ["met"]


async def test_a_picture_that_cannot_be_made_is_a_warning_and_requirements_stand(tmp_path: Path) -> None:
    class Unseen(StatingToy):
        async def render(self, artifact: Number, views: Sequence[str], resources: Resources) -> list[Picture]:
            raise InfrastructureError("no display")

    model, seen = ScriptedModel([THREE_OF_FIVE], sees=True), list[Event]()
    progress = await drive(tmp_path, model, studio=Unseen(), loop={"iterations": 1}, observer=seen.append)
    assert kinds(model.requests) == ["draft"]
    assert any("no display" in e.message for e in seen if isinstance(e, Warned))
    assert not report_of(progress).valid


async def test_a_heuristic_costs_no_call(tmp_path: Path) -> None:
    progress, _, asked = await narrated(tmp_path / "blind", ["4"], sees=False)
    assert (delivered(progress), asked, report_of(progress).score) == (4, ["draft"], 1.0)
    progress, _, asked = await narrated(tmp_path / "seeing", ["4", critique("fine")])
    assert (delivered(progress), asked) == (4, ["draft", "critique"])


async def test_an_identical_repair_is_recorded_and_tried_again(tmp_path: Path) -> None:
    progress, seen, asked = await narrated(tmp_path, ["4", "4", "5"], sees=False, heuristics="strict")
    assert (delivered(progress), asked) == (5, ["draft", "repair", "repair"])
    lines = [line for e in seen for line in log_lines(e)]
    assert sum("Validation score: 0.70" in line for line in lines) == 2
    progress, seen, asked = await narrated(
        tmp_path / "best", ["4", "4", "4"], sees=False, heuristics="strict", loop={"iterations": 1}
    )
    assert asked == ["draft", "repair", "repair"]
    assert any("using the best candidate" in line for e in seen for line in log_lines(e))


async def test_a_repair_that_did_not_run_is_discarded_once_with_its_error(tmp_path: Path) -> None:
    seen = list[Event]()
    model = ScriptedModel(["1", "-5", "3"])
    await drive(tmp_path, model, loop={"iterations": 1, "fixes": 0}, observer=seen.append)
    assert kinds(model.requests) == ["draft", "repair", "repair"]
    [event] = [e for e in seen if isinstance(e, Discarded)]
    assert event.reason == "it did not run: E1: -5 is negative"


async def test_polish_spends_one_turn_on_the_minors_of_a_satisfied_critic(tmp_path: Path) -> None:
    minor = [{"text": "rounder", "weight": "minor"}]
    for better, value in (("later", 5), ("earlier", 3)):
        replies = ["3", critique("fine", differences=minor), "5", preferring(better), "7"]
        model = ScriptedModel(replies, sees=True)
        loop = {"iterations": 1, "polish": True}
        progress = await drive(tmp_path / better, model, loop=loop)
        assert kinds(model.requests) == ["draft", "critique", "edit", "critique"]
        assert delivered(progress) == value
    model = ScriptedModel(["3", critique("fine", differences=minor), "5"], sees=True)
    await drive(tmp_path / "without", model)
    assert kinds(model.requests) == ["draft", "critique"]


async def test_a_repaired_first_draft_is_compared_with_it(tmp_path: Path) -> None:
    for better, value in (("earlier", 4), ("later", 5)):
        model = ScriptedModel(["4", "5", preferring(better)], sees=True)
        progress = await drive(
            tmp_path / better, model, studio=StatingToy(), loop={"iterations": 1}, heuristics="strict"
        )
        assert (delivered(progress), kinds(model.requests)) == (value, ["draft", "repair", "critique"])
        assert len(model.requests[-1].pictures) == 2


async def test_versions_that_look_alike_are_not_compared(tmp_path: Path) -> None:
    class Invisible(StatingToy):
        async def render(self, artifact: Number, views: Sequence[str], resources: Resources) -> list[Picture]:
            return [Picture(name="number.png", png=PIXEL)]

    model = ScriptedModel(["4", "5", critique("five", score=9)], sees=True)
    progress = await drive(tmp_path, model, studio=Invisible(), loop={"iterations": 1}, heuristics="strict")
    assert (delivered(progress), kinds(model.requests)) == (5, ["draft", "repair", "critique"])
    assert len(model.requests[-1].pictures) == 1


async def test_strict_rules_of_thumb_are_errors_at_once(tmp_path: Path) -> None:
    progress, _, asked = await narrated(tmp_path, ["4", "5"], sees=False, heuristics="strict")
    assert (delivered(progress), asked) == (5, ["draft", "repair"])


async def test_in_strict_validation_a_requirement_is_an_error_although_a_critic_looks(tmp_path: Path) -> None:
    """Whatever the studio's own check says of it."""
    progress, seen, asked = await narrated(tmp_path, [THREE_OF_FIVE, "5", preferring("later")], heuristics="strict")
    first = next(event.report for event in seen if isinstance(event, Validated))
    assert [(issue.requirement, issue.severity) for issue in first.issues] == [("r1", "error")]
    assert asked[:2] == ["draft", "repair"]
    assert delivered(progress) == 5


async def test_rules_of_thumb_can_be_switched_off(tmp_path: Path) -> None:
    progress, _, asked = await narrated(tmp_path, ["4"], sees=False, heuristics="off")
    assert (delivered(progress), asked) == (4, ["draft"])


class ByRule(ScriptedModel):
    """One that answers by rules, as the offline model does."""

    @property
    def info(self) -> ModelInfo:
        return super().info.model_copy(update={"rules": True})


async def test_rules_are_not_asked_for_another_turn(tmp_path: Path) -> None:
    model = ByRule(["0", "0", "0", "3"])
    progress = await drive(tmp_path, model, loop={"iterations": 3})
    assert kinds(model.requests) == ["draft", "repair"]
    assert (delivered(progress), len(progress.records)) == (0, 1)


async def test_rules_that_repeat_a_refused_reply_are_not_asked_again(tmp_path: Path) -> None:
    model = ByRule(["a", "a", "3"])
    progress = await drive(tmp_path, model, loop={"iterations": 1})
    assert (delivered(progress), kinds(model.requests)) == (None, ["draft", "fix"])
    changing = ByRule(["a", "b", "3"])
    progress = await drive(tmp_path / "changing", changing, loop={"iterations": 1})
    assert (delivered(progress), kinds(changing.requests)) == (3, ["draft", "fix", "fix"])


async def test_of_several_drafts_one_that_breaks_no_statement_goes_on(tmp_path: Path) -> None:
    """Heuristics count less than what was stated."""
    model = ScriptedModel([THREE_OF_FIVE, "4"])
    progress = await drive(tmp_path, model, studio=StatingToy(), loop={"candidates": 2, "iterations": 1})
    assert (delivered(progress), kinds(model.requests)) == (4, ["draft", "draft"])
