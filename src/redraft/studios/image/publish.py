"""A picture's rows beside those of other runs: the generations CSV, and the titles manifest next to it."""

from __future__ import annotations

from pathlib import Path

from redraft.brief import Brief
from redraft.scoring.history import Generation, append_generation
from redraft.studios.base import Bench, Publication
from redraft.studios.image.manifest import append_title, title_of
from redraft.studios.image.spec import Painting

__all__ = ["publish"]

MANIFEST = "titles_manifest.csv"
"""Beside the generations CSV."""


def publish(artifact: Painting, brief: Brief, bench: Bench, where: Publication) -> dict[str, Path]:
    """List a painted picture, once. Paths of the two lists by role. Raises `HistoryError`."""
    if not artifact.picture:
        return {}
    row = Generation(
        generation_id=f"{bench.run}-{where.started:%Y%m%dT%H%M%S%f}",
        selected_concepts=brief.concepts or (brief.instruction,),
        final_image_prompt=artifact.prompt,
        image_path=_as_listed(where.folder / "image.png", where.generations.parent),
        created_at=where.started.isoformat(),
        seed=bench.seed,
    )
    titles = where.generations.with_name(MANIFEST)
    append_generation(where.generations, row)
    append_title(titles, title_of(artifact.prompt, where.hook), row)
    return {"generations": where.generations, "titles": titles}


def _as_listed(image: Path, folder: Path) -> str:
    """Relative where it lies below the list, so that both can be moved together."""
    image, folder = image.resolve(), folder.resolve()
    return image.relative_to(folder).as_posix() if image.is_relative_to(folder) else image.as_posix()
