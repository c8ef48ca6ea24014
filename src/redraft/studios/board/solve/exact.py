"""Exact placement: the public face of the solver.

Actions (`place_relative`, `place_component`, `align`, `distribute`, `stack`) answer with the moves that do just what
they say. `legalize` finds the nearest layout without overlap that keeps every relation. Nothing here changes a layout:
apply moves with `layout.moved(moves)`.
"""

from __future__ import annotations

from redraft.layout.items import Solution
from redraft.studios.board.actions.moves import align, distribute, flip, move_by, place_component, rotate, stack, swap
from redraft.studios.board.solve.legalize import EFFORT, legalize
from redraft.studios.board.solve.problem import Stated
from redraft.studios.board.solve.relative import move_to_edge, place_relative

__all__ = [
    "EFFORT",
    "Solution",
    "Stated",
    "align",
    "distribute",
    "flip",
    "legalize",
    "move_by",
    "move_to_edge",
    "place_component",
    "place_relative",
    "rotate",
    "stack",
    "swap",
]
