"""Working toward a target picture, for every studio that can: reading it, showing it, measuring the distance."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from pydantic import JsonValue

from redraft.brief import Brief
from redraft.files import PictureFolder
from redraft.metrics.base import MetricName, Pixels
from redraft.metrics.pictures import colour_grid, png
from redraft.metrics.target import Target, read_target
from redraft.result import Score
from redraft.studios.base import StudioRequest

__all__ = ["about_target", "distance", "score_inputs", "target_inputs", "target_of", "target_picture"]

CELLS = 600
"""Mean colours that a prompt shows of a target, at most."""


def target_of(brief: Brief) -> Target:
    """The brief's target. Raises `BriefError`."""
    assert brief.target is not None, "asked only where there is a target"
    return _read(brief.target, brief.target.stat().st_mtime_ns if brief.target.is_file() else 0)


@lru_cache(maxsize=4)
def _read(path: Path, modified: int) -> Target:
    del modified  # a changed file is another target
    return read_target(path)


def target_picture(brief: Brief) -> bytes:
    """The target as it is compared, PNG."""
    return png(target_of(brief).pixels)


def about_target(brief: Brief, shelf: PictureFolder, metric: MetricName) -> dict[str, JsonValue]:
    """What the record says of the target: see `base.Scored.about`."""
    target = target_of(brief)
    return {
        "picture": shelf.put(target_picture(brief)),
        "width": target.width,
        "height": target.height,
        "notes": [*target.notes],
        "metric": metric.upper(),
    }


def target_inputs(request: StudioRequest[Any], metric: MetricName, cells: int = CELLS) -> dict[str, JsonValue]:
    """The target for a prompt, as mean colours in rows from the top; empty without one."""
    if request.brief.target is None:
        return {"target": [], "shown": False, "metric": ""}
    grid = colour_grid(target_of(request.brief).pixels, cells)
    return {"target": cast("JsonValue", grid), "shown": bool(request.pictures), "metric": metric.upper()}


def score_inputs(score: Score | None) -> dict[str, JsonValue]:
    """How far it is from the target, for a prompt; empty where nothing was measured."""
    if score is None:
        return {"score": "", "better": "", "where": []}
    better = "higher" if score.metric == "SSIM" else "lower"
    return {"score": f"{score.metric} {score.best:.4f}", "better": better, "where": [*score.where]}


def distance(brief: Brief, frames: Sequence[Pixels], metric: MetricName, enough: float | None) -> Score:
    """How far frames are from the target, and where the best of them is farthest. Raises `InfrastructureError`."""
    from redraft.metrics.base import measure_frames, open_metric
    from redraft.studios.residuals import farthest

    target = target_of(brief).pixels
    score = measure_frames(open_metric(metric), target, frames, enough)
    return score.model_copy(update={"where": farthest(target, frames[score.frame])})
