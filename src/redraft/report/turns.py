"""What the page says of each turn: candidates side by side, then validation by validation what was found and done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from redraft.events import Event, Validated
from redraft.memory.history import DIRECTIONS, format_iteration_history, nearness
from redraft.report.charts import came_of
from redraft.report.pictures import Gallery, Shown
from redraft.report.steps import anchors
from redraft.report.words import figure, measured, way
from redraft.result import Issue, Report, Severity, Verdict
from redraft.transcript import Transcript, Turn, Validation

__all__ = ["AttemptView", "IssueView", "Ranked", "TurnView", "ValidationView", "best_of", "turn_views"]

SHOWN = 12
"""Issues in sight; the others are one click away."""
LISTED = 200
"""Issues on the page at all; the transcript has every one."""

_SOURCES = {"draft": "Draft", "edit": "Edit", "solver": "After the solver", "repair": "After repair by the model"}


@dataclass(frozen=True)
class IssueView:
    """One issue: `[ERROR] symmetry: …`, what would mend it, and its figures."""

    number: int
    """As on the overlay: its place in the report, from 1; 0 for what is not drawn there."""
    severity: Severity
    category: str
    message: str
    mend: str
    detail: str


@dataclass(frozen=True)
class ValidationView:
    """One picture beside its report."""

    anchor: str
    title: str
    score: str
    valid: bool
    measured: str
    """The distance to the target; empty without one."""
    kept: bool
    plain: Shown | None
    overlay: Shown | None
    alt: str
    overlay_alt: str
    before: str
    """What the solver did to get here."""
    after: str
    """What happened next."""
    issues: tuple[IssueView, ...]
    more: tuple[IssueView, ...]
    unlisted: int
    inherited: tuple[IssueView, ...]
    unchecked: tuple[str, ...]
    attempt: AttemptView | None


@dataclass(frozen=True)
class AttemptView:
    """What the model was asked for, and how often it had to be asked."""

    path: str
    kind: str
    ran: bool
    approach: str
    summary: str
    retries: str
    errors: tuple[str, ...]
    mended: tuple[str, ...]
    """What was changed in its replies without asking a model."""
    step: str
    """Anchor of its prompt and reply; empty when there is none."""


@dataclass(frozen=True)
class Ranked:
    """One of several first drafts."""

    place: int
    number: int
    chosen: bool
    view: ValidationView


@dataclass(frozen=True)
class TurnView:
    """One outer turn."""

    number: int
    anchor: str
    delivered: bool
    ranked: tuple[Ranked, ...]
    validations: tuple[ValidationView, ...]
    failed: tuple[AttemptView, ...]
    """Attempts without a picture: nothing ran."""
    verdict: Verdict | None
    measured: str
    """The verdict of the metric; empty where none was used."""
    came_of: str
    """`improved`, `worsened`, or nothing: against the turn before, by the metric of the record."""
    record: str


def turn_views(
    transcript: Transcript, events: Sequence[Event], gallery: Gallery, said: tuple[str, ...]
) -> tuple[TurnView, ...]:
    """All turns in order. `said` are the unchecked phrases that the page's head names already."""
    noted = {e.key: e for e in events if isinstance(e, Validated)}
    book = _Book(noted, gallery, anchors(transcript.steps), said, transcript.delivered)
    return tuple(_turn(turn, book) for turn in transcript.turns)


@dataclass(frozen=True)
class _Book:
    """What every turn is looked up in."""

    noted: Mapping[str, Validated]
    gallery: Gallery
    steps: Mapping[str, str]
    said: tuple[str, ...]
    delivered: str


def best_of(validations: Iterable[Validation]) -> Validation | None:
    """The validation whose artefact is handed on: by the delivery rule, the earlier of equals."""
    return max(validations, key=_worth, default=None)


def _worth(found: Validation) -> tuple[bool, float, float, int, int]:
    """By the report, and of two that are alike valid by the target: the loop's own rule."""
    report, known = found.report, found.score is not None and found.score.metric in DIRECTIONS
    near = nearness(found.score) if report.valid and known else float("-inf")
    return (report.valid, near, report.score, -len(report.errors), -len(report.warnings))


def _turn(turn: Turn, book: _Book) -> TurnView:
    attempts = {a.path: a for a in _attempts(turn, book.steps)}
    drafts = [v for v in turn.validations if v.candidate is not None and v.index == 0]
    views = {v.path: _validation(v, book.noted[v.path], book.gallery, attempts, book.said) for v in turn.validations}
    shown = [v for v in turn.validations if v not in drafts or len(drafts) < 2]
    pictured = {view.attempt.path for view in views.values() if view.attempt}
    return TurnView(
        number=turn.iteration,
        anchor=f"turn-{turn.iteration}",
        delivered=book.delivered == f"iteration-{turn.iteration}",
        ranked=_ranked(drafts, views) if len(drafts) > 1 else (),
        validations=tuple(views[v.path] for v in shown),
        failed=tuple(a for a in attempts.values() if a.path not in pictured),
        verdict=turn.verdict,
        measured=_measured(turn.verdict),
        came_of=_came_of(turn),
        record="" if turn.record is None else format_iteration_history([turn.record]).splitlines()[-1].strip(),
    )


def _ranked(drafts: Sequence[Validation], views: Mapping[str, ValidationView]) -> tuple[Ranked, ...]:
    # Sorting is stable: of equals the earlier candidate comes first, as the loop chooses.
    ordered = sorted(drafts, key=_worth, reverse=True)
    return tuple(Ranked(n, v.candidate or 0, v.next != "rank", views[v.path]) for n, v in enumerate(ordered, start=1))


def _measured(verdict: Verdict | None) -> str:
    score = None if verdict is None else verdict.measured
    return "" if score is None else "; ".join(filter(None, (measured(score), way(score.metric))))


def _came_of(turn: Turn) -> str:
    """Said where a target is measured; without one the score of the report speaks for itself."""
    return came_of(turn) if any(v.score is not None for v in turn.validations) else ""


def _validation(
    found: Validation,
    event: Validated,
    gallery: Gallery,
    attempts: Mapping[str, AttemptView],
    said: tuple[str, ...],
) -> ValidationView:
    report = found.report
    issues = _numbered(report)
    attempt = _made_by(found, attempts)
    title = (
        _SOURCES.get(found.source, found.source) if attempt is None or attempt.ran else "Unchanged: the repair failed"
    )
    distance = [] if found.score is None else [f"{found.score.metric} {found.score.best:.4f}"]
    state = ", ".join([*distance, f"score {report.score:.2f}", "valid" if report.valid else "not valid"])
    return ValidationView(
        anchor=found.path.replace("/", "-"),
        title=title,
        score=f"{report.score:.2f}",
        valid=report.valid,
        measured="".join(distance),
        kept=found.kept,
        plain=gallery.show(found.picture),
        overlay=gallery.show(found.overlay) if report.issues else None,
        alt=f"Turn {found.iteration}, {_place(found)}: {state}",
        overlay_alt="The same picture with what was found drawn on it: "
        + ("; ".join(i.message for i in report.issues[:SHOWN]) or "nothing"),
        before=found.note,
        after=_after(event),
        issues=tuple(issues[:SHOWN]),
        more=tuple(issues[SHOWN:LISTED]),
        unlisted=max(0, len(issues) - LISTED),
        inherited=tuple(_issue(i, 0) for i in report.inherited[:LISTED]),
        unchecked=report.unchecked if report.unchecked != said else (),
        attempt=attempt,
    )


def _place(found: Validation) -> str:
    candidate = "" if found.candidate is None else f"candidate {found.candidate}, "
    return f"{candidate}validation {found.index} ({found.source})"


def _after(event: Validated) -> str:
    match event.next:
        case "use":
            return "Passed. This one is used."
        case "solver":
            return "The solver has moves that make it better; they cost no model call."
        case "repair":
            return f"Sent back to the model with the issues: repair {event.repair} of {event.repairs}."
        case "keep_best":
            return "No repair is left. The best candidate so far is used."
        case "rank":
            return "Another candidate ranked higher."


def _numbered(report: Report) -> list[IssueView]:
    """Errors first, then warnings, then hints, each with its number in the report."""
    views = [_issue(issue, n) for n, issue in enumerate(report.issues, start=1)]
    order = ("error", "warning", "hint")
    return sorted(views, key=lambda view: order.index(view.severity))


def _issue(issue: Issue, number: int) -> IssueView:
    """An issue in words; its figures as `gap 0.02 · wanted 0.15`."""
    figures = [f"{name.replace('_', ' ')} {figure(value)}" for name, value in issue.numbers.items()]
    phrase = [f"asked by “{issue.phrase}”"] if issue.phrase else []
    detail = " · ".join([issue.code, *figures, *phrase])
    return IssueView(number, issue.severity, issue.category, issue.message, issue.mend, detail)


def _attempts(turn: Turn, steps: Mapping[str, str]) -> list[AttemptView]:
    return [_attempt(dict(a), steps) for a in turn.attempts]


def _attempt(data: dict[str, object], steps: Mapping[str, str]) -> AttemptView:
    retries = data["retry_count"]
    errors = data["errors"]
    assert isinstance(retries, int)
    path = str(data["path"])
    return AttemptView(
        path=path,
        kind=str(data["kind"]),
        ran=bool(data["ran"]),
        approach=str(data["approach"]),
        summary=str(data["summary"]),
        retries={0: "", 1: "1 fast retry"}.get(retries, f"{retries} fast retries"),
        errors=tuple(str(e) for e in cast("list[object]", errors)),
        mended=tuple(str(line) for line in cast("list[object]", data.get("mended", []))),
        step=steps.get(path, ""),
    )


def _made_by(found: Validation, attempts: Mapping[str, AttemptView]) -> AttemptView | None:
    """The attempt before this validation, failed or not; the solver's work has none."""
    place = found.path.rpartition("/")[0]
    return attempts.get(f"{place}/{f'repair-{found.index}' if found.index else found.source}")
