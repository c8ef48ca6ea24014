"""`redraft scene`: a Blender scene from a sentence, toward a picture, or both."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from redraft.cli import options as o
from redraft.cli.failures import failures
from redraft.cli.work import refuse_many_words, run_studio

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = ["scene"]

Instruction = Annotated[
    str | None,
    typer.Argument(
        metavar="INSTRUCTION",
        help="What to build, or what to change with --on; - reads standard input. May be left out with --target.",
    ),
]
Size = Annotated[
    str | None, typer.Option(metavar="WxH", help="Pixels of the render; 768x576 if left out, or the target's shape.")
]
Samples = Annotated[int | None, typer.Option(metavar="N", help="Samples a pixel of the render; 48 if left out.")]
Blender = Annotated[
    Path | None, typer.Option(metavar="PATH", help="A Python with bpy, or a blender program; found if left out.")
]
Assets = Annotated[Path | None, typer.Option(metavar="DIR", help="A folder that the scripts may read.")]
Unsafe = Annotated[
    bool, typer.Option("--unsafe-no-sandbox", help="Run the model's scripts without a jail, with all that you may do.")
]


def scene(
    context: typer.Context,
    instruction: Instruction = None,
    target: o.Target = None,
    size: Size = None,
    samples: Samples = None,
    metric: o.Metric = None,
    blender: Blender = None,
    assets: Assets = None,
    unsafe: Unsafe = False,
    model: o.Model = None,
    seed: o.Seed = None,
    out: o.Out = None,
    on: o.OnScene = None,
    candidates: o.Candidates = None,
    iterations: o.Iterations = None,
    repairs: o.Repairs = None,
    fixes: o.Fixes = None,
    repair: o.Repair = None,
    heuristics: o.Heuristics = None,
    critic: o.Critic = None,
    memory: o.Memory = None,
    ideas: o.Ideas = None,
    exploration: o.Exploration = None,
    judge_model: o.JudgeModel = None,
    profile: o.Profile = None,
    max_calls: o.MaxCalls = None,
    max_tokens: o.MaxTokens = None,
    max_cost: o.MaxCost = None,
    base_url: o.BaseUrl = None,
    config: o.ConfigFile = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Build a Blender scene for a sentence, or toward a picture.

    The model's script runs in Blender, in a jail; what does not run goes back with Blender's words. The scene is
    measured, fixed and looked at, and delivered as script, .blend, .glb and renders. Exits as `redraft sketch` does.
    """
    refuse_many_words(context, instruction)
    if instruction is None and target is None:
        context.fail('Say what to build, or toward which picture: redraft scene "a red apple on a wooden table".')
    if metric is not None and target is None:
        context.fail(f"--metric {metric} measures the distance to a target: give --target PICTURE with it.")
    width, height = o.sides(context, size)
    flags: dict[str, JsonValue] = {
        "model": model,
        "seed": seed,
        "memory": memory,
        "loop.candidates": candidates,
        "loop.iterations": iterations,
        "loop.repairs": repairs,
        "loop.fixes": fixes,
        "loop.repair": repair,
        "loop.critic": critic,
        "validation.heuristics": heuristics,
        "studios.scene.width": width,
        "studios.scene.height": height,
        "studios.scene.samples": samples,
        "studios.scene.metric": metric,
        "studios.scene.blender": None if blender is None else str(blender),
        "studios.scene.assets": None if assets is None else str(assets),
        "studios.scene.sandbox": "none" if unsafe or _allowed(config) else None,
        **o.idea_flags(None, ideas, exploration, judge_model),
        "budget.calls": max_calls,
        "budget.tokens": max_tokens,
        "budget.cost": max_cost,
        "models.base_url": base_url,
    }
    given = {key: value for key, value in flags.items() if value is not None}
    run_studio(
        "scene",
        instruction or "",
        given,
        config=config,
        on=on,
        out=out,
        json=json,
        quiet=quiet,
        target=target,
        profile=profile,
    )


def _allowed(config: Path | None) -> bool:
    """Whether somebody at a terminal lets scripts run without a jail, where this system has none. Asks."""
    if sys.platform == "linux" or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    from redraft.app import load_config
    from redraft.errors import MissingPartError
    from redraft.sandbox.protection import protection

    with failures():
        chosen = load_config(config).studios.get("scene", {}).get("sandbox", "auto")
    if chosen != "auto":
        return False
    try:
        protection("auto")
    except MissingPartError as error:
        typer.echo(str(error), err=True)
        return typer.confirm("Run the scripts without it, this once?", default=False, err=True)
    return False
