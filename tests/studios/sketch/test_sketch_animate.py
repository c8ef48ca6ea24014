"""The self-drawing SVG: one stroke after the other, complete at the end, still where motion is unwanted."""

from __future__ import annotations

import io
import re
from itertools import pairwise
from typing import Any

import pytest
from PIL import Image
from sketches import house, kinds

from redraft.studios.sketch.spec import Drawing
from redraft.studios.sketch.svg import MAX_SECONDS, animated, svg


def starts(text: str) -> list[float]:
    """When each stroke begins, in file order."""
    found = re.findall(r'class="(pen|fade)"[^>]*?style="[^"]*"', text)
    assert found
    return [float(a or b) for a, b in re.findall(r'style="(?:--at:([\d.]+)s|[^"]*?--on:([\d.]+)s)', text)]


def test_every_stroke_begins_after_the_one_before() -> None:
    times = starts(animated(kinds()))
    assert len(times) == len(kinds().strokes)
    assert times[0] == 0
    assert times == sorted(times)
    assert len(set(times)) == len(times)


def test_many_strokes_are_drawn_faster_and_not_longer() -> None:
    many = Drawing(plan=house().plan, strokes=house().strokes * 200)
    assert max(starts(animated(many))) < MAX_SECONDS


def test_without_animation_it_is_the_same_picture() -> None:
    still = re.sub(r' (class|pathLength|style)="[^"]*"', "", animated(house()))
    assert re.sub(r"\n  <style>.*</style>", "", still, flags=re.DOTALL) == svg(house())


def dark_share(page: Any, share: float) -> float:
    """How much of the page is not white when the given share of the animation has passed."""
    page.evaluate(
        """share => { const all = document.getAnimations();
        const end = Math.max(...all.map(a => a.effect.getComputedTiming().endTime));
        all.forEach(a => { a.pause(); a.currentTime = share * end }) }""",
        share,
    )
    histogram = Image.open(io.BytesIO(page.screenshot())).convert("L").histogram()
    return 1 - sum(histogram[240:]) / sum(histogram)


def page_of(browser: Any, text: str, **options: Any) -> Any:
    page = browser.new_page(viewport={"width": 300, "height": 300}, **options)
    page.set_content(f"<style>body{{margin:0}}svg{{width:300px;height:300px}}</style>{text}")
    return page


@pytest.mark.real
@pytest.mark.slow
def test_a_browser_draws_it_stroke_by_stroke(browser: Any) -> None:
    page = page_of(browser, animated(kinds()))
    shares = [dark_share(page, at) for at in (0, 0.25, 0.5, 0.75, 1)]
    assert shares[0] == 0
    assert all(a < b for a, b in pairwise(shares))
    still = page_of(browser, svg(kinds()))
    assert shares[-1] == pytest.approx(dark_share(still, 1), abs=2e-3)


@pytest.mark.real
@pytest.mark.slow
def test_a_browser_that_wants_no_motion_shows_it_whole(browser: Any) -> None:
    page = page_of(browser, animated(kinds()), reduced_motion="reduce")
    assert page.evaluate("document.getAnimations().length") == 0
    assert dark_share(page, 0) == pytest.approx(dark_share(page_of(browser, svg(kinds())), 1), abs=2e-3)
