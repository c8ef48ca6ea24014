"""Whole runs with replies that pile parts on each other: their folder, log lines and requests stay small."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import redraft
from redraft.models.scripted import ScriptedModel
from redraft.record.journal import read_events
from redraft.record.log import log_lines

PARTS, STROKES = 500, 2_000


def heap() -> str:
    """As many parts and strokes as a drawing may have, on each other."""
    plan = [{"name": f"disc_{n}", "label": "disc", "parent": None} for n in range(PARTS)]
    discs = [
        {"part": f"disc_{n % PARTS}", "kind": "ellipse", "cx": 0.4 + 1e-5 * n, "cy": 0.5, "rx": 0.2, "ry": 0.2}
        for n in range(STROKES)
    ]
    return json.dumps({"plan": plan, "strokes": [{**disc, "fill": "#d98c4a"} for disc in discs]})


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("heuristics", ["default", "strict"])
def test_a_heap_costs_a_run_little(tmp_path: Path, heuristics: str) -> None:
    reply = heap()
    model = ScriptedModel([reply] * 10)
    result = redraft.sketch(
        "a pile of discs", model=model, out=tmp_path / "run", heuristics=heuristics, iterations=1, repairs=1
    )
    assert result.valid is (heuristics == "default")
    size = sum(path.stat().st_size for path in (tmp_path / "run").rglob("*") if path.is_file())
    assert size < 10_000_000
    assert sum(len(log_lines(event)) for event in read_events(tmp_path / "run")) < 200
    prompts = [sum(len(message.text) for message in request.messages) for request in model.requests]
    assert max(prompts) < 2 * len(reply)
