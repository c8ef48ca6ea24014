"""Run folders written event by event, as the loop writes them, with pictures drawn for the purpose."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import resvg_py
from pydantic import JsonValue

from redraft.files import write_atomic
from redraft.models.base import Message, Reply, Request
from redraft.record.events import (
    Attempted,
    EffectFinished,
    EffectStarted,
    Iterated,
    RunFinished,
    RunStarted,
    Validated,
    Verified,
    Warned,
)
from redraft.record.journal import Journal, digest_of
from redraft.result import Difference, Issue, IterationRecord, Mark, Report, Usage, Verdict

BRIEF = "Two flowers to the left of a house, and a tree much further right, in a wistful mood"


class RunWriter:
    """Writes a run; every event is half a second after the one before."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ticks = 0
        self.kept: Validated | None = None
        self.journal = Journal(folder, clock=self.clock)

    def clock(self) -> datetime:
        self.ticks += 1
        return datetime(2026, 11, 22, 9, 30, tzinfo=UTC) + timedelta(seconds=0.5 * self.ticks)

    def start(self, instruction: str = BRIEF, **changes: object) -> None:
        fields: dict[str, object] = {
            "redraft": "0.1.0",
            "run": "runs/2026-11-22-flowers",
            "studio": "sketch",
            "brief": {"instruction": instruction, "on": None, "target": None},
            "config": {"model": "offline", "loop": {"candidates": 3, "repairs": 2}, "budget": {"calls": 100}},
            "model": {"name": "offline", "sees": False, "label": "a rule-based planner, no language model"},
            "seed": 7,
            "worst_case_calls": 20,
        }
        self.journal.write(RunStarted.model_validate({"key": "", "at": self.journal.now, **fields, **changes}))

    def call(
        self, path: str, prompt: str, reply: str | None, *, kind: str = "sketch.draft", **params: JsonValue
    ) -> None:
        request = Request(
            kind=kind,
            path=path,
            inputs={},
            messages=(Message(role="system", text=SYSTEM), Message(role="user", text=prompt)),
            seed=11,
            template="3f2a9c01be77",
        )
        inputs: JsonValue = request.model_dump(mode="json")
        self.journal.write(EffectStarted(key=path, at=self.journal.now, digest=digest_of(inputs), inputs=inputs))
        if reply is not None:
            usage = Usage(calls=1, input_tokens=len(prompt) // 4, output_tokens=len(reply) // 4, cost=0.0)
            said = Reply(text=reply, model="offline", usage=usage, params=params).model_dump(mode="json")
            self.journal.write(EffectFinished(key=path, at=self.journal.now, digest=digest_of(inputs), result=said))

    def ran(self, path: str, code: str) -> None:
        """A program that was run."""
        inputs: JsonValue = {"draft": {"code": code}, "base": None}
        self.journal.write(EffectStarted(key=path, at=self.journal.now, digest=digest_of(inputs), inputs=inputs))
        self.journal.write(EffectFinished(key=path, at=self.journal.now, digest=digest_of(inputs), result={}))

    def attempted(self, path: str, **changes: object) -> None:
        fields: dict[str, object] = {
            "kind": "draft",
            "ran": True,
            "retry_count": 0,
            "errors": (),
            "approach": "A house in the middle third, flowers in front of its left wall",
            "summary": "14 strokes",
        }
        self.journal.write(Attempted.model_validate({"key": path, "at": self.journal.now, **fields, **changes}))

    def validated(self, path: str, report: Report, scene: str, **changes: object) -> None:
        stem = path.replace("/", "-")
        fields: dict[str, object] = {"iteration": 1, "candidate": None, "index": 0, "source": "draft", "repairs": 2}
        fields["picture"] = self.picture(f"{stem}-plain.png", scene)
        fields["overlay"] = self.picture(f"{stem}-issues.png", scene + marks_of(report))
        event = Validated.model_validate({"key": path, "at": self.journal.now, "report": report, **fields, **changes})
        self.kept = event if event.kept else self.kept
        self.journal.write(event)

    def picture(self, name: str, scene: str) -> str:
        write_atomic(self.folder / "pictures" / name, _png(scene))
        return f"pictures/{name}"

    def warned(self, message: str) -> None:
        self.journal.write(Warned(key="memory", at=self.journal.now, message=message))

    def verified(self, verdict: Verdict, turn: int = 1, compared: tuple[str, ...] = ()) -> None:
        key, at = f"iteration-{turn}/verify", self.journal.now
        self.journal.write(Verified(key=key, at=at, iteration=turn, verdict=verdict, compared=compared))

    def iterated(self, record: IterationRecord) -> None:
        key = f"iteration-{record.iteration}"
        self.journal.write(Iterated(key=key, at=self.journal.now, record=record, best=True))

    def finish(self, scene: str = "", **changes: object) -> None:
        fields: dict[str, object] = {"valid": True, "score": 1.0, "delivered": "iteration-1", "files": {}}
        if self.kept is not None:
            fields |= {"validation": self.kept.key, "report": self.kept.report}
        if scene:
            svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">{scene}</svg>'
            write_atomic(self.folder / "drawing.svg", svg)
            fields["files"] = {"svg": "drawing.svg"}
        self.journal.write(RunFinished.model_validate({"key": "", "at": self.journal.now, **fields, **changes}))


@cache
def _png(scene: str) -> bytes:
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">{scene}</svg>'
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=512, height=512, background="#ffffff"))


SYSTEM = "You draw on a unit canvas: x to the right, y down, both from 0 to 1.\n" + "Parts are named and nested. " * 30


def house(x: float) -> str:
    return (
        f'<rect x="{x}" y=".5" width=".24" height=".27" fill="#f3dfb8" stroke="#3b2f2a" stroke-width=".006"/>'
        f'<path d="M{x - 0.03} .5 l.15 -.17 l.15 .17Z" fill="#c8553d" stroke="#3b2f2a" stroke-width=".006"/>'
        f'<rect x="{x + 0.04}" y=".6" width=".07" height=".17" fill="#7a5230"/>'
        f'<rect x="{x + 0.14}" y=".58" width=".07" height=".07" fill="#bfe0f2" stroke="#3b2f2a" stroke-width=".005"/>'
    )


def flower(x: float) -> str:
    petals = "".join(
        f'<circle cx="{x + dx}" cy="{0.62 + dy}" r=".022" fill="#d9468f"/>'
        for dx, dy in ((0, -0.028), (0.028, 0), (0, 0.028), (-0.028, 0))
    )
    stem = f'<path d="M{x} .64 V.77" stroke="#3c8a4e" stroke-width=".009"/>'
    return f'{stem}{petals}<circle cx="{x}" cy=".62" r=".017" fill="#f2c14e"/>'


def tree(x: float) -> str:
    return (
        f'<rect x="{x - 0.014}" y=".58" width=".03" height=".19" fill="#7a5230"/>'
        f'<ellipse cx="{x}" cy=".46" rx=".08" ry=".14" fill="#4fa35a" stroke="#2d5a35" stroke-width=".005"/>'
    )


def scene(flowers: tuple[float, float], home: float, wood: float) -> str:
    ground = '<path d="M0 .77 H1" stroke="#3c8a4e" stroke-width=".008"/>'
    return f"{ground}{house(home)}{''.join(flower(x) for x in flowers)}{tree(wood)}"


def marks_of(report: Report) -> str:
    return "".join(_mark(m, i.severity) for i in report.issues for m in i.marks)


def _mark(mark: Mark, severity: str) -> str:
    x0, y0, x1, y1 = mark.at
    colour = {"error": "#c4281c", "warning": "#b26a00"}.get(severity, "#4a5a8a")
    pen = f'stroke="{colour}" stroke-width=".006" fill="none"'
    text = f'<text x="{x0}" y="{y0 - 0.015}" font-size=".04" fill="{colour}">{mark.text}</text>'
    if mark.kind == "box":
        return f'<rect x="{x0}" y="{y0}" width="{x1 - x0}" height="{y1 - y0}" stroke-dasharray=".02 .01" {pen}/>{text}'
    return f'<path d="M{x0} {y0} L{x1} {y1}" {pen}/>{text}'


TOO_NEAR = Issue(
    code="spacing.far",
    severity="error",
    message="tree is 0.04 from house; “much further right” asks for about 0.30",
    subjects=("tree", "house"),
    numbers={"gap": 0.04, "wanted": 0.3},
    hint="Move tree right by 0.26.",
    marks=(Mark(kind="arrow", at=(0.64, 0.5, 0.7, 0.5), text="0.04"),),
    phrase="much further right",
)
OVERLAP = Issue(
    code="overlap.cover",
    severity="error",
    message="flower_2 and house overlap by 14 % of their union",
    subjects=("flower_2", "house"),
    numbers={"ratio": 0.14, "allowed": 0.1},
    hint="Move flower_2 left by 0.08.",
    marks=(Mark(kind="box", at=(0.34, 0.56, 0.45, 0.78), text="14 %"),),
)
UNEVEN = Issue(
    code="size.pair",
    severity="warning",
    message="flower_1 and flower_2 differ in size by a factor of 2.3",
    subjects=("flower_1", "flower_2"),
    numbers={"ratio": 2.3, "allowed": 2.0},
)
UNCHECKED = ("in a wistful mood",)
BEFORE, SOLVED, AFTER = (
    scene((0.28, 0.4), 0.37, 0.71),
    scene((0.2, 0.3), 0.37, 0.71),
    scene((0.16, 0.27), 0.34, 0.91),
)


def full_run(writer: RunWriter) -> None:
    """Strict rules of thumb: three candidates, the solver, two repairs, a critic, a finished run."""
    writer.start()
    for n, (picture, issues) in enumerate(
        [
            (BEFORE, (OVERLAP, TOO_NEAR)),
            (SOLVED, (TOO_NEAR, OVERLAP, UNEVEN)),
            (scene((0.5, 0.6), 0.4, 0.7), (OVERLAP,) * 4),
        ]
    ):
        path = f"iteration-1/candidate-{n}"
        writer.call(f"{path}/draft", f"Draw: {BRIEF}\n\nAnswer with JSON.", DRAFT, retries=1 if n == 2 else 0)
        writer.attempted(f"{path}/draft", retry_count=n, errors=("E2: no JSON fence was found",) * n)
        chosen = n == 0
        writer.validated(
            f"{path}/validate-0",
            Report(heuristics="strict", issues=issues, unchecked=UNCHECKED),
            picture,
            candidate=n,
            next="solver" if chosen else "rank",
            kept=chosen,
        )
    base = "iteration-1/candidate-0"
    writer.validated(
        f"{base}/validate-1",
        Report(heuristics="strict", issues=(TOO_NEAR,), unchecked=UNCHECKED),
        SOLVED,
        candidate=0,
        index=1,
        source="solver",
        next="repair",
        repair=1,
        note="Solver: moved flower_1 by (−0.08, 0) and flower_2 by (−0.10, 0), the least that is enough (proven).",
    )
    writer.call(f"{base}/repair-2", "Correct these issues:\n1. " + TOO_NEAR.message, DRAFT, kind="sketch.repair")
    writer.attempted(f"{base}/repair-2", kind="repair", index=2, approach="Moved the tree to the right edge")
    writer.validated(
        f"{base}/validate-2",
        Report(heuristics="strict", issues=(), inherited=(UNEVEN,), unchecked=UNCHECKED),
        AFTER,
        candidate=0,
        index=2,
        source="repair",
        next="use",
    )
    writer.verified(
        Verdict(
            by="critic",
            satisfied=True,
            score=0.9,
            summary="All four things are there, as asked.",
            differences=(Difference(text="The tree touches the edge of the paper.", weight="minor"),),
        )
    )
    writer.iterated(IterationRecord(iteration=1, agent_notes="flowers in front", metric="VALIDATION", score=1.0))
    writer.warned("The fix memory cannot be used and is off for this run: no such file: fixes.sqlite")
    writer.finish(AFTER)


DRAFT = """Here is the drawing.

```json
{"approach": "A house in the middle third", "plan": [{"name": "house", "label": "house", "parent": null}],
 "strokes": [{"part": "house", "kind": "rect", "x": 0.37, "y": 0.5, "w": 0.24, "h": 0.27, "fill": "#f3dfb8"}]}
```
"""
