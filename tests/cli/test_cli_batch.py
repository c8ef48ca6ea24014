"""`redraft batch`: its output, its exit codes, caps and a provider that is away."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from http_loopback import OnLoopback, Quiet
from typer.testing import CliRunner

from redraft.cli.program import program

runner = CliRunner()


def batch(folder: Path, *briefs: Mapping[str, object] | str, more: tuple[str, ...] = ()) -> tuple[int, str, str]:
    path = folder / "briefs.jsonl"
    path.write_text("".join(f"{brief if isinstance(brief, str) else json.dumps(brief)}\n" for brief in briefs))
    ran = runner.invoke(program, ["batch", str(path), "--out", str(folder / "out"), "--workers", "1", *more])
    assert ran.exception is None or isinstance(ran.exception, SystemExit), ran.exception
    return ran.exit_code, ran.stdout, ran.stderr


@pytest.mark.usefixtures("as_installed")
def test_a_cap_ends_runs_that_the_next_batch_resumes(tmp_path: Path) -> None:
    circles = [{"studio": "sketch", "instruction": f"{color} circle", "id": color} for color in ("red", "blue")]
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "taken").write_text("not a run")
    taken = {"studio": "sketch", "instruction": "a circle", "id": "taken"}
    code, said, _ = batch(tmp_path, *circles, "nonsense", taken, more=("--max-calls", "1"))
    assert code == 3
    assert re.search(r"^\[\d/4\] error       line 3, 0003: not JSON", said, re.MULTILINE)
    assert re.search(r"^\[\d/4\] valid       red \(.* s\); about \d+ s left$", said, re.MULTILINE)
    assert "ended early line 2, blue: The cap of the batch on calls, 1, is reached. Run it again with" in said
    assert "error       line 4, taken: " in said
    assert "1 run ended early; the same command resumes it." in said
    assert re.search(r"^all +4 +1 +1 +2 +1 +0 +\$0.0000$", said, re.MULTILINE), said
    assert said.endswith(f"gallery: {tmp_path}/out/gallery/index.html\n")

    code, said, errors = batch(tmp_path, *circles, more=("--max-calls", "2", "--limit", "offline=1,100/s", "--json"))
    data = json.loads(said)
    assert (code, data["outcomes"], data["usage"]["calls"]) == (0, {"valid": 2}, 2)
    assert "[2/2] valid       blue" in errors
    assert batch(tmp_path, *circles, more=("--quiet",)) == (0, f"{tmp_path}/out/batch.json\n", "")


@pytest.mark.usefixtures("as_installed")
def test_a_provider_that_is_busy_ends_its_runs_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Busy(Quiet):
        def do_POST(self) -> None:
            self.send_response(429)
            self.send_header("Content-Length", "0")
            self.end_headers()

    monkeypatch.setenv("NOBODYS_KEY", "x")
    with OnLoopback(Busy) as server:
        busy = {"model": "openai-compatible:m", "base_url": f"{server.url}/v1", "models.transport_retries": 0}
        first = {"studio": "sketch", "instruction": "a red circle", "models.api_key_env": "NOBODYS_KEY"} | busy
        code, said, _ = batch(tmp_path, first, {"studio": "sketch", "instruction": "a red circle"})
    assert code == 3
    assert re.search(r"ended early line 1, 0001-a-red-circle: .* did not answer after 1 try .*HTTP 429", said)
    assert "valid       0002-a-red-circle" in said


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--limit", "x"), "limit is 'x'"),
        (("--address", "auto"), "add --on ray"),
        (("--memory", "now"), "memory is 'now'"),
        (("--config", "no.yaml"), "no.yaml"),
    ],
)
def test_wrong_use_is_told(more: tuple[str, ...], said: str, tmp_path: Path) -> None:
    code, _, errors = batch(tmp_path, {"studio": "sketch", "instruction": "a red circle"}, more=more)
    assert code == 2
    assert said in errors


def test_a_file_without_briefs_is_told(tmp_path: Path) -> None:
    ran = runner.invoke(program, ["batch", str(tmp_path / "no.jsonl")])
    assert (ran.exit_code, ran.stderr) == (
        2,
        f"error: Cannot read the briefs {tmp_path}/no.jsonl: No such file or directory.\n",
    )
