"""The first lines that a Python with Blender in it runs: `python boot.py redraft.studios.scene.inside.stage.server`.

A `blender` program runs them too: `blender … --python boot.py -- redraft.studios.scene.inside.stage.server`. They make
redraft's own folder importable there and nothing beside it: the libraries of redraft's environment are for another
Python. And they keep what Blender prints as it is imported apart from the answers.
"""

from __future__ import annotations

import importlib
import os
import sys
import types
from pathlib import Path

ANSWERS = 3
"""The descriptor for the answers of a `blender` program, which prints on its standard output before it comes here."""


def boot(module: str, answers: int) -> None:
    """Run the `main` of a module of redraft's, with the descriptor for its answers as standard output."""
    os.dup2(2, 1)
    package = types.ModuleType("redraft")
    package.__path__ = [str(Path(__file__).resolve().parents[3])]
    sys.modules["redraft"] = package
    main = importlib.import_module(module).main
    os.dup2(answers, 1)
    os.close(answers)
    main()


if __name__ == "__main__":
    boot(sys.argv[-1], ANSWERS if "--" in sys.argv else os.dup(1))
