"""The turns of a run on its page: candidates side by side, then findings and verdicts in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import get_args

from redraft.record.events import Attempted, Discarded, Event, Place, Validated, Verified
from redraft.record.history import format_iteration_history
from redraft.record.log import PREFERS, statements
from redraft.record.transcript import Transcript, Turn, Validation
from redraft.report.calls import anchors
from redraft.report.charts import came_of
from redraft.report.html import Values, figure, measured, way
from redraft.report.pictures import Gallery
from redraft.report.requirements import rows_of
from redraft.result import Issue, Report, Severity
from redraft.text import plural

SHOWN = 12
"""Issues in sight; the others are one click away."""
LISTED = 200
"""Issues on the page at all; the transcript has every one."""

_SOURCES = {
    "draft": "Draft",
    "edit": "Edit",
    "solver": "After the solver",
    "repair": "After repair by the model",
}


def turn_views(transcript: Transcript, events: Sequence[Event], gallery: Gallery) -> list[Values]:
    """All turns in order."""
    return [_TurnView(turn, transcript, events, gallery).view() for turn in transcript.turns]


class _TurnView:
    """One turn on the page: its events in the order in which they happened."""

    def __init__(self, turn: Turn, transcript: Transcript, events: Sequence[Event], gallery: Gallery) -> None:
        place = Place(turn.iteration)
        self.turn, self.gallery = turn, gallery
        self.delivered = transcript.delivered == str(place)
        self.checks = {check.path: check for check in turn.validations}
        self.attempts = {str(a["path"]): _attempt(dict(a), anchors(transcript.steps)) for a in turn.attempts}
        self.events = [e for e in events if (at := Place.of(e.key)) and at.turn == turn.iteration]
        # A turn's candidate is given up after its last validation; what is validated after that is kept.
        given_up = str(place.at("verify/discarded"))
        end = next((n for n, e in enumerate(self.events) if isinstance(e, Discarded) and e.key == given_up), 0)
        self.dropped = {e.key for e in self.events[:end] if isinstance(e, Validated)}
        self.unused = {e.key.removesuffix("/discarded"): e.reason for e in self.events if isinstance(e, Discarded)}
        drafts = [check for check in turn.validations if check.candidate is not None and check.index == 0]
        self.drafts = {check.path: check for check in drafts} if len(drafts) > 1 else {}

    def view(self) -> Values:
        turn = self.turn
        ranked = [self._ranked(e) for e in self.events if isinstance(e, Validated) and e.key in self.drafts]
        return {
            "number": turn.iteration,
            "anchor": f"turn-{turn.iteration}",
            "delivered": self.delivered,
            "ranked": sorted(ranked, key=lambda one: (not one["chosen"], one["number"])),
            # what happened, in order, as (name of the macro's case, its values)
            "entries": [pair for event in self.events if (pair := self._entry(event))],
            "came_of": came_of(turn) if any(check.score is not None for check in turn.validations) else "",
            "record": "" if turn.record is None else format_iteration_history([turn.record]).splitlines()[-1].strip(),
        }

    def _ranked(self, event: Validated) -> Values:
        """One of several first drafts."""
        return {"number": event.candidate or 0, "chosen": event.next != "rank", "view": self._validation(event)}

    def _entry(self, event: Event) -> tuple[str, object] | None:
        match event:
            case Validated() if event.key not in self.drafts:
                return "validation", self._validation(event)
            case Attempted() if event.key not in self._paired():
                return "attempt", self.attempts[event.key]
            case Discarded() if event.key.removesuffix("/discarded") not in self.checks:
                return "discarded", event
            case Verified():
                return "verdict", self._verdict(event)
            case _:
                return None

    def _paired(self) -> set[str]:
        """Paths of the attempts that made a picture."""
        return {path for check in self.turn.validations if (path := _attempt_path(check)) in self.attempts}

    def _validation(self, event: Validated) -> Values:
        """One picture beside its report."""
        found = self.checks[event.key]
        report = found.report
        issues = _numbered(report)
        attempt = self.attempts.get(_attempt_path(found))
        ran = attempt is None or attempt["ran"]
        distance = "" if found.score is None else f"{found.score.metric} {found.score.best:.4f}"
        badge, tone = _badge(report)
        candidate = "" if found.candidate is None else f"candidate {found.candidate}, "
        place = f"Turn {found.iteration}, {candidate}validation {found.index} ({found.source})"
        messages = "; ".join(i.message for i in report.issues[:SHOWN]) or "nothing"
        return {
            "anchor": found.path.replace("/", "-"),
            "title": _SOURCES.get(found.source, found.source) if ran else "Unchanged: the repair failed",
            "badge": badge,
            "tone": tone,
            "measured": distance,
            "kept": found.kept,
            "plain": self.gallery.show(found.picture),
            "overlay": self.gallery.show(found.overlay) if report.issues else None,
            "alt": f"{place}: {', '.join(filter(None, (distance, badge)))}",
            "overlay_alt": f"The same picture with the findings drawn on it: {messages}",
            "before": found.note,
            "after": _after(event, dropped=event.key in {*self.dropped, *self.unused}),
            "unused": self.unused.get(found.path, ""),
            "statements": statements(report),
            "rows": rows_of(report)[:LISTED],
            "issues": issues[:SHOWN],
            "more": issues[SHOWN:LISTED],
            "unlisted": max(0, len(issues) - LISTED),
            "inherited": [_issue(issue, 0) for issue in report.inherited[:LISTED]],
            "attempt": attempt,
        }

    def _verdict(self, event: Verified) -> Values:
        """The verdict, with its answers to requirements that do not hold, and the preferred one of two candidates."""
        verdict, score = event.verdict, event.verdict.measured
        named = zip(("earlier", "later"), map(self.gallery.show, event.compared), strict=False)
        return {
            "verdict": verdict,
            "measured": "" if score is None else "; ".join(filter(None, (measured(score), way(score.metric)))),
            "prefers": PREFERS.get(verdict.better, ""),
            "compared": [(name, shown, verdict.better == name) for name, shown in named if shown is not None],
        }


def _badge(report: Report) -> tuple[str, str]:
    """The state of a candidate in a few words, and its tone."""
    if report.heuristics == "strict":
        return f"{report.score:.2f} {'valid' if report.valid else 'not valid'}", "good" if report.valid else "bad"
    if report.errors:
        return plural(report.count("error"), "error"), "bad"
    return "no error", "good"


def _after(event: Validated, *, dropped: bool) -> str:
    match event.next:
        case "use" if dropped:
            return "No error is left, but an earlier one is kept."
        case "use":
            return "No error is left. This one is kept."
        case "solver":
            return "The solver has better places; they cost no model call."
        case "repair":
            return f"Sent to the model with what is listed here: repair {event.repair} of {event.repairs}."
        case "keep_best":
            return "No repair is left. The best candidate so far is used."
        case "rank":
            return "Another candidate is used."


def _numbered(report: Report) -> list[Values]:
    """The worst first, each with its number in the report."""
    order = get_args(Severity)
    numbered = sorted(enumerate(report.issues, start=1), key=lambda pair: order.index(pair[1].severity))
    return [_issue(issue, number) for number, issue in numbered]


def _issue(issue: Issue, number: int) -> Values:
    """An issue in words, its figures as `gap 0.02 · wanted 0.15`; number 0 for what is not on the overlay."""
    figures = [f"{name.replace('_', ' ')} {figure(value)}" for name, value in issue.numbers.items()]
    phrase = [f"asked by “{issue.phrase}”"] if issue.phrase else []
    return {
        "number": number,
        "id": issue.requirement,
        "severity": issue.severity,
        "category": issue.code.rpartition(".")[2] if issue.basis == "requirement" else issue.category,
        "message": issue.message,
        "hint": issue.hint,
        "detail": " · ".join([issue.code, *figures, *phrase]),
    }


def _attempt(data: Values, steps: Mapping[str, str]) -> Values:
    """The kind of request and its retries; `step` is the anchor of its prompt and reply."""
    retries = data["retry_count"]
    assert isinstance(retries, int)
    said = {0: "", 1: "1 fast retry"}.get(retries, f"{retries} fast retries")
    return {"patched": [], **data, "retries": said, "step": steps.get(str(data["path"]), "")}


def _attempt_path(found: Validation) -> str:
    """The path of the attempt before this validation, failed or not; the solver's work has none."""
    place = found.path.rpartition("/")[0]
    return f"{place}/{f'repair-{found.index}' if found.index else found.source}"
