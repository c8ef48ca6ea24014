"""How many drawings are valid before and after repair, how much of each brief was measured, and what they cost.

Offline, and recorded of a capable model.

The briefs are in `data/briefs.txt`; a recording is what a model answered to one brief through `--model inbox:DIR`, in
`data/recordings/`. Recorded replies are given back by their place in the run, the rules being today's; where today's
rules ask for a reply that was never recorded, the run ends there and counts as it stands.

    python benchmarks/validity.py [offline|recorded]
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from redraft import api
from redraft.config import Config, LoopSettings
from redraft.errors import ModelUnavailableError
from redraft.models.base import Model, ModelInfo, Reply, Request
from redraft.models.replay import read_recording
from redraft.record.transcript import Record

HERE = Path(__file__).parent
RECORDINGS = HERE / "data" / "recordings"


@dataclass(frozen=True)
class Row:
    """One brief's outcome. A draft is `unmet` if it is valid but for requirements that nothing was decided about."""

    brief: str
    before: str
    after: str
    met: int
    stated: int
    notes: int
    """Different notes of all checks."""
    calls: int
    unanswered: bool
    unmeasured: int


class RecordedModel:
    """The recorded first draft, by path alone, so that a change of wording in a prompt does not make it worthless.

    What was said to later requests answered others than today's (critiques of another schema, repairs of what rules of
    thumb called errors), so it is not asked: no repair, no further turn, and the model does not see.
    """

    loop = LoopSettings(iterations=1, repairs=0)

    def __init__(self, path: Path) -> None:
        header, lines = read_recording(path)
        self.brief = header.brief
        self._replies = {line.path: line.reply() for line in lines.values()}
        self._info = ModelInfo(name=f"recorded:{path.stem}", label=header.label)

    @property
    def info(self) -> ModelInfo:
        return self._info

    async def ask(self, request: Request) -> Reply:
        reply = self._replies.get(request.path)
        if reply is None:
            raise ModelUnavailableError(f"nothing was recorded at {request.path}")
        return reply


def measure(brief: str, model: Model | None) -> Row:
    """Record one brief in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        loop = model.loop if isinstance(model, RecordedModel) else LoopSettings()
        result = api.run("sketch", brief, config=Config(loop=loop), model=model, out=Path(folder) / "run")
        transcript = Record.load(result.run).transcript
    checks = [v for turn in transcript.turns for v in turn.validations]
    first, last = (checks[0].report, result.report) if checks else (result.report, result.report)
    return Row(
        brief=brief,
        before="unmet" if first.valid and first.mismatches else "valid" if first.valid else "not valid",
        after=result.outcome,
        met=sum(m.outcome in ("met", "inexact") for m in last.requirements),
        stated=len(last.requirements),
        notes=len({i.key for check in checks for i in check.report.notes}),
        calls=result.usage.calls,
        unanswered=result.error is not None,
        unmeasured=len(last.unchecked),
    )


def offline() -> list[Row]:
    lines = (HERE / "data" / "briefs.txt").read_text(encoding="utf-8").splitlines()
    return [measure(line, None) for line in lines if line.strip() and not line.startswith("#")]


def recorded() -> list[Row]:
    models = [RecordedModel(path) for path in sorted(RECORDINGS.glob("*.jsonl"))]
    return [measure(model.brief, model) for model in models]


def table(title: str, rows: list[Row]) -> None:
    print(f"\n{title}: {len(rows)} briefs")
    print(f"{'before':<9} {'after':<9} {'met':>7} {'notes':>5} {'calls':>5} {'unmeasured':>10}  brief")
    for row in rows:
        late = "  (a reply was not recorded)" if row.unanswered else ""
        print(
            f"{row.before:<9} {row.after:<9} {f'{row.met} of {row.stated}':>7} {row.notes:5d} {row.calls:5d} "
            f"{row.unmeasured:10d}  {row.brief}{late}"
        )
    count = len(rows) or 1
    calls, notes = (sum(getattr(r, name) for r in rows) / count for name in ("calls", "notes"))
    for when in ("before", "after"):
        shares = Counter(getattr(row, when) for row in rows).most_common()
        print(f"{when}: " + ", ".join(f"{what} {number} ({number / count:.0%})" for what, number in shares))
    print(f"{notes:.2f} notes and {calls:.2f} calls a drawing")


def main() -> int:
    kinds: dict[str, Callable[[], list[Row]]] = {"offline": offline, "recorded": recorded}
    for name in sys.argv[1:] or list(kinds):
        rows = kinds[name]()
        assert rows, f"no {name} brief was read"
        silent = [row.brief for row in rows if not row.calls]
        assert not silent, f"{len(silent)} briefs were not drawn: {'; '.join(silent)}"
        table(name, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
