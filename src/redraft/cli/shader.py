"""`redraft shader`: GLSL from a sentence, toward a picture, or both."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from redraft.cli import options as o
from redraft.cli.work import refuse_many_words, run_studio

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = ["shader"]

Instruction = Annotated[
    str | None,
    typer.Argument(
        metavar="INSTRUCTION",
        help="What to show, or what to change with --on; - reads standard input. May be left out with --target.",
    ),
]
Reference = Annotated[
    Path | None, typer.Option(metavar="FILE", help="A shader or notes; sorted by the model before it drafts.")
]
Frames = Annotated[int | None, typer.Option(metavar="N", help="Frames at even times; 12 if left out, 1 with a target.")]
Seconds = Annotated[float | None, typer.Option(metavar="S", help="The time that the frames cover; 4 if left out.")]
Size = Annotated[
    str | None, typer.Option(metavar="WxH", help="Pixels; 512x512 if left out, or the target's shape at 512.")
]
Loop = Annotated[bool, typer.Option("--loop", help="It is to end as it began; checked.")]


def shader(
    context: typer.Context,
    instruction: Instruction = None,
    target: o.Target = None,
    reference: Reference = None,
    frames: Frames = None,
    seconds: Seconds = None,
    size: Size = None,
    loop: Loop = False,
    metric: o.Metric = None,
    model: o.Model = None,
    seed: o.Seed = None,
    out: o.Out = None,
    on: o.OnShader = None,
    candidates: o.Candidates = None,
    iterations: o.Iterations = None,
    repairs: o.Repairs = None,
    fixes: o.Fixes = None,
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
    """Write a shader for a sentence, or toward a picture.

    It is compiled and rendered; what does not run goes back with the compiler's words. The best one is delivered as
    GLSL, frames and an animation. Exits as `redraft sketch` does.
    """
    refuse_many_words(context, instruction)
    if instruction is None and target is None:
        context.fail('Say what to show, or toward which picture: redraft shader "slow aurora over a dark lake".')
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
        "loop.critic": critic,
        "studios.shader.frames": frames,
        "studios.shader.seconds": seconds,
        "studios.shader.width": width,
        "studios.shader.height": height,
        "studios.shader.loop": loop or None,
        "studios.shader.metric": metric,
        **o.idea_flags(None, ideas, exploration, judge_model),
        "budget.calls": max_calls,
        "budget.tokens": max_tokens,
        "budget.cost": max_cost,
        "models.base_url": base_url,
    }
    given = {key: value for key, value in flags.items() if value is not None}
    run_studio(
        "shader",
        instruction or "",
        given,
        config=config,
        on=on,
        out=out,
        json=json,
        quiet=quiet,
        target=target,
        reference=reference,
        profile=profile,
    )
