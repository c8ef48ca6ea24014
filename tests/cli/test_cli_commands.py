"""The commands, with a stand-in for the app that writes real run folders."""

from __future__ import annotations

import json
import re
import webbrowser
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import pytest
from asked_run import ASIDE, COVER, FINAL, HIDDEN, MISSING, STATED, UNEVEN, UNMEASURED, asked_run
from fake_app import FakeApp, install
from run_writer import RunWriter, full_run
from typer.testing import CliRunner, Result

from redraft import studios
from redraft.cli.program import program
from redraft.errors import BudgetError, ConfigError, ModelUnavailableError, RunError
from redraft.result import Issue, Report, Usage, Verdict

Invoke = Callable[..., Result]


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeApp:
    return install(FakeApp(), monkeypatch)


def invoke(*arguments: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(program, list(arguments), input=stdin)


def refuse(message: str) -> Callable[[RunWriter], None]:
    def story(writer: RunWriter) -> None:
        raise ConfigError(message)

    return story


def test_prints_the_lines_of_the_specification(fake: FakeApp) -> None:
    result = invoke("sketch", "two flowers", "--out", "run")
    lines = result.stdout.splitlines()
    assert lines[0] == "sketch with offline, seed 7: at most 20 model calls"
    start = lines.index("[CANDIDATE 0] [ITERATION 1] Validation score: 0.70, valid: False")
    assert lines[start - 1].startswith("[CANDIDATE 0] [ITERATION 1] Solver: moved flower_1")
    assert lines[start + 1 : start + 3] == [
        "  [ERROR] spacing: tree is 0.04 from house; “much further right” asks for about 0.30",
        "[CANDIDATE 0] [ITERATION 1] Validation FAILED - attempting repair (iteration 1/2)",
    ]
    assert "offline is repairing (iteration-1/candidate-0/repair-2)" in lines
    assert "[WARNING] The fix memory cannot be used and is off for this run: no such file: fixes.sqlite" in lines
    assert lines[-5:] == [
        "",
        "valid, score 1.00 (4 model calls, 355 tokens, no cost)",
        "not measured: “in a wistful mood”",
        f"drawing: {Path('run/drawing.svg')}",
        f"report:  {Path('run/report.html')}",
    ]
    assert result.stderr == ""
    assert result.exit_code == 0


def test_json_is_one_object_and_all_else_is_on_standard_error(fake: FakeApp) -> None:
    result = invoke("sketch", "two flowers", "--out", "run", "--json")
    assert result.stdout.count("\n") == 1
    answer = json.loads(result.stdout)
    assert set(answer) == {
        *("run", "studio", "outcome", "valid", "score", "calls", "input_tokens", "output_tokens", "cost"),
        *(
            "requirements",
            "set_aside",
            "not_measured",
            "stand_ins",
            "findings",
            "verdict",
            "files",
            "warnings",
            "details",
            "error",
        ),
    }
    assert (answer["run"], answer["valid"], answer["calls"], answer["error"]) == ("run", True, 4, None)
    assert answer["not_measured"] == ["in a wistful mood"]
    assert answer["files"]["svg"] == str(Path("run/drawing.svg"))
    assert "[ITERATION 2] Validation PASSED - using this response" in result.stderr


def test_quiet_prints_the_drawing_and_warnings(fake: FakeApp) -> None:
    result = invoke("sketch", "two flowers", "--out", "run", "--quiet")
    assert result.stdout == f"{Path('run/drawing.svg')}\n"
    assert result.stderr.splitlines() == [
        "[WARNING] The fix memory cannot be used and is off for this run: no such file: fixes.sqlite"
    ]


def test_only_given_flags_become_settings(fake: FakeApp) -> None:
    flags = "--model offline --seed 3 --candidates 2 --iterations 4 --repairs 0 --fixes 1 --polish --no-critic"
    more = (
        "--animate --heuristics strict --max-calls 9 --max-tokens 1000 --max-cost 0.5 --base-url http://127.0.0.1:1/v1"
    )
    invoke("sketch", "a cat", "--out", "run", *flags.split(), *more.split())
    assert fake.calls[0]["overrides"] == {
        "model": "offline",
        "seed": 3,
        "loop.candidates": 2,
        "loop.iterations": 4,
        "loop.repairs": 0,
        "loop.fixes": 1,
        "loop.polish": True,
        "loop.critic": False,
        "validation.heuristics": "strict",
        "studios.sketch.animate": True,
        "budget.calls": 9,
        "budget.tokens": 1000,
        "budget.cost": 0.5,
        "models.base_url": "http://127.0.0.1:1/v1",
    }
    invoke("sketch", "a cat", "--out", "run2")
    assert fake.calls[-2]["overrides"] == {}


def test_without_out_the_folder_is_dated_and_in_runs(fake: FakeApp) -> None:
    assert invoke("sketch", "A red house!").exit_code == 0
    out = fake.calls[1]["out"]
    assert out.parent == Path("runs")
    assert out.name.endswith("-a-red-house")


def test_instruction_from_standard_input(fake: FakeApp) -> None:
    assert invoke("sketch", "-", "--out", "run", stdin="\ufeffa cat\n".encode()).exit_code == 0
    assert fake.calls[1]["instruction"] == "a cat\n"


def test_standard_input_that_is_no_text(fake: FakeApp) -> None:
    result = invoke("sketch", "-", "--out", "run", stdin=b"a \xff cat")
    assert result.exit_code == 2
    assert "byte 2 is 0xff" in result.stderr


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"valid": True}, 0),
        ({"valid": True, "report": Report()}, 0),  # unchecked
        ({"valid": False, "score": 0.4}, 1),
        ({"valid": False, "report": Report(stand_ins=("dragon",))}, 1),  # incomplete
        ({"valid": True, "error": {"phase": "loop", "step": "x", "message": "the cap is reached"}}, 3),
    ],
)
def test_exit_codes_of_results(fake: FakeApp, changes: dict[str, object], code: int) -> None:
    fake.changes = changes
    assert invoke("sketch", "a cat", "--out", "run").exit_code == code


def test_an_early_end_says_how_to_go_on(fake: FakeApp) -> None:
    fake.changes = {"error": {"phase": "loop", "step": "x", "message": "The cap is reached."}}
    for flags in ([], ["--quiet"], ["--json"]):
        result = invoke("sketch", "a cat", "--out", f"run{len(flags)}{''.join(flags)}", *flags)
        said = result.stderr if flags else result.stdout
        assert "ended early: The cap is reached." in said
        assert "fix this, then run: redraft resume run" in said


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ConfigError("loop.repair: given 'x'"), 2),
        (RunError("run already holds a run"), 2),
        (ModelUnavailableError("out of reach"), 3),
        (BudgetError("cap reached"), 3),
    ],
)
def test_errors_are_a_message_and_a_code(fake: FakeApp, error: Exception, code: int) -> None:
    fake.raises = error
    result = invoke("sketch", "a cat", "--out", "run", "--quiet")
    assert result.stderr.splitlines()[-1] == f"error: {error}"
    assert result.exit_code == code
    assert "Traceback" not in result.stderr


def test_errors_in_json_too(fake: FakeApp) -> None:
    fake.story = refuse("seed: given 'x'")
    result = invoke("sketch", "a cat", "--out", "run", "--json")
    answer = json.loads(result.stdout)
    assert answer["run"] is None
    assert answer["error"] == {"phase": "start", "step": "", "message": "seed: given 'x'"}
    assert result.exit_code == 2


def test_traceback_only_on_request(fake: FakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDRAFT_DEBUG", "1")
    fake.story = refuse("seed: given 'x'")
    result = invoke("sketch", "a cat", "--out", "run")
    assert "error: seed: given 'x'" in result.stderr
    assert "Traceback (most recent call last)" in result.stderr


def test_ctrl_c_loses_nothing(fake: FakeApp) -> None:
    fake.raises = KeyboardInterrupt()
    result = invoke("sketch", "a cat", "--out", "run", "--json")
    assert result.exit_code == 130
    assert "All finished work is kept; continue with: redraft resume run" in result.stderr
    answer = json.loads(result.stdout)
    assert (answer["run"], answer["calls"], answer["error"]["message"]) == ("run", 4, "interrupted")


def test_ctrl_c_before_the_run(fake: FakeApp) -> None:
    def interrupt(writer: RunWriter) -> None:
        raise KeyboardInterrupt

    fake.story = interrupt
    result = invoke("sketch", "a cat", "--out", "run")
    assert result.exit_code == 130
    assert result.stderr == "error: stopped before the run began.\n"


def test_words_of_strangers_do_nothing_to_the_terminal(fake: FakeApp) -> None:
    def story(writer: RunWriter) -> None:
        writer.start()
        writer.warned("[red]x[/red] :smile: \x1b[2J \x9b1m \u202egnp")

    fake.story = story
    fake.notes = ("waiting for mail/0001.reply.md [bold]",)
    result = invoke("sketch", "a cat", "--out", "run")
    assert "[WARNING] [red]x[/red] :smile: \ufffd[2J \ufffd1m \ufffdgnp" in result.stdout.splitlines()
    assert "waiting for mail/0001.reply.md [bold]" in result.stdout.splitlines()


def test_resume(fake: FakeApp) -> None:
    result = invoke("resume", "run", "--json")
    assert fake.calls == [{"run": Path("run").resolve(), "caps": {}}]
    assert json.loads(result.stdout)["valid"] is True


def test_resume_with_a_higher_cap(fake: FakeApp) -> None:
    invoke("resume", "run", "--max-calls", "7", "--max-cost", "0.5")
    assert fake.calls[0]["caps"] == {"calls": 7, "cost": 0.5}


CRITIC = Verdict(by="critic", satisfied=False, score=0.4, summary="The cat has no tail.")


def test_the_critics_verdict_stands_beside_the_score(fake: FakeApp) -> None:
    fake.changes = {"verdict": CRITIC}
    lines = invoke("sketch", "a cat", "--out", "run").stdout.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("valid, score 1.00"))
    assert lines[at + 1] == "the critic: not satisfied (0.4): The cat has no tail."
    answer = json.loads(invoke("sketch", "a cat", "--out", "run2", "--json").stdout)
    assert (answer["verdict"]["satisfied"], answer["verdict"]["score"]) == (False, 0.4)
    fake.changes = {}
    assert json.loads(invoke("sketch", "a cat", "--out", "run3", "--json").stdout)["verdict"] is None


def test_the_end_says_what_was_measured(fake: FakeApp) -> None:
    fake.story = asked_run
    notes = tuple(Issue(code="board.note", severity="note", message=f"note {n}") for n in range(4))
    issues = (COVER, *notes, UNEVEN, HIDDEN, MISSING.model_copy(update={"severity": "error"}))
    fake.changes = {"report": Report(requirements=FINAL, set_aside=ASIDE, unchecked=UNMEASURED, issues=issues)}
    out = invoke("sketch", "a bookshelf", "--out", "run").stdout.splitlines()
    at = out.index("") + 1
    withdrawn = "withdrawn: r4 (equal gaps between shelf_1, shelf_2, shelf_3, ground): The ground is no shelf."
    assert out[at].startswith(f"valid: 3 of 4 statements measured: all hold, {withdrawn} (4 model calls")
    assert out[at + 1 : at + 8] == [
        "[ERROR] overlap: book_2 is hidden behind book_3",
        "[ERROR] r2 count: shelf_2 has 2 × book_*; “three books on each” asks for 3",
        "[NOTE] board: note 0",
        "[NOTE] board: note 1",
        "[NOTE] board: note 2",
        "and 1 warning, 2 notes: see the report",
        "not measured: “A bookshelf with”, “and a cat sleeping”, “in warm evening light”",
    ]


def test_what_nothing_measured_is_not_called_valid(fake: FakeApp) -> None:
    fake.changes = {"report": Report(unchecked=("a cat",))}
    lines = invoke("sketch", "a cat", "--out", "run").stdout.splitlines()
    assert any(line.startswith("unchecked: nothing was measured, and no model looked at the result") for line in lines)
    assert not any(line.startswith("valid") for line in lines)
    answer = json.loads(invoke("sketch", "a cat", "--out", "run2", "--json").stdout)
    assert (answer["outcome"], answer["valid"]) == ("unchecked", True)


def test_what_is_left_out_or_only_a_placeholder_makes_it_incomplete(fake: FakeApp) -> None:
    fake.changes = {"valid": False, "report": Report(requirements=STATED[:1], stand_ins=("dragon", "knight"))}
    lines = invoke("sketch", "a dragon", "--out", "run").stdout.splitlines()
    at = lines.index("") + 1
    assert lines[at].startswith("incomplete: 1 of 1 statement measured: all hold (4 model calls")
    assert lines[at + 1] == (
        "left out or only placeholders: dragon, knight; to have them made, choose a language model with --model"
    )
    answer = json.loads(invoke("sketch", "a dragon", "--out", "run2", "--json").stdout)
    assert (answer["outcome"], answer["valid"], answer["stand_ins"]) == ("incomplete", False, ["dragon", "knight"])


def test_json_has_every_finding_the_worst_first(fake: FakeApp) -> None:
    fake.changes = {"report": Report(requirements=STATED, set_aside=ASIDE, issues=(COVER, MISSING, UNEVEN, HIDDEN))}
    answer = json.loads(invoke("sketch", "a bookshelf", "--out", "run", "--json").stdout)
    findings = [(one["severity"], one["code"], one["requirement"]) for one in answer["findings"]]
    assert findings == [
        ("error", "overlap.hidden", ""),
        ("warning", "size.pair", ""),
        ("note", "overlap.cover", ""),
        ("note", "requirement.count", "r2"),
    ]
    assert answer["findings"][0]["hint"] == HIDDEN.hint
    assert [r["outcome"] for r in answer["requirements"]] == ["met", "broken", "inexact", "broken"]
    assert answer["set_aside"] == list(ASIDE)


def test_nothing_delivered_has_no_score(fake: FakeApp) -> None:
    failed = {"phase": "loop", "step": "x", "message": "gone"}
    fake.changes = {"error": failed, "files": {}, "valid": False, "score": 0.0}
    out = invoke("sketch", "a cat", "--out", "run").stdout
    assert "nothing was delivered (4 model calls" in out
    assert "not valid, score 0.00" not in out


def test_a_warning_of_the_end_is_said_once(fake: FakeApp) -> None:
    said = "The fix memory cannot be used and is off for this run: no such file: fixes.sqlite"
    fake.changes = {"warnings": (said, "The report page could not be made (no space); try: redraft report run")}
    lines = [line for line in invoke("sketch", "a cat", "--out", "run").stdout.splitlines() if "[WARNING]" in line]
    assert lines.count(f"[WARNING] {said}") == 1
    assert lines[-1].startswith("[WARNING] The report page could not be made")


def test_an_instruction_without_quotes_is_shown_with_them() -> None:
    result = invoke("sketch", "a", "red", "house")
    assert result.exit_code == 2
    assert 'redraft sketch "a red house"' in result.stderr


def test_undo(fake: FakeApp) -> None:
    assert invoke("undo", "run").exit_code == 0
    assert invoke("undo", "run", "3", "--out", "back").exit_code == 0
    assert fake.calls == [
        {"run": Path("run").resolve(), "steps": 1, "out": None},
        {"run": Path("run").resolve(), "steps": 3, "out": Path("back")},
    ]


def write_run(folder: Path) -> None:
    writer = RunWriter(folder)
    with writer.journal:
        full_run(writer)


def test_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_run(tmp_path / "run")
    opened: list[str] = []

    def browse(address: str) -> bool:
        opened.append(address)
        return True

    monkeypatch.setattr(webbrowser, "open", browse)
    result = invoke("report", "run", "--open")
    page = Path(result.stdout.strip())
    assert page.read_text("utf-8").startswith("<!doctype html>")
    assert opened == [page.resolve().as_uri()]


def test_report_without_a_browser_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_run(tmp_path / "run")

    def no_browser(address: str) -> bool:
        return False

    monkeypatch.setattr(webbrowser, "open", no_browser)
    result = invoke("report", "run", "--open")
    assert result.exit_code == 2
    assert "Open that file yourself" in result.stderr


def test_report_of_no_run() -> None:
    result = invoke("report", "nowhere")
    assert result.exit_code == 2
    assert "nowhere is not a run" in result.stderr


def test_config_check_names_key_value_and_place(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text('loop:\n  critic: "false"\n', "utf-8")
    result = invoke("config", "check", "mine.yaml")
    assert result.exit_code == 2
    for said in ("loop.critic", "'false'", "mine.yaml"):
        assert said in result.stderr
    (tmp_path / "mine.yaml").write_text("loop:\n  critic: false\n", "utf-8")
    assert invoke("config", "check", "mine.yaml").stdout == "mine.yaml: all settings are valid\n"


def test_config_show(tmp_path: Path) -> None:
    (tmp_path / "redraft.yaml").write_text("seed: 5\n", "utf-8")
    lines = invoke("config", "show").stdout.splitlines()
    assert lines[0].startswith("# Lines that begin with # are defaults")
    assert "seed: 5  # redraft.yaml, line 1" in lines
    assert "#     frames: null" in lines  # of the shader studio
    (tmp_path / "again.yaml").write_text("\n".join(lines), "utf-8")
    assert invoke("config", "check", "again.yaml").exit_code == 0


@pytest.fixture
def without_shapely(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sketch studio cannot be loaded; tests/test_extras.py has environments where that is so."""
    point = next(point for point in entry_points(group="redraft.studios") if point.name == "sketch")
    missing = ModuleNotFoundError("No module named 'shapely'", name="shapely.geometry")

    def load(self: EntryPoint) -> object:
        if self == point:
            raise missing
        return whole(self)

    whole = EntryPoint.load
    monkeypatch.setattr(EntryPoint, "load", load)


@pytest.mark.usefixtures("without_shapely")
def test_a_missing_extra_is_named_where_settings_are_shown_and_stops_no_other_studio(tmp_path: Path) -> None:
    (tmp_path / "redraft.yaml").write_text("studios:\n  sketch: {size: 300}\n", "utf-8")
    said = "The sketch studio needs shapely, which is not installed: pip install 'redraft[sketch]'"
    shown = invoke("config", "show")
    assert shown.exit_code == 0
    assert f"# studios.sketch: {said}" in shown.stdout.splitlines()
    assert "    size: 300  # redraft.yaml, line 2" in shown.stdout.splitlines()
    checked = invoke("config", "check")
    assert checked.stdout.splitlines()[1:] == [f"not checked: studios.sketch, because: {said}"]
    assert invoke("sketch", "a house").exit_code == 2
    assert invoke("config", "check", "--json").exit_code == 0


def test_config_set_keeps_the_rest_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "redraft.yaml"
    file.write_text("# mine\nseed: 3  # lucky\nloop:\n  # drafts\n  candidates: 2\n\n# end\n", "utf-8")
    for words in (("seed", "4"), ("loop.fixes", "5"), ("model", "anthropic:claude-sonnet-4-5")):
        result = invoke("config", "set", *words)
        assert result.stdout == f"{words[0]}: {words[1]} is set in redraft.yaml\n", result.stderr
    assert file.read_text("utf-8") == (
        "# mine\nseed: 4  # lucky\nloop:\n  # drafts\n  candidates: 2\n  fixes: 5\n"
        "model: anthropic:claude-sonnet-4-5\n\n# end\n"
    )


def test_the_null_device_is_an_empty_settings_file() -> None:
    assert invoke("config", "check", "/dev/null").exit_code == 0


def test_config_set_makes_the_file_and_nested_sections(tmp_path: Path) -> None:
    assert invoke("config", "set", "studios.shader.frames", "24", "--config", "mine.yaml").exit_code == 0
    assert (tmp_path / "mine.yaml").read_text("utf-8") == "studios:\n  shader:\n    frames: 24\n"


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("loop.fixes", "many", "loop.fixes: Input should be a valid integer; given 'many'"),
        ("loop.fixs", "3", "loop.fixs: unknown setting, given 3 (set on the command line). Did you mean loop.fixes"),
        ("studios.shader.frames", "0", "studios.shader.frames: Input should be greater than or equal to 1"),
        ("studios.shadr.frames", "3", "studios.shadr: unknown studio"),
        ("seed.more", "3", "seed.more: seed is 1, not a section"),
        ("seed", "{", "seed: '{' is not a YAML value"),
    ],
)
def test_config_set_writes_nothing_that_is_wrong(key: str, value: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "redraft.yaml").write_text("seed: 1\n", "utf-8")
    result = invoke("config", "set", key, value)
    assert result.exit_code == 2
    assert said in result.stderr
    assert (tmp_path / "redraft.yaml").read_text("utf-8") == "seed: 1\n"


def test_models_lists_what_is_missing() -> None:
    lines = invoke("models").stdout.splitlines()
    assert [line for line in lines if line.startswith("offline ")]
    assert [line for line in lines if line.startswith("anthropic:NAME") and "ANTHROPIC_API_KEY" in line]


def test_a_studio_of_another_package_has_its_own_words_in_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    own = EntryPoint("toy", "toy:ToyStudio", "redraft.studios")
    monkeypatch.setattr(studios, "entry_points", lambda group: (*entry_points(group=group), own))  # pyright: ignore
    assert re.search(r"^  toy +See the module\.$", invoke("--help").stdout, re.MULTILINE)


def test_what_an_inbox_cost_is_unknown_on_the_terminal_and_as_json(fake: FakeApp) -> None:
    fake.changes = {"usage": Usage(calls=4, cost=None)}
    assert "valid, score 1.00 (4 model calls, tokens and cost unknown)" in invoke("sketch", "a cat").stdout.splitlines()
    answer = json.loads(invoke("sketch", "a cat", "--json").stdout)
    assert (answer["calls"], answer["input_tokens"], answer["output_tokens"], answer["cost"]) == (4, None, None, None)


def test_a_value_that_is_not_a_number_is_named() -> None:
    said = "error: Invalid value for '--seed': Input should be a valid integer; given 'abc'."
    assert said in invoke("sketch", "a", "--seed", "abc").stderr.splitlines()


@pytest.mark.parametrize("arguments", [["sketch"], ["sketch", "a", "--nope"], ["sketch", "a", "cat"], ["paint"]])
def test_wrong_use_is_2(arguments: list[str]) -> None:
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert "Usage: " in result.stderr


def test_runs_are_listed_with_their_outcome_the_newest_first(fake: FakeApp) -> None:
    for name in ("a", "b"):
        invoke("sketch", "a cat", "--out", f"runs/{name}")
    Path("runs/a strange folder").mkdir()
    Path("runs/file").write_text("x")
    lines = invoke("runs").stdout.splitlines()
    assert [line.split()[-1] for line in lines] == ["runs/b", "runs/a"]
    assert all(" sketch  valid " in line for line in lines)
    assert len(invoke("runs", "--limit", "1").stdout.splitlines()) == 1
    assert invoke("runs", "--studio", "shader").stdout == "no runs in runs\n"
    assert [run["outcome"] for run in json.loads(invoke("runs", "runs", "--json").stdout)] == ["valid", "valid"]


def test_batches_are_named_with_the_command_that_shows_their_runs(fake: FakeApp) -> None:
    Path("runs/my briefs/.batch").mkdir(parents=True)
    said = "batch: runs/my briefs (see its runs: redraft runs 'runs/my briefs', redraft view 'runs/my briefs')\n"
    assert invoke("runs").stdout == f"no runs in runs\n{said}"


@pytest.mark.parametrize("command", ["runs", "view"])
@pytest.mark.parametrize(("name", "said"), [("nope", "nope is missing"), ("file", "file is a file")])
def test_a_folder_of_runs_that_is_none_is_refused_and_not_made(command: str, name: str, said: str) -> None:
    Path("file").touch()
    result = invoke(command, name)
    assert (result.exit_code, result.stderr) == (2, f"error: {said}. Give a folder of runs.\n")
    assert not Path("nope").exists()


def test_a_run_that_did_not_end_is_listed_as_unfinished(fake: FakeApp) -> None:
    fake.story = RunWriter.start
    invoke("sketch", "a cat", "--out", "runs/a")
    assert " unfinished " in invoke("runs").stdout


@pytest.mark.parametrize("arguments", [("runs", "--studio", "sketchy"), ("run", "sketchy", "a cat")])
def test_a_studio_that_is_not_installed_is_named_with_those_that_are(arguments: tuple[str, ...]) -> None:
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: Unknown studio 'sketchy'; installed: board, ")
