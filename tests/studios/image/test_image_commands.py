"""What the image studio made, on a terminal: every line fits, every figure says what it means, text stays text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from redraft.ideas.history import Generation
from redraft.ideas.novelty import Motif
from redraft.metrics.variety import Variety
from redraft.studios.image.commands import diversity_lines, history_lines

VARIED = Variety(texts=12, distinct_1=0.614, distinct_2=0.929, self_bleu=0.183, vendi=7.32, words=41.4)


def row(
    prompt: str = "A keeper winds the lamp.",
    path: str = "a/image.png",
    *concepts: str,
    made: str = "2026-11-22T09:30:05+00:00",
) -> Generation:
    return Generation(
        generation_id="1",
        selected_concepts=concepts or ("lighthouse", "storm"),
        final_image_prompt=prompt,
        image_path=path,
        created_at=made,
        seed=7,
    )


def test_table_has_date_concepts_prompt_and_path_on_one_line_where_there_is_room() -> None:
    head, line = history_lines([row()], 80)
    assert head.split() == ["date", "concepts", "prompt", "image"]
    assert " ".join(line.split()) == "2026-11-22 09:30 lighthouse, storm A keeper winds the lamp. a/image.png"
    assert head.index("concepts") == line.index("lighthouse")
    assert head.index("prompt") == line.index("A keeper")
    assert head.index("image") == line.index("a/image.png")


def test_long_path_stands_whole_on_a_line_of_its_own() -> None:
    path = "2026-11-22-093000-lighthouse-storm-clockwork/image.png"
    lines = history_lines([row(path=path)], 80)
    assert lines[2] == f"  {path}"
    assert lines[1].endswith("A keeper winds the lamp.")


def test_prompt_is_cut_at_its_first_words() -> None:
    line = history_lines([row("word " * 400)], 80)[1]
    assert cell_len(line) <= 80
    assert "word word" in line
    assert "…" in line


def test_nothing_made_is_said() -> None:
    assert history_lines([], 80) == ["No image has been made yet."]


def test_what_a_terminal_obeys_is_replaced() -> None:
    lines = history_lines([row("a\x1b[31mb\nc\u202ed", "x\x07/y.png", "one\ttwo", made="\x1b]0;owned")], 120)
    text = "\n".join(lines)
    assert not any(sign in text for sign in ("\x1b", "\x07", "\u202e", "\t"))
    assert len(lines) == 2


@given(
    prompts=st.lists(st.text(max_size=200), min_size=1, max_size=3),
    concepts=st.lists(st.text(max_size=40), max_size=5),
    path=st.text(st.sampled_from("abc/灯-_. "), max_size=70),
    width=st.integers(40, 200),
)
def test_no_line_is_wider_than_the_terminal(prompts: list[str], concepts: list[str], path: str, width: int) -> None:
    for line in history_lines([row(prompt, path, *concepts) for prompt in prompts], width):
        assert cell_len(line) <= width or line.strip() == " ".join(path.split())
        assert len(line.splitlines()) == 1


def test_columns_line_up_with_wide_characters() -> None:
    rows = [row("plain", "a.png", "lighthouse"), row("灯台守が巻く", "b.png", "灯台", "嵐")]
    _, first, second = history_lines(rows, 100)
    assert cell_len(first[: first.index("plain")]) == cell_len(second[: second.index("灯台守")])
    assert cell_len(first[: first.index("a.png")]) == cell_len(second[: second.index("b.png")])


def test_every_figure_says_what_it_means() -> None:
    text = "\n".join(
        diversity_lines(VARIED, 5.14, [Motif(term="golden hour", prompts=9), Motif(term="storm", prompts=3)])
    )
    for said in (
        "12 prompts of 41 words on average",
        "Different in effect   7.3 of 12  Vendi score; 1 if all were alike",
        "Different words       0.61       distinct-1",
        "Different word pairs  0.93       distinct-2",
        "Likeness              0.18       self-BLEU; lower is more varied",
        "Pictures, in effect   5.1 ",
        "Repeated words, and in how many of the 12:",
        "  golden hour      9  ███████████████\n",  # 9 of 12 is 15 of 20
        "  storm            3  █████",
    ):
        assert said in text


def test_pictures_that_were_not_compared_are_left_out() -> None:
    text = "\n".join(diversity_lines(VARIED, None, []))
    assert "Pictures" not in text
    assert "No word is common to many of them." in text


@pytest.mark.parametrize("texts", [0, 1])
def test_one_prompt_has_no_variety(texts: int) -> None:
    alone = Variety(texts=texts, distinct_1=1.0, distinct_2=1.0, self_bleu=0.0, vendi=float(texts), words=40.0)
    (line,) = diversity_lines(alone, None, [])
    assert "at least two" in line
    assert line.startswith(f"{texts} prompt")


@given(
    terms=st.lists(st.text(max_size=60), max_size=20),
    share=st.floats(0, 1),
    texts=st.integers(2, 1_000_000),
)
def test_figures_fit_in_eighty_columns(terms: list[str], share: float, texts: int) -> None:
    vendi = 1 + share * (texts - 1)
    variety = Variety(texts=texts, distinct_1=1.0, distinct_2=1.0, self_bleu=1.0, vendi=vendi, words=4_000.0)
    for line in diversity_lines(variety, vendi, [Motif(term=term, prompts=texts) for term in terms]):
        assert cell_len(line) <= 80
        assert len(line.splitlines()) <= 1
