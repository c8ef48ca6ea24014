"""Opening a page in the browser of whoever asked for it."""

from __future__ import annotations

from pathlib import Path

__all__ = ["browse"]


def browse(page: Path) -> None:
    """Open a page. Raises `MissingPartError` when no browser could be started."""
    import webbrowser

    from redraft.errors import MissingPartError

    if not webbrowser.open(page.resolve().as_uri()):
        raise MissingPartError(f"No browser could be started for {page}. Open that file yourself.")
