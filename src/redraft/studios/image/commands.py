"""Commands of the image studio: the list of generations, its variety, pages of runs, and how an idea was chosen.

Prompts, concepts and paths are text of strangers, so they are printed without control characters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from json import dumps as json_of
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redraft.cli import flags as o
from redraft.cli.failures import failures, open_page
from redraft.cli.studio import Commands, commands_of
from redraft.cli.terminal import plain
from redraft.limits import PICTURE, read_file
from redraft.text import plural

if TYPE_CHECKING:
    from redraft.ideas.history import Generation
    from redraft.ideas.novelty import Motif
    from redraft.metrics.variety import Variety

app = Commands()

History = Annotated[
    Path | None, typer.Option(metavar="FILE", help="List of generations (default: generations.csv beside the runs).")
]
Last = Annotated[int | None, typer.Option("--last", metavar="N", min=1, help="Use the newest N (default 250).")]
NEWEST = 250
"""Generations that are used by default; all of a long list would take minutes."""

# The table of generations, in cells of the terminal.
GAP = "  "
DATE_WIDTH = len("2026-11-22 09:30")
MAX_CONCEPTS_WIDTH = 30
"""It is also at most a third of a narrow terminal."""
MIN_PROMPT_WIDTH = 24
"""Below it the path goes on a line of its own."""
MIN_TABLE_WIDTH = 40
TITLES = ("date", "concepts", "prompt", "image")

MAX_MOTIFS = 12
"""Repeated words that are listed."""


def commands(run: Any) -> dict[str, Any]:
    """Return the commands by name."""
    return commands_of(app)


@app.command()
def history(file: History = None, last: Last = None, config: o.ConfigFile = None, json: o.JsonData = False) -> None:
    """List the images that were made, the newest last."""
    with failures():
        from shutil import get_terminal_size

        from redraft.cli.outcome import near

        path = _list(file, config)
        rows = [
            row.model_copy(update={"image_path": str(near((path.parent / row.image_path).resolve()))})
            for row in _newest(path, last)
        ]
        if json:
            typer.echo(plain(json_of([row.model_dump(mode="json") for row in rows], indent=2)))
            return
        for line in history_lines(rows, get_terminal_size((100, 24)).columns):
            typer.echo(plain(line))


@app.command()
def diversity(file: History = None, last: Last = None, config: o.ConfigFile = None, json: o.JsonData = False) -> None:
    """Measure how varied the prompts and pictures are."""
    with failures():
        from redraft.ideas.novelty import recent_motifs
        from redraft.metrics.variety import variety_of

        path = _list(file, config)
        rows = _newest(path, last)
        prompts = [row.final_image_prompt for row in rows]
        files = [picture for row in rows if (picture := path.parent / row.image_path).is_file()]

        # A concept of every row was asked for each time, so its words are no repetition of the model's.
        concepts = set[str]().union(*(row.selected_concepts for row in rows))
        common = [concept for concept in sorted(concepts) if all(concept in row.selected_concepts for row in rows)]
        variety, pictures, motifs = variety_of(prompts), _vendi_of(files), recent_motifs(prompts, common).motifs
        if json:
            data = {**asdict(variety), "pictures": pictures, "motifs": [*motifs]}
            typer.echo(plain(json_of(data, indent=2, default=str)))
            return
        for line in diversity_lines(variety, pictures, motifs):
            typer.echo(plain(line))


@app.command()
def review(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs, or a folder of runs.")],
    compare: Annotated[bool, typer.Option("--compare", help="Show two runs side by side.")] = False,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where to write the page.")] = Path("review.html"),
    open_: Annotated[bool, typer.Option("--open", help="Also open it in the browser.")] = False,
    json: o.JsonData = False,
) -> None:
    """Write a page of runs: pictures, ideas, scores, the roll, and the choice.

    Works for the runs of every studio.
    """
    with failures():
        from redraft.cli.outcome import near
        from redraft.errors import RunError, RunNotFoundError
        from redraft.record.journal import EVENTS_FILE
        from redraft.report.review import write_comparison, write_review

        if compare and len(runs) != 2:
            raise RunError(f"--compare takes two runs; given {len(runs)}.")
        if compare:
            page = write_comparison(runs[0], runs[1], out)
        else:
            folders: list[Path] = []
            for path in runs:
                is_run = (path / EVENTS_FILE).is_file()
                inside = [path] if is_run else sorted(file.parent for file in path.glob(f"*/{EVENTS_FILE}"))
                if not inside:
                    raise RunNotFoundError(
                        f"{path} is not a run and contains none. Give the folder of a run, or of runs."
                    )
                folders += inside
            page = write_review(folders, out)

        typer.echo(json_of({"page": str(page.resolve())}) if json else plain(str(near(page.resolve()))))
        if open_:
            open_page(page)


@app.command()
def explain(run: o.RunFolder, json: o.JsonData = False) -> None:
    """Print the arithmetic by which a finished run chose its idea."""
    with failures():
        from redraft.cli.program import folder_of
        from redraft.errors import RunFormatError
        from redraft.ideas.explain import explained
        from redraft.ideas.selection import scoring_of, was_unusable
        from redraft.record.transcript import Record

        transcript = Record.load(folder_of(run)).transcript
        scoring = scoring_of(transcript.blackbox_scoring)
        if scoring is None and transcript.error is not None and was_unusable(transcript.error):
            raise RunFormatError(f"{run} ended before it chose an idea: {transcript.error['message']}")
        if scoring is None:
            raise RunFormatError(f"{run} chose no idea: it had none, or ended before. Run with --ideas N.")
        if json:
            typer.echo(plain(scoring.model_dump_json(indent=2)))
            return
        for line in explained(scoring):
            typer.echo(plain(line))


def _list(file: Path | None, config: Path | None) -> Path:
    """Return the list of generations: as given, as set, or in the folder of the runs."""
    from redraft.loop.run import generations_of
    from redraft.options import check_config

    return generations_of(check_config(config).config) if file is None else file


def _newest(path: Path, last: int | None) -> list[Generation]:
    """Return the newest generations, oldest first, and print a note when the default leaves some out."""
    from redraft.ideas.history import read_recent

    if last is not None:
        return read_recent(path, last)
    rows = read_recent(path, NEWEST + 1)
    if len(rows) > NEWEST:
        typer.echo(f"only the newest {NEWEST} are used; give --last N for another number", err=True)
    return rows[-NEWEST:]


def _vendi_of(files: list[Path]) -> float | None:
    """Return the Vendi score of the pictures, None with fewer than two; print a note for each that is not a picture."""
    from redraft.cli.outcome import near
    from redraft.metrics.variety import vendi_of_pictures

    def is_picture(path: Path) -> bool:
        try:
            vendi_of_pictures([read_file(path, PICTURE)])
        except ValueError as error:
            reason = str(error).removeprefix("Picture 1 of 1 ")
            typer.echo(plain(f"{near(path)} {reason} It is not compared."), err=True)
            return False
        return True

    try:
        return vendi_of_pictures([read_file(path, PICTURE) for path in files]) if len(files) > 1 else None
    except ValueError:  # one of them is not a picture: try each
        contents = [read_file(path, PICTURE) for path in files if is_picture(path)]
        return vendi_of_pictures(contents) if len(contents) > 1 else None


def history_lines(rows: Sequence[Generation], width: int) -> list[str]:
    """Return a table of generations, in the order given: date (UTC), concepts, start of the prompt, path of the image.

    No line is wider than `width` cells (at least 40), except for a longer path, which is never cut.
    """
    if not rows:
        return ["No image has been made yet."]
    table: list[tuple[str, str, str, str]] = [TITLES]
    for row in rows:
        date = f"{row.created_at[:10]} {row.created_at[11:16]}"
        cells = (date, ", ".join(row.selected_concepts), row.final_image_prompt, row.image_path)
        table.append((_line(cells[0]), _line(cells[1]), _line(cells[2]), _line(cells[3])))

    width = max(width, MIN_TABLE_WIDTH)
    concepts_width = min(max(_width(row[1]) for row in table), MAX_CONCEPTS_WIDTH, (width - DATE_WIDTH) // 3)
    prompt_width = width - DATE_WIDTH - concepts_width - 2 * len(GAP)
    with_path = prompt_width - max(_width(row[3]) for row in table) - len(GAP)
    if one_line := with_path >= MIN_PROMPT_WIDTH:
        prompt_width = with_path

    lines: list[str] = []
    for row in table:
        date, concepts, prompt, path = row
        line = GAP.join((_fitted(date, DATE_WIDTH), _fitted(concepts, concepts_width), _fitted(prompt, prompt_width)))
        if one_line:
            lines.append(f"{line}{GAP}{path}".rstrip())
        else:
            lines += [line.rstrip()] if row is TITLES or not path else [line.rstrip(), f"{GAP}{path}"]
    return lines


def diversity_lines(variety: Variety, pictures: float | None, motifs: Sequence[Motif]) -> list[str]:
    """Return the variety of prompts (and `pictures`, a Vendi score) as lines, each figure with its meaning.

    `motifs` are words of several prompts, the most frequent first.
    """
    if variety.texts < 2:
        return [f"{plural(variety.texts, 'prompt')}: variety needs at least two."]
    rows = [
        ("Different in effect", f"{variety.vendi:.1f} of {variety.texts}", "Vendi score; 1 if all were alike"),
        ("Different words", f"{variety.distinct_1:.2f}", "distinct-1; less in long texts"),
        ("Different word pairs", f"{variety.distinct_2:.2f}", "distinct-2"),
        ("Likeness", f"{variety.self_bleu:.2f}", "self-BLEU; lower is more varied"),
    ]
    if pictures is not None:
        rows.append(("Pictures, in effect", f"{pictures:.1f}", "Vendi score of colors and edges"))
    names, values = (max(len(row[n]) for row in rows) for n in (0, 1))
    table = [f"{name:<{names}}{GAP}{value:<{values}}{GAP}{meaning}" for name, value, meaning in rows]
    head = f"{variety.texts:,} prompts of {variety.words:.0f} words on average; other lengths do not compare"
    return [head, "", *table, "", *_motif_lines(motifs, variety.texts)]


def _motif_lines(motifs: Sequence[Motif], prompts: int) -> list[str]:
    """Return repeated words as a bar chart of how many prompts have them."""
    if not motifs:
        return ["No word is common to many of them."]
    terms = [_cut(_line(motif.term), 40) for motif in motifs[:MAX_MOTIFS]]
    width = max(_width(term) for term in terms)
    lines = [f"Repeated words, and in how many of the {prompts:,}:"]
    for term, motif in zip(terms, motifs[:MAX_MOTIFS], strict=True):
        bar = "█" * round(20 * min(motif.prompts, prompts) / prompts) if prompts else ""
        lines.append(f"{GAP}{_fitted(term, width)}{GAP}{motif.prompts:>5}  {bar}".rstrip())
    if len(motifs) > MAX_MOTIFS:
        lines.append(f"{GAP}… and {len(motifs) - MAX_MOTIFS:,} more")
    return lines


def _line(text: str) -> str:
    """Return a text as one line without control characters."""
    return plain(" ".join(text.split()))


def _width(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)


def _fitted(text: str, width: int) -> str:
    """Return exactly so many cells: cut with an ellipsis, or filled up."""
    cut = _cut(text, width)
    return cut + " " * (width - _width(cut))


def _cut(text: str, width: int) -> str:
    """Return at most so many cells."""
    if _width(text) <= width:
        return text
    kept = ""
    for character in text:
        if _width(kept + character) > width - 1:
            break
        kept += character
    return f"{kept.rstrip()}…"
