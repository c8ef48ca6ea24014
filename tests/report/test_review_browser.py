"""Review and comparison in a real Chromium: they fetch nothing, complain of nothing, fit, and can be read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page
from reading import CONTRAST
from reviewed import week

from redraft.report.review import write_comparison, write_review

pytestmark = pytest.mark.real

ColorScheme = Literal["light", "dark"]
Open = Callable[..., Page]
Show = Callable[[Path, int, ColorScheme], Page]
NAMES = ("review.html", "compare.html", "unlike.html")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a review, a comparison, and one of a run that ended with a run of another studio."""
    root = tmp_path_factory.mktemp("week")
    folders = week(root)
    write_review(folders, root / NAMES[0])
    write_comparison(folders[1], folders[7], root / NAMES[1])
    write_comparison(folders[3], folders[6], root / NAMES[2])
    return root


@pytest.fixture
def open_page(show: Show, pages: Path) -> Open:
    """Open one of the pages."""

    def opened(name: str, *, width: int = 1200, scheme: ColorScheme = "light") -> Page:
        return show(pages / name, width, scheme)

    return opened


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (400, "dark"), (320, "light")])
def test_page_fits_and_every_picture_is_there(open_page: Open, name: str, width: int, scheme: ColorScheme) -> None:
    page = open_page(name, width=width, scheme=scheme)
    page.eval_on_selector_all("details", "all => all.forEach(d => d.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    sizes: list[int] = page.eval_on_selector_all("img", "all => all.map(i => i.complete ? i.naturalWidth : 0)")
    assert len(sizes) == {NAMES[0]: 14, NAMES[1]: 2, NAMES[2]: 1}[name]
    assert min(sizes) > 0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_is_enough_for_everybody(open_page: Open, name: str, scheme: ColorScheme) -> None:
    page = open_page(name, scheme=scheme)
    page.eval_on_selector_all("details", "all => all.forEach(d => d.open = true)")
    found: list[tuple[float, str]] = page.evaluate(CONTRAST)
    assert len(found) > 60
    assert [pair for pair in found if pair[0] < 4.5] == []  # WCAG 2.2, 1.4.3, AA


def test_thumbnail_leads_to_its_run(open_page: Open) -> None:
    page = open_page("review.html")
    page.locator(".wall a").nth(4).click()
    assert page.evaluate("location.hash") == "#run-5"
    assert page.locator("#run-5").get_by_text("drowned clock face").is_visible()


def test_roll_leads_to_its_run_by_keyboard(open_page: Open) -> None:
    page = open_page("review.html")
    page.locator(".rolls a").last.focus()
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#run-8"


def test_card_opens_by_keyboard_and_shows_its_options(open_page: Open) -> None:
    page = open_page("review.html")
    card = page.locator(".idea").first
    assert not card.locator(".choices").is_visible()
    card.locator("summary").focus()
    page.keyboard.press("Enter")
    assert card.locator(".choices").is_visible()
    assert "small figure at the foot" in card.inner_text()


def test_bars_are_as_long_as_their_points(open_page: Open) -> None:
    page = open_page("compare.html")
    lengths: list[list[float]] = page.eval_on_selector_all(
        ".half:first-child .idea",
        """all => all.map(card => {
          const wide = (part) => card.querySelector(part)?.getBoundingClientRect().width ?? 0;
          return [wide(".points .won"), wide(".points .lost"), wide(".points .room")];
        })""",
    )
    points = [(78, 0), (74.5, 6.5), (74, 0), (68.5, 1.5), (54, 12), (52, 0)]
    assert [(100 * won / room, 100 * lost / room) for won, lost, room in lengths] == [
        pytest.approx(pair, abs=0.5) for pair in points
    ]


def test_runs_stand_beside_each_other_where_there_is_room(open_page: Open) -> None:
    page = open_page("compare.html")
    tops: list[float] = page.eval_on_selector_all("#ideas .half", "all => all.map(e => e.getBoundingClientRect().top)")
    assert tops[0] == tops[1]
    page.set_viewport_size({"width": 400, "height": 900})
    tops = page.eval_on_selector_all("#ideas .half", "all => all.map(e => e.getBoundingClientRect().top)")
    assert tops[0] < tops[1]


def test_print_shows_every_card_whole(open_page: Open) -> None:
    page = open_page("review.html")
    page.emulate_media(media="print")
    assert page.locator(".idea .choices").first.is_visible()
