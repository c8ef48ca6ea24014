"""Top-level items placed together: relations, stated distances, overlaps and the canvas as one problem for CP-SAT."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from redraft.layout import Bounds, Move
from redraft.requirements import Requirement
from redraft.result import Issue
from redraft.spatial.repair.situation import Situation, Step
from redraft.spatial.solver.cpsat import conflict
from redraft.spatial.solver.nearest import nearest
from redraft.spatial.solver.problem import (
    Linear,
    Problem,
    Relation,
    Rule,
    Stated,
    along,
    apart,
    facing,
    problem_of,
    rule_of,
    scaled,
    sides,
    within,
)

__all__ = ["REASON", "Joint", "joint"]

MOST = 60
"""So many things at once; beyond it only those that an issue names, with what lies near them."""

EFFORT = 0.1
"""Deterministic seconds for one problem."""

REASON = "brought into the stated relations, and apart, by the least movement"

WRONG, RIGHT = 2, 3
"""Cost of moving what an issue names first, and anything else."""

UPRIGHT = 3
"""Times as much: lifting things off the ground is worse than moving them across."""

MARGIN = 0.02
"""Of the canvas, kept clear at its edges where that is possible."""

_TRIGGERS = ("requirement.relation", "requirement.distance", "overlap", "bounds")
_PLACED = {"left_of", "right_of", "above", "below", "beside", "inside", "on", "between", "touches"}


@dataclass(frozen=True)
class Joint:
    """The steps found, whether each answer is the nearest, what no answer can move less than, conflicts in words."""

    steps: tuple[Step, ...] = ()
    proven: bool = True
    bound: float = 0.0
    conflicts: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Terms:
    """How strictly a problem is put; the strictest that has an answer is the preferred way."""

    gap: float
    together: bool
    cone: bool


def joint(site: Situation, *, explains: bool = True) -> Joint:
    """Ways to put right all issues between top-level things at once, the most considerate first.

    Args:
        site: the drawing and its issues.
        explains: name what cannot all hold, which may take long. Otherwise rules of thumb push nothing aside.
    """
    broken = [i for i in site.coded(*_TRIGGERS) if _top_level(site, i)]
    if not broken:
        return Joint()
    space = site.layout.frame.thresholds.min_spacing
    named = {name for issue in broken for name in issue.subjects}
    alone = not explains and all(issue.basis == "heuristic" for issue in broken)
    ways: list[tuple[Move, ...]] = []
    proven, bounds = True, list[float]()
    loosest = _Terms(space * 0.4, False, False)
    for terms in (_Terms(space, True, True), _Terms(space, False, True), loosest):
        problem = _problem(site, broken, terms)
        found = nearest(problem, effort=EFFORT, seed=site.seed)
        if found.shifts is not None:
            unit = problem.unit
            moves = tuple(
                Move.shift(n, dx * unit, dy * unit, REASON) for n, (dx, dy) in found.shifts.items() if dx or dy
            )
            proven, bounds = proven and found.proven, [*bounds, found.bound * unit / (UPRIGHT * RIGHT)]
            if moves and moves not in ways and not (alone and _pushes(moves, named)):
                ways.append(moves)
    if not ways:
        unknown = bool(bounds) or not explains
        return Joint(conflicts=() if unknown else conflict(_problem(site, broken, loosest), seed=site.seed))
    about = frozenset(part.name for name in named for part in site.layout.family(name))
    return Joint((Step("relations, distances and overlaps", tuple(ways), about=about),), proven, min(bounds))


def _pushes(moves: Sequence[Move], named: set[str]) -> bool:
    """Return whether something is moved that no issue names, and not along with what one names."""
    along_with = {move.matrix for move in moves if move.item in named}
    return any(move.item not in named and move.matrix not in along_with for move in moves)


def _top_level(site: Situation, issue: Issue) -> bool:
    roots = {item.name for item in site.layout.roots}
    return all(name in roots for name in issue.subjects)


def _relations(site: Situation) -> list[Requirement]:
    """Relations and distances, of boxes that can be shifted."""
    return [
        r
        for r in site.requirements
        if (r.kind == "relation" and r.relation in _PLACED)
        or (r.kind == "distance" and r.length is not None and r.axis != "z")
    ]


def _ends(site: Situation, relation: Requirement) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Subjects and objects, as far as they are top-level and not backdrops."""
    roots = {item.name for item in site.layout.roots} - site.backdrops
    subjects = tuple(n for n in site.names(relation.parts) if n in roots)
    return subjects, tuple(n for n in site.names(relation.of) if n in roots)


def _actors(site: Situation, broken: Sequence[Issue]) -> list[str]:
    """Everything at top level but scenery; in a crowd, what the issues name and what is near that."""
    names = [
        i.name for i in site.layout.roots if i.name not in site.backdrops and not site.layout.whole(i.name).is_empty
    ]
    if len(names) <= MOST:
        return names
    named = {n for issue in broken for n in issue.subjects} | {
        n for r in _relations(site) for e in _ends(site, r) for n in e
    }
    near = sorted(names, key=lambda n: (n not in named, min((_apart(site, n, m) for m in named), default=0.0), n))
    chosen = set(near[:MOST])
    return [n for n in names if n in chosen]


def _apart(site: Situation, one: str, other: str) -> float:
    a, b = site.layout.bounds(one), site.layout.bounds(other)
    return max(a[0] - b[2], b[0] - a[2], a[1] - b[3], b[1] - a[3], 0.0)


def _problem(site: Situation, broken: Sequence[Issue], terms: _Terms) -> Problem:
    names = _actors(site, broken)
    problem = problem_of(site.layout, names)
    wrong = {issue.subjects[0] for issue in broken if issue.subjects}
    costs = {n: WRONG if n in wrong else RIGHT for n in names}
    problem = replace(problem, weights={n: (cost, UPRIGHT * cost) for n, cost in costs.items()})
    rigid = list(_rigid(site, set(names)))
    pairs = _Pairs(site, problem, broken, terms, {frozenset(p) for p in rigid})
    rules = [
        *_canvas(site, problem, terms),
        *(Rule(f"{a} and {b} keep their row", (along(a, b),)) for a, b in rigid),
        *_related(site, problem, broken, terms),
        *pairs.rules(),
    ]
    return replace(problem, rules=tuple(rules), free_pairs=pairs.free())


def _canvas(site: Situation, problem: Problem, terms: _Terms) -> Iterator[Rule]:
    """Within the canvas, but for those that run off it by nature; at first with a margin where there is one now."""
    flagged = {i.subjects[0] for i in site.coded("bounds")}
    x0, y0, x1, y1 = site.layout.frame.bounds
    m = MARGIN if terms.cone else 0.0
    for name in problem.movable:
        a, b, c, d = site.layout.bounds(name)
        if a >= x0 + m and b >= y0 + m and c <= x1 - m and d <= y1 - m:
            inner = scaled((x0 + m, y0 + m, x1 - m, y1 - m), problem.unit)
            yield within(problem, name, inner, f"{name} lies within the canvas")
        elif name in flagged or (a >= x0 and b >= y0 and c <= x1 and d <= y1):
            yield within(problem, name, scaled((x0, y0, x1, y1), problem.unit), f"{name} lies within the canvas")


def _rigid(site: Situation, names: set[str]) -> Iterator[tuple[str, str]]:
    """Rows, grids and mirror images keep their form: it is put right by closed forms."""
    for read in site.requirements:
        if read.kind in ("spacing", "alignment", "symmetry"):
            first, *rest = [n for n in site.names(read.parts) if n in names] or [""]
            yield from ((first, other) for other in rest)


@dataclass(frozen=True)
class _Pairs:
    """What two things owe each other: to be apart, to stay together, or nothing."""

    site: Situation
    problem: Problem
    broken: Sequence[Issue]
    terms: _Terms
    rigid: set[frozenset[str]]

    def _flagged(self) -> set[frozenset[str]]:
        return {frozenset(i.subjects) for i in self.broken if i.category == "overlap" and len(i.subjects) == 2}

    def _touching(self) -> list[tuple[str, str]]:
        """Pairs whose boxes meet and that no issue names."""
        flagged = self._flagged()
        pairs = combinations(self.problem.boxes, 2)
        return [(a, b) for a, b in pairs if frozenset((a, b)) not in flagged and _apart(self.site, a, b) == 0.0]

    def free(self) -> frozenset[frozenset[str]]:
        return self.rigid_pairs() | {frozenset(pair) for pair in self._touching()}

    def rigid_pairs(self) -> frozenset[frozenset[str]]:
        return frozenset(self.rigid)

    def rules(self) -> Iterator[Rule]:
        """Clear of each other by a visible gap; what stands on or against another thing comes along."""
        gap = replace(self.problem, gap=0.4 * self.terms.gap / self.problem.unit)
        for a, b in (sorted(p) for p in sorted(self._flagged(), key=sorted)):
            if a in self.problem.boxes and b in self.problem.boxes:
                yield apart(gap, a, b)
        if self.terms.together:
            related = {n for i in self.broken for n in i.subjects}
            for a, b in self._touching():
                shapes = self.site.layout.whole(a), self.site.layout.whole(b)
                if not (a in related and b in related) and shapes[0].distance(shapes[1]) < 0.004:
                    yield Rule(f"{a} and {b} stay together", (along(a, b),))


def _related(site: Situation, problem: Problem, broken: Sequence[Issue], terms: _Terms) -> Iterator[Rule]:
    """Broken relations as they should be; those that hold, kept: by the same terms or by moving along."""
    wrong = {i.requirement for i in broken}
    for relation in _relations(site):
        subjects, objects = _ends(site, relation)
        for subject in subjects:
            others = [o for o in objects if o != subject]
            if others and subject in problem.boxes and all(o in problem.boxes for o in others):
                rule = _relation(site, problem, relation, subject, others, terms)
                kept = () if relation.id in wrong else tuple(along(subject, o) for o in others)
                if rule is not None:
                    yield replace(rule, options=(*rule.options, *kept))


def _relation(
    site: Situation, problem: Problem, relation: Requirement, subject: str, objects: Sequence[str], terms: _Terms
) -> Rule | None:
    words = f"{subject}: {relation.quote or relation.relation or relation.kind}"
    if relation.kind == "distance":
        return _distance(site, problem, relation, subject, objects, words)
    gap, most = (0.0, 0.0) if relation.relation == "touches" else (terms.gap, None)
    if relation.relation == "between":
        pairs = list(combinations(objects, 2))
        stated = [Stated("between", subject, pair, 0.4 * gap if terms.cone else 0.0) for pair in pairs]
    elif relation.relation == "touches":
        stated = [Stated("near", subject, (o,), gap, most) for o in objects]
    else:
        stated = [Stated(_WORDS[relation.relation or "beside"], subject, (o,), gap, most) for o in objects]
    rules = [rule_of(problem, s, site.layout.frame) for s in stated]
    options = [option for rule in rules for option in rule.options]
    if relation.relation in sides(site.layout.frame):
        options = [tuple(line for option in options for line in option)] if len(objects) > 1 else options
        options = [(*o, *_cone(problem, relation, subject, objects, site)) for o in options] if terms.cone else options
    return Rule(words, tuple(options)) if options else None


_WORDS: dict[str, Relation] = {
    "left_of": "left_of",
    "right_of": "right_of",
    "above": "above",
    "below": "below",
    "beside": "beside",
    "inside": "inside",
    "on": "on",
}


def _distance(
    site: Situation, problem: Problem, read: Requirement, subject: str, objects: Sequence[str], words: str
) -> Rule | None:
    """A stated gap along an axis, on the side where it is; only of two things, each alone on its side."""
    length = (read.length or 0.0) * (site.scale if read.unit == "real" else 1.0)
    if len(objects) != 1 or read.axis is None:
        return None
    low, high = (0.0 if read.limit == "at_most" else length), (None if read.limit == "at_least" else length)
    a, b = site.layout.bounds(subject), site.layout.bounds(objects[0])
    axis, ways = (0, ("left_of", "right_of")) if read.axis == "x" else (1, ("above", "below"))
    before = a[axis] + a[axis + 2] < b[axis] + b[axis + 2]
    upward = site.layout.frame.up[1] > 0
    word = ways[0] if before != (axis == 1 and upward) else ways[1]
    return Rule(
        words, rule_of(problem, Stated(_WORDS[word], subject, (objects[0],), low, high), site.layout.frame).options
    )


def _cone(
    problem: Problem, relation: Requirement, subject: str, objects: Sequence[str], site: Situation
) -> Iterator[Linear]:
    """Clearly on that side: things beside each other share some height, things above each other some width."""
    axis, _ = sides(site.layout.frame)[relation.relation or ""]
    boxes = [site.layout.bounds(n) for n in (subject, *objects)]
    if axis == 1 or max(_height(b) for b in boxes) < 0.6:
        yield from (facing(problem, subject, other, axis) for other in objects[:1])


def _height(box: Bounds) -> float:
    return box[3] - box[1]
