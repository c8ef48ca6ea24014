"""The history block, as the specification shows it."""

import pytest

from redraft.record.history import format_iteration_history, improved
from redraft.result import IterationRecord


def test_the_block_of_the_specification() -> None:
    records = [
        IterationRecord(iteration=1, lpips_score=0.4231, agent_notes="soft particle grid with noise"),
        IterationRecord(iteration=2, lpips_score=0.3892, lpips_improved=True, agent_notes="added glow"),
        IterationRecord(iteration=3, lpips_score=0.3910, lpips_improved=False, compile_error="vec3 constructor..."),
    ]
    assert format_iteration_history(records) == (
        "ITERATION HISTORY:\n"
        "  Iter 1: LPIPS=0.4231 | Approach: soft particle grid with noise\n"
        "  Iter 2: LPIPS=0.3892 [IMPROVED] | Approach: added glow\n"
        "  Iter 3: LPIPS=0.3910 [WORSENED] | COMPILE ERROR: vec3 constructor..."
    )


def test_nothing_to_tell() -> None:
    assert format_iteration_history([]) == ""


def test_another_metric_and_a_turn_that_did_not_run() -> None:
    records = [
        IterationRecord(iteration=1, compile_error="x\ny"),
        IterationRecord(iteration=2, metric="VALIDATION", score=0.7, improved=True, critique_summary="no door"),
    ]
    assert format_iteration_history(records).splitlines()[1:] == [
        "  Iter 1: no score | COMPILE ERROR: x y",
        "  Iter 2: VALIDATION=0.7000 [IMPROVED] | Critique: no door",
    ]


def test_a_long_note_is_cut() -> None:
    text = format_iteration_history([IterationRecord(iteration=1, agent_notes="word " * 500)])
    assert len(text) < 400
    assert text.endswith("…")


@pytest.mark.parametrize(
    ("metric", "before", "after", "better"),
    [
        ("LPIPS", 0.5, 0.4, True),
        ("LPIPS", 0.4, 0.5, False),
        ("SSIM", 0.4, 0.5, True),
        ("VALIDATION", 1.0, 0.9, False),
        ("FLIP", 0.5, 0.5, None),
        ("FLIP", None, 0.5, None),
    ],
)
def test_better_by_the_metrics_own_direction(
    metric: str, before: float | None, after: float | None, better: bool | None
) -> None:
    assert improved(metric, before, after) is better


def test_an_unknown_metric_is_an_error() -> None:
    with pytest.raises(KeyError):
        improved("VIBES", 1.0, 2.0)
