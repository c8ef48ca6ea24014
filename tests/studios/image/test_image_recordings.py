"""Recorded answers of a capable model, given back by their place: summed up, scored, chosen, written and repaired."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from generation import FakeImages

from redraft import api
from redraft.config import load
from redraft.ideas.profile import TasteProfile, load_profile
from redraft.ideas.selection import Scoring, scoring_of
from redraft.models.base import Reply, Request
from redraft.record.transcript import Record, Transcript
from redraft.result import Result
from validity import RecordedModel

FOLDER = Path(__file__).parents[2] / "data" / "recordings" / "images"
NAMES = ("lighthouse", "gravity", "bicycle")
SEEDS = {"lighthouse": 11, "gravity": 1, "bicycle": 21}
CONCEPTS = {
    "lighthouse": ("lighthouse", "storm", "clockwork"),
    "gravity": ("gravity", "teacup", "election"),
    "bicycle": ("a bicycle left of a white fence", "wind"),
}
JUDGES = [
    {"name": "eye", "weight": 2.0},
    {"name": "strict", "rubric": "strict"},
    {"name": "fresh", "rubric": "novelty_heavy"},
]


class Heard(RecordedModel):
    """A recording that keeps what it was asked."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.asked: list[Request] = []

    async def ask(self, request: Request) -> Reply:
        self.asked.append(request)
        return await super().ask(request)


@dataclass
class Replayed:
    """A recorded run, made again to its end."""

    name: str
    folder: Path
    images: FakeImages = field(default_factory=FakeImages)

    def __post_init__(self) -> None:
        self.profile: TasteProfile = load_profile(FOLDER / f"{self.name}.yaml")
        self.model = Heard(FOLDER / f"{self.name}.jsonl")
        values: dict[str, Any] = {"memory": "none", "seed": SEEDS[self.name], "prompt.scoring.enabled": True}
        if self.name == "bicycle":
            values["prompt.scoring.judges"] = JUDGES
        self.result: Result = api.run(
            "image",
            "",
            config=load(None, values).config,
            model=self.model,
            backend=self.images,
            concepts=CONCEPTS[self.name],
            profile=self.profile,
            out=self.folder / self.name,
        )

    @property
    def transcript(self) -> Transcript:
        return Record.load(self.result.run).transcript

    @property
    def scoring(self) -> Scoring:
        found = scoring_of(self.transcript.blackbox_scoring)
        assert found is not None
        return found

    def sent(self, kind: str) -> str:
        return "\n".join(m.text for request in self.model.asked if request.kind == kind for m in request.messages)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_run_ends_with_one_picture_of_a_prompt_that_holds_what_was_asked_for(
    name: str, tmp_path: Path
) -> None:
    run = Replayed(name, tmp_path)
    assert run.result.valid, run.result.report.issues
    assert run.result.files["png"].is_file()
    (painted,) = run.images.asked
    assert painted.prompt == run.result.files["prompt"].read_text(encoding="utf-8").strip()
    assert 40 <= len(painted.prompt.split()) <= 120


@pytest.mark.parametrize("name", NAMES)
def test_who_has_the_ideas_sees_no_like_and_nobody_after_the_judge_a_score(name: str, tmp_path: Path) -> None:
    """FR3, FR7, acceptance 2."""
    run = Replayed(name, tmp_path)
    ideas = run.sent("ideas.cards")
    assert run.scoring.generator_profile_hints in ideas
    assert not [like for like in run.profile.liked if like in ideas]
    written = [run.sent(kind) for kind in ("image.final", "image.enclave", "image.prompt", "image.repair")]
    assert all('"score"' not in text for text in written)
    best = next(card for card in run.scoring.cards if card.id == run.scoring.selected_id)
    others = [card.hook for card in run.scoring.cards if card.id != best.id]
    assert best.hook in written[0]
    assert not [hook for hook in others if hook in written[0]]


def test_a_concept_that_the_prompt_leaves_out_costs_one_repair(tmp_path: Path) -> None:
    run = Replayed("lighthouse", tmp_path)
    first, last = run.transcript.turns[0].validations
    assert [(issue.code, issue.subjects) for issue in first.report.issues] == [("fact.missing", ("clockwork",))]
    assert last.report.issues == ()
    assert "clockwork" in run.images.asked[0].prompt
    assert run.result.usage.calls == 7


def test_a_roll_below_the_rate_takes_another_than_the_best(tmp_path: Path) -> None:
    """FR5."""
    scoring = Replayed("gravity", tmp_path).scoring
    assert scoring.exploration_roll < scoring.exploration_rate
    assert scoring.selection_mode == "explore"
    ranked = sorted(scoring.score_table, key=lambda row: -row.adjusted_score)
    assert scoring.pool == tuple(row.id for row in ranked[:2])
    assert scoring.selected_id == ranked[1].id


def test_several_judges_are_weighed(tmp_path: Path) -> None:
    run = Replayed("bicycle", tmp_path)
    scoring = run.scoring
    assert list(scoring.judges) == ["eye", "strict", "fresh"]
    second = {name: sorted(scores, key=lambda id_: -scores[id_])[1] for name, scores in scoring.judges.items()}
    assert len(set(second.values())) > 1
    for row in scoring.score_table:
        eye, strict, fresh = (scoring.judges[name][row.id] for name in scoring.judges)
        assert row.score == pytest.approx((2 * eye + strict + fresh) / 4)
    asked = {request.path for request in run.model.asked if request.kind == "ideas.judge"}
    assert asked == {f"blackbox_scoring/idea_cards_judge_score/{judge['name']}" for judge in JUDGES}


def test_a_recording_says_what_it_is() -> None:
    files = sorted(FOLDER.glob("*.jsonl"))
    assert {path.stem for path in files} == set(NAMES)
    for path in files:
        first = path.read_text(encoding="utf-8").splitlines()[0]
        assert "large language model" in first
        assert "not blind" in first
