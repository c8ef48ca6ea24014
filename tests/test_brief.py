"""What is asked is checked before anything is spent on it."""

import pytest

from redraft.brief import MAX_WORDS, Brief
from redraft.errors import BriefError
from redraft.studios import open_studio


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\ufeff", "\x00\x07", "\u200d \u200c"])
def test_nothing_asked(text: str) -> None:
    with pytest.raises(BriefError, match="The instruction is empty"):
        Brief.of(text)


def test_the_example_for_an_empty_instruction_is_of_the_studio() -> None:
    for name in ("board", "scene"):
        studio = open_studio(name)
        with pytest.raises(BriefError, match=rf'for example "{studio.example}"\.$'):
            studio.brief(" ", studio.settings_model(), 0)


def test_a_novel_is_refused_with_its_size() -> None:
    with pytest.raises(BriefError, match=r"has 100,000 words and 499,999 characters"):
        Brief.of(" ".join(["tree"] * 100_000))
    with pytest.raises(BriefError, match="1 words and 100,000 characters"):
        Brief.of("x" * 100_000)


def test_as_many_as_allowed() -> None:
    assert Brief.of(" ".join(["tree"] * MAX_WORDS)).instruction.count("tree") == MAX_WORDS


def test_cleaned() -> None:
    assert Brief.of("\ufeff a cat\x00 ").instruction == "a cat"
    assert Brief.of("одна кошка, 猫が二匹").instruction == "одна кошка, 猫が二匹"
    assert Brief.of("می‌خواهم 👩‍🚀").instruction == "می‌خواهم 👩‍🚀"


def test_a_concept_said_twice_is_one() -> None:
    assert Brief.of("", concepts=("storm", "Lighthouse", " storm ", "lighthouse", " ")).concepts == (
        "storm",
        "Lighthouse",
    )
