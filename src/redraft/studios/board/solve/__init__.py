"""The solver of boards: places that do just what an action says, and the nearest layout without overlap.

`legalize.py` keeps every relation; `relative.py`, `nearest.py` and `free_places.py` find single places. Nothing here
changes a layout: moves are applied with `layout.moved(moves)`.
"""
