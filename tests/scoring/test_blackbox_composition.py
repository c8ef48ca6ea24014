"""Layout, light and medium as a text names them, and how usual they are among recent ones."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.scoring.composition import KINDS, Facets, cooled_down, facets_of, overused, repetition
from redraft.spatial.yamldata import read_yaml

TABLE: dict[str, Any] = read_yaml(files("redraft.scoring").joinpath("composition.yaml").read_text("utf-8"))


@pytest.mark.parametrize(
    ("text", "layout", "light", "medium"),
    [
        ("A couple in the middle, split composition, at golden hour, oil on canvas.",
         ("centred", "two figures", "two-sided"), ("golden hour",), ("oil",)),
        ("The harbor centered in the frame, backlit, watercolor.", ("centred",), ("backlit",), ("watercolour",)),
        ("The harbour centred, back-lit; watercolour", ("centred",), ("backlit",), ("watercolour",)),
        ("Bird’s-eye view by moonlight. Pen and ink", ("aerial",), ("moonlit",), ("ink",)),
        ("EXTREME CLOSE-UP, high-key, gouache", ("close-up",), ("high-key",), ("gouache",)),
        ("An isometric voxel diorama under studio lighting", ("isometric",), ("studio",), ("diorama", "low poly")),
        ("silhouetted against neon signs, screen-print", ("silhouette",), ("neon",), ("risograph",)),
        ("seen through an archway, chiaroscuro, woodblock print", ("frame within a frame",), ("chiaroscuro",),
         ("woodcut",)),
        ("a keeper winds the tide", (), (), ()),
        ("", (), (), ()),
    ],
)  # fmt: skip
def test_facets_are_found_in_the_lexicons_own_terms(
    text: str, layout: tuple[str, ...], light: tuple[str, ...], medium: tuple[str, ...]
) -> None:
    assert facets_of(text) == Facets(layout=layout, light=light, medium=medium)


@pytest.mark.parametrize(
    ("text", "facets"),
    [
        ("no neon, not a photograph", Facets()),
        ("avoid symmetry, golden hour and oil paint; backlit", Facets(light=("backlit",))),
        ("lit by candles instead of neon", Facets(light=("candlelit",))),
        ("not a photograph but a linocut", Facets(medium=("linocut",))),
        ("a woodcut without fog, in moonlight", Facets(light=("moonlit",), medium=("woodcut",))),
    ],
)
def test_what_is_negated_does_not_count(text: str, facets: Facets) -> None:
    assert facets_of(text) == facets


@pytest.mark.parametrize(
    ("text", "facets"),
    [
        ("an ink wash", Facets(medium=("ink wash",))),
        ("a wood engraving", Facets(medium=("woodcut",))),
        ("an oil rig in the middle of the sea", Facets()),
        ("a tower in the middle of the frame", Facets(layout=("centred",))),
        ("a couple of dogs in a midnight blue room", Facets()),
        ("a photo album beside oil cans and a nightstand", Facets()),
        ("a coiled neonate", Facets()),
        ("a tower lit from above", Facets()),
        ("The light comes from the left, low.", Facets(light=("side-lit",))),
    ],
)
def test_words_count_whole_and_the_longest_phrase_first(text: str, facets: Facets) -> None:
    assert facets_of(text) == facets


PHRASES = [(kind, term, phrase) for kind in KINDS for term, phrases in TABLE[kind].items() for phrase in phrases]


def test_every_phrase_of_the_lexicon_means_its_own_term() -> None:
    """Also in capitals, in the plural of its last word's neighbours, and behind another one."""
    wrong = [
        (kind, term, phrase)
        for kind, term, phrase in PHRASES
        for text in (f"A tower, {phrase}, a gull.", f"{phrase.upper()}: gulls")
        if getattr(facets_of(text), kind) != (term,)
    ]
    assert wrong == []
    assert len({phrase for _, _, phrase in PHRASES}) > 800


@given(st.sampled_from(PHRASES), st.text(max_size=30))
def test_a_phrase_is_found_in_any_company(entry: tuple[str, str, str], around: str) -> None:
    kind, term, phrase = entry
    assert term in getattr(facets_of(f"{around}. {phrase}. {around}"), kind)


CENTRED = Facets(layout=("centred",), light=("golden hour",), medium=("oil",))
DIAGONAL = Facets(layout=("diagonal",), light=("backlit",), medium=("oil",))


def test_repetition_is_the_share_of_recent_compositions_averaged() -> None:
    recent = [CENTRED, CENTRED, CENTRED, DIAGONAL]
    assert repetition(CENTRED, recent) == pytest.approx((3 / 4 + 3 / 4 + 1) / 3)
    assert repetition(DIAGONAL, recent) == pytest.approx((1 / 4 + 1 / 4 + 1) / 3)
    assert repetition(Facets(layout=("centred", "diagonal")), recent) == pytest.approx((3 / 4 + 1 / 4) / 2)
    assert repetition(Facets(layout=("aerial",), light=("neon",)), recent) == 0
    assert repetition(CENTRED, [CENTRED] * 3) == 1
    assert repetition(Facets(), recent) == repetition(CENTRED, []) == 0


def test_a_composition_is_barred_for_as_many_generations_as_the_cooldown_says() -> None:
    recent = [CENTRED, DIAGONAL, DIAGONAL]
    assert [cooled_down(CENTRED, recent, n) for n in range(5)] == [True, True, True, False, False]
    assert [cooled_down(DIAGONAL, recent, n) for n in range(3)] == [True, False, False]
    assert cooled_down(CENTRED, [], 9)


def test_only_the_three_together_are_barred() -> None:
    changed = CENTRED.model_copy(update={"light": ("backlit",)})
    assert cooled_down(changed, [CENTRED, DIAGONAL], 9)
    assert cooled_down(Facets(layout=("centred",)), [CENTRED], 9)
    assert not cooled_down(Facets(layout=("centred",)), [Facets(layout=("centred",))], 9)
    assert cooled_down(Facets(), [Facets()], 9)


def test_an_idea_that_leaves_a_choice_open_is_barred_when_all_its_choices_are() -> None:
    either = CENTRED.model_copy(update={"layout": ("centred", "diagonal")})
    other = CENTRED.model_copy(update={"layout": ("diagonal",)})
    assert cooled_down(either, [CENTRED], 9)
    assert not cooled_down(either, [CENTRED, other], 9)
    assert cooled_down(either, [CENTRED, other], 1)


def test_what_is_overused_is_said_most_frequent_first() -> None:
    rare = Facets(layout=("aerial",))
    recent = [CENTRED] * 9 + [DIAGONAL] * 7 + [Facets()] * 8 + [rare]
    assert overused(recent) == (
        "medium “oil” in 16 of 25",
        "layout “centred” in 9 of 25",
        "light “golden hour” in 9 of 25",
        "layout “diagonal” in 7 of 25",
        "light “backlit” in 7 of 25",
    )
    assert overused([*recent, *[Facets()] * 4]) == (
        "medium “oil” in 16 of 29",
        "layout “centred” in 9 of 29",
        "light “golden hour” in 9 of 29",
    )
    assert overused([CENTRED]) == overused([]) == ()
