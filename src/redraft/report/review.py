"""Many runs on one page: their pictures, the ideas behind them, how each was chosen, and how varied it all is.

Like the page of one run it is a single file that asks for nothing and runs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from redraft.errors import RunNotFoundError
from redraft.files import write_atomic
from redraft.folders import relative
from redraft.report.comparison import write_comparison
from redraft.report.html import render
from redraft.report.ideas import IdeasView
from redraft.report.made import Made, Unreadable, made_of, read_runs
from redraft.report.page import REPORT_FILE
from redraft.report.pictures import Shown, inside
from redraft.report.summary import Summary, money, summary_of
from redraft.report.thumbnails import Wall
from redraft.report.words import Clipped, clip, day, plural
from redraft.transcript import Run

__all__ = ["write_comparison", "write_review"]

TITLE_LIMIT, PROMPT_LIMIT = 160, 4_000
"""Characters on the page."""
STATES = {"valid": "", "unchecked": "", "invalid": "not valid", "ended": "ended early", "unfinished": "not finished"}


@dataclass(frozen=True)
class Entry:
    """One run on the page."""

    anchor: str
    title: Clipped
    name: str
    """For the grid: the idea, else the prompt's beginning, else the title; many runs have the same title."""
    kicker: str
    state: str
    """What is wrong with it in two words; empty when nothing is."""
    chose: str
    """For the grid: the card, and whether the choice explored."""
    error: dict[str, str]
    prompt: Clipped
    small: Shown | None
    large: Shown | None
    alt: str
    facts: tuple[tuple[str, str], ...]
    ideas: IdeasView | None
    trouble: str
    without: str
    """Why there are no ideas, where there are none."""
    warnings: tuple[str, ...]
    report: str
    """Address of the run's own page; empty when it is not there."""


@dataclass(frozen=True)
class ReviewView:
    """Everything on the page."""

    title: str
    kicker: str
    summary: Summary
    entries: tuple[Entry, ...]
    damaged: tuple[Unreadable, ...]


def write_review(folders: Sequence[Path], out: Path) -> Path:
    """Write the page of these runs, newest first, whole or not at all; return its path.

    A run whose record is damaged is named on the page with the reason.

    Raises:
        RunNotFoundError: there is no run, or one of the folders is none.
        RunError: a record may not be read, or the page cannot be written.
    """
    runs, damaged = read_runs(folders)
    if not runs and not damaged:
        raise RunNotFoundError("There is no run to review. Give the folders of some, for example runs/*.")
    return write_atomic(
        out, render("review.html.j2", "page.css", "ideas.css", "review.css", view=_view(runs, damaged, out))
    )


def _view(runs: Sequence[Run], damaged: Sequence[Unreadable], out: Path) -> ReviewView:
    newest = sorted(runs, key=lambda run: run.transcript.created_at, reverse=True)
    all_made = [made_of(run, f"run-{n}") for n, run in enumerate(newest, start=1)]
    wall = Wall(out.resolve().parent, len(all_made))
    how = ", and how their ideas were chosen" if any(made.ideas for made in all_made) else ""
    return ReviewView(
        title=f"{plural(len(all_made), 'run')}{how}",
        kicker=_kicker(all_made),
        summary=summary_of(all_made),
        entries=tuple(_entry(made, wall, out.resolve().parent) for made in all_made),
        damaged=tuple(damaged),
    )


def _kicker(runs: Sequence[Made]) -> str:
    days = [day(made.transcript.created_at).partition(",")[0] for made in runs]
    when = "" if not days else days[0] if days[0] == days[-1] else f"{days[-1]} to {days[0]}"
    studios = ", ".join(dict.fromkeys(made.transcript.studio for made in runs))
    return " · ".join(filter(None, ("redraft review", studios, when)))


def _entry(made: Made, wall: Wall, beside: Path) -> Entry:
    transcript = made.transcript
    hung = wall.hang(made.run.folder, made.pictures)
    page = inside(made.run.folder, REPORT_FILE)
    title = clip(made.title, TITLE_LIMIT)
    return Entry(
        anchor=made.anchor,
        title=title,
        name=(made.ideas.chosen.hook.text if made.ideas else made.prompt) or title.text,
        kicker=f"{transcript.studio} · {day(transcript.created_at)}",
        state=STATES[made.status],
        chose=_chose(made.ideas),
        error={key: str(value) for key, value in (transcript.error or {}).items()},
        prompt=clip(made.prompt, PROMPT_LIMIT),
        small=hung.small if hung else None,
        large=hung.large if hung else None,
        alt=f"What was made of: {title.text}",
        facts=tuple(_facts(made)),
        ideas=made.ideas,
        trouble=made.trouble,
        without=_without(made),
        warnings=transcript.warnings,
        report=relative(page, beside) if page else "",
    )


def _chose(ideas: IdeasView | None) -> str:
    if ideas is None:
        return ""
    how = "explored" if ideas.roll.explores else "the best"
    return f"{ideas.chosen.id}, {how}"


def _without(made: Made) -> str:
    if made.ideas or made.trouble:
        return ""
    wanted = made.transcript.scoring
    if isinstance(wanted, dict) and wanted.get("enabled") is True:
        return "Ideas were wanted, but the run has not come to choose one."
    return "No ideas were made beforehand: the draft went on from what was asked."


def _facts(made: Made) -> list[tuple[str, str]]:
    transcript, painted = made.transcript, made.painting
    rows = [("Seed", str(transcript.seed)), ("Model", str(transcript.model.get("name", "")))]
    if painted and painted.by:
        rows.append(("Painted by", painted.by))
    if made.prompt:
        rows.append(("Prompt", plural(len(made.prompt.split()), "word")))
    return [*rows, ("Model calls", f"{transcript.usage.calls:,}"), ("Cost", money(transcript.usage.cost))]
