"""Two runs side by side: pictures, prompts with what differs marked, the choice of each, figures and settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from redraft.files import write_atomic
from redraft.folders import relative, run_folder
from redraft.report.differences import TextPair, compared, differing
from redraft.report.html import render
from redraft.report.ideas import IdeasView
from redraft.report.made import Made, made_of
from redraft.report.page import REPORT_FILE
from redraft.report.pictures import inside
from redraft.report.summary import Figure, money, pair_figures
from redraft.report.thumbnails import Hung, Wall
from redraft.report.words import Clipped, clip, day, settings
from redraft.transcript import Run, Transcript

__all__ = ["write_comparison"]

TITLE_LIMIT, VALUE_LIMIT = 160, 300
"""Characters on the page."""
STATES = {
    "valid": "valid",
    "unchecked": "unchecked",
    "invalid": "not valid",
    "ended": "ended early",
    "unfinished": "not finished",
}
MOST_SETTINGS = 200


@dataclass(frozen=True)
class Side:
    """One of the two runs."""

    name: str
    """`First` or `Second`."""
    title: Clipped
    kicker: str
    hung: Hung | None
    alt: str
    error: str
    ideas: IdeasView | None
    trouble: str
    report: str
    """Address of the run's own page; empty when it is not there."""


@dataclass(frozen=True)
class Line:
    """One figure of both, or one setting."""

    name: str
    first: str
    second: str
    differs: bool = True


@dataclass(frozen=True)
class ComparisonView:
    """Everything on the page."""

    title: str
    sides: tuple[Side, Side]
    what: str
    """What the texts are: final prompts, or what was asked."""
    texts: TextPair
    figures: tuple[Figure, ...]
    lines: tuple[Line, ...]
    settings: tuple[Line, ...]
    unlisted: int
    """Settings that differ too, and have no room."""
    same: int
    """Settings that are the same."""


def write_comparison(a: Path, b: Path, out: Path) -> Path:
    """Write the page of two runs, whole or not at all; return its path.

    Raises:
        RunNotFoundError: one of them is no run. RunFormatError: its record is damaged.
        RunError: a record may not be read, or the page cannot be written.
    """
    runs = [Run.load(run_folder(path)) for path in (a, b)]
    view = _view(made_of(runs[0]), made_of(runs[1]), out)
    return write_atomic(out, render("comparison.html.j2", "page.css", "ideas.css", "review.css", view=view))


def _view(first: Made, second: Made, out: Path) -> ComparisonView:
    beside = out.resolve().parent
    wall = Wall(beside, 2)
    sides = (_side("First", first, wall, beside), _side("Second", second, wall, beside))
    what, texts = _texts(first, second)
    changed, same = _settings(first.transcript, second.transcript)
    return ComparisonView(
        title=" and ".join(dict.fromkeys(side.title.text for side in sides)),
        sides=sides,
        what=what,
        texts=texts,
        figures=pair_figures(first, second, texts.alike, what),
        lines=tuple(_line(*row) for row in zip(_rows(first), _rows(second), strict=True)),
        settings=tuple(changed[:MOST_SETTINGS]),
        unlisted=max(0, len(changed) - MOST_SETTINGS),
        same=same,
    )


def _side(name: str, made: Made, wall: Wall, beside: Path) -> Side:
    transcript = made.transcript
    page = inside(made.run.folder, REPORT_FILE)
    title = clip(made.title, TITLE_LIMIT)
    return Side(
        name=name,
        title=title,
        kicker=f"{transcript.studio} · {day(transcript.created_at)} · seed {transcript.seed}",
        hung=wall.hang(made.run.folder, made.pictures),
        alt=f"What was made of: {title.text}",
        error=str((transcript.error or {}).get("message", "")),
        ideas=made.ideas,
        trouble=made.trouble,
        report=relative(page, beside) if page else "",
    )


def _texts(first: Made, second: Made) -> tuple[str, TextPair]:
    if first.prompt or second.prompt:
        return "The final prompts", compared(first.prompt, second.prompt)
    asked = (str(made.transcript.brief.get("instruction", "")) for made in (first, second))
    return "What was asked", compared(*asked)


def _line(one: tuple[str, str], two: tuple[str, str]) -> Line:
    return Line(one[0], one[1], two[1], one[1] != two[1])


def _rows(made: Made) -> Sequence[tuple[str, str]]:
    transcript, painted, ideas = made.transcript, made.painting, made.ideas
    usage = transcript.usage
    return (
        ("Came to", STATES[made.status]),
        ("Score of the report", f"{transcript.score:.2f}" if transcript.finished else "none"),
        ("Words of the prompt", str(len(made.prompt.split())) if made.prompt else "none"),
        ("Cards", str(len(ideas.cards)) if ideas else "none"),
        ("Chosen", f"{ideas.chosen.id} with {ideas.chosen.adjusted} points" if ideas else "none"),
        ("Roll", f"{ideas.roll.roll} against {ideas.roll.rate}" if ideas else "none"),
        ("Choice", ("explored" if ideas.roll.explores else "took the best") if ideas else "none"),
        ("Model", str(transcript.model.get("name", ""))),
        ("Painted by", (painted.backend if painted else "") or "none"),
        ("Picture", f"{painted.width} × {painted.height}" if painted and painted.width else "none"),
        ("Model calls", f"{usage.calls:,}"),
        ("Tokens", f"{usage.input_tokens:,} in, {usage.output_tokens:,} out"),
        ("Turns", str(len(transcript.turns))),
        ("Cost", money(transcript.usage.cost)),
    )


def _settings(first: Transcript, second: Transcript) -> tuple[list[Line], int]:
    """The settings and the brief, as far as they differ, and how many are the same."""
    one, two = _flat(first), _flat(second)
    changed = [Line(name, _short(a), _short(b)) for name, a, b in differing(one, two)]
    return changed, len({*one, *two}) - len(changed)


def _flat(transcript: Transcript) -> dict[str, str]:
    whole: dict[str, JsonValue] = {"brief": transcript.brief, **transcript.config}
    return {"studio": transcript.studio, **dict(settings(whole)), "seed": str(transcript.seed)}


def _short(value: str | None) -> str:
    return "not set" if value is None else clip(value, VALUE_LIMIT).text
