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
    assert runner.invoke(program, ["trust", str(path)]).exit_code == 0
    ran = runner.invoke(program, ["batch", str(path), "--out", str(folder / "out"), "--workers", "1", *more])
    assert ran.exception is None or isinstance(ran.exception, SystemExit), ran.exception
    return ran.exit_code, ran.stdout, ran.stderr


class Busy(Quiet):
    """Too many requests, always."""

    def do_POST(self) -> None:
        """Answer 429."""
        self.send_response(429)
        self.send_header("Content-Length", "0")
        self.end_headers()


@pytest.mark.slow
def test_runs_that_end_early_are_named_and_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a provider that is always busy, and by the cap of the batch; and a folder that is a file."""
    monkeypatch.setenv("NOBODYS_KEY", "x")
    (tmp_path / "out" / ".batch").mkdir(parents=True)
    (tmp_path / "out" / "taken").write_text("not a run")
    red, blue, taken = (
        {"studio": "sketch", "instruction": f"a {color} circle", "id": color} for color in ("red", "blue", "taken")
    )
    with OnLoopback(Busy) as server:
        busy = red | {"id": "busy", "model": "openai-compatible:m", "base_url": f"{server.url}/v1"}
        busy |= {"models.transport_retries": 0, "models.api_key_env": "NOBODYS_KEY"}
        code, said, _ = batch(tmp_path, busy, red, blue, "nonsense", taken, more=("--max-calls", "1"))
    assert code == 3
    assert re.search(
        r"^\[\d/5\] ended early line 1, busy: .* did not answer after 1 try .*HTTP 429", said, re.MULTILINE
    )
    assert re.search(r"^\[\d/5\] valid       red \(.* s\); about \d+ s left$", said, re.MULTILINE)
    assert "ended early line 3, blue: The cap of the batch on calls, 1, is reached. Run it again with" in said
    assert re.search(r"^\[\d/5\] error       line 4, 0004: not JSON", said, re.MULTILINE)
    assert "error       line 5, taken: " in said
    assert "2 runs ended early; run the same command to resume them." in said
    assert re.search(r"^all +5 +1 +2 +2 +1 +0 +\$0.0000$", said, re.MULTILINE), said
    assert said.endswith(f"gallery: {tmp_path}/out/gallery/index.html\n")

    code, said, errors = batch(tmp_path, red, blue, more=("--max-calls", "2", "--limit", "offline=1,100/s", "--json"))
    data = json.loads(said)
    assert (code, data["outcomes"], data["usage"]["calls"]) == (0, {"valid": 2}, 2)
    assert "[2/2] valid       blue" in errors
    assert batch(tmp_path, red, blue, more=("--quiet",)) == (0, f"{tmp_path}/out/batch.json\n", "")


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
