"""The loop on the toy studio: its verbs, its small budgets, its classes, its delivery rule."""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from toy import PIXEL, Number, StatingToy, ToyStudio, kinds, run_for

from redraft.errors import BudgetError, InfrastructureError, ModelUnavailableError
from redraft.events import Discarded, Event, Ruled, Validated, Warned
from redraft.journal import derive_seed
from redraft.layout import Move
from redraft.log import log_lines
from redraft.loop import run_loop
from redraft.models.base import ModelInfo, Reply, Request
from redraft.models.scripted import ScriptedModel
from redraft.result import Picture
from redraft.spatial.solver.legalize import Solution
from redraft.stages.candidates import Progress
from redraft.studios.base import Resources

pytestmark = pytest.mark.anyio


async def drive(folder: Path, model: ScriptedModel, **options: Any) -> Progress[Number]:
    progress = Progress[Number]()
    desk = run_for(folder, model, **options)
    try:
        await run_loop(desk, None, progress)
    finally:
        desk.journal.__exit__()
    return progress


def delivered(progress: Progress[Number]) -> int | None:
    best = progress.best
    return None if best is None or best.candidate is None else best.candidate.artifact.value


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


def ruling(name: str, word: str, **more: object) -> dict[str, object]:
    return {"id": name, "ruling": word, **more}


async def narrated(folder: Path, replies: list[str], **options: Any) -> tuple[Progress[Number], list[Event], list[str]]:
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


def preferring(better: str) -> Callable[[Request], str]:
    """A critic that prefers the earlier or the later of two, wherever it stands: the toy's pictures are all alike, so
    the order is read off the seeded draw."""

    def answer(request: Request) -> str:
        later = "A" if derive_seed(0, f"{request.path}/order") % 2 == 0 else "B"
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
    progress = Progress[Number]()
    desk = run_for(tmp_path, ScriptedModel(["0", "1"]), calls=2)
    with pytest.raises(BudgetError, match=r"budget\.calls of 2"):
        await run_loop(desk, None, progress)
    desk.journal.__exit__()
    assert delivered(progress) == 1


async def test_a_candidate_that_cannot_be_asked_cancels_no_sibling(tmp_path: Path) -> None:
    model = ScriptedModel([ModelUnavailableError("gone"), "2", "3"])
    progress = Progress[Number]()
    desk = run_for(tmp_path, model, loop={"candidates": 3})
    with pytest.raises(ModelUnavailableError):
        await run_loop(desk, None, progress)
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


async def test_a_broken_statement_is_asked_about_before_it_is_an_error(tmp_path: Path) -> None:
    first = json.dumps({"value": 3, "requirements": [FIVE]})
    progress, seen, asked = await narrated(tmp_path, [first, "5"], sees=False)
    assert (delivered(progress), asked) == (5, ["draft", "repair"])
    reports = [e.report for e in seen if isinstance(e, Validated)]
    assert [(i.severity, i.status) for i in reports[0].issues] == [("question", "open")]
    assert reports[-1].valid


async def test_silence_upholds_a_broken_statement(tmp_path: Path) -> None:
    first = json.dumps({"value": 3, "requirements": [FIVE]})
    loop = {"iterations": 1, "repairs": 1}
    progress, _, asked = await narrated(tmp_path, [first, json.dumps({"rulings": []})], sees=False, loop=loop)
    assert asked == ["draft", "repair"]
    assert progress.best is not None
    assert progress.best.candidate is not None
    report = progress.best.candidate.report
    assert [(i.basis, i.severity, i.status) for i in report.issues] == [("requirement", "error", "upheld")]
    assert not report.valid


async def test_nobody_to_ask_means_that_a_statement_stands(tmp_path: Path) -> None:
    first = json.dumps({"value": 3, "requirements": [FIVE]})
    progress, _, _ = await narrated(tmp_path, [first], sees=False, loop={"iterations": 1, "repairs": 0})
    assert progress.best is not None
    assert progress.best.candidate is not None
    assert not progress.best.candidate.report.valid


async def test_a_corrected_statement_is_measured_instead(tmp_path: Path) -> None:
    first = json.dumps({"value": 3, "requirements": [FIVE]})
    three = {**FIVE, "number": 3}
    answer = json.dumps({"rulings": [ruling("r1", "intended", reason="the brief says three", correction=three)]})
    progress, _, asked = await narrated(tmp_path, [first, answer], sees=False)
    assert (delivered(progress), asked) == (3, ["draft", "repair"])
    assert progress.best is not None
    assert progress.best.candidate is not None
    report = progress.best.candidate.report
    assert (report.valid, [m.outcome for m in report.requirements]) == (True, ["met"])


async def test_disputes_end_with_the_repairs(tmp_path: Path) -> None:
    first = json.dumps({"value": 3, "requirements": [FIVE]})
    dispute = [json.dumps({"rulings": [ruling("r1", "intended", correction={**FIVE, "number": n})]}) for n in (4, 7, 3)]
    progress, _, asked = await narrated(tmp_path, [first, *dispute[:2]], sees=False, loop={"iterations": 1})
    assert asked == ["draft", "repair", "repair"]
    assert progress.best is not None
    assert progress.best.candidate is not None
    report = progress.best.candidate.report
    assert [m.words for m in report.requirements] == ["equals 7"]
    assert not report.valid


async def test_what_is_kept_is_held_to_the_corrected_statement(tmp_path: Path) -> None:
    first = json.dumps({"value": 3, "requirements": [FIVE]})
    three = [ruling("r1", "intended", reason="the brief says three", correction={**FIVE, "number": 3})]
    model = ScriptedModel([first, json.dumps({"value": 7, "rulings": three}), preferring("same")], sees=True)
    progress = await drive(tmp_path, model, studio=StatingToy(), loop={"iterations": 1, "repairs": 1})
    assert delivered(progress) == 3
    assert progress.best is not None
    assert progress.best.candidate is not None
    assert [m.outcome for m in progress.best.candidate.report.requirements] == ["met"]


async def test_an_accepted_fix_needs_no_other_drawing(tmp_path: Path) -> None:
    first = json.dumps({"value": 3, "requirements": [FIVE]})
    answer = json.dumps({"rulings": [ruling("r1", "must", accept=True)]})

    class Adds(StatingToy):
        def prepare_fix(self, *args: Any, **kwargs: Any) -> Solution:
            return Solution(moves=(Move.shift("number", 2.0, 0.0),), note="add 2")

    model, seen = ScriptedModel([first, answer]), list[Event]()
    progress = await drive(tmp_path, model, studio=Adds(), observer=seen.append)
    assert (delivered(progress), kinds(model.requests)) == (5, ["draft", "repair"])
    assert model.requests[1].inputs["asked"] == ["r1: add 2"]
    [event] = [e for e in seen if isinstance(e, Ruled)]
    assert [(r.id, r.applied, r.dropped) for r in event.rulings] == [("r1", "add 2", "")]


async def test_a_fix_that_makes_something_worse_is_dropped(tmp_path: Path) -> None:
    first = json.dumps({"value": 3, "requirements": [FIVE]})
    answer = json.dumps({"rulings": [ruling("r1", "must", accept=True)]})
    progress, seen, _ = await narrated(tmp_path, [first, answer], sees=False, loop={"iterations": 1, "repairs": 1})
    assert delivered(progress) == 3  # the toy's own fix goes the wrong way
    [event] = [e for e in seen if isinstance(e, Ruled)]
    assert event.rulings[0].applied == ""
    assert event.rulings[0].dropped.startswith("it would make this worse")


async def test_a_critic_answers_questions_in_its_critique(tmp_path: Path) -> None:
    for word, valid in (("intended", True), ("minor", True), ("must", False)):
        replies = ["4", critique("looked", rulings=[ruling("q1", word)])]
        progress, _, asked = await narrated(tmp_path / word, replies, loop={"iterations": 1})
        assert asked == ["draft", "critique"]
        assert progress.best is not None
        assert progress.best.candidate is not None
        assert progress.best.candidate.report.valid is valid
        assert progress.best.candidate.report.score == (1.0 if valid else 0.7)


async def test_a_question_that_nobody_answers_is_a_warning_and_not_asked_again(tmp_path: Path) -> None:
    replies = ["4", critique("looked", "more"), "4", critique("looked", "more", better="same")]
    progress, seen, _ = await narrated(tmp_path, replies[:3], loop={"iterations": 2})
    assert progress.best is not None
    assert progress.best.candidate is not None
    [issue] = progress.best.candidate.report.issues
    assert (issue.severity, issue.status, issue.ruling) == ("warning", "open", None)
    assert len([e for e in seen if isinstance(e, Ruled)]) == 1


async def test_a_ruling_reopens_when_its_measure_has_grown_by_half(tmp_path: Path) -> None:
    intended = critique("looked", "more", rulings=[ruling("q1", "intended")])
    for value, asked in (("6", []), ("8", ["q1"])):
        replies = ["4", intended, value, preferring("later")]
        model = ScriptedModel(replies, sees=True)
        await drive(tmp_path / value, model, studio=StatingToy())
        assert [str(line).partition(":")[0] for line in cast("list[str]", model.requests[-1].inputs["asked"])] == asked


async def test_the_critic_accepts_a_fix_in_the_last_turn_too(tmp_path: Path) -> None:
    replies = ["4", critique("looked", rulings=[ruling("q1", "must", accept=True)])]
    progress, seen, asked = await narrated(tmp_path, replies, loop={"iterations": 1})
    assert (delivered(progress), asked) == (5, ["draft", "critique"])
    checks = [e for e in seen if isinstance(e, Validated)]
    assert [(e.source, e.key, e.note) for e in checks] == [
        ("draft", "iteration-1/validate-0", ""),
        ("fix", "iteration-1/validate-1", "Accepted: add 1"),
    ]


async def test_where_nobody_sees_the_model_is_asked_once(tmp_path: Path) -> None:
    answer = json.dumps({"rulings": [ruling("q1", "minor")]})
    progress, _, asked = await narrated(tmp_path, ["4", answer], sees=False)
    assert (delivered(progress), asked) == (4, ["draft", "repair"])


async def test_a_repaired_first_draft_is_compared_with_it(tmp_path: Path) -> None:
    first = json.dumps({"value": 3, "requirements": [FIVE]})
    for better, value in (("earlier", 3), ("later", 5)):
        model = ScriptedModel([first, "5", preferring(better)], sees=True)
        progress = await drive(tmp_path / better, model, studio=StatingToy(), loop={"iterations": 1})
        assert (delivered(progress), kinds(model.requests)) == (value, ["draft", "repair", "critique"])
        assert len(model.requests[-1].pictures) == 2


async def test_versions_that_look_alike_are_not_compared(tmp_path: Path) -> None:
    class Invisible(StatingToy):
        async def render(self, artifact: Number, views: Sequence[str], resources: Resources) -> list[Picture]:
            return [Picture(name="number.png", png=PIXEL)]

    first = json.dumps({"value": 3, "requirements": [FIVE]})
    model = ScriptedModel([first, "5", critique("five", score=9)], sees=True)
    progress = await drive(tmp_path, model, studio=Invisible(), loop={"iterations": 1})
    assert (delivered(progress), kinds(model.requests)) == (5, ["draft", "repair", "critique"])
    assert len(model.requests[-1].pictures) == 1


async def test_strict_rules_of_thumb_are_errors_at_once(tmp_path: Path) -> None:
    progress, _, asked = await narrated(tmp_path, ["4", "5"], sees=False, heuristics="strict")
    assert (delivered(progress), asked) == (5, ["draft", "repair"])


async def test_rules_of_thumb_can_be_switched_off(tmp_path: Path) -> None:
    progress, _, asked = await narrated(tmp_path, ["4"], sees=False, heuristics="off")
    assert (delivered(progress), asked) == (4, ["draft"])


async def test_a_critic_may_put_back_what_was_stated_first(tmp_path: Path) -> None:
    first = json.dumps({"value": 3, "requirements": [FIVE]})
    answer = json.dumps({"rulings": [ruling("r1", "intended", correction={**FIVE, "number": 3})]})
    back = critique("five were asked for", rulings=[ruling("r1", "must")])
    progress, _, asked = await narrated(tmp_path, [first, answer, back], loop={"iterations": 1})
    assert asked == ["draft", "repair", "critique"]
    assert progress.best is not None
    assert progress.best.candidate is not None
    report = progress.best.candidate.report
    assert ([m.words for m in report.requirements], report.valid) == (["equals 5"], False)


async def test_what_is_redrawn_without_a_word_was_wrong(tmp_path: Path) -> None:
    progress, seen, asked = await narrated(tmp_path, ["4", "5"], sees=False)
    assert (delivered(progress), asked) == (5, ["draft", "repair"])
    [event] = [e for e in seen if isinstance(e, Ruled)]
    assert [r.ruling and r.ruling.ruling for r in event.rulings] == ["must"]


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


@pytest.mark.parametrize("found", [None, Solution(moves=(), note="nothing helps")])
async def test_what_geometry_cannot_put_right_is_asked_about_without_a_fix(
    tmp_path: Path, found: Solution | None
) -> None:
    class Helpless(StatingToy):
        def prepare_fix(self, *args: Any, **kwargs: Any) -> Any:
            return found

    first = json.dumps({"value": 3, "requirements": [FIVE]})
    answer = json.dumps({"rulings": [ruling("r1", "must", accept=True)]})
    model, seen = ScriptedModel([first, answer]), list[Event]()
    loop = {"iterations": 1, "repairs": 1}
    progress = await drive(tmp_path, model, studio=Helpless(), observer=seen.append, loop=loop)
    assert (delivered(progress), model.requests[1].inputs["asked"]) == (3, ["r1: "])
    [event] = [e for e in seen if isinstance(e, Ruled)]
    assert event.rulings[0].dropped == "no fix was prepared"


async def test_of_several_drafts_one_that_breaks_no_statement_goes_on(tmp_path: Path) -> None:
    """Rules of thumb count less than what was stated."""
    broken = json.dumps({"value": 3, "requirements": [FIVE]})
    model = ScriptedModel([broken, "4", "5"])
    loop = {"candidates": 2, "iterations": 1, "repairs": 1}
    await drive(tmp_path, model, studio=StatingToy(), loop=loop)
    assert model.requests[-1].inputs["current"] == "4"


@pytest.mark.parametrize("seed", range(3))
async def test_open_questions_are_marked_on_the_version_that_they_are_about(tmp_path: Path, seed: int) -> None:
    class Marking(StatingToy):
        async def marked(self, artifact: Any, *args: Any, **kwargs: Any) -> list[Picture]:
            return [Picture(name="marked.png", png=PIXEL + repr(artifact.value).encode())]

    model = ScriptedModel(["3", critique("hm", "more"), "4", critique("compared", better="same")], sees=True)
    progress = Progress[Number]()
    run = run_for(tmp_path, model, studio=Marking(), loop={"iterations": 2})
    run.config = run.config.model_copy(update={"seed": seed})
    await run_loop(run, None, progress)
    run.journal.__exit__()
    shown = {picture.name: picture.png for picture in model.requests[-1].pictures}
    [marked] = [name for name in shown if name.endswith("marked.png")]
    later = next(name for name, png in shown.items() if name.endswith("number.png") and png.endswith(b"4"))
    assert marked[0] == later[0]
