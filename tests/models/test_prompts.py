"""The prompts by themselves are those that a run sends."""

from __future__ import annotations

from pathlib import Path

import pytest
from generation import CONCEPTS, HINTS, FakeImages, FakeText, cards_json

import redraft
from redraft import prompts
from redraft.ideas.cards import IdeaCards, parse_idea_cards

TASTE = redraft.TasteProfile(likes=("misty harbours",), dislikes=("horror",))


def test_they_are_what_a_run_sends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = FakeText()
    config = {"prompt.scoring.exploration_rate": 0.0}
    redraft.run_generation(CONCEPTS, profile=TASTE, scoring=True, model=text, backend=FakeImages(), config=config)
    sent = {request.kind: request.messages[-1].text for request in text.asked}
    cards = parse_idea_cards(cards_json(), 6)
    chosen = next(card for card in cards if card.id == "B")
    as_json = IdeaCards(ideas=cards).model_dump_json(indent=1)
    assert sent["ideas.abstraction"] == prompts.profile_abstraction_prompt(TASTE)
    assert sent["ideas.judge"] == prompts.idea_cards_judge_prompt(CONCEPTS, TASTE, as_json)
    assert sent["image.final"] == prompts.final_prompt_from_selected_idea_prompt(CONCEPTS, TASTE, chosen)
    made = prompts.idea_cards_generate_prompt(CONCEPTS, HINTS, 6)
    head, _, rest = sent["ideas.cards"].partition("\n")
    assert made.partition("\n")[2] == rest
    assert head.startswith("Propose 6 ideas.")
