"""The memory within a run: the turns so far, condensed for the next turn's prompt."""

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

MAX_NOTE = 240
"""Characters of one note; a history is a reminder, not a transcript."""


def improved(metric: str, before: float | None, after: float | None) -> bool | None:
    """Return whether a score got better in its metric's direction; None without a change, or a score to compare with.

    Raises:
        KeyError: an unknown metric.
    """
    if before is None or after is None or before == after:
        return None
    return (after < before) == (DIRECTIONS[metric] == "lower")


def nearness(score: Score | None) -> float:
    """Return a score as a number that is larger when better, whatever the metric; minus infinity without a score."""
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
    lines = ["ITERATION HISTORY:"]
    for record in records:
        parts = [f"  Iter {record.iteration}: {scored(record)}"]
        if record.agent_notes:
            parts.append(f"Approach: {_short(record.agent_notes)}")
        if error := record.compile_error:  # a compiler's message whole, and the end of a Python traceback
            parts.append(f"COMPILE ERROR: {_short(gist(error) if error.startswith('Traceback') else error)}")
        if record.critique_summary:
            parts.append(f"Critique: {_short(record.critique_summary)}")
        lines.append(" | ".join(parts))
    return "\n".join(lines)


def scored(record: IterationRecord) -> str:
    """Return a turn's score with its metric, and whether it got better: `FLIP=0.3892 [IMPROVED]`."""
    metric, score, better = record.metric, record.score, record.improved
    if record.lpips_score is not None:
        metric, score, better = "LPIPS", record.lpips_score, record.lpips_improved
    if score is None:
        return "no score"
    word = {True: " [IMPROVED]", False: " [WORSENED]", None: ""}[better]
    return f"{metric or 'SCORE'}={score:.4f}{word}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= MAX_NOTE else line[: MAX_NOTE - 1] + "…"
