"""The gallery in a real Chromium: search, filters, keyboard, further runs as one scrolls, runs that come and go."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from asked_run import asked_run
from playwright.sync_api import Page, expect
from reading import CONTRAST, broken_rules
from run_writer import RunWriter, full_run
from shader_run import target_run
from viewing import Viewing, many_runs, plain_run

pytestmark = pytest.mark.real

ColorScheme = Literal["light", "dark"]
Start = Callable[..., Viewing]
Browse = Callable[..., Page]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")])
def test_pages_fit_and_can_be_read(start: Start, browse: Browse, runs: Path, width: int, scheme: ColorScheme) -> None:
    many_runs(runs, 3, "a house with a name that is long enough to be cut in two lines " * 3 + "{n}")
    viewing = start()
    viewing.until("/", "3 runs")
    page = browse(viewing, "/", width, scheme, quiet=False)
    for path in ("/", "/?status=valid", "/new", "/new?studio=board", "/new?studio=shader", "/runs/missing/x"):
        page.goto(viewing.url + path)
        page.eval_on_selector_all("details", "all => all.forEach(d => d.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth") == width, path
        contrasts: list[tuple[float, str]] = page.evaluate(CONTRAST)
        assert [pair for pair in contrasts if pair[0] < 4.5] == []  # WCAG 2.2, 1.4.3, AA


@pytest.mark.parametrize(
    ("scheme", "paths"),
    [
        ("light", ("/", "/new?studio=board", "/models", "/runs/full/", "/runs/asked/", "/runs/target/", "/runs/no/")),
        ("dark", ("/", "/new", "/runs/asked/")),
    ],
)
def test_pages_break_no_rule_of_accessibility(
    start: Start, browse: Browse, runs: Path, scheme: ColorScheme, paths: tuple[str, ...]
) -> None:
    for name, story in (("full", full_run), ("asked", asked_run), ("target", target_run)):
        writer = RunWriter(runs / name)
        with writer.journal:
            story(writer)
    viewing = start()
    viewing.until("/", "3 runs")
    page = browse(viewing, "/", scheme=scheme, quiet=False)
    for path in paths:
        page.goto(viewing.url + path)
        assert broken_rules(page) == [], path


def test_search_and_filters_narrow_at_once_and_stay_in_the_address(start: Start, browse: Browse, runs: Path) -> None:
    many_runs(runs, 9)
    plain_run(runs / "sea", "a Schloß by the sea")
    viewing = start()
    viewing.until("/", "10 runs")
    page = browse(viewing)
    page.keyboard.press("/")
    page.keyboard.type("SCHLOSS sea")
    expect(page.locator("#count")).to_have_text("1 of 10 runs")
    expect(page.locator("#cards > li")).to_have_text(re.compile("a Schloß by the sea"))
    page.get_by_label("Search the words of runs").fill("")
    page.get_by_text("Filters", exact=True).click()
    page.get_by_label("Studio").select_option("shader")
    expect(page.locator("#count")).to_have_text("3 of 10 runs")
    page.reload()
    expect(page.locator("#count")).to_have_text("3 of 10 runs")
    page.get_by_label("From").fill("2026-11-23")
    expect(page.locator("#count")).to_have_text("0 of 10 runs")


def test_arrows_move_and_enter_opens(start: Start, browse: Browse, runs: Path) -> None:
    many_runs(runs, 12)
    viewing = start()
    viewing.until("/", "12 runs")
    page = browse(viewing)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    across = page.evaluate("getComputedStyle(document.getElementById('cards')).gridTemplateColumns.split(' ').length")
    at: int = page.evaluate("[...document.querySelectorAll('#cards a')].indexOf(document.activeElement)")
    assert at == 1 + across
    words = page.evaluate("document.activeElement.querySelector('.name').textContent")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text(words)


def test_further_runs_appear_as_one_scrolls(start: Start, browse: Browse, runs: Path) -> None:
    many_runs(runs, 150)
    viewing = start()
    viewing.until("/", "150 runs", 90)
    page = browse(viewing)
    assert page.locator("#cards > li").count() == 60
    for _ in range(30):
        page.mouse.wheel(0, 2000)
        page.wait_for_timeout(50)
    expect(page.locator("#cards > li")).to_have_count(150)
    names = page.locator("#cards .name").all_text_contents()
    assert len(set(names)) == 150


def test_runs_that_come_change_and_go_are_shown(start: Start, browse: Browse, runs: Path) -> None:
    viewing = start()
    page = browse(viewing)
    expect(page.locator("#count")).to_have_text("No runs in runs yet.")
    expect(page.locator(".begin").get_by_role("link")).to_have_text(["Board", "Image", "Scene", "Shader", "Sketch"])
    writer = RunWriter(runs / "run")
    with writer.journal:
        writer.start("a house by the sea")
        expect(page.locator("#cards .state-of")).to_have_text("Running", timeout=10_000)
        writer.finish("<rect width='1' height='1'/>")
    expect(page.locator("#cards .state-of")).to_have_text("Unchecked", timeout=10_000)
    expect(page.locator("#cards img")).to_be_visible()
    shutil.rmtree(runs / "run")
    expect(page.locator("#cards > li")).to_have_count(0, timeout=10_000)


def test_batches_are_named_with_the_command_that_shows_them(start: Start, runs: Path) -> None:
    (runs / "briefs" / ".batch").mkdir(parents=True)
    plain_run(runs / "run")
    assert "<code>redraft view runs/briefs</code>" in start().get("/").text


def test_without_scripts_the_form_searches(start: Start, runs: Path) -> None:
    many_runs(runs, 3)
    viewing = start()
    viewing.until("/", "3 runs")
    assert "1 of 3 runs" in viewing.get("/?words=number+2&studio=&cost=").text
    assert viewing.get("/?cost=nonsense&from=x&since=%00&words=" + "x" * 5000).status == 200
    assert viewing.get("/cards?from=99999999999999999999&many=-1").status == 200
