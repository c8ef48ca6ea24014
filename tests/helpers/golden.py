"""The golden files: what the shipped commands print, record and deliver with the offline model, for comparison.

`python tests/helpers/golden.py` writes them anew after a deliberate change; the difference belongs into its commit.
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from pathlib import Path
from typing import Any, cast

from typer.testing import CliRunner

from redraft.cli.program import program

FOLDER = Path(__file__).parents[1] / "golden"
COMMANDS: dict[str, list[str]] = {
    "sketch": ["sketch", "a house with two windows and a door, a tree to its left, the sun above"],
    "sketch-ideas": ["sketch", "a lighthouse on a rock", "--ideas", "3"],
    "sketch-strict": ["sketch", "a cat with two ears between two trees", "--heuristics", "strict"],
    "scene": ["scene", "a red cube on a table"],
    "board": ["board", "place", "my.kicad_pcb", "put C1 0.5 mm right of U1", "-o", "placed.kicad_pcb"],
    "board-all": ["board", "place", "my.kicad_pcb", "--all", "-o", "placed.kicad_pcb"],
    "image": ["image", "fox, snow, lantern"],
    "shader": ["shader", "waves at sunset"],
}
ALIKE = {".svg", ".kicad_pcb", ".glsl", ".frag", ".py", ".txt"}
"""Suffixes of files whose bytes depend on no driver and no clock."""


def golden(name: str, folder: Path) -> dict[str, Any]:
    """Run a command in an empty folder that is the current one: exit code, printed JSON, record, requests and files.

    Events are their place, name and digest; requests and files are digests of their text, so that a change shows as one
    line.
    """
    runner = CliRunner()
    assert runner.invoke(program, ["examples", "."]).exit_code == 0
    before = {path.name for path in folder.iterdir()}
    ran = runner.invoke(program, [*COMMANDS[name], "--out", "run", "--seed", "7", "--json"])
    events = [json.loads(line) for line in (folder / "run" / "events.jsonl").read_text("utf-8").splitlines()]
    requests = {
        event["key"]: _digest("\n".join(message["text"] for message in event["inputs"]["messages"]))
        for event in events
        if event["event"] == "effect_started" and "messages" in event["inputs"]
    }
    files = {
        path.relative_to(folder).as_posix(): _digest(path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix in ALIKE and path.name not in before
    }
    return {
        "exit": ran.exit_code,
        "printed": _plain(json.loads(ran.stdout.replace(str(folder), "FOLDER"))),
        "events": [f"{event['key']} {event['event']}" for event in events],
        "requests": requests,
        "files": files,
    }


def _digest(content: str | bytes) -> str:
    data = content.encode() if isinstance(content, str) else content
    return hashlib.sha256(data).hexdigest()[:16]


def _plain(value: Any) -> Any:
    """Without what differs from machine to machine: measured times and scores, and the run's name."""
    if isinstance(value, dict):
        named = cast("dict[str, Any]", value)
        return {k: _plain(v) for k, v in named.items() if k not in ("milliseconds", "seconds", "took")}
    if isinstance(value, list):
        return [_plain(v) for v in cast("list[Any]", value)]
    return re.sub(r"-[0-9a-f]{6}\b", "-XXXXXX", value) if isinstance(value, str) else value


if __name__ == "__main__":
    import contextlib

    for name in COMMANDS:
        with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
            found = golden(name, Path(place))
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / f"{name}.json").write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")
