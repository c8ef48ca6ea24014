"""Tables and charts of a benchmark: cells as text, for the terminal and for the page `bench.html`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from redraft.bench.arms import ARMS, LOOP
from redraft.bench.result import Bench, Change, Measure, Rate
from redraft.bench.trials import checkpoints
from redraft.files import write_atomic
from redraft.report.html import plural, render

__all__ = ["Table", "tables_of", "tables_of_changes", "write_bench_page"]

PAGE = "bench.html"
LEFT, TOP, WIDE, HIGH = 50.0, 16.0, 300.0, 170.0
"""Units of a chart: margins, and the room of the curves."""
COLORS = ("#7a7f87", "#b26a00", "#7b4fb0", "#17683c", "#a8281d", "#1f6fb2", "#00857a", "#c2498a", "#5b6b1f", "#444444")
MEASURES: dict[Measure, str] = {"valid": "Valid", "holds": "Oracles", "share": "Statements"}
HEAD = ("Arm", *MEASURES.values())


@dataclass(frozen=True)
class Table:
    """A table of text: its title, a note, and rows under a head."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True)
class Line:
    """One arm's curve: its points with their intervals, in the chart's units."""

    name: str
    color: str
    dashes: str
    points: tuple[tuple[float, float, float, float], ...]
    """Across, down, and down for both ends of the interval."""
    words: str

    @property
    def path(self) -> str:
        return " ".join(f"{x},{y}" for x, y, _, _ in self.points)


@dataclass(frozen=True)
class Chart:
    """Success against calls or tokens."""

    title: str
    lines: tuple[Line, ...]
    across: tuple[tuple[float, str], ...]
    down: tuple[tuple[float, str], ...]


def tables_of(bench: Bench) -> list[Table]:
    """Return what a benchmark found as tables."""
    found = _arms(bench)
    if bench.tokens is not None or any(bench.mean(arm, lambda s: s.tokens) for arm in bench.arms):
        found.append(_within(bench, "tokens"))
    found.append(_within(bench, "calls"))
    if LOOP in bench.arms and len(bench.arms) > 1:
        title = f"{LOOP.capitalize()} less each other arm"
        found.append(_changes(title, bench.changes(LOOP), ("Arm", "Measure", "Arm", "Loop")))
    if bench.judged:
        found.append(_judged(bench))
    if bench.calibration:
        found.append(_calibrated(bench))
    return found


def tables_of_changes(changes: Sequence[Change]) -> list[Table]:
    """Return the comparison of two results as tables."""
    return [_changes("Second result less the first", changes, ("Arm", "Measure", "First", "Second"))]


def percent(rate: Rate | None) -> str:
    """`83 (58 to 100)`: percent, with the interval."""
    if rate is None:
        return "–"
    within = "" if rate.low is None or rate.high is None else f" ({_whole(rate.low)} to {_whole(rate.high)})"
    return f"{_whole(rate.mean)}{within}"


def _whole(share: float) -> str:
    return f"{100 * share:.0f}".replace("-", "−").replace("−0", "0")


def _arms(bench: Bench) -> list[Table]:
    failed = {arm: sum(not trial.run for trial in bench.trials if trial.arm == arm) for arm in bench.arms}
    rows, delivered = list[tuple[str, ...]](), list[tuple[str, ...]]()
    for arm, count in failed.items():
        cells = (percent(bench.rate(arm, measure)) for measure in MEASURES)
        spent = (f"{bench.mean(arm, lambda s: s.calls):.1f}", f"{bench.mean(arm, lambda s: s.tokens):,.0f}")
        rows.append((arm, *cells, str(count), *spent))
        delivered.append((arm, *(percent(bench.rate(arm, measure, all_=False)) for measure in MEASURES)))
    budget = plural(bench.calls, "call") + ("" if bench.tokens is None else f" and {bench.tokens:,} tokens")
    runs = f"{plural(len(bench.briefs), 'brief')}, {plural(bench.repeats, 'repeat')}, at most {budget} a run"
    note = (
        "Percent of runs, and of the oracles' statements, with 95 % bootstrap intervals over briefs. "
        "A run that delivers nothing counts as zero."
    )
    found = [Table(f"{bench.studio}, {bench.model}: {runs}", (*HEAD, "Failed", "Calls", "Tokens"), tuple(rows), note)]
    if any(failed.values()):
        found.append(Table("Without the runs that deliver nothing", HEAD, tuple(delivered), "Percent."))
    return found


def _points(bench: Bench, unit: str) -> list[int]:
    """Budgets at which success is shown."""
    if unit == "calls":
        return checkpoints(bench.calls)
    most = bench.tokens or max((shot.tokens for trial in bench.trials for shot in trial.snapshots), default=0)
    return [share for share in (most // 8, most // 4, most // 2, most) if share]


def _within(bench: Bench, unit: str) -> Table:
    points = _points(bench, unit)
    rows = [
        (arm, MEASURES[measure], *(percent(bench.rate(arm, measure, **{unit: at})) for at in points))
        for measure in MEASURES
        for arm in bench.arms
        if bench.rate(arm, measure) is not None
    ]
    return Table(
        f"Success within so many {unit}",
        ("Arm", "Measure", *(f"{at:,}" for at in points)),
        tuple(rows),
        "Percent.",
    )


def _changes(title: str, changes: Sequence[Change], head: Sequence[str]) -> Table:
    rows = [
        (
            one.name,
            MEASURES[one.measure],
            _whole(one.first),
            _whole(one.second),
            percent(one.difference),
            "–" if one.p is None else f"{one.p:.3f}",
        )
        for one in changes
    ]
    note = "Percent, paired by brief; p by a permutation test, not corrected for the number of rows."
    return Table(title, (*head, "Difference", "p"), tuple(rows), note)


def _judged(bench: Bench) -> Table:
    rows: list[tuple[str, ...]] = []
    for first, second in dict.fromkeys((pair.first, pair.second) for pair in bench.judged):
        own = [pair for pair in bench.judged if pair.second == second]
        asked = [pair for pair in own if pair.asked]
        flips = f"{100 * sum(p.flipped for p in asked) / len(asked):.0f} %" if asked else "–"
        votes = [str(sum(pair.better == side for pair in own)) for side in ("first", "same", "second")]
        rows.append((f"{first} against {second}", *votes, flips, str(sum(pair.unread for pair in own))))
    note = (
        "Each pair is seen twice with sides swapped; only what both answers agree on counts, all else is a tie. A "
        "blank picture and one of another task have to lose."
    )
    return Table(
        f"Judged by {bench.judge}", ("Pair", "Wins", "Ties", "Losses", "Flips", "Unreadable"), tuple(rows), note
    )


def _calibrated(bench: Bench) -> Table:
    rows: list[tuple[str, ...]] = []
    for of in ("blank", "unrelated"):
        own = [one for one in bench.calibration if one.of == of]
        if own:
            wrong = ", ".join(one.task for one in own if one.holds)
            share = 100 * sum(one.share for one in own) / len(own)
            rows.append((of, f"{sum(one.holds for one in own)} of {len(own)}", f"{share:.0f} %", wrong or "–"))
    note = "An oracle that holds of an empty result or of another task's says nothing about that task."
    return Table("Oracles on what cannot be right", ("Result", "Hold", "Statements", "Tasks"), tuple(rows), note)


def _chart(bench: Bench, measure: Measure, unit: str) -> Chart | None:
    points, lines = _points(bench, unit), list[Line]()
    places = [round(LEFT + WIDE * (n + 0.5) / len(points), 1) for n in range(len(points))]
    shown = [arm.name for arm in ARMS if arm.name in bench.arms] or list(bench.arms)  # ablations are in the tables
    for number, arm in enumerate(shown):
        rates = [bench.rate(arm, measure, **{unit: at}) for at in points]
        kept = [(x, rate) for x, rate in zip(places, rates, strict=True) if rate is not None]
        if not kept:
            continue
        aside = 5 * (number - (len(shown) - 1) / 2)
        spots = tuple(
            (
                round(x + aside, 1),
                _down(rate.mean),
                _down(rate.mean if rate.low is None else rate.low),
                _down(rate.mean if rate.high is None else rate.high),
            )
            for x, rate in kept
        )
        words = ", ".join(f"{percent(r)} % at {at:,}" for at, r in zip(points, rates, strict=True))
        dashes = "" if number < len(COLORS) else "4 3"
        lines.append(Line(arm, COLORS[number % len(COLORS)], dashes, spots, f"{arm}: {words}"))
    if not lines:
        return None
    across = tuple((x, f"{at:,}") for x, at in zip(places, points, strict=True))
    down = tuple((_down(share / 4), f"{25 * share} %") for share in range(5))
    return Chart(f"{MEASURES[measure]} within so many {unit}", tuple(lines), across, down)


def _down(share: float) -> float:
    return round(TOP + HIGH * (1 - share), 1)


def write_bench_page(bench: Bench, out: Path) -> Path:
    """Write the page of a benchmark into its folder, beside the runs that it links. Raises `RunError`."""
    units = ["calls"] + (["tokens"] if len(_points(bench, "tokens")) > 1 else [])
    charts = [
        chart for unit in units for measure in ("valid", "holds") if (chart := _chart(bench, measure, unit)) is not None
    ]
    made = {(trial.task, trial.arm, trial.repeat): trial for trial in bench.trials}
    briefs = [
        (task, words, [(arm, [made[task, arm, repeat] for repeat in range(bench.repeats)]) for arm in bench.arms])
        for task, words in bench.briefs.items()
    ]
    page = render(
        "bench.html.j2",
        "page.css",
        "bench.css",
        bench=bench,
        tables=tables_of(bench),
        charts=charts,
        briefs=briefs,
        room=(LEFT, TOP, WIDE, HIGH),
    )
    return write_atomic(out / PAGE, page)
