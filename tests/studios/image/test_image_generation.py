"""Whole generations by `run_generation()`, with a text model and an image backend that need no network.

The numbers of the specification's acceptance criteria and requirements stand in the names of the tests.
"""

from __future__ import annotations

import csv
import json
import logging
import shutil
from pathlib import Path
from typing import Any

import pytest
from generation import CONCEPTS, FINAL, HINTS, SCORES, FakeImages, FakeText, card, cards_json, scores_json

import redraft
from redraft import api
from redraft.errors import (
    AbstractionError,
    BriefError,
    ConfigError,
    HistoryError,
    IdeaCardsError,
    IdeaError,
    ImageBackendError,
    JudgeOutputError,
    ProfileError,
    SelectionError,
)
from redraft.ideas.cards import IdeaCard
from redraft.ideas.history import COLUMNS, Generation, append_generation
from redraft.models.conversation import ChatStep
from redraft.studios.image.backends.pictures import description_of
from redraft.studios.image.studio import studio
from redraft.studios.requests import DraftRequest

pytestmark = pytest.mark.slow

TASTE = redraft.TasteProfile(
    likes=("teal lanterns at the harbour", "brass astrolabes"), dislikes=("horror",), hates=("neon signs",)
)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def generate(text: FakeText | None = None, images: FakeImages | None = None, **given: Any) -> redraft.Result:
    settings: dict[str, Any] = {
        "concepts": CONCEPTS,
        "profile": TASTE,
        "scoring": True,
        "out": Path("run"),
        "seed": 7,
        **given,
    }
    settings.setdefault("backend", images or FakeImages())
    return redraft.run_generation(model=text or FakeText(), **settings)


def transcript(folder: str = "run") -> dict[str, Any]:
    return json.loads(Path(folder, "transcript.json").read_text("utf-8"))


def steps(folder: str = "run") -> list[str]:
    return [step["path"] for step in transcript(folder)["steps"]]


def rows(name: str = "runs/generations.csv") -> list[dict[str, str]]:
    with Path(name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_acceptance_1_a_run_with_scoring_leaves_all_its_artefacts() -> None:
    result = generate()
    assert result.valid
    assert result.error is None
    assert result.files["png"].read_bytes().startswith(b"\x89PNG")
    told = transcript()
    assert [step["path"] for step in told["steps"]] == [
        "blackbox_scoring/profile_abstraction",
        "blackbox_scoring/idea_cards_generate",
        "blackbox_scoring/idea_cards_judge_score",
        "iteration-1/draft/final_prompt_from_selected_idea/draft",
        "iteration-1/draft/final_prompt_from_selected_idea/tot_enclave",
        "iteration-1/draft/dalle_prompt_creation",
    ]
    assert {"name", "path", "prompt", "response", "params", "created_at"} <= told["steps"][0].keys()
    choice = told["blackbox_scoring"]
    assert choice["selected_id"] in "ABCDEF"
    assert choice["selected_score"] == SCORES[choice["selected_id"]]
    assert [(row["id"], row["score"]) for row in choice["score_table"]] == list(SCORES.items())
    assert 0 <= choice["exploration_roll"] < 1
    assert choice["selection_mode"] in ("exploit", "explore")
    assert choice["config_snapshot"]["num_ideas"] == 6
    (row,) = rows()
    assert tuple(row) == COLUMNS
    assert row["final_image_prompt"] == FINAL
    assert json.loads(row["selected_concepts"]) == list(CONCEPTS)
    assert row["seed"] == "7"
    assert Path("runs", row["image_path"]).is_file() or Path(row["image_path"]).is_file()
    (title,) = rows("runs/titles_manifest.csv")
    assert title["generation_id"] == row["generation_id"]


def test_acceptance_2_nothing_of_the_judge_is_in_any_later_request() -> None:
    text = FakeText({"ideas.judge": scores_json({**SCORES, "D": 99})})
    generate(text, config={"prompt.scoring.exploration_rate": 0.0})
    judged = next(i for i, request in enumerate(text.asked) if request.kind == "ideas.judge")
    later = text.asked[judged + 1 :]
    assert [request.kind for request in later] == ["image.final", "image.enclave", "image.prompt"]
    for request in later:
        said = "\n".join(message.text for message in request.messages)
        for word in ('"score"', "99", "81", "exploration", "judge", "Score each"):
            assert word not in said
        assert "The lamp of A" not in said  # of the cards only the chosen one goes on
        assert "score" not in json.dumps(dict(request.inputs))
    assert "The lamp of D" in later[0].messages[-1].text


def test_acceptance_3_without_scoring_the_same_artefacts_and_the_same_last_step() -> None:
    text = FakeText()
    result = generate(text, scoring=False)
    told = transcript()
    assert steps()[-1] == "iteration-1/draft/dalle_prompt_creation"
    assert all(not path.startswith("blackbox_scoring") for path in steps())
    assert told["blackbox_scoring"] is None
    assert told["scoring"]["enabled"] is False
    assert {"png", "prompt", "transcript", "generations", "titles"} <= result.files.keys()
    assert rows()[0]["final_image_prompt"] == FINAL
    assert {request.kind for request in text.asked} == {
        "image.idea",
        "image.enclave",
        "image.composition",
        "image.prompt",
    }


def test_fr1_the_transcript_has_the_settings_of_scoring() -> None:
    generate(config={"prompt.scoring.num_ideas": 6, "prompt.scoring.exploration_rate": 0.3})
    told = transcript()["scoring"]
    assert told["enabled"] is True
    assert told["config_snapshot"]["exploration_rate"] == 0.3


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("enabled", "false"),
        ("enabled", 1),
        ("num_ideas", 1),
        ("num_ideas", 6.0),
        ("num_ideas", "6"),
        ("num_ideas", True),
        ("exploration_rate", 0.51),
        ("exploration_rate", -0.1),
        ("exploration_rate", float("nan")),
        ("exploration_rate", "0.1"),
        ("exploration_rate", True),
        ("judge_temperature", -1),
        ("judge_model", 5),
        ("generator_profile_abstraction", "yes"),
        ("novelty.window", -1),
        ("novelty.window", 2.5),
        ("novelty.enabled", "true"),
        ("novelty.widnow", 3),
        ("number_of_ideas", 6),
    ],
)
def test_fr1_a_wrong_setting_is_a_value_error_with_its_whole_key_before_any_call(key: str, value: Any) -> None:
    text = FakeText()
    config = {"prompt.scoring.enabled": True, f"prompt.scoring.{key}": value}
    with pytest.raises(ValueError, match=f"prompt.scoring.{key}".replace(".", r"\.")) as caught:
        generate(text, scoring=None, config=config)
    assert isinstance(caught.value, ConfigError)
    assert text.asked == []
    assert not Path("run").exists()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("num_ideas", 2),
        ("exploration_rate", 0.5),
        ("exploration_rate", 0.0),
        ("judge_temperature", 2.0),
        ("judge_model", None),
        ("generator_profile_abstraction", False),
        ("novelty.window", 0),
        ("novelty.enabled", False),
    ],
)
def test_fr1_a_value_at_the_end_of_its_range_is_taken(key: str, value: Any) -> None:
    ids = "AB" if key == "num_ideas" else "ABCDEF"
    text = FakeText({"ideas.cards": cards_json(ids), "ideas.judge": scores_json({id_: SCORES[id_] for id_ in ids})})
    generate(text, scoring=None, config={"prompt.scoring.enabled": True, f"prompt.scoring.{key}": value})
    told: Any = transcript()["scoring"]["config_snapshot"]
    for name in key.split("."):
        told = told[name]
    assert told == value


def test_fr1_a_judge_that_is_not_cold_is_warned_about(caplog: pytest.LogCaptureFixture) -> None:
    text = FakeText()
    result = generate(text, config={"prompt.scoring.judge_temperature": 0.7})
    assert any("judge_temperature is 0.7" in warning for warning in result.warnings)
    assert [r.temperature for r in text.asked if r.kind == "ideas.judge"] == [0.7]


def test_fr4_the_judge_is_asked_at_temperature_0_and_recorded_like_any_step() -> None:
    text = FakeText()
    generate(text)
    assert [r.temperature for r in text.asked if r.kind == "ideas.judge"] == [0.0]
    step = next(s for s in transcript()["steps"] if s["name"] == "idea_cards_judge_score")
    assert step["response"] == scores_json(SCORES)
    assert step["params"]["temperature"] == 0.0


def test_fr3_the_generator_is_sent_nothing_of_the_raw_profile() -> None:
    text = FakeText()
    generate(text)
    (sent,) = text.sent("ideas.cards")
    assert HINTS in sent
    for word in ("teal", "lantern", "harbour", "brass", "astrolabe", "neon"):
        assert word not in sent.lower()
    (judged,) = text.sent("ideas.judge")
    assert "teal lanterns at the harbour" in judged  # whereas the judge sees all of it
    assert [len([m for m in r.messages if m.role == "assistant"]) for r in text.asked[:3]] == [0, 0, 0]


@pytest.mark.parametrize("leak", ["Quiet, with lanterns.", "Calm teal light.", "   ", "Brass and quiet."])
def test_fr3_a_summary_that_leaks_ends_the_run(leak: str) -> None:
    text = FakeText({"ideas.abstraction": leak})
    with pytest.raises(AbstractionError, match=r"^invalid_profile_abstraction: "):
        generate(text)
    assert [r.kind for r in text.asked] == ["ideas.abstraction"]
    assert transcript()["error"]["step"] == "blackbox_scoring/profile_abstraction"


def test_fr3_without_abstraction_the_profile_is_the_hint() -> None:
    text = FakeText()
    generate(text, config={"prompt.scoring.generator_profile_abstraction": False})
    assert "teal lanterns" in text.sent("ideas.cards")[0]
    assert text.sent("ideas.abstraction") == []


@pytest.mark.parametrize(
    ("kind", "reply", "error", "prefix", "step"),
    [
        ("cards", "no json at all", IdeaCardsError, "invalid_idea_cards_json: ", "idea_cards_generate"),
        ("cards", cards_json("ABCDE"), IdeaCardsError, "invalid_idea_cards_json: ", "idea_cards_generate"),
        ("cards", cards_json("ABCDEE"), IdeaCardsError, "invalid_idea_cards_json: ", "idea_cards_generate"),
        ("judge", "B is best", JudgeOutputError, "invalid_judge_output: ", "idea_cards_judge_score"),
        ("judge", scores_json({**SCORES, "A": "74"}), JudgeOutputError, "invalid_judge_output: ", "judge_score"),
        ("judge", scores_json({**SCORES, "A": 101}), JudgeOutputError, "invalid_judge_output: ", "judge_score"),
        ("judge", scores_json({"A": 1}), SelectionError, "invalid_selection: ", "idea_cards_judge_score"),
        ("judge", scores_json({**SCORES, "Z": 1}), SelectionError, "invalid_selection: ", "idea_cards_judge_score"),
    ],
)
def test_a_reply_that_is_no_use_raises_and_is_attributed(
    kind: str, reply: str, error: type[IdeaError], prefix: str, step: str
) -> None:
    text = FakeText({f"ideas.{kind}": reply})
    with pytest.raises(error) as caught:
        generate(text)
    assert isinstance(caught.value, ValueError)
    assert str(caught.value).startswith(prefix)
    asked = [r.kind for r in text.asked]
    assert asked.count(f"ideas.{kind}") == 1
    assert not any(k.startswith("image.") for k in asked)
    recorded = transcript()["error"]
    assert recorded["phase"] == "prompt_pipeline"
    assert recorded["step"].endswith(step)
    assert recorded["message"] == str(caught.value)
    assert transcript()["steps"][-1]["response"] == reply
    assert not Path("runs/generations.csv").exists()
    again = FakeText()
    assert redraft.resume("run", model=again, backend=FakeImages()).valid
    assert next(r.kind for r in again.asked) == f"ideas.{kind}"
    assert transcript()["error"] is None


def test_ideas_retries_ask_again() -> None:
    replies = iter(["no json", cards_json()])
    text = FakeText({"ideas.cards": lambda _: next(replies)})
    result = generate(text, scoring=None, ideas=6, ideas_retries=1)
    assert result.valid
    assert steps()[1:3] == ["blackbox_scoring/idea_cards_generate", "blackbox_scoring/idea_cards_generate/retry-1"]
    (warning,) = [w for w in result.warnings if "asking again" in w]
    assert "invalid_idea_cards_json" in warning


FOREIGN = {
    "columns": b"date,prompt\r\n2026-01-01,a fox\r\n",
    "encoding": "generation_id,prompt\r\n1,caf\u00e9\r\n".encode("latin-1"),
    "utf-16": "generation_id,prompt\r\n".encode("utf-16"),
}


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("generations.csv", {"scoring": False}),
        ("generations.csv", {"config": {"prompt.scoring.novelty.window": 0}}),
        ("generations.csv", {"config": {"prompt.scoring.novelty.enabled": False}}),
        ("titles_manifest.csv", {"scoring": False}),
        ("titles_manifest.csv", {}),
    ],
)
@pytest.mark.parametrize("content", FOREIGN.values(), ids=FOREIGN)
def test_a_list_of_another_program_is_refused_before_any_call(name: str, given: dict[str, Any], content: bytes) -> None:
    list_ = Path("runs", name)
    list_.parent.mkdir()
    list_.write_bytes(content)
    text, images = FakeText(), FakeImages()
    with pytest.raises(HistoryError, match=rf"runs/{name}"):
        generate(text, images, **given)
    assert (text.asked, images.asked, Path("run").exists()) == ([], [], False)
    assert list_.read_bytes() == content
    list_.unlink()
    assert generate(text, images, **given).valid


HEADER = ",".join(COLUMNS).encode() + b"\r\n"
UNREADABLE = {
    **FOREIGN,
    "quoting": HEADER + b'"1","[]","a "fox" at dusk","1.png","2026-01-01","1"\r\n',
    "unclosed": HEADER + b'"1","[]","a fox,"1.png","2026-01-01","1"\r\n',
    "fields": HEADER + b"1,[]\r\n",
}


@pytest.mark.parametrize("content", [*UNREADABLE.values(), None], ids=[*UNREADABLE, "folder"])
def test_fr6_a_history_that_cannot_be_read_is_a_warning_and_novelty_is_off(content: bytes | None) -> None:
    history = Path("runs/generations.csv")
    if content is None:
        history.mkdir(parents=True)
    else:
        history.parent.mkdir()
        history.write_bytes(content)
    result = generate()
    assert result.valid
    assert result.error is None
    assert result.files["png"].is_file()
    off, unlisted = [w for w in result.warnings if str(history.resolve()) in w]
    assert off.startswith("Novelty enabled but history unavailable; disabling novelty for this run: ")
    assert unlisted.startswith("The picture is in no list of generations: ")
    assert transcript()["blackbox_scoring"]["novelty"]["enabled"] is False
    assert {row["penalty"] for row in transcript()["blackbox_scoring"]["score_table"]} == {0.0}
    assert not Path("runs/titles_manifest.csv").exists()
    assert history.is_dir() if content is None else history.read_bytes() == content


def test_a_picture_that_was_in_no_list_is_added_by_a_resume_once_the_list_can_be_read() -> None:
    history = Path("runs/generations.csv")
    history.mkdir(parents=True)
    images = FakeImages(fails=[ImageBackendError("dummy: the server hung up")])
    assert generate(images=images).error is not None
    history.rmdir()
    assert redraft.resume("run", model=FakeText(), backend=images).error is None
    assert [row["final_image_prompt"] for row in rows()] == [FINAL]


def test_a_manifest_without_a_number_to_go_on_from_is_refused_before_any_call() -> None:
    generate(scoring=False, out=Path("first"))
    manifest = Path("runs/titles_manifest.csv")
    manifest.write_text(manifest.read_text("utf-8").replace('"1"', '"one"', 1), encoding="utf-8")
    text = FakeText()
    with pytest.raises(HistoryError, match=r"titles_manifest.csv, line 2: seq is 'one'"):
        generate(text)
    assert text.asked == []


def test_a_folder_that_cannot_be_written_is_refused_before_any_call() -> None:
    Path("file").write_text("not a folder", encoding="utf-8")
    text, images = FakeText(), FakeImages()
    with pytest.raises(HistoryError, match=r"Cannot write beside .*file/generations.csv.*Make the folder writable"):
        generate(text, images, config={"prompt.generations_path": "file/generations.csv"})
    assert (text.asked, images.asked) == ([], [])


def test_a_resumed_run_checks_its_lists_before_it_paints() -> None:
    images = FakeImages(fails=[ImageBackendError("dummy: the server hung up")])
    generate(images=images, scoring=False)
    Path("runs").mkdir(exist_ok=True)
    Path("runs/generations.csv").write_bytes(FOREIGN["columns"])
    with pytest.raises(HistoryError, match="is not a table of generations"):
        redraft.resume("run", model=FakeText(), backend=images)
    assert len(images.asked) == 1


def test_fr8_the_final_prompt_is_captured_as_dalle_prompt_with_scoring_and_without() -> None:
    for idea in (None, IdeaCard.model_validate_json(json.dumps(card("A")))):
        request = DraftRequest[Any](brief=redraft.Brief.of("", concepts=CONCEPTS), idea=idea)
        last = studio.compose(request).nodes[-1]
        assert isinstance(last, ChatStep)
        assert (last.name, last.capture_key) == ("dalle_prompt_creation", "dalle_prompt")


@pytest.mark.parametrize("scoring", [True, False])
def test_the_first_prose_sees_the_whole_profile(scoring: bool) -> None:
    text = FakeText()
    taste = redraft.TasteProfile(loves=("fog",), likes=("brass astrolabes",), dislikes=("horror",), hates=("neon",))
    generate(text, scoring=scoring, profile=taste)
    (sent,) = text.sent("image.final" if scoring else "image.idea")
    for entry in (*taste.liked, *taste.disliked):
        assert entry in sent


def test_fr6_the_window_is_25_generations_unless_set() -> None:
    for number in range(30):
        append_generation(
            Path("runs/generations.csv"),
            Generation(
                generation_id=f"earlier-{number}",
                selected_concepts=("fox",),
                final_image_prompt=f"A fox, {number}.",
                image_path="x.png",
                created_at="2026-11-22T17:13:47+00:00",
                seed=number,
            ),
        )
    generate()
    assert transcript()["blackbox_scoring"]["novelty"]["prompts"] == 25
    generate(out=Path("two"), config={"prompt.scoring.novelty.window": 10})
    assert transcript("two")["blackbox_scoring"]["novelty"]["prompts"] == 10


def test_a_long_wrong_reply_of_a_judge_is_quoted_in_part() -> None:
    with pytest.raises(JudgeOutputError) as caught:
        generate(FakeText({"ideas.judge": "because " * 500}))
    assert "because because" in str(caught.value)
    assert len(str(caught.value)) < 700


def test_fr5_the_same_seed_chooses_the_same_and_others_may_not() -> None:
    choices = dict[int, dict[str, Any]]()
    config = {"prompt.scoring.exploration_rate": 0.5, "prompt.scoring.novelty.enabled": False}
    for seed in range(12):
        generate(seed=seed, out=Path(f"run-{seed}"), config=config)
        choices[seed] = transcript(f"run-{seed}")["blackbox_scoring"]
    again = generate(seed=3, out=Path("again"), config=config)
    assert again.error is None
    second = transcript("again")["blackbox_scoring"]
    same = ("selected_id", "exploration_roll", "selection_mode", "pool")
    assert {k: second[k] for k in same} == {k: choices[3][k] for k in same}
    assert {c["selection_mode"] for c in choices.values()} == {"exploit", "explore"}
    best_two = {"B", "F"}
    assert {c["selected_id"] for c in choices.values()} <= best_two


def test_fr6_a_history_that_is_not_there_is_said_loudly_and_novelty_is_off(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="redraft.scoring"):
        result = generate()
    (warning,) = [w for w in result.warnings if "novelty" in w.lower()]
    assert warning.startswith("Novelty enabled but history unavailable; disabling novelty for this run: ")
    assert str(Path("runs/generations.csv").resolve()) in warning
    assert [r.message for r in caplog.records if r.levelno == logging.WARNING and r.name != "redraft.run"] == [warning]
    said = [r.message for r in caplog.records if r.levelno == logging.INFO]
    assert said[0] == "Blackbox scoring enabled: num_ideas=6, exploration_rate=0.15, novelty=on"
    chosen = transcript()["blackbox_scoring"]
    score, mode = chosen["selected_score"], chosen["selection_mode"]
    assert said[1] == f"Selected candidate: id={chosen['selected_id']}, score={score}, selection_mode={mode}"
    assert chosen["novelty"]["enabled"] is False


def test_fr6_what_was_made_lately_reaches_the_judge_and_costs_points() -> None:
    used = FakeText({"image.prompt": f"{FINAL} Seen from side B through a window B, a keyhole, a keyhole moon."})
    for number in range(4):
        generate(used, out=Path(f"earlier-{number}"), scoring=False)
    text = FakeText({"ideas.cards": cards_json().replace("seen from side B", "seen through a keyhole moon")})
    generate(text, config={"prompt.scoring.exploration_rate": 0.0})
    told = transcript()["blackbox_scoring"]
    assert told["novelty"]["enabled"] is True
    assert told["novelty"]["prompts"] == 4
    assert "keyhole" in " ".join(motif["term"] for motif in told["novelty"]["motifs"])
    summary = told["novelty"]["summary"]
    assert "“keyhole” in 4" in summary
    assert summary in text.sent("ideas.judge")[0]
    for request in text.asked:  # the cards hold the word too, so only the summary shows what the judge learns
        assert (summary in "\n".join(message.text for message in request.messages)) == (request.kind == "ideas.judge")
    penalties = {row["id"]: row["penalty"] for row in told["score_table"]}
    assert penalties["B"] > penalties["C"]


def test_fr7_several_judges_are_steps_of_their_own() -> None:
    text = FakeText()
    config = {
        "prompt.scoring.judges": [{"name": "eye", "weight": 3.0}, {"name": "novel", "rubric": "novelty_heavy"}],
        "prompt.scoring.exploration_rate": 0.0,
    }
    text.answers["ideas.judge"] = lambda request: scores_json(
        {**dict.fromkeys("ABCDEF", 10), ("A" if request.path.endswith("eye") else "F"): 90}
    )
    generate(text, config=config)
    judges = [path for path in steps() if "judge" in path]
    assert judges == [
        "blackbox_scoring/idea_cards_judge_score/eye",
        "blackbox_scoring/idea_cards_judge_score/novel",
    ]
    told = transcript()["blackbox_scoring"]
    assert told["selected_id"] == "A"  # three quarters of 90 and one of 10
    assert told["selected_score"] == pytest.approx(70)
    assert told["judges"]["novel"]["F"] == 90


def test_the_picture_says_what_it_is_and_lists_it_once_however_often_it_is_resumed() -> None:
    text, images = FakeText(), FakeImages(fails=[ImageBackendError("dummy: the server hung up")])
    first = generate(text, images)
    assert first.error is not None
    assert first.error["phase"] == "finish"
    assert "hung up" in str(first.error["message"])
    assert not Path("runs/generations.csv").exists()
    calls = len(text.asked)
    result = redraft.resume("run", model=text, backend=images)
    assert result.error is None
    Path("run/report.html").unlink()
    assert redraft.resume("run", model=text, backend=images).error is None
    assert len(text.asked) == calls  # nothing that was paid for is asked again
    assert len(images.asked) == 2
    assert len(rows()) == 1
    told = description_of(result.files["png"].read_bytes())
    assert told["redraft:prompt"] == FINAL
    assert told["redraft:seed"] == str(images.asked[-1].seed)
    assert told["redraft:run"] == transcript()["run"]


NEON = FINAL.replace("a single beam", "neon signs")


def test_what_is_disliked_is_a_note_and_costs_no_repair() -> None:
    text, images = FakeText({"image.prompt": NEON}), FakeImages()
    result = generate(text, images)
    assert text.sent("image.repair") == []
    assert images.asked[0].prompt == NEON
    assert (result.valid, result.outcome) == (True, "unchecked"), "no model looked at the picture"
    assert [(issue.code, issue.severity) for issue in result.report.issues] == [("taste.disliked", "note")]


def test_concepts_are_the_requirements_and_without_one_nothing_is_checked() -> None:
    first = generate(scoring=False)
    assert [(m.kind, m.quote, m.outcome) for m in first.report.requirements] == [
        ("concept", concept, "met") for concept in CONCEPTS
    ]
    changed = generate(concepts="at night", profile=None, scoring=False, on=first.run, out=Path("two"))
    assert changed.report.requirements == ()
    assert changed.outcome == "unchecked"


def test_a_prompt_that_never_holds_a_concept_ends_not_valid() -> None:
    text = FakeText(dict.fromkeys(("image.prompt", "image.repair", "image.edit"), "A lighthouse in a storm."))
    result = generate(text)
    assert (result.valid, result.outcome) == (False, "not valid")
    assert [(issue.code, issue.basis, issue.severity) for issue in result.report.issues] == [
        ("fact.missing", "requirement", "error")
    ]


def test_a_prompt_that_drops_a_concept_is_repaired_before_anything_is_painted() -> None:
    text, images = FakeText({"image.prompt": FINAL.replace("clockwork", "machine")}), FakeImages()
    result = generate(text, images)
    assert [r.kind for r in text.asked][-1] == "image.repair"
    assert "clockwork" in text.sent("image.repair")[0]
    assert result.valid
    assert [request.prompt for request in images.asked] == [FINAL]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"concepts": ()}, "There are no concepts"),
        ({"concepts": ""}, "There are no concepts"),
        ({"concepts": [" ", "\t"]}, "There are no concepts"),
        ({"concepts": ["fox", 3]}, r"A concept is a word or a phrase; given: 3 \(int\)"),
        ({"concepts_file": "words.txt"}, "Leave one of the two out"),
        ({"count": 4}, "count is 4"),
        ({"on": "earlier"}, "Concepts start a new picture"),
        ({"concepts": "", "on": "earlier"}, "No change to the picture"),
    ],
)
def test_what_nothing_can_be_made_of_is_refused_before_any_call(given: dict[str, Any], said: str) -> None:
    text = FakeText()
    with pytest.raises(BriefError, match=said):
        generate(text, **given)
    assert text.asked == []
    assert not list(Path().iterdir())


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"budget.cost": 1.0}, r"is not known beforehand.*images\.price"),
        ({"budget.cost": 0.03, "images.price": 0.04}, r"costs 0\.04"),
    ],
)
def test_a_cap_on_money_that_a_picture_cannot_be_held_to_is_refused_before_any_call(
    settings: dict[str, Any], said: str
) -> None:
    text = FakeText()
    with pytest.raises(ConfigError, match=said):
        generate(text, backend="command:false {out}", config=settings)
    assert text.asked == []


def test_what_would_go_over_the_cap_is_not_painted_until_it_is_raised() -> None:
    images = FakeImages()
    result = generate(FakeText(cost=0.01), images, config={"budget.cost": 0.1, "images.price": 0.07})
    assert result.error is not None
    assert "a picture for 0.07" in str(result.error["message"])
    assert images.asked == []
    again = api.resume(Path("run"), model=FakeText(), backend=images, caps={"cost": 0.2})
    assert (again.error, len(images.asked)) == (None, 1)


def test_a_profile_that_is_none_is_refused_before_any_call() -> None:
    text = FakeText()
    with pytest.raises(ProfileError, match=r"profile is \{'likes': \['fog'\]\}; give a TasteProfile"):
        generate(text, profile={"likes": ["fog"]})
    assert text.asked == []


@pytest.mark.parametrize("key", ["exploration_rate", "num_ideas", "judge_model", "novelty.window"])
def test_how_ideas_are_chosen_is_not_said_in_vain(key: str) -> None:
    config: dict[str, Any] = {f"prompt.scoring.{key}": {"exploration_rate": 0.3, "judge_model": "nosuch"}.get(key, 5)}
    with pytest.raises(ConfigError, match=rf"prompt\.scoring\.{key} applies to choosing among ideas.*--ideas N"):
        generate(scoring=None, config=config)
    assert generate(scoring=False, config=config).error is None


def test_the_record_of_a_run_starts_no_program_by_itself() -> None:
    """A folder that somebody else sends names what paints; only the one who resumes it allows it to run."""
    text = FakeText()
    first = generate(text, backend="command:false {out}")
    assert first.error is not None
    shutil.copytree("run", "theirs")
    with pytest.raises(ConfigError, match=r"need your trust") as caught:
        redraft.resume("theirs", model=text)
    assert "images.backend" in str(caught.value)
    again = redraft.resume("run", model=text, backend="command:false {out}")
    assert again.error is not None
    assert redraft.resume("run", model=text, backend=FakeImages()).error is None
