"""Keys of models on the page, in a real keyring: kept, used by a run, removed, and never kept where there is none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from loopback import Answer, Server
from playwright.sync_api import Page, expect
from real_parts import needs
from viewing import Viewing

from redraft.config import own_file

pytestmark = [pytest.mark.real, pytest.mark.timeout(240)]

Start = Callable[..., Viewing]
Browse = Callable[..., Page]
SLOW = 60_000
SECRET = "sk-7f3a9c2e5b8d1046"
SESSION = (
    "dbus-run-session",
    "--",
    "sh",
    "-c",
    'printf word | gnome-keyring-daemon --unlock --components=secrets >"$HOME/daemon" && exec "$@"',
    "sh",
)
"""A session with an unlocked keyring, which lies below HOME, encrypted."""


def test_a_key_is_kept_in_the_keyring_and_given_to_a_run(
    start: Start, browse: Browse, runs: Path, tmp_path: Path
) -> None:
    needs("gnome-keyring")
    home = tmp_path / "home"
    home.mkdir()
    env = {"HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "XDG_RUNTIME_DIR": str(home), "OPENAI_API_KEY": ""}
    env["PYTHON_KEYRING_BACKEND"] = "keyring.backends.SecretService.Keyring"
    session = {"inside": SESSION, "env": env}
    with Server([Answer({"error": {"message": "no such key"}}, 401)]) as server:
        own_file().parent.mkdir(parents=True)
        own_file().write_text(f"models:\n  base_url: {server.url}/v1\n")
        page = browse(start(**session), "/models", quiet=False)
        keep(page, "two words")
        expect(page.locator("main")).to_contain_text("a key is one word")
        page.go_back()
        keep(page, SECRET)
        expect(page.locator("form", has_text="OPENAI_API_KEY")).to_contain_text("In the keyring")
        assert SECRET not in page.content()

        page = browse(start(**session), "/models", quiet=False)  # another session with the same keyring
        expect(page.locator("form", has_text="OPENAI_API_KEY")).to_contain_text("In the keyring")
        page.get_by_role("link", name="New run").click()
        page.get_by_label("What to make").fill("a red house")
        page.get_by_label("Another model, by name").fill("openai:gpt-4o")
        page.get_by_role("button", name="Start").click()
        expect(page.locator("body")).to_contain_text("refused the request", timeout=SLOW)
        assert server.received[0].headers["authorization"] == f"Bearer {SECRET}"

        page.get_by_role("link", name="Models").click()
        page.locator("form", has_text="OPENAI_API_KEY").get_by_role("button", name="Remove").click()
        expect(page.get_by_label("OPENAI_API_KEY")).to_be_empty()
    kept = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path for path in kept if path.suffix == ".keyring"]
    assert [path for path in kept if SECRET.encode() in path.read_bytes()] == []


def keep(page: Page, key: str) -> None:
    form = page.locator("form", has_text="OPENAI_API_KEY")
    form.get_by_label("OPENAI_API_KEY").fill(key)
    form.get_by_role("button", name="Keep").click()


def test_where_there_is_no_keyring_nothing_is_kept(start: Start, browse: Browse, tmp_path: Path) -> None:
    viewing = start()
    page = browse(viewing, "/models", quiet=False)
    expect(page.locator(".warned")).to_contain_text("This system has no keyring")
    field = page.get_by_label("OPENAI_API_KEY")
    expect(field).to_be_disabled()
    field.evaluate("one => { one.disabled = false; one.form.querySelector('button').disabled = false; }")
    keep(page, SECRET)
    expect(page.locator("main")).to_contain_text("This system has no keyring")
    assert [path for path in tmp_path.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()] == []
    assert start("--read-only").get("/models").status == 404
