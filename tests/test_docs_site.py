"""The documentation as a site: it builds strictly, loads nothing from elsewhere, and no stretch of text is long."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from doc_pages import DOCS, PAGES, ROOT
from reference_docs import pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SCREEN = 56
"""Lines of text, as they are shown at about 100 characters, on one screen of a desktop."""
FOREIGN = re.compile(
    r"<(?:script|link|img|iframe|source|video)\b[^>]*?\b(?:src|href)=[\"']?(?:https?:)?//", re.IGNORECASE
)
RELIEF = re.compile(r"^(```|\||!\[)")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make docs` does. Broken links and anchors, and pages outside of the menu, end the build."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.slow
def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    shown = [path for path in site.rglob("*.html") if path.name != "404.html"]
    assert len(shown) == len(PAGES) - 2  # all but the README and CONTRIBUTING
    for path in site.rglob("*"):
        if path.suffix == ".html":
            assert FOREIGN.findall(path.read_text("utf-8")) == [], path.name
        elif path.suffix == ".css":
            assert re.findall(r"(?:@import|url\()\s*[\"']?(?:https?:)?//", path.read_text("utf-8")) == [], path.name


@pytest.mark.slow
def test_every_block_is_shown_as_one(site: Path) -> None:
    for path in site.rglob("*.html"):
        prose = re.sub(r"<(pre|code)\b.*?</\1>", "", path.read_text("utf-8"), flags=re.DOTALL)
        assert "```" not in prose, path.name


@pytest.mark.slow
def test_each_tutorial_links_to_its_notebook(site: Path) -> None:
    for notebook in (DOCS / "notebooks").glob("*.ipynb"):
        assert f'href="../notebooks/{notebook.name}"' in (site / "tutorials" / f"{notebook.stem}.html").read_text(
            "utf-8"
        )
        assert (site / "notebooks" / notebook.name).read_bytes() == notebook.read_bytes()


@pytest.mark.parametrize("page", PAGES)
def test_no_text_is_longer_than_two_screens_without_a_picture_or_an_example(page: str) -> None:
    run, longest, fenced = 0.0, 0.0, False
    for line in (ROOT / page).read_text("utf-8").splitlines():
        if line.startswith("```"):
            fenced = not fenced
        run = 0 if fenced or RELIEF.match(line) else run + max(len(line) / 100, 1)
        longest = max(run, longest)
    assert longest <= 2 * SCREEN, f"{page}: {longest:.0f} lines of text without a picture, an example or a table"


@pytest.mark.slow
def test_pages_made_from_the_code_are_up_to_date() -> None:
    for name, text in pages().items():
        assert (DOCS / name).read_text("utf-8") == text, "run: python tests/helpers/reference_docs.py"


def test_the_moving_picture_is_small() -> None:
    assert (DOCS / "loop.webp").stat().st_size < 300_000
    assert (ROOT / "README.md").stat().st_size < 16_000


@pytest.mark.slow
@pytest.mark.real
@pytest.mark.parametrize("page", ["index.html", "tutorials/sketch.html"])
def test_the_search_works_from_a_file(site: Path, browser: Browser, page: str) -> None:
    shown = browser.new_page()
    loaded = list[str]()
    shown.on("request", lambda request: loaded.append(request.url))
    shown.goto((site / page).as_uri())
    shown.locator(".md-search__input").first.press_sequentially("decoupling capacitors")
    found = shown.locator(".md-search-result__item a").first
    found.wait_for(timeout=20_000)
    assert "/boards.html" in (found.get_attribute("href") or "")
    assert [url for url in loaded if not url.startswith(("file:", "data:", "blob:"))] == []
    shown.close()
