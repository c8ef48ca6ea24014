"""The deterministic report: what the brief asks for, read as constraints, and the rules of space over the facts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from redraft.brief import TOWARD, Brief
from redraft.result import Issue, Report
from redraft.spatial.reading import Reading
from redraft.spatial.relations import read
from redraft.studios.scene.naming import label_of
from redraft.studios.scene.rules import asked, gravity, measured, meeting, proportion, seeing, shining, whole
from redraft.studios.scene.rules.repaint import with_colours
from redraft.studios.scene.rules.situation import Situation
from redraft.studios.scene.rules.unread import unread
from redraft.studios.scene.space import Space
from redraft.studios.scene.spec import Scene

__all__ = ["RULES", "Rule", "check", "nouns_of", "reading_of", "situation_of"]

Rule = Callable[[Situation], Iterator[Issue]]

RULES: tuple[Rule, ...] = (
    whole.hidden,
    asked.stated,
    asked.uncoloured,
    measured.distances,
    measured.sizes,
    gravity.floating,
    gravity.sinking,
    meeting.interpenetrating,
    meeting.duplicates,
    proportion.out_of_proportion,
    proportion.pairs_differ,
    seeing.camera,
    seeing.unseen,
    seeing.cut,
    seeing.clipped,
    seeing.within,
    shining.lit,
    shining.exposed,
    whole.left_out,
    whole.scale,
)
"""What is checked, in the order of reports; of a scene in which there is nothing, only that."""


def check(artifact: Scene, base: Scene | None, brief: Brief) -> Report:
    """Issues that are new, and those that the base already had.

    Raises:
        ContradictionError: the brief's words exclude each other.
    """
    at = situation_of(artifact, base, brief)
    issues = list(_issues(at))
    known = {_key(issue) for issue in _issues(_unasked(base))} if base is not None else set[object]()
    return Report(
        issues=tuple(issue for issue in issues if _key(issue) not in known),
        inherited=tuple(issue for issue in issues if _key(issue) in known),
        unchecked=unread(at) if at.space.bodies else at.reading.unchecked,
    )


def situation_of(artifact: Scene, base: Scene | None, brief: Brief) -> Situation:
    """A scene beside its brief; "it" is the main thing of the base.

    Raises:
        ContradictionError: the brief's words exclude each other.
    """
    return Situation(Space(artifact.facts), artifact.exposure, reading_of(brief, base))


def reading_of(brief: Brief, base: Scene | None = None) -> Reading:
    """What a brief asks for; nothing where it only says to come near a target. Raises `ContradictionError`."""
    if brief.instruction == TOWARD:
        return Reading(text="")
    return with_colours(read(brief.instruction, present=nouns_of(base)))


def _unasked(base: Scene) -> Situation:
    """A base is judged without the brief, which speaks of what is to come."""
    return Situation(Space(base.facts), base.exposure, Reading(text=""))


def nouns_of(base: Scene | None) -> tuple[str, ...]:
    """What is in an earlier scene, the largest thing first."""
    if base is None:
        return ()
    bodies = sorted(Space(base.facts).actors, key=lambda body: -body.pixels)
    return tuple(dict.fromkeys([body.label for body in bodies] + [label_of(b.name) for b in bodies]))


def _issues(at: Situation) -> Iterator[Issue]:
    nothing = list(whole.empty(at))
    yield from nothing
    hidden_things = [issue.phrase for issue in whole.hidden(at)] if not nothing else []
    for rule in () if nothing else RULES:
        for issue in rule(at):
            if not (issue.code == "count.missing" and issue.phrase in hidden_things):  # it is there, switched off
                yield issue


def _key(issue: Issue) -> tuple[str, tuple[str, ...]]:
    return issue.code, tuple(sorted(issue.subjects))
