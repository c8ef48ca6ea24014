"""What the specification of black-box scoring states, tried as written; what other tests run is not repeated.

Its acceptance criteria and requirements are run in `tests/studios/image/test_image_generation.py`.
"""

from __future__ import annotations

import inspect
import json
import random
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml
from generation import CONCEPTS, FINAL, FakeImages, FakeText, card, cards_json

import redraft
from redraft import prompts
from redraft.config import load
from redraft.ideas import compose
from redraft.ideas.cards import parse_idea_cards
from redraft.ideas.scores import parse_scores
from redraft.ideas.selection import select
from redraft.models.conversation import Block, ChatStep

CONFIG = """\
prompt:
  scoring:
    enabled: false
    num_ideas: 6              # int >= 2
    exploration_rate: 0.15    # float in [0, 0.5]
    judge_temperature: 0.0    # float, must be 0.0 by default
    judge_model: null         # optional string; if null use primary text model
    generator_profile_abstraction: true
    novelty:
      enabled: true
      window: 25              # int >= 0 (0 disables history usage)
"""
TASTE = redraft.TasteProfile(likes=("teal lanterns",), dislikes=("horror",))


def test_the_section_of_the_configuration_is_as_written_and_has_the_defaults(tmp_path: Path) -> None:
    path = tmp_path / "redraft.yaml"
    path.write_text(CONFIG, "utf-8")
    scoring = load(path).config.prompt.scoring
    assert scoring == redraft.Config().prompt.scoring
    stated = yaml.safe_load(CONFIG)["prompt"]["scoring"]
    told = scoring.model_dump()
    assert {key: told[key] for key in stated if key != "novelty"} == {k: v for k, v in stated.items() if k != "novelty"}
    assert {key: told["novelty"][key] for key in stated["novelty"]} == stated["novelty"]


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("profile_abstraction_prompt", "profile"),
        ("idea_cards_generate_prompt", "concepts generator_profile_hints num_ideas"),
        ("idea_cards_judge_prompt", "concepts raw_profile idea_cards_json recent_summary"),
        ("final_prompt_from_selected_idea_prompt", "concepts raw_profile selected_idea_card"),
    ],
)
def test_the_prompt_factories_take_what_is_written_and_return_text(name: str, parameters: str) -> None:
    made = getattr(prompts, name)
    assert list(inspect.signature(made).parameters) == parameters.split()
    cards = cards_json()
    values: dict[str, Any] = {
        "profile": TASTE, "concepts": CONCEPTS, "generator_profile_hints": "Quiet.", "num_ideas": 6,
        "raw_profile": TASTE, "idea_cards_json": cards, "recent_summary": "moons (4 of 5)",
        "selected_idea_card": parse_idea_cards(cards, 6)[0],
    }  # fmt: skip
    said = made(**{key: values[key] for key in parameters.split()})
    assert type(said) is str
    assert ("teal lanterns" in said) == ("profile" in parameters.replace("generator_profile_hints", ""))
    if "concepts" in parameters:
        assert all(concept in said for concept in CONCEPTS)


def test_a_card_is_read_with_its_fields_and_without_avoid() -> None:
    one, two = parse_idea_cards(json.dumps({"ideas": [card("A", avoid=["neon"]), card("B")]}), 2)
    assert (one.id, one.avoid, two.avoid) == ("A", ("neon",), ())
    assert {"composition", "palette", "medium", "mood"} <= one.options.keys()
    assert {"hook", "narrative"} <= set(type(one).model_fields)


def test_scores_are_read_as_written() -> None:
    text = '{"scores": [{"id": "A", "score": 0}, {"id": "B", "score": 78}]}'
    assert parse_scores(text, ["A", "B"]) == {"A": 0, "B": 78}


def test_exploration_may_be_forced_and_is_the_same_again() -> None:
    scores = {"A": 74, "B": 81, "C": 3, "D": 77}
    choices = [select(scores, exploration_rate=1.0, rng=random.Random(seed)) for seed in range(8)]
    assert {choice.selection_mode for choice in choices} == {"explore"}
    assert {choice.selected_id for choice in choices} == {"B", "D"}
    assert choices == [select(scores, exploration_rate=1.0, rng=random.Random(seed)) for seed in range(8)]


def test_steps_and_blocks_have_their_names() -> None:
    assert {"name", "temperature", "capture_key", "merge"} <= {field.name for field in fields(ChatStep)}
    assert {field.name: field.default for field in fields(Block)}["merge"] == "all_messages"
    made = {
        "profile_abstraction": (compose.abstraction(TASTE), "generator_profile_hints"),
        "idea_cards_generate": (compose.cards(CONCEPTS, "Quiet.", 6), "idea_cards_json"),
        "idea_cards_judge_score": (compose.judge(CONCEPTS, TASTE, cards_json(), "", ids="ABCDEF"), "idea_scores_json"),
    }
    for name, (block, key) in made.items():
        (step,) = block.nodes
        assert isinstance(step, ChatStep)
        assert (block.name, block.merge, step.name, step.capture_key) == ("blackbox_scoring", "none", name, key)


def test_a_run_records_what_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = FakeText()
    redraft.run_generation(CONCEPTS, profile=TASTE, scoring=True, model=text, backend=FakeImages(), out="run", seed=7)
    told = json.loads(Path("run/transcript.json").read_text("utf-8"))
    assert {"enabled", "config_snapshot"} <= told["scoring"].keys()
    assert {
        "selected_id",
        "selected_score",
        "exploration_rate",
        "exploration_roll",
        "selection_mode",
        "score_table",
    } <= (told["blackbox_scoring"].keys())
    assert {"id", "score"} <= told["blackbox_scoring"]["score_table"][0].keys()
    assert {"name", "path", "prompt", "response", "params", "created_at"} <= told["steps"][0].keys()
    names = [step["name"] for step in told["steps"]]
    assert names[:3] == ["profile_abstraction", "idea_cards_generate", "idea_cards_judge_score"]
    assert names[-1] == "dalle_prompt_creation"
    assert told["steps"][-1]["response"] == FINAL
    (judged,) = (request for request in text.asked if request.kind == "ideas.judge")
    assert judged.temperature == 0.0
    assert {"teal lanterns" in message.text for message in judged.messages[-1:]} == {True}
