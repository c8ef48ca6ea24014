"""Placing whole boards: short wires, no overlaps, inside the outline. Start with `place_all`."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from redraft.layout.items import Layout, Move
from redraft.studios.board.actions.plans import ignore, never
from redraft.studios.board.place.demand import Demand
from redraft.studios.board.place.legal import State, legalize
from redraft.studios.board.place.problem import MICRONS, Goal, Problem, problem_of
from redraft.studios.board.place.refine import align, refine
from redraft.studios.board.place.start import halo_scale, spread
from redraft.studios.board.solve.collisions import EDGE, collisions
from redraft.studios.board.wires import members_of, wire_length

STARTS, MANY = 8, 120
"""Starts are as many as this at most, and so many by the number of components; two at least, at effort 1."""

SAMPLE = 0.1
"""The effort of refinement by which starts are compared."""

NEAR = 10.0
"""The weight of the way from its place of a component that must leave it, in wires."""


@dataclass(frozen=True)
class Progress:
    """How far the placer is: the stage, the steps of it done and in all, and all wires so far in millimeters."""

    stage: str
    done: int
    steps: int
    wires: float


@dataclass(frozen=True)
class Placement:
    """Moves that place components, and what they come to. Lengths are in the frame's unit.

    `overlaps` are pairs that still share room. `outside` are components for which there was no room: they have no move,
    and what they lie on does not count. `complete` is False where `stop` cut the search short.
    """

    moves: tuple[Move, ...]
    wire_length_before: float
    wire_length_after: float
    overlaps: tuple[tuple[str, str], ...]
    outside: tuple[str, ...]
    complete: bool
    steps: int


def place_all(
    layout: Layout,
    movable: Collection[str],
    goal: Goal = Goal(),  # noqa: B008
    *,
    begin: Literal["anew", "here"] = "anew",
    seed: int = 0,
    effort: float = 1.0,
    clearance: Callable[[str, str], float] | float | None = None,
    edge: float | None = None,
    notify: Callable[[Progress], None] = ignore,
    stop: Callable[[], bool] = never,
) -> Placement:
    """Place components on a board: short wires, no overlaps, inside the outline and outside keep-outs.

    Args:
        movable: names of the components to place, wherever they lie now; all others stay, and are in the way.
        goal: what is wished for beside short wires.
        begin: `anew` searches from the connections alone. `here` starts from the places of now: components that
            collide or lie outside are laid nearest to where they are, then wires get shorter, never longer.
        seed: the same seed and effort give the same placement.
        effort: a factor on the number of moves.
        clearance: between copper of two nets, in millimeters; by default the layout's.
        edge: between copper and the edge of the board, in millimeters; by default the layout's.
        notify: called with the progress now and then.
        stop: asked often; when it returns True, the best placement so far is returned.

    Raises:
        BriefError: the board has no outline, or a name is not on it.
    """
    before = wire_length(layout)
    if not movable:
        return Placement((), before, before, (), (), complete=True, steps=0)
    if clearance is not None:
        layout = replace(layout, clearance=clearance)
    if edge is not None:
        layout = replace(layout, edge_clearance=edge)
    if begin == "here":
        state, homeless, longest = _kept(layout, movable, goal, stop)
        calm, nearest = None, _moves(state, homeless)
    else:
        state, homeless, calm = _laid(layout, movable, goal, seed, effort, notify, stop)
        longest, nearest = math.inf, None
    problem = state.problem
    others = wire_length(layout, _unchanging(layout, movable))
    complete = refine(
        state,
        Demand(problem, state.pins, calm),
        seed=seed,
        effort=effort,
        longest=longest,
        stop=stop,
        notify=lambda done, steps, wires: notify(Progress("refine", done, steps, wires / MICRONS + others)),
    )
    if begin == "anew" and complete:
        align(state)
    moves = _moves(state, homeless)
    after = layout.moved(moves)
    if nearest is not None:  # the search rounds pins to micrometers; what it found may be longer by that
        least = layout.moved(nearest)
        if wire_length(after) > max(before, wire_length(least)):
            moves, after = nearest, least
    left = tuple(problem.names[c] for c in sorted(homeless))
    laid = _without(after, left)
    met = collisions(laid, (name for name in problem.names if name in laid))
    return Placement(
        moves,
        before,
        wire_length(after),
        tuple(pair for pair in met if pair[1] in laid),
        left + tuple(name for name, other in met if other == EDGE),
        complete and not stop(),
        state.steps,
    )


def _moves(state: State, homeless: Collection[int]) -> tuple[Move, ...]:
    return tuple(
        state.problem.move(c, state.state[c], state.x[c], state.y[c])
        for c in range(len(state.problem.names))
        if c not in homeless and not state.at_home(c)
    )


def _unchanging(layout: Layout, movable: Collection[str]) -> list[str]:
    """The nets that no placement changes: of components that stay, or of one component alone."""
    members = members_of(layout)
    return [net for net, who in members.items() if len(who) == 1 or not any(name in movable for name in who)]


def _without(layout: Layout, names: Collection[str]) -> Layout:
    return replace(layout, items=tuple(item for item in layout.items if item.name not in names)) if names else layout


def _kept(
    layout: Layout, movable: Collection[str], goal: Goal, stop: Callable[[], bool]
) -> tuple[State, list[int], float]:
    """The components where they are, those that collide laid nearest to it; who found no room; the longest wires."""
    problem = problem_of(layout, movable, goal, both=True)
    state, names = State(problem), problem.names
    beside = {name for name in names if layout.area is not None and not layout.area.intersects(layout[name].shape)}
    met = collisions(_without(layout, beside), (name for name in names if name not in beside))
    states = np.array([problem.unmoved(c) or 0 for c in range(len(names))])
    rooms = np.array([body.room for body in problem.chosen(states)])
    kept = set[str]()
    sizes: list[float] = (rooms[:, 2:] - rooms[:, :2]).prod(axis=1).tolist()
    for c in sorted(range(len(names)), key=lambda c: -sizes[c]):
        state.put(c, float(problem.origins[c, 0]), float(problem.origins[c, 1]), int(states[c]))
        others = {b if a == names[c] else a for a, b in met if names[c] in {a, b}}
        if (
            names[c] in beside
            or problem.unmoved(c) is None
            or any(other in kept or other not in movable for other in others)
        ):
            state.lift(c)
        else:
            kept.add(names[c])
    before = state.wires()
    homeless = legalize(state, problem.origins + (rooms[:, :2] + rooms[:, 2:]) / 2, states, pull=NEAR, stop=stop)
    return state, homeless, max(before, state.wires())


def _laid(
    layout: Layout,
    movable: Collection[str],
    goal: Goal,
    seed: int,
    effort: float,
    notify: Callable[[Progress], None],
    stop: Callable[[], bool],
) -> tuple[State, list[int], float]:
    """The best of some legal starts, who found no room in it, and the demand that is calm.

    Starts differ in seed; where none is legal, the last has no halos, and both sides.
    """
    problem = problem_of(layout, movable, goal)
    scale = halo_scale(problem)
    starts = min(STARTS, max(math.ceil(2 * effort), round(MANY * effort / max(len(problem.names), 1))))
    found: list[tuple[tuple[int, float], State, list[int]]] = []
    calm: float | None = None

    def attempt(number: int, problem: Problem, scale: float) -> None:
        nonlocal calm
        notify(Progress("spread", number, starts, 0.0))
        state = State(problem.spaced(scale))
        places, states = spread(state.problem, seed + number, stop=stop)
        homeless = legalize(state, places, states, pull=0.5, stop=stop)
        calm = Demand(problem, state.pins, calm).calm
        if not homeless:
            refine(state, Demand(problem, state.pins, calm), seed=seed, effort=min(SAMPLE, effort), stop=stop)
        demand = Demand(problem, state.pins, calm)
        found.append(((len(homeless), state.total() + demand.toll(demand.wire)), state, homeless))

    for number in range(starts):
        if found and (stop() or found[0][2]):
            break
        attempt(number, problem, scale)
    if all(homeless for _, _, homeless in found) and not stop():
        attempt(len(found), problem_of(layout, movable, goal, both=True), 0.0)
    _, state, homeless = min(found, key=lambda one: one[0])
    assert calm is not None
    return state, homeless, calm
