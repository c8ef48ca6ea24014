"""Repair by geometry alone: the least movement that makes a report better and nothing worse.

Planners propose, and the validator decides. Every step is applied to the drawing and the drawing validated again; a
step is kept only when nothing that was right is wrong afterwards, nothing is lost that no repair may cost (`care`),
and either there are fewer errors and warnings or what the brief states in numbers is met more exactly. So the result
is never worse than the input.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from redraft.result import Report
from redraft.spatial.layout import Layout, Move
from redraft.spatial.reading import Reading
from redraft.spatial.rules import SemanticValidator
from redraft.spatial.solver.care import Facts, harm
from redraft.spatial.solver.faults import faults
from redraft.spatial.solver.joint import REASON, Joint, joint
from redraft.spatial.solver.legal import Solution
from redraft.spatial.solver.moves import shortened
from redraft.spatial.solver.notes import note
from redraft.spatial.solver.rows import aligned, gridded, spaced
from redraft.spatial.solver.site import Site, Step, displacement
from redraft.spatial.solver.sizes import compared, measured, progressing
from redraft.spatial.solver.turns import placed, turned

__all__ = ["mend"]

Apply = Callable[[tuple[Move, ...]], Layout]
Planner = Callable[[Site], Iterator[Step]]

EXACT: tuple[Planner, ...] = (measured, compared, progressing, gridded, spaced, aligned, turned, placed)
"""What the brief states in numbers, in the order in which one depends on another: sizes, then places."""

ROUNDS = 4
"""How often all is gone through again: a step may make way for another, and rounding needs a second look."""

TRIES = 150
"""Validations in all."""


def mend(
    layout: Layout,
    reading: Reading,
    report: Report,
    *,
    seed: int = 0,
    base: Layout | None = None,
    apply: Apply | None = None,
    validator: SemanticValidator | None = None,
) -> Solution:
    """Moves that put right what geometry can, and what is left.

    Args:
        layout: the drawing.
        reading: what the brief asks for.
        report: what is wrong with it.
        seed: of the combinatorial solver.
        base: what the drawing began as, as in `SemanticValidator.validate`.
        apply: the drawing's layout after moves as its studio would write them back (pens keep their width, numbers
            are rounded); without it the moves are taken as exact.
        validator: the one that made the report; the default one when left out.

    Returns:
        The moves in order. `unsolved` has the errors and warnings that are left, and conflicts among what is asked.
    """
    judge = _Judge(reading, validator or SemanticValidator(), base, apply or layout.moved)
    state = _State(layout, (), report)
    work = _Work(judge, reading, seed, state)
    for _ in range(ROUNDS):
        before = work.state
        work.together()
        for planner in (*EXACT, work.jointly, faults):
            work.through(planner)
        if work.state is before:
            break
    work.shorten()
    return work.solution(layout)


@dataclass(frozen=True)
class _State:
    """A drawing with the moves that made it, and its report."""

    layout: Layout
    moves: tuple[Move, ...]
    report: Report

    @cached_property
    def facts(self) -> Facts:
        return Facts(self.layout)

    @property
    def worth(self) -> tuple[int, int]:
        """Fewer is better."""
        return (len(self.report.errors), len(self.report.warnings))


@dataclass
class _Judge:
    """Applies moves to the original drawing and validates what comes out."""

    reading: Reading
    validator: SemanticValidator
    base: Layout | None
    apply: Apply
    tries: int = 0

    def after(self, moves: tuple[Move, ...]) -> _State:
        self.tries += 1
        layout = self.apply(moves)
        return _State(layout, moves, self.validator.validate(layout, self.reading, base=self.base))

    def spoils(self, before: _State, after: _State, *, parting: bool = False) -> bool:
        """Whether something is wrong that was right, an error that was a warning, or lost that no repair may cost."""
        known, found = _keys(before.report), _keys(after.report)
        if found - known or _errors(after.report) - _errors(before.report):
            return True
        moved = {m.item for m in after.moves[_shared(before.moves, after.moves) :]}
        moved |= {m.item for m in before.moves[_shared(before.moves, after.moves) :]}
        return bool(harm(before.facts, after.facts, moved, parting=parting))


def _shared(one: Sequence[Move], other: Sequence[Move]) -> int:
    """How many moves both begin with."""
    pairs = zip(one, other, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _keys(report: Report) -> Counter[tuple[str, tuple[str, ...]]]:
    return Counter((i.code, tuple(sorted(i.subjects))) for i in (*report.errors, *report.warnings))


def _errors(report: Report) -> Counter[tuple[str, tuple[str, ...]]]:
    return Counter((i.code, tuple(sorted(i.subjects))) for i in report.errors)


@dataclass
class _Work:
    """The repair of one drawing."""

    judge: _Judge
    reading: Reading
    seed: int
    state: _State
    answers: list[Joint] = field(default_factory=list[Joint])

    @property
    def site(self) -> Site:
        return Site(self.state.layout, self.reading, self.state.report, self.seed)

    def through(self, planner: Planner) -> None:
        """Each step of a planner once, planned anew after every one that was taken."""
        tried: set[str] = set()
        while self.judge.tries < TRIES:
            step = next((s for s in planner(self.site) if s.words not in tried), None)
            if step is None:
                return
            tried.add(step.words)
            self.attempt(step)

    def together(self) -> None:
        """All that is stated in numbers at once: its parts may only be right together."""
        layout, moves = self.state.layout, list[Move]()
        for planner in EXACT:
            for words in [step.words for step in planner(replace(self.site, layout=layout))]:
                steps = planner(replace(self.site, layout=layout))
                for step in (s for s in steps if s.words == words):
                    moves += step.ways[0]
                    layout = layout.moved(step.ways[0])
        if moves:
            self.attempt(Step("all that is stated in numbers", (tuple(moves),)))

    def jointly(self, site: Site) -> Iterator[Step]:
        answer = joint(site)
        self.answers.append(answer)
        yield from answer.steps

    def attempt(self, step: Step) -> bool:
        """Take the best way of a step, the first of equals; none, when none makes anything better."""
        best, strain = self.state, _strain(self.site)
        for way in step.ways:
            if self.judge.tries >= TRIES:
                break
            found = self.judge.after((*self.state.moves, *way))
            if found.worth > best.worth or self.judge.spoils(self.state, found, parting=step.parting):
                continue
            if found.worth < best.worth:
                best, strain = found, _strain(self._at(found))
            elif best is self.state and (new := _strain(self._at(found))) < strain - found.layout.frame.quantum / 4:
                best, strain = found, new
        taken = best is not self.state
        self.state = best
        return taken

    def shorten(self) -> None:
        """Fewer moves to the same end, unless rounding makes their result less exact."""
        short = shortened(self.state.layout, self.state.moves)
        if len(short) < len(self.state.moves):
            found = self.judge.after(short)
            exact = _strain(self._at(found)) <= _strain(self.site) + found.layout.frame.quantum / 4
            if exact and found.worth <= self.state.worth and not self.judge.spoils(self.state, found):
                self.state = found

    def _at(self, state: _State) -> Site:
        return Site(state.layout, self.reading, state.report, self.seed)

    def solution(self, before: Layout) -> Solution:
        left = [f"{i.code}: {i.message}" for i in (*self.state.report.errors, *self.state.report.warnings)]
        conflicts = [f"cannot all hold: {'; '.join(a.conflicts)}" for a in self.answers[-1:] if a.conflicts]
        used = [a for a in self.answers if a.steps]
        moves = self.state.moves
        return Solution(
            moves=moves,
            proven=all(a.proven for a in used),
            bound=max((a.bound for a in used), default=0.0),
            note=note(before, moves, _sure(moves, used), conflicts),
            unsolved=(*left, *conflicts),
            moved=displacement(before, moves),
        )


def _strain(site: Site) -> float:
    """How far all that is stated in numbers is from being exact: the movement it would still take, in units."""
    steps: Sequence[Step] = [step for planner in EXACT for step in planner(site)]
    return sum(displacement(site.layout, step.ways[0]) for step in steps)


def _sure(moves: Sequence[Move], used: Sequence[Joint]) -> str:
    """How near all the moves are to the least movement, where one problem gave them all."""
    if not moves or not used or any(move.reason != REASON for move in moves):
        return ""
    if all(answer.proven for answer in used):
        return "the nearest"
    return f"no answer moves less than {max(answer.bound for answer in used):.2g}"
