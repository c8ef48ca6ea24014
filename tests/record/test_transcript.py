"""The journal folded: ordered by path, with the seed's step fields."""

import json
import random
from pathlib import Path

import pytest
from asked_run import FINAL, STATED, asked_run
from hypothesis import given
from hypothesis import strategies as st
from run_writer import RunWriter

from redraft.record.transcript import Record, Transcript, path_order, runs_in
from redraft.result import Report, Verdict

IN_ORDER = [
    "blackbox_scoring/idea_cards_generate",
    "iteration-1/candidate-0/draft",
    "iteration-1/candidate-0/draft/fix-1",
    "iteration-1/candidate-0/draft/fix-2",
    "iteration-1/candidate-2/draft",
    "iteration-1/candidate-10/draft",
    "iteration-2/edit",
    "iteration-2/edit/fix-1",
    "iteration-2/validate-0",
    "iteration-2/repair-1",
    "iteration-2/repair-1/fix-1",
    "iteration-2/validate-1",
    "iteration-2/repair-2",
    "iteration-2/validate-2",
    "iteration-2/verify",
    "iteration-10/edit",
]


@given(st.randoms(use_true_random=False))
def test_order_of_paths(shuffler: random.Random) -> None:
    paths = list(IN_ORDER)
    shuffler.shuffle(paths)
    assert sorted(paths, key=path_order) == IN_ORDER


@pytest.fixture
def asked(tmp_path: Path) -> Transcript:
    writer = RunWriter(tmp_path / "run")
    with writer.journal:
        asked_run(writer)
    return Record.load(writer.folder).transcript


def test_answers_and_what_is_not_used_stand_with_their_turn(asked: Transcript) -> None:
    first, second = asked.turns
    answers = [(answer.id, answer.wrong) for turn in asked.turns if turn.verdict for answer in turn.verdict.mismatches]
    assert answers == [("r4", "statement"), ("r2", "drawing")]
    assert first.discarded == ()
    assert [(one.what, one.reason) for one in second.discarded] == [
        ("the edit of turn 2", "the critic prefers the earlier one")
    ]


def test_the_final_report_is_of_what_was_delivered_after_the_answers(asked: Transcript) -> None:
    assert asked.outcome == "valid"
    assert asked.requirements == FINAL != STATED
    assert asked.checked == "iteration-1/validate-1"
    assert [issue.code for issue in asked.report.issues] == ["overlap.cover", "size.pair"]
    assert asked.verdict.better == "later"
    written = json.loads(asked.model_dump_json())
    assert [one["outcome"] for one in written["requirements"]] == ["met"] * 3 + ["withdrawn"]
    assert written["outcome"] == "valid"


def test_a_run_that_nothing_measured_is_unchecked(tmp_path: Path) -> None:
    writer = RunWriter(tmp_path / "run")
    with writer.journal:
        writer.start()
        writer.validated("iteration-1/validate-0", Report(), "", picture="", overlay="")
        assert Record.load(writer.folder).transcript.checked == "iteration-1/validate-0"
        assert Record.load(writer.folder).transcript.outcome == "not valid"
        writer.verified(Verdict(by="none", satisfied=None))
        writer.finish()
    done = Record.load(writer.folder).transcript
    assert (done.valid, done.outcome) == (True, "unchecked")


def test_a_run_that_ended_early_and_was_resumed_is_unfinished_until_it_ends_again(tmp_path: Path) -> None:
    writer = RunWriter(tmp_path / "run")
    with writer.journal:
        writer.start()
        writer.finish("<rect width='1' height='1'/>", valid=False, error={"phase": "loop", "message": "interrupted"})
        assert Record.load(writer.folder).transcript.error is not None
        writer.start()
        going_on = Record.load(writer.folder).transcript
        assert (going_on.error, going_on.finished, list(going_on.files)) == (None, False, ["svg"])
        assert [run.outcome for run in runs_in(tmp_path)] == ["unfinished"]
        writer.finish(report=Report())
    assert Record.load(writer.folder).transcript.finished
    assert [run.outcome for run in runs_in(tmp_path)] == ["unchecked"]
