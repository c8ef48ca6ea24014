"""Arguments and flags that several hand-written commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

RunFolder = Annotated[str, typer.Argument(metavar="RUN", help="Folder of a run, or `last`.")]
Out = Annotated[Path | None, typer.Option(metavar="DIR", help="Folder of the run (default: a dated one in runs/).")]
ConfigFile = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="Settings (default: redraft.yaml in this folder).")
]
Backend = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="Image backend: sketch, openai:MODEL, comfyui:WORKFLOW.json or command:PROGRAM …"
    ),
]
AsRecorded = Annotated[
    bool,
    typer.Option(
        "--as-recorded", help="Also use the programs, servers, keys and files of the record, which it lists first."
    ),
]
MaxCalls = Annotated[int | None, typer.Option(metavar="N", help="Stop after this many model calls.")]
MaxTokens = Annotated[int | None, typer.Option(metavar="N", help="Stop after this many tokens, in and out.")]
MaxCost = Annotated[float | None, typer.Option(metavar="USD", help="Stop after this many US dollars.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object; everything else goes to standard error.")]
JsonData = Annotated[bool, typer.Option("--json", help="Print JSON instead of words.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print only the path of the result.")]
