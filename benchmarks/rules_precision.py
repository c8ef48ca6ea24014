"""Precision of the rules for drawings: their findings on 28 drawings that a capable model drew at once, mostly right.

    python benchmarks/rules_precision.py [--list]

Runs the heuristics as a run does by default, without requirements, and compares each finding with the faults that the
drawings have (`TRUE`; `data/oneshot/README.md`, `data/blind/README.md`). Prints the findings of each code, those that
are true, their share and the code's default severity. Exits 1 when a code whose default is `error` is right about less
than 95 % of its findings.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import dataclass

from redraft.result import Issue
from redraft.spatial.rules import SemanticValidator
from redraft.spatial.rules.issues import CODES
from rules_data import first_drafts

DRAWINGS = 28
AIM = 0.95
"""Share of the findings of a code that are faults, from which its default severity may be `error`."""


@dataclass(frozen=True)
class Truth:
    """A fault that a drawing has: the parts it shows at, and the categories of issues that would name it."""

    drawing: str
    parts: frozenset[str]
    categories: frozenset[str]
    words: str


def _truth(drawing: str, parts: str, categories: str, words: str) -> Truth:
    return Truth(drawing, frozenset(parts.split()), frozenset(categories.split()), words)


TRUE = (
    _truth("01", "tail", "attachment", "the tail hardly overlaps the body"),
    _truth("02", "crank pedal_1 pedal_2", "overlap containment", "chainring and pedal cover the rear tyre"),
    _truth("02", "fork", "attachment", "no head tube, the fork grazes the frame"),
    _truth("02", "chain", "attachment style", "the chain is open"),
    _truth("03", "sun", "style", "the top ray is short"),
    _truth("04", "flower_1 flower_2", "spacing", "the petals almost collide"),
    _truth("04", "house", "spacing", "one flower almost touches the eave"),
    _truth("06", "balloon_4 balloon_5", "spacing bounds", "uneven gaps and margins"),
    _truth("08", "hour_hand", "requirement", "the hour hand is at 299°, not 305°"),
    _truth("09", "sail_left sail_right", "attachment", "the sails are off the mast"),
    _truth("09", "mast", "symmetry attachment", "the mast is off the hull's middle"),
    _truth("09", "hull sea", "overlap gravity", "the hull's corner shows in a trough"),
    _truth("14", "squares board", "containment overlap", "squares are painted over the frame"),
    _truth("15", "moon branch", "spacing", "the moon's edge almost meets the branch's"),
    _truth("busstop", "bus bus_stop", "spacing", "the bus almost touches the sign"),
    _truth("busstop", "bus_stop shelter", "spacing", "the sign almost touches the shelter"),
    _truth("busstop", "person_1 person_2", "spacing", "the two people almost touch"),
    _truth("giraffe", "mouse_ear_1 mouse_ear_2", "overlap", "the mouse's ears overlap by 12 %"),
)


def truths(name: str, issue: Issue) -> list[Truth]:
    """Return the faults that an issue is about: of two things that meet, both."""
    near = [t for t in TRUE if t.drawing == name and issue.category in t.categories and t.parts & set(issue.subjects)]
    meeting = issue.category in {"spacing", "overlap"}
    return [t for t in near if t.parts <= set(issue.subjects) or not (meeting and len(t.parts) == 2)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="every finding, and the faults that none names")
    options = parser.parse_args()
    drawings = first_drafts()
    assert len(drawings) == DRAWINGS, f"{len(drawings)} drawings were read, not {DRAWINGS}"
    validator = SemanticValidator(heuristics="default")
    findings, true, named = Counter[str](), Counter[str](), set[Truth]()
    for first in drawings:
        for issue in validator.validate(first.layout).issues:
            faults = truths(first.name, issue)
            named.update(faults)
            findings[issue.code] += issue.count
            true[issue.code] += issue.count if faults else 0
            if options.list:
                print(f"{'true ' if faults else 'FALSE'} {first.name} {issue.severity} {issue.code}: {issue.message}")
    for truth in TRUE if options.list else ():
        print(f"{'found ' if truth in named else 'missed'} {truth.drawing} {truth.words}")
    print(f"{'code':<20} {'findings':>8} {'true':>5} {'precision':>9}  default")
    for code, rule in CODES.items():
        if findings[code] or rule.default == "error":
            share = f"{true[code] / findings[code]:.0%}" if findings[code] else "-"
            print(f"{code:<20} {findings[code]:>8} {true[code]:>5} {share:>9}  {rule.default}")
    count = findings.total()
    print(f"{'all':<20} {count:>8} {true.total():>5} {true.total() / count:>9.0%}")
    print(f"{count / len(drawings):.2f} findings a drawing; {len(named)} of {len(TRUE)} faults named")
    below = [c for c, n in findings.items() if CODES[c].default == "error" and true[c] < AIM * n]
    for code in below:
        print(f"{code} is an error by default, and fewer than {AIM:.0%} of its findings are faults")
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())
