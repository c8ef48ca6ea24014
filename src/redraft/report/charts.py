"""The charts of a run: the distance to a target turn by turn, and the score of every report, as places on a grid.

Places across are shares of the width in percent, so that the chart fits any page; places down are pixels.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from redraft.record.events import Event, Validated
from redraft.record.history import DIRECTIONS, nearness
from redraft.record.transcript import Transcript, Turn
from redraft.report.html import way
from redraft.result import IterationRecord, Score

LEFT, RIGHT = 12.0, 99.0
"""Percent of the width between which the turns lie; the figures of the axis stand left of them."""
TOP, BOTTOM = 28.0, 150.0
"""Pixels from the top between which the scores lie; the names of the turns stand below."""
ROOM_FOR_WORDS, ROOM_ON_A_PHONE = 14.0, 21.0
"""Percent of the width that a turn needs to have its word written below it, at 450 pixels and at 300."""
NAMED = 12
"""Turns whose number is written below the axis; of more, every second, third …"""

_Slot = tuple[int, int]
"""A turn, and the index of a validation within it; candidates share one."""


@dataclass(frozen=True)
class Bar:
    """One validation in the chart of reports: `height` of 40 units, at `x`."""

    anchor: str
    x: int
    height: int
    valid: bool
    title: str


@dataclass(frozen=True)
class Dot:
    """One validation in the curve."""

    anchor: str
    x: float
    y: float
    kept: bool
    best: bool
    title: str


@dataclass(frozen=True)
class Tick:
    """A line across, with its figure."""

    y: float
    text: str


@dataclass(frozen=True)
class Name:
    """A turn below the axis, and its outcome: `tone` is `good`, `bad` or nothing."""

    x: float
    text: str
    word: str
    mark: str
    """Instead of the word, where that has no room."""
    tone: str


@dataclass(frozen=True)
class Crown:
    """The words beside the best dot; `anchor` is the SVG's text-anchor."""

    x: float
    y: float
    text: str
    anchor: str


@dataclass(frozen=True)
class Curve:
    """The scores of a run by its metric, kept ones joined."""

    title: str
    words: str
    """All of it in sentences, for who does not see it."""
    room: str
    """For the turns' words: `ample`, `wide` (on a wide page only), `none` (signs stand for them)."""
    dots: tuple[Dot, ...]
    joins: tuple[tuple[Dot, Dot], ...]
    ticks: tuple[Tick, ...]
    names: tuple[Name, ...]
    crown: Crown | None


def bars_of(events: Iterable[Event]) -> tuple[Bar, ...]:
    """A bar for each validation that is judged by its score: where rules of thumb are strict."""
    return tuple(
        Bar(
            anchor=e.key.replace("/", "-"),
            x=10 * n,
            height=max(2, round(40 * e.report.score)),
            valid=e.report.valid,
            title=f"Turn {e.iteration}, {e.source}: {e.report.score:.2f}, {'valid' if e.report.valid else 'not valid'}",
        )
        for n, e in enumerate(e for e in _in_order(events) if e.report.heuristics == "strict")
    )


def _in_order(events: Iterable[Event]) -> list[Validated]:
    """Candidates beside each other first, then the chosen one's later validations, in logical order."""
    found = (e for e in events if isinstance(e, Validated))
    return sorted(found, key=lambda e: (e.iteration, e.index, e.candidate or 0))


def curve_of(transcript: Transcript, events: Iterable[Event]) -> Curve | None:
    """The curve of a run that has two scores or more by one metric, otherwise None."""
    scored = [(e, e.score) for e in _in_order(events) if e.score is not None and math.isfinite(e.score.best)]
    metric = scored[-1][1].metric if scored else ""
    scored = [(e, s) for e, s in scored if s.metric == metric]
    if len(scored) < 2:
        return None
    places = _places(transcript.turns)
    lines = ticks(min(s.best for _, s in scored), max(s.best for _, s in scored))
    best = _best(metric, scored)
    dots = tuple(_dot(e, s, places, lines, best=e is best) for e, s in scored)
    kept = [dot for dot in dots if dot.kept]
    crowned = next((dot for dot in dots if dot.best), None)
    title = f"{metric} turn by turn" + (f", {way(metric)}" if way(metric) else "")
    return Curve(
        title=title,
        words=_words(title, transcript.turns, scored, best),
        room=_room(transcript.turns, places),
        dots=dots,
        joins=tuple(pairwise(kept)),
        ticks=tuple(Tick(_down(line, lines), f"{line:.{_decimals(lines)}f}") for line in lines),
        names=_names(transcript.turns, places),
        crown=None if crowned is None or best is None or best.score is None else _crown(crowned, best.score),
    )


def _best(metric: str, scored: Sequence[tuple[Validated, Score]]) -> Validated | None:
    """The nearest one among the valid, or among all where none is; the earlier of equals."""
    if metric not in DIRECTIONS:
        return None
    return max(scored, key=lambda pair: (pair[0].report.valid, nearness(pair[1])))[0]


def _places(turns: Sequence[Turn]) -> Mapping[_Slot, float]:
    """Return the horizontal place of each validation; a turn without any has a place too."""
    slots = sorted({(t.iteration, i) for t in turns for i in ({v.index for v in t.validations} or {0})})
    width = (RIGHT - LEFT) / len(slots)
    return {slot: round(LEFT + (n + 0.5) * width, 2) for n, slot in enumerate(slots)}


def ticks(low: float, high: float) -> list[float]:
    """Three to six round figures, evenly spaced, the first not above `low` and the last not below `high`."""
    if high - low < 1e-9 * max(1.0, abs(low), abs(high)):
        pad = max(0.01, 0.05 * abs(high))
        low, high = low - pad, high + pad
    rough = (high - low) / 3
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(n * size for n in (1, 2, 2.5, 5, 10) if n * size >= rough * 0.9999)
    first = math.floor(low / step + 1e-9)
    last = max(math.ceil(high / step - 1e-9), first + 2)
    return [n * step for n in range(first, last + 1)]


def _decimals(lines: Sequence[float]) -> int:
    """The fewest decimals that distinguish the lines and are exact for them."""
    step = lines[1] - lines[0]
    return next((n for n in range(7) if abs(round(step, n) - step) < step * 1e-6), 7)


def _down(value: float, lines: Sequence[float]) -> float:
    return round(BOTTOM - (BOTTOM - TOP) * (value - lines[0]) / (lines[-1] - lines[0]), 1)


def _dot(event: Validated, score: Score, places: Mapping[_Slot, float], lines: Sequence[float], *, best: bool) -> Dot:
    candidate = "" if event.candidate is None else f", candidate {event.candidate}"
    state = "" if event.report.valid else ", not valid"
    return Dot(
        anchor=event.key.replace("/", "-"),
        x=places[event.iteration, event.index],
        y=_down(score.best, lines),
        kept=event.kept,
        best=best,
        title=f"Turn {event.iteration}{candidate}, {event.source}: {score.metric} {score.best:.4f}{state}",
    )


def _crown(dot: Dot, score: Score) -> Crown:
    """Outside the curve: below the lowest, above the highest."""
    lower = DIRECTIONS[score.metric] == "lower"
    anchor = "start" if dot.x < LEFT + 6 else "end" if dot.x > RIGHT - 14 else "middle"
    return Crown(dot.x, dot.y + (21 if lower else -13), f"best {score.best:.4f}", anchor)


_MARKS = {"improved": "+", "worsened": "−", "failed": "×"}
_TONES = {"improved": "good", "worsened": "bad", "failed": "bad"}


def _names(turns: Sequence[Turn], places: Mapping[_Slot, float]) -> tuple[Name, ...]:
    every = math.ceil(len(turns) / NAMED)
    long = len(turns) <= NAMED // 2
    names: list[Name] = []
    for n, turn in enumerate(turns):
        word = came_of(turn)
        text = f"Turn {turn.iteration}" if long else "" if n % every else str(turn.iteration)
        names.append(Name(_middle(turn, places), text, word, _MARKS.get(word, ""), _TONES.get(word, "")))
    return tuple(names)


def _room(turns: Sequence[Turn], places: Mapping[_Slot, float]) -> str:
    middles = [_middle(turn, places) for turn in turns]
    least = min((b - a for a, b in pairwise(middles)), default=100.0)
    return "ample" if least >= ROOM_ON_A_PHONE else "wide" if least >= ROOM_FOR_WORDS else "none"


def _middle(turn: Turn, places: Mapping[_Slot, float]) -> float:
    own = [x for (number, _), x in places.items() if number == turn.iteration]
    return round((min(own) + max(own)) / 2, 2)


def came_of(turn: Turn) -> str:
    """`improved`, `worsened`, `failed` when nothing of it ran, or nothing when there is nothing to compare."""
    if turn.attempts and not turn.validations:
        return "failed"
    better = None if turn.record is None else better_than_before(turn.record)
    return {True: "improved", False: "worsened", None: ""}[better]


def better_than_before(record: IterationRecord) -> bool | None:
    """Return whether a turn came nearer, as its history line says it."""
    return record.improved if record.lpips_score is None else record.lpips_improved


def _words(title: str, turns: Sequence[Turn], scored: Sequence[tuple[Validated, Score]], best: Validated | None) -> str:
    said = [f"{title}."]
    for turn in turns:
        figures = [f"{s.best:.4f}" for e, s in scored if e.iteration == turn.iteration]
        parts = [", then ".join(figures) or "no score", came_of(turn)]
        said.append(f"Turn {turn.iteration}: {', '.join(part for part in parts if part)}.")
    if best is not None and best.score is not None:
        said.append(f"Best: {best.score.best:.4f} in turn {best.iteration}.")
    return " ".join(said)
