"""Two runs side by side: what differs is marked, and nothing is lost or made up."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lighthouse import painted
from pages import Page
from reviewed import PROMPTS, Story, write
from run_writer import RunWriter

from ideas import explored, image_run, note_choice, scoring
from redraft.errors import RunFormatError, RunNotFoundError
from redraft.report.review import Piece, compared, differing, write_comparison

pytestmark = pytest.mark.slow


def compare(root: Path, first: Story, second: Story) -> str:
    a, b = write(root / "a", first), write(root / "b", second)
    return write_comparison(a, b, root / "compare.html").read_text("utf-8")


def words_of(html: str) -> str:
    return Page(html).words


def marked(html: str, tag: str) -> list[str]:
    return [unescape(text) for text in re.findall(f"<{tag}>(.*?)</{tag}>", html, re.DOTALL)]


def test_words_that_differ_are_marked_in_both_prompts(tmp_path: Path) -> None:
    html = compare(
        tmp_path,
        lambda w: image_run(w, prompt="A lighthouse in heavy rain, gouache on paper."),
        lambda w: image_run(w, prompt="A lighthouse in thick fog, gouache on board."),
    )
    assert marked(html, "del") == ["heavy rain", "paper"]
    assert marked(html, "ins") == ["thick fog", "board"]


def test_both_choices_figures_and_settings_stand_beside_each_other(tmp_path: Path) -> None:
    html = compare(
        tmp_path,
        lambda w: image_run(w, prompt=PROMPTS[1], chosen=explored(), seed=2, backend="openai:gpt-image-1", cost=0.042),
        lambda w: image_run(w, prompt=PROMPTS[0], chosen=scoring(), seed=8, picture=painted(x=70)),
    )
    words = words_of(html)
    for said in (
        "Two runs, side by side",
        "Card B was drawn from the top quartile, C and B",
        "Card C has the best adjusted score: 78 points.",
        "Chosen B with 74.5 points C with 78 points",
        "Roll 0.07 against 0.15 0.62 against 0.15",
        "Choice explored took the best",
        "Painted by openai:gpt-image-1 sketch",
        "Cost $0.0420 nothing",
        "seed 2 8",
        "First · image · 22 Nov 2026, 09:30 UTC · seed 2",
    ):
        assert said in words
    assert words.count("rolled ") == 2


def test_settings_that_are_the_same_are_only_counted(tmp_path: Path) -> None:
    def with_config(**config: object) -> Story:
        return lambda w: image_run(w, config={"model": "offline", "loop": {"repairs": 2}, **config})

    html = compare(tmp_path, with_config(images={"width": 512}), with_config(images={"width": 1024}, extra=True))
    words = words_of(html)
    assert "images.width 512 1024" in words
    assert "extra not set true" in words
    assert "loop.repairs" not in words
    # studio, model, loop.repairs, seed; of the brief its instruction, `on`, and the list of concepts
    assert "7 other settings are the same in both." in words


def test_same_run_twice_differs_in_nothing(tmp_path: Path) -> None:
    folder = write(tmp_path / "a", lambda w: image_run(w, chosen=scoring()))
    html = write_comparison(folder, folder, tmp_path / "compare.html").read_text("utf-8")
    words = words_of(html)
    assert marked(html, "del") == marked(html, "ins") == []
    assert "Words in common 100 %" in words
    assert "Different in effect 1.0 of 2" in words
    assert "None: both runs have the same settings." in words


def test_runs_without_prompt_or_picture_can_be_compared(tmp_path: Path) -> None:
    def drawn(writer: RunWriter) -> None:
        writer.start("A cat on a red mat")
        note_choice(writer, scoring())

    def ended(writer: RunWriter) -> None:
        writer.start("A dog on a red mat")
        message = "The model is out of reach."
        writer.finish(valid=False, score=0.0, delivered="", error={"phase": "loop", "step": "", "message": message})

    html = compare(tmp_path, drawn, ended)
    words = words_of(html)
    assert "The instructions" in words
    assert (marked(html, "del"), marked(html, "ins")) == (["cat"], ["dog"])
    assert "No picture." in words
    assert "No idea was chosen in this run." in words
    assert "The model is out of reach." in words
    assert "Came to not finished ended early" in words


def test_what_is_no_run_is_an_error_and_nothing_is_written(tmp_path: Path) -> None:
    folder = write(tmp_path / "a", image_run)
    with pytest.raises(RunNotFoundError):
        write_comparison(folder, tmp_path / "nothing", tmp_path / "compare.html")
    damaged = write(tmp_path / "b", image_run)
    (damaged / "events.jsonl").write_text("nonsense\n", "utf-8")
    with pytest.raises(RunFormatError):
        write_comparison(folder, damaged, tmp_path / "compare.html")
    assert not (tmp_path / "compare.html").exists()


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</del><svg onload=a>"]
)
def test_hostile_text_stays_text(tmp_path: Path, text: str) -> None:
    def story(other: str) -> Story:
        return lambda w: image_run(
            w, concepts=(text,), prompt=f"{other} {text}", backend=text, config={text: {other: text}}
        )

    html = compare(tmp_path, story("one"), story("two"))
    assert not re.findall(r"<script|<img src=x|<svg onload", html)
    Page(html).assert_inert()
    assert " ".join(text.split()) in words_of(html)


def test_short_common_words_between_changes_do_not_break_them_up() -> None:
    pair = compared("red barns of the north", "blue ships of the south")
    assert pair.first == (Piece("red barns of the north", same=False),)
    assert pair.alike == 0


def test_telling_words_between_changes_stay_common() -> None:
    pair = compared("a red lighthouse in rain", "a blue lighthouse in fog")
    assert pair.first == (
        Piece("a", same=True, room=" "),
        Piece("red", same=False, room=" "),
        Piece("lighthouse in", same=True, room=" "),
        Piece("rain", same=False),
    )
    assert pair.alike == pytest.approx(3 / 5)  # a, lighthouse, in


def test_scripts_without_spaces_are_compared_by_character() -> None:
    pair = compared("灯台守が嵐の前に巻く", "灯台守が霧の前に巻く")
    assert [piece.text for piece in pair.first if not piece.same] == ["嵐"]
    assert [piece.text for piece in pair.second if not piece.same] == ["霧"]


@given(st.text(max_size=120), st.text(max_size=120))
def test_pieces_joined_are_the_texts(first: str, second: str) -> None:
    pair = compared(first, second)
    for text, pieces in ((first, pair.first), (second, pair.second)):
        assert "".join(piece.text + piece.room for piece in pieces) == text.strip()
    same = [["".join(p.text.split()) for p in side if p.same] for side in (pair.first, pair.second)]
    assert same[0] == same[1]
    assert 0 <= pair.alike <= 1


@given(st.text(max_size=120))
def test_text_is_like_itself(text: str) -> None:
    pair = compared(text, text)
    assert pair.alike == 1
    assert all(piece.same for piece in (*pair.first, *pair.second))


def test_very_long_texts_are_cut_and_it_is_said() -> None:
    pair = compared("word " * 3_000, "word")
    assert pair.left_out == 14_999 - 8_000


@given(
    st.dictionaries(st.sampled_from("abcde"), st.integers(0, 2)),
    st.dictionaries(st.sampled_from("abcde"), st.integers(0, 2)),
)
def test_differing_are_all_and_only_those_that_differ(first: dict[str, int], second: dict[str, int]) -> None:
    found = {name: (a, b) for name, a, b in differing(first, second)}
    for name in {*first, *second}:
        assert (name in found) == (first.get(name) != second.get(name))
    assert all((first.get(n), second.get(n)) == pair for n, pair in found.items())
