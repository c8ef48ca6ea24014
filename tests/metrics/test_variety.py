"""How varied texts are: figures with known values, and what must not change them."""

from __future__ import annotations

import math
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.metrics.variety import (
    distinct_n,
    effective_number,
    likeness_of_texts,
    self_bleu,
    variety_of,
    vendi_of_texts,
    words_of,
)

texts = st.lists(st.text(alphabet="ab c.é猫", max_size=12), min_size=1, max_size=7)


def test_distinct_n_counts_different_runs_over_all_runs() -> None:
    said = ["a red house", "a red boat"]
    assert distinct_n(said, 1) == 4 / 6  # a, red, house, boat of six
    assert distinct_n(said, 2) == 3 / 4  # "a red" twice; pairs do not cross from text to text
    assert distinct_n(said, 3) == 1
    assert distinct_n(said, 4) == 0


def test_case_and_punctuation_are_not_variety() -> None:
    assert vendi_of_texts(["A red house.", "a RED house!", "“A red house”"]) == 1
    assert distinct_n(["A red house.", "a RED house!"], 1) == 0.5
    assert self_bleu(["A red house, at night.", "a red house at night"]) == pytest.approx(1)


@pytest.mark.parametrize("n", [0, -1])
def test_distinct_n_below_one_word_is_refused(n: int) -> None:
    with pytest.raises(ValueError, match=f"given: {n}"):
        distinct_n(["a"], n)


def test_no_text_is_no_variety() -> None:
    assert (distinct_n([], 1), self_bleu([]), vendi_of_texts([])) == (0, 0, 0)
    assert self_bleu(["alone"]) == 0
    assert vendi_of_texts(["alone"]) == 1
    assert variety_of([]).words == 0


def test_texts_without_a_word_in_common_count_one_each() -> None:
    assert vendi_of_texts(["red", "blue boat", "three green trees", "one"]) == 4


def test_groups_of_equal_texts_count_by_their_shares() -> None:
    said = ["Tom Hanks"] * 2 + ["Brad Pitt"] * 8
    assert vendi_of_texts(said) == pytest.approx(math.exp(-0.2 * math.log(0.2) - 0.8 * math.log(0.8)), abs=1e-6)


def test_vendi_of_two_texts_follows_from_their_cosine() -> None:
    second = 1 / (1 + 1 / 50)  # what the second word counts
    cosine = 1 / (1 + second**2)
    high, low = (1 + cosine) / 2, (1 - cosine) / 2
    expected = math.exp(-high * math.log(high) - low * math.log(low))
    assert vendi_of_texts(["red house", "red boat"]) == pytest.approx(expected, abs=1e-6)


def test_early_words_count_more_than_late_ones() -> None:
    rest = [f"w{n}" for n in range(100)]
    first = vendi_of_texts([" ".join(["red", *rest]), " ".join(["blue", *rest])])
    last = vendi_of_texts([" ".join([*rest, "red"]), " ".join([*rest, "blue"])])
    assert first > last > 1


def test_without_reach_all_words_count_alike() -> None:
    alike = likeness_of_texts(["a a b", "a b c"], math.inf)
    assert alike[0, 1] == pytest.approx(3 / math.sqrt(5 * 3))


@pytest.mark.parametrize("reach", [0.0, -1.0, math.nan])
def test_a_reach_of_nothing_is_refused(reach: float) -> None:
    with pytest.raises(ValueError, match="reach"):
        likeness_of_texts(["a"], reach)


@given(said=texts)
def test_vendi_lies_between_one_and_the_number_of_texts(said: list[str]) -> None:
    assert 1 <= vendi_of_texts(said) <= len(said)
    assert 0 <= self_bleu(said) <= 1 + 1e-9
    assert 0 <= distinct_n(said, 1) <= 1


@given(said=texts, seed=st.randoms(use_true_random=False))
def test_the_order_of_texts_does_not_matter(said: list[str], seed: object) -> None:
    mixed = sorted(said, key=lambda _: seed.random())  # type: ignore[attr-defined]
    assert vendi_of_texts(mixed) == pytest.approx(vendi_of_texts(said), abs=2e-6)
    assert self_bleu(mixed) == pytest.approx(self_bleu(said))


@given(said=texts)
def test_saying_everything_twice_is_no_more_variety(said: list[str]) -> None:
    assert vendi_of_texts([*said, *said]) == pytest.approx(vendi_of_texts(said), abs=2e-6)


def test_many_words_in_common_are_added_up_in_blocks() -> None:
    long = " ".join(f"w{n}" for n in range(9000))
    assert vendi_of_texts([long, long]) == 1
    assert likeness_of_texts([long, f"{long} w1"], math.inf)[0, 1] == pytest.approx(9001 / math.sqrt(9000 * 9003))


def test_texts_without_words_are_alike_and_unlike_the_rest() -> None:
    assert vendi_of_texts(["", "  \n", "..."]) == pytest.approx(
        math.exp(-2 / 3 * math.log(2 / 3) - 1 / 3 * math.log(1 / 3)), abs=1e-6
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't paint 3 cats_here!", ["don", "t", "paint", "3", "cats", "here"]),
        ("Ｆｕｌｌ width, Straße, ﬁne", ["full", "width", "strasse", "fine"]),
        ("猫が二匹 near the sea", ["猫", "が", "二", "匹", "near", "the", "sea"]),
        ("🦊 🌲", ["🦊", "🌲"]),
        ("  ", []),
    ],
)
def test_words_are_found_in_any_script(text: str, words: list[str]) -> None:
    assert words_of(text) == words


def test_self_bleu_by_hand() -> None:
    """ "a b c d" shares its words with "a b x y" by 2 of 4, its pairs by 1 of 3; no run of three (1/2 of 2) or four
    (1/4 of 1)."""
    precision = (2 / 4 * 1 / 3 * 0.5 / 2 * 0.25 / 1) ** (1 / 4)
    assert self_bleu(["a b c d", "a b x y"]) == pytest.approx(precision)


def test_a_word_counts_no_more_often_than_some_other_text_has_it() -> None:
    # "a a a": "a" twice in the second and once in the third, so 2 of 3; pairs 1 of 2; the triple 1/2 of 1
    first = (2 / 3 * 1 / 2 * 0.5 / 1) ** (1 / 3)
    # "a a" is a part of the first: precision 1, but a word shorter than the nearest; "a b" is as long
    second = 1.0
    third = (1 / 2 * 0.5 / 1) ** (1 / 2)
    assert self_bleu(["a a a", "a a", "a b"]) == pytest.approx((first + second + third) / 3)


def test_a_short_text_pays_for_its_brevity() -> None:
    short = math.exp(1 - 4 / 2)
    long = (2 / 4 * 1 / 3 * 0.5 / 2 * 0.25 / 1) ** (1 / 4)
    assert self_bleu(["a b", "a b c d"]) == pytest.approx((short + long) / 2)


def test_texts_with_nothing_in_common_have_no_self_bleu() -> None:
    assert self_bleu(["a b c d", "e f g h", ""]) == 0


def test_all_figures_of_a_set() -> None:
    found = variety_of(["a red house", "a red boat at sea"])
    assert (found.texts, found.words) == (2, 4)
    assert found.distinct_1 == 6 / 8
    assert found.distinct_2 == 5 / 6
    assert found.vendi == vendi_of_texts(["a red house", "a red boat at sea"])
    assert found.self_bleu == self_bleu(["a red house", "a red boat at sea"])


@given(sizes=st.lists(st.integers(1, 4), min_size=1, max_size=4))
def test_the_effective_number_of_blocks_is_that_of_their_shares(sizes: list[int]) -> None:
    said = [f"w{block}" for block, size in enumerate(sizes) for _ in range(size)]
    shares = [size / sum(sizes) for size in sizes]
    expected = math.exp(-sum(share * math.log(share) for share in shares))
    assert effective_number(likeness_of_texts(said)) == pytest.approx(expected, abs=1e-6)


def test_numpy_and_pictures_are_opened_only_for_a_figure_that_needs_them() -> None:
    code = (
        "import sys, redraft.metrics.variety as v; v.distinct_n(['a'], 1); v.self_bleu(['a', 'b']);"
        "sys.exit('numpy' in sys.modules or 'PIL' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0


def test_without_numpy_the_command_that_installs_it_is_said() -> None:
    code = "import sys; sys.modules['numpy'] = None; from redraft.metrics.variety import vendi_of_texts as v; v(['a'])"
    ran = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, timeout=60)
    assert "MissingPartError" in ran.stderr
    assert "pip install 'redraft[image]'" in ran.stderr
