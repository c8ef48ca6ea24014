"""Events of a run as log lines for the terminal, and the words for results that terminal, page and MCP share."""

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
from redraft.result import Issue, Mismatch, Report, Verdict, shown

MAX_LINES = 40
"""Findings that are printed of one validation, and lines of other lists; the report has more of them."""
MEASURED = frozenset({"FLIP", "SSIM", "LPIPS"})
"""Metrics of a target, whose figures are said turn by turn."""
MAX_NAMED = 20
"""Broken statements that one line names."""
MAX_NOTES = 6
"""Notes that are printed of one validation: they inform, and cost no score."""
PREFERS = {
    "later": "prefers the later of the two",
    "earlier": "prefers the earlier of the two",
    "same": "sees no clear difference between the two",
}
"""A critic's preference between two candidates, in words."""


def spoken(verdict: Verdict) -> str:
    """A critic's verdict in a line: `not satisfied (0.4): the tail does not touch the body`."""
    word = {True: "satisfied", False: "not satisfied", None: "no opinion"}[verdict.satisfied]
    score = "" if verdict.score is None else f" ({verdict.score:.1f})"
    return f"{word}{score}: {verdict.summary}" if verdict.summary else f"{word}{score}"


def quoted(phrases: Iterable[str]) -> str:
    """`“in a wistful mood”, “at dusk”`; what a check says of itself, with its reason after a colon, stands as it is."""
    return ", ".join(shown([phrase if ": " in phrase else f"“{phrase}”" for phrase in phrases], MAX_LINES))


def statements(report: Report) -> str:
    """`4 of 5 statements measured: 3 hold, broken: r3 (3 × book_* within each of shelf_*)`; empty without any.

    Those that are withdrawn are named with the reason: `withdrawn: r5 (…): an arc has no even spacing`.
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
    lists = [f"{word}: {', '.join(shown(lines, MAX_NAMED))}" for word, lines in named.items() if lines]
    measured = (
        f"{len(stated)} of {count} statement{'' if count == 1 else 's'} measured" if count else "no statement left"
    )
    if len(held) == len(stated):
        return ", ".join([f"{measured}: all hold" if stated else measured, *lists])
    return f"{measured}: {', '.join([f'{len(held)} hold', *lists])}"


def issue_line(issue: Issue) -> str:
    """`[ERROR] r3 count: …` of a requirement that does not hold; else the specification's `[ERROR] overlap: …`."""
    if not issue.requirement:
        return issue.line()
    return f"[{issue.severity.upper()}] {issue.requirement} {issue.code.rpartition('.')[2]}: {issue.message}"


def answer_line(answer: Mismatch) -> str:
    """`r3: the drawing is wrong (…)`, or `r3 withdrawn: …`: a critic's answer to a requirement that does not hold."""
    if answer.wrong == "drawing":
        return f"{answer.id}: the result is wrong" + (f" ({answer.reason})" if answer.reason else "")
    return f"{answer.id} withdrawn: {answer.reason or 'no reason given'}"


def log_lines(event: Event) -> list[str]:  # noqa: C901, PLR0911, PLR0912  one case for each event
    """The lines of the specification for the terminal; empty for events without one."""
    match event:
        case TurnStarted():
            return [f"[TURN {event.iteration}] {event.kind}ing: {event.reason}"]
        case Attempted():
            return [*(f"[PATCHED] {line}" for line in event.patched), *_outcome_lines(event)]
        case Validated():
            return _validation_lines(event)
        case Discarded():
            return [f"[DISCARDED] {event.what}, because {event.reason}"]
        case Verified(verdict=verdict) if verdict.by == "critic":
            prefers = [f"[CRITIC] {PREFERS[verdict.better]}"] if verdict.better else []
            answers = [f"[CRITIC] {answer_line(answer)}" for answer in verdict.mismatches]
            differences = [f"  [{difference.weight.upper()}] {difference.text}" for difference in verdict.differences]
            lines = [f"[CRITIC] {spoken(verdict)}", *shown(differences, MAX_LINES), *shown(answers, MAX_LINES)]
            return [*prefers, *lines]
        case Iterated(record=record) if record.metric in MEASURED:
            return [f"[TURN {record.iteration}] {scored(record)}"]
        case Recalled() if event.replayed:
            outcome = "and it worked: no model was asked" if event.worked else "but it does not work here"
            return [f"[MEMORY] {event.error}: tried a known fix, {outcome}"]
        case Recalled() if event.examples:
            fixes = f"{event.examples} past fix{'es' if event.examples > 1 else ''}"
            return [f"[MEMORY] {event.error}: {fixes} in the prompt"]
        case Learnt():
            return [f"[MEMORY] {event.error}: kept the fix for later runs"]
        case Noted(topic="target", data=dict() as data):
            return _target_lines(data)
        case Noted(topic="blackbox_scoring", data=dict() as data):
            return _choice_lines(data)
        case Warned():
            return [f"[WARNING] {event.message}"]
        case _:
            return []


def _target_lines(data: Mapping[str, JsonValue]) -> list[str]:
    notes = data.get("notes")
    size = f"{data.get('width')} × {data.get('height')} pixels"
    said = [str(note) for note in notes] if isinstance(notes, list) else []
    return [" ".join((f"[TARGET] {size}, measured by {data.get('metric')}.", *said))]


def _choice_lines(data: Mapping[str, JsonValue]) -> list[str]:
    """Return the chosen idea, in the specification's words, and its pitch."""
    chosen, cards = data.get("selected_id"), data.get("cards")
    pitch = (
        [c.get("hook") for c in cards if isinstance(c, dict) and c.get("id") == chosen]
        if isinstance(cards, list)
        else []
    )
    mode, score = data.get("selection_mode"), data.get("selected_score")
    many = len(cards) if isinstance(cards, list) else 0
    return [
        f"[IDEAS] Selected candidate: id={chosen}, score={score}, selection_mode={mode} (of {many})",
        *(f"  {hook}" for hook in pitch),
    ]


def _outcome_lines(event: Attempted) -> list[str]:
    if event.kind == "repair":
        said = (
            " ".join(("generated", event.summary or "a new draft"))
            if event.ran
            else f"did not run ({event.errors[-1]})"
        )
        return [f"[ITERATION {event.index}] Repair {said}"]
    fixes = f"{event.retry_count} fix{'' if event.retry_count == 1 else 'es'}"
    if event.ran:
        return (
            [f"[{event.kind.upper()}] ran after {fixes}", *(f"  {error}" for error in event.errors)]
            if fixes[0] != "0"
            else []
        )
    return [f"[{event.kind.upper()}] did not run after {fixes}: {event.errors[-1]}"]


def _validation_lines(event: Validated) -> list[str]:
    head, report = f"[ITERATION {event.index}]", event.report
    if event.candidate is not None:
        head = f"[CANDIDATE {event.candidate}] {head}"
    lines = [f"{head} {event.note}"] if event.note else []
    lines.append(f"{head} Validation score: {report.score:.2f}, valid: {report.valid}")
    lines += [f"  {held}"] if (held := statements(report)) else []
    lines += _aside(report) if event.source in ("draft", "edit") else []
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


def _aside(report: Report) -> list[str]:
    """Return the statements that cannot be measured, and the words of the brief that nothing measured."""
    errors = tuple(f"“{issue.phrase}” is waived" for issue in report.errors if issue.final)
    lines = [f"  set aside: {line}" for line in report.set_aside if not line.startswith(errors)]
    lines = shown(lines, MAX_LINES)
    return (
        [*lines, f"  not measured: {quoted(report.unchecked)}"] if report.requirements and report.unchecked else lines
    )
