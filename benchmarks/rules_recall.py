"""Recall of the rules: how many of several hundred faults put into clean drawings they find.

    python benchmarks/rules_recall.py [--seed N] [--each N] [--missed]

A fault counts as found when there is a new error or warning that names something it was done to. The instruction of
each drawing is read by the grammar, as in a run. Held-out drawings are reported apart. Exits 1 below 95 %.
"""

from __future__ import annotations

import argparse
import sys

from redraft.result import Issue, Report
from redraft.spatial.reading import Reading
from redraft.spatial.relations import read
from redraft.spatial.rules import SemanticValidator
from rules_data import Clean, clean_drawings
from rules_faults import KINDS, Fault, faults

AIM = 0.95
LEAST = 300


def scored(report: Report) -> list[Issue]:
    return [*report.errors, *report.warnings]


def is_found(fault: Fault, reading: Reading, before: set[tuple[str, tuple[str, ...]]]) -> bool:
    """A new error or warning that names a subject of the fault."""
    issues = scored(SemanticValidator().validate(fault.layout, reading))
    return any((i.code, i.subjects) not in before and fault.subjects & set(i.subjects) for i in issues)


def measured(drawings: list[Clean], each: int, seed: int) -> dict[tuple[str, bool], list[tuple[Fault, bool]]]:
    """Faults and whether they were found, by kind and by whether the drawing was held out."""
    readings = {d.name: read(d.instruction) for d in drawings}
    before = {
        d.name: {(i.code, i.subjects) for i in scored(SemanticValidator().validate(d.layout, readings[d.name]))}
        for d in drawings
    }
    found: dict[tuple[str, bool], list[tuple[Fault, bool]]] = {}
    for fault in faults(drawings, each, seed):
        name = fault.drawing.name
        result = is_found(fault, readings[name], before[name])
        found.setdefault((fault.kind, fault.drawing.held_out), []).append((fault, result))
    for drawing in drawings:
        if before[drawing.name]:
            print(f"clean {drawing.name}: {len(before[drawing.name])} false: {sorted(before[drawing.name])}")
    return found


def share(cells: list[list[tuple[Fault, bool]]]) -> tuple[int, int]:
    results = [hit for cell in cells for _, hit in cell]
    return sum(results), len(results)


def shown(cells: list[list[tuple[Fault, bool]]]) -> str:
    hits, total = share(cells)
    return f"{hits:>4} of {total:<4}{hits / total:>7.1%}" if total else f"{'—':>19}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=4, help="faults of each kind for each drawing, at most")
    parser.add_argument("--missed", action="store_true", help="list the faults that were not found")
    options = parser.parse_args()
    drawings = clean_drawings()
    found = measured(drawings, options.each, options.seed)
    print(f"{'fault':<12}{'drawings seen':>19}{'held out':>21}{'all':>21}")
    for kind in [*KINDS, "all"]:
        rows = [
            [cell for (k, held), cell in found.items() if kind in {k, "all"} and held == out] for out in (False, True)
        ]
        print(f"{kind:<12}{shown(rows[0])}  {shown(rows[1])}  {shown(rows[0] + rows[1])}")
    if options.missed:
        for cell in found.values():
            for fault, hit in cell:
                if not hit:
                    print(f"missed in {fault.drawing.name}: {fault.kind} {fault.what}")
    hits, total = share(list(found.values()))
    good = total >= LEAST and hits >= AIM * total
    print(f"aim: {AIM:.0%} of at least {LEAST}, on {len(drawings)} drawings: {'reached' if good else 'MISSED'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
