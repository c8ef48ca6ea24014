"""Nothing but the browser that opened the printed address may use the viewer, and nothing a run holds may act."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pages import Page as Html
from viewing import Viewing, plain_run

from redraft.view.guard import SESSION_TIME, TOKEN_TIME, Keys

Start = Callable[..., Viewing]


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's list of sockets")
@pytest.mark.slow
def test_only_loopback_listens(start: Start) -> None:
    port = f"{start().port:04X}"
    sockets = [line.split() for name in ("tcp", "tcp6") for line in Path(f"/proc/net/{name}").read_text().splitlines()]
    listening = [words[1] for words in sockets if words[3] == "0A" and words[1].endswith(f":{port}")]
    assert listening == [f"0100007F:{port}"]  # 127.0.0.1


@pytest.mark.slow
def test_another_host_is_refused(start: Start) -> None:
    viewing = start()
    port = viewing.port
    for host in (f"localhost:{port}", f"evil.example:{port}", "127.0.0.1", "127.0.0.1:1", f"[::1]:{port}"):
        assert viewing.request("GET", "/", {"Host": host, "Cookie": viewing.cookie}).status == 421, host
    assert viewing.request("GET", "/", {"Cookie": viewing.cookie}).status in (400, 421)  # no host at all


@pytest.mark.slow
def test_another_origin_is_refused(start: Start) -> None:
    viewing = start()
    others = ("http://evil.example", "http://127.0.0.1", "null", f"https://{viewing.host}")
    for origin in (*others, f"http://localhost:{viewing.port}"):
        assert viewing.get("/", Origin=origin).status == 403, origin
    assert viewing.get("/", Origin=f"http://{viewing.host}").status == 200
    assert viewing.get("/", Sec_Fetch_Site="cross-site").status == 403
    assert viewing.get("/", Sec_Fetch_Site="same-site").status == 403


@pytest.mark.slow
def test_an_address_opens_one_browser(start: Start, runs: Path) -> None:
    plain_run(runs / "one")
    viewing = start()
    for path in ("/", "/cards", "/runs/one/", "/runs/one/events.jsonl", "/static/view.js", "/live/one"):
        assert viewing.get(path, cookie="").status == 403
        assert viewing.get(path, cookie=viewing.cookie[:-1] + "x").status == 403
    address = viewing.address()
    assert viewing.open(f"http://{viewing.host}/?token=wrong").status == 403
    assert viewing.open(f"http://{viewing.host}/").status == 403
    assert viewing.open(address, method="HEAD").status == 403  # as programs look at links that they show
    opened = viewing.open(address, Sec_Fetch_Site="cross-site")
    assert opened.status == 200
    cookie = opened.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "max-age=86400" in cookie
    assert f"path={viewing.root}/" in cookie
    assert opened.headers["referrer-policy"] == "no-referrer"
    assert address.rpartition("=")[2] not in cookie
    assert viewing.open(address).status == 403
    assert viewing.open(viewing.address()).headers["set-cookie"].lower() != cookie


@pytest.mark.slow
def test_the_cookie_alone_lets_nobody_in(start: Start) -> None:
    viewing = start()
    assert viewing.get("/").status == 200
    for path in ("/", "/cards", "/static/view.js", f"/{'0' * 32}/cards", f"/x{viewing.root}/cards", viewing.root[:-1]):
        assert viewing.open(f"http://{viewing.host}{path}", Cookie=viewing.cookie).status == 403, path


@pytest.mark.slow
def test_a_cookie_that_another_server_set_does_not_shut_the_person_out(start: Start) -> None:
    viewing = start()
    name = viewing.cookie.partition("=")[0]
    for cookie in (f"{viewing.cookie}; {name}=planted", f"{name}=planted; {viewing.cookie}"):
        assert viewing.get("/", cookie=cookie).status == 200


@pytest.mark.slow
def test_nothing_outlives_the_viewer(start: Start) -> None:
    first = start()
    unused = first.address()
    first.__exit__()
    second = start(port=first.port)
    assert second.root != first.root
    for path in (first.root, second.root):
        assert second.open(f"http://{second.host}{path}/", Cookie=first.cookie).status == 403
    assert second.open(unused).status == 403


def test_addresses_and_sessions_end() -> None:
    now = 1000.0
    keys = Keys(clock=lambda: now)
    late, token = keys.token(), keys.token()
    now += TOKEN_TIME - 1
    session = keys.session(token)
    assert session is not None
    assert keys.session(token) is None
    assert keys.admits(session)
    now += 1
    assert keys.session(late) is None
    now += SESSION_TIME - 2
    assert keys.admits(session)
    now += 1
    assert not keys.admits(session)
    assert not Keys().admits(session)


@pytest.mark.slow
def test_every_page_has_the_strict_policy_and_no_inline_code(start: Start, runs: Path) -> None:
    plain_run(runs / "one")
    viewing = start()
    for path in ("/", "/cards", "/runs/one/", "/missing"):
        answer = viewing.get(path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        for tag, attributes in Html(answer.text).tags:
            assert tag not in {"style", "iframe", "object", "embed", "base"}
            assert tag != "script" or (attributes["src"] or "").startswith(f"{viewing.root}/static/")
            assert not [name for name in attributes if name.startswith("on") or name == "style"]


@pytest.mark.slow
def test_files_come_from_the_run_alone(start: Start, runs: Path, tmp_path: Path) -> None:
    plain_run(runs / "one")
    secret = tmp_path / "secret.txt"
    secret.write_text("a secret", "utf-8")
    (runs / "one" / "link.txt").symlink_to(secret)
    (runs / "one" / "inner.txt").symlink_to(runs / "one" / "drawing.svg")
    (runs / "linked").symlink_to(tmp_path)
    plain_run(tmp_path / "outside")
    (runs / "away").symlink_to(tmp_path / "outside")
    viewing = start()
    for path in (
        "/runs/one/link.txt",
        "/runs/linked/secret.txt",
        "/runs/linked/",
        "/runs/away/",
        "/live/away",
        "/runs/one/../../secret.txt",
        "/runs/one/..%2f..%2fsecret.txt",
        "/runs/one/%2e%2e/%2e%2e/secret.txt",
        f"/runs/one/{secret}",
        "/runs/../secret.txt",
        "/runs/..%2fsecret.txt",
        "/runs/%2e%2e/",
        "/runs/one/%00",
        "/runs/" + "x" * 5000 + "/",
        "/runs/one/" + "x" * 5000,
        "/runs/one",
        "/static/..%2fserver.py",
        "/static/server.py",
    ):
        answer = viewing.get(path)
        assert answer.status in (404, 307), path
        assert "a secret" not in answer.text
    assert viewing.get("/runs/one/inner.txt").status == 200
    assert "away" not in viewing.until("/", "1 run").text


@pytest.mark.slow
def test_files_of_runs_run_nothing(start: Start, runs: Path) -> None:
    writer = plain_run(runs / "one")
    for name in ("page.html", "picture.svg", "code.js", "odd.xhtml", "odd.xml"):
        (writer.folder / name).write_text("<script>alert(1)</script>", "utf-8")
    viewing = start()
    kinds: dict[str, str] = {}
    for name in ("page.html", "picture.svg", "code.js", "odd.xhtml", "odd.xml", "events.jsonl"):
        answer = viewing.get(f"/runs/one/{name}")
        assert answer.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
        assert answer.headers["x-content-type-options"] == "nosniff"
        kinds[name] = answer.headers["content-type"].partition(";")[0]
    assert kinds.pop("page.html") == "text/html"
    assert kinds.pop("picture.svg") == "image/svg+xml"
    assert set(kinds.values()) == {"text/plain"}


HOSTILE = "</title><script>document.title='owned'</script><img src=x onerror=alert(1)>\u202e\u0007"


@pytest.mark.slow
def test_hostile_names_and_texts_are_text(start: Start, runs: Path) -> None:
    name = "<img src=x onerror=alert(1)>'\"&?#%2e"
    plain_run(runs / name, HOSTILE)
    plain_run(runs / "long", "x" * 1_000_000)
    (runs / "damaged").mkdir()
    (runs / "damaged" / "events.jsonl").write_text('{"event": "<script>alert(1)</script>"}\n', "utf-8")
    viewing = start()
    gallery = viewing.until("/", "3 runs")
    assert "<img src=x" not in gallery.text
    assert len(gallery.text) < 20_000
    assert "Damaged" in gallery.text
    links = [
        a["href"] or "" for a in Html(gallery.text).all("a") if (a["href"] or "").startswith(f"{viewing.root}/runs/")
    ]
    assert len(links) == 3
    for link in links:
        page = viewing.get(link.removeprefix(viewing.root))
        assert page.status == (400 if "damaged" in link else 200)
        assert "<script>document" not in page.text
        assert "<img src=x" not in page.text


@pytest.mark.slow
def test_a_taken_port_is_said_in_a_sentence(start: Start, runs: Path) -> None:
    viewing = start()
    command = [sys.executable, "-m", "redraft", "view", str(runs), "--no-browser", "--port", str(viewing.port)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 2
    assert f"port {viewing.port}, cannot be opened" in ran.stderr
    assert "Choose another --port" in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.slow
def test_one_run_is_no_folder_of_runs(runs: Path) -> None:
    plain_run(runs / "one")
    command = [sys.executable, "-m", "redraft", "view", str(runs / "one"), "--no-browser", "--port", "0"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 2
    assert "is a single run" in ran.stderr


@pytest.mark.slow
def test_a_folder_without_rights_is_shown_as_far_as_it_can_be_read(start: Start, runs: Path) -> None:
    plain_run(runs / "open", "a house by the sea")
    plain_run(runs / "shut", "a secret house")
    (runs / "shut").chmod(0)
    runs.chmod(0o555)
    drop = ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all") if os.geteuid() == 0 else ()
    try:
        viewing = start(inside=drop)
        assert "a secret house" not in viewing.until("/", "a house by the sea").text
        assert viewing.get("/runs/shut/").status == 400
        assert viewing.get("/runs/open/").status == 200
        page = viewing.get("/runs/open/").text
        token = re.search(r'form_token" value="(\w+)"', page)
        assert token is not None
        sent = {"Host": viewing.host, "Origin": f"http://{viewing.host}", "Cookie": viewing.cookie}
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        body = f"form_token={token[1]}&studio=sketch&instruction=a+house"
        refused = viewing.request("POST", "/new", {**sent, **kind}, body.encode())
        assert refused.status == 400
        assert "ermission denied" in refused.text
        assert "Traceback" not in refused.text
        assert sorted(path.name for path in runs.iterdir()) == ["open", "shut"]
    finally:
        runs.chmod(0o755)
        (runs / "shut").chmod(0o755)
