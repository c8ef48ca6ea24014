"""The listener of the add-on for Blender, without Blender: a thread is its main thread, a function places the files."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from redraft.studios.scene.setup import ADDON

_spec = importlib.util.spec_from_file_location("blender_listener_of_the_addon", ADDON / "listener.py")
assert _spec
assert _spec.loader
listener: Any = importlib.util.module_from_spec(_spec)
"""The module; not imported by its name, as its package imports Blender."""
_spec.loader.exec_module(listener)

ANSWER = {
    "collection": "apple",
    "objects": ["Apple"],
    "count": 1,
    "how": "append",
    "blender": "5.0.1",
    "left_out": [],
}


@contextmanager
def listening(place: Callable[[Path, str, str], dict[str, Any]], *, pumped: bool = True) -> Generator[Any]:
    """A listener on a free port; with `pumped` false Blender is busy."""
    found = listener.Listener(place, 0)
    ended = threading.Event()

    def pump() -> None:
        while not ended.wait(0.01):
            found.pump()

    thread = threading.Thread(target=pump)
    if pumped:
        thread.start()
    try:
        yield found
    finally:
        found.stop()
        ended.set()
        if pumped:
            thread.join()
