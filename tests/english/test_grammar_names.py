"""Names of parts in a text: what is one, what is none, and where lists of them begin and end."""

from __future__ import annotations

from dataclasses import replace

import pytest
from commanded import bench
from hypothesis import given
from hypothesis import strategies as st

from redraft.english.cursor import Context, Cursor, Named
from redraft.english.names import NAME, Names, named_line
from redraft.english.tokens import length_in, tokenise, unit, value_key
from redraft.errors import BriefError
from redraft.layout import Layout

BOARD = bench()
NAMES = Names(BOARD, {"cap": "capacitor"})


def cursor(text: str, context: Context | None = None) -> Cursor:
    return Cursor(named_line(text, NAMES), context=context or Context())


@pytest.mark.parametrize(
    ("text", "refs"),
    [
        ("U1", "U1"),
        ("u1", "U1"),
        ("C1, C2 and C3", "C1 C2 C3"),
        ("C1,C2,C3", "C1 C2 C3"),
        ("C1, C2, and C1", "C1 C2"),
        ("C1/C2", "C1 C2"),
        ("R1-R4", "R1 R2 R3 R4"),
        ("R1–R3", "R1 R2 R3"),
        ("R1..R3", "R1 R2 R3"),
        ("R1 - R3", "R1 R2 R3"),
        ("R1-3", "R1 R2 R3"),
        ("R3-R1", "R3 R2 R1"),
        ("R1 to R3 and C1", "R1 R2 R3 C1"),
        ("from", ""),
        ("LED*", "LED1 LED2"),
        ("all capacitors", "C1 C2 C3 C4 C5"),
        ("the caps", "C1 C2 C3 C4 C5"),
        ("the cap", ""),
        ("the crystal", "Y1"),
        ("the mounting holes and Y1", "H1 H2 Y1"),
        ("all capacitors except C2 and C3", "C1 C4 C5"),
        ("the capacitor on VIN", "C5"),
        ("the capacitors on net +3V3", "C1 C2"),
        ("the capacitor on +3V3", ""),
        ("resistors R1 and R2", "R1 R2"),
        ("board", ""),
        ("", ""),
    ],
)
def test_lists_of_names(text: str, refs: str) -> None:
    found = cursor(text).many()
    assert " ".join(found.refs if found else ()) == refs


VALUED = {"C1": "100nF", "C2": "0.1uF", "C3": "100n", "C4": "10uF", "R1": "4k7", "R2": "10k", "R3": "10k", "U1": "10k"}


@pytest.mark.parametrize(
    ("text", "refs"),
    [
        ("the 100nF capacitors", "C1 C2 C3"),
        ("all 100 nF caps", "C1 C2 C3"),
        ("the 0.1 µF capacitors", "C1 C2 C3"),
        ("the 0,1 µF capacitors", "C1 C2 C3"),
        ("the 100nF capacitor", ""),  # which of the three?
        ("the 10uF capacitor", "C4"),
        ("the 4.7k resistor and the 10uF cap", "R1 C4"),
        ("the 10k resistors", "R2 R3"),
        ("the 10kΩ resistors", "R2 R3"),
        ("the 10M resistors", ""),
        ("the 100nF capacitors on VIN", ""),
        ("the 100nF capacitors on +3V3", "C1 C2"),
        ("100nF capacitors", ""),  # perhaps not all of them
    ],
)
def test_parts_by_value(text: str, refs: str) -> None:
    items = [replace(item, value=VALUED.get(item.name, "")) for item in BOARD]
    found = Cursor(named_line(text, Names(BOARD.with_items(items), {"cap": "capacitor"}))).many()
    assert " ".join(found.refs if found else ()) == refs


@given(st.integers(1, 999), st.sampled_from("pnumkM"))
def test_a_prefix_is_three_zeros(amount: int, prefix: str) -> None:
    smaller = {"n": "p", "u": "n", "m": "u", "k": "", "M": "k"}.get(prefix)
    if smaller is not None:
        assert value_key(f"{amount}{prefix}F") == value_key(f"{amount}000{smaller}F")
    assert value_key(f"{amount}{prefix}") == value_key(f"{amount}.0 {prefix}F")
    assert value_key(f"{amount}{prefix}") != value_key(f"{amount + 1}{prefix}")


@pytest.mark.parametrize(
    ("text", "length", "rest"),
    [
        ("0,5 mm", 0.5, 0),
        ("0,5mm right", 0.5, 1),
        ("exactly 12,75 mm", 12.75, 0),
        ("-1,5 mm", -1.5, 0),
        ("0,125 mm", 0.125, 0),
        ("2,5 cm", 25.0, 0),
        ("1, 5 mm", 1.0, 3),  # two numbers
        ("1,000 mm", 1.0, 3),  # a thousand, or one
        ("0,5", 0.0, 2),  # a point, perhaps
        ("1.5,2 mm", 1.5, 3),
    ],
)
def test_a_comma_between_digits_with_a_unit_behind_is_a_decimal_one(text: str, length: float, rest: int) -> None:
    at = cursor(text)
    assert at.length() == pytest.approx(length)
    assert len(at.line) - at.i == rest


def test_what_is_no_amount_is_compared_as_text() -> None:
    assert value_key("LM358 ") == value_key("lm358")
    assert value_key("100nF/50V") != value_key("100nF")


@pytest.mark.parametrize(
    "text",
    ["U1 pin 4", "U1.4", "pin 4 of U1", "pad 4 of U1", "U1's pad 4", "the pin 4 of the IC U1", "U1 pin number 4"],
)
def test_a_pad_has_many_names(text: str) -> None:
    found = cursor(text).one()
    assert found == Named(("U1",), "4")
    assert Named(("U1",), "4").target == "U1.4"


def test_a_pad_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(BriefError, match=r"U1 has no pad '9' .*; it has 1, 2, 3, 4, 5, 6, 7, 8"):
        cursor("U1 pin 9").one()


def test_words_that_look_like_names_are_remembered_as_strange() -> None:
    def strange(text: str) -> list[str]:
        return [s.text for s in named_line(text, NAMES).strange().values()]

    assert strange("put U77 and C0603 parts on 3V3, 100nF, M3") == ["U77"]
    assert strange("R1-R99") == ["R99"]
    assert strange("U1.99") == ["99"]
    assert strange('"U77"') == []


def test_small_words_are_no_names_even_where_a_part_is_called_so() -> None:
    from dataclasses import replace

    odd = Names(Layout((*BOARD.items, replace(BOARD["C1"], name="in"), replace(BOARD["C1"], name="A")), BOARD.frame))
    line = named_line("in a row: A", odd)
    assert [line.refs(i) for i in range(len(line)) if line.word(i) == NAME] == [("A",)]


def test_they_and_it_are_whom_was_spoken_of() -> None:
    several, single = Context(("R1", "R2"), Named(("U1",))), Context(("R1",))
    both = cursor("them", several).many()
    one = cursor("it", single).many()
    assert both is not None
    assert both.refs == ("R1", "R2")
    assert one is not None
    assert one.refs == ("R1",)
    assert cursor("it", several).many() is None
    assert cursor("it", several).one() == Named(("U1",))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.5 mm", 0.5),
        ("0.5mm", 0.5),
        (".5 mm", 0.5),
        ("20 mil", 0.508),
        ("20mils", 0.508),
        ("10 thou", 0.254),
        ("0.1 in right", 2.54),
        ("1 inch", 25.4),
        ("250 µm", 0.25),
        ("1 cm", 10),
        ("two millimetres", 2),
        ("half a millimetre", 0.5),
        ("-3 mm", -3),
        ("7", 7),
        ("90 degrees", None),
        ("right", None),
    ],
)
def test_lengths(text: str, value: float | None) -> None:
    assert cursor(text).length() == value


def test_units() -> None:
    assert [unit(word) for word in ("millimetres", "mm", "m", "metres", "mils", "µm", "inches")] == [
        "mm", "mm", "m", "m", "mil", "um", "in",
    ]  # fmt: skip
    assert length_in(2.0, "mm", "m") == 0.002
    assert length_in(2.0, "mm", "canvas") is None
    assert length_in(2.0, "", "canvas") == 2.0


def test_numbers_with_their_unit_attached_are_one_number() -> None:
    assert [t.text for t in tokenise("0.5mm 1.27mm 0.75in 3x4")] == [
        "0.5",
        "mm",
        "1.27",
        "mm",
        "0.75",
        "in",
        "3",
        "x",
        "4",
    ]


@given(st.text(alphabet="UCR1234 .-–,:;'\"()and*/+\n", max_size=60))
def test_every_name_found_is_there_and_in_the_text(text: str) -> None:
    line = named_line(text, NAMES)
    for i, token in enumerate(line.tokens):
        assert text[token.start : token.end] == token.text
        for ref in line.refs(i):
            assert ref in BOARD
        if line.port(i):
            assert BOARD[line.refs(i)[0]].ports_named(line.port(i))
    assert [t.start for t in line.tokens] == sorted(t.start for t in line.tokens)
