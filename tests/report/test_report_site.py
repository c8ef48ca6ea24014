"""The static site of a folder of runs, and the page of one run as a file to share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest
from pages import Page as Html
from run_writer import RunWriter, full_run
from typer.testing import CliRunner
from viewing import plain_run

from redraft.cli.program import program
from redraft.files import INDEX_FILE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ColorScheme = Literal["light", "dark"]


def full(folder: Path) -> None:
    writer = RunWriter(folder)
    with writer.journal:
        full_run(writer)


def report(*words: object) -> str:
    done = CliRunner().invoke(program, ["report", *map(str, words)])
    assert done.exit_code == 0, done.output
    return done.output


def test_a_page_to_share_names_no_file_beside_it(tmp_path: Path) -> None:
    full(tmp_path / "run")
    report(tmp_path / "run", "-o", tmp_path / "page.html")
    page = Html((tmp_path / "page.html").read_text("utf-8"))
    page.assert_inert()
    assert [a["href"] for a in page.all("a") if not (a["href"] or "").startswith("#")] == []
    assert not (tmp_path / "run" / "report.html").exists()


def test_a_site_has_a_gallery_and_a_page_for_each_run(tmp_path: Path) -> None:
    runs, site = tmp_path / "runs", tmp_path / "site"
    full(runs / "one")
    plain_run(runs / "<b>two & .. three", "<script>alert(1)</script>")
    (runs / "damaged").mkdir()
    (runs / "damaged" / "events.jsonl").write_text("no event\n", "utf-8")
    report(runs, "--site", site)
    page = Html((site / "index.html").read_text("utf-8"))
    assert [one for one, _ in page.tags if one in ("script", "b")] == []
    assert "<script>alert(1)</script>" in page.words
    assert "3 runs" in page.words
    links = [site / (a["href"] or "") for a in page.all("a") if a.get("href")]
    assert len(links) == 2
    for link in links:
        Html(link.read_text("utf-8")).assert_inert()
    assert sorted(path.name for path in runs.iterdir()) == ["<b>two & .. three", "damaged", "one"]
    assert not (runs / INDEX_FILE).exists()


def test_one_of_out_and_site(tmp_path: Path) -> None:
    plain_run(tmp_path / "run")
    done = CliRunner().invoke(program, ["report", str(tmp_path), "--site", str(tmp_path / "s"), "-o", "page.html"])
    assert done.exit_code == 2
    assert "Give one of them" in done.output


@pytest.mark.real
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_a_site_fits_and_shows_its_pictures(tmp_path: Path, browser: Browser, width: int, scheme: ColorScheme) -> None:
    full(tmp_path / "runs" / "one")
    plain_run(tmp_path / "runs" / "two")
    report(tmp_path / "runs", "--site", tmp_path / "site")
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.goto((tmp_path / "site" / "index.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert min(page.eval_on_selector_all("img", "all => all.map(i => i.naturalWidth)")) > 0
    page.get_by_role("link").first.click()
    page.wait_for_url("**/index.html")
    assert page.locator("header h1").is_visible()
    assert complaints == []
    page.close()
