"""Several runs on one page: the review of many, newest first, and the comparison of two.

Like the page of one run each is a single file that requests nothing and runs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import TypeVar

from pydantic import JsonValue

from redraft.errors import RunFormatError, RunNotFoundError
from redraft.files import relative, run_folder, write_atomic
from redraft.record.transcript import Record, Transcript
from redraft.report.html import Values, clip, day, money, render, settings, tokens
from redraft.report.page import REPORT_FILE
from redraft.report.pictures import Thumbnails, inside
from redraft.report.summary import Made, made_of, pair_figures, summary_of
from redraft.text import plural

TITLE_LIMIT, PROMPT_LIMIT, VALUE_LIMIT = 160, 4_000, 300
"""Characters on the page."""
MOST_SETTINGS = 200
_SHEETS = ("page.css", "ideas.css", "review.css")
_STATES = {
    "valid": "valid",
    "unchecked": "unchecked",
    "invalid": "not valid",
    "incomplete": "incomplete",
    "ended": "ended early",
    "unfinished": "not finished",
}


def write_review(folders: Sequence[Path], out: Path) -> Path:
    """Write the page of these runs (or of files in them), newest first, whole or not at all; return its path.

    A run whose record is damaged is named on the page with the reason.

    Raises:
        RunNotFoundError: no run is given, or one of the folders is not a run.
        RunError: a record cannot be read, or the page cannot be written.
    """
    runs: list[Record] = []
    damaged: list[Values] = []
    for folder in dict.fromkeys(run_folder(path) for path in folders):
        try:
            runs.append(Record.load(folder))
        except RunFormatError as error:
            damaged.append({"name": folder.name, "reason": str(error)})
    if not runs and not damaged:
        raise RunNotFoundError("No run to review. Give the folders of runs, for example runs/*.")
    newest = sorted(runs, key=lambda run: run.transcript.created_at, reverse=True)
    all_made = [made_of(run, f"run-{n}") for n, run in enumerate(newest, start=1)]
    beside = out.resolve().parent
    thumbnails = Thumbnails(beside, len(all_made))
    how = ", and how their ideas were chosen" if any(made.ideas for made in all_made) else ""
    view = {
        "title": f"{plural(len(all_made), 'run')}{how}",
        "kicker": _kicker(all_made),
        "summary": summary_of(all_made),
        "entries": [_entry(made, thumbnails, beside) for made in all_made],
        "damaged": damaged,
    }
    return write_atomic(out, render("review.html.j2", *_SHEETS, view=view))


def write_comparison(a: Path, b: Path, out: Path) -> Path:
    """Write the page of two runs, whole or not at all; return its path.

    Raises:
        RunNotFoundError: one of them is not a run. RunFormatError: its record is damaged.
        RunError: a record cannot be read, or the page cannot be written.
    """
    both = first, second = [made_of(Record.load(run_folder(path))) for path in (a, b)]
    beside = out.resolve().parent
    thumbnails = Thumbnails(beside, 2)
    if first.prompt or second.prompt:
        what, texts = "The final prompts", compared(first.prompt, second.prompt)
    else:
        what, texts = "The instructions", compared(*(str(one.transcript.brief.get("instruction", "")) for one in both))
    flat = [_flat(one.transcript) for one in both]
    changed = [_line(name, _short(one), _short(two)) for name, one, two in differing(*flat)]
    view = {
        "title": " and ".join(dict.fromkeys(clip(one.title, TITLE_LIMIT).text for one in both)),
        "sides": [{"name": name, **_common(one, thumbnails, beside)} for name, one in zip(_NAMES, both, strict=True)],
        "what": what,
        "texts": texts,
        "figures": pair_figures(first, second, texts.alike, what),
        "lines": [_line(name, one, two) for (name, one), (_, two) in zip(_rows(first), _rows(second), strict=True)],
        "settings": changed[:MOST_SETTINGS],
        "unlisted": max(0, len(changed) - MOST_SETTINGS),
        "same": len({*flat[0], *flat[1]}) - len(changed),
    }
    return write_atomic(out, render("comparison.html.j2", *_SHEETS, view=view))


_NAMES = ("First", "Second")


def _common(made: Made, thumbnails: Thumbnails, beside: Path) -> Values:
    """The values that a run has on both pages."""
    page = inside(made.run.folder, REPORT_FILE)
    title = clip(made.title, TITLE_LIMIT)
    return {
        "title": title,
        "kicker": f"{made.transcript.studio} · {day(made.transcript.created_at)}",
        "seed": made.transcript.seed,
        "hung": thumbnails.show(made.run.folder, made.pictures),
        "alt": f"Result for: {title.text}",
        "error": {key: str(value) for key, value in (made.transcript.error or {}).items()},
        "ideas": made.ideas,
        "trouble": made.trouble,
        "report": relative(page, beside) if page else "",
    }


def _kicker(runs: Sequence[Made]) -> str:
    days = [day(made.transcript.created_at).partition(",")[0] for made in runs]
    when = "" if not days else days[0] if days[0] == days[-1] else f"{days[-1]} to {days[0]}"
    studios = ", ".join(dict.fromkeys(made.transcript.studio for made in runs))
    return " · ".join(filter(None, ("redraft review", studios, when)))


def _entry(made: Made, thumbnails: Thumbnails, beside: Path) -> Values:
    """One run of the review."""
    ideas, common = made.ideas, _common(made, thumbnails, beside)
    return {
        **common,
        "anchor": made.anchor,
        # For the grid: the idea, else the prompt's beginning, else the title; many runs have the same title.
        "name": (ideas.chosen.hook.text if ideas else made.prompt) or clip(made.title, TITLE_LIMIT).text,
        "state": "" if made.status in ("valid", "unchecked") else _STATES[made.status],
        "chose": f"{ideas.chosen.id}, {'explored' if ideas.roll.explores else 'the best'}" if ideas else "",
        "prompt": clip(made.prompt, PROMPT_LIMIT),
        "facts": _facts(made),
        "without": _without(made),
        "warnings": made.transcript.warnings,
    }


def _without(made: Made) -> str:
    """The reason for missing ideas; empty when the run has some."""
    if made.ideas or made.trouble:
        return ""
    wanted = made.transcript.scoring
    if isinstance(wanted, dict) and wanted.get("enabled") is True:
        return "Ideas were requested, but the run has not chosen one."
    return "No ideas were made beforehand: the draft followed the instruction."


def _facts(made: Made) -> list[tuple[str, str]]:
    transcript, painted = made.transcript, made.painting
    rows = [("Seed", str(transcript.seed)), ("Model", str(transcript.model.get("name", "")))]
    if painted and painted.by:
        rows.append(("Painted by", painted.by))
    if made.prompt:
        rows.append(("Prompt", plural(len(made.prompt.split()), "word")))
    return [*rows, ("Model calls", f"{transcript.usage.calls:,}"), ("Cost", money(transcript.usage.cost))]


def _line(name: str, first: str, second: str) -> Values:
    return {"name": name, "first": first, "second": second, "differs": first != second}


def _rows(made: Made) -> Sequence[tuple[str, str]]:
    transcript, painted, ideas = made.transcript, made.painting, made.ideas
    usage = transcript.usage
    return (
        ("Came to", _STATES[made.status]),
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
        ("Tokens", tokens(usage)),
        ("Turns", str(len(transcript.turns))),
        ("Cost", money(usage.cost)),
    )


def _flat(transcript: Transcript) -> dict[str, str]:
    whole: dict[str, JsonValue] = {"brief": transcript.brief, **transcript.config}
    return {"studio": transcript.studio, **dict(settings(whole)), "seed": str(transcript.seed)}


def _short(value: str | None) -> str:
    return "not set" if value is None else clip(value, VALUE_LIMIT).text


LONGEST = 8_000
"""Characters of each text that are compared; a final prompt has half of that at most."""
_TOKEN = re.compile(r"([぀-ヿ㐀-鿿가-힯]|\w+(?:['’\-]\w+)*|[^\w\s])(\s*)")
"""A word, a sign, or one character of a script without spaces; and the room after it."""

_INFORMATIVE = re.compile(r"\w{4}|[぀-ヿ㐀-鿿가-힯]")
"""Words that make a common piece worth showing: “of the” between two changes only breaks them up."""

T = TypeVar("T")
Token = tuple[str, str]
"""A word and the room after it."""


@dataclass(frozen=True)
class Piece:
    """Some words of one text; `same` when the other has them too."""

    text: str
    same: bool
    room: str = ""
    """After it; it is neither the same nor another."""


@dataclass(frozen=True)
class TextPair:
    """Two texts in pieces. Joined with their room, they are the texts again."""

    first: tuple[Piece, ...]
    second: tuple[Piece, ...]
    left_out: int
    """Characters of both that were not compared, and are left out."""
    alike: float
    """The share of words that both have in the same order, 0 to 1."""


def compared(first: str, second: str) -> TextPair:
    """Return the common and different pieces of two texts; case and punctuation count, white space does not."""
    texts = [text.strip()[:LONGEST] for text in (first, second)]
    left_out = sum(len(text.strip()) for text in (first, second)) - sum(len(text) for text in texts)
    one, two = ([(str(word), str(room)) for word, room in _TOKEN.findall(text)] for text in texts)
    matcher = SequenceMatcher(None, [word for word, _ in one], [word for word, _ in two], autojunk=False)
    sides: tuple[list[Piece], list[Piece]] = ([], [])
    common = 0
    for kind, a0, a1, b0, b1 in matcher.get_opcodes():
        within = a0 > 0 and b0 > 0 and a1 < len(one) and b1 < len(two)
        same = kind == "equal" and not (within and not _informative(one[a0:a1]))
        common += (a1 - a0) * same
        for pieces, words in zip(sides, (one[a0:a1], two[b0:b1]), strict=True):
            _add(pieces, words, same=same)
    every = len(one) + len(two)
    return TextPair(tuple(sides[0]), tuple(sides[1]), left_out, 2 * common / every if every else 1.0)


def _informative(tokens: Sequence[Token]) -> bool:
    return any(_INFORMATIVE.search(word) for word, _ in tokens)


def _add(pieces: list[Piece], tokens: Sequence[Token], *, same: bool) -> None:
    """Add words to the last piece when they are of its kind, else as a piece of their own."""
    if not tokens:
        return
    whole = "".join(word + room for word, room in tokens)
    if pieces and pieces[-1].same == same:
        before = pieces.pop()
        whole = before.text + before.room + whole
    text = whole.rstrip()
    pieces.append(Piece(text, same, whole[len(text) :]))


def differing(first: Mapping[str, T], second: Mapping[str, T]) -> list[tuple[str, T | None, T | None]]:
    """The names under which two mappings hold other values, in the order of the first; None where one has none."""
    names = dict.fromkeys([*first, *second])
    return [(name, first.get(name), second.get(name)) for name in names if first.get(name) != second.get(name)]
