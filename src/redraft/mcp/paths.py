"""Which files a client may name: boards inside the folders given at start, and nothing else.

Links and `..` are followed before anything is compared, so that what is checked is what is opened.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from redraft.errors import BoardError, ConfigError

__all__ = ["SUFFIX", "Folders"]

SUFFIX = ".kicad_pcb"
LONGEST = 4096
"""Characters of a path; more are refused unread."""


@dataclass(frozen=True)
class Folders:
    """The folders whose boards may be opened and saved, resolved; never empty."""

    allowed: tuple[Path, ...]

    @classmethod
    def of(cls, folders: Sequence[Path]) -> Folders:
        """Those folders, or the current one when there are none.

        Raises:
            ConfigError: one is not a folder.
        """
        return cls(tuple(dict.fromkeys(_folder(folder) for folder in folders or [Path()])))

    def board(self, text: str) -> Path:
        """The board that `text` names, resolved.

        Raises:
            BoardError: it is outside the folders, no board by its name, or not there.
        """
        path = self._inside(text)
        if not path.exists():
            raise BoardError(f"There is no board {text!r}: {path} does not exist. {self._words()}")
        if not path.is_file():
            raise BoardError(f"{text!r} is not a file. {self._words()}")
        return path

    def target(self, text: str) -> Path:
        """Where `text` says a board shall be written, resolved. Nothing need be there yet, its folder must.

        Raises:
            BoardError: it is outside the folders, no board by its name, or in a folder that is not there.
        """
        path = self._inside(text)
        if not path.parent.is_dir():
            raise BoardError(f"{text!r} cannot be written: the folder {path.parent} does not exist.")
        if path.exists() and not path.is_file():
            raise BoardError(f"{text!r} cannot be written: something that is no file has that name.")
        return path

    def boards(self, limit: int = 50) -> tuple[str, ...]:
        """Boards directly in the folders and one below, by name; at most `limit`."""
        found = [path for folder in self.allowed for path in _listed(folder)]
        return tuple(str(path) for path in sorted(found)[:limit])

    def _inside(self, text: str) -> Path:
        path = self._resolved(_readable(text))
        if not any(path.is_relative_to(folder) for folder in self.allowed):
            raise BoardError(f"{text!r} lies outside the folders that this server may use. {self._words()}")
        if path.suffix != SUFFIX:
            raise BoardError(f"{text!r} is no board: its name must end in {SUFFIX}.")
        return path

    def _resolved(self, text: str) -> Path:
        """A relative path is taken from the first folder in which it leads to something, else from the first."""
        given = Path(text)
        try:
            places = [(folder / given).resolve() for folder in self.allowed]
            return next((place for place in places if place.exists()), places[0])
        except (OSError, RuntimeError) as error:  # a loop of links, a name longer than the system takes
            raise BoardError(f"The path {_short(text)!r} cannot be followed: {error}.") from error

    def _words(self) -> str:
        return f"Boards are read and written in: {', '.join(map(str, self.allowed))}."


def _folder(folder: Path) -> Path:
    resolved = folder.expanduser().resolve()
    if not resolved.is_dir():
        raise ConfigError(f"{str(folder)!r} is not a folder. Give the folders in which boards may be read and written.")
    return resolved


def _readable(text: str) -> str:
    if not text.strip():
        raise BoardError("The path is empty. Give the name of a board, as in 'my.kicad_pcb'.")
    if len(text) > LONGEST:
        raise BoardError(f"The path {_short(text)!r} has {len(text):,} characters; at most {LONGEST:,} are read.")
    if not text.isprintable():
        raise BoardError(f"The path {_short(text)!r} has characters that no path should have.")
    if text.startswith("~"):
        raise BoardError(f"The path {_short(text)!r} begins with '~', which is not expanded here. Write it out.")
    return text


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}…"


def _listed(folder: Path) -> list[Path]:
    names = (f"*{SUFFIX}", f"*/*{SUFFIX}")
    return [path for name in names for path in folder.glob(name) if path.resolve().is_relative_to(folder)]
