"""What an earlier run delivered, read back for one that goes on from it."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from redraft.errors import RunFormatError, RunNotFoundError

__all__ = ["delivered"]

ArtifactT = TypeVar("ArtifactT", bound=BaseModel)


def delivered(model: type[ArtifactT], folder: Path, file: str, studio: str) -> ArtifactT:
    """The artefact in a file of a run's folder; `studio` is its name, which is also the artefact's.

    Raises:
        RunNotFoundError: it delivered none. RunFormatError: the file was changed.
    """
    path = folder / file
    try:
        return model.model_validate_json(path.read_bytes())
    except OSError as error:
        raise RunNotFoundError(
            f"{folder} holds no {studio} to go on from: {file}: {error.strerror or error}. Give the folder of a run of "
            f"redraft {studio} that has delivered one."
        ) from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise RunFormatError(f"{path} is no {studio} of a run ({where}: {first['msg']}); it was changed.") from error
