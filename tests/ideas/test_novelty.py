"""FR6: what recent prompts have in common, and what a card loses for it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.ideas.cards import IdeaCard
from redraft.ideas.history import Generation, append_generation, read_recent
from redraft.ideas.novelty import MOST_MOTIFS, Motif, Phrases, Recent, clauses, penalty, recent_motifs, summary


def said(text: str) -> str:
    """All that is affirmed, with a bar where a phrase ends."""
    return " | ".join(" ".join(row) for row in clauses(text))


@pytest.mark.parametrize(
    ("text", "affirmed"),
    [
        ("Two LIGHTHOUSES at the Harbour’s gates", "two lighthouse at the harbour gate"),
        ("A bird's-eye view, old oaks: gulls (white)", "a bird eye view | old oak | gull | white"),
        ("ｆｕｌｌ width — café", "full width | cafe"),
        ("waves. Clouds; wolves\nleaves", "wave | cloud | wolf | leaf"),
        ("", ""),
    ],
)
def test_words_are_folded_singular_and_parted_where_phrases_end(text: str, affirmed: str) -> None:
    assert said(text) == affirmed


@pytest.mark.parametrize(
    ("text", "affirmed"),
    [
        ("a beach, no people, golden light", "a beach | golden light"),
        ("no people on the beach", "on the beach"),
        ("no people and golden light", "and golden light"),
        ("a street without neon and fog in the rain", "a street | in the rain"),
        ("without people, cars, or text, under a full moon", "under a full moon"),
        ("no text, golden hour, an orange sky", "golden hour | an orange sky"),
        ("not a photograph but an oil painting", "but an oil painting"),
        ("not only a photograph", "not only a photograph"),
        ("Avoid neon, fog and lens flare. Waves break", "wave break"),
        ("avoid sunsets in the background, but keep the sea", "but keep the sea"),
        ("don't use neon; use lamps", "use lamp"),
        ("instead of neon, candlelight", "candlelight"),
        ("an etching rather than a photograph", "an etching"),
        ("a neon-free street, free of fog", "a street"),
        ("neither oil nor ink, nor pencil", ""),
        ("lit not by neon, nor by lamps, but by fire", "lit | but by fire"),
    ],
)
def test_what_is_negated_is_left_out(text: str, affirmed: str) -> None:
    assert said(text) == affirmed


def test_the_longest_phrase_counts_and_none_within_another() -> None:
    phrases = Phrases.of({"sunset": ["golden hours", "sunset"], "gold": ["golden"], "": ["sunset boulevard"]})
    row = ["golden", "hour", "golden", "sunset", "boulevard", "sunset"]
    assert phrases.spotted(row) == [
        (range(2), "sunset"),
        (range(2, 3), "gold"),
        (range(3, 5), ""),
        (range(5, 6), "sunset"),
    ]


SOME = "no not without avoid free of or and but on in fog lamp lamps , . ;"


@given(st.lists(st.sampled_from(SOME.split()), max_size=20))
def test_a_row_is_never_empty_and_has_only_words_of_the_text(said: list[str]) -> None:
    rows = list(clauses(" ".join(said)))
    assert all(rows)
    assert sum(map(len, rows)) <= len(said)
    assert {word for row in rows for word in row} <= {*said, "lamp"}


@given(st.text(max_size=80))
def test_any_text_is_read(text: str) -> None:
    assert all(rows for rows in clauses(text))


@pytest.mark.slow
def test_a_long_list_takes_no_longer_than_its_length() -> None:
    started = time.process_time()
    assert sum(1 for _ in clauses("no a,b," * 20_000)) > 0
    assert time.process_time() - started < 5


SEVEN = (
    "A lonely lighthouse at sunset, highly detailed oil painting, 8k.",
    "Gulls over the harbour at golden hour, an oil painting.",
    "An image of a clockwork owl at DAWN, oil painting, stunning composition.",
    "Clockwork gulls at dusk, stone towers, in the style of an engraving.",
    "Clockwork gulls under the setting sun.",
    "A stone bridge, brass owls, no fog.",
    "A stone in the fog; avoid owls, sunsets and oil paintings.",
)


def a_card(hook: str, narrative: str = "", **options: list[str]) -> IdeaCard:
    return IdeaCard(id="A", hook=hook, narrative=narrative, options={k: tuple(v) for k, v in options.items()})


def found(prompts: tuple[str, ...], *concepts: str) -> dict[str, int]:
    return {motif.term: motif.prompts for motif in recent_motifs(prompts, concepts).motifs}


def test_what_stands_in_several_prompts_is_counted_once_for_each() -> None:
    """FR6: repeated words beyond stop words, and sunset, sunrise and the like as one motif."""
    assert recent_motifs(SEVEN) == Recent(
        prompts=7,
        motifs=(
            Motif(term="sunset/sunrise", prompts=5),
            Motif(term="clockwork", prompts=3),
            Motif(term="gull", prompts=3),
            Motif(term="oil painting", prompts=3),
            Motif(term="stone", prompts=3),
        ),
    )


def test_what_is_asked_for_now_is_no_motif() -> None:
    assert found(SEVEN, "a clockwork gull", "an oil lamp at dusk") == {"painting": 3, "stone": 3}


def test_of_five_or_fewer_prompts_two_are_enough() -> None:
    assert found(SEVEN[2:6]) == {"clockwork gull": 2, "clockwork": 3, "owl": 2, "sunset/sunrise": 3, "stone": 2}
    assert found(SEVEN[:1] * 2) == {"lonely lighthouse": 2, "oil painting": 2, "sunset/sunrise": 2}
    assert found(SEVEN[:1]) == {}
    assert found(()) == {}


@pytest.mark.parametrize(
    "prompt",
    [
        "highly detailed image, 8k, sharp focus, award-winning composition, trending on ArtStation",
        "a stunning masterpiece in the style of a render, rule of thirds, cinematic lighting",
        "it was there, and she had been within them: 3 of 25",
        "x" * 41,
    ],
)
def test_boilerplate_and_stop_words_are_no_motifs(prompt: str) -> None:
    assert found((prompt,) * 9) == {}


def test_two_hundred_motifs_are_kept_always_in_the_same_order() -> None:
    words = [f"word{n}q" for n in range(300)]
    prompts = [" the ".join(words[: 300 - 10 * n]) for n in range(9)] * 2
    motifs = recent_motifs(prompts).motifs
    assert len(motifs) == MOST_MOTIFS
    assert [(-m.prompts, m.term) for m in motifs] == sorted((-m.prompts, m.term) for m in motifs)
    assert recent_motifs(prompts[::-1]).motifs == motifs


def test_a_summary_is_a_few_lines_and_the_same_each_time(tmp_path: Path) -> None:
    """The specification's unit test 4: a history with repeated motifs gives a deterministic summary."""
    path = tmp_path / "generations.csv"
    for n, prompt in enumerate(SEVEN):
        row = Generation(
            generation_id=str(n),
            selected_concepts=("owl",),
            final_image_prompt=prompt,
            image_path="",
            created_at="",
            seed=n,
        )
        append_generation(path, row)
    prompts = [row.final_image_prompt for row in read_recent(path, 7)]
    said = summary(recent_motifs(prompts, ("owl",)))
    assert said.splitlines() == [
        "Of the last 7 prompts, these words stand in several:",
        "- “sunset/sunrise” in 5",
        "- “clockwork” in 3",
        "- “gull” in 3",
        "- “oil painting” in 3",
        "- “stone” in 3",
    ]
    assert summary(recent_motifs([row.final_image_prompt for row in read_recent(path, 7)], ("owl",))) == said
    assert summary(recent_motifs(prompts[:1])) == ""


def test_a_long_summary_is_cut_and_says_so() -> None:
    many = Recent(prompts=9, motifs=tuple(Motif(term=f"word{n}", prompts=5) for n in range(30)))
    lines = summary(many).splitlines()
    assert lines[-2:] == ["- “word19” in 5", "- and 10 more in fewer"]
    assert len(lines) == 22


RECENT = Recent(
    prompts=10,
    motifs=(
        Motif(term="sunset/sunrise", prompts=8),
        Motif(term="brass gear", prompts=5),
        Motif(term="tower", prompts=4),
        Motif(term="owl", prompts=3),
    ),
)


def test_the_penalty_is_the_formula_worked_out_by_hand() -> None:
    # towers 0.4, dusk 0.8, brass and gears 0.5 each; fresh: keeper, wind
    card = a_card("A keeper winds the towers.", "Brass gears, at dusk, no owl.")
    assert penalty(card, RECENT, 20) == pytest.approx(20 * ((0.4 + 0.8 + 0.5 + 0.5) / (2.2 + 2)) ** 0.5)
    # of two alternatives, each counts a third: owl 0.3; fresh: keeper 1, slate 1/3
    card = a_card("A keeper.", composition=["owl", "slate"])
    assert penalty(card, RECENT, 20) == pytest.approx(20 * (0.3 / 3 / (0.3 / 3 + 1 + 1 / 3)) ** 0.5)


def test_a_word_counts_once_however_often_and_by_the_most_frequent_motif_that_covers_it() -> None:
    said_twice = a_card("A keeper, an owl.", mood=["owl"], palette=["owl", "owl grey"])
    once = a_card("A keeper, an owl.", mood=["slate"])
    assert penalty(said_twice, RECENT, 20) == pytest.approx(
        20 * (0.3 / (0.3 + 1 + 1 / 3)) ** 0.5
    )  # fresh: keeper, grey
    assert penalty(once, RECENT, 20) == pytest.approx(20 * (0.3 / (0.3 + 1 + 1 / 2)) ** 0.5)
    motifs = (Motif(term="owl", prompts=3), Motif(term="owl tower", prompts=2), Motif(term="tower", prompts=4))
    for order in (motifs, motifs[::-1]):
        lost = penalty(a_card("An owl tower, slate."), Recent(prompts=10, motifs=order), 20)
        assert lost == pytest.approx(20 * (0.7 / 1.7) ** 0.5)


def test_a_card_without_an_overused_word_loses_nothing_and_one_of_nothing_else_all() -> None:
    fresh = a_card("A keeper winds the tide.", "Slate, salt; brass, gear.", palette=["slate", "bone"])
    stale = a_card("Owls at sunset.", "Towers and brass gears.", palette=["dusk", "owl"], mood=["tower"])
    assert penalty(fresh, RECENT, 20) == 0
    assert penalty(stale, RECENT, 20) == 20
    assert penalty(stale, RECENT, 0) == 0
    assert penalty(stale, Recent(prompts=0, motifs=()), 20) == 0
    assert penalty(a_card("The, of."), RECENT, 20) == 0


def test_what_a_card_avoids_costs_nothing() -> None:
    card = a_card("A keeper winds the tide.")
    assert penalty(card.model_copy(update={"avoid": ("sunset", "owls")}), RECENT, 20) == penalty(card, RECENT, 20) == 0


def test_options_count_less_than_hook_and_narrative_and_less_the_more_there_are() -> None:
    in_hook = penalty(a_card("A keeper, an owl.", mood=["slate"]), RECENT, 20)
    sole = penalty(a_card("A keeper, slate.", mood=["owl"]), RECENT, 20)
    of_two = penalty(a_card("A keeper, slate.", mood=["owl", "calm"]), RECENT, 20)
    of_many = penalty(a_card("A keeper, slate.", mood=["owl", *(f"mood{n}q" for n in range(10_000))]), RECENT, 20)
    assert in_hook > sole > of_two > of_many > 0


FRESH = ["keeper", "tide", "slate", "salt", "bone", "wheel", "rope", "lantern"]
STALE = ["owl", "tower", "dusk"]


@given(
    fresh=st.lists(st.sampled_from(FRESH), min_size=1, unique=True),
    stale=st.lists(st.sampled_from(STALE), max_size=2, unique=True),
    most=st.floats(0.01, 100),
)
def test_every_overused_word_costs_more_and_every_fresh_one_less(
    fresh: list[str], stale: list[str], most: float
) -> None:
    def lost(*words: str, recent: Recent = RECENT) -> float:
        return penalty(a_card(", ".join(words)), recent, most)

    now = lost(*fresh, *stale)
    assert 0 <= now <= most
    assert all(lost(*fresh, *stale, other) > now for other in STALE if other not in stale)
    assert all(lost(*fresh, other, *stale) < now or not stale for other in FRESH if other not in fresh)
    oftener = RECENT.model_copy(
        update={"motifs": tuple(m.model_copy(update={"prompts": m.prompts + 1}) for m in RECENT.motifs)}
    )
    assert lost(*fresh, *stale, recent=oftener) > now or not stale


@given(st.lists(st.text(max_size=60), max_size=8), st.lists(st.text(max_size=20), max_size=3), st.text(max_size=60))
def test_any_texts_give_a_penalty_in_range_the_same_each_time(
    prompts: list[str], concepts: list[str], hook: str
) -> None:
    recent = recent_motifs(prompts, concepts)
    lost = penalty(a_card(hook), recent, 20)
    assert 0 <= lost <= 20
    assert (lost, recent) == (penalty(a_card(hook), recent, 20), recent_motifs(prompts, concepts))
    assert all(2 <= motif.prompts <= len(prompts) for motif in recent.motifs)


def test_a_card_that_keeps_to_the_concepts_loses_nothing_for_it() -> None:
    asked = ("lighthouse", "storm at dusk")
    prompts = ("A lighthouse in a storm at sunset.",) * 25
    assert penalty(a_card("A lighthouse in a storm, at dusk."), recent_motifs(prompts, asked), 20) == 0
    assert penalty(a_card("A lighthouse in a storm, at dusk."), recent_motifs(prompts), 20) == 20


def test_where_things_lie_in_a_picture_is_no_motif() -> None:
    prompts = [
        "A pier high on the left, its end cut by the lower right corner, the upper third sky.",
        "Far left, a lift; a long row of shadows to the right edge, the lower third bare.",
        "A frame hangs left of the middle; light from the upper right, first snow at the bottom.",
    ]
    assert recent_motifs(prompts).motifs == ()
