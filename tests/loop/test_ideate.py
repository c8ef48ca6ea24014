"""Ideas before a draft, in the loop of a studio that has nothing to do with images."""

from __future__ import annotations

import logging
from pathlib import Path
from string import ascii_uppercase
from typing import Any

import anyio
import pytest
from generation import SCORES, FakeText, cards_json, scores_json
from loopback import Answer, Server, chat
from toy import ToyStudio, run_for

from redraft.errors import IdeaCardsError, JudgeOutputError, ModelUnavailableError, SelectionError
from redraft.ideas.history import Generation, append_generation
from redraft.ideas.selection import NoveltyUsed, scoring_of
from redraft.ideas.settings import PromptSettings, ScoringSettings
from redraft.loop.ideas import ideate
from redraft.loop.keep import Progress
from redraft.loop.run import Run
from redraft.loop.turns import run_loop
from redraft.models.base import ModelSettings, Reply, Request
from redraft.models.conversation import Block
from redraft.models.network import ProviderModel
from redraft.record.events import Noted, Warned
from redraft.record.journal import read_events
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


def desk(folder: Path, text: FakeText, studio: ToyStudio | None = None, **scoring: Any) -> Run:
    for kind in ("draft", "edit", "repair", "fix"):
        text.answers.setdefault(f"toy.{kind}", "1" if kind == "draft" else "3")
    made = run_for(folder, text, studio=studio, loop={"repairs": 1})
    chosen = ScoringSettings.model_validate({"enabled": True, "exploration_rate": 0.0, **scoring})
    made.config = made.config.model_copy(update={"prompt": PromptSettings(scoring=chosen)})
    return made


async def test_the_chosen_card_reaches_drafts_and_edits_and_nothing_else_does(tmp_path: Path) -> None:
    studio, text = Shown(), FakeText()
    made = desk(tmp_path, text, studio)
    await run_loop(made, Progress())
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


async def test_scoring_off_asks_for_no_ideas_and_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    text = FakeText()
    made = desk(tmp_path, text, enabled=False)
    with caplog.at_level(logging.INFO, logger="redraft.scoring"):
        await run_loop(made, Progress())
    assert {request.kind for request in text.asked} <= {"toy.draft", "toy.repair"}
    assert [r.message for r in caplog.records if r.name == "redraft.scoring"] == ["Blackbox scoring disabled"]


@pytest.mark.parametrize("general", [None, 0.9])
@pytest.mark.slow
async def test_the_judge_is_cold_on_the_wire_whatever_the_temperature_of_the_models(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, general: float | None
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789abcdef")
    with Server([Answer(chat(cards_json())), Answer(chat(scores_json(SCORES)))]) as server:
        made = desk(tmp_path, FakeText())
        made.model = ProviderModel(
            "openai-chat:gpt-4o", ModelSettings(base_url=f"{server.url}/v1", temperature=general)
        )
        await ideate(made)
    cards, judge = (received.body for received in server.received)
    assert cards.get("temperature") == general
    assert judge["temperature"] == 0.0


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
    assert chosen.id == "B"


async def test_a_judge_of_its_own_model_is_asked_and_nobody_else_for_the_scores(tmp_path: Path) -> None:
    text, other = FakeText(), FakeText({"ideas.judge": scores_json({**SCORES, "E": 100})})
    made = desk(tmp_path, text)
    made.judges = {"judge": other}
    chosen = await ideate(made)
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
    again = FakeText()
    made.model = again
    await ideate(made)
    assert [request.path for request in again.asked] == ["blackbox_scoring/idea_cards_judge_score/b/retry-1"]


def warned(run: Run) -> list[str]:
    return [event.message for event in read_events(run.folder) if isinstance(event, Warned)]


async def test_a_resumed_run_asks_again_for_what_was_unusable_and_for_nothing_else(tmp_path: Path) -> None:
    text = FakeText({"ideas.cards": "no cards"})
    made = desk(tmp_path, text)
    for number in range(3):
        with pytest.raises(IdeaCardsError) as caught:
            await ideate(made)
        assert caught.value.step == "blackbox_scoring/idea_cards_generate" + (f"/retry-{number}" if number else "")
    text.answers["ideas.cards"] = cards_json()
    assert (await ideate(made)).id == "B"
    assert [request.kind for request in text.asked] == ["ideas.cards"] * 4 + ["ideas.judge"]
    assert len({request.seed for request in text.asked}) == 5  # a seeded model may answer otherwise
    asked = len(text.asked)
    assert (await ideate(made)).id == "B"
    assert len(text.asked) == asked


@pytest.mark.parametrize(("retries", "calls"), [(0, 1), (1, 2), (3, 4)])
async def test_retries_ask_again_so_often_with_a_warning_each(tmp_path: Path, retries: int, calls: int) -> None:
    text = FakeText({"ideas.judge": "B is best"})
    made = desk(tmp_path, text, retries=retries)
    with pytest.raises(JudgeOutputError):
        await ideate(made)
    assert [request.kind for request in text.asked] == ["ideas.cards"] + ["ideas.judge"] * calls
    assert len(warned(made)) == retries
    assert all("cannot be used; asking again. invalid_judge_output:" in line for line in warned(made))


async def test_a_retry_that_is_usable_goes_on_and_no_later_request_sees_the_first_reply(tmp_path: Path) -> None:
    replies = iter(["B is best", scores_json(SCORES)])
    text = FakeText({"ideas.judge": lambda _: next(replies)})
    made = desk(tmp_path, text, retries=1)
    await run_loop(made, Progress())
    assert "toy.draft" in [request.kind for request in text.asked]
    assert not [sent for request in text.asked for message in request.messages if "B is best" in (sent := message.text)]


def test_the_plan_of_a_run_counts_retries(tmp_path: Path) -> None:
    once = desk(tmp_path / "a", FakeText()).worst_case_calls
    assert desk(tmp_path / "b", FakeText(), retries=2).worst_case_calls == once + 4


async def test_more_ideas_than_letters_have_ids_of_two(tmp_path: Path) -> None:
    ids = [*ascii_uppercase, "AA", "AB"]
    text = FakeText({"ideas.cards": cards_json(ids), "ideas.judge": scores_json(dict.fromkeys(ids, 5) | {"AB": 9})})
    assert (await ideate(desk(tmp_path, text, num_ideas=28))).id == "AB"
    assert 'ids "A" to "AB" in order' in text.sent("ideas.cards")[0]


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
    assert chosen.id == "three"
    assert "one, two, three" in text.sent("ideas.judge")[0]


async def test_an_id_that_nobody_knows_is_told_with_its_step(tmp_path: Path) -> None:
    text = FakeText({"ideas.judge": scores_json({**SCORES, "Q": 50})})
    with pytest.raises(SelectionError, match="Q") as caught:
        await ideate(desk(tmp_path, text))
    assert caught.value.step == "blackbox_scoring/idea_cards_judge_score"


def novelty_of(run: Run) -> NoveltyUsed:
    [noted] = [event for event in read_events(run.folder) if isinstance(event, Noted)]
    record = scoring_of(noted.data)
    assert record is not None
    return record.novelty


@pytest.mark.parametrize(("window", "prompts"), [(1, 1), (5, 2)])
async def test_recent_prompts_are_weighed_as_many_as_the_window_holds(
    tmp_path: Path, window: int, prompts: int
) -> None:
    made = desk(tmp_path / "run", FakeText(), novelty={"window": window})
    made.generations = tmp_path / "generations.csv"
    for number in (1, 2):
        row = Generation(
            generation_id=f"run-{number}",
            selected_concepts=("storm",),
            final_image_prompt="a storm",
            image_path="image.png",
            created_at="2026-01-01T00:00:00+00:00",
            seed=number,
        )
        append_generation(made.generations, row)
    await ideate(made)
    used = novelty_of(made)
    assert (used.enabled, used.prompts, used.off_because) == (True, prompts, "")
    assert warned(made) == []


async def test_a_list_that_cannot_be_read_is_a_warning_and_no_novelty(tmp_path: Path) -> None:
    made = desk(tmp_path / "run", FakeText())
    made.generations = tmp_path / "generations.csv"
    made.generations.write_text("")
    await ideate(made)
    [warning] = warned(made)
    assert warning.startswith("Novelty enabled but history unavailable; disabling novelty for this run: ")
    assert warning.endswith(novelty_of(made).off_because)


@pytest.mark.parametrize(
    ("novelty", "because"), [({"enabled": False}, "enabled is false"), ({"window": 0}, "window is 0")]
)
async def test_novelty_that_is_switched_off_says_by_what(tmp_path: Path, novelty: dict[str, Any], because: str) -> None:
    made = desk(tmp_path, FakeText(), novelty=novelty)
    await ideate(made)
    assert novelty_of(made).off_because == f"prompt.scoring.novelty.{because}"


@pytest.mark.parametrize("temperature", [0.0, 0.7])
async def test_a_warm_judge_is_a_warning(tmp_path: Path, temperature: float) -> None:
    made = desk(tmp_path, FakeText(), judge_temperature=temperature)
    await ideate(made)
    said = warned(made)
    assert len(said) == (temperature > 0)
    assert all(line.startswith("prompt.scoring.judge_temperature is 0.7, not 0: ") for line in said)


@pytest.mark.parametrize(("window", "novelty"), [(5, "on"), (0, "off")])
async def test_the_choice_is_logged_in_two_lines(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, window: int, novelty: str
) -> None:
    with caplog.at_level(logging.INFO, logger="redraft.scoring"):
        chosen = await ideate(desk(tmp_path, FakeText(), novelty={"window": window}))
    first, last = (record.message for record in caplog.records if record.name == "redraft.scoring")
    assert first == f"Blackbox scoring enabled: num_ideas=6, exploration_rate=0.0, novelty={novelty}"
    assert last.startswith(f"Selected candidate: id={chosen.id}, score=")
    assert last.endswith(", selection_mode=exploit")
