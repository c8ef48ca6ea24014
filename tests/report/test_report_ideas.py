"""The choice of an idea as the page tells it: rank, bars, the roll and why. What a card says is text and no more."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import Page
from pydantic import JsonValue
from run_writer import RunWriter

from ideas import HOOKS, card, explored, image_run, jury, scoring
from redraft.errors import RunFormatError
from redraft.ideas.selection import NoveltyUsed, Scoring
from redraft.record.transcript import Record
from redraft.report import render_page
from redraft.report.ideas import ideas_in, ideas_view, points, roll_text, swatch

WriteRun = Callable[[Callable[[RunWriter], None]], Record]


def page_of(write_run: WriteRun, chosen: Scoring | JsonValue) -> str:
    return render_page(write_run(lambda writer: image_run(writer, chosen=chosen)))


def words_of(html: str) -> str:
    return Page(html).words


def test_cards_stand_by_what_they_have_after_the_penalty() -> None:
    view = ideas_view(scoring())
    assert [one.id for one in view.cards] == ["C", "B", "A", "F", "E", "D"]  # 78, 81 − 6.5, 74, 70 − 1.5, 66 − 12, 52
    assert [one.adjusted for one in view.cards] == ["78", "74.5", "74", "68.5", "54", "52"]
    assert [one.rank for one in view.cards] == [1, 2, 3, 4, 5, 6]


def test_of_equals_the_earlier_card_stands_first() -> None:
    view = ideas_view(scoring({"A": (60, 0), "B": (70, 0), "C": (70, 0), "D": (50, 0)}, selected="B"))
    assert [one.id for one in view.cards] == ["B", "C", "A", "D"]
    assert view.reason == "Card B has the best adjusted score: 70 points."


def test_bar_has_room_for_what_was_won_and_what_was_taken_off() -> None:
    found = {one.id: one for one in ideas_view(scoring()).cards}
    assert (found["B"].share, found["B"].lost) == (74.5, 6.5)
    assert (found["C"].share, found["C"].lost) == (78, 0)
    assert (found["B"].score, found["B"].penalty, found["C"].penalty) == ("81", "6.5", "")


def test_penalty_beyond_the_score_takes_no_more_than_there_is() -> None:
    one = ideas_view(scoring({"A": (5, 20), "C": (1, 0)})).cards[1]
    assert (one.id, one.share, one.lost, one.adjusted) == ("A", 0, 5, "0")


@given(st.floats(0, 100), st.floats(0, 100))
def test_arithmetic_on_the_page_adds_up(score: float, penalty: float) -> None:
    one = next(one for one in ideas_view(scoring({"A": (score, penalty), "C": (100, 0)})).cards if one.id == "A")
    if penalty and score > penalty:
        assert float(one.score) - float(one.penalty) == pytest.approx(float(one.adjusted), abs=0.01)
        assert float(one.penalty) == pytest.approx(penalty, abs=0.1001)


def test_exploit_says_why_in_numbers() -> None:
    view = ideas_view(scoring())
    assert view.reason == "Card C has the best adjusted score: 78 points."
    assert view.roll.words == "The roll was 0.62, not below the exploration rate of 0.15, so the best was taken."
    assert not any(one.chance for one in view.cards)


def test_explore_says_why_in_numbers() -> None:
    view = ideas_view(explored())
    # 74.5 of 78 + 74.5 is 48.9 %.
    assert view.reason == (
        "Card B was drawn from the top quartile, C and B, where its chance was 49 %: 74.5 points "
        "(81 less 6.5 for repeating what was made lately)."
    )
    assert view.roll.words == (
        "The roll was 0.07, below the exploration rate of 0.15, so the top quartile was drawn from."
    )
    assert {one.id: one.chance for one in view.cards if one.chance} == {"C": "51 %", "B": "49 %"}


def test_pool_without_a_point_has_equal_chances() -> None:
    view = ideas_view(scoring({"B": (0, 0), "C": (0, 0)}, mode="explore", roll=0.0, pool=("B", "C")))
    assert [one.chance for one in view.cards] == ["50 %", "50 %"]


def test_record_that_contradicts_its_scores_is_not_called_the_best() -> None:
    view = ideas_view(scoring(selected="D"))
    assert view.reason == "Card D was taken as the best: 52 points. By the scores recorded it is number 6."


def test_mark_and_band_lie_where_roll_and_rate_are() -> None:
    roll = ideas_view(scoring()).roll
    assert (roll.at, roll.band, roll.anchor) == (62.13, 15.0, "middle")
    assert ideas_view(explored()).roll.anchor == "start"
    assert ideas_view(scoring(roll=0.97)).roll.anchor == "end"


@given(roll=st.floats(0, 1, exclude_max=True), rate=st.floats(0, 1))
def test_roll_is_written_on_its_own_side_of_the_rate(roll: float, rate: float) -> None:
    assert (float(roll_text(roll, rate)) < rate) == (roll < rate)


@pytest.mark.parametrize(
    ("roll", "said"), [(0.6213, "0.62"), (0.1499, "0.1499"), (0.15, "0.15"), (0.14999999, "0.14999999")]
)
def test_roll_has_no_more_decimals_than_it_needs(roll: float, said: str) -> None:
    assert roll_text(roll, 0.15) == said


@pytest.mark.parametrize(("value", "said"), [(81, "81"), (74.5, "74.5"), (70.0, "70"), (66.6667, "66.7"), (10, "10")])
def test_points_have_at_most_one_decimal(value: float, said: str) -> None:
    assert points(value) == said


def test_several_judges_are_shown_one_by_one() -> None:
    view = ideas_view(jury())
    best = view.cards[0]
    assert [(one["judge"], one["score"], one["share"]) for one in best.opinions] == [
        ("taste", 84, 84),
        ("strict", 70, 70),
        ("novelty_heavy", 74, 74),
    ]
    assert view.summary == (
        "6 cards, scored blind by 3 judges: taste (weight 2), strict (weight 1), novelty_heavy (weight 1). "
        "The mean counts."
    )


def test_one_judge_is_the_score_itself() -> None:
    view = ideas_view(scoring())
    assert view.cards[0].opinions == ()
    assert view.summary == "6 cards, scored blind by one judge in whole numbers from 0 to 100."


def test_novelty_that_was_off_says_why() -> None:
    off = NoveltyUsed(enabled=False, off_because="the history has no row yet.")
    assert ideas_view(scoring(novelty=off)).novelty == (
        "Recent generations were not used: the history has no row yet.",
    )
    assert ideas_view(scoring(novelty=NoveltyUsed(enabled=False))).novelty == ()


def test_report_tells_the_choice_and_not_its_raw_record(write_run: WriteRun) -> None:
    words = words_of(page_of(write_run, explored()))
    for said in (
        "How the idea was chosen",
        "Card B was drawn from the top quartile",
        "rolled 0.07",
        *HOOKS,
        "small figure at the foot",
        "81 − 6.5",
        "25 recent prompts looked at. Used again and again: “golden hour” in 11, “storm” in 9, “gears” in 4.",
        "The generator saw of the profile: Prefers quiet",
        "Seed of the roll: 1403117",
    ):
        assert said in words
    assert "Scoring of ideas" not in words
    assert "score_table" not in words


def test_run_without_ideas_says_nothing_of_them(write_run: WriteRun) -> None:
    assert "How the idea was chosen" not in page_of(write_run, None)


@pytest.mark.parametrize("broken", [{"selected_id": "B"}, ["not", "a record"], "text"])
def test_record_of_another_shape_is_said_to_be_unreadable_and_kept_raw(write_run: WriteRun, broken: JsonValue) -> None:
    words = words_of(page_of(write_run, broken))
    assert "The choice cannot be shown: blackbox_scoring of the transcript cannot be read" in words
    assert "Scoring of ideas" in words


@pytest.mark.parametrize(
    "changes",
    [
        {"selected_id": "Z"},
        {"pool": ("Z",)},
        {"cards": (card("A"), card("B"), card("C"))},
        {"cards": ()},
        {"cards": (card("A"), card("A"), card("B"), card("C"), card("D"), card("E"), card("F"))},
    ],
)
def test_record_that_does_not_hold_together_is_refused(changes: dict[str, object]) -> None:
    broken = Scoring.model_validate({**dict(scoring()), **changes})
    with pytest.raises(RunFormatError, match="does not hold together"):
        ideas_view(broken)
    view, trouble = ideas_in(broken.model_dump(mode="json"))
    assert view is None
    assert "does not hold together" in trouble


@given(st.lists(st.floats(allow_nan=True, allow_infinity=True), min_size=2, max_size=3))
def test_bars_stay_within_the_page_whatever_is_recorded(values: list[float]) -> None:
    good = scoring(dict.fromkeys("CAB"[: len(values)], (50, 0)))
    rows = [
        row.model_copy(update={"score": v, "adjusted_score": v})
        for row, v in zip(good.score_table, values, strict=False)
    ]
    view = ideas_view(good.model_copy(update={"score_table": tuple(rows), "exploration_roll": values[0]}))
    for one in view.cards:
        assert 0 <= one.share <= 100
        assert 0 <= one.share + one.lost <= 100 + 1e-9
    assert 0 <= view.roll.at <= 100
    assert math.isfinite(view.roll.band)


def test_card_with_ten_thousand_choices_shows_a_few_and_counts_the_rest(write_run: WriteRun) -> None:
    many = {"composition": tuple(f"layout {n}" for n in range(10_000)), "palette": ("red", "blue")}
    crowded = card("C", options=many, hook="h" * 5_000, narrative="n" * 50_000)
    cards = tuple(crowded if one.id == "C" else one for one in scoring().cards)
    html = page_of(write_run, scoring(cards=cards))
    assert len(html) < 400_000
    words = words_of(html)
    assert "layout 11 and 9,988 more" in words
    assert "layout 12" not in words
    assert "(48,500 more characters)" in words


HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</bdi></details><svg onload=alert(1)>",
    "{{ 7 * 7 }}",
    "\x00\x1b[31m",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_card_stays_text(write_run: WriteRun, text: str) -> None:
    options: dict[str, tuple[str, ...]] = {text: (text,), "palette": (text, "red"), "medium": (), "mood": ()}
    changes = {"hook": text, "narrative": text, "options": options, "avoid": (text,)}
    cards = tuple(one.model_copy(update=changes) for one in scoring().cards)
    novelty = NoveltyUsed(enabled=True, prompts=3, summary=text)
    hostile = jury(cards=cards, generator_profile_hints=text, novelty=novelty)
    judges = {text: hostile.judges["taste"], "b": hostile.judges["strict"]}
    html = page_of(write_run, hostile.model_copy(update={"judges": judges}))
    Page(html).assert_inert()
    for forbidden in ("<script", "<img src=x", "<svg onload", "\x00", "\x1b"):
        assert forbidden not in html
    assert "alert(1)" not in text or "alert(1)" in words_of(html)


@pytest.mark.parametrize(
    ("text", "colours"),
    [
        ("rust and bone white", 2),
        ("dark blue, lamp yellow", 2),
        ("pale sky blue", 1),
        ("a great bore of a sentence", 0),
        ("red red red", 1),
        ("red, green, blue/yellow; pink", 4),
        ("navy blue", 1),
    ],
)
def test_swatch_has_a_dot_for_each_colour_named(text: str, colours: int) -> None:
    found = swatch(text).colours
    assert len(found) == colours
    assert swatch(text, coloured=False).colours == ()


@given(st.text(max_size=60))
def test_swatch_gives_hex_colours_alone(text: str) -> None:
    for colour in swatch(text).colours:
        assert len(colour) == 7
        int(colour[1:], 16)


def test_page_of_an_image_shows_its_final_prompt_and_who_painted_it(write_run: WriteRun) -> None:
    words = words_of(
        render_page(write_run(lambda w: image_run(w, prompt="fog " * 500, backend="openai:gpt-image-1", cost=0.25)))
    )
    assert words.count("fog " * 200) >= 2  # the beginning, and the whole behind a click
    assert "The whole prompt" in words
    assert "Painted by openai:gpt-image-1, 768 × 768" in words
    assert "Cost $0.2500" in words
    assert "No picture of this step" not in words
    assert '"backend"' not in words  # told, so not repeated raw
