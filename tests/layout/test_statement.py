"""Quotes found in a brief, statements merged, numbered and answered, answers read from replies."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from requirement_layouts import (
    JSON,
    Raw,
    aside,
    row,
    said,
)

from redraft.layout import requirements as stated
from redraft.layout.requirements import MAX_REQUIREMENTS, Requirement, agreed, answered, merged, mismatches_in, reading
from redraft.result import Mismatch


@pytest.mark.parametrize(
    ("brief", "quote"),
    [
        ("Ein Haus mit DREI  Fenstern, daneben ein Baum", "„drei\nFenstern,“"),
        ("die Straße am Fluß", "STRASSE AM FLUSS"),
        ("本棚に本が三冊ずつ、上で猫が寝ている", "本が三冊ずつ"),
        ("ガラスの家が３軒", "ｶﾞﾗｽの家が3軒"),
        ("a cafe\u0301 with two tables", "café"),
        ("a sign that says “it’s open”", "it's open"),
        ("a shelf \u2013 four boards", "shelf - four boards."),
    ],
)
def test_quotes_match_after_folding(brief: str, quote: str) -> None:
    layout = row(0.1)
    raw = said("color", "tree_*", color="red", quote=quote)
    assert not aside(layout, raw, brief=brief)


@given(st.text(max_size=40), st.text(max_size=20), st.text(max_size=20), st.sampled_from(["NFC", "NFD"]))
def test_what_is_in_the_brief_is_found_however_it_is_written(words: str, head: str, tail: str, form: Any) -> None:
    brief = f"{head} {words} {tail}"
    quote = f" «{unicodedata.normalize(form, words)}» "
    found = reading.statements([said("color", "tree_*", color="red", quote=quote)], brief, row(0.1))
    assert not found.set_aside or "no words" in found.set_aside[0]


@given(st.text(max_size=60))
def test_a_quote_that_is_not_in_the_brief_is_set_aside(brief: str) -> None:
    quote = "seven kites over zzyzx"
    assert "does not contain its quote" in aside(
        row(0.1), said("color", "tree_*", color="red", quote=quote), brief=brief
    )


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_what_is_not_measured_is_given_as_written(form: Any) -> None:
    brief = unicodedata.normalize(form, "un café fermé, two tables")
    measured = [Requirement(kind="count", parts=("table_*",), number=2, quote="two tables")]
    assert stated.unmeasured(brief, measured) == (unicodedata.normalize(form, "un café fermé"),)
    (span,) = stated.quoted(brief, "café")
    assert brief[slice(*span)] == unicodedata.normalize(form, "café")


def test_agreed_statements_need_no_quote_in_this_brief() -> None:
    raw = merged((), [said("color", "tree_*", color="red", quote="a red tree", agreed=True)])
    assert "does not contain" in aside(row(0.1), *raw, brief="now add a dog"), "a reply cannot agree with itself"
    assert not aside(row(0.1), *agreed(raw), brief="now add a dog")


def needs(quote: str) -> Requirement:
    return Requirement(kind="count", quote=quote, parts=("x_*",), number=1)


def test_what_no_quote_covers_is_not_measured() -> None:
    brief = "A Bookshelf with four  shelves, three books on each — and a cat; another cat!"
    covered = [needs("four shelves"), needs("THREE BOOKS ON EACH"), needs("cat")]
    assert stated.unmeasured(brief, covered) == ("A Bookshelf with", "and a", "another cat")
    assert stated.unmeasured(brief, [*covered, needs("cat")])[-1] == "another"
    assert stated.unmeasured(brief, [needs(brief)]) == ()
    assert stated.unmeasured("concatenate the cat", [needs("cat")]) == ("concatenate the",)


@given(st.lists(st.text("ab ß.ガ", min_size=1, max_size=8), max_size=6))
def test_stretches_are_of_the_brief_and_say_something(pieces: list[str]) -> None:
    brief = "".join(pieces)
    for stretch in stated.unmeasured(brief, [needs(piece) for piece in pieces[::2]]):
        assert stretch in " ".join(unicodedata.normalize("NFC", brief).split())
        assert any(c.isalnum() for c in stretch)


def test_ids_are_given_and_replaced_by_id() -> None:
    first = merged((), [said("count", "a_*", number=1), said("count", "b_*", number=2, id="r7"), "junk"])
    assert [e["id"] if isinstance(e, dict) else e for e in first] == ["r8", "r7", "junk"]
    after = merged(
        first, [said("count", "b_*", number=5, id="r7", reason="five are drawn"), said("count", "c_*", number=1)]
    )
    assert after[1] == said("count", "b_*", number=5, id="r7", quote="", reason="five are drawn")
    assert isinstance(after[3], dict)
    assert after[3]["id"] == "r9"
    assert after[0] == first[0]
    assert merged(after, [said("count", "a_*", number=1)]) == after


def test_a_change_keeps_its_quote_and_gives_a_reason() -> None:
    first = merged((), [said("count", "a_*", number=1, quote="one a")])
    changed = merged(first, [said("count", "a_*", number=2, id="r1")])
    assert changed == ({**said("count", "a_*", number=2, quote="one a", id="r1"), "reason": "no reason given"},)
    assert merged(first, [said("count", "a_*", number=1, id="r1", reason="none")]) == first
    kept = merged(agreed(first), [said("count", "a_*", number=2, id="r1")])[0]
    assert isinstance(kept, dict)
    assert kept["agreed"] is True
    other = merged(agreed(first), [said("count", "a_*", number=2, id="r1", quote="two")])[0]
    assert isinstance(other, dict)
    assert "agreed" not in other
    [itself] = merged(first, [said("count", "a_*", number=2, id="r1", agreed=True)])
    assert isinstance(itself, dict)
    assert "agreed" not in itself, "a reply cannot agree with itself"


def numbered(number: int, name: str) -> Raw:
    return said("count", f"p{number}_*", number=number) | ({"id": name} if name else {})


@given(
    st.lists(
        st.builds(
            numbered,
            st.integers(0, 5),
            st.sampled_from(["", "r1", "r2", "x"]),
        ),
        max_size=8,
    )
)
def test_merging_twice_changes_nothing(raw: list[Any]) -> None:
    once = merged((), raw)
    assert merged(once, once) == once
    ids = [e["id"] for e in once if isinstance(e, dict)]
    assert len(set(ids)) == len(ids)


def test_what_is_left_out_is_counted_once() -> None:
    raw = [said("count", f"p{n}_*", number=n) for n in range(250)]
    once = merged((), raw)
    assert len(once) == MAX_REQUIREMENTS
    assert once[-1] == {"left_out": 51}
    again = merged(once, [said("count", "q_*", number=1)])
    assert len(again) == MAX_REQUIREMENTS
    assert again[-1] == {"left_out": 52}


def test_mismatches_are_read_leniently() -> None:
    raw: list[object] = [
        {"id": " r1 ", "wrong": "drawing", "reason": "too\nlong " * 200, "note": 1},
        {"id": "r2", "wrong": "maybe"},
        {"id": "r3", "wrong": "statement", "reason": None},
        {"id": "r1", "wrong": "statement"},
        {"id": "", "wrong": "drawing"},
        {"id": 4, "wrong": "drawing"},
        "r5",
    ]
    answers = mismatches_in(raw)
    assert [(answer.id, answer.wrong) for answer in answers] == [("r1", "drawing"), ("r3", "statement")]
    assert len(answers[0].reason) <= 400
    assert "\n" not in answers[0].reason
    assert [answer.id for answer in mismatches_in(answers)] == ["r1", "r3"], "answers that were read are kept"
    assert mismatches_in(None) == mismatches_in("x") == mismatches_in({}) == ()
    assert len(mismatches_in({"id": "r1", "wrong": "drawing"})) == 1


@given(JSON)
def test_no_reply_breaks_the_reading_of_mismatches(raw: Any) -> None:
    mismatches_in(raw)


def test_an_answer_upholds_or_withdraws_its_requirement_alone() -> None:
    raw = (*merged((), [said("count", f"{name}_*", number=1) for name in "abc"]), "junk")
    after = answered(
        raw,
        [
            Mismatch(id="r1", wrong="drawing", reason="one is missing"),
            Mismatch(id="r2", wrong="statement", reason="the brief has none"),
            Mismatch(id="r9", wrong="statement"),
        ],
    )
    assert after == (
        {**said("count", "a_*", number=1), "id": "r1", "judged": "upheld"},
        {**said("count", "b_*", number=1), "id": "r2", "judged": "withdrawn", "reason": "the brief has none"},
        *raw[2:],
    )
    (silent,) = answered(raw[:1], [Mismatch(id="r1", wrong="statement")])
    assert isinstance(silent, dict)
    assert silent["reason"] == "no reason given"


@pytest.mark.parametrize("judged", ["upheld", "withdrawn"])
def test_a_reply_cannot_judge_its_own_requirements(judged: str) -> None:
    own = said("count", "a_*", number=1, judged=judged)
    first = merged((), [own])
    assert first == ({**said("count", "a_*", number=1), "id": "r1"},)
    changed = merged(first, [{**own, "id": "r1", "number": 2}])
    assert isinstance(changed[0], dict)
    assert (changed[0]["number"], "judged" in changed[0]) == (2, False)
    assert merged(first, [{**own, "id": "r1"}]) == first


def test_what_was_decided_stays_until_the_requirement_changes() -> None:
    first = answered(merged((), [said("count", "a_*", number=1)]), [Mismatch(id="r1", wrong="statement")])
    assert merged(first, [said("count", "a_*", number=1, id="r1")]) == first
    assert merged(first, [said("count", "a_*", number=1)]) == first, "stated again, it stays withdrawn"
    (changed,) = merged(first, [said("count", "a_*", number=2, id="r1", reason="two are drawn")])
    assert isinstance(changed, dict)
    assert "judged" not in changed
    (carried,) = agreed(first)
    assert isinstance(carried, dict)
    assert (carried["judged"], carried["reason"]) == ("withdrawn", "no reason given"), "a later run lists it too"


def test_a_requirement_is_written_as_json() -> None:
    read = Requirement(kind="count", parts=("a_*",), number=3)
    assert json.loads(read.model_dump_json(exclude_defaults=True)) == {"kind": "count", "parts": ["a_*"], "number": 3}


@pytest.mark.parametrize(
    ("brief", "quote", "spans"),
    [
        ("cats and a cat", "cat", ((11, 14),)),
        ("a bobcat", "cat", ((5, 8),)),
        ("a bobcat and a cat", "cat", ((15, 18),)),
        ("cat", "cat", ((0, 3),)),
        ("猫と猫", "猫", ((0, 1), (2, 3))),
        ("a cat, a cat.", "a  cat", ((0, 5), (7, 12))),
        ("a cafe\u0301s, cafe", "cafe", ((10, 14),)),
        ("no", "...", ()),
    ],
)
def test_a_quote_is_found_as_whole_words_where_there_are_such(
    brief: str, quote: str, spans: tuple[tuple[int, int], ...]
) -> None:
    assert stated.quoted(brief, quote) == spans


@pytest.mark.parametrize(
    ("brief", "quotes", "left"),
    [
        ("a red kite and a dog", ["red kite", "a dog"], ("a",)),
        ("red kite with blue tails", ["red kite", "blue tails"], ()),
        ("red kite under blue tails", ["red kite", "blue tails"], ("under",)),
        ("red kite and", ["red kite"], ("and",)),
        ("cat dog cat", ["cat", "cat"], ()),
    ],
)
def test_a_short_word_between_two_quotes_only_joins_them(brief: str, quotes: list[str], left: tuple[str, ...]) -> None:
    assert stated.unmeasured(brief, [needs(quote) for quote in quotes]) == left


def test_what_was_upheld_is_not_withdrawn() -> None:
    raw = answered([{"id": "r1", "kind": "count"}], [Mismatch(id="r1", wrong="drawing")])
    assert answered(raw, [Mismatch(id="r1", wrong="statement", reason="no")]) == raw
