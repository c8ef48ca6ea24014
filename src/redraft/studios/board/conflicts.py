"""Commands that exclude each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from redraft.english.grammar import Edge, circle
from redraft.english.names import NamedLine
from redraft.errors import ContradictionError
from redraft.spatial.actions import Action, Lock
from redraft.studios.board.clauses import Clause, opposite
from redraft.studios.board.wishes import Wish

__all__ = ["check_commands"]

_ONCE = {"at": "point", "rotation": "value", "layer": "layer"}
"""Wishes of which a part can have one only, and what tells two apart."""


def check_commands(clauses: Sequence[Clause], line: NamedLine) -> None:
    """Check that no part is to be held and moved, on two sides of one thing, or in two places.

    Raises:
        ContradictionError: with the two phrases.
    """
    _check_locks(clauses, line)
    said: dict[tuple[str, str], list[Wish]] = {}
    for clause in clauses:
        for wish in clause.wishes:
            for ref in wish.refs if wish.certain else ():
                said.setdefault((ref, wish.relation), []).append(wish)
    for (ref, _), wishes in said.items():
        for first, second in combinations(dict.fromkeys(wishes), 2):
            if why := _exclude(first, second):
                _refuse(line, first.phrase, second.phrase, f"{ref} cannot be {why}")
    _check_circles(clauses, line)


def _refuse(line: NamedLine, first: str, second: str, why: str) -> None:
    raise ContradictionError(
        f"These words of the instruction exclude each other: “{first}” and “{second}”; {why}. Leave one of them out. "
        f"The instruction begins {line.text[:80]!r}.",
        (first, second),
    )


def _check_locks(clauses: Sequence[Clause], line: NamedLine) -> None:
    """ "don't move C1" holds for all of the text, "lock C1" from there on."""
    held = {ref: clause for clause in reversed(clauses) for said in clause.first for ref in _locked(said.action)}
    for clause in clauses:
        for action in (said.action for said in clause.actions if not said.measure_only):
            for ref in _moved(action):
                if ref in held:
                    here, there = line.source(held[ref].i, held[ref].j), line.source(clause.i, clause.j)
                    _refuse(line, here, there, f"{ref} cannot stay and move")
            held.update(dict.fromkeys(_locked(action), clause))


def _locked(action: Action) -> tuple[str, ...]:
    return action.refs if isinstance(action, Lock) and action.locked else ()


def _moved(action: Action) -> tuple[str, ...]:
    """The parts that an action moves whatever it does with the others."""
    match action.action:
        case "place_relative" | "place_component" | "move_to_edge":
            return (action.ref,)
        case "swap":
            return (action.ref, action.other)
        case "move_by" | "rotate" | "flip" | "cluster_around":
            return action.refs
        case _:
            return ()


def _exclude(first: Wish, second: Wish) -> str:
    """Why two wishes of one kind for one part cannot both hold; empty when they can."""
    if first.relation in _ONCE:
        name = _ONCE[first.relation]
        same = getattr(first, name) == getattr(second, name) or first.relative or second.relative
        return "" if same else "in two ways at once"
    if first.relation == "edge" and first.side and first.side == second.side:
        return "" if first.value == second.value else "at two distances from one edge"
    if first.relation == "edge" and first.side and opposite(first.side) == second.side:
        return f"on the {first.side} and on the {second.side} edge"
    if first.relation != "side" or first.target != second.target or not first.side:
        return ""
    if second.side == opposite(first.side):
        return f"on two sides of {first.target}"
    differ = second.side == first.side and None not in (first.value, second.value) and first.value != second.value
    return f"at two distances from {first.target}" if differ else ""


def _check_circles(clauses: Sequence[Clause], line: NamedLine) -> None:
    """A part before the next, and that before the first."""
    for near, far in (("left", "right"), ("top", "bottom")):
        found = circle([edge for clause in clauses for edge in _edges(clause, near, far)])
        if found:
            _refuse(
                line, found[0][2], found[-1][2], "each puts one part before the next, and the last before the first"
            )


def _edges(clause: Clause, near: str, far: str) -> Iterator[Edge]:
    for wish in clause.wishes:
        if wish.relation != "side" or not wish.certain or wish.side not in {near, far}:
            continue
        target = wish.target.rpartition(".")[0] if wish.measure == "pad" and "." in wish.target else wish.target
        for ref in wish.refs:
            yield (ref, target, wish.phrase) if wish.side == near else (target, ref, wish.phrase)
