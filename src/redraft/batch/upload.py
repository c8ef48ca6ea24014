"""Finished runs of a batch, copied to any place that fsspec reaches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from redraft.errors import ConfigError, MissingPartError, RunError
from redraft.record.journal import LOCK_FILE


class Uploads:
    """The place that finished runs are copied to.

    Raises:
        ConfigError: the address is of no kind that fsspec knows. MissingPartError: a library for it is not installed.
    """

    def __init__(self, url: str) -> None:
        try:
            import fsspec
        except ImportError as error:
            raise MissingPartError(
                "Uploads need fsspec, which is not installed: pip install 'redraft[batch]'"
            ) from error
        core: Any = fsspec
        try:
            self._system, self._root = core.url_to_fs(url)
        except ImportError as error:
            raise MissingPartError(f"upload is {url!r}: {error}") from error
        except ValueError as error:
            raise ConfigError(f"upload is {url!r}: {error}. Give an address such as s3://bucket/folder.") from error
        self._url = url.rstrip("/")

    def put(self, path: Path, name: str) -> str:
        """Copy a file or a folder under a name; what is there in the same size is not sent again.

        Returns:
            Its address.

        Raises:
            RunError: it cannot be sent.
        """
        root = f"{self._root.rstrip('/')}/{name}"
        files = (
            [file for file in path.rglob("*") if file.is_file() and file.name != LOCK_FILE] if path.is_dir() else [path]
        )
        try:
            there = {place: facts["size"] for place, facts in self._system.find(root, detail=True).items()}
            for file in sorted(files):
                place = root if file == path else f"{root}/{file.relative_to(path).as_posix()}"
                if there.get(place) != file.stat().st_size:
                    self._system.makedirs(place.rpartition("/")[0], exist_ok=True)
                    self._system.put_file(str(file), place)
        except Exception as error:  # each file system has errors of its own
            raise RunError(f"{name} could not be uploaded to {self._url}: {type(error).__name__}: {error}.") from error
        return f"{self._url}/{name}"
