"""Numbers and long texts as a person reads them on the page."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from pydantic import JsonValue

from redraft.memory.history import DIRECTIONS
from redraft.result import Score, Usage

__all__ = ["Clipped", "by_frame", "clip", "cost", "day", "figure", "measured", "plural", "seconds", "settings", "way"]


@dataclass(frozen=True)
class Clipped:
    """The beginning of a text, and how many characters were left out."""

    text: str
    left_out: int = 0


def clip(text: str, limit: int) -> Clipped:
    """At most `limit` characters, cut at a line's end where there is one in the last tenth."""
    if len(text) <= limit:
        return Clipped(text)
    end = text.rfind("\n", limit - limit // 10, limit)
    kept = text[: end if end > 0 else limit]
    return Clipped(kept, len(text) - len(kept))


def plural(number: int, noun: str, ending: str = "s") -> str:
    """`1 call`, `1,200 calls`."""
    return f"{number:,} {noun}" + ("" if number == 1 else ending)


def seconds(duration: float) -> str:
    """`0.42 s`, `12.3 s`, `3 min 20 s`, `2 h 5 min`."""
    if duration < 60:
        return f"{duration:.2f} s" if duration < 10 else f"{duration:.1f} s"
    minutes, rest = divmod(round(duration), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def cost(usage: Usage) -> str:
    """US dollars, or that a price is unknown."""
    if usage.cost is None:
        return "not known: some call has no price"
    if usage.cost == 0:
        return "nothing"
    return f"${usage.cost:.4f}" if usage.cost < 1 else f"${usage.cost:,.2f}"


def day(moment: datetime) -> str:
    """`22 Nov 2026, 00:12 UTC`; in UTC and English whatever the machine's settings are."""
    month = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")[moment.month - 1]
    return f"{moment.day} {month} {moment.year}, {moment:%H:%M} UTC"


def figure(number: float) -> str:
    """At most four significant digits: `0.02`, `12`, `0.3333`."""
    return f"{number:.4g}"


def way(metric: str) -> str:
    """`lower is better`, or nothing for a metric that redraft does not know."""
    return f"{DIRECTIONS[metric]} is better" if metric in DIRECTIONS else ""


def measured(score: Score) -> str:
    """`FLIP 0.3412 (best frame 3 of 12, mean 0.3600)`; frames are counted from 1, and one alone is not named."""
    beside = by_frame(score)
    return f"{score.metric} {score.best:.4f}" + (f" ({beside})" if beside else "")


def by_frame(score: Score) -> str:
    """`best frame 3 of 12, mean 0.3600`, or nothing where there is only one."""
    several = len(score.frames) > 1
    return f"best frame {score.frame + 1} of {len(score.frames)}, mean {score.mean:.4f}" if several else ""


def settings(data: JsonValue, prefix: str = "") -> list[tuple[str, str]]:
    """Nested settings as `loop.candidates`, `5`, in the order given."""
    if isinstance(data, dict) and data:
        return [row for key, value in data.items() for row in settings(value, f"{prefix}.{key}" if prefix else key)]
    return [(prefix, data if isinstance(data, str) else json.dumps(data, ensure_ascii=False))]
