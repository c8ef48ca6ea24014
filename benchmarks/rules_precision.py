"""Precision of the heuristics for drawings, by which they have their default severities.

    python benchmarks/rules_precision.py [--pictures FOLDER]

Every heuristic is run, without requirements, on 73 drawings that a capable model gave at once: `data/oneshot`,
`data/blind`, and the first drafts of the recorded runs. `data/rule_labels.json` says of each finding whether it is a
fault that a careful person would fix, judged from the picture (`--pictures` writes the drawings that have findings).
Prints per code the findings, how many are true, the findings on the other drawings of `data/rules`, which have no
faults, and the default severity. Exits 1 when a finding has no label or a label no finding, or when a code that is an
error by default is below 95 %, or reports anything on a drawing without faults.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from redraft.layout.items import Layout
from redraft.result import Issue
from redraft.studios.sketch.rules import SemanticValidator
from redraft.studios.sketch.rules.issues import CODES
from redraft.studios.sketch.svg import png, svg
from rules_data import DATA, clean_drawings, first_drafts

DRAFTS = 73
CLEAN = 11
"""Drawings of `data/rules` that are not among the drafts."""
LEAST = 0.95
LABELS = DATA / "rule_labels.json"

Key = tuple[str, str, tuple[str, ...]]
"""Draft, code, and the sorted names of the parts."""


def findings(layout: Layout) -> list[Issue]:
    """Return the findings of heuristics by default, without any requirement."""
    issues = SemanticValidator(heuristics="default").findings(layout).issues
    return [issue for issue in issues if issue.basis == "heuristic"]


def labels() -> dict[Key, bool]:
    entries: list[dict[str, Any]] = json.loads(LABELS.read_text(encoding="utf-8"))["labels"]
    return {(e["draft"], e["code"], tuple(e["subjects"])): e["true"] for e in entries}


def measured(pictures: Path | None) -> dict[Key, Issue]:
    """Return the findings on the drafts; write the drawings that have some, where a folder is given."""
    reported: dict[Key, Issue] = {}
    drafts = first_drafts()
    assert len(drafts) == DRAFTS, f"{len(drafts)} drafts were read, not {DRAFTS}"
    for draft in drafts:
        issues = findings(draft.layout)
        reported.update({(draft.name, i.code, tuple(sorted(i.subjects))): i for i in issues})
        if issues and pictures is not None:
            (pictures / f"{draft.name}.png").write_bytes(png(svg(draft.drawing), 800))
    return reported


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=Path, help="folder for the drawings that have findings")
    options = parser.parse_args()
    if options.pictures is not None:
        options.pictures.mkdir(parents=True, exist_ok=True)

    reported, known = measured(options.pictures), labels()
    for key in sorted(reported.keys() - known.keys()):
        print(f"NO LABEL {key[0]}: {key[1]} {', '.join(key[2])}: {reported[key].message}")
    for key in sorted(known.keys() - reported.keys()):
        print(f"NO FINDING {key[0]}: {key[1]} {', '.join(key[2])}")

    drafts = {first.name for first in first_drafts()}
    clean = [drawing for drawing in clean_drawings() if drawing.name not in drafts]
    assert len(clean) == CLEAN, f"{len(clean)} drawings without faults were read, not {CLEAN}"
    false = Counter(issue.code for drawing in clean for issue in findings(drawing.layout))

    total = Counter(key[1] for key in reported)
    true = Counter(key[1] for key in reported if known.get(key))
    good = reported.keys() == known.keys()
    print(f"{'code':<22}{'findings':>9}{'true':>6}{'precision':>11}{'clean':>7}  default, of {DRAFTS} drafts")
    for code, entry in CODES.items():
        if entry.basis != "heuristic" or code.startswith("crowd.") or code == "spacing.hint":
            continue
        share = f"{true[code] / total[code]:.0%}" if total[code] else "—"
        print(f"{code:<22}{total[code]:>9}{true[code]:>6}{share:>11}{false[code]:>7}  {entry.default}")
        if entry.default == "error" and (true[code] < LEAST * total[code] or false[code]):
            print(f"   MISSED: {code} is an error by default")
            good = False
    print(f"{'all':<22}{total.total():>9}{true.total():>6}{true.total() / total.total():>11.0%}{false.total():>7}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
