"""A viewer over a folder of runs, and a browser that was let in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from viewing import Viewing

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ColorScheme = Literal["light", "dark"]
Start = Callable[..., Viewing]
Browse = Callable[..., "Page"]


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    folder.mkdir()
    return folder


@pytest.fixture
def start(runs: Path) -> Iterator[Start]:
    """Start a viewer over the folder of runs; it ends with the test."""
    with ExitStack() as stack:

        def started(*options: str, port: int = 0, **more: Any) -> Viewing:
            return stack.enter_context(Viewing(runs, options, port, **more))

        yield started


@pytest.fixture
def browse(browser: Browser) -> Iterator[Browse]:
    """Open a viewer in a browser of its own; the test fails if a page complained, or asked for another host."""
    complaints: list[str] = []
    with ExitStack() as stack:

        def opened(
            viewing: Viewing, path: str = "/", width: int = 1280, scheme: ColorScheme = "light", *, quiet: bool = True
        ) -> Page:
            context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
            stack.callback(context.close)
            page = context.new_page()
            page.set_default_timeout(30_000)
            host = f"http://{viewing.host}/"
            if quiet:
                page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on("request", lambda r: complaints.append(r.url) if not r.url.startswith((host, "data:")) else None)
            page.goto(viewing.address())
            page.wait_for_url(f"{viewing.url}/")
            if path != "/":
                page.goto(viewing.url + path)
            return page

        yield opened
    assert complaints == []
