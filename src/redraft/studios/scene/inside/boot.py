"""The first lines that a Python with Blender in it runs: `python boot.py redraft.studios.scene.inside.stage`.

They make redraft's own folder importable there and nothing beside it: the libraries of redraft's environment are for
another Python.
"""

from __future__ import annotations

import importlib
import sys
import types
from pathlib import Path

from_here = Path(__file__).resolve()


def boot(module: str) -> None:
    """Run the `main` of a module of redraft's."""
    package = types.ModuleType("redraft")
    package.__path__ = [str(from_here.parents[3])]
    sys.modules["redraft"] = package
    importlib.import_module(module).main()


if __name__ == "__main__":
    boot(sys.argv[-1])
