"""Types of expressions and what a program declares, read without a compiler."""

from __future__ import annotations

import pytest

from redraft.memory.recipes.program import Edit, Program, edited
from redraft.memory.recipes.types import components, resized, type_of

WORLD = Program(
    """struct Ray { vec3 origin; float reach; };
uniform mat3 turn;
uniform sampler2D tex;
float f(vec2 p, float k) { return k; }
void main() {
    vec2 p = vec2(1.0), q; vec3 c; float d[4]; int n; mat2 m; vec4 w; bool on;
}
"""
)
INSIDE = next(i for i, t in enumerate(WORLD.tokens) if t.text == "on") + 1


def typed(text: str) -> str | None:
    piece = Program(text, within=(WORLD, INSIDE))
    return type_of(piece, 0, len(piece.tokens))


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("1", "int"),
        ("1u", "uint"),
        ("1.0", "float"),
        ("2e3", "float"),
        ("0x1F", "int"),
        ("p", "vec2"),
        ("-p.yx", "vec2"),
        ("w.rgb", "vec3"),
        ("p.x * 2.0 + 1.0", "float"),
        ("2.0 * c", "vec3"),
        ("m * p", "vec2"),
        ("p * m", "vec2"),
        ("turn * turn", "mat3"),
        ("turn[0]", "vec3"),
        ("turn[0].x", "float"),
        ("d[2]", "float"),
        ("p[0]", "float"),
        ("length(c) < 1.0", "bool"),
        ("on ? p : q", "vec2"),
        ("mix(c, vec3(1.0), 0.5)", "vec3"),
        ("dot(c, c)", "float"),
        ("cross(c, c)", "vec3"),
        ("texture(tex, p).xyz", "vec3"),
        ("f(p, 1.0)", "float"),
        ("vec4(c, 1.0)", "vec4"),
        ("((p + q) * 2.0).xyy", "vec3"),
        ("n + 1", "int"),
        ("n * 0.5", "float"),
        ("p + c", None),
        ("mix(p, c, 0.5)", None),
        ("min(1.0, p)", None),
        ("nobody", None),
        ("p +", None),
        ("(p", None),
        ("c.xyz.", None),
        ("", None),
    ],
)
def test_the_type_of_an_expression(text: str, type_: str | None) -> None:
    assert typed(text) == type_


def test_endless_nesting_has_no_type() -> None:
    assert typed("(" * 5_000 + "1" + ")" * 5_000) is None
    assert typed("(" * 150 + "1" + ")" * 150) is None
    assert typed("(" * 20 + "1" + ")" * 20) == "int"
    assert typed("min(1.0, " * 2_000 + "1.0" + ")" * 2_000) is None
    assert typed("min(1.0, " * 20 + "1.0" + ")" * 20) == "float"


def test_what_is_declared_and_where_it_is_in_sight() -> None:
    names = {d.name: (d.type, d.kind) for d in WORLD.declared}
    assert names["q"] == ("vec2", "variable")
    assert names["d"] == ("float[]", "variable")
    assert names["k"] == ("float", "parameter")
    assert names["origin"] == ("vec3", "field")
    assert WORLD.functions["f"].parameters == ("vec2", "float")
    seen = WORLD.find("p", INSIDE)
    assert seen is not None
    assert seen.kind == "variable"
    assert WORLD.find("k", INSIDE) is None


def test_sizes_of_types() -> None:
    assert [components(t) for t in ("float", "ivec3", "mat3", "mat2x4", "sampler2D", None)] == [1, 3, 9, 8, None, None]
    assert [resized("vec3", 2), resized("ivec2", 1), resized("float", 4)] == ["vec2", "int", "vec4"]


def test_edits_that_meet_are_none() -> None:
    assert edited("abcdef", [Edit(4, 5, ""), Edit(0, 2, "x")]) == "xcdf"
    assert edited("abcdef", [Edit(0, 3, "x"), Edit(2, 4, "y")]) is None
