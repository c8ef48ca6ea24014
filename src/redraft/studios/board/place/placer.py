"""Placing whole boards: short wires, no overlaps, inside the outline. `place_all` is the entry of the search.

It turns a layout into arrays (`problem.py`), spreads the components (`start.py`), lays them in free places
(`legal.py`), and shortens the wires (`refine.py`) at a price for crowded cells (`demand.py`). `goals.py` calls it for
the action `PlaceAll`.
"""

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

MAX_STARTS, START_BUDGET = 8, 120
"""The best of several starts is taken: at effort 1 the budget divided by the number of components, at least two."""

TRIAL_EFFORT = 0.1
"""The effort of refinement by which starts are compared."""

HOME_PULL = 10.0
"""The weight of the way from its place of a component that must leave it; that of a wire is 1."""


@dataclass(frozen=True)
class Progress:
    """The progress of the placer: the stage, the steps of it done and in all, and all wires so far in millimeters."""

    stage: str
    done: int
    steps: int
    wires: float


@dataclass(frozen=True)
class PlacerResult:
    """Moves that place components, and what they come to. Lengths are in the frame's unit."""

    moves: tuple[Move, ...]
    wire_length_before: float
    wire_length_after: float
    overlaps: tuple[tuple[str, str], ...]
    """Pairs that still share room."""
    outside: tuple[str, ...]
    """Components without room. They have no move, and what they lie on does not count as an overlap."""
    complete: bool
    """False where `stop` cut the search short."""
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
) -> PlacerResult:
    """Place components on a board: short wires, no overlaps, inside the outline and outside keep-outs.

    Args:
        movable: names of the components to place, wherever they lie now; all others stay, and are in the way.
        goal: the wishes beside short wires.
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
        return PlacerResult((), before, before, (), (), complete=True, steps=0)
    if clearance is not None:
        layout = replace(layout, clearance=clearance)
    if edge is not None:
        layout = replace(layout, edge_clearance=edge)

    if begin == "here":
        state, homeless, longest = _start_here(layout, movable, goal, stop)
        calm, nearest = None, _moves(state, homeless)
    else:
        state, homeless, calm = _start_anew(layout, movable, goal, seed, effort, notify, stop)
        longest, nearest = math.inf, None

    # Nets that no placement changes, of components that stay or of one component alone, count in the progress only.
    members = members_of(layout)
    unchanging = [net for net, names in members.items() if len(names) == 1 or not any(n in movable for n in names)]
    others = wire_length(layout, unchanging)
    problem = state.problem
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
    if nearest is not None:  # the search rounds pins to micrometers; its result may be longer by that
        least = layout.moved(nearest)
        if wire_length(after) > max(before, wire_length(least)):
            moves, after = nearest, least
    without_room = tuple(problem.names[c] for c in sorted(homeless))
    placed = _without(after, without_room)
    met = collisions(placed, (name for name in problem.names if name in placed))
    return PlacerResult(
        moves,
        before,
        wire_length(after),
        tuple(pair for pair in met if pair[1] in placed),
        without_room + tuple(name for name, other in met if other == EDGE),
        complete and not stop(),
        state.steps,
    )


def _moves(state: State, homeless: Collection[int]) -> tuple[Move, ...]:
    return tuple(
        state.problem.move(c, state.state[c], state.x[c], state.y[c])
        for c in range(len(state.problem.names))
        if c not in homeless and not state.at_home(c)
    )


def _without(layout: Layout, names: Collection[str]) -> Layout:
    return replace(layout, items=tuple(item for item in layout.items if item.name not in names)) if names else layout


def _start_here(
    layout: Layout, movable: Collection[str], goal: Goal, stop: Callable[[], bool]
) -> tuple[State, list[int], float]:
    """Leave components where they are, but lay those that collide or lie beside the board nearest to that.

    Returns:
        The state, the components that found no room, and the longest wires that are allowed.
    """
    problem = problem_of(layout, movable, goal, both=True)
    state, names = State(problem), problem.names
    beside = {name for name in names if layout.area is not None and not layout.area.intersects(layout[name].shape)}
    met = collisions(_without(layout, beside), (name for name in names if name not in beside))
    states = np.array([problem.unmoved(c) or 0 for c in range(len(names))])
    rooms = np.array([body.room for body in problem.chosen(states)])
    sizes: list[float] = (rooms[:, 2:] - rooms[:, :2]).prod(axis=1).tolist()

    # Of two that collide the larger one stays.
    kept = set[str]()
    for c in sorted(range(len(names)), key=lambda c: -sizes[c]):
        name = names[c]
        state.put(c, float(problem.origins[c, 0]), float(problem.origins[c, 1]), int(states[c]))
        others = {b if a == name else a for a, b in met if name in {a, b}}
        blocked = any(other in kept or other not in movable for other in others)
        if name in beside or problem.unmoved(c) is None or blocked:
            state.lift(c)
        else:
            kept.add(name)
    before = state.wires()
    middles = problem.origins + (rooms[:, :2] + rooms[:, 2:]) / 2
    homeless = legalize(state, middles, states, pull=HOME_PULL, stop=stop)
    return state, homeless, max(before, state.wires())


def _start_anew(
    layout: Layout,
    movable: Collection[str],
    goal: Goal,
    seed: int,
    effort: float,
    notify: Callable[[Progress], None],
    stop: Callable[[], bool],
) -> tuple[State, list[int], float]:
    """Return the best of some legal starts that differ in seed, who found no room in it, and the demand that is calm.

    Where none is legal, the last start has no halos, and both sides.
    """
    problem = problem_of(layout, movable, goal)
    scale = halo_scale(problem)
    count = min(MAX_STARTS, max(math.ceil(2 * effort), round(START_BUDGET * effort / max(len(problem.names), 1))))
    starts: list[tuple[tuple[int, float], State, list[int]]] = []
    calm: float | None = None

    def attempt(number: int, problem: Problem, scale: float) -> None:
        nonlocal calm
        notify(Progress("spread", number, count, 0.0))
        state = State(problem.spaced(scale))
        places, states = spread(state.problem, seed + number, stop=stop)
        homeless = legalize(state, places, states, pull=0.5, stop=stop)
        calm = Demand(problem, state.pins, calm).calm  # that of the first start is the scale of all
        if not homeless:
            refine(state, Demand(problem, state.pins, calm), seed=seed, effort=min(TRIAL_EFFORT, effort), stop=stop)
        demand = Demand(problem, state.pins, calm)
        starts.append(((len(homeless), state.total() + demand.toll(demand.wire)), state, homeless))

    for number in range(count):
        if starts and (stop() or starts[0][2]):
            break
        attempt(number, problem, scale)
    if all(homeless for _, _, homeless in starts) and not stop():
        attempt(len(starts), problem_of(layout, movable, goal, both=True), 0.0)
    _, state, homeless = min(starts, key=lambda start: start[0])
    assert calm is not None
    return state, homeless, calm
