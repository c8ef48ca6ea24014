"""Issues, reports, verdicts, the record of each turn, and the result of a run."""

from __future__ import annotations

import base64
import html
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import shorten
from typing import Literal, cast

from pydantic import BaseModel, ConfigDict, Field, JsonValue, computed_field, model_validator
from pydantic.dataclasses import dataclass

from redraft.errors import FailureClass
from redraft.limits import PICTURE, read_file

Severity = Literal["error", "warning", "note"]
"""The one scale of findings: an error makes a candidate not valid, a warning costs score, a note informs."""

Basis = Literal["requirement", "defect", "heuristic"]
"""Where an issue comes from: a stated requirement that is measured, what cannot be intended whatever the brief says, or
a rule of thumb."""

Heuristics = Literal["default", "strict", "off"]
"""The severities of heuristics: those measured on real drafts, the specification's, or none: they are off."""

Outcome = Literal["valid", "not valid", "incomplete", "unchecked"]
"""Of a run: `incomplete` where its model left things out or has placeholders for them, `unchecked` where nothing was
measured on the result itself and no model looked."""

CONCEPT = "concept"
"""Kind of the requirements that are looked for in a prompt: they say nothing about the picture."""

ERROR_COST = 0.3
WARNING_COST = 0.1
VALID_AT = 0.7
MAX_ISSUES = 50
"""Issues of one code and severity that a report lists; of a drawing with more, no model or person reads them all."""
MAX_FINDINGS = 250
"""Issues that one rule finds before it stops; five times as many as a report lists."""
MAX_WORDS = 1_000
"""Characters of an issue's message or hint; names come from replies and files, and may be of any length."""
AT_LEAST = "at_least"
"""Among the numbers of such an issue: there may be more, which were not looked for."""
LEFT_OUT = "left_out"
"""Among an issue's numbers: how many issues of its code it stands for, which the report does not list."""


class _Noun(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Mark(_Noun):
    """Something to draw over a picture, in the layout's own unit.

    `box` is x0, y0, x1, y1; `arrow` runs from x0, y0 to x1, y1; `point` repeats its two numbers.
    """

    kind: Literal["box", "arrow", "point"]
    at: tuple[float, float, float, float]
    text: str = ""


class Mismatch(_Noun):
    """The answer to a requirement that does not hold: which of the two is wrong, the drawing or the statement."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    id: str = Field(max_length=40)
    """Of the requirement: `r3`."""
    wrong: Literal["drawing", "statement"]
    """`drawing`: the result has to change. `statement`: the requirement is withdrawn."""
    reason: str = Field(default="", max_length=400)
    """One sentence."""


class Measured(_Noun):
    """One stated requirement, and what measuring it found."""

    id: str
    kind: str
    quote: str = ""
    """The words of the brief that it stands for; empty for an intention of the plan."""
    words: str
    """The statement in words: `3 × book_* within each of shelf_*`."""
    outcome: Literal["met", "inexact", "broken", "withdrawn", "waived"]
    """`inexact`: met within the tolerance, and not exactly. `withdrawn`: stated wrongly, so that it was not measured.
    `waived`: the same reply says that it cannot be done."""
    found: str = ""
    """The measurement in words."""
    deviation: float = 0.0
    """Deviation in tolerances: above 1 it is broken."""
    subjects: tuple[str, ...] = ()
    """Every part that it speaks of."""
    numbers: dict[str, float] = Field(default_factory=dict[str, float])
    """`found` and `expected`, of what is farthest off."""
    worst: tuple[str, ...] = ()
    """The parts that are off, the worst first."""
    upheld: bool = False
    """The critic says that it is stated rightly; where it does not hold, the result is wrong."""
    changed: str = ""
    """The reason for which its wording was changed or withdrawn in this run; empty when it is as first stated."""


class Issue(_Noun):
    """One thing that is wrong, or likely to be.

    `code` is documented (`overlap.cover`, `count.missing`); the word before its dot is the category.
    `subjects` are part names; `numbers` hold what was found and what was expected; `hint` is the smallest change
    that would put it right, in words a model can act on.
    """

    code: str
    severity: Severity
    message: str
    subjects: tuple[str, ...] = ()
    numbers: dict[str, float] = Field(default_factory=dict[str, float])
    hint: str = ""
    marks: tuple[Mark, ...] = ()
    phrase: str = ""
    """The words of the brief that ask for it, when the brief does."""
    basis: Basis = "defect"
    requirement: str = ""
    """Id of the requirement that does not hold."""
    final: bool = False
    """The model that drafted has declared that it cannot be put right: the error stands, and nothing more is asked."""
    quiet: bool = False
    """Where it is a note by default, it stays in the report: such notes were wrong on real drafts."""

    @property
    def key(self) -> tuple[str, tuple[str, ...], str]:
        """By which it is compared with those of other candidates: code, and the requirement or the subjects."""
        return (self.code, () if self.requirement else tuple(sorted(self.subjects)), self.requirement)

    @property
    def count(self) -> int:
        """The number of issues it stands for: 1, or more for the last entry of a list that was cut."""
        return int(self.numbers.get(LEFT_OUT, 1))

    @property
    def crowd(self) -> bool:
        """True for the last entry of a list that was cut."""
        return LEFT_OUT in self.numbers

    @property
    def extent(self) -> float:
        """Its badness in its own measure: found less expected, or found alone."""
        found = self.numbers.get("found", float(self.count))
        return abs(found - self.numbers.get("expected", 0.0))

    @property
    def category(self) -> str:
        """The word before the code's dot: `overlap`, `spacing`, `ratio`, `symmetry`, `size` …"""
        return self.code.partition(".")[0]

    def line(self) -> str:
        """The seed's terminal form: `[ERROR] symmetry: ear_left and ear_right overlap horizontally`."""
        return f"[{self.severity.upper()}] {self.category}: {self.message}"


def rest_of(issue: Issue, left_out: int, *, at_least: bool = False) -> Issue:
    """Return the last entry of a list that was cut: it stands for issues of one code.

    Args:
        issue: one of the list.
        left_out: how many issues it stands for.
        at_least: there may be more, which were not looked for.
    """
    number = f"{'at least ' if at_least else ''}{left_out:,}"
    return Issue(
        code=issue.code,
        severity=issue.severity,
        message=f"and {number} more of this kind",
        numbers={LEFT_OUT: left_out, **({AT_LEAST: 1.0} if at_least else {})},
        basis=issue.basis,
        quiet=issue.quiet,
    )


def limited(issues: Iterable[Issue]) -> Iterator[Issue]:
    """Yield the first `MAX_FINDINGS` issues of a rule, and where there are more an entry that says so."""
    for number, issue in enumerate(issues):
        if number == MAX_FINDINGS:
            yield rest_of(issue, 1, at_least=True)
            return
        yield issue


def first_lines(lines: Sequence[str], limit: int) -> list[str]:
    """Return the first lines of a list and, where there are more, `… and 37 more` in place of the others."""
    return [*lines] if len(lines) <= limit else [*lines[:limit], f"… and {len(lines) - limit:,} more"]


def judged(
    issues: Iterable[Issue], heuristics: Heuristics, severities: Mapping[str, Severity] | None = None
) -> tuple[Issue, ...]:
    """Return the findings of rules, with the severities of heuristics in force.

    Args:
        issues: findings; those of heuristics have the severity of `strict`.
        heuristics: which severities are in force.
        severities: the default severity of a heuristic, by code; `note` where a code is missing.
    """
    if heuristics == "strict":
        return tuple(issues)
    known = severities or {}
    return tuple(
        issue
        if issue.basis != "heuristic"
        else issue.model_copy(
            update={"severity": "note" if issue.severity == "note" else known.get(issue.code, "note")}
        )
        for issue in issues
        if issue.basis != "heuristic" or heuristics == "default"
    )


class Report(_Noun):
    """The findings of a validation. Valid means that no rule was broken, never that all was verified."""

    issues: tuple[Issue, ...] = ()
    inherited: tuple[Issue, ...] = ()
    """Issues the base already had; they are shown and never scored."""
    requirements: tuple[Measured, ...] = ()
    """The stated requirements, each measured."""
    set_aside: tuple[str, ...] = ()
    """Statements that cannot be measured as they are, each with the reason."""
    unchecked: tuple[str, ...] = ()
    """Stretches of the brief that nothing measured."""
    stand_ins: tuple[str, ...] = ()
    """Things of the brief that are left out, or only there as placeholders."""
    heuristics: Heuristics = "default"
    given_up: bool = False
    """The model has said that it cannot go on, and did nothing: it is not asked again."""

    @model_validator(mode="before")
    @classmethod
    def _without_derived(cls, data: object) -> object:
        """A written report holds its score and validity for the reader; read back, they follow from the issues."""
        if not isinstance(data, dict):
            return data
        return {k: v for k, v in cast("dict[str, object]", data).items() if k not in ("score", "valid")}

    def __add__(self, other: Report) -> Report:
        """Merge the reports of two judges on one artifact."""
        return Report(
            issues=(*self.issues, *other.issues),
            inherited=(*self.inherited, *other.inherited),
            requirements=(*self.requirements, *other.requirements),
            set_aside=(*self.set_aside, *other.set_aside),
            heuristics=self.heuristics,
            unchecked=(*self.unchecked, *other.unchecked),
            stand_ins=tuple(dict.fromkeys((*self.stand_ins, *other.stand_ins))),
            given_up=self.given_up or other.given_up,
        )

    def less(self, before: Iterable[Issue]) -> Report:
        """Return this report; findings that the base of an edit has too, no less, are inherited."""
        extents = {issue.key: issue.extent for issue in before}
        issues, inherited = split(self.issues, lambda i: i.key not in extents or i.extent > extents[i.key])
        return self.model_copy(update={"issues": issues, "inherited": (*self.inherited, *inherited)})

    def cut(self) -> Report:
        """Return this report with at most `MAX_ISSUES` issues of a code and severity; one more entry counts the others.

        Broken requirements stay: each has an answer of its own, and there are at most 200. Score and validity are the
        same as before.
        """
        update = {"issues": _cut(self.issues), "inherited": _cut(self.inherited)}
        same = update["issues"] is self.issues and update["inherited"] is self.inherited
        return self if same else self.model_copy(update=update)

    @property
    def crowded(self) -> bool:
        """True if issues are counted that are not listed: too many to fix one by one."""
        return any(issue.crowd for issue in self.issues)

    def count(self, severity: Severity) -> int:
        """Return the number of issues of a severity, those that are not listed included."""
        return sum(issue.count for issue in self.issues if issue.severity == severity)

    @computed_field
    @property
    def score(self) -> float:
        """1.0 less 0.3 per error and 0.1 per warning, floor 0."""
        cost = ERROR_COST * self.count("error") + WARNING_COST * self.count("warning")
        return round(max(0.0, 1.0 - cost), 6)

    @computed_field
    @property
    def valid(self) -> bool:
        """No error; under the specification's severities a score of at least 0.7 too."""
        return not self.errors and (self.heuristics != "strict" or self.score >= VALID_AT)

    @property
    def closed(self) -> bool:
        """Whether nothing is left to repair: it is valid, given up, or all of its errors are final."""
        return self.valid or self.given_up or (bool(self.errors) and all(issue.final for issue in self.errors))

    @property
    def errors(self) -> tuple[Issue, ...]:
        return tuple(i for i in self.issues if i.severity == "error")

    @property
    def warnings(self) -> tuple[Issue, ...]:
        return tuple(i for i in self.issues if i.severity == "warning")

    @property
    def notes(self) -> tuple[Issue, ...]:
        return tuple(i for i in self.issues if i.severity == "note")

    @property
    def mismatches(self) -> tuple[Issue, ...]:
        """Stated requirements that do not hold, and that nothing has been decided about yet."""
        return tuple(i for i in self.notes if i.requirement)

    def upheld(self) -> Report:
        """Return this report with every requirement that does not hold as an error."""
        if not self.mismatches:
            return self
        issues = (i.model_copy(update={"severity": "error"}) if i.requirement else i for i in self.issues)
        return self.model_copy(update={"issues": tuple(issues)})


def split(issues: Iterable[Issue], holds: Callable[[Issue], bool]) -> tuple[tuple[Issue, ...], tuple[Issue, ...]]:
    """Return the issues for which something holds, and the others."""
    parts: tuple[list[Issue], list[Issue]] = [], []
    for issue in issues:
        parts[not holds(issue)].append(issue)
    return tuple(parts[0]), tuple(parts[1])


def _cut(issues: tuple[Issue, ...]) -> tuple[Issue, ...]:
    """The first issues of each code and severity, long words shortened; an entry after them counts the rest."""
    counts = Counter((i.code, i.severity) for i in issues if i.basis != "requirement")
    long = [i for i in issues if max(len(i.message), len(i.hint)) > MAX_WORDS]
    if max(counts.values(), default=0) <= MAX_ISSUES + 1 and not long:
        return issues
    kept: list[Issue] = []
    rests: dict[tuple[str, Severity], list[Issue]] = {}
    room = {kind: MAX_ISSUES if count > MAX_ISSUES + 1 else count for kind, count in counts.items()}
    for issue in issues:
        kind = (issue.code, issue.severity)
        if issue.basis != "requirement" and (issue.crowd or not room[kind]):
            rests.setdefault(kind, []).append(issue)
            continue
        room[kind] = room.get(kind, 0) - 1
        words = {name: _shortened(getattr(issue, name)) for name in ("message", "hint")}
        kept.append(issue.model_copy(update=words))
    return (*kept, *(_rest(rest) for rest in rests.values()))


def _rest(issues: Sequence[Issue]) -> Issue:
    """One entry in the place of several issues of one code."""
    at_least = any(AT_LEAST in issue.numbers for issue in issues)
    return rest_of(issues[0], sum(issue.count for issue in issues), at_least=at_least)


def _shortened(words: str) -> str:
    return words if len(words) <= MAX_WORDS else f"{words[: MAX_WORDS - 1]}…"


class Score(_Noun):
    """The distance of an artifact from the target, by one metric, frame by frame."""

    metric: str
    """`FLIP`, `SSIM` or `LPIPS`; which way is better is the metric's own (`memory.history.DIRECTIONS`)."""
    best: float
    """Of the best frame: what the history shows and the loop chooses by."""
    mean: float
    frame: int = 0
    """Index of the best frame, from 0."""
    frames: tuple[float, ...] = ()
    reached: bool = False
    """It is as near as the settings ask for."""
    where: tuple[str, ...] = ()
    """Where the best frame is farthest from the target, in words, the worst first; empty where not computed."""


class Difference(_Noun):
    """What a critic finds different from the brief."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    text: str = Field(max_length=600)
    """The part, what is wrong, and what would be right."""
    where: str = Field(default="", max_length=200)
    """The place in the picture, in words or shares of its width and height."""
    weight: Literal["must", "minor"]
    """`must`: the brief is not met until it changes. `minor`: better otherwise; it opens no further turn."""


class Verdict(_Noun):
    """The verdict of a critic (words) or a metric (a number), or `none` without either."""

    by: Literal["critic", "metric", "none"]
    satisfied: bool | None
    score: float | None = None
    """0 to 1 for a critic, 1 being right; a metric's own number for a metric."""
    summary: str = ""
    differences: tuple[Difference, ...] = ()
    mismatches: tuple[Mismatch, ...] = ()
    """Answers to the requirements that do not hold."""
    better: Literal["", "later", "earlier", "same"] = ""
    """Which of two candidates, shown without order, is preferred; empty where only one was shown."""
    measured: Score | None = None
    """Distance from the target, if any; a critic may have judged too."""


class CodePatch(_Noun):
    """A change to one line of a program that would fix an error that its interpreter reported."""

    line: int
    """From 1."""
    before: str
    """Part of that line, exactly, or all of it."""
    after: str
    """The replacement; empty to delete the part."""
    why: str = ""
    """In words: `Blender 5.0.1 has no scene.objects.link; the scene's collection has it`."""


class Failure(_Noun):
    """One failed attempt: its class, its message, and the keys under which fixes may be remembered."""

    failure_class: FailureClass
    message: str
    keys: tuple[str, ...] = ()
    """Of every error of a compiler or interpreter, in its order: `glsl:undeclared_identifier`."""
    line: int | None = None
    """Of the first error, in the program; None where none is named."""
    by: str = ""
    """The compiler or interpreter, with its version."""
    patches: tuple[CodePatch, ...] = ()
    """Fixes of the compiler or interpreter, if it has any."""
    subjects: tuple[str, ...] = ()
    """The components that caused it."""

    @property
    def key(self) -> str:
        """The key of the first error; empty without one."""
        return self.keys[0] if self.keys else ""


_FRAME = re.compile(r'  File "[^"]*", (line \d+)(?:$|, in )')
_EXCEPTION = re.compile(r"[A-Z]\w*Error(?:: |$)")
MAX_SOURCE = 80
"""Characters of a script's line that a gist shows; as long as most lines of code are."""


def gist(message: str) -> str:
    """Return one line that says what is wrong, from the message of an error.

    It is the first line of a compiler's message, the exception of a Python traceback, `line 7: invalid syntax: x = = 3`
    of a script that Python cannot read, and the first line with the script's own where a limit stopped it.
    """
    first, *rest = message.splitlines() or ["no message"]
    unindented = next((line for line in rest if line and not line[0].isspace()), "")
    frame = _FRAME.match(rest[0]) if rest else None
    if first.startswith("Traceback (most recent call last)"):
        return unindented or first
    if frame and first.endswith(":"):  # "… was stopped. It was then at:"
        return f"{first[:-1]} {rest[0][frame.start(1) :]}"
    if not _EXCEPTION.match(unindented):
        return first
    if frame is None:
        return unindented
    source = shorten(rest[1], MAX_SOURCE, placeholder=" …") if rest[1][:1].isspace() else ""
    return ": ".join(filter(None, (frame[1], unindented.partition(": ")[2], source)))


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class IterationRecord:
    """One outer turn. The first six fields are the specification's; the rest say by which metric, and what failed."""

    iteration: int
    lpips_score: float | None = None
    lpips_improved: bool | None = None
    compile_error: str | None = None
    critique_summary: str | None = None
    agent_notes: str | None = None
    """The one-line approach, from the reply itself."""
    metric: str | None = None
    score: float | None = None
    improved: bool | None = None
    """By the metric's own direction; None for the first score, or none."""
    retry_count: int = 0
    errors: tuple[str, ...] = ()


class Picture(_Noun):
    """A picture in memory, PNG. `name` is its file name in the run folder."""

    name: str
    png: bytes = Field(repr=False)


class Usage(_Noun):
    """The cost of model calls. `cost` is in US dollars, None where the price of a call is unknown."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = 0.0

    @property
    def counted(self) -> bool:
        """Whether the tokens are known; those of an inbox are not."""
        return not self.calls or bool(self.input_tokens or self.output_tokens) or self.cost is not None

    def __add__(self, other: Usage) -> Usage:
        cost = None if self.cost is None or other.cost is None else self.cost + other.cost
        return Usage(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cost=cost,
        )


class Result(_Noun):
    """The result of a run. `files` are paths by role: `svg`, `png`, `json`, `report`, `transcript` …"""

    run: Path
    studio: str
    valid: bool
    score: float
    report: Report
    verdict: Verdict
    usage: Usage
    iterations: tuple[IterationRecord, ...]
    files: dict[str, Path]
    warnings: tuple[str, ...] = ()
    error: dict[str, JsonValue] | None = None
    """`{phase, step, message}` when the run ended early; the work so far is delivered all the same."""

    @computed_field
    @property
    def outcome(self) -> Outcome:
        """The result in a word: `incomplete` where things of the brief are left out or only placeholders."""
        return outcome_of(self.report, self.verdict, valid=self.valid)

    def __fspath__(self) -> str:
        """Return the run's folder, so that a result can be given wherever a run is expected."""
        return str(self.run)

    def __repr__(self) -> str:
        """Return one line: the rest is in the fields."""
        return f"<Result {self.studio}: {self.outcome}, {self.run}>"

    __str__ = __repr__

    def _repr_png_(self) -> bytes | None:
        """Return the delivered picture, for a notebook."""
        path = self.files.get("png")
        return read_file(path, PICTURE) if path is not None and path.is_file() else None

    def _repr_html_(self) -> str:
        """Return the picture, the outcome and what was found, for a notebook."""
        png = self._repr_png_()
        source = "" if png is None else f"data:image/png;base64,{base64.b64encode(png).decode()}"
        picture = f'<img src="{source}" alt="" style="max-width: 480px; max-height: 480px">' if source else ""
        ended = [] if self.error is None else [f"ended early: {self.error['message']}"]
        found = first_lines([issue.message for issue in self.report.errors], MAX_ISSUES)
        left_out = [lacking(self.report, self.studio)] if self.outcome == "incomplete" else []
        lines = "".join(f"<li>{html.escape(line)}</li>" for line in (*ended, *left_out, *found, *self.warnings))
        where = html.escape(str(self.run))
        return f"<div>{picture}<p><b>{self.studio}</b>: {self.outcome} <code>{where}</code></p><ul>{lines}</ul></div>"


REMEDIES = {"image": "choose another image backend with --backend"}
"""Ways to get what is left out, by studio; elsewhere another model is the way."""


def lacking(report: Report, studio: str) -> str:
    """Return the line that names what a studio's result lacks, and how to get it."""
    named = [shorten(thing, 60, placeholder=" …") for thing in report.stand_ins[:8]]
    more = len(report.stand_ins) - len(named)
    things = ", ".join([*named, *([f"{more} more"] if more else [])])
    remedy = REMEDIES.get(studio, "choose a language model with --model")
    return f"left out or only placeholders: {things}; to have them made, {remedy}"


def outcome_of(report: Report, verdict: Verdict, *, valid: bool) -> Outcome:
    """Return the outcome of a run in a word."""
    if not valid:
        return "incomplete" if report.stand_ins and report.valid else "not valid"
    measured = any(one.kind != CONCEPT for one in report.requirements)
    return "valid" if measured or verdict.by != "none" or report.heuristics == "strict" else "unchecked"
