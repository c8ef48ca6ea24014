"""The page in a real Chromium: it fetches nothing, says nothing on the console, fits, and can be read."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Literal

import pytest
from asked_run import asked_run
from playwright.sync_api import Page
from reading import CONTRAST, broken_rules
from run_writer import RunWriter, full_run
from shader_run import target_run, words_run

from redraft.record.transcript import Record
from redraft.report import write_page

pytestmark = pytest.mark.real


ColorScheme = Literal["light", "dark"]
Open = Callable[..., Page]
Show = Callable[[Path, int, ColorScheme], Page]
Story = Callable[[RunWriter], None]
WriteRun = Callable[[Story], Record]


@pytest.fixture
def open_page(show: Show) -> Open:
    """Open a run's page."""

    def opened(run: Record, *, width: int = 1280, scheme: ColorScheme = "light") -> Page:
        return show(write_page(run), width, scheme)

    return opened


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_fits_and_every_picture_is_there(finished: Record, open_page: Open, width: int, scheme: ColorScheme) -> None:
    page = open_page(finished, width=width, scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    sizes: list[int] = page.eval_on_selector_all("img", "all => all.map(i => i.complete ? i.naturalWidth : 0)")
    assert len(sizes) == 10
    assert min(sizes) > 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_is_enough_for_everybody(finished: Record, open_page: Open, scheme: ColorScheme) -> None:
    page = open_page(finished, scheme=scheme)
    page.eval_on_selector_all("details", "all => all.forEach(d => d.open = true)")
    found: list[tuple[float, str]] = page.evaluate(CONTRAST)
    assert len(found) > 100
    assert [pair for pair in found if pair[0] < 4.5] == []  # WCAG 2.2, 1.4.3, AA


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (400, "dark"), (400, "light")])
def test_page_with_answered_requirements_fits_and_can_be_read(
    write_run: WriteRun, open_page: Open, width: int, scheme: ColorScheme
) -> None:
    page = open_page(write_run(asked_run), width=width, scheme=scheme)
    page.eval_on_selector_all("details", "all => all.forEach(d => d.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    sizes: list[int] = page.eval_on_selector_all("img", "all => all.map(i => i.complete ? i.naturalWidth : 0)")
    assert len(sizes) == 1 + 3 * 2 + 2 * 2  # delivered; validations, plain and marked; A and B, twice
    assert min(sizes) > 0
    found: list[tuple[float, str]] = page.evaluate(CONTRAST)
    assert [pair for pair in found if pair[0] < 4.5] == []  # WCAG 2.2, 1.4.3, AA
    assert {"four shelves, three books on each", "in warm evening light", "made exact"} <= {text for _, text in found}


@pytest.mark.parametrize("story", [full_run, asked_run, target_run])
def test_no_rule_of_accessibility_is_broken(write_run: WriteRun, open_page: Open, story: Story) -> None:
    assert broken_rules(open_page(write_run(story))) == []


def test_overlay_can_be_taken_off_by_keyboard(finished: Record, open_page: Open) -> None:
    page = open_page(finished)
    overlay = page.locator(".shot img.overlay").first
    height = page.evaluate("document.documentElement.scrollHeight")
    assert overlay.is_visible()
    page.locator(".shot input").first.focus()
    page.keyboard.press("Space")
    assert not overlay.is_visible()
    assert page.locator(".shot img.plain").first.is_visible()
    assert page.evaluate("document.documentElement.scrollHeight") == height


def test_link_to_a_prompt_opens_it(finished: Record, open_page: Open) -> None:
    page = open_page(finished)
    assert page.locator("details.call[open]").count() == 0
    page.get_by_role("link", name="prompt and reply").first.click()
    assert page.locator("details.call[open] pre").first.is_visible()


def test_skip_link_is_the_first_stop(finished: Record, open_page: Open) -> None:
    page = open_page(finished)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the turns"


def test_print_shows_what_is_folded_away(finished: Record, open_page: Open) -> None:
    page = open_page(finished)
    page.emulate_media(media="print")
    assert page.locator("details.call pre").first.is_visible()


def test_hostile_svg_and_text_do_nothing(write_run: WriteRun, open_page: Open) -> None:
    attack = "</style><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"

    def story(writer: RunWriter) -> None:
        writer.start(attack)
        writer.call("iteration-1/draft", attack, attack)
        svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><script>parent.document.title="owned"</script>'
        svg += '<image href="http://127.0.0.1:9/x.png" width="1" height="1"/></svg>'
        (writer.folder / "drawing.svg").write_text(svg, "utf-8")
        writer.finish(files={"svg": "drawing.svg"})

    page = open_page(write_run(story))
    assert page.title().startswith("</style><script>")
    assert page.locator("script").count() == 0


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_shader_page_fits_and_can_be_read(
    write_run: WriteRun, open_page: Open, width: int, scheme: ColorScheme
) -> None:
    page = open_page(write_run(target_run), width=width, scheme=scheme)
    page.eval_on_selector_all("details", "all => all.forEach(d => d.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    sizes: list[int] = page.eval_on_selector_all("img", "all => all.map(i => i.complete ? i.naturalWidth : 0)")
    assert len(sizes) == 9  # target, best frame, its animation, the sheet, and one of each validation
    assert min(sizes) > 0
    found: list[tuple[float, str]] = page.evaluate(CONTRAST)
    assert [pair for pair in found if pair[0] < 4.5] == []  # WCAG 2.2, 1.4.3, AA
    assert "best 0.3412" in [text for _, text in found]


def test_words_below_the_curve_do_not_touch(write_run: WriteRun, open_page: Open) -> None:
    page = open_page(write_run(target_run))
    for width in (1280, 1100, 900, 520, 390, 320):
        page.set_viewport_size({"width": width, "height": 900})
        boxes: list[tuple[float, float]] = page.eval_on_selector_all(
            ".curve .word, .curve .mark",
            "all => all.map(e => e.getBoundingClientRect()).filter(b => b.width > 0).map(b => [b.left, b.right])",
        )
        assert len(boxes) == 4
        assert all(right + 3 < left for (_, right), (left, _) in pairwise(boxes)), width


def test_dot_of_the_curve_leads_to_its_validation(write_run: WriteRun, open_page: Open) -> None:
    page = open_page(write_run(target_run))
    page.locator(".curve a", has=page.locator(".best")).click()
    assert page.evaluate("location.hash") == "#iteration-5-validate-0"
    assert page.locator("#iteration-5-validate-0").is_visible()


def test_animation_can_be_stopped_by_keyboard(write_run: WriteRun, open_page: Open) -> None:
    page = open_page(write_run(words_run))
    assert page.locator(".film img").last.is_visible()
    page.locator(".film input").focus()
    page.keyboard.press("Space")
    assert not page.locator(".film img").last.is_visible()
    assert page.locator(".film img").first.is_visible()


def test_animation_rests_where_less_motion_is_wanted(write_run: WriteRun, open_page: Open) -> None:
    page = open_page(write_run(words_run))
    page.emulate_media(reduced_motion="reduce")
    shown: str = page.locator(".film img").last.evaluate("image => image.currentSrc")
    assert shown.startswith("data:image/gif")
