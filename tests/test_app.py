"""Whole runs of the sketch studio through the composition root."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from drawings import HOUSE, TREE_PATCH, as_reply, house

import redraft
from redraft import api
from redraft.config import Config
from redraft.errors import ConfigError, ContradictionError, ModelUnavailableError, RunError, RunNotFoundError
from redraft.models.scripted import ScriptedModel
from redraft.options import check_config
from redraft.record.transcript import Record, runs_in
from redraft.result import Result


def clock() -> datetime:
    return datetime(2026, 1, 1, 12, 30, tzinfo=UTC)


def draw(
    folder: Path, model: ScriptedModel | None, text: str = "a house with a door", on: Path | None = None
) -> Result:
    return api.run("sketch", text, model=model, out=folder, on=on, clock=clock)


def files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_a_run_leaves_what_was_promised(tmp_path: Path) -> None:
    result = draw(tmp_path / "run", ScriptedModel([HOUSE]))
    assert (result.valid, result.score, result.error) == (True, 1.0, None)
    for name in ("drawing.svg", "drawing.png", "drawing.json", "events.jsonl", "transcript.json", "report.html"):
        assert (tmp_path / "run" / name).stat().st_size > 0
    parts = json.loads((tmp_path / "run" / "drawing.json").read_text())["parts"]
    assert [(p["name"], p["label"], p["parent"]) for p in parts] == [
        ("house", "house", None),
        ("roof", "roof", "house"),
        ("door", "door", "house"),
    ]
    x0, y0, x1, y1 = parts[2]["bbox"]
    # The door's box, its pen (0.005) included.
    assert (x0, y0, x1, y1) == pytest.approx((0.4175, 0.6175, 0.4925, 0.8025), abs=1e-6)


def test_the_transcript_has_the_fields_of_the_specification(tmp_path: Path) -> None:
    draw(tmp_path / "run", ScriptedModel([HOUSE]))
    transcript = json.loads((tmp_path / "run" / "transcript.json").read_text())
    step = transcript["steps"][0]
    assert {"name", "path", "prompt", "response", "params", "created_at"} <= step.keys()
    assert step["path"] == "iteration-1/draft"
    assert "a house with a door" in step["prompt"][-1]["text"]
    assert step["response"] == HOUSE
    assert {"blackbox_scoring", "iterations", "memory", "usage", "templates", "error"} <= transcript.keys()
    assert len(transcript["templates"]["sketch.draft"]) == 12


def test_the_same_seed_and_replies_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        draw(tmp_path / name, ScriptedModel([as_reply(house(0.9)), HOUSE]))
    assert files(tmp_path / "one") == files(tmp_path / "two")


@pytest.mark.slow
def test_the_offline_model_is_the_same_twice_and_the_same_everywhere(tmp_path: Path) -> None:
    for name in ("one", "two"):
        api.run("sketch", "two cats beside a house", config=Config(seed=5), out=tmp_path / name, clock=clock)
    assert files(tmp_path / "one") == files(tmp_path / "two")


def test_extending_keeps_what_was_there(tmp_path: Path) -> None:
    draw(tmp_path / "first", ScriptedModel([HOUSE]))
    model = ScriptedModel([TREE_PATCH])
    result = draw(tmp_path / "second", model, "now add a tree to the left of it", on=tmp_path / "first")
    assert result.valid, result.report.issues
    assert model.requests[0].kind == "sketch.edit"
    assert '"name":"roof"' in model.requests[0].messages[-1].text.replace(" ", "")
    before, after = (json.loads((tmp_path / n / "drawing.json").read_text()) for n in ("first", "second"))
    assert after["strokes"][: len(before["strokes"])] == before["strokes"]
    assert [p["name"] for p in after["parts"]] == ["house", "roof", "door", "tree"]


@pytest.mark.slow
def test_undo_goes_back_along_the_runs(tmp_path: Path) -> None:
    draw(tmp_path / "one", ScriptedModel([HOUSE]))
    draw(tmp_path / "two", ScriptedModel([TREE_PATCH]), "add a tree to the left of it", on=tmp_path / "one")
    restyle, changes = [{"part": "roof", "fill": "#ff0000"}], [{"part": "roof", "quote": "make the roof red"}]
    red = as_reply({"approach": "red", "restyle": restyle, "changes": changes})
    draw(tmp_path / "three", ScriptedModel([red]), "make the roof red", on=tmp_path / "two")

    def strokes(name: str) -> object:
        return json.loads((tmp_path / name / "drawing.json").read_text())["strokes"]

    api.undo(tmp_path / "three", 1, out=tmp_path / "back1")
    api.undo(tmp_path / "three", 2, out=tmp_path / "back2")
    assert strokes("back1") == strokes("two") != strokes("three")
    assert strokes("back2") == strokes("one")
    api.undo(tmp_path / "back1", 1, out=tmp_path / "back3")
    assert strokes("back3") == strokes("one")
    assert Record.load(tmp_path / "back1").transcript.report == Record.load(tmp_path / "two").transcript.report
    with pytest.raises(RunError, match="only 2 earlier steps, so 3 cannot be undone"):
        api.undo(tmp_path / "three", 3, out=tmp_path / "back4")
    with pytest.raises(RunError, match=r"no earlier step to go back to: it was not made with --on\.$"):
        api.undo(tmp_path / "one", 1, out=tmp_path / "back4")
    with pytest.raises(RunError, match="without a model, step by step or by redraft undo"):
        api.resume(tmp_path / "back1")
    with pytest.raises(ConfigError, match="undo 0"):
        api.undo(tmp_path / "three", 0)
    assert not (tmp_path / "back4").exists()


def test_a_folder_in_use_is_refused(tmp_path: Path) -> None:
    draw(tmp_path / "run", ScriptedModel([HOUSE]))
    with pytest.raises(RunError, match="already holds a run"):
        draw(tmp_path / "run", ScriptedModel([HOUSE]))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "drawing.svg").write_text("precious")
    with pytest.raises(RunError, match="is not empty"):
        draw(tmp_path / "mine", ScriptedModel([HOUSE]))
    assert (tmp_path / "mine" / "drawing.svg").read_text() == "precious"
    (tmp_path / "file").write_text("x")
    with pytest.raises(RunError, match="is a file; a run needs a folder"):
        draw(tmp_path / "file", ScriptedModel([HOUSE]))


def test_no_run_to_go_on_from(tmp_path: Path) -> None:
    with pytest.raises(RunNotFoundError, match="nowhere"):
        draw(tmp_path / "run", ScriptedModel([HOUSE]), on=tmp_path / "nowhere")


@pytest.mark.parametrize(
    "text",
    [
        "a cat to the left of a dog and the dog to the left of the cat",
        "A left of B and B left of A",
    ],
)
def test_a_contradiction_that_the_grammar_reads_ends_the_offline_run(tmp_path: Path, text: str) -> None:
    with pytest.raises(ContradictionError) as caught:
        draw(tmp_path / "run", None, text)
    assert len(caught.value.phrases) >= 2
    assert all(phrase in text for phrase in caught.value.phrases)


def test_a_candidate_that_cannot_be_chosen_is_answered_with_those_that_can(tmp_path: Path) -> None:
    draw(tmp_path / "one", ScriptedModel([HOUSE]))
    with pytest.raises(RunError, match=r"no candidate 0 to choose: the run made one draft, which is delivered"):
        api.choose(tmp_path / "one", 0)
    api.run("sketch", "a house", model=ScriptedModel([HOUSE, HOUSE]), candidates=2, out=tmp_path / "two")
    with pytest.raises(RunError, match=r"no candidate 5 to choose: those that ran are 0, 1\.$"):
        api.choose(tmp_path / "two", 5)


def test_a_requirement_that_no_critic_saw_is_an_error_of_a_chosen_candidate(tmp_path: Path) -> None:
    nine = {"kind": "count", "quote": "a house", "parts": ["house"], "number": 9}
    replies = [
        HOUSE,
        as_reply(house() | {"requirements": [nine]}),
        json.dumps({"satisfied": True, "score": 9, "summary": "ok"}),
    ]
    first = api.run("sketch", "a house", model=ScriptedModel(replies, sees=True), candidates=2, out=tmp_path / "two")
    assert first.valid
    chosen = api.choose(tmp_path / "two", 1)
    assert not chosen.valid
    assert [issue.requirement for issue in chosen.report.errors] == ["r1"]
    assert api.choose(tmp_path / "two", 0).valid


def test_an_interrupted_run_is_resumed_without_repeating(tmp_path: Path) -> None:
    gone = ScriptedModel(["no json here", ModelUnavailableError("the server is gone")])
    result = draw(tmp_path / "run", gone)
    assert result.error is not None
    assert result.error["step"] == "iteration-1/draft/fix-1"
    rest = ScriptedModel([HOUSE])
    result = api.resume(tmp_path / "run", model=rest)
    assert (result.valid, result.error, result.usage.calls) == (True, None, 2)
    assert [r.path for r in rest.requests] == ["iteration-1/draft/fix-1"]
    assert Record.load(tmp_path / "run").transcript.finished


def test_a_finished_run_is_not_repeated_and_what_is_missing_is_restored(tmp_path: Path) -> None:
    first = draw(tmp_path / "run", ScriptedModel([HOUSE]))
    before = files(tmp_path / "run")
    told: list[str] = []
    result = api.resume(tmp_path / "run", model=ScriptedModel([]), notify=told.append)
    assert files(tmp_path / "run") == before
    assert told == ["already finished; nothing is repeated"]
    assert result.model_dump() == first.model_dump()
    for name in ("drawing.png", "report.html"):
        (tmp_path / "run" / name).unlink()
    again = api.resume(tmp_path / "run", model=ScriptedModel([]), notify=told.append)
    assert told[1:] == ["already finished; restoring what is missing: drawing.png, report.html"]
    assert again.valid
    assert files(tmp_path / "run")["drawing.png"] == before["drawing.png"]


def test_a_model_object_is_needed_again(tmp_path: Path) -> None:
    draw(tmp_path / "run", ScriptedModel([HOUSE]))
    with pytest.raises(ConfigError, match=r"with model=…"):
        api.resume(tmp_path / "run")


def test_a_critic_of_a_blind_model_is_an_error(tmp_path: Path) -> None:
    config = check_config(None, {"loop.critic": True}).config
    with pytest.raises(ConfigError, match=r"loop\.critic is on, but the model 'scripted' takes no pictures"):
        api.run("sketch", "a house", config=config, model=ScriptedModel([HOUSE]), out=tmp_path / "run")


def test_a_studios_section_is_checked() -> None:
    with pytest.raises(ConfigError, match=r"studios\.sketch\.animat: unknown setting"):
        check_config(None, {"studios.sketch.animat": True})
    with pytest.raises(ConfigError, match=r"studios\.sketch\.animate: .*given 'false'"):
        check_config(None, {"studios.sketch.animate": "false"})
    with pytest.raises(ConfigError, match=r"studios\.skech: unknown studio; installed: board"):
        check_config(None, {"studios.skech.animate": True})


def test_dated_folders_never_collide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = [api.run("sketch", "a house!", model=ScriptedModel([HOUSE]), clock=clock).run.name for _ in range(2)]
    assert names == ["2026-01-01-123000-a-house", "2026-01-01-123000-a-house-2"]


def test_the_python_api(tmp_path: Path) -> None:
    result = redraft.sketch("a house", model=ScriptedModel([HOUSE]), out=tmp_path / "run", seed=3)
    assert (result.valid, Record.load(result.run).transcript.seed) == (True, 3)


@pytest.mark.anyio
async def test_the_python_api_inside_a_running_loop(tmp_path: Path) -> None:
    blocking = redraft.sketch("a house", model=ScriptedModel([HOUSE]), out=tmp_path / "one")
    awaited = await redraft.arun("sketch", "a house", model=ScriptedModel([HOUSE]), out=tmp_path / "two")
    assert blocking.valid
    assert awaited.valid


def test_a_page_that_cannot_be_made_costs_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(run: Record) -> Path:
        raise RunError(f"no space for the page of {run.folder.name}")

    monkeypatch.setattr("redraft.loop.deliver.write_page", broken)
    result = draw(tmp_path / "run", ScriptedModel([HOUSE]))
    assert result.valid
    assert "report" not in result.files
    assert any("redraft report" in warning for warning in result.warnings)


@pytest.mark.slow
def test_what_is_only_a_placeholder_stays_incomplete_in_the_record_when_resumed_and_undone(tmp_path: Path) -> None:
    result = draw(tmp_path / "one", None, "a dragon fighting a knight on a bridge")
    assert (result.outcome, result.valid) == ("incomplete", False)
    assert result.report.stand_ins == ("dragon", "knight")
    assert "--model" in result._repr_html_()  # pyright: ignore[reportPrivateUsage]  as a notebook does
    assert Record.load(tmp_path / "one").transcript.outcome == "incomplete"
    assert [run.outcome for run in runs_in(tmp_path)] == ["incomplete"]
    (tmp_path / "one" / "drawing.png").unlink()
    assert api.resume(tmp_path / "one").outcome == "incomplete"
    assert draw(tmp_path / "two", None, "add a tree", on=tmp_path / "one").outcome == "incomplete"
    assert api.undo(tmp_path / "two", 1, out=tmp_path / "back").outcome == "incomplete"
    without = draw(tmp_path / "three", None, "remove the dragon", on=tmp_path / "one")
    assert without.report.stand_ins == ("knight",)


def test_another_model_is_not_asked_what_it_left_out(tmp_path: Path) -> None:
    result = draw(tmp_path / "run", ScriptedModel([HOUSE]), "a dragon with a door")
    assert (result.outcome, result.report.stand_ins) == ("unchecked", ())
