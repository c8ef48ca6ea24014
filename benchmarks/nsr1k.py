"""Layout accuracy on the public NSR-1K prompts: spatial relations and object counts of final drawings.

    python benchmarks/nsr1k.py [--failures] [--limit N]

The prompts are a sample of NSR-1K (weixi-feng/LayoutGPT, MIT; see `data/nsr1k/LICENSE`). They are split in two by a
hash of the prompt: the development half was read while the grammar was written, the held-out half was not, and only
its score is ever printed. The reader below looks at `drawing.json` alone, at labels and boxes, and shares nothing
with the grammar or the planner. Published layouts, re-scored: spatial GPT-4 91.6, LLaMA-13B 45.0, the data set's own
boxes 93.3; counting GPT-4 96.8 and LLaMA-13B 82.7 ("potted-plant" mapped back to its name).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redraft.errors import RedraftError
from redraft.models.base import Request
from redraft.studios.sketch.memory import as_json
from redraft.studios.sketch.offline.answers import ANSWERS
from redraft.studios.sketch.parse import parse
from redraft.studios.sketch.spec import Draft

DATA = Path(__file__).parent / "data" / "nsr1k"
PUBLISHED = {
    "spatial": "GPT-4 91.6 (template 96.4, natural 80.2), LLaMA-13B 45.0",
    "counting": "GPT-4 96.8, LLaMA-13B 82.7",
}

Box = tuple[float, float, float, float]
Case = dict[str, Any]


@dataclass(frozen=True)
class Drawn:
    """One part of a drawing, as `drawing.json` has it."""

    label: str
    box: Box


@dataclass(frozen=True)
class Outcome:
    """One prompt's result."""

    group: str
    held_out: bool
    right: bool
    prompt: str
    why: str


def held_out(prompt: str) -> bool:
    """The half that nobody looks at: odd SHA-256 of the prompt."""
    return int(hashlib.sha256(prompt.encode()).hexdigest(), 16) % 2 == 1


def draw(prompt: str) -> list[Drawn]:
    """The offline model's drawing of a prompt, through the studio's own parser, read back from `drawing.json`."""
    request = Request(kind="sketch.draft", path="benchmark", inputs={"instruction": prompt, "history": ""}, messages=())
    reply = ANSWERS["sketch.draft"](request)
    draft = parse("draft", reply if isinstance(reply, str) else reply.text, None)
    assert isinstance(draft, Draft)
    parts: list[dict[str, Any]] = json.loads(as_json(draft.drawing))["parts"]
    return [Drawn(p["label"], tuple(p["bbox"])) for p in parts]


def named(parts: Sequence[Drawn], category: str) -> list[Drawn]:
    """The parts of a category: their label is its name or ends with it."""
    return [p for p in parts if p.label.endswith(category)]


def direction(a: Box, b: Box) -> str:
    """Return where a lies from b, by their centers, y down: right, above, left, below, or `none` if none is clear."""
    dx = (a[0] + a[2] - b[0] - b[2]) / 2
    dy = (b[1] + b[3] - a[1] - a[3]) / 2
    distance = math.hypot(dx, dy)
    if distance == 0:
        return "none"
    cos, sin, clear = dx / distance, dy / distance, 0.7071
    tests = (("right", cos > clear), ("above", sin > clear), ("left", cos < -clear), ("below", sin < -clear))
    return next((name for name, holds in tests if holds), "none")


def spatial(case: Case, parts: Sequence[Drawn]) -> str:
    """Empty when the asked relation holds for some pair, else what is wrong."""
    first, second = (named(parts, name) for name in case["objects"])
    if not first or not second:
        return f"missing {case['objects'][0] if not first else case['objects'][1]}"
    places = {"next to": {"left", "right"}, "top": {"above"}, "bottom": {"below"}}
    wanted = places.get(case["relation"], {case["relation"]})
    found = {direction(a.box, b.box) for a in first for b in second}
    return "" if found & wanted else f"{case['relation']} asked, {'/'.join(sorted(found))} drawn"


def counting(case: Case, parts: Sequence[Drawn]) -> str:
    """Empty when every category is there exactly as often; for comparisons the first exactly, and the order right."""
    wanted = [(name, number, len(named(parts, name))) for name, number in case["counts"]]
    if case["sub_type"] == "comparison" and len(wanted) == 2:
        (_, n, found), (_, m, other) = wanted
        ordered = (n > m) == (found > other) and (n < m) == (found < other)
        return "" if found == n and ordered else f"{n}:{m} asked, {found}:{other} drawn"
    wrong = [f"{number} {name} asked, {found} drawn" for name, number, found in wanted if found != number]
    return "; ".join(wrong)


def run(task: str, judge: Callable[[Case, Sequence[Drawn]], str], limit: int | None) -> list[Outcome]:
    """Draw and judge every prompt of a task."""
    lines = (DATA / f"{task}.jsonl").read_text(encoding="utf-8").splitlines()[:limit]
    found: list[Outcome] = []
    for line in lines:
        case: Case = json.loads(line)
        prompt = case["prompt"]
        try:
            why = judge(case, draw(prompt))
        except RedraftError as error:
            why = f"{type(error).__name__}: {error}"
        group = f"{case['type']}, {case['relation']}" if task == "spatial" else case["sub_type"]
        found.append(Outcome(group, held_out(prompt), not why, prompt, why))
    return found


def share(outcomes: Sequence[Outcome]) -> str:
    """ "98.4 (362/368)"."""
    right = sum(o.right for o in outcomes)
    return f"{100 * right / len(outcomes):5.1f} ({right}/{len(outcomes)})" if outcomes else "none"


def report(task: str, outcomes: Sequence[Outcome], *, failures: bool) -> None:
    """The table of one task; failures of the development half only."""
    print(f"\n{task}: accuracy in %, development half | held-out half | all      published: {PUBLISHED[task]}")
    kinds = sorted({o.group for o in outcomes} | {o.group.split(",")[0] for o in outcomes})
    for group in [*kinds, "all"]:
        chosen = [o for o in outcomes if group in {o.group, o.group.split(",")[0], "all"}]
        halves = [[o for o in chosen if not o.held_out], [o for o in chosen if o.held_out], chosen]
        print(f"  {group:18s} " + " | ".join(f"{share(half):>17s}" for half in halves))
    if failures:
        for outcome in outcomes:
            if not outcome.right and not outcome.held_out:
                print(f"    {outcome.why}: {outcome.prompt!r}")


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--failures", action="store_true", help="list what failed in the development half")
    parser.add_argument("--limit", type=int, default=None, help="only the first N prompts of each task")
    options = parser.parse_args(arguments)
    start = time.perf_counter()
    results = {"spatial": run("spatial", spatial, options.limit), "counting": run("counting", counting, options.limit)}
    for task, outcomes in results.items():
        assert outcomes, f"no prompt of {task} was read"
        failed = [one.why for one in outcomes if one.why.startswith("FormatError")]
        assert not failed, f"{len(failed)} replies of {task} could not be read; the first: {failed[0]}"
        report(task, outcomes, failures=options.failures)
    total = sum(len(o) for o in results.values())
    print(f"\n{total} drawings in {time.perf_counter() - start:.0f} s, offline model, seed 0")


if __name__ == "__main__":
    main(sys.argv[1:])
