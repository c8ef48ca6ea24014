"""The shader of an earlier run, read back."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from redraft.errors import RunFormatError, RunNotFoundError
from redraft.studios.shader.spec import Shader

__all__ = ["FILE", "load"]

FILE = "shader.json"


def load(folder: Path) -> Shader:
    """What the run in a folder delivered.

    Raises:
        RunNotFoundError: it delivered no shader. RunFormatError: the file was changed.
    """
    path = folder / FILE
    try:
        return Shader.model_validate_json(path.read_bytes())
    except OSError as error:
        raise RunNotFoundError(
            f"{folder} holds no shader to go on from: {FILE}: {error.strerror or error}. Give the folder of a run of "
            "redraft shader that has delivered one."
        ) from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise RunFormatError(f"{path} is no shader of a run ({where}: {first['msg']}); it was changed.") from error
