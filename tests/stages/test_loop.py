"""The loop on the toy studio: its verbs, its small budgets, its classes, its delivery rule."""

import re
from pathlib import Path
from typing import Any

import pytest
from toy import Number, ToyStudio, desk_for, kinds

from redraft.errors import BudgetError, ModelUnavailableError
from redraft.events import Event, Validated, Warned
from redraft.loop import Progress, run_loop
from redraft.models.base import Reply, Request
from redraft.models.scripted import ScriptedModel
from redraft.narration import narrate

pytestmark = pytest.mark.anyio


async def drive(folder: Path, model: ScriptedModel, **options: Any) -> Progress[Number]:
    progress = Progress[Number]()
    desk = desk_for(folder, model, **options)
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
    model = ScriptedModel(["a", "b", "c", "d"])
    progress = await drive(tmp_path, model, loop={"iterations": 1})
    assert (delivered(progress), len(model.requests)) == (None, 4)
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


async def test_a_crash_that_happens_again_is_the_drafts_fault(tmp_path: Path) -> None:
    studio, model = ToyStudio(crashes=2), ScriptedModel(["13", "3"])
    progress = await drive(tmp_path, model, studio=studio)
    assert (delivered(progress), kinds(model.requests)) == (3, ["draft", "fix"])
    assert progress.records[0].errors[0].startswith("E1: It failed twice")


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


async def test_candidates_are_ranked_and_only_the_best_goes_on(tmp_path: Path) -> None:
    model = ScriptedModel(["0", "2", "words", "1", "3"])
    seen: list[Event] = []
    loop = {"candidates": 3, "fixes": 0, "iterations": 1}
    progress = await drive(tmp_path, model, loop=loop, observer=seen.append)
    assert kinds(model.requests) == ["draft", "draft", "draft", "repair", "repair"]
    assert model.requests[3].inputs["current"] == "2"
    assert delivered(progress) == 3
    lines = [line for event in seen for line in narrate(event)]
    assert "[CANDIDATE 0] [ITERATION 0] Validation score: 0.10, valid: False" in lines
    assert "[CANDIDATE 1] [ITERATION 0] Validation score: 0.70, valid: False" in lines


async def test_the_lines_of_the_specification(tmp_path: Path) -> None:
    seen: list[Event] = []
    await drive(tmp_path, ScriptedModel(["1", "3"]), observer=seen.append)
    assert [line for event in seen for line in narrate(event)] == [
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
    replies = ["3", CRITIQUE % ("false", 4, "too plain"), "4", CRITIQUE % ("true", 9, "fine")]
    await drive(tmp_path, ScriptedModel(replies, sees=True), observer=seen.append)
    lines = [line for event in seen for line in narrate(event)]
    assert lines[2:4] == ["[CRITIC] not satisfied (0.4): too plain", "[TURN 2] editing: too plain"]
    assert lines[-1] == "[CRITIC] satisfied (0.9): fine"


CRITIQUE = '{"satisfied": %s, "score": %d, "summary": "%s", "differences": []}'


async def test_the_critics_words_open_the_next_turn(tmp_path: Path) -> None:
    replies = ["3", CRITIQUE % ("false", 4, "too plain"), "4", CRITIQUE % ("true", 9, "fine")]
    model = ScriptedModel(replies, sees=True)
    progress = await drive(tmp_path, model, loop={"iterations": 3})
    assert kinds(model.requests) == ["draft", "critique", "edit", "critique"]
    assert model.requests[2].inputs["critique"] == "too plain"
    assert "Critique: too plain" in str(model.requests[2].inputs["history"])
    assert len(model.requests[1].pictures) == 1
    assert delivered(progress) == 4


async def test_delivery_prefers_what_the_critic_liked(tmp_path: Path) -> None:
    replies = ["3", CRITIQUE % ("false", 7, "nearly"), "9", CRITIQUE % ("false", 2, "worse")]
    progress = await drive(tmp_path, ScriptedModel(replies, sees=True), loop={"iterations": 2})
    assert delivered(progress) == 3


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
    model = ScriptedModel(["3", reply, CRITIQUE % ("true", 9, "fine")], sees=True)
    await drive(tmp_path, model)
    assert kinds(model.requests) == ["draft", "critique", "fix"]
    assert model.requests[2].inputs["of"] == "critique"


async def test_the_hard_cap_ends_the_run_and_keeps_the_best(tmp_path: Path) -> None:
    progress = Progress[Number]()
    desk = desk_for(tmp_path, ScriptedModel(["0", "1"]), calls=2)
    with pytest.raises(BudgetError, match=r"budget\.calls of 2"):
        await run_loop(desk, None, progress)
    desk.journal.__exit__()
    assert delivered(progress) == 1


async def test_a_candidate_that_cannot_be_asked_cancels_no_sibling(tmp_path: Path) -> None:
    model = ScriptedModel([ModelUnavailableError("gone"), "2", "3"])
    progress = Progress[Number]()
    desk = desk_for(tmp_path, model, loop={"candidates": 3})
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
