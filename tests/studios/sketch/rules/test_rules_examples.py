"""Every rule of docs/rules.md: its first example breaks it, its second just does not, and no code lacks a section."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from shapely.affinity import scale
from shapely.geometry import LineString, Point, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from redraft.layout.items import Item, Layout, Style
from redraft.offline.english.grammar import read
from redraft.result import Issue
from redraft.studios.sketch.rules import SemanticValidator
from redraft.studios.sketch.rules.issues import CODES

DOCS = Path(__file__).parents[4] / "docs" / "rules.md"
SECTION = re.compile(r"^### `([a-z_.]+)` \(([a-z, ]+)\)$(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"^```layout\n(breaks|holds)(?:: (.*?))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINE = re.compile(
    r"^(?P<name>\w+)(?::(?P<label>\w+))?(?: < (?P<parent>\w+))?(?P<shape> (?:ellipse|line|text|rays))?(?P<rest> .*)$"
)


def shape_of(kind: str, numbers: list[float]) -> BaseGeometry:
    if kind == "rays":
        turns = [2 * math.pi * i / len(numbers) for i in range(len(numbers))]
        rays = [
            LineString([(0.5 + r * math.cos(t), 0.5 + r * math.sin(t)) for r in (0.14, 0.14 + length)]).buffer(0.004)
            for t, length in zip(turns, numbers, strict=True)
        ]
        return unary_union([Point(0.5, 0.5).buffer(0.1), *rays])
    x0, y0, x1, y1 = numbers
    if kind == "line":
        return LineString([(x0, y0), (x1, y1)]).buffer(0.004)
    if kind == "ellipse":
        return scale(Point((x0 + x1) / 2, (y0 + y1) / 2).buffer(0.5, quad_segs=32), x1 - x0, y1 - y0)
    return box(x0, y0, x1, y1)


def item(line: str, layer: int) -> Item:
    match = LINE.match(line)
    assert match is not None, line
    words = match["rest"].split()
    numbers = [float(w) for w in words if re.fullmatch(r"[\d.]+", w)]
    kind = (match["shape"] or "").strip()
    noun = re.sub(r"_(\d+|left|right)$", "", match["name"]).replace("_", " ")
    return Item(
        match["name"],
        match["label"] or noun,
        shape_of(kind, numbers),
        parent=match["parent"],
        layer=layer,
        is_line=kind == "line",
        texts=("letters",) if kind == "text" else (),
        letters=(shape_of(kind, numbers),) if kind == "text" else (),
        style=Style(
            fills=tuple(w for w in words if w.startswith("#")),
            widths=tuple(float(w[4:]) for w in words if w.startswith("pen=")),
        ),
    )


def sections() -> dict[str, tuple[str, dict[str, tuple[str, Layout]]]]:
    """Code → severities, and its two examples by `breaks` and `holds`."""
    found: dict[str, tuple[str, dict[str, tuple[str, Layout]]]] = {}
    for code, severity, body in SECTION.findall(DOCS.read_text(encoding="utf-8")):
        examples = {
            kind: (text, Layout(tuple(item(line, n) for n, line in enumerate(lines.strip().splitlines()))))
            for kind, text, lines in EXAMPLE.findall(body)
        }
        found[code] = (severity, examples)
    return found


SECTIONS = sections()


RULES = [code for code in CODES if not code.startswith(("defect.", "crowd.", "edit."))]


def issues_of(text: str, layout: Layout) -> list[Issue]:
    return list(SemanticValidator().validate(layout, read(text) if text else None).issues)


def test_every_code_has_a_section_with_two_examples() -> None:
    assert set(SECTIONS) == set(RULES)
    assert all(set(examples) == {"breaks", "holds"} for _, examples in SECTIONS.values())


@pytest.mark.parametrize("code", RULES)
def test_the_first_example_breaks_the_rule(code: str) -> None:
    severity, examples = SECTIONS[code]
    found = {issue.severity for issue in issues_of(*examples["breaks"]) if issue.code == code}
    assert found
    assert found <= set(severity.split(", "))


@pytest.mark.parametrize("code", RULES)
def test_the_second_example_just_does_not(code: str) -> None:
    _, examples = SECTIONS[code]
    assert code not in {issue.code for issue in issues_of(*examples["holds"])}


@pytest.mark.parametrize("code", RULES)
def test_issues_say_where_and_how_to_fix_them(code: str) -> None:
    _, examples = SECTIONS[code]
    issue = next(i for i in issues_of(*examples["breaks"]) if i.code == code)
    assert issue.basis == "heuristic"
    assert issue.hint
    assert issue.subjects
    assert issue.marks
    assert issue.numbers


@pytest.mark.parametrize("code", [code for code in RULES if code != "spacing.hint"])
def test_by_default_the_first_example_has_the_severity_of_the_table(code: str) -> None:
    _, layout = SECTIONS[code][1]["breaks"]
    report = SemanticValidator(heuristics="default").validate(layout)
    assert {issue.severity for issue in report.issues if issue.code == code} == {CODES[code].default}


def strict_words(code: str) -> str:
    rule = CODES[code]
    return f"{rule.strict}, {rule.mild}" if rule.mild else rule.strict


@pytest.mark.parametrize("code", RULES)
def test_a_section_has_the_strict_severities_of_the_table(code: str) -> None:
    assert SECTIONS[code][0] == strict_words(code)


def test_by_default_a_heuristic_is_a_note_but_for_a_pair_at_one_place() -> None:
    assert {code for code in RULES if CODES[code].default != "note"} == {"symmetry.stacked"}
