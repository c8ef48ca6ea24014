"""The report on a prompt: what was asked for stands in it, and precision goes before recall."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.studios.image.check import LONG, check

STORM = (
    "A lighthouse of riveted brass stands in a storm, its lantern room opened to show the clockwork that turns the "
    "beam. Seen from the water, close to the waves, the tower leans away to the upper right; rain crosses the frame in "
    "long diagonals. Slate blue and bone, with a single note of amber. Gouache on rough paper."
)

GOOD: list[tuple[str, list[str]]] = [
    (STORM, ["lighthouse", "storm", "clockwork"]),
    ("Three red apples lie in a chipped bowl beside an open window.", ["three red apples", "a bowl"]),
    ("In the bowl, apples, three of them, red as sealing wax.", ["three red apples"]),
    ("3 cats asleep on a piano, one of them snoring.", ["three cats", "piano"]),
    ("A pair of herons wade through reeds at dawn.", ["two herons", "dawn"]),
    ("A misty harbour; boats ride at anchor, their masts ticking.", ["mist", "harbor", "boat"]),
    ("A dog sits to the left of a weathered red bench, looking right.", ["a dog left of a red bench"]),
    ("Under the old bridge a boy fishes with a string.", ["a boy below a bridge"]),
    ("A fox runs through tall grass, the moon hanging over it.", ["a running fox", "the moon above a fox"]),
    ("A purple suitcase lies open; on it rests an orange pizza.", ["a photo of a purple suitcase and an orange pizza"]),
    ("The car, glossy and blue, waits beside a house that is red.", ["a blue car", "a red house"]),
    ("A tired clown eats noodles alone, melancholic, in a laundromat.", ["melancholy", "clown"]),
    ("A teddybear on a swing in fog.", ["teddy bear", "foggy"]),
    ("A light house on a cliff.", ["lighthouse"]),
    ("A hot-air balloon drifts over grey rooftops.", ["hot air balloon", "gray rooftops"]),
    ("Snow falls on an empty tennis court at night.", ["tennis court without people", "snow"]),
    ("A wide, empty beach with no clouds above it, and one kite.", ["a beach", "a kite"]),
    ("Deep in a library, ladders lean on shelves that curve like the ribs of a whale.", ["libraries", "whale"]),
    ("東京の路地に猫が一匹いる。", ["猫", "東京"]),
    ("A lioness, three cubs tumbling over her, under a thorn tree where two crows sit.", ["three cubs", "two crows"]),
    ("A man between two tall doors, one green and one black, his hat in his hand.", ["a man between two doors"]),
    ("A black and white cat laying on a grey and white striped rug.", ["a black and white cat", "a gray rug"]),
    ("A child's drawing of a rocket, taped to a refrigerator door.", ["rocket", "refrigerators"]),
    ("Twelve eggs in a carton, and in the last hollow a tiny sleeping bird.", ["a dozen eggs", "a sleeping bird"]),
    ("The violinist stands far from the piano, near the window.", ["a violinist far from a piano"]),
]


@pytest.mark.parametrize(("prompt", "concepts"), GOOD)
def test_a_prompt_that_keeps_its_concepts_gives_no_report(prompt: str, concepts: list[str]) -> None:
    assert check(prompt, concepts, ()).issues == ()


FAULTS: list[tuple[str, list[str], str]] = [
    ("A lighthouse in a storm.", ["lighthouse", "storm", "clockwork"], "clockwork"),
    ("A tower of brass in a storm, full of clockwork.", ["lighthouse", "storm", "clockwork"], "lighthouse"),
    ("Four red apples in a bowl.", ["three red apples", "bowl"], "three red apples"),
    ("Three green apples in a bowl.", ["three red apples", "bowl"], "three red apples"),
    ("Three red pears in a bowl.", ["three red apples", "bowl"], "three red apples"),
    ("Two cats and three dogs on a piano.", ["three cats", "piano"], "three cats"),
    ("A dog to the right of a red bench.", ["a dog left of a red bench"], "a dog left of a red bench"),
    ("A red bench to the left of a dog.", ["a dog left of a red bench"], "a dog left of a red bench"),
    ("A blue house and a red car on a hill.", ["a blue car", "hill"], "a blue car"),
    (
        "An orange suitcase and a purple pizza.",
        ["a purple suitcase and an orange pizza"],
        "a purple suitcase and an orange pizza",
    ),
    ("A brown laptop and a blue car.", ["a blue laptop", "car"], "a blue laptop"),
    ("A boy sits on a bridge and fishes.", ["a boy below a bridge"], "a boy below a bridge"),
    ("An empty beach, no lighthouse in sight.", ["lighthouse", "beach"], "lighthouse"),
    ("A fox sleeps under the moon.", ["a running fox", "moon"], "a running fox"),
    ("A clown eats noodles in a laundromat.", ["clown", "melancholy"], "melancholy"),
    ("A balloon in a cloudless sky.", ["hot air balloon"], "hot air balloon"),
    ("A man in front of a door.", ["a man between two doors"], "a man between two doors"),
    ("Eleven eggs and a bird.", ["a dozen eggs", "bird"], "a dozen eggs"),
    ("東京の路地に犬が一匹いる。", ["猫", "東京"], "猫"),
    ("A house with a red door and a green roof.", ["house", "a blue roof"], "a blue roof"),
    ("A moon under a boat, both upside down.", ["a moon above a boat"], "a moon above a boat"),
    ("A farm at noon.", ["far", "noon"], "far"),
    ("A cat plays a small piano.", ["a grand piano", "cat"], "a grand piano"),
]


@pytest.mark.parametrize(("prompt", "concepts", "fault"), FAULTS)
def test_a_planted_fault_is_found_and_nothing_else(prompt: str, concepts: list[str], fault: str) -> None:
    report = check(prompt, concepts, (), "strict")

    assert [(issue.severity, issue.subjects) for issue in report.issues] == [("error", (fault,))]
    assert report.issues[0].code in {"fact.missing", "fact.changed"}
    assert fault in report.issues[0].hint
    assert not report.valid


@pytest.mark.parametrize(("prompt", "concepts", "fault"), FAULTS)
def test_a_missing_word_breaks_a_requirement_and_a_changed_one_is_a_note(
    prompt: str, concepts: list[str], fault: str
) -> None:
    report = check(prompt, concepts, ())

    (issue,) = report.issues
    kinds = {"fact.missing": ("requirement", "error"), "fact.changed": ("heuristic", "note")}
    assert (issue.basis, issue.severity) == kinds[issue.code]
    outcomes = {measured.quote: measured.outcome for measured in report.requirements}
    assert outcomes == {
        concept: "broken" if concept == fault and issue.code == "fact.missing" else "met" for concept in concepts
    }
    assert report.valid == (issue.code == "fact.changed")
    assert check(prompt, concepts, (), "off").issues == tuple(i for i in report.issues if i.basis == "requirement")


def test_a_concept_that_cannot_be_looked_for_is_not_measured() -> None:
    report = check("A cat.", ["no people", "cat"], ())

    assert [(m.id, m.kind, m.quote, m.outcome) for m in report.requirements] == [("c2", "concept", "cat", "met")]


@pytest.mark.parametrize(
    ("prompt", "disliked"),
    [
        ("A clown in a laundromat.", "clowns"),
        ("A couple in the middle of a bridge.", "couple in the middle"),
        ("Neon signs over a wet street.", "neon"),
        ("A haunted house, pure horror.", "horror imagery"),
        ("A busy market, spiders on every stall.", "snakes, spiders or rats"),
        ("A photorealistic portrait.", "photorealistic"),
        ("No people, but a clown waits.", "clowns"),
    ],
)
def test_what_is_disliked_and_stands_in_the_prompt_is_a_note(prompt: str, disliked: str) -> None:
    strict, default = (check(prompt, (), (disliked,), mode).issues for mode in ("strict", "default"))

    assert [(i.code, i.severity, i.subjects) for i in strict] == [("taste.disliked", "warning", (disliked,))]
    assert [(i.code, i.severity) for i in default] == [("taste.disliked", "note")]
    assert check(prompt, (), (disliked,), "off").issues == ()


@pytest.mark.parametrize(
    ("prompt", "disliked", "concepts"),
    [
        ("An empty street with no people, cars or clowns.", "clowns", ()),
        ("A quiet room without neon.", "neon", ()),
        ("A street free of neon signs.", "neon signs", ()),
        ("A dark blue sky over pale grass.", "dark", ()),
        ("A dark green field at noon.", "dark or depressing scenes", ()),
        ("A clownfish in a tank.", "clowns", ()),
        ("A couple of boats, and in the middle distance a pier.", "couple in the middle", ()),
        ("A clown in the rain.", "clowns", ("clown",)),
        ("A spidery script on a wall.", "spiders", ()),
        ("A lighthouse at dusk.", "", ()),
        ("The guitar leans on a wall.", "guns and violence", ()),
    ],
)
def test_what_is_left_out_or_asked_for_or_only_sounds_alike_is_none(
    prompt: str, disliked: str, concepts: tuple[str, ...]
) -> None:
    assert check(prompt, concepts, (disliked,)).issues == ()


@pytest.mark.parametrize(
    ("concept", "unchecked"),
    [
        ("no people", ("no people",)),
        ("a cat on a chair", ("on",)),
        ("a photo of a cat", ("a photo of",)),
        ("🌊", ("🌊",)),
        ("lighthouse", ()),
    ],
)
def test_what_cannot_be_looked_for_is_unchecked(concept: str, unchecked: tuple[str, ...]) -> None:
    assert check("A cat and a chair by a lighthouse.", [concept], ()).unchecked == unchecked


def test_a_changed_colour_says_both_what_is_wanted_and_what_is_said() -> None:
    issue = check("A red house and a blue car.", ["a blue house and a red car"], ()).issues[0]

    assert issue.code == "fact.changed"
    assert issue.hint == (
        'Say "a blue house and a red car" as it stands: "blue house", "red car", not "red house", "blue car".'
    )


def test_a_missing_word_says_what_to_add() -> None:
    issue = check("A lighthouse.", ["three red boats"], ()).issues[0]

    assert issue.code == "fact.missing"
    assert issue.numbers == {"missing": 3, "words": 3}
    assert issue.hint == 'Say "three red boats" in it, by these words: "three", "red", "boats".'


def test_a_prompt_that_is_too_long_is_a_warning_with_its_length() -> None:
    issues = check("a boat, " * (LONG // 8 + 1), ["boat"], (), "strict").issues

    assert [(i.code, i.severity) for i in issues] == [("prompt.long", "warning")]
    assert issues[0].numbers["expected"] == LONG
    assert not check("a boat, " * (LONG // 8 - 1), ["boat"], ()).issues


@given(
    st.lists(st.text(min_size=1, max_size=40), max_size=4),
    st.text(max_size=200),
    st.lists(st.text(max_size=30), max_size=3),
)
def test_any_text_is_checked_without_a_crash(concepts: list[str], prompt: str, disliked: list[str]) -> None:
    report = check(prompt, concepts, disliked)

    assert {i.code for i in report.issues} <= {"fact.missing", "fact.changed", "taste.disliked", "prompt.long"}


@given(st.lists(st.sampled_from(["lighthouse", "storm", "melancholy", "three", "boats", "misty"]), min_size=1))
def test_concepts_that_stand_word_by_word_in_a_prompt_are_never_missing(said: list[str]) -> None:
    prompt = f"A picture with {', '.join(said)} in it."

    assert not [i for i in check(prompt, said, ()).issues if i.code == "fact.missing"]


def test_a_long_prompt_with_many_concepts_takes_no_time() -> None:
    prompt = ". ".join(f"A red boat number {n} to the left of a green house" for n in range(100))
    started = time.process_time()
    check(prompt, [f"a blue boat left of a house {n}" for n in range(12)], ["clowns"] * 50)

    assert time.process_time() - started < 5
