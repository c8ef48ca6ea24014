"""Figures of a benchmark by hand: means over briefs, intervals, differences, and what cannot be compared."""

from __future__ import annotations

import html
from pathlib import Path

import pytest

from redraft.bench.page import percent, tables_of, tables_of_changes, write_bench_page
from redraft.bench.result import Bench, Calibration, Judged, Rate, compared, rate_of, read_bench
from redraft.bench.trials import Snapshot, Trial
from redraft.errors import ConfigError


def shot(calls: int, valid: bool, holds: bool | None = None, *, tokens: int = 0, delivered: bool = True) -> Snapshot:
    share = None if holds is None else 1.0 if holds else 0.5 if delivered else 0.0
    return Snapshot(calls=calls, tokens=tokens, delivered=delivered, valid=valid, holds=holds, share=share)


def trial(arm: str, task: str, *snapshots: Snapshot, repeat: int = 0, run: str = "run", error: str = "") -> Trial:
    return Trial(arm=arm, task=task, repeat=repeat, snapshots=snapshots, run=run, error=error)


def bench(*trials: Trial, **more: object) -> Bench:
    arms = dict.fromkeys((one.arm for one in trials), "in words")
    briefs = {one.task: f"brief {one.task}" for one in trials}
    base = {"redraft": "0", "studio": "sketch", "model": "m", "calls": 4, "repeats": 1, "seed": 0, "tasks": "t"}
    return Bench.model_validate({**base, "briefs": briefs, "arms": arms, "trials": trials, **more})


def test_success_is_what_was_there_within_so_many_calls() -> None:
    found = bench(trial("loop", "a", shot(1, False), shot(2, False), shot(4, True)))
    assert [found.values("loop", "valid", calls=k) for k in (1, 2, 3, 4)] == [{"a": 0}, {"a": 0}, {"a": 0}, {"a": 1}]


def test_success_within_so_many_tokens() -> None:
    found = bench(trial("loop", "a", shot(1, False, tokens=100), shot(2, True, tokens=250)))
    assert [found.values("loop", "valid", tokens=t) for t in (99, 249, 250)] == [{"a": 0}, {"a": 0}, {"a": 1}]


def test_repeats_of_a_brief_are_one_value() -> None:
    found = bench(
        trial("loop", "a", shot(1, True)),
        trial("loop", "a", shot(1, False), repeat=1),
        trial("loop", "b", shot(1, True)),
    )
    assert found.values("loop", "valid") == {"a": 0.5, "b": 1}
    rate = found.rate("loop", "valid")
    assert rate is not None
    assert (rate.mean, rate.briefs) == (0.75, 2)


def test_failures_count_as_zero_or_are_left_out() -> None:
    failed = trial("loop", "b", shot(4, False, False, delivered=False), run="")
    refused = trial("loop", "c", run="", error="The brief is empty.")
    found = bench(trial("loop", "a", shot(1, True, True)), failed, refused)
    assert found.values("loop", "valid") == {"a": 1, "b": 0, "c": 0}
    assert found.values("loop", "valid", all_=False) == {"a": 1}


def test_oracles_count_where_there_is_one() -> None:
    found = bench(trial("loop", "a", shot(1, True, True)), trial("loop", "b", shot(1, True, None)))
    assert found.values("loop", "holds") == {"a": 1}


def test_a_task_with_an_oracle_that_one_arm_never_reached_counts_as_zero() -> None:
    found = bench(trial("one", "a", run="", error="no"), trial("loop", "a", shot(1, True, True)))
    assert found.values("one", "holds") == {"a": 0}


def test_an_interval_is_that_of_resampled_briefs() -> None:
    rate = rate_of([0.0] * 6 + [1.0] * 6)
    assert rate is not None
    assert rate.mean == 0.5
    # Of 12 draws with probability 1/2, 2.5 % have 2 successes or fewer (1.9 %) and 3 or fewer (7.3 %): 3 of 12.
    assert (rate.low, rate.high) == (pytest.approx(3 / 12), pytest.approx(9 / 12))


def test_one_brief_has_no_interval_and_equal_ones_have_no_width() -> None:
    assert rate_of([1.0]) == Rate(mean=1, briefs=1)
    assert rate_of([1.0, 1.0]) == Rate(mean=1, low=1, high=1, briefs=2)
    assert rate_of([]) is None


def test_a_difference_is_paired_and_its_p_counts_signs() -> None:
    pairs = [trial(arm, str(n), shot(1, arm == "loop")) for n in range(6) for arm in ("one", "loop")]
    (change,) = bench(*pairs).changes("loop")
    assert (change.name, change.first, change.second, change.difference.mean) == ("one", 0, 1, 1)
    assert change.p == pytest.approx(2 / 2**6)


def test_what_is_the_same_is_not_significant() -> None:
    pairs = [trial(arm, str(n), shot(1, n % 2 == 0)) for n in range(6) for arm in ("one", "loop")]
    (change,) = bench(*pairs).changes("loop")
    assert (change.difference.mean, change.p) == (0, 1)


def test_results_are_compared_arm_by_arm() -> None:
    first = bench(*(trial("loop", str(n), shot(1, n < 2, True)) for n in range(4)), trial("old", "0", shot(1, True)))
    second = bench(*(trial("loop", str(n), shot(1, True, n < 3)) for n in range(4)), trial("new", "0", shot(1, True)))
    found = {(one.name, one.measure): (one.first, one.second) for one in compared(first, second)}
    assert found == {("loop", "valid"): (0.5, 1), ("loop", "holds"): (1, 0.75), ("loop", "share"): (1, 0.875)}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"studio": "scene"}, r"the studio differ \(sketch and scene\)"),
        ({"tasks": "other"}, r"the tasks differ \(t and other\)"),
        ({"calls": 8}, r"the budget of calls differ \(4 and 8\)"),
        ({"tokens": 100}, r"the budget of tokens differ \(None and 100\)"),
        ({"arms": {"x": "y"}, "trials": ()}, r"no arm in common \(loop and x\)"),
    ],
)
def test_results_of_other_things_are_not_compared(more: dict[str, object], said: str) -> None:
    one = bench(trial("loop", "a", shot(1, True)))
    with pytest.raises(ConfigError, match=said):
        compared(one, bench(trial("loop", "a", shot(1, True)), **more))


def test_a_result_is_read_from_its_file_or_folder(tmp_path: Path) -> None:
    found = bench(trial("loop", "a", shot(1, True, True)))
    (tmp_path / "bench.json").write_text(found.model_dump_json())
    assert read_bench(tmp_path) == read_bench(tmp_path / "bench.json") == found
    (tmp_path / "bad.json").write_text('{"format": 2}')
    with pytest.raises(ConfigError, match=r"bad.json is not the result of a benchmark \(format: "):
        read_bench(tmp_path / "bad.json")
    with pytest.raises(ConfigError, match=r"Cannot read the result .*none.json"):
        read_bench(tmp_path / "none.json")


def whole() -> Bench:
    trials = [
        trial("one-shot", "a", shot(1, False, False, tokens=10)),
        trial("one-shot", "b", shot(1, False, False, delivered=False), run="", error="<b>lost</b>"),
        trial("loop", "a", shot(1, False, False, tokens=10), shot(2, True, True, tokens=80)),
        trial("loop", "b", shot(1, True, True, tokens=10)),
    ]
    pair = Judged(task="a", repeat=0, first="loop", second="one-shot", better="first")
    judged = (pair, pair.model_copy(update={"task": "b", "better": "same", "flipped": True}))
    calibration = (
        Calibration(of="blank", task="a", holds=False, share=0),
        Calibration(of="unrelated", task="b", holds=True, share=1),
    )
    return bench(*trials, judge="j", judged=judged, calibration=calibration)


def rows(result: Bench, title: str) -> dict[str, tuple[str, ...]]:
    (table,) = [table for table in tables_of(result) if title in table.title]
    return {row[0] if "Measure" not in table.head else f"{row[0]} {row[1]}": row for row in table.rows}


def test_the_tables_say_what_was_found() -> None:
    found = whole()
    assert rows(found, "at most 4 calls")["loop"] == ("loop", *["100 (100 to 100)"] * 3, "0", "1.5", "45")
    assert rows(found, "at most 4 calls")["one-shot"][1:4] == ("0 (0 to 0)", "0 (0 to 0)", "25 (0 to 50)")
    assert rows(found, "deliver nothing")["one-shot"] == ("one-shot", "0", "0", "50")
    assert rows(found, "so many calls")["loop Valid"] == ("loop", "Valid", "50 (0 to 100)", *["100 (100 to 100)"] * 2)
    assert rows(found, "so many tokens")["loop Valid"][2:] == ("50 (0 to 100)",) * 3 + ("100 (100 to 100)",)
    assert rows(found, "less each")["one-shot Valid"] == ("one-shot", "Valid", "0", "100", "100 (100 to 100)", "0.500")
    assert rows(found, "Judged by j")["loop against one-shot"][1:] == ("1", "1", "0", "50 %", "0")
    assert rows(found, "cannot be right")["unrelated"] == ("unrelated", "1 of 1", "100 %", "b")


def test_without_failures_there_is_no_table_of_them() -> None:
    assert [t for t in tables_of(bench(trial("loop", "a", shot(1, True)))) if "deliver nothing" in t.title] == []


def test_a_loss_has_a_sign() -> None:
    assert percent(Rate(mean=-0.25, low=-0.5, high=-0.001, briefs=4)) == "−25 (−50 to 0)"
    assert percent(None) == "–"
    (table,) = tables_of_changes(compared(whole(), whole()))
    assert {row[-2] for row in table.rows} == {"0 (0 to 0)"}


def test_the_page_is_one_file_that_asks_for_nothing(tmp_path: Path) -> None:
    page = write_bench_page(whole(), tmp_path).read_text("utf-8")
    assert "default-src 'none'" in html.unescape(page)
    assert "&lt;b&gt;lost&lt;/b&gt;" in page
    assert 'href="./run/report.html"' in page
    assert page.count("<polyline") == 2 * 2 * 2, "two arms, two measures, by calls and by tokens"
    assert "http://" not in page.replace("http://www.w3.org", "")
