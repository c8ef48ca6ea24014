"""`redraft image`: a picture from concepts and a taste, and what was made before it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from redraft.cli import options as o
from redraft.cli.failures import failures
from redraft.cli.terminal import plain
from redraft.cli.work import Work

if TYPE_CHECKING:
    from pydantic import JsonValue

    from redraft.cli.terminal import Terminal
    from redraft.result import Result

__all__ = ["image_commands"]

image_commands = typer.Typer(invoke_without_command=True, no_args_is_help=True)

Concepts = Annotated[
    list[str] | None, typer.Option(metavar="WORDS", help='What it is to hold, commas between: "lighthouse, storm".')
]
ConceptsFile = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Draw the concepts from this file, by the run's seed.")
]
Count = Annotated[
    int | None, typer.Option("--count", metavar="N", help="With --concepts-file: how many; 3 if left out.")
]
Scoring = Annotated[
    bool | None, typer.Option("--scoring/--no-scoring", help="Choose among idea cards first, scored blind.")
]
ImageServer = Annotated[str | None, typer.Option(metavar="URL", help="Server of the backend, instead of its own.")]
Size = Annotated[str | None, typer.Option(metavar="WxH", help="Pixels; 1024x1024 if left out.")]
Refine = Annotated[
    bool | None, typer.Option("--refine/--no-refine", help="Read each draft again by a circle of three.")
]
On = Annotated[Path | None, typer.Option(metavar="RUN", help="Go on with the prompt of an earlier run.")]
Change = Annotated[str, typer.Option(metavar="TEXT", help="With --on: what is to be otherwise.")]
Explain = Annotated[
    Path | None, typer.Option(metavar="RUN", help="Print how a finished run chose its idea, in numbers, and stop.")
]
History = Annotated[
    Path | None, typer.Option(metavar="FILE", help="The list of what was made, instead of the usual one.")
]
Last = Annotated[int | None, typer.Option("--last", metavar="N", min=1, help="Only so many, the newest.")]


@image_commands.callback()
def image(
    context: typer.Context,
    concepts: Concepts = None,
    concepts_file: ConceptsFile = None,
    count: Count = None,
    profile: o.Profile = None,
    scoring: Scoring = None,
    ideas: o.Ideas = None,
    exploration: o.Exploration = None,
    backend: o.Backend = None,
    image_url: ImageServer = None,
    size: Size = None,
    refine: Refine = None,
    model: o.Model = None,
    judge_model: o.JudgeModel = None,
    seed: o.Seed = None,
    out: o.Out = None,
    on: On = None,
    change: Change = "",
    candidates: o.Candidates = None,
    iterations: o.Iterations = None,
    repairs: o.Repairs = None,
    fixes: o.Fixes = None,
    max_calls: o.MaxCalls = None,
    max_tokens: o.MaxTokens = None,
    max_cost: o.MaxCost = None,
    base_url: o.BaseUrl = None,
    config: o.ConfigFile = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
    explain: Explain = None,
) -> None:
    """Make a picture from concepts and a taste.

    A prompt is written, checked against the concepts, and painted. With --scoring several ideas are made first, scored
    in numbers by a judge whose words nobody sees, and one is chosen by a seeded rule. Exits as `redraft sketch` does.
    """
    if context.invoked_subcommand is not None:
        return
    if explain is not None:
        _explain(explain)
        return
    if (amiss := _amiss(concepts or [], concepts_file, count, on, change)) is not None:
        context.fail(amiss)
    width, height = o.sides(context, size)
    flags: dict[str, JsonValue] = {
        "model": model,
        "seed": seed,
        **o.idea_flags(scoring, ideas, exploration, judge_model),
        "images.backend": backend,
        "images.base_url": image_url,
        "images.width": width,
        "images.height": height,
        "studios.image.refine": refine,
        "loop.candidates": candidates,
        "loop.iterations": iterations,
        "loop.repairs": repairs,
        "loop.fixes": fixes,
        "budget.calls": max_calls,
        "budget.tokens": max_tokens,
        "budget.cost": max_cost,
        "models.base_url": base_url,
    }
    given = {key: value for key, value in flags.items() if value is not None}

    def do(work: Work, terminal: Terminal) -> Result:
        from redraft import app
        from redraft.blackbox_scoring.profile import load_profile
        from redraft.studios.image.concepts import chosen

        settings = app.load_config(config, given)
        asked = chosen(_asked(concepts or []), concepts_file, count, settings.seed, on=on, change=change)
        taste = None if profile is None else load_profile(profile)
        return app.run(
            "image",
            change,
            config=settings,
            on=on,
            concepts=asked,
            profile=taste,
            out=work.place(out, settings.out, change or ", ".join(asked)),
            observer=terminal,
            notify=terminal.notify,
        )

    Work("image", json, quiet).carry_out(do)


def _amiss(concepts: list[str], file: Path | None, count: int | None, on: Path | None, change: str) -> str | None:
    """What is missing of what the picture is to hold, or does not go together."""
    if on is not None:
        if concepts or file is not None or count is not None:
            return "Concepts are for a new picture; with --on say in --change what is to be otherwise."
        return None if change.strip() else 'Say what is to be otherwise: --on RUN --change "make it night".'
    amiss = (
        (concepts and file, "--concepts and --concepts-file exclude each other; give one of them."),
        (count and not file, "--count says how many concepts to draw from a file: give --concepts-file FILE with it."),
        (change, "--change says what is to be otherwise in an earlier picture: give --on RUN with it."),
        (
            not file and not _asked(concepts),
            'Say what it is to hold: redraft image --concepts "lighthouse, storm, clockwork".',
        ),
    )
    return next((said for wrong, said in amiss if wrong), None)


def _asked(concepts: list[str]) -> tuple[str, ...]:
    from redraft.studios.image.concepts import split

    return tuple(concept for text in concepts for concept in split(text))


def _explain(run: Path) -> None:
    """The selection arithmetic of a finished run."""
    with failures():
        from redraft.blackbox_scoring.explain import explained
        from redraft.blackbox_scoring.record import scoring_of, was_no_use
        from redraft.errors import RunFormatError
        from redraft.folders import run_folder
        from redraft.transcript import Run

        transcript = Run.load(run_folder(run)).transcript
        scoring = scoring_of(transcript.blackbox_scoring)
        if scoring is None and transcript.error is not None and was_no_use(transcript.error):
            raise RunFormatError(f"{run} chose no idea, it ended before: {transcript.error['message']}")
        if scoring is None:
            raise RunFormatError(f"{run} chose no idea: it was made without scoring, or ended before. Add --scoring.")
        for line in explained(scoring):
            typer.echo(plain(line))


@image_commands.command()
def history(file: History = None, last: Last = None, config: o.ConfigFile = None) -> None:
    """List what was made, the newest last."""
    with failures():
        from shutil import get_terminal_size

        from redraft.blackbox_scoring.history import read_recent
        from redraft.cli.image_view import history_lines
        from redraft.cli.outcome import near

        path = _list(file, config)
        rows = [
            row.model_copy(update={"image_path": str(near((path.parent / row.image_path).resolve()))})
            for row in read_recent(path, last)
        ]
        for line in history_lines(rows, get_terminal_size((100, 24)).columns):
            typer.echo(plain(line))


@image_commands.command()
def diversity(file: History = None, last: Last = None, config: o.ConfigFile = None) -> None:
    """Say in figures how varied the prompts and pictures are."""
    with failures():
        from redraft.blackbox_scoring.history import read_recent
        from redraft.blackbox_scoring.novelty import recent_motifs
        from redraft.cli.image_view import diversity_lines
        from redraft.metrics.variety import variety_of, vendi_of_pictures

        path = _list(file, config)
        rows = read_recent(path, last)
        prompts = [row.final_image_prompt for row in rows]
        found = [picture for row in rows if (picture := path.parent / row.image_path).is_file()]
        found = [picture for picture in found if _is_picture(picture)]
        pictures = vendi_of_pictures([picture.read_bytes() for picture in found]) if len(found) > 1 else None
        for line in diversity_lines(variety_of(prompts), pictures, recent_motifs(prompts).motifs):
            typer.echo(plain(line))


@image_commands.command()
def review(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs, or a folder of such folders.")],
    compare: Annotated[bool, typer.Option("--compare", help="Two runs side by side.")] = False,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where to write the page.")] = Path("review.html"),
    open_: Annotated[bool, typer.Option("--open", help="Open it in the browser, too.")] = False,
) -> None:
    """Write a page of runs: pictures, ideas, scores, the roll, and why one was chosen.

    Works for the runs of every studio.
    """
    with failures():
        from redraft.cli.browse import browse
        from redraft.cli.outcome import near
        from redraft.errors import RunError
        from redraft.report.review import write_comparison, write_review

        if compare:
            if len(runs) != 2:
                raise RunError(f"--compare takes two runs, given {len(runs)}.")
            page = write_comparison(runs[0], runs[1], out)
        else:
            page = write_review(_folders(runs), out)
        typer.echo(plain(str(near(page.resolve()))))
        if open_:
            browse(page)


def _is_picture(path: Path) -> bool:
    """Whether it can be compared; says so where it cannot."""
    from redraft.cli.outcome import near
    from redraft.metrics.variety import vendi_of_pictures

    try:
        vendi_of_pictures([path.read_bytes()])
    except ValueError as error:
        said = str(error).removeprefix("Picture 1 of 1 ")
        typer.echo(plain(f"{near(path)} {said} It is not compared."), err=True)
        return False
    return True


def _folders(given: list[Path]) -> list[Path]:
    """Runs as given, and of a folder that is none the runs in it, oldest first."""
    from redraft.errors import RunNotFoundError
    from redraft.journal import EVENTS_FILE

    found: list[Path] = []
    for path in given:
        inside = [path] if (path / EVENTS_FILE).is_file() else sorted(p.parent for p in path.glob(f"*/{EVENTS_FILE}"))
        if not inside:
            raise RunNotFoundError(f"{path} is no run, and there is none in it. Give the folder of a run, or of runs.")
        found += inside
    return found


def _list(file: Path | None, config: Path | None) -> Path:
    """The list of what was made: as given, as set, or in the folder of the runs."""
    from redraft import app

    usual = app.generations_of(app.load_config(config), "image")
    assert usual is not None, "the image studio lists what it makes"
    return usual if file is None else file
