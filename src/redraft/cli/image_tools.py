"""`redraft image history|diversity|review|explain`: the list of generations, its variety, pages of runs, choices."""

from __future__ import annotations

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

if TYPE_CHECKING:
    from redraft.ideas.history import Generation

commands = Commands()

History = Annotated[
    Path | None, typer.Option(metavar="FILE", help="List of generations (default: generations.csv beside the runs).")
]
Last = Annotated[int | None, typer.Option("--last", metavar="N", min=1, help="Use the newest N (default 250).")]
NEWEST = 250
"""Generations that are used by default; all of a long list would take minutes."""


def tools(run: Any) -> dict[str, Any]:
    """Return the tools by name."""
    return commands_of(commands)


@commands.command()
def history(file: History = None, last: Last = None, config: o.ConfigFile = None, json: o.JsonData = False) -> None:
    """List the images that were made, the newest last."""
    with failures():
        from shutil import get_terminal_size

        from redraft.cli.image_view import history_lines
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


@commands.command()
def diversity(file: History = None, last: Last = None, config: o.ConfigFile = None, json: o.JsonData = False) -> None:
    """Measure how varied the prompts and pictures are."""
    with failures():
        from redraft.cli.image_view import diversity_lines
        from redraft.ideas.novelty import recent_motifs
        from redraft.metrics.variety import variety_of

        path = _list(file, config)
        rows = _newest(path, last)
        prompts = [row.final_image_prompt for row in rows]
        found = [picture for row in rows if (picture := path.parent / row.image_path).is_file()]
        asked = set[str]().union(*(row.selected_concepts for row in rows))
        always = [concept for concept in sorted(asked) if all(concept in row.selected_concepts for row in rows)]
        variety, pictures, motifs = variety_of(prompts), _varied(found), recent_motifs(prompts, always).motifs
        if json:
            data = {**asdict(variety), "pictures": pictures, "motifs": [*motifs]}
            typer.echo(plain(json_of(data, indent=2, default=str)))
            return
        for line in diversity_lines(variety, pictures, motifs):
            typer.echo(plain(line))


@commands.command()
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
        from redraft.errors import RunError
        from redraft.report.review import write_comparison, write_review

        if compare:
            if len(runs) != 2:
                raise RunError(f"--compare takes two runs; given {len(runs)}.")
            page = write_comparison(runs[0], runs[1], out)
        else:
            page = write_review(_folders(runs), out)
        typer.echo(json_of({"page": str(page.resolve())}) if json else plain(str(near(page.resolve()))))
        if open_:
            open_page(page)


def _newest(path: Path, last: int | None) -> list[Generation]:
    """The newest generations, oldest first, with a note when the default leaves some out."""
    from redraft.ideas.history import read_recent

    if last is not None:
        return read_recent(path, last)
    rows = read_recent(path, NEWEST + 1)
    if len(rows) > NEWEST:
        typer.echo(f"only the newest {NEWEST} are used; give --last N for another number", err=True)
    return rows[-NEWEST:]


def _varied(paths: list[Path]) -> float | None:
    """The Vendi score of the pictures, None with fewer than two. Notes each file that is not a picture."""
    from redraft.metrics.variety import vendi_of_pictures

    try:
        return vendi_of_pictures([read_file(path, PICTURE) for path in paths]) if len(paths) > 1 else None
    except ValueError:  # one of them is not a picture: try each
        sound = [read_file(path, PICTURE) for path in paths if _is_picture(path)]
        return vendi_of_pictures(sound) if len(sound) > 1 else None


def _is_picture(path: Path) -> bool:
    """Return whether it can be compared; prints a note if not."""
    from redraft.cli.outcome import near
    from redraft.metrics.variety import vendi_of_pictures

    try:
        vendi_of_pictures([read_file(path, PICTURE)])
    except ValueError as error:
        said = str(error).removeprefix("Picture 1 of 1 ")
        typer.echo(plain(f"{near(path)} {said} It is not compared."), err=True)
        return False
    return True


def _folders(given: list[Path]) -> list[Path]:
    """Runs as given; for a folder that is not a run, the runs in it, oldest first."""
    from redraft.errors import RunNotFoundError
    from redraft.record.journal import EVENTS_FILE

    found: list[Path] = []
    for path in given:
        inside = [path] if (path / EVENTS_FILE).is_file() else sorted(p.parent for p in path.glob(f"*/{EVENTS_FILE}"))
        if not inside:
            raise RunNotFoundError(f"{path} is not a run and contains none. Give the folder of a run, or of runs.")
        found += inside
    return found


def _list(file: Path | None, config: Path | None) -> Path:
    """The list of generations: as given, as set, or in the folder of the runs."""
    from redraft.loop.run import generations_of
    from redraft.options import check_config

    return generations_of(check_config(config).config) if file is None else file


@commands.command()
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
