"""Heaps of parts: how much a validation compares, how long its report is, and what of it still counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import cast

import pytest
from shapely.geometry import box
from shapely.geometry.base import BaseGeometry

from redraft.layout.items import Item, Layout
from redraft.result import MAX_ISSUES, Report
from redraft.studios.sketch.rules import SemanticValidator

PARTS = 400
PAIRS = PARTS * (PARTS - 1) // 2


def heap(parts: int, *, parent: str | None = None, apart: float = 1e-4) -> list[Item]:
    """Squares of one kind on each other, each shifted a little."""
    squares = (box(0.1 + apart * i, 0.4, 0.4 + apart * i, 0.7) for i in range(parts))
    return [Item(f"square_{i}", "square", square, parent) for i, square in enumerate(squares)]


def count_comparisons(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count the intersections that are computed one by one."""
    calls: Counter[str] = Counter()
    compute = cast("Callable[..., BaseGeometry]", BaseGeometry.intersection)

    def counted(self: BaseGeometry, *args: object, **options: object) -> BaseGeometry:
        calls["intersection"] += 1
        return compute(self, *args, **options)

    monkeypatch.setattr(BaseGeometry, "intersection", counted)
    return calls


def listed(report: Report) -> Counter[tuple[str, str]]:
    return Counter((issue.code, issue.severity) for issue in report.issues)


@pytest.mark.parametrize("mode", ["strict", "default"])
@pytest.mark.parametrize("apart", [1e-4, 1e-3])
def test_a_heap_is_not_compared_pair_by_pair(monkeypatch: pytest.MonkeyPatch, mode: str, apart: float) -> None:
    calls = count_comparisons(monkeypatch)
    SemanticValidator(heuristics=mode).validate(Layout(tuple(heap(PARTS, apart=apart))))  # pyright: ignore[reportArgumentType]
    assert 0 < calls["intersection"] < PAIRS / 4


def test_a_report_lists_some_issues_of_a_code_and_counts_the_others() -> None:
    report = SemanticValidator().validate(Layout(tuple(heap(PARTS))))
    assert max(listed(report).values()) == MAX_ISSUES + 1
    last = [issue for issue in report.issues if issue.code == "overlap.duplicate"][-1]
    assert last.message == "and at least 201 more of this kind"
    assert last.count == 201
    assert report.count("error") > 250
    assert (report.score, report.valid) == (0.0, False)
    assert len(report.model_dump_json()) < 100_000


def test_what_is_only_counted_is_a_note_and_not_scored() -> None:
    report = SemanticValidator(heuristics="default").validate(Layout(tuple(heap(PARTS))))
    assert report.crowded
    assert report.issues == report.notes
    assert report.score == 1.0


def test_a_small_heap_is_compared_and_counted_whole() -> None:
    report = SemanticValidator().validate(Layout(tuple(heap(20))))
    last = [issue for issue in report.issues if issue.code == "overlap.duplicate"][-1]
    assert last.message == f"and {190 - MAX_ISSUES} more of this kind"
    assert report.count("error") == 190
    assert "crowd.stopped" not in {issue.code for issue in report.issues}


def test_a_rule_that_cannot_compare_all_parts_says_so_and_accuses_none() -> None:
    """That parts hang together is not known of a heap; it is no reason to call one loose."""
    whole = Item("board", "board", box(0.05, 0.35, 0.95, 0.75))
    report = SemanticValidator().validate(Layout((whole, *heap(PARTS, parent="board"))))
    assert "attachment.apart" not in {issue.code for issue in report.issues}
    stopped = [issue for issue in report.issues if issue.code == "crowd.stopped"]
    assert any("detached" in issue.message for issue in stopped)
    assert {issue.severity for issue in stopped} == {"note"}


def test_what_a_base_has_beyond_the_list_is_not_held_against_an_edit() -> None:
    """Without its first square the 51st issue of the base moves up into the list, and is none of the edit's."""
    squares = heap(20)
    report = SemanticValidator().validate(Layout(tuple(squares[1:])), base=Layout(tuple(squares)))
    assert not report.errors
    assert sum(issue.count for issue in report.inherited) == 171


def test_a_row_of_hundreds_names_some_of_its_things() -> None:
    row = [
        Item(f"tick_{i}", "tick", box(0.002 * i + (0.001 if i == 199 else 0), 0.5, 0.002 * i + 0.0012, 0.6))
        for i in range(300)
    ]
    report = SemanticValidator().validate(Layout(tuple(row)))
    assert max(len(issue.subjects) for issue in report.issues) <= 50
