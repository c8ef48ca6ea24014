"""Recorded first drafts of a capable model: what is measured and asked must let good work pass."""

from pathlib import Path

import pytest

from validity import RECORDINGS as FOLDER
from validity import RecordedModel, measure

RECORDINGS = sorted(FOLDER.glob("*.jsonl"))


def test_there_are_as_many_as_the_figures_say() -> None:
    assert len(RECORDINGS) >= 37


@pytest.mark.slow
@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_a_recorded_draft_has_no_error(path: Path) -> None:
    model = RecordedModel(path)
    row = measure(model.brief, model)
    assert row.after != "not valid", row
    assert not row.unanswered, "a reply is asked for that was never recorded"


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_a_recording_says_what_it_is(path: Path) -> None:
    first = path.read_text(encoding="utf-8").splitlines()[0]
    assert "large language model" in first
    assert RecordedModel(path).brief
