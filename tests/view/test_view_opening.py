"""The way into the viewer in a real browser, and what others on this machine can see of it."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httpx2
import pytest
from viewing import Viewing, plain_run

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.slow, pytest.mark.timed]

Start = Callable[..., Viewing]
Browse = Callable[..., "Page"]
RECORDER = "import pathlib, sys; pathlib.Path(sys.argv[1]).write_text('\\n'.join(sys.argv[2:]), 'utf-8')"
"""A browser that writes down its command line."""


@pytest.fixture
def temporary(tmp_path: Path) -> Path:
    """The folder of temporary files of the viewer."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    return folder


@pytest.fixture
def environment(tmp_path: Path, temporary: Path) -> Mapping[str, str]:
    """Variables of a viewer whose browser writes down its command line."""
    recorder = tmp_path / "recorder.py"
    recorder.write_text(RECORDER, "utf-8")
    return {"BROWSER": f"{sys.executable} {recorder} {tmp_path / 'line'} %s", "TMPDIR": str(temporary)}


@contextmanager
def other_server() -> Generator[tuple[int, list[dict[str, str]]]]:
    """A server on another port of this machine: its port, and the headers of the requests that it received."""
    received: list[dict[str, str]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            received.append({"path": self.path, **{name.lower(): value for name, value in self.headers.items()}})
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.send_header("content-length", "3")
            self.end_headers()
            self.wfile.write(b"yes")

        do_POST = do_GET

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  its name there
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield server.server_port, received
    finally:
        server.shutdown()
        server.server_close()


def test_the_browser_opens_a_private_page_that_leads_in_once(
    start: Start, browser: Browser, environment: Mapping[str, str], temporary: Path, tmp_path: Path
) -> None:
    viewing = start(browser=True, env=environment)
    line = (tmp_path / "line").read_text("utf-8")
    assert line.startswith(temporary.as_uri())
    private = Path(urlsplit(line).path)
    assert stat.S_IMODE(private.stat().st_mode) == 0o600
    assert stat.S_IMODE(private.parent.stat().st_mode) == 0o700
    token = re.search(r"token=(\w+)", private.read_text("utf-8"))
    assert token is not None
    for process in (viewing.process.pid, *children(viewing.process.pid)):
        for what in ("cmdline", "environ"):
            assert token[1].encode() not in Path(f"/proc/{process}/{what}").read_bytes()
    page = browser.new_page()
    page.goto(line)
    page.wait_for_url(f"{viewing.url}/")
    assert page.get_by_role("link", name="New run").is_visible()
    page.context.close()
    assert not private.exists()
    assert viewing.open(f"http://{viewing.host}/?token={token[1]}").status == 403
    assert viewing.open(viewing.address()).status == 200


def test_no_private_page_stays_where_no_browser_is_opened(
    start: Start, environment: Mapping[str, str], temporary: Path
) -> None:
    viewing = start(browser=True, env={**environment, "BROWSER": "false %s"})
    assert viewing.get("/").status == 200  # by the printed address
    assert list(temporary.iterdir()) == []


def test_an_unused_private_page_ends_with_the_viewer(
    runs: Path, environment: Mapping[str, str], temporary: Path
) -> None:
    command = [sys.executable, "-m", "redraft", "view", str(runs), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | environment) as process:
        assert process.stdout is not None
        printed = [process.stdout.readline(), process.stdout.readline()]
        assert "Press Enter" not in printed[1]  # standard input is not a terminal
        address = re.search(r"http://[\d.:]+/", printed[0])
        assert address is not None
        assert httpx2.get(address[0], timeout=60).status_code == 403  # it serves
        assert len(list(temporary.glob("redraft-view-*/open.html"))) == 1
        process.terminate()
    assert list(temporary.iterdir()) == []


def test_no_other_port_receives_the_cookie(start: Start, browse: Browse, runs: Path) -> None:
    plain_run(runs / "one")
    viewing = start()
    page = browse(viewing, "/runs/one/", quiet=False)
    name = viewing.cookie.partition("=")[0]
    assert [cookie.get("name") for cookie in page.context.cookies()] == [name]
    with other_server() as (port, received):
        other = page.context.new_page()
        for path in ("/", "/runs/one/", "/cards", f"/{'0' * 32}/"):
            other.goto(f"http://127.0.0.1:{port}{path}")
        # A page there can neither read the viewer nor change anything with the browser's cookie.
        reached = other.evaluate(
            """async (address) => {
                const tries = [fetch(address + "/"), fetch(address + "/do/one/verdict", { method: "POST" })];
                return (await Promise.allSettled(tries)).map((one) => one.status);
            }""",
            f"http://{viewing.host}",
        )
        assert reached == ["rejected", "rejected"]
    assert len([one for one in received if one["path"] != "/favicon.ico"]) == 4
    assert not [one for one in received if name in one.get("cookie", "") or viewing.root in str(one)]


LEAVING = """<!doctype html><meta name="referrer" content="unsafe-url"><base href="http://127.0.0.1:{port}/">
<a href="http://127.0.0.1:{port}/out" referrerpolicy="unsafe-url" ping="http://127.0.0.1:{port}/ping">out</a>
<img src="http://127.0.0.1:{port}/picture"><form action="http://127.0.0.1:{port}/form"><button>send</button></form>"""


def test_a_link_in_a_file_of_a_run_does_not_tell_the_secret_path(start: Start, browse: Browse, runs: Path) -> None:
    folder = plain_run(runs / "one").folder
    viewing = start()
    with other_server() as (port, received):
        (folder / "page.html").write_text(LEAVING.format(port=port), "utf-8")
        page = browse(viewing, quiet=False)
        page = page.context.new_page()  # which may go elsewhere
        page.goto(f"{viewing.url}/runs/one/page.html")
        page.get_by_role("button").click()
        page.get_by_role("link").click()
        page.wait_for_url("**/out")
    assert {one["path"] for one in received} - {"/favicon.ico"} == {"/out"}
    assert viewing.root not in str(received)
    assert "cookie" not in received[0]


def test_everything_works_without_scripts(start: Start, browser: Browser, runs: Path) -> None:
    plain_run(runs / "one")
    viewing = start()
    viewing.until("/", "1 run")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(viewing.address())
    page.wait_for_url(f"{viewing.url}/")
    page.get_by_role("link", name="a house").click()
    page.get_by_text("Is it good or bad?").click()
    page.get_by_role("radio", name="Good").check()
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Your verdict: good").wait_for()
    context.close()


def test_runs_that_start_here_receive_no_secret(start: Start, runs: Path) -> None:
    viewing = start()
    form = re.search(r'form_token" value="(\w+)"', viewing.get("/new").text)
    assert form is not None
    sent = {"Host": viewing.host, "Origin": f"http://{viewing.host}", "Cookie": viewing.cookie}
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    body = f"form_token={form[1]}&studio=sketch&instruction=a+house&model=inbox:+I+answer+here"
    assert viewing.request("POST", "/new", {**sent, **kind}, body.encode()).status == 303
    processes = children(viewing.process.pid)
    assert processes
    secrets = [form[1], viewing.root[1:], viewing.cookie.partition("=")[2]]
    for process in processes:
        for what in ("cmdline", "environ"):
            seen = Path(f"/proc/{process}/{what}").read_bytes()
            assert not [secret for secret in secrets if secret.encode() in seen]


def children(process: int) -> list[int]:
    """Return the processes that a process started and that still run."""
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return [int(number) for task in tasks for number in task.read_text("ascii").split()]
