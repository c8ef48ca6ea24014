"""What requests of every studio say in the same words: measured issues, a critic's verdict, a reply that failed."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import JsonValue

from redraft.blackbox_scoring.cards import IdeaCard
from redraft.replies import MAX_REPLY
from redraft.result import Issue, Verdict

__all__ = ["bounded", "critique_text", "idea_of", "numbered", "shape_of"]

SHOWN = 10_000
"""Characters of a reply that is too long, which no model could take back whole."""


def numbered(issues: Sequence[Issue]) -> list[JsonValue]:
    """Issues in the order given, numbered from 1 as the pictures number them."""
    return [_issue(i, issue) for i, issue in enumerate(issues, start=1)]


def _issue(index: int, issue: Issue) -> JsonValue:
    return {
        "number": index,
        "code": issue.code,
        "severity": issue.severity,
        "message": issue.message,
        "mend": issue.mend,
        "numbers": ", ".join(f"{name} {value:.4g}" for name, value in issue.numbers.items()),
    }


def critique_text(verdict: Verdict | None) -> str:
    """What somebody who looked has said; empty when nobody did."""
    if verdict is None or verdict.by == "none":
        return ""
    return "\n".join([verdict.summary, *(f"- {difference}" for difference in verdict.differences)]).strip()


def idea_of(card: IdeaCard | None) -> JsonValue:
    """The chosen idea, for the shared template `chosen_idea.md.j2`; None without one."""
    return None if card is None else card.model_dump(mode="json")


def shape_of(size: tuple[int, int]) -> str:
    """`a square`, or `1536 × 864 pixels, wider than high`."""
    width, height = size
    if width == height:
        return "a square"
    return f"{width} × {height} pixels, {'wider than high' if width > height else 'higher than wide'}"


def bounded(reply: str) -> str:
    """The whole reply; of one that is too long to be read, as much as shows what it is."""
    if len(reply) <= MAX_REPLY:
        return reply
    return f"{reply[:SHOWN]}\n[… {len(reply) - SHOWN:,} more characters, not shown]"
