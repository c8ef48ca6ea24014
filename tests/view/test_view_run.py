"""A run's page in a real Chromium, as the run happens: written by another process, half-written, deleted, large."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from asked_run import asked_run
from playwright.sync_api import Page, expect
from reading import CONTRAST
from run_writer import RunWriter, full_run, house
from shader_run import target_run, words_run
from viewing import Viewing, carry_out, placed_run, plain_run

from redraft.record.events import Warned

pytestmark = pytest.mark.real

Start = Callable[..., Viewing]
Browse = Callable[..., Page]
ColorScheme = Literal["light", "dark"]
Story = Callable[[RunWriter], None]


def written(folder: Path, story: Story) -> RunWriter:
    writer = RunWriter(folder)
    with writer.journal:
        story(writer)
    return writer


def sizes(page: Page) -> list[int]:
    """Widths of the pictures, once all are there; 0 for one that cannot be shown."""
    page.eval_on_selector_all("img[loading]", "all => all.forEach(i => (i.loading = 'eager'))")
    while not page.evaluate("[...document.images].every(i => i.complete)"):
        page.wait_for_timeout(50)
    return page.eval_on_selector_all("img", "all => all.map(i => i.naturalWidth)")


@pytest.mark.parametrize("story", [full_run, asked_run, target_run, words_run])
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_a_run_fits_and_can_be_read(
    start: Start, browse: Browse, runs: Path, story: Story, width: int, scheme: ColorScheme
) -> None:
    written(runs / "run", story)
    page = browse(start(), "/runs/run/", width, scheme)
    page.eval_on_selector_all("details", "all => all.forEach(d => d.open = true)")
    found = sizes(page)
    assert len(found) >= 5
    assert min(found) > 0
    assert page.evaluate("document.documentElement.scrollWidth") == width
    contrasts: list[tuple[float, str]] = page.evaluate(CONTRAST)
    assert len(contrasts) > 100
    assert [pair for pair in contrasts if pair[0] < 4.5] == []  # WCAG 2.2, 1.4.3, AA


def test_events_of_another_process_appear_as_they_are_written(start: Start, browse: Browse, runs: Path) -> None:
    writer = RunWriter(runs / "run")
    with writer.journal:
        writer.start("a house by the sea")
        page = browse(start(), "/runs/run/")
        expect(page.locator("#state")).to_have_text("Running")
        writer.call("iteration-1/draft", "Draw a house", None)
        expect(page.locator("#doing")).to_have_text("waiting for 1 reply")
        page.get_by_text("Settings", exact=True).click()
        writer.warned("a line that <b>is</b> text")
        expect(page.locator("#log")).to_contain_text("[WARNING] a line that <b>is</b> text")
        expect(page.locator("#content .warned")).to_contain_text("a line that <b>is</b> text")
        assert page.locator("details[open]", has_text="Settings").count() == 1  # the page is not loaded anew
        writer.finish(house(0.3))
    expect(page.locator("#state")).to_have_text("Ended")
    expect(page.locator("#content .status")).to_contain_text("Unchecked")
    expect(page.locator(".delivered img")).to_be_visible()


def test_a_run_that_ended_early_and_is_resumed_is_running_everywhere(start: Start, browse: Browse, runs: Path) -> None:
    writer = RunWriter(runs / "run")
    with writer.journal:
        writer.start("a house by the sea")
        writer.finish(valid=False, error={"phase": "loop", "step": "", "message": "interrupted"})
    viewing = start()
    page = browse(viewing, "/runs/run/")
    expect(page.locator("#content .status")).to_contain_text("Ended early")
    viewing.until("/", "Ended early</span>")
    with writer.journal:
        writer.start("a house by the sea")
        expect(page.locator("#state")).to_have_text("Running")
        expect(page.locator("#content .status")).to_contain_text("Running")
        expect(page.locator("#content .status")).not_to_contain_text("Ended early")
        viewing.until("/", "Running</span>", seconds=10)
        writer.finish(house(0.3))
    expect(page.locator("#content .status")).to_contain_text("Unchecked")
    viewing.until("/", "Unchecked</span>", seconds=10)


def test_half_a_line_waits_for_its_end(start: Start, browse: Browse, runs: Path) -> None:
    writer = plain_run(runs / "run")
    events = writer.folder / "events.jsonl"
    whole = events.read_bytes()
    events.write_bytes(whole[:-300])
    page = browse(start(), "/runs/run/")
    expect(page.locator("#content .status")).to_contain_text("Not finished")
    with events.open("ab") as file:
        file.write(whole[-300:])
    expect(page.locator("#content .status")).to_contain_text("Unchecked")


def test_a_run_deleted_while_shown_stays_on_the_page(start: Start, browse: Browse, runs: Path) -> None:
    plain_run(runs / "run", "a house by the sea")
    viewing = start()
    page = browse(viewing, "/runs/run/", quiet=False)
    shutil.rmtree(runs / "run")
    expect(page.locator("#state")).to_have_text("Deleted")
    expect(page.locator("h1")).to_have_text("a house by the sea")
    assert viewing.get("/runs/run/").status == 404
    viewing.until("/", "No runs")


def test_the_page_says_that_the_viewer_was_started_again(start: Start, browse: Browse, runs: Path) -> None:
    writer = RunWriter(runs / "run")
    with writer.journal:
        writer.start("a house")
        viewing = start()
        # a browser that complains of the lost connection is right to
        page = browse(viewing, "/runs/run/", quiet=False)
        viewing.process.kill()
        viewing.process.wait()
        expect(page.locator("#doing")).to_contain_text("is not responding")
        again = start(port=viewing.port)
        expect(page.locator("#doing")).to_contain_text("Open the address that it prints", timeout=30_000)
        page.goto(again.address())
        page.wait_for_url(f"{again.url}/")
        page.goto(f"{again.url}/runs/run/")
        writer.warned("after the restart")
        expect(page.locator("#log")).to_contain_text("after the restart", timeout=30_000)


def test_a_hundred_events_a_second_are_shown_without_delay(start: Start, browse: Browse, runs: Path) -> None:
    writer = RunWriter(runs / "run")
    with writer.journal:
        writer.start("a house")
        page = browse(start(), "/runs/run/")
        late: list[float] = []
        for second in range(5):
            began = time.monotonic()
            for n in range(100):
                number = 100 * second + n
                writer.journal.write(Warned(key=f"w{number}", at=writer.journal.now, message=f"event number {number}."))
                time.sleep(max(0.0, began + (n + 1) / 100 - time.monotonic()))
            last = time.monotonic()
            expect(page.locator("#log li").last).to_contain_text(f"event number {100 * second + 99}.")
            late.append(time.monotonic() - last)
    assert sorted(late)[2] < 1.5
    assert page.locator("#log li").count() <= 500


def test_two_pictures_are_compared_by_keyboard(start: Start, browse: Browse, runs: Path) -> None:
    carry_out("sketch", "a red house", "--candidates", 2, "--out", runs / "first")
    carry_out("sketch", "a tree left of the house", "--on", runs / "first", "--out", runs / "run")
    viewing = start()
    viewing.until("/", "2 runs")
    page = browse(viewing, "/runs/run/")
    assert page.locator("#left option").all_inner_texts() == ["Before the edit", "Turn 1, edit", "Delivered"]
    share = page.get_by_label("Where the left picture ends, in percent")
    share.focus()
    page.keyboard.press("End")
    assert page.locator("#over").evaluate("e => e.style.clipPath") == "inset(0px 0px 0px 100%)"
    page.locator("#left").select_option(label="Turn 1, edit")
    src = page.locator("#under").get_attribute("src")
    assert src is not None
    assert "validate-0" in src
    assert min(sizes(page)) > 0


def test_frames_are_played_and_stepped(start: Start, browse: Browse, runs: Path) -> None:
    pytest.importorskip("moderngl")
    carry_out("shader", "waves of gold", "--size", "64x64", "--frames", 6, "--out", runs / "run")
    page = browse(start(), "/runs/run/")
    expect(page.locator("#playback output")).to_have_text("1 of 6")
    page.get_by_label("Frame", exact=True).focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#playback output")).to_have_text("2 of 6")
    page.get_by_role("button", name="Play").click()
    expect(page.locator("#playback output")).to_have_text("5 of 6", timeout=10_000)
    page.get_by_role("button", name="Pause").click()
    assert min(sizes(page)) > 0


def test_changed_lines_of_each_patch_are_shown(start: Start, browse: Browse, runs: Path) -> None:
    def story(writer: RunWriter) -> None:
        writer.start("waves", studio="shader")
        for n, color in enumerate(("red", "blue"), start=1):
            code = "void main() {\n" + "\n".join(f"  line({m});" for m in range(20)) + f"\n  {color}();\n}}\n"
            writer.ran(f"iteration-1/draft{'' if n == 1 else '/fix-1'}/execute", code)

    written(runs / "run", story)
    page = browse(start(), "/runs/run/")
    assert page.locator("#changes .removed").all_inner_texts() == ["22\n-\n  red();"]
    assert page.locator("#changes .added").all_inner_texts() == ["22\n+\n  blue();"]


def test_a_board_is_zoomed_to_a_component(start: Start, browse: Browse, runs: Path) -> None:
    placed_run(runs / "run")
    page = browse(start(), "/runs/run/")
    page.get_by_label("Component").select_option("C1")
    expect(page.locator("#window")).to_have_attribute("src", re.compile("part=C1"))
    assert min(sizes(page)) > 0
