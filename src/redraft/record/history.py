"""Within-run memory: the turns so far, condensed for the next turn's prompt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from redraft.result import IterationRecord, Score, gist

Direction = Literal["lower", "higher"]

DIRECTIONS: dict[str, Direction] = {
    "LPIPS": "lower",
    "FLIP": "lower",
    "SSIM": "higher",
    "VALIDATION": "higher",
    "CRITIC": "higher",
}
"""The better direction of each metric."""

LINE_LIMIT = 240
"""Characters of one note; a history is a reminder, not a transcript."""


def improved(metric: str, before: float | None, after: float | None) -> bool | None:
    """Whether a score got better by its metric's own direction; None when there is nothing to compare, or no change.

    Raises:
        KeyError: an unknown metric.
    """
    if before is None or after is None or before == after:
        return None
    return (after < before) == (DIRECTIONS[metric] == "lower")


def nearness(score: Score | None) -> float:
    """A score as a number of which the larger is the better, whatever the metric; the least of all without one."""
    if score is None:
        return float("-inf")
    return -score.best if DIRECTIONS[score.metric] == "lower" else score.best


def format_iteration_history(records: Sequence[IterationRecord]) -> str:
    """Return the block that the specification defines; empty without records::

    ITERATION HISTORY:
      Iter 1: LPIPS=0.4231 | Approach: soft particle grid with noise
      Iter 2: LPIPS=0.3892 [IMPROVED] | Approach: added glow
      Iter 3: LPIPS=0.3910 [WORSENED] | COMPILE ERROR: vec3 constructor...
    """
    if not records:
        return ""
    return "\n".join(["ITERATION HISTORY:", *(f"  {_line(record)}" for record in records)])


def _line(record: IterationRecord) -> str:
    parts = [f"Iter {record.iteration}: {scored(record)}"]
    if record.agent_notes:
        parts.append(f"Approach: {_short(record.agent_notes)}")
    if record.compile_error:
        parts.append(f"COMPILE ERROR: {_short(_error_text(record.compile_error))}")
    if record.critique_summary:
        parts.append(f"Critique: {_short(record.critique_summary)}")
    return " | ".join(parts)


def scored(record: IterationRecord) -> str:
    """`FLIP=0.3892 [IMPROVED]`: the figure, the metric that gave it, and better or worse by that metric's direction."""
    metric, score, better = record.metric, record.score, record.improved
    if record.lpips_score is not None:
        metric, score, better = "LPIPS", record.lpips_score, record.lpips_improved
    if score is None:
        return "no score"
    word = {True: " [IMPROVED]", False: " [WORSENED]", None: ""}[better]
    return f"{metric or 'SCORE'}={score:.4f}{word}"


def _error_text(message: str) -> str:
    """Return a compiler's message whole, and the end of a Python traceback."""
    return gist(message) if message.startswith("Traceback") else message


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LINE_LIMIT else line[: LINE_LIMIT - 1] + "…"
