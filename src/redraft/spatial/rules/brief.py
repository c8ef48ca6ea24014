"""What the brief states: each constraint of the reading goes to the rule of its family.

Only what was understood for certain, of things bound by more than a guess, is checked; the rest is unchecked.
"""

from __future__ import annotations

from collections.abc import Iterator

from redraft.result import Issue
from redraft.spatial.reading import (
    Align,
    Angle,
    Compare,
    Constraint,
    Count,
    EqualSpacing,
    Grid,
    Place,
    Progression,
    Relate,
    Selector,
    Size,
)
from redraft.spatial.rules import (
    alignment,
    angles,
    comparisons,
    counts,
    distances,
    grids,
    measures,
    places,
    relations,
    tints,
)
from redraft.spatial.rules.scene import Scene

__all__ = ["asked", "selectors_of", "unchecked"]


def asked(scene: Scene) -> Iterator[Issue]:
    """All issues with what the brief states."""
    yield from counts.counted(scene)
    yield from tints.coloured(scene)
    for constraint in scene.binding.reading.constraints:
        if constraint.certain and scene.binding.certain(*selectors_of(constraint)):
            yield from _check(scene, constraint)
    yield from distances.further(scene)
    yield from measures.proportions(scene)


def _check(scene: Scene, constraint: Constraint) -> Iterator[Issue]:
    match constraint:
        case Relate():
            yield from relations.related(scene, constraint)
            yield from distances.stated(scene, constraint)
        case Align():
            yield from alignment.aligned(scene, constraint)
        case EqualSpacing():
            yield from alignment.spaced(scene, constraint)
        case Grid():
            yield from grids.gridded(scene, constraint)
        case Compare():
            yield from comparisons.compared(scene, constraint)
        case Progression():
            yield from comparisons.progressing(scene, constraint)
        case Place():
            yield from places.placed(scene, constraint)
        case Angle():
            yield from angles.pointing(scene, constraint)
        case Size() | Count():
            return  # measures share one scale, and counts need no binding: both are checked as a whole


def selectors_of(constraint: Constraint) -> tuple[Selector, ...]:
    """Whatever a constraint speaks of."""
    match constraint:
        case Relate():
            return (constraint.subjects, *constraint.objects)
        case Align():
            return constraint.selectors
        case Compare():
            return (constraint.subjects, constraint.reference)
        case Place():
            return (constraint.selector,) if constraint.within is None else (constraint.selector, constraint.within)
        case Count():
            return (Selector(constraint.mention),)
        case EqualSpacing() | Grid() | Progression() | Size() | Angle():
            return (constraint.selector,)


def unchecked(scene: Scene) -> tuple[str, ...]:
    """Phrases of the brief that were not checked, each once: not understood, guessed, or of things not found."""
    reading = scene.binding.reading
    phrases = list(reading.unchecked)
    for constraint in reading.constraints:
        missing = isinstance(constraint, Count) and not counts.countable(scene, constraint.mention)
        loose = not isinstance(constraint, Count) and not scene.binding.certain(*selectors_of(constraint))
        if not constraint.certain or missing or loose:
            phrases.append(constraint.phrase or type(constraint).__name__.lower())
    phrases += [m.phrase for m in reading.mentions if m.phrase and not counts.countable(scene, m.id)]
    return tuple(dict.fromkeys(phrases))
