"""The lines that a compiler names, quoted from the reply."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from shaders import RINGS, reply_of

from redraft.studios.shader.parse import named_lines


def test_the_line_and_the_one_before_it() -> None:
    said = named_lines("0:8(17): error: `p' undeclared", reply_of())
    assert said.splitlines() == [
        "    7 | void main() {",
        ">   8 |     vec2 p = (v_uv - 0.5) * vec2(u_resolution.x / u_resolution.y, 1.0);",
    ]


def test_the_first_line_has_none_before_it() -> None:
    assert named_lines("0:1(1): error: syntax error, unexpected '}'", reply_of()) == ">   1 | #version 330"


def test_neighbours_are_quoted_once_in_their_order() -> None:
    said = named_lines("0:9(2): error: `a' undeclared\n0:8(2): error: `b' undeclared", reply_of())
    assert [line[:6] for line in said.splitlines()] == ["    7 ", ">   8 ", ">   9 "]


def test_the_words_of_another_compiler() -> None:
    assert ">   9 |" in named_lines("ERROR: 0:9: 'foo' : undeclared identifier", reply_of())


def test_nothing_where_no_line_is_named_or_there_is_none() -> None:
    assert named_lines("The shader took more than 20 s.", reply_of()) == ""
    assert named_lines("0:999(1): error: `p' undeclared", reply_of()) == ""
    assert named_lines("0:8(1): error: `p' undeclared", "no shader at all") == ""


def test_long_lines_are_cut() -> None:
    code = RINGS.replace("float d", "/* " + "x" * 5_000 + " */ float d")
    assert max(map(len, named_lines("0:9(1): error: `d' undeclared", reply_of(code)).splitlines())) < 180


@given(st.lists(st.integers(-3, 40), max_size=30))
def test_what_is_quoted_stands_in_the_reply(places: list[int]) -> None:
    message = "\n".join(f"0:{place}(1): error: `x{place}' undeclared" for place in places)
    lines = RINGS.splitlines()
    for quoted in named_lines(message, reply_of()).splitlines():
        mark, number, text = quoted[0], int(quoted[2:5]), quoted[8:]
        assert text == lines[number - 1]
        assert mark != ">" or number in places
