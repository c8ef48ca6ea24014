"""The flags that commands share, each said once."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = [
    "Animate",
    "Backend",
    "BaseUrl",
    "Candidates",
    "ConfigFile",
    "Critic",
    "Exploration",
    "Fixes",
    "Heuristics",
    "Ideas",
    "Instruction",
    "Iterations",
    "Json",
    "JudgeModel",
    "MaxCalls",
    "MaxCost",
    "MaxTokens",
    "Memory",
    "Metric",
    "Model",
    "On",
    "OnScene",
    "OnShader",
    "Out",
    "Profile",
    "Quiet",
    "Repair",
    "Repairs",
    "RunFolder",
    "Seed",
    "Steps",
    "Target",
    "idea_flags",
    "sides",
]


Instruction = Annotated[
    str,
    typer.Argument(metavar="INSTRUCTION", help="What to draw, or what to change with --on; - reads standard input."),
]
RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a run.")]
Steps = Annotated[int, typer.Argument(metavar="N", help="How many edits to take back.")]

Model = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="offline, inbox:DIR, replay:RUN or provider:name; see `redraft models`."),
]
Seed = Annotated[int | None, typer.Option(metavar="N", help="Of everything random in the run.")]
Out = Annotated[Path | None, typer.Option(metavar="DIR", help="Folder for the run, instead of a dated one in runs/.")]
On = Annotated[Path | None, typer.Option(metavar="RUN", help="Go on with the drawing of an earlier run.")]
OnShader = Annotated[Path | None, typer.Option("--on", metavar="RUN", help="Go on with the shader of an earlier run.")]
OnScene = Annotated[Path | None, typer.Option("--on", metavar="RUN", help="Go on with the scene of an earlier run.")]
ConfigFile = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="Settings, instead of redraft.yaml in this folder.")
]
BaseUrl = Annotated[str | None, typer.Option(metavar="URL", help="Server of the model, instead of the provider's own.")]
Candidates = Annotated[int | None, typer.Option(metavar="N", help="Drafts made at once; the best goes on.")]
Iterations = Annotated[int | None, typer.Option(metavar="N", help="Outer turns at most.")]
Repairs = Annotated[int | None, typer.Option(metavar="N", help="Repairs by the model in each turn at most.")]
Fixes = Annotated[int | None, typer.Option(metavar="N", help="Fast retries of one attempt at most.")]
Repair = Annotated[str | None, typer.Option(metavar="model|solver|both", help="Who may repair.")]
Heuristics = Annotated[
    str | None,
    typer.Option(metavar="ask|strict|off", help="Rules of thumb: ask about them, judge by them, or leave them out."),
]
Critic = Annotated[
    bool | None, typer.Option("--critic/--no-critic", help="Have a model that sees pictures look at the result.")
]
Animate = Annotated[bool, typer.Option("--animate", help="Deliver an SVG that draws itself, too.")]
Memory = Annotated[
    str | None, typer.Option(metavar="STORE", help="Fix memory: auto, sqlite, sqlite:FILE, redis://…, or none.")
]
Ideas = Annotated[
    int | None, typer.Option(metavar="N", help="Choose among N ideas first, scored blind in numbers; the best goes on.")
]
Exploration = Annotated[
    float | None, typer.Option(metavar="RATE", help="How often another good idea than the best is taken; 0 to 0.5.")
]
JudgeModel = Annotated[str | None, typer.Option(metavar="NAME", help="Another model to score the ideas.")]
Profile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Likes and dislikes of whom it is for; the ideas' maker sees no word."),
]
Target = Annotated[Path | None, typer.Option(metavar="PICTURE", help="Work toward this picture; scored in each turn.")]
Metric = Annotated[
    str | None, typer.Option(metavar="flip|ssim|lpips", help="How the distance to the target is measured.")
]
Backend = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="What paints an image: sketch, openai:MODEL, comfyui:WORKFLOW.json, or command:PROGRAM …"
    ),
]
MaxCalls = Annotated[int | None, typer.Option(metavar="N", help="Hard cap on model calls.")]
MaxTokens = Annotated[int | None, typer.Option(metavar="N", help="Hard cap on tokens, in and out.")]
MaxCost = Annotated[float | None, typer.Option(metavar="USD", help="Hard cap on cost.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on standard output; all else on standard error.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print where the result is, and nothing else.")]


def idea_flags(
    scoring: bool | None, ideas: int | None, exploration: float | None, judge_model: str | None
) -> dict[str, JsonValue]:
    """Settings from the flags about ideas; a number of them means that they are wanted."""
    return {
        "prompt.scoring.enabled": True if scoring is None and ideas is not None else scoring,
        "prompt.scoring.num_ideas": ideas,
        "prompt.scoring.exploration_rate": exploration,
        "prompt.scoring.judge_model": judge_model,
    }


def sides(context: typer.Context, size: str | None) -> tuple[int | None, int | None]:
    """Width and height of `--size`. Ends the command when it is neither `WxH` nor left out."""
    if size is None:
        return None, None
    found = re.fullmatch(r"(\d{1,9})[x×](\d{1,9})", size.strip(), re.IGNORECASE)
    if found is None:
        context.fail(f"--size {size!r}: width and height in pixels are expected, such as 512x288.")
    return int(found.group(1)), int(found.group(2))
