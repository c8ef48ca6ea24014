"""From a reply to a prompt."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.errors import FormatError
from redraft.studios.image.parse import parse
from redraft.studios.image.spec import MAX_PROMPT

BARE = "A blue door in a white wall, seen from across the street."


@pytest.mark.parametrize(
    "reply",
    [
        BARE,
        f"\n{BARE}\n\n",
        f'"{BARE}"',
        f"“{BARE}”",
        f"Prompt: {BARE}",
        f"**Final prompt:** {BARE}",
        f"Here is the final prompt:\n\n{BARE}",
        f"Here's the revised prompt for the image model:\n{BARE}",
        f'Sure! Here is your image prompt:\n\n"{BARE}"',
        f"### Final prompt\n\n{BARE}",
        f"```\n{BARE}\n```",
        f"```text\n{BARE}\n```",
        BARE.replace(", ", ",\n"),
    ],
)
def test_what_models_wrap_a_prompt_in_is_left_out(reply: str) -> None:
    assert parse(reply).prompt == BARE


@pytest.mark.parametrize(
    "said", ["Prompt engineers at a table: three of them", "Here is a house: it stands on a rock."]
)
def test_a_prompt_that_only_begins_like_a_label_stays(said: str) -> None:
    assert parse(said).prompt == said


def test_other_json_beside_a_prompt_is_refused() -> None:
    with pytest.raises(FormatError, match="prose beside it"):
        parse(f'{BARE}\n```json\n{{"prompt": "a door"}}\n```')


def test_quotation_marks_within_stay() -> None:
    said = '"Open" says the sign, and beside it hangs another that says "Closed"'
    assert parse(said).prompt == said


@pytest.mark.parametrize(
    ("reply", "match"),
    [
        ("", "empty"),
        ("  \n ", "empty"),
        ('""', "no prompt"),
        ("Prompt:", "no prompt"),
        ('{"prompt": "a door"}', "JSON"),
        ("[1]", "JSON"),
        ("Here it is:\n```\na door\n```", "prose beside it"),
        ("```\na door\n```\n```\na window\n```", "prose beside it"),
        ("```\na door", "never closes"),
        ("door " * 1000, "characters"),
    ],
)
def test_what_is_no_prompt_says_why(reply: str, match: str) -> None:
    with pytest.raises(FormatError, match=match):
        parse(reply)


@given(st.text(max_size=400))
def test_a_prompt_is_one_line_of_bounded_length(text: str) -> None:
    try:
        prompt = parse(text).prompt
    except FormatError:
        return
    assert prompt == prompt.strip()
    assert prompt.isprintable()
    assert 0 < len(prompt) <= MAX_PROMPT
