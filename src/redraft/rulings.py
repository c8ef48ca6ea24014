"""Rulings of a run: which statements are upheld, what was answered to questions, and what is still open.

Rulings are kept by code, subjects and requirement, so that they carry over to later candidates; one reopens when what
it was about has grown by half.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from redraft.result import Issue, Measured, Report, Ruling

__all__ = ["MOST", "Rulings", "grown", "worse"]

MOST = 3
"""Questions that are asked about one candidate."""
GROWTH = 1.5
"""A ruling holds until what it is about is so many times as bad."""
SLACK = 1e-6
"""Less than this is rounding."""

Key = tuple[str, tuple[str, ...], str]

SAME_THING: dict[str, frozenset[str]] = {
    "overlap": frozenset({"relation", "distance"}),
    "spacing": frozenset({"spacing", "distance", "alignment"}),
    "ratio": frozenset({"ratio", "size", "proportion"}),
    "size": frozenset({"ratio", "size", "proportion"}),
    "proportion": frozenset({"ratio", "size", "proportion"}),
    "symmetry": frozenset({"symmetry"}),
    "attachment": frozenset({"relation", "distance"}),
    "gravity": frozenset({"relation", "distance"}),
    "containment": frozenset({"relation"}),
    "perspective": frozenset({"ratio", "size", "proportion"}),
}
"""Categories of rules of thumb, and the kinds of requirements that measure the same of the same parts."""


@dataclass(frozen=True)
class _Made:
    ruling: Ruling | None
    """None for silence."""
    by: str
    extent: float


@dataclass
class Rulings:
    """The rulings of one run."""

    made: dict[Key, _Made] = field(default_factory=dict[Key, _Made])
    upheld: set[str] = field(default_factory=set[str])
    """Ids of requirements that were called into question and stand."""
    restated: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    """The first wording of corrected statements, by id."""
    alike: dict[tuple[str, tuple[str, ...]], _Made] = field(default_factory=dict[tuple[str, tuple[str, ...]], "_Made"])
    """What was ruled to be no error, by rule and sort of part: it holds for the others of the sort, which were not
    asked about."""
    ids: dict[Key, str] = field(default_factory=dict[Key, str])

    def applied(self, report: Report) -> Report:
        """The report with what was ruled, and at most `MOST` of the rest as questions to ask."""
        if report.heuristics == "strict":
            issues = tuple(i.model_copy(update=_UPHELD) if i.basis == "requirement" else i for i in report.issues)
            return report.model_copy(update={"issues": issues})
        issues = [self._ruled(issue) for issue in report.issues]
        return report.model_copy(update={"issues": tuple(self._asked(issues, report.requirements))})

    def _ruled(self, issue: Issue) -> Issue:
        if issue.basis == "requirement" and issue.requirement in self.upheld:
            made = self.made.get(issue.key)
            said = {} if made is None else {"ruling": made.ruling, "ruled_by": made.by}
            return issue.model_copy(update={**_UPHELD, **said})
        made = self.made.get(issue.key) or self.alike.get((issue.code, _labels(issue)))
        if issue.status != "open" or made is None or issue.extent > GROWTH * made.extent + SLACK:
            return issue
        update: dict[str, object] = {"id": self.ids.get(issue.key, issue.id), "ruling": made.ruling}
        if made.ruling is None:
            return issue.model_copy(update={**update, "severity": "warning"})
        word = made.ruling.ruling
        status = {"must": "upheld", "minor": "minor", "intended": "intended"}[word]
        severity = {"must": "error", "minor": "warning", "intended": "hint"}[word]
        return issue.model_copy(update={**update, "ruled_by": made.by, "status": status, "severity": severity})

    def _asked(self, issues: Sequence[Issue], measured: Sequence[Measured]) -> list[Issue]:
        """Open rules of thumb: one for each rule and label, none where a requirement measures the same thing."""
        seen, asked, found = set[tuple[str, tuple[str, ...]]](), 0, list[Issue]()
        stated = [(one.kind, frozenset(one.subjects)) for one in measured]
        for issue in issues:
            if issue.basis != "heuristic" or issue.severity != "question":
                found.append(issue)
                continue
            kind = (issue.code, _labels(issue))
            if _measured(issue, stated):
                continue
            if kind in seen or asked == MOST:
                found.append(issue.model_copy(update={"severity": "warning", "status": "unasked"}))
                continue
            seen.add(kind)
            asked += 1
            name = self.ids.setdefault(issue.key, f"q{len(self.ids) + 1}")
            found.append(issue.model_copy(update={"id": name}))
        return found

    def answer(self, asked: Sequence[Issue], rulings: Iterable[Ruling], by: str) -> None:
        """Keep the answers to what was asked: silence upholds a statement, and leaves a question unanswered.

        A requirement cannot be waived: it stands unless its correction was taken, and then it is measured anew.
        """
        said = {ruling.id: ruling for ruling in rulings}
        for issue in asked:
            ruling = said.get(issue.id)
            if issue.basis == "requirement":
                self.upheld.add(issue.requirement)
            if issue.basis == "requirement" or issue.status == "open":
                made = self.made[issue.key] = _Made(ruling, by if ruling else "", issue.extent)
                if ruling is not None and ruling.ruling != "must" and issue.basis == "heuristic":
                    self.alike[(issue.code, _labels(issue))] = made


_UPHELD: dict[str, object] = {"severity": "error", "status": "upheld"}
_NUMBER = re.compile(r"[\d_\- ]+")


def _labels(issue: Issue) -> tuple[str, ...]:
    """The sort of its parts: their names without numbers."""
    return tuple(sorted({_NUMBER.sub(" ", name).strip() for name in issue.subjects}))


def _measured(issue: Issue, measured: Sequence[tuple[str, frozenset[str]]]) -> bool:
    """Return whether a requirement measures what a rule of thumb asks about."""
    kinds = SAME_THING.get(issue.category, frozenset())
    subjects = set(issue.subjects)
    return any(kind in kinds and subjects and subjects <= parts for kind, parts in measured)


def worse(earlier: Report, later: Report) -> tuple[int, int]:
    """Count the shared requirements that the earlier and the later one break.

    Both are held to the requirements that both state, in the same words, and to everything else that is an error.
    """
    stated = [{m.id: m.words for m in report.requirements} for report in (earlier, later)]
    shared = {name for name, words in stated[0].items() if stated[1].get(name) == words}

    def count(report: Report) -> int:
        held = [i for i in report.issues if i.basis != "requirement" or i.requirement in {"", *shared}]
        return sum(
            i.count for i in held if i.severity == "error" or (i.basis == "requirement" and i.severity == "question")
        )

    return count(earlier), count(later)


def grown(before: Report, after: Report, but: Iterable[Key] = ()) -> list[Issue]:
    """The issues of `after` that are new or worse than in `before`, other than those at `but`."""
    known = {issue.key: issue.extent for issue in (*before.issues, *before.inherited)}
    allowed = set(but)
    return [
        issue
        for issue in after.issues
        if issue.severity != "hint"
        and issue.key not in allowed
        and issue.extent > known.get(issue.key, -1.0) * (1 + SLACK) + SLACK
    ]
