"""`make bench` runs every benchmark, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
TOOLS = {
    "agent_client",
    "boards_judge",
    "boards_readers",
    "boards_redraft",
    "docs_pictures",
    "gallery",
    "image_gallery",
    "lexicon_sheet",
    "precision_kicad",
    "record",
    "scene_gallery",
    "shader_gallery",
}
"""Programs that others start, and those that write pictures or data."""


def test_make_bench_runs_every_benchmark() -> None:
    (line,) = re.findall(r"^BENCHMARKS := (.*)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    programs = {p.stem for p in (ROOT / "benchmarks").glob("*.py") if '"__main__"' in p.read_text("utf-8")}
    assert sorted(line.split()) == sorted(programs - TOOLS)
