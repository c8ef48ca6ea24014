"""How many drawings are valid before and after repair, and what they cost: offline, and recorded of a capable model.

The briefs are in `data/briefs.txt`; a recording is what a model answered to one brief through `--model inbox:DIR`, in
`data/recordings/`. Recorded replies are given back by their place in the run, the rules being today's; where today's
rules ask for a reply that was never recorded, the run ends there and counts as it stands.

    python benchmarks/validity.py [offline|recorded]
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from redraft import app
from redraft.config import Config
from redraft.errors import ModelUnavailableError
from redraft.models.base import Model, ModelInfo, Reply, Request
from redraft.models.replay import read_recording
from redraft.transcript import Run

HERE = Path(__file__).parent
RECORDINGS = HERE / "data" / "recordings"


@dataclass(frozen=True)
class Row:
    """One brief's outcome."""

    brief: str
    before: bool
    after: bool
    score_before: float
    score_after: float
    calls: int
    solver: int
    unanswered: bool
    unchecked: int


class RecordedModel:
    """Replies by path alone, so that a change of wording in a prompt does not make a recording worthless."""

    def __init__(self, path: Path) -> None:
        header, lines = read_recording(path)
        self.brief = header.brief
        self._replies = {line.path: line.reply() for line in lines.values()}
        self._info = ModelInfo(name=f"recorded:{path.stem}", sees=header.sees, label=header.label)

    @property
    def info(self) -> ModelInfo:
        return self._info

    async def ask(self, request: Request) -> Reply:
        reply = self._replies.get(request.path)
        if reply is None:
            raise ModelUnavailableError(f"nothing was recorded at {request.path}")
        return reply


def measure(brief: str, model: Model | None) -> Row:
    """Run one brief in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        result = app.run("sketch", brief, config=Config(), model=model, out=Path(folder) / "run")
        transcript = Run.load(result.run).transcript
    checks = [v for turn in transcript.turns for v in turn.validations]
    return Row(
        brief=brief,
        before=bool(checks) and checks[0].report.valid,
        after=result.valid,
        score_before=checks[0].report.score if checks else 0.0,
        score_after=result.score,
        calls=result.usage.calls,
        solver=sum(v.source == "solver" for v in checks),
        unanswered=result.error is not None,
        unchecked=len(result.report.unchecked),
    )


def offline() -> list[Row]:
    lines = (HERE / "data" / "briefs.txt").read_text(encoding="utf-8").splitlines()
    return [measure(line, None) for line in lines if line.strip() and not line.startswith("#")]


def recorded() -> list[Row]:
    models = [RecordedModel(path) for path in sorted(RECORDINGS.glob("*.jsonl"))]
    return [measure(model.brief, model) for model in models]


def table(title: str, rows: list[Row]) -> None:
    print(f"\n{title}: {len(rows)} briefs")
    print(f"{'before':>7} {'after':>7} {'calls':>5} {'solver':>6} {'unread':>6}  brief")
    for row in rows:
        marks = ["ok" if flag else "-" for flag in (row.before, row.after)]
        late = "  (a reply was not recorded)" if row.unanswered else ""
        print(
            f"{marks[0]:>2} {row.score_before:4.2f} {marks[1]:>2} {row.score_after:4.2f} {row.calls:5d} "
            f"{row.solver:6d} {row.unchecked:6d}  {row.brief}{late}"
        )
    count = len(rows) or 1
    before, after = (sum(getattr(r, name) for r in rows) / count for name in ("before", "after"))
    calls = sum(r.calls for r in rows) / count
    print(f"valid before repair {before:.0%}, after {after:.0%}; {calls:.2f} calls a drawing")


def main() -> int:
    kinds: dict[str, Callable[[], list[Row]]] = {"offline": offline, "recorded": recorded}
    for name in sys.argv[1:] or list(kinds):
        table(name, kinds[name]())
    return 0


if __name__ == "__main__":
    sys.exit(main())
