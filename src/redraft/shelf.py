"""The pictures of a run: files named by their content, in the run's folder and in those that it went on from."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from redraft.errors import RunFormatError
from redraft.files import write_atomic

__all__ = ["PICTURES", "Shelf", "digest"]

PICTURES = "pictures"


def digest(content: bytes) -> str:
    """Sixteen hexadecimal digits by which a picture is named."""
    return hashlib.sha256(content).hexdigest()[:16]


@dataclass(frozen=True)
class Shelf:
    """Puts files into one run's picture folder, and finds those that are there or in earlier runs."""

    folder: Path
    """Of the run."""
    earlier: tuple[Path, ...] = field(default=())
    """Folders of runs that this one goes on from."""

    def put(self, content: bytes, suffix: str = ".png") -> str:
        """Keep a file under a name made from its content; the name, `pictures/….png`, relative to the run's folder."""
        return self.keep(f"{digest(content)}{suffix}", content)

    def keep(self, name: str, content: bytes) -> str:
        """Keep a file under a name, once; its path relative to the run's folder."""
        path = self.folder / PICTURES / name
        if not path.exists():
            write_atomic(path, content)
        return f"{PICTURES}/{name}"

    def get(self, name: str) -> bytes:
        """What `put` kept. What lies in an earlier run is kept in this one from then on, which may outlive it.

        Raises:
            RunFormatError: it is not there any more.
        """
        for folder in (self.folder, *self.earlier):
            path = folder / PICTURES / Path(name).name
            if path.is_file():
                content = path.read_bytes()
                self.keep(path.name, content)
                return content
        raise RunFormatError(f"{self.folder / PICTURES / Path(name).name} is gone; the run's pictures were changed.")
