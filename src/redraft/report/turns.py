"""The turns of a run on its page: candidates side by side, then findings, questions, answers and verdicts in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from redraft.events import Attempted, Discarded, Event, Ruled, RuledIssue, Validated, Verified
from redraft.memory.history import format_iteration_history
from redraft.narration import LOOKED, PREFERS, answer_of, done_about, statements
from redraft.report.calls import anchors
from redraft.report.charts import came_of
from redraft.report.html import figure, measured, plural, way
from redraft.report.pictures import Gallery, Shown
from redraft.report.requirements import Row, rows_of
from redraft.result import Issue, Report, Severity, Verdict
from redraft.transcript import Transcript, Turn, Validation

__all__ = ["AttemptView", "IssueView", "Ranked", "TurnView", "ValidationView", "turn_views"]

SHOWN = 12
"""Issues in sight; the others are one click away."""
LISTED = 200
"""Issues on the page at all; the transcript has every one."""

STATED = "A statement does not hold: either the picture or the statement is wrong."
THUMB = "A rule of thumb is not kept, which may be intended."

_SOURCES = {
    "draft": "Draft",
    "edit": "Edit",
    "solver": "After the solver",
    "repair": "After repair by the model",
    "fix": "With the accepted fix",
}


@dataclass(frozen=True)
class IssueView:
    """One issue: `[ERROR] symmetry: …`, what would fix it, and its figures."""

    number: int
    """As on the overlay: its place in the report, from 1; 0 for what is not drawn there."""
    id: str
    severity: Severity
    category: str
    message: str
    fix: str
    ruled: str
    """What was answered when it was asked about."""
    detail: str


@dataclass(frozen=True)
class ValidationView:
    """One picture beside its report."""

    anchor: str
    title: str
    badge: str
    tone: str
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
    unused: str
    """Why it is not used; empty when it is, or was for a time."""
    statements: str
    """How many hold; empty where nothing was stated."""
    rows: tuple[Row, ...]
    issues: tuple[IssueView, ...]
    more: tuple[IssueView, ...]
    unlisted: int
    inherited: tuple[IssueView, ...]
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
class QuestionView:
    """One question with its answer."""

    id: str
    message: str
    about: str
    """What sort of question it is, for a reader who knows nothing of redraft."""
    fix: str
    after: Shown | None
    answer: str
    tone: str
    reason: str
    correction: str
    done: str


@dataclass(frozen=True)
class AnswersView:
    """Everything that was asked about one candidate at a time."""

    by: str
    marked: Shown | None
    questions: tuple[QuestionView, ...]


@dataclass(frozen=True)
class VerdictView:
    """What looking found, and which of two candidates was preferred."""

    verdict: Verdict
    measured: str
    """The verdict of the metric; empty where none was used."""
    prefers: str
    compared: tuple[tuple[str, Shown, bool], ...]
    """The earlier and the later candidate: name, picture, and whether it is the preferred one."""


@dataclass(frozen=True)
class Ranked:
    """One of several first drafts."""

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
    entries: tuple[tuple[str, object], ...]
    """What happened, in order: `validation`, `attempt`, `answers`, `discarded` or `verdict`, with its view."""
    came_of: str
    """`improved`, `worsened`, or nothing: against the turn before, by the metric of the record."""
    record: str


def turn_views(transcript: Transcript, events: Sequence[Event], gallery: Gallery) -> tuple[TurnView, ...]:
    """All turns in order."""
    return tuple(_Told(turn, transcript, events, gallery).view() for turn in transcript.turns)


class _Told:
    """One turn as it is told: its events in the order in which they happened."""

    def __init__(self, turn: Turn, transcript: Transcript, events: Sequence[Event], gallery: Gallery) -> None:
        place = f"iteration-{turn.iteration}"
        self.turn, self.gallery = turn, gallery
        self.delivered = transcript.delivered == place
        self.checks = {check.path: check for check in turn.validations}
        self.attempts = {a.path: a for a in _attempts(turn, anchors(transcript.steps))}
        self.events = [e for e in events if e.key.split("/")[0] == place]
        self.unused = {e.key.removesuffix("/discarded"): e.reason for e in self.events if isinstance(e, Discarded)}
        drafts = [check for check in turn.validations if check.candidate is not None and check.index == 0]
        self.drafts = {check.path: check for check in drafts} if len(drafts) > 1 else {}
        self.current: Validation | None = None
        """What was validated last: what questions are about."""

    def view(self) -> TurnView:
        ranked = [self._ranked(e) for e in self.events if isinstance(e, Validated) and e.key in self.drafts]
        pairs = [pair for event in self.events if (pair := self._entry(event))]
        turn = self.turn
        return TurnView(
            number=turn.iteration,
            anchor=f"turn-{turn.iteration}",
            delivered=self.delivered,
            ranked=tuple(sorted(ranked, key=lambda one: (not one.chosen, one.number))),
            entries=tuple(pairs),
            came_of=came_of(turn) if any(check.score is not None for check in turn.validations) else "",
            record="" if turn.record is None else format_iteration_history([turn.record]).splitlines()[-1].strip(),
        )

    def _ranked(self, event: Validated) -> Ranked:
        chosen = event.next != "rank"
        if chosen:
            self.current = self.checks[event.key]
        return Ranked(event.candidate or 0, chosen, self._validation(event))

    def _entry(self, event: Event) -> tuple[str, object] | None:
        match event:
            case Validated() if event.key not in self.drafts:
                self.current = self.checks[event.key]
                return "validation", self._validation(event)
            case Attempted() if event.key not in self._paired():
                return "attempt", self.attempts[event.key]
            case Ruled():
                return "answers", self._answers(event)
            case Discarded() if event.key.removesuffix("/discarded") not in self.checks:
                return "discarded", event
            case Verified():
                return "verdict", self._verdict(event)
            case _:
                return None

    def _paired(self) -> set[str]:
        """Attempts that a picture came of."""
        made = (_made_by(check, self.attempts) for check in self.turn.validations)
        return {attempt.path for attempt in made if attempt is not None}

    def _validation(self, event: Validated) -> ValidationView:
        found = self.checks[event.key]
        report = found.report
        issues = _numbered(report)
        attempt = _made_by(found, self.attempts)
        ran = attempt is None or attempt.ran
        distance = "" if found.score is None else f"{found.score.metric} {found.score.best:.4f}"
        badge, tone = _badge(report)
        candidate = "" if found.candidate is None else f"candidate {found.candidate}, "
        place = f"Turn {found.iteration}, {candidate}validation {found.index} ({found.source})"
        return ValidationView(
            anchor=found.path.replace("/", "-"),
            title=_SOURCES.get(found.source, found.source) if ran else "Unchanged: the repair failed",
            badge=badge,
            tone=tone,
            measured=distance,
            kept=found.kept,
            plain=self.gallery.show(found.picture),
            overlay=self.gallery.show(found.overlay) if report.issues else None,
            alt=f"{place}: {', '.join(filter(None, (distance, badge)))}",
            overlay_alt="The same picture with the findings drawn on it: "
            + ("; ".join(i.message for i in report.issues[:SHOWN]) or "nothing"),
            before=found.note,
            after=_after(event),
            unused=self.unused.get(found.path, ""),
            statements=statements(report),
            rows=rows_of(report)[:LISTED],
            issues=tuple(issues[:SHOWN]),
            more=tuple(issues[SHOWN:LISTED]),
            unlisted=max(0, len(issues) - LISTED),
            inherited=tuple(_issue(i, 0) for i in report.inherited[:LISTED]),
            attempt=attempt,
        )

    def _answers(self, event: Ruled) -> AnswersView:
        marked = None if self.current is None else self.gallery.show(self.current.overlay)
        return AnswersView(LOOKED[event.by], marked, tuple(self._question(one) for one in event.rulings[:LISTED]))

    def _question(self, one: RuledIssue) -> QuestionView:
        ruling = one.ruling
        tone = "" if ruling is None else {"must": "bad", "minor": "warn", "intended": "good"}[ruling.ruling]
        return QuestionView(
            id=one.id,
            message=one.message,
            about=STATED if one.requirement else THUMB,
            fix=one.fix,
            after=self.gallery.show(one.after),
            answer=answer_of(one),
            tone=tone,
            reason="" if ruling is None else ruling.reason,
            correction="" if ruling is None or ruling.correction is None else _statement(ruling.correction),
            done=done_about(one),
        )

    def _verdict(self, event: Verified) -> VerdictView:
        verdict, score = event.verdict, event.verdict.measured
        pictures = [self.gallery.show(name) for name in event.compared]
        named = zip(("earlier", "later"), pictures, strict=False)
        return VerdictView(
            verdict=verdict,
            measured="" if score is None else "; ".join(filter(None, (measured(score), way(score.metric)))),
            prefers=PREFERS.get(verdict.better, ""),
            compared=tuple((name, shown, verdict.better == name) for name, shown in named if shown is not None),
        )


def _statement(raw: Mapping[str, object]) -> str:
    """A statement as it was written: `kind: count · parts: book_* · number: 3`."""
    fields = {name: value for name, value in raw.items() if name not in ("id", "quote", "reason")}
    return " · ".join(f"{name}: {_plain(value)}" for name, value in fields.items())


def _plain(value: object) -> str:
    return ", ".join(map(str, cast("list[object]", value))) if isinstance(value, list) else str(value)


def _badge(report: Report) -> tuple[str, str]:
    """How a candidate stands in a few words, and its tone."""
    if report.heuristics == "strict":
        return f"{report.score:.2f} {'valid' if report.valid else 'not valid'}", "good" if report.valid else "bad"
    if report.errors:
        return plural(len(report.errors), "error"), "bad"
    if report.questions:
        return plural(len(report.questions), "open question"), "warn"
    return "no error", "good"


def _after(event: Validated) -> str:
    match event.next:
        case "use":
            return "No error is left. This one goes on."
        case "solver":
            return "The solver has moves that make it better; they cost no model call."
        case "repair":
            return f"Sent to the model with what is listed here: repair {event.repair} of {event.repairs}."
        case "keep_best":
            return "No repair is left. The best candidate so far is used."
        case "rank":
            return "Another candidate is used."


def _numbered(report: Report) -> list[IssueView]:
    """The worst first, each with its number in the report."""
    views = [_issue(issue, n) for n, issue in enumerate(report.issues, start=1)]
    order = ("error", "question", "warning", "hint")
    return sorted(views, key=lambda view: order.index(view.severity))


def _issue(issue: Issue, number: int) -> IssueView:
    """An issue in words; its figures as `gap 0.02 · wanted 0.15`."""
    figures = [f"{name.replace('_', ' ')} {figure(value)}" for name, value in issue.numbers.items()]
    phrase = [f"asked by “{issue.phrase}”"] if issue.phrase else []
    return IssueView(
        number=number,
        id=issue.id,
        severity=issue.severity,
        category=issue.code.rpartition(".")[2] if issue.basis == "requirement" else issue.category,
        message=issue.message,
        fix=f"Prepared fix: {issue.fix}" if issue.fix else issue.mend,
        ruled=_ruled(issue),
        detail=" · ".join([issue.code, *figures, *phrase]),
    )


def _ruled(issue: Issue) -> str:
    """`Intended, says the critic: a cat lies on its shelf`; empty where nobody ruled."""
    if issue.ruling is None or not issue.ruled_by:
        return ""
    word = {"must": "Must change", "minor": "Minor", "intended": "Intended"}[issue.ruling.ruling]
    return f"{word}, says {LOOKED[issue.ruled_by]}" + (f": {issue.ruling.reason}" if issue.ruling.reason else "")


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
