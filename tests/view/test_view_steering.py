"""Steering by clicking and typing in a real Chromium: start, watch, stop, resume, edit, undo, choose, answer, judge."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import pytest
from drawings import HOUSE
from playwright.sync_api import Page, expect
from real_parts import needs
from sketches import HOUSE as DRAWING
from small_board import small_board
from viewing import Viewing, carry_out, placed_run, plain_run

from redraft.config import BudgetSettings, Config
from redraft.record.events import FORMAT_VERSION
from redraft.record.transcript import Record

pytestmark = [pytest.mark.real, pytest.mark.timeout(240), pytest.mark.timed]

MISSTATED = deepcopy(DRAWING) | {"requirements": [{"kind": "count", "parts": ["house*"], "number": 9}]}
"""The statement does not hold."""

Start = Callable[..., Viewing]
Browse = Callable[..., Page]
SLOW = 60_000
"""Milliseconds in which a small run ends on a loaded machine."""


def newest(runs: Path) -> Record:
    return Record.load(max((p.parent for p in runs.glob("*/events.jsonl")), key=lambda p: p.stat().st_mtime))


def begin(page: Page, studio: str, words: str) -> None:
    """Start a run as a person does, from the gallery."""
    page.get_by_role("link", name="New run").click()
    page.get_by_role("navigation", name="Studios").get_by_role("link", name=studio).click()
    page.get_by_label(re.compile("What to (make|do)")).fill(words)


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def test_a_sketch_is_started_watched_edited_and_taken_back(start: Start, browse: Browse, runs: Path) -> None:
    page = browse(start())
    begin(page, "Sketch", "a house with a red roof, a tree to its left")
    page.get_by_text("Settings", exact=True).click()
    page.get_by_label("Candidates", exact=True).fill("2")
    press(page, "Start")
    expect(page.locator("#content .status")).to_contain_text("Valid", timeout=SLOW)
    expect(page.locator(".delivered img")).to_be_visible()
    assert newest(runs).transcript.config["loop"]["candidates"] == 2  # type: ignore[index, call-overload]

    page.get_by_label("What should change?").fill("make the roof blue")
    press(page, "Edit")
    expect(page.locator("h1")).to_have_text("make the roof blue", timeout=SLOW)
    expect(page.locator("#state")).to_have_text("Ended", timeout=SLOW)
    expect(page.locator("#left option").first).to_have_text("Before the edit")

    press(page, "Undo this edit")
    expect(page.locator("h1")).to_have_text("undo 1", timeout=SLOW)
    expect(page.locator(".delivered img")).to_be_visible(timeout=SLOW)
    page.get_by_role("link", name="redraft", exact=True).click()
    expect(page.locator("#cards > li")).to_have_count(3)


def test_another_candidate_is_chosen(start: Start, browse: Browse, runs: Path) -> None:
    carry_out("sketch", "a red house", "--candidates", 2, "--out", runs / "run")
    first = Record.load(runs / "run").transcript
    kept = int(re.search(r"candidate-(\d)", first.checked)[1])  # type: ignore[index]
    page = browse(start(), "/runs/run/")
    page.get_by_label("Candidate", exact=True).select_option(str(1 - kept))
    press(page, "Choose this candidate")
    expect(page).not_to_have_url(re.compile("/runs/run/"), timeout=SLOW)
    expect(page.locator(".status.unfinished, .message-page")).to_have_count(0, timeout=SLOW)
    expect(page.locator("#state")).to_have_text("Ended", timeout=SLOW)
    chosen = newest(runs)
    other = (runs / "run" / "pictures" / f"iteration-1-candidate-{1 - kept}-validate-0-plain.svg").read_bytes()
    assert (chosen.folder / "drawing.svg").read_bytes() == other


def test_a_shader_is_started_with_its_settings(start: Start, browse: Browse, runs: Path) -> None:
    pytest.importorskip("moderngl")
    page = browse(start())
    begin(page, "Shader", "waves of gold")
    page.get_by_text("Settings", exact=True).click()
    page.get_by_label("Frames", exact=True).fill("4")
    page.get_by_label("Size", exact=True).fill("64x64")
    page.get_by_label("Loop", exact=True).select_option("Yes")
    press(page, "Start")
    expect(page.locator("#playback output")).to_have_text("1 of 4", timeout=SLOW)
    own = newest(runs).transcript.config["studios"]["shader"]  # type: ignore[index, call-overload]
    assert own == {"frames": 4, "width": 64, "height": 64, "loop": True}


def test_a_board_is_uploaded_and_placed(start: Start, browse: Browse, runs: Path) -> None:
    page = browse(start())
    begin(page, "Board", "put C1 2 mm right of U1")
    board = {"name": "../../my board.kicad_pcb", "mimeType": "text/plain", "buffer": small_board().encode()}
    page.get_by_label("File to work on").set_input_files(board)  # type: ignore[arg-type]
    page.get_by_text("Settings", exact=True).click()
    page.get_by_label("Drc", exact=True).select_option("never")
    press(page, "Start")
    expect(page.locator("#board")).to_be_visible(timeout=SLOW)
    (kept,) = (runs / ".uploads").glob("*/*")
    assert kept.name == "my_board.kicad_pcb"
    assert not (runs.parent / "my board.kicad_pcb").exists()


def test_a_scene_is_started_and_turned(start: Start, browse: Browse, runs: Path) -> None:
    needs("blender")
    page = browse(start())
    begin(page, "Scene", "a red apple on a wooden table")
    page.get_by_text("Settings", exact=True).click()
    page.get_by_label("Size", exact=True).fill("96x72")
    page.get_by_label("Samples", exact=True).fill("1")
    press(page, "Start")
    expect(page.locator("#turntable")).to_be_visible(timeout=SLOW)
    turned = page.locator("#turntable img")
    turned.scroll_into_view_if_needed()
    expect(turned).to_have_js_property("naturalWidth", 480, timeout=SLOW)
    first = turned.screenshot()
    page.get_by_label("Side", exact=True).focus()
    page.keyboard.press("ArrowRight")
    expect(turned).to_have_attribute("src", re.compile("/30[?]"), timeout=SLOW)
    expect(page.locator("#turntable output")).to_have_text("2 of 24")
    assert turned.screenshot() != first
    assert sorted(path.name for path in newest(runs).folder.glob("*.blend")) == ["scene.blend"]  # only looked at


def test_an_image_is_started(start: Start, browse: Browse, runs: Path) -> None:
    page = browse(start())
    begin(page, "Image", "a lighthouse in a storm")
    press(page, "Start")
    expect(page.locator("#state")).to_have_text("Ended", timeout=SLOW)
    expect(page.locator(".delivered img")).to_be_visible(timeout=SLOW)
    assert newest(runs).transcript.studio == "image"


def test_what_cannot_start_is_said_on_the_form(start: Start, browse: Browse, runs: Path) -> None:
    page = browse(start(), quiet=False)
    begin(page, "Sketch", "a red house")
    page.get_by_label("Another model, by name").fill("nobody:none")
    press(page, "Start")
    expect(page.get_by_role("alert")).to_contain_text("Unknown model 'nobody:none'", timeout=SLOW)
    assert page.get_by_label("What to make").input_value() == "a red house"
    assert list(runs.glob("20*")) == []


def test_a_person_answers_for_the_model_and_stops_the_run(start: Start, browse: Browse, runs: Path) -> None:
    viewing = start()
    page = browse(viewing)
    begin(page, "Sketch", "a red house")
    page.get_by_label("Model", exact=True).select_option("inbox: I answer here")
    press(page, "Start")
    request = page.locator("form.request")
    expect(request).to_contain_text("a red house", timeout=SLOW)
    page.get_by_label("Your reply").fill("no JSON at all")
    press(page, "Send the reply")
    expect(page.locator(".request h2")).to_have_text("You are the model: fix", timeout=SLOW)
    press(page, "Stop")
    expect(page.locator("#actions")).to_contain_text("Stops after the current step", timeout=SLOW)
    press(page, "Stop at once")
    expect(page.locator("#state")).to_have_text("Ended", timeout=SLOW)
    press(page, "Resume")
    expect(page.locator("#state")).to_have_text("Running", timeout=SLOW)
    expect(page.locator(".request h2")).to_have_text("You are the model: fix", timeout=SLOW)
    page.get_by_label("Your reply").fill(json.dumps(MISSTATED))
    press(page, "Send the reply")
    expect(page.locator(".request h2")).to_have_text("You are the model: critique", timeout=SLOW)
    expect(page.locator(".asked figcaption")).to_have_text(["drawing.png"])
    expect(page.locator("fieldset legend")).to_contain_text("A requirement does not hold. r1:")
    expect(page.locator("fieldset legend")).not_to_contain_text("It was stated as")
    page.get_by_label("The requirement is wrong: withdraw it").check()
    page.get_by_label("Reason").fill("there is <b>one</b> house")
    page.get_by_label("What could be better").fill("a larger door\n\nmore <b>windows</b>")
    page.get_by_label("Score").fill("8")
    press(page, "Send the verdict")
    expect(page.locator("#state")).to_have_text("Ended", timeout=SLOW)
    transcript = newest(runs).transcript
    answers = [(one.id, one.wrong, one.reason) for one in transcript.verdict.mismatches]
    assert answers == [("r1", "statement", "there is <b>one</b> house")]
    assert [one.outcome for one in transcript.requirements] == ["withdrawn"]
    expect(page.locator("#content")).to_contain_text("more <b>windows</b>")


def test_a_run_of_another_process_is_stopped_and_resumed(start: Start, browse: Browse, runs: Path) -> None:
    command = [sys.executable, "-m", "redraft", "sketch", "a red house", "--model", f"inbox:{runs / 'inbox'}"]
    other = subprocess.Popen([*command, "--out", str(runs / "run"), "-q"], stderr=subprocess.PIPE, text=True)
    viewing = start()
    viewing.until("/", "Running", 60)
    page = browse(viewing, "/runs/run/")
    expect(page.locator("form.request")).to_be_visible(timeout=SLOW)
    press(page, "Stop")
    expect(page.locator("#actions")).to_contain_text("Stops after the current step", timeout=SLOW)
    page.get_by_label("Your reply").fill("not JSON")
    press(page, "Send the reply")
    expect(page.locator("#state")).to_have_text("Ended", timeout=SLOW)
    _, said = other.communicate(timeout=60)
    assert other.returncode == 3
    assert "stopped by the file 'stop'" in said
    assert Record.load(runs / "run").transcript.error is not None
    press(page, "Resume")
    expect(page.locator("form.request")).to_be_visible(timeout=SLOW)
    assert not (runs / "run" / "stop").exists()
    press(page, "Stop")
    press(page, "Stop at once")
    expect(page.locator("#state")).to_have_text("Ended", timeout=SLOW)


def test_a_run_of_somebody_else_is_resumed_only_with_its_settings_confirmed(
    start: Start, browse: Browse, runs: Path
) -> None:
    start_of = {
        "event": "run_started", "key": "run", "at": "2026-11-27T12:00:00Z", "format": FORMAT_VERSION,
        "redraft": "0.1.0", "run": "a-house-000000", "studio": "sketch", "brief": {"instruction": "a house"},
        "config": Config(memory="none", budget=BudgetSettings(calls=5000)).model_dump(mode="json", exclude={"out"}),
        "seed": 0, "model": {"name": "offline"}, "worst_case_calls": 5,
    }  # fmt: skip
    (runs / "theirs").mkdir(parents=True)
    (runs / "theirs" / "events.jsonl").write_text(json.dumps(start_of) + "\n", "utf-8")
    page = browse(start())
    page.get_by_role("link", name="a house").first.click()
    shown = page.locator("form.trust")
    assert "budget.calls is 5000, which allows more spending" in shown.inner_text()
    assert page.get_by_role("button", name="Resume", exact=True).count() == 0
    shown.get_by_role("button").click()
    expect(page.get_by_role("heading", name="a house").first).to_be_visible(timeout=SLOW)
    end = time.monotonic() + 60
    while not (runs / "theirs" / "drawing.svg").exists():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_a_verdict_is_kept_and_found(start: Start, browse: Browse, runs: Path) -> None:
    plain_run(runs / "run", "a house by the sea")
    viewing = start()
    viewing.until("/", "1 run")
    page = browse(viewing, "/runs/run/")
    page.get_by_text("Is it good or bad?").click()
    page.get_by_label("Bad").check()
    page.get_by_label("What was good or wrong").fill("<b>the sea</b> is missing")
    press(page, "Save")
    expect(page.get_by_text("Your verdict: bad, with a note")).to_be_visible()
    saved = json.loads((runs / "run" / "verdict.json").read_text("utf-8"))
    assert saved == {"verdict": "bad", "note": "<b>the sea</b> is missing"}
    assert "house by the sea" in viewing.get("/cards?verdict=bad&words=missing").text
    assert "house by the sea" not in viewing.get("/cards?verdict=good").text


def test_two_browsers_see_one_run(start: Start, browse: Browse, runs: Path) -> None:
    viewing = start()
    first = browse(viewing)
    begin(first, "Sketch", "a red house")
    first.get_by_label("Model", exact=True).select_option("inbox: I answer here")
    press(first, "Start")
    expect(first.locator("form.request")).to_be_visible(timeout=SLOW)
    path = first.url.removeprefix(viewing.url)
    second = browse(viewing, path)
    expect(second.locator(".request h2")).to_have_text("You are the model: draft", timeout=SLOW)
    first.get_by_label("Your reply").fill(HOUSE)
    press(first, "Send the reply")
    for page in (first, second):
        expect(page.locator(".request h2")).to_have_text("You are the model: critique", timeout=SLOW)
    token = second.locator("[name=form_token]").first.input_value()
    late = {"form_token": token, "number": "1", "reply": "something+else"}
    assert posted(viewing, path.replace("/runs/", "/do/") + "reply", late) == 400  # it was answered already
    press(second, "Stop")
    press(first, "Stop at once")
    for page in (first, second):
        expect(page.locator("#state")).to_have_text("Ended", timeout=SLOW)


def test_runs_go_on_when_the_viewer_is_killed(start: Start, browse: Browse, runs: Path) -> None:
    viewing = start()
    page = browse(viewing, quiet=False)
    begin(page, "Sketch", "a red house")
    page.get_by_label("Model", exact=True).select_option("inbox: I answer here")
    press(page, "Start")
    expect(page.locator("form.request")).to_be_visible(timeout=SLOW)
    viewing.process.send_signal(signal.SIGKILL)
    viewing.process.wait()
    path, again = page.url.removeprefix(viewing.url), start(port=viewing.port)
    page.goto(again.address())
    page.wait_for_url(f"{again.url}/")
    page.goto(again.url + path)
    expect(page.locator("#doing")).to_have_text("waiting for 1 reply", timeout=SLOW)
    page.get_by_label("Your reply").fill(HOUSE)
    press(page, "Send the reply")
    expect(page.locator(".validation img").first).to_be_visible(timeout=SLOW)
    if page.get_by_role("button", name="Stop", exact=True).count():
        press(page, "Stop")


def test_read_only_changes_nothing(start: Start, runs: Path) -> None:
    plain_run(runs / "run")
    viewing = start("--read-only")
    assert viewing.get("/new").status == 403
    page = viewing.get("/runs/run/")
    assert "<form" not in page.text
    assert '/new"' not in viewing.get("/").text
    token = re.search(r'form_token" value="(\w+)"', page.text)
    assert token is None
    for what in ("stop", "resume", "undo", "edit", "choose", "verdict", "reply"):
        assert posted(viewing, f"/do/run/{what}", {"verdict": "good"}) == 403
    assert sorted(p.name for p in (runs / "run").iterdir()) == [".lock", "drawing.svg", "events.jsonl"]


def posted(viewing: Viewing, path: str, fields: dict[str, str], **headers: str) -> int:
    body = "&".join(f"{name}={value}" for name, value in fields.items()).encode()
    sent = {
        "Host": viewing.host,
        "Origin": f"http://{viewing.host}",
        "Cookie": viewing.cookie,
        "Content-Type": "application/x-www-form-urlencoded",
        **headers,
    }
    return viewing.request("POST", path, {k: v for k, v in sent.items() if v}, body).status


def test_a_change_needs_origin_cookie_and_token(start: Start, runs: Path) -> None:
    plain_run(runs / "run")
    viewing = start()
    token = re.search(r'form_token" value="(\w+)"', viewing.get("/runs/run/").text)
    assert token is not None
    fields = {"form_token": token[1], "verdict": "good"}
    refused = [
        posted(viewing, "/do/run/verdict", fields, Origin=""),
        posted(viewing, "/do/run/verdict", fields, Origin="http://evil.example"),
        posted(viewing, "/do/run/verdict", fields, Cookie=""),
        posted(viewing, "/do/run/verdict", {"verdict": "good"}),
        posted(viewing, "/do/run/verdict", {**fields, "form_token": "0" * 64}),
        posted(viewing, "/new", {"studio": "sketch", "instruction": "a+house"}),
        posted(viewing, "/do/run/verdict", fields, **{"Sec-Fetch-Site": "cross-site"}),
    ]
    assert refused == [403] * 7
    assert viewing.get("/do/run/verdict?verdict=good").status == 405
    assert not (runs / "run" / "verdict.json").exists()
    assert posted(viewing, "/do/run/verdict", fields) == 303
    assert (runs / "run" / "verdict.json").exists()
    assert posted(viewing, "/do/..%2frun/verdict", fields) == 404


def test_a_request_without_end_is_refused(start: Start) -> None:
    viewing = start()
    sent = {"Host": viewing.host, "Origin": f"http://{viewing.host}", "Cookie": viewing.cookie}
    assert viewing.request("POST", "/new", {**sent, "Content-Length": "99999999999"}).status == 413
    assert (
        viewing.request("POST", "/new", {**sent, "Transfer-Encoding": "chunked"}, b"0\r\n\r\n", length=False).status
        == 413
    )


def test_instructions_are_no_flags(start: Start, browse: Browse, runs: Path, tmp_path: Path) -> None:
    page = browse(start(), quiet=False)
    begin(page, "Sketch", f"--out={tmp_path / 'elsewhere'}")
    press(page, "Start")
    time.sleep(1)
    expect(page.locator("body")).to_contain_text("--out=", timeout=SLOW)
    assert not (tmp_path / "elsewhere").exists()


def test_a_placed_board_is_placed_further(start: Start, browse: Browse, runs: Path) -> None:
    placed_run(runs / "run")
    page = browse(start(), "/runs/run/")
    page.get_by_label("What should change?").fill("put C1 3 mm right of U1")
    press(page, "Edit")
    expect(page.locator("h1")).to_have_text("put C1 3 mm right of U1", timeout=SLOW)
    expect(page.locator("#state")).to_have_text("Ended", timeout=SLOW)
    expect(page.locator("#content .status")).to_contain_text("Valid")
    assert newest(runs).transcript.brief["on"] == "../run"
