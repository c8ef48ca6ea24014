"""Events of a run as log lines, and the words for results that the terminal, pages and MCP share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pydantic import JsonValue

from redraft.record.events import (
    Attempted,
    Discarded,
    Event,
    Iterated,
    Learnt,
    Noted,
    Recalled,
    TurnStarted,
    Validated,
    Verified,
    Warned,
)
from redraft.record.history import scored
from redraft.result import Issue, Mismatch, Report, Verdict, first_lines
from redraft.text import plural

MAX_LINES = 40
"""Findings of one validation, and entries of other lists, that are printed; the report page has all."""
MEASURED = frozenset({"FLIP", "SSIM", "LPIPS"})
"""Metrics of a target, whose scores are printed turn by turn."""
MAX_NAMED = 20
"""Broken requirements that one line names."""
MAX_NOTES = 6
"""Notes of one validation that are printed: they inform, and cost no score."""
PREFERS = {
    "later": "prefers the later of the two",
    "earlier": "prefers the earlier of the two",
    "same": "sees no clear difference between the two",
}
"""A critic's preference between two candidates, in words."""


def spoken(verdict: Verdict) -> str:
    """Return a critic's verdict in a line: `not satisfied (0.4): the tail does not touch the body`."""
    word = {True: "satisfied", False: "not satisfied", None: "no opinion"}[verdict.satisfied]
    score = "" if verdict.score is None else f" ({verdict.score:.1f})"
    return f"{word}{score}: {verdict.summary}" if verdict.summary else f"{word}{score}"


def quoted(phrases: Iterable[str]) -> str:
    """Return phrases in quotation marks: `“in a wistful mood”, “at dusk”`; a reason with a colon stays without."""
    return ", ".join(first_lines([phrase if ": " in phrase else f"“{phrase}”" for phrase in phrases], MAX_LINES))


def statements(report: Report) -> str:
    """Return the outcome of the requirements in a line; empty without any.

    `4 of 5 statements measured: 3 hold, broken: r3 (3 × book_* within each of shelf_*)`. Withdrawn ones have the
    reason: `withdrawn: r5 (…): an arc has no even spacing`.
    """
    stated = [one for one in report.requirements if one.outcome != "withdrawn"]
    withdrawn = [f"{one.id} ({one.words}): {one.changed}" for one in report.requirements if one.outcome == "withdrawn"]
    count = len(stated) + len(report.set_aside)
    if not count and not withdrawn:
        return ""
    held = [one for one in stated if one.outcome in ("met", "inexact")]
    named = {
        word: [f"{one.id} ({one.words})" for one in stated if one.outcome == word] for word in ("broken", "waived")
    } | {"withdrawn": withdrawn}
    lists = [f"{word}: {', '.join(first_lines(lines, MAX_NAMED))}" for word, lines in named.items() if lines]
    measured = f"{len(stated)} of {plural(count, 'statement')} measured" if count else "no statement left"
    if len(held) == len(stated):
        return ", ".join([f"{measured}: all hold" if stated else measured, *lists])
    return f"{measured}: {', '.join([f'{len(held)} hold', *lists])}"


def issue_line(issue: Issue) -> str:
    """Return a finding in a line: `[ERROR] r3 count: …` for a requirement, else as specified: `[ERROR] overlap: …`."""
    if not issue.requirement:
        return issue.line()
    return f"[{issue.severity.upper()}] {issue.requirement} {issue.code.rpartition('.')[2]}: {issue.message}"


def answer_line(answer: Mismatch) -> str:
    """Return a critic's answer about a requirement: `r3: the result is wrong (…)`, or `r3 withdrawn: …`."""
    if answer.wrong == "drawing":
        return f"{answer.id}: the result is wrong" + (f" ({answer.reason})" if answer.reason else "")
    return f"{answer.id} withdrawn: {answer.reason or 'no reason given'}"


def log_lines(event: Event) -> list[str]:  # noqa: C901, PLR0911, PLR0912  one case for each event
    """Return the log lines of an event, some as specified; empty for events without one."""
    match event:
        case TurnStarted():
            return [f"[TURN {event.iteration}] {event.kind}ing: {event.reason}"]
        case Attempted():
            return _attempt_lines(event)
        case Validated():
            return _validation_lines(event)
        case Discarded():
            return [f"[DISCARDED] {event.what}, because {event.reason}"]
        case Verified(verdict=verdict) if verdict.by == "critic":
            prefers = [f"[CRITIC] {PREFERS[verdict.better]}"] if verdict.better else []
            answers = [f"[CRITIC] {answer_line(answer)}" for answer in verdict.mismatches]
            differences = [f"  [{difference.weight.upper()}] {difference.text}" for difference in verdict.differences]
            lines = [
                f"[CRITIC] {spoken(verdict)}",
                *first_lines(differences, MAX_LINES),
                *first_lines(answers, MAX_LINES),
            ]
            return [*prefers, *lines]
        case Iterated(record=record) if record.metric in MEASURED:
            return [f"[TURN {record.iteration}] {scored(record)}"]
        case Recalled() if event.replayed:
            outcome = "and it worked: no model was asked" if event.worked else "but it does not work here"
            return [f"[MEMORY] {event.error}: tried a known fix, {outcome}"]
        case Recalled() if event.examples:
            return [f"[MEMORY] {event.error}: {plural(event.examples, 'past fix', 'past fixes')} in the prompt"]
        case Learnt():
            return [f"[MEMORY] {event.error}: kept the fix for later runs"]
        case Noted(topic="target", data=dict() as data):
            notes = data.get("notes")
            size = f"{data.get('width')} × {data.get('height')} pixels"
            sentences = [str(note) for note in notes] if isinstance(notes, list) else []
            return [" ".join((f"[TARGET] {size}, measured by {data.get('metric')}.", *sentences))]
        case Noted(topic="blackbox_scoring", data=dict() as data):
            return _choice_lines(data)
        case Warned():
            return [f"[WARNING] {event.message}"]
        case _:
            return []


def _choice_lines(data: Mapping[str, JsonValue]) -> list[str]:
    """Return the chosen idea, in the specification's words, and its pitch."""
    chosen, cards = data.get("selected_id"), data.get("cards")
    cards = cards if isinstance(cards, list) else []
    mode, score = data.get("selection_mode"), data.get("selected_score")
    return [
        f"[IDEAS] Selected candidate: id={chosen}, score={score}, selection_mode={mode} (of {len(cards)})",
        *(f"  {card.get('hook')}" for card in cards if isinstance(card, dict) and card.get("id") == chosen),
    ]


def _attempt_lines(event: Attempted) -> list[str]:
    """Return the fixes without a model in an attempt, and its outcome where that is worth a line."""
    lines = [f"[PATCHED] {line}" for line in event.patched]
    fixes = plural(event.retry_count, "fix", "fixes")
    if event.kind == "repair":
        outcome = f"generated {event.summary or 'a new draft'}" if event.ran else f"did not run ({event.errors[-1]})"
        lines.append(f"[ITERATION {event.index}] Repair {outcome}")
    elif not event.ran:
        lines.append(f"[{event.kind.upper()}] did not run after {fixes}: {event.errors[-1]}")
    elif event.retry_count:
        lines += [f"[{event.kind.upper()}] ran after {fixes}", *(f"  {error}" for error in event.errors)]
    return lines


def _validation_lines(event: Validated) -> list[str]:
    """Return a validation as specified: its score, its findings, and the next step; with the requirements."""
    head, report = f"[ITERATION {event.index}]", event.report
    if event.candidate is not None:
        head = f"[CANDIDATE {event.candidate}] {head}"
    lines = [f"{head} {event.note}"] if event.note else []
    lines.append(f"{head} Validation score: {report.score:.2f}, valid: {report.valid}")
    lines += [f"  {outcome}"] if (outcome := statements(report)) else []

    # Once for a draft: requirements that cannot be measured, and words of the brief that nothing measured.
    if event.source in ("draft", "edit"):
        waived = tuple(f"“{issue.phrase}” is waived" for issue in report.errors if issue.final)
        set_aside = [f"  set aside: {line}" for line in report.set_aside if not line.startswith(waived)]
        lines += first_lines(set_aside, MAX_LINES)
        if report.requirements and report.unchecked:
            lines.append(f"  not measured: {quoted(report.unchecked)}")

    for issues, limit in (((*report.errors, *report.warnings), MAX_LINES), (report.notes, MAX_NOTES)):
        for issue in issues[:limit]:
            given_up = issue.final and issue.phrase  # the end of the run says the reason
            short = {"message": f"“{issue.phrase}” was not carried out"} if given_up else {}
            lines.append(f"  {issue_line(issue.model_copy(update=short))}")
        if rest := sum(issue.count for issue in issues[limit:]):
            kind = "" if limit == MAX_LINES else f" note{'' if rest == 1 else 's'}"
            lines.append(f"  … and {rest:,} more{kind}")

    match event.next:
        case "use":
            lines.append(f"{head} Validation PASSED - using this response")
        case "repair":
            lines.append(f"{head} Validation FAILED - attempting repair (iteration {event.repair}/{event.repairs})")
        case "keep_best":
            lines.append(f"{head} Validation FAILED - using the best candidate")
        case "solver":
            lines.append(f"{head} Validation {'PASSED' if report.valid else 'FAILED'} - the solver has better places")
        case "rank":
            pass
    return lines
