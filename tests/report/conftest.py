"""Runs for the page: written by a story, or the full one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest
from run_writer import RunWriter, full_run

from redraft.record.transcript import Record

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WriteRun = Callable[[Callable[[RunWriter], None]], Record]
ColorScheme = Literal["light", "dark"]
Show = Callable[[Path, int, ColorScheme], "Page"]


@pytest.fixture
def show(browser: Browser) -> Iterator[Show]:
    """Open a page; afterwards the test fails if it asked for anything or complained."""
    complaints: list[str] = []
    pages: list[Page] = []

    def opened(file: Path, width: int, scheme: ColorScheme) -> Page:
        address = file.as_uri()
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        pages.append(page)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda r: complaints.append(r.url) if r.url != address and r.url[:5] != "data:" else None)
        page.goto(address)
        return page

    yield opened
    for page in pages:
        page.close()
    assert complaints == []


@pytest.fixture
def write_run(tmp_path: Path) -> WriteRun:
    """Write a run with the given story and read it back."""

    def write(story: Callable[[RunWriter], None]) -> Record:
        writer = RunWriter(tmp_path / "run")
        with writer.journal:
            story(writer)
        return Record.load(writer.folder)

    return write


@pytest.fixture
def finished(write_run: WriteRun) -> Record:
    return write_run(full_run)
