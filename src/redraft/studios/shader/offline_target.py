"""What the built-in model paints toward a target picture: it is told a grid of mean colours, and sees no pixel.

It begins with a gradient and a few soft shapes; given its own shader back, it goes on from there. The same grid, code
and seed give the same reply.
"""

from __future__ import annotations

import numpy as np

from redraft.studios.shader import offline_optimise as optimise
from redraft.studios.shader.offline_canvas import of_painting, to_painting
from redraft.studios.shader.offline_goal import goal_of
from redraft.studios.shader.offline_painting import read, write

FIRST, MORE, MOST = 14, 10, 60


def toward(grid, *, code, turn_seed, budget=100, size=None, across=2):
    rows, columns = len(grid), len(grid[0])
    w, h = size or (columns, rows)
    canvas = (w / max(w, h), h / max(w, h))
    goal = goal_of(grid, canvas, across)
    rng = np.random.default_rng(turn_seed)
    known = read(code) if code else None
    work = optimise.grounded(goal) if known is None else of_painting(known)
    more = FIRST if known is None else MORE
    for i in range(more):
        work = optimise.added(work, goal, rng, 64, 10)
        if i % 5 == 4:
            work = optimise.refined(work, goal, 12)
    work = optimise.refined(work, goal, budget)
    p = to_painting(work, canvas)
    return f"loss {work.loss(goal):.3f} rounded {of_painting(p).loss(goal):.3f}", write(p)
