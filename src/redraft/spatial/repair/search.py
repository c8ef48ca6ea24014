"""Repair by geometry alone: the least movement that improves a report and makes nothing worse.

Planners propose steps and measurement decides. Every step is applied to the drawing and the drawing checked again. A
step is kept only if no issue appears or grows, no requirement is met less well, no invariant is violated
(`invariants`), and either fewer of the targeted issues remain or more of the requirements are met exactly.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from redraft.layout import Layout, Move
from redraft.requirements import Requirement
from redraft.requirements.kinds import scale_of
from redraft.requirements.space import bound
from redraft.result import Issue, Measured, Report
from redraft.spatial.repair.exact import ORDER, exact_moves
from redraft.spatial.repair.fixes import fix_steps
from redraft.spatial.repair.invariants import Facts, distorted, harm, strained
from redraft.spatial.repair.joint import REASON, Joint, joint
from redraft.spatial.repair.situation import Key, Situation, Step, displacement, moved_shares, note, shortened
from redraft.spatial.solver.legalize import Solution

__all__ = ["polish", "prepare", "repair"]

Apply = Callable[[tuple[Move, ...]], Layout]
Check = Callable[[Layout], Report]

ROUNDS = 3
"""How often all is gone through again: a step may make way for another, and rounding needs a second look."""

TRIES, STRICT_TRIES = 40, 120
"""Changed drawings in all, for named targets and for everything."""

PASSES = 4
"""How often requirements that share parts are satisfied in turn."""

SPACING = frozenset({"spacing.near_miss", "spacing.hint"})
"""Warnings that a strict repair may bring about."""

GROWTH = 1e-3
"""Relative, and of its own measure: by how much an issue may grow through rounding."""

NEARER = 0.02
"""In tolerances: by how much a requirement may be met less exactly through rounding."""


def polish(
    layout: Layout,
    requirements: Sequence[Requirement],
    report: Report,
    *,
    check: Check,
    limit: float,
    seed: int = 0,
    apply: Apply | None = None,
) -> Solution:
    """Moves that need no asking: they satisfy upheld requirements, remove defects and make what is inexact exact."""
    upheld = {i.key for i in report.issues if i.basis != "heuristic" and i.status == "upheld"}
    return repair(layout, requirements, report, check=check, targets=upheld, limit=limit, seed=seed, apply=apply)


def prepare(
    layout: Layout,
    requirements: Sequence[Requirement],
    report: Report,
    issue: Issue,
    *,
    check: Check,
    limit: float | None = None,
    seed: int = 0,
    apply: Apply | None = None,
) -> Solution:
    """The smallest moves that remove one issue; none, when there are none that make nothing else worse."""
    targets = {issue.key}
    return repair(
        layout, requirements, report, check=check, targets=targets, limit=limit, seed=seed, apply=apply, exact=False
    )


def repair(
    layout: Layout,
    requirements: Sequence[Requirement],
    report: Report,
    *,
    check: Check,
    targets: Collection[Key] | None = None,
    limit: float | None = None,
    seed: int = 0,
    apply: Apply | None = None,
    exact: bool = True,
) -> Solution:
    """Moves that remove issues by geometry, and what is left.

    Args:
        layout: the drawing.
        requirements: what it was agreed to show.
        report: what is wrong with it.
        check: the report on a changed layout.
        targets: `Issue.key` of the issues to act on; None for every one but hints.
        limit: greatest displacement of any item's corner, as a share of the frame's larger side; None for no limit.
        seed: of the combinatorial solver.
        apply: the layout after moves as its studio would write them back (pens keep their width, numbers are
            rounded); without it the moves are taken as exact.
        exact: also make exact what is met inexactly.

    Returns:
        The moves in order. `unsolved` has the issues acted on that are left, and conflicts among requirements.
    """
    tries, careful = (STRICT_TRIES, False) if targets is None else (TRIES, True)
    judge = _Judge(layout, check, apply or layout.moved, limit, tries, careful)
    grave = frozenset(i.key for i in report.errors)
    work = _Work(judge, tuple(requirements), targets, grave, seed, exact, _State(layout, (), check(layout)))
    for _ in range(ROUNDS):
        before = work.state
        work.exactly()
        work.through(work.jointly)
        work.through(fix_steps)
        if work.state is before:
            break
    work.shorten()
    return work.solution()


@dataclass(frozen=True)
class _State:
    """A drawing with the moves that made it, and its report."""

    layout: Layout
    moves: tuple[Move, ...]
    report: Report

    @cached_property
    def facts(self) -> Facts:
        return Facts(self.layout)

    @cached_property
    def outcomes(self) -> Mapping[str, Measured]:
        return {m.id: m for m in self.report.requirements}

    def extents(self, *, hints: bool) -> Mapping[Key, list[float]]:
        """Return the extent of each issue, the worst of one key first."""
        found: dict[Key, list[float]] = defaultdict(list)
        for issue in (*self.report.issues, *self.report.inherited):
            if hints or issue.severity != "hint":
                found[issue.key].append(issue.extent)
        return {key: sorted(values, reverse=True) for key, values in found.items()}


@dataclass
class _Judge:
    """Applies moves to the original drawing and measures what comes out."""

    original: Layout
    check: Check
    apply: Apply
    limit: float | None
    tries: int
    careful: bool = False
    """Nobody asked for the moves, or they are only proposed: what touches, and what is round, stays so."""
    frozen: set[str] = field(default_factory=set[str])

    def after(self, before: _State, way: Sequence[Move], step: Step, *, hints: bool) -> _State | None:
        """The drawing after a step; None where the step goes too far or makes anything worse."""
        moves = (*before.moves, *way)
        if self.tries <= 0 or self._too_far(moves, step):
            return None
        self.tries -= 1
        layout = self.apply(moves)
        found = _State(layout, moves, Report())
        moved = {m.item for m in way}
        if self.careful and self.limit is not None and distorted(before.layout, way, step.shaped):
            return None
        if harm(before.facts, found.facts, moved, parting=step.parting, placed=step.placed):
            return None
        if self.careful and strained(before.facts, found.facts, moved, step.about):
            return None
        found = replace(found, report=self.check(layout))
        return None if _worse(before, found, hints=hints, spacing=self.careful) else found

    def _too_far(self, moves: Sequence[Move], step: Step) -> bool:
        """Whether an item goes beyond the limit, or would have to in order to satisfy all; then no move is made."""
        if self.limit is None:
            return False
        shares = moved_shares(self.original, moves)
        far = {name for name, share in shares.items() if share > self.limit}
        if step.placed:
            self.frozen |= far
        return bool(far) or not self.frozen.isdisjoint(shares)


def _worse(before: _State, after: _State, *, hints: bool, spacing: bool = True) -> bool:
    """Return whether an issue appears or grows, becomes an error, or a requirement is met less well.

    Without `spacing`, warnings about distances may appear: to get rid of an error is worth one, and the next step may
    remove it.
    """
    known = before.extents(hints=hints)
    for key, values in after.extents(hints=hints).items():
        if not spacing and key[0] in SPACING:
            continue
        old = known.get(key, [])
        if len(values) > len(old) or any(v > (1 + GROWTH) * o + GROWTH / 10 for v, o in zip(values, old, strict=False)):
            return True
    if _errors(after.report) - _errors(before.report):
        return True
    pairs = ((before.outcomes[m.id], m) for m in after.report.requirements if m.id in before.outcomes)
    return any(new.deviation > (old.deviation + NEARER if old.outcome != "met" else 0.0) for old, new in pairs)


def _errors(report: Report) -> set[Key]:
    return {i.key for i in report.errors}


@dataclass
class _Work:
    """The repair of one drawing."""

    judge: _Judge
    requirements: tuple[Requirement, ...]
    targets: Collection[Key] | None
    grave: frozenset[Key]
    """Those of the issues that count first, as ruled: a check knows no rulings."""
    seed: int
    exact: bool
    state: _State
    answers: list[Joint] = field(default_factory=list[Joint])
    rejected: set[tuple[Move, ...]] = field(default_factory=set[tuple[Move, ...]])

    def __post_init__(self) -> None:
        self.start = self.answered = self.state
        names = {p: bound(p, self.start.layout) for r in self.requirements for p in (r.parts, r.of, r.each) if p}
        scale = scale_of(self.requirements, self.start.layout)
        self.site = Situation(self.start.layout, self.requirements, self._issues(self.start), names, scale, self.seed)
        self.chosen = self._unmet(self.start)

    def _issues(self, state: _State) -> tuple[Issue, ...]:
        """The issues to act on, errors first."""
        found = [i for i in state.report.issues if i.severity != "hint"]
        wanted = [i for i in found if self.targets is None or i.key in self.targets]
        return tuple(sorted(wanted, key=lambda i: i.key not in self.grave))

    def _unmet(self, state: _State) -> frozenset[str]:
        """The requirements to act on that do not hold exactly."""
        named = {i.requirement for i in self._issues(state) if i.requirement}
        inexact = {m.id for m in state.report.requirements if m.outcome == "inexact"} if self.exact else set[str]()
        return frozenset(named | inexact)

    def worth(self, state: _State) -> tuple[int, int, int]:
        """Fewer is better."""
        issues = self._issues(state)
        errors = sum(i.key in self.grave for i in issues)
        return (errors, len(issues) - errors, len(self._unmet(state) & self.chosen))

    def exactly(self) -> None:
        """All that is stated in numbers at once, since it may only hold together; else one requirement at a time.

        What was met is met again wherever it is disturbed.
        """
        waiting = [self.chosen]
        while waiting:
            ids = waiting.pop(0)
            way = self._satisfied(ids) if ids else ()
            placed = frozenset[str]().union(*(self._objects(i) for i in ids))
            about = self._family(placed)
            broken = {i for i in ids if self.start.outcomes[i].outcome == "broken"} if way else set[str]()
            shaped = self._family(frozenset[str]().union(*(self._objects(i) for i in broken)))
            step = Step("all that is stated in numbers", (way,), placed=placed, about=about, shaped=shaped)
            if way and not self.attempt(step):
                waiting += [frozenset((i,)) for i in sorted(ids)] if len(ids) > 1 else []

    def _family(self, names: Collection[str]) -> frozenset[str]:
        layout = self.start.layout
        return frozenset(i.name for n in names if n in layout for i in layout.family(n))

    def _objects(self, requirement: str) -> frozenset[str]:
        found = next(r for r in self.requirements if r.id == requirement)
        names = (*self.site.names(found.parts), *self.site.names(found.of))
        return frozenset(self.start.facts.object_of.get(n, n) for n in names)

    def _satisfied(self, ids: frozenset[str]) -> tuple[Move, ...]:
        """Moves that satisfy these requirements exactly, and again those that they disturb.

        What comes out is looked at as it would be written: pens keep their width, numbers are rounded.
        """
        at: Situation = self._at(self.state)
        moves: tuple[Move, ...] = ()
        for _ in range(ROUNDS):
            found = self._in_turn(at, ids)
            if not found:
                break
            moves = (*moves, *found)
            if self.judge.apply == self.start.layout.moved:
                break
            at = replace(at, layout=self.judge.apply((*self.state.moves, *moves)))
        return moves

    def _in_turn(self, at: Situation, ids: frozenset[str]) -> tuple[Move, ...]:
        """One requirement after the other, until none moves anything: of others those that were met, or nearly."""
        start, moves = at.layout, list[Move]()
        measured = self.state.outcomes
        room = {i: m.deviation + NEARER for i, m in measured.items() if m.outcome != "broken"}
        room |= {i: 0.0 for i, m in measured.items() if m.outcome == "met" or i in ids}
        order = sorted((r for r in self.requirements if r.id in room and r.kind in ORDER), key=lambda r: ORDER[r.kind])
        waiting = set(ids)  # what possibly does not hold: the given ones, and what has been touched since
        for _ in range(PASSES):
            for read in [r for r in order if r.id in waiting]:
                waiting.discard(read.id)
                if at.deviation(read) > room[read.id] and (step := exact_moves(at, read)):
                    moves += step
                    at = replace(at, layout=at.layout.moved(step))
                    moved = {i.name for move in step for i in start.family(move.item)}
                    waiting |= {i for i, names in self.families.items() if not names.isdisjoint(moved)}
            if not waiting:
                break
        return shortened(start, moves)

    @cached_property
    def families(self) -> Mapping[str, frozenset[str]]:
        """Requirement → all that it speaks of, with their parts."""
        layout, named = self.start.layout, self.site.names
        return {
            r.id: frozenset(i.name for n in (*named(r.parts), *named(r.of)) for i in layout.family(n))
            for r in self.requirements
        }

    def through(self, planner: Callable[[Situation], Iterable[Step]]) -> None:
        """Each step of a planner once, planned anew after every one that was taken."""
        tried: set[str] = set()
        while self.judge.tries > 0:
            step = next((s for s in planner(self._at(self.state)) if s.words not in tried), None)
            if step is None:
                return
            tried.add(step.words)
            self.attempt(step)

    def jointly(self, site: Situation) -> Iterator[Step]:
        if not self.answers or self.answered is not self.state:
            self.answered = self.state
            self.answers.append(joint(site, explains=self.targets is None))
        yield from self.answers[-1].steps

    def attempt(self, step: Step) -> bool:
        """Take the best way of a step, the first of equals; none, when none makes anything better."""
        start = best = self.state
        for way in step.ways:
            if (*start.moves, *way) in self.rejected:
                continue
            found = self.judge.after(start, way, step, hints=self.targets is not None)
            if found is None or self.worth(found) >= self.worth(best):
                self.rejected.add((*start.moves, *way))
                continue
            best = found
            if not self._issues(found):
                break
        self.state = best
        return best is not start

    def shorten(self) -> None:
        """Fewer moves to the same end, unless rounding makes their result worse."""
        short = shortened(self.start.layout, self.state.moves)
        if len(short) < len(self.state.moves):
            self.judge.tries += 1
            every = frozenset(self.start.layout.by_name)
            step = Step("fewer moves", (short,), parting=True, placed=every, about=every, shaped=every)
            found = self.judge.after(self.start, short, step, hints=self.targets is not None)
            if found and self.worth(found) <= self.worth(self.state) and not _worse(self.state, found, hints=True):
                self.state = found

    def _at(self, state: _State) -> Situation:
        return replace(self.site, layout=state.layout, issues=self._issues(state))

    def solution(self) -> Solution:
        left = [f"{i.code}: {i.message}" for i in self._issues(self.state)]
        conflicts = [f"cannot all hold: {'; '.join(a.conflicts)}" for a in self.answers[-1:] if a.conflicts]
        used = [a for a in self.answers if a.steps]
        layout, moves = self.start.layout, self.state.moves
        return Solution(
            moves=moves,
            proven=all(a.proven for a in used),
            bound=max((a.bound for a in used), default=0.0),
            note=note(layout, moves, _sure(moves, used), conflicts),
            unsolved=(*left, *conflicts),
            moved=displacement(layout, moves),
        )


def _sure(moves: Sequence[Move], used: Sequence[Joint]) -> str:
    """How near all the moves are to the least movement, where one problem gave them all."""
    if not moves or not used or any(move.reason != REASON for move in moves):
        return ""
    if all(answer.proven for answer in used):
        return "the nearest"
    return f"no answer moves less than {max(answer.bound for answer in used):.2g}"
