"""Ideas before a draft, in the loop of a studio that has nothing to do with images."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from generation import SCORES, FakeText, cards_json, scores_json
from toy import Number, ToyStudio, run_for

from redraft.conversation import Block
from redraft.errors import JudgeOutputError, ModelUnavailableError, SelectionError
from redraft.events import Noted
from redraft.loop import run_loop
from redraft.models.base import Reply, Request
from redraft.runs import Run
from redraft.scoring.selection import scoring_of
from redraft.scoring.settings import PromptSettings, ScoringSettings
from redraft.stages.candidates import Progress
from redraft.stages.ideate import ideate
from redraft.studios.requests import DraftRequest, StudioRequest

pytestmark = pytest.mark.anyio


class Shown(ToyStudio):
    """Remembers what it was told for each request."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[StudioRequest[Any]] = []

    def compose(self, request: StudioRequest[Any]) -> Block:
        self.told.append(request)
        return super().compose(request)


def desk(folder: Path, text: FakeText, studio: ToyStudio | None = None, **scoring: Any) -> Run[Number]:
    for kind in ("draft", "edit", "repair", "fix"):
        text.answers.setdefault(f"toy.{kind}", "1" if kind == "draft" else "3")
    made = run_for(folder, text, studio=studio, loop={"repairs": 1})
    chosen = ScoringSettings.model_validate({"enabled": True, "exploration_rate": 0.0, **scoring})
    made.config = made.config.model_copy(update={"prompt": PromptSettings(scoring=chosen)})
    return made


async def test_the_chosen_card_reaches_drafts_and_edits_and_nothing_else_does(tmp_path: Path) -> None:
    studio, text = Shown(), FakeText()
    made = desk(tmp_path, text, studio)
    await run_loop(made, None, Progress[Number]())
    assert {
        each.kind: each.idea.id if isinstance(each, DraftRequest) and each.idea else None for each in studio.told
    } == {
        "draft": "B",
        "repair": None,
    }
    assert [request.kind for request in text.asked] == ["ideas.cards", "ideas.judge", "toy.draft", "toy.repair"]


async def test_without_a_profile_the_judge_scores_against_the_brief(tmp_path: Path) -> None:
    text = FakeText()
    await ideate(desk(tmp_path, text))
    assert text.sent("ideas.abstraction") == []
    assert "at least 3" in text.sent("ideas.cards")[0]
    assert "at least 3" in text.sent("ideas.judge")[0]
    assert "The person" not in text.sent("ideas.judge")[0]


async def test_scoring_off_asks_nobody(tmp_path: Path) -> None:
    text = FakeText()
    assert await ideate(desk(tmp_path, text, enabled=False)) is None
    assert text.asked == []


async def test_a_studio_without_a_list_has_no_novelty_and_says_why(tmp_path: Path) -> None:
    made = desk(tmp_path, FakeText())
    await ideate(made)
    noted = [e for e in made.journal._noted.values() if isinstance(e, Noted)]  # pyright: ignore[reportPrivateUsage]
    record = scoring_of(noted[0].data)
    assert record is not None
    assert record.novelty.enabled is False
    assert "keeps no list" in record.novelty.off_because
    assert {row.penalty for row in record.score_table} == {0.0}


async def test_judges_are_asked_at_the_same_time(tmp_path: Path) -> None:
    """Each answers only when the others have been asked too; one after the other they would wait for ever."""
    waiting, all_asked = list[str](), anyio.Event()

    class Slow(FakeText):
        async def ask(self, request: Request) -> Reply:
            if request.kind == "ideas.judge":
                waiting.append(request.path)
                if len(waiting) == 3:
                    all_asked.set()
                await all_asked.wait()
            return await super().ask(request)

    judges = [{"name": name} for name in ("a", "b", "c")]
    with anyio.fail_after(5):
        chosen = await ideate(desk(tmp_path, Slow(), judges=judges))
    assert chosen is not None
    assert chosen.id == "B"


async def test_a_judge_of_its_own_model_is_asked_and_nobody_else_for_the_scores(tmp_path: Path) -> None:
    text, other = FakeText(), FakeText({"ideas.judge": scores_json({**SCORES, "E": 100})})
    made = desk(tmp_path, text)
    made.judges = {"judge": other}
    chosen = await ideate(made)
    assert chosen is not None
    assert chosen.id == "E"
    assert [request.kind for request in text.asked] == ["ideas.cards"]
    assert [request.kind for request in other.asked] == ["ideas.judge"]


async def test_one_judge_that_fails_ends_it_and_the_replies_of_the_others_are_kept(tmp_path: Path) -> None:
    text = FakeText()
    text.answers["ideas.judge"] = lambda request: "no" if request.path.endswith("b") else scores_json(SCORES)
    made = desk(tmp_path, text, judges=[{"name": name} for name in ("a", "b", "c")])
    with pytest.raises(JudgeOutputError) as caught:
        await ideate(made)
    assert caught.value.step == "blackbox_scoring/idea_cards_judge_score/b"
    again = FakeText({"ideas.judge": "never asked"})
    made.model = again
    with pytest.raises(JudgeOutputError):
        await ideate(made)
    assert again.asked == []


async def test_a_model_out_of_reach_is_no_fault_of_the_ideas(tmp_path: Path) -> None:
    class Gone(FakeText):
        async def ask(self, request: Request) -> Reply:
            raise ModelUnavailableError("gone")

    with pytest.raises(ModelUnavailableError):
        await ideate(desk(tmp_path, Gone()))


async def test_cards_may_have_other_ids_and_the_judge_is_told_those(tmp_path: Path) -> None:
    ids = ["one", "two", "three"]
    text = FakeText({"ideas.cards": cards_json(ids), "ideas.judge": scores_json({"one": 1, "two": 2, "three": 3})})
    chosen = await ideate(desk(tmp_path, text, num_ideas=3))
    assert chosen is not None
    assert chosen.id == "three"
    assert "one, two, three" in text.sent("ideas.judge")[0]


async def test_an_id_that_nobody_knows_is_told_with_its_step(tmp_path: Path) -> None:
    text = FakeText({"ideas.judge": scores_json({**SCORES, "Q": 50})})
    with pytest.raises(SelectionError, match="Q") as caught:
        await ideate(desk(tmp_path, text))
    assert caught.value.step == "blackbox_scoring/idea_cards_judge_score"
