"""`--explain`: the arithmetic of a choice, worked out again from the record."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from redraft.ideas.cards import IdeaCard
from redraft.ideas.explain import WIDTH, differences, explained, plain, wrapped
from redraft.ideas.novelty import Motif
from redraft.ideas.scores import aggregated
from redraft.ideas.selection import NoveltyUsed, Scoring, select
from redraft.ideas.settings import Aggregate, JudgeSettings, NoveltySettings, ScoringSettings

OPTIONS = {"composition": ("a", "b"), "palette": ("a", "b"), "medium": ("a",), "mood": ("a",)}
SEED_THAT_EXPLORES, SEED_THAT_EXPLOITS = 4, 1
"""`random.Random(4)` begins with 0.236, 0.103; `random.Random(1)` with 0.134, 0.847."""
LATE = NoveltyUsed(enabled=True, prompts=25, motifs=(Motif(term="sunset/sunrise", prompts=9),))


def scoring(
    judges: Mapping[str, tuple[int, ...]],
    *,
    rate: float = 0.15,
    seed: int = 7,
    weights: tuple[float, ...] = (),
    how: Aggregate = "mean",
    penalties: dict[str, float] | None = None,
    novelty: NoveltyUsed = LATE,
    ids: str = "ABCDEF",
) -> Scoring:
    """A choice as the stage records it."""
    several = (
        tuple(JudgeSettings(name=name, weight=w) for name, w in zip(judges, weights, strict=True)) if weights else ()
    )
    by_judge = {name: dict(zip(ids, scores, strict=True)) for name, scores in judges.items()}
    chosen = select(
        aggregated(by_judge, several, how),
        exploration_rate=rate,
        rng=random.Random(seed),
        penalties=penalties,
    )
    return Scoring(
        **chosen.model_dump(),
        seed=seed,
        config_snapshot=ScoringSettings(
            enabled=True, exploration_rate=rate, judges=several, aggregate=how, novelty=NoveltySettings()
        ),
        judges=by_judge,
        novelty=novelty,
        cards=tuple(
            IdeaCard(
                id=id_, hook=f"Idea {id_}, in which a keeper winds the sea up again.", narrative="n", options=OPTIONS
            )
            for id_ in ids
        ),
    )


SCORES = (74, 81, 60, 40, 80, 10)
ONE = scoring({"judge": SCORES}, penalties={"B": 6.5, "E": 2.25})


def flat(record: Scoring) -> str:
    return re.sub(r"\s+", " ", " ".join(explained(record)))


def changed(record: Scoring, **fields: Any) -> Scoring:
    return record.model_copy(update=fields)


def test_the_table_has_a_line_for_each_card_and_marks_the_winner() -> None:
    rows = [line.split()[:6] for line in explained(ONE)[3:9]]
    assert rows[0] == ["A", "74", "0.00", "74.00", "3", "Idea"]
    assert rows[1] == ["B", "81", "6.50", "74.50", "2", "Idea"]
    assert rows[4] == ["→", "E", "80", "2.25", "77.75", "1"]
    assert [row[0] for row in rows] == ["A", "B", "C", "D", "→", "F"]


def test_exploiting_is_told_with_roll_rate_and_the_pool_of_one() -> None:
    said = flat(scoring({"judge": SCORES}, rate=0.1, seed=SEED_THAT_EXPLOITS))
    assert "Roll 0.134364 with seed 1, ≥ 0.1 (exploration_rate), so exploit" in said
    assert "Pool B, the best adjusted score" in said
    assert "Selected B, exploit" in said
    assert "Weights" not in said


def test_exploring_is_told_with_the_pool_the_weights_and_the_draw() -> None:
    said = flat(scoring({"judge": SCORES}, rate=0.5, seed=SEED_THAT_EXPLORES))
    assert "Roll 0.236048 with seed 4, < 0.5 (exploration_rate), so explore" in said
    assert "Pool B, E: the first max(2, ⌈6 / 4⌉) of 6 by adjusted score" in said
    assert "B 81 / 161 = 0.5031, E 80 / 161 = 0.4969" in said
    assert "Draw 0.103166, the next number of the same seed, is in [0, 0.5031), the share of B" in said


def test_several_judges_have_a_column_each_and_their_weights_are_told() -> None:
    record = scoring({"kind": SCORES, "hard": (0, 1, 99, 3, 4, 5)}, weights=(2.0, 1.0))
    said = flat(record)
    assert "card kind hard mean penalty adjusted place" in said
    assert "→ C 60 99 73.00 0 73.00 1" in said
    assert "the mean of kind × 2, hard × 1, divided by 3" in said


def test_weights_are_not_told_where_they_do_not_count() -> None:
    assert "the median of kind, hard" in flat(scoring({"kind": SCORES, "hard": SCORES}, weights=(2, 1), how="median"))


def test_many_judges_are_numbered_so_that_lines_stay_short() -> None:
    judges = {f"a_judge_with_a_long_name_{n}": SCORES for n in range(9)}
    record = scoring(judges, weights=(1.0,) * 9)
    assert "j9 = a_judge_with_a_long_name_8 × 1" in flat(record)


def test_penalties_are_told_with_what_is_overused_or_why_there_are_none() -> None:
    assert "0 to 20 points; overused in 25 recent prompts: sunset/sunrise in 9" in flat(ONE)
    off = scoring(
        {"judge": SCORES}, novelty=NoveltyUsed(enabled=False, off_because="prompt.scoring.novelty.window is 0")
    )
    assert "Penalty none: prompt.scoring.novelty.window is 0" in flat(off)


RECORDS = [
    ONE,
    scoring({"judge": SCORES}, rate=0.5, seed=SEED_THAT_EXPLORES),
    scoring({"judge": (0,) * 6}, rate=0.5, seed=SEED_THAT_EXPLORES),
    scoring({"kind": SCORES, "hard": (0, 1, 99, 3, 4, 5)}, weights=(2.0, 1.0)),
    scoring({f"a_judge_with_a_long_name_{n}": SCORES for n in range(9)}, weights=(1.5,) * 9),
    scoring({"judge": tuple(range(26))}, ids="ABCDEFGHIJKLMNOPQRSTUVWXYZ", rate=0.5, seed=SEED_THAT_EXPLORES),
    scoring({"judge": (1, 2)}, ids="猫犬"),
]


@pytest.mark.parametrize("record", RECORDS)
def test_what_select_made_agrees_with_itself_and_no_line_is_too_long(record: Scoring) -> None:
    assert differences(record) == []
    lines = explained(record)
    assert lines[-1] == "Recomputed from the record: the same choice."
    assert all(cell_len(line) <= WIDTH for line in lines)
    assert lines == [line.rstrip() for line in lines]


@pytest.mark.parametrize("record", RECORDS)
def test_a_record_that_went_through_json_agrees_with_itself(record: Scoring) -> None:
    assert differences(Scoring.model_validate_json(record.model_dump_json())) == []


def with_row(record: Scoring, id_: str, **fields: Any) -> Scoring:
    table = tuple(row.model_copy(update=fields) if row.id == id_ else row for row in record.score_table)
    return changed(record, score_table=table)


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (changed(ONE, selected_id="A", selected_score=74), "selected_id is recorded as A; seed 7 and the table give E"),
        (changed(ONE, selected_score=99), "selected_score is recorded as 99"),
        (changed(ONE, exploration_roll=0.5), "exploration_roll is recorded as 0.5"),
        (changed(ONE, seed=8), "exploration_roll is recorded as"),
        (changed(ONE, selection_mode="explore"), "selection_mode is recorded as explore"),
        (changed(ONE, pool=("E", "B")), "pool is recorded as E, B; seed 7 and the table give E"),
        (changed(ONE, exploration_rate=0.2), "exploration_rate is recorded as 0.2; the configuration has 0.15"),
        (changed(ONE, exploration_rate=2.0), "exploration_rate is 2.0"),
        (with_row(ONE, "A", score=75), "the score of A is recorded as 75; the judges' numbers give 74"),
        (with_row(ONE, "B", adjusted_score=60.0), "the adjusted score of B is recorded as 60; 81 − 6.5 gives 74.5"),
        (with_row(ONE, "B", penalty=20.5, adjusted_score=60.5), "the penalty of B is recorded as 20.5; it can be 20"),
        (with_row(ONE, "F", id="Z"), "the cards are A, B, C, D, E, F; the table has A, B, C, D, E, Z"),
        (changed(ONE, novelty=NoveltyUsed(enabled=False)), "the penalty of B is recorded as 6.5; it can be 0"),
        (changed(ONE, judges={}), "0 judges answered"),
    ],
)
def test_a_record_that_was_changed_says_where(record: Scoring, told: str) -> None:
    assert any(told in fault for fault in differences(record))
    said = flat(record)
    assert "The record is inconsistent:" in said
    assert told in said


def test_a_record_without_a_table_says_so() -> None:
    assert explained(changed(ONE, score_table=())) == [
        "The record has no table of scores, so the choice cannot be explained."
    ]


@given(st.text(max_size=300), st.integers(10, 100))
def test_a_wrapped_text_keeps_its_letters_and_its_width(text: str, width: int) -> None:
    text = plain(text)
    lines = wrapped(text, width)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(cell_len(line) <= width for line in lines)


def test_wide_letters_do_not_make_lines_too_long() -> None:
    cards = tuple(card.model_copy(update={"hook": "灯台は嵐の中で時を刻む。" * 20}) for card in ONE.cards)
    assert all(cell_len(line) <= WIDTH for line in explained(changed(ONE, cards=cards)))


def test_nothing_that_acts_on_a_terminal_gets_into_a_line() -> None:
    cards = tuple(card.model_copy(update={"hook": "a\x1b[2J\nb\u202ec"}) for card in ONE.cards)
    record = changed(ONE, cards=cards)
    assert all(line.isprintable() for line in explained(record))
