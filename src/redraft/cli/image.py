"""`redraft image`: a picture from concepts and a taste."""

from __future__ import annotations

from json import dumps as json_of
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from redraft.cli import options as o
from redraft.cli.failures import failures
from redraft.cli.image_past import diversity, history, review
from redraft.cli.terminal import plain
from redraft.cli.work import Work

if TYPE_CHECKING:
    from pydantic import JsonValue

    from redraft.cli.terminal import Terminal
    from redraft.result import Result

__all__ = ["image_commands"]


class _Image(TyperGroup):
    """A command with commands of its own; what is no name of one may be concepts without their flag."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is meant. Ends with a message for concepts without their flag."""
        if self.get_command(ctx, args[0]) is None and any(mark in args[0] for mark in ", "):
            ctx.fail(f"Concepts need their flag: redraft image --concepts {json_of(args[0])}")
        return super().resolve_command(ctx, args)


image_commands = typer.Typer(cls=_Image, invoke_without_command=True, no_args_is_help=True)

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
    if (named := context.invoked_subcommand) is not None:
        if given := [name for name in context.params if _is_given(context, name)]:
            context.fail(f"--{given[0].replace('_', '-')} is for making a picture, not for `redraft image {named}`.")
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
        from redraft.scoring.profile import load_profile
        from redraft.studios.image.concepts import chosen

        settings = app.load_config(config, given)
        work.painter = settings.images.backend
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


def _is_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


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
        from redraft.errors import RunFormatError
        from redraft.folders import run_folder
        from redraft.scoring.explain import explained
        from redraft.scoring.selection import scoring_of, was_no_use
        from redraft.transcript import Run

        transcript = Run.load(run_folder(run)).transcript
        scoring = scoring_of(transcript.blackbox_scoring)
        if scoring is None and transcript.error is not None and was_no_use(transcript.error):
            raise RunFormatError(f"{run} chose no idea, it ended before: {transcript.error['message']}")
        if scoring is None:
            raise RunFormatError(f"{run} chose no idea: it was made without scoring, or ended before. Add --scoring.")
        for line in explained(scoring):
            typer.echo(plain(line))


for command in (history, diversity, review):
    image_commands.command()(command)
