"""The solver's block in a script: exact, merged, safe for any name, and gone without a trace."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.studios.scene.shifts import shifts_of, with_shifts, without_shifts
from redraft.studios.scene.spec import Shift

numbers = st.floats(-1e6, 1e6, allow_nan=False)
names = st.text(min_size=1, max_size=20)
moves = st.lists(
    st.builds(Shift, name=names, by=st.tuples(numbers, numbers, numbers), reason=st.text(max_size=20)),
    max_size=5,
    unique_by=lambda shift: shift.name,
)


@given(st.text(max_size=60), moves)
def test_what_is_written_is_read_back_and_taken_out_exactly(code: str, given_moves: list[Shift]) -> None:
    made = with_shifts(code, given_moves)
    assert shifts_of(made) == [shift for shift in given_moves if any(shift.by)]
    assert without_shifts(made) == code


@pytest.mark.parametrize("code", ["", "x = 1", "x = 1\n", "x = '''\n", "if True:\n    pass\n\n\n"])
def test_no_moves_leave_no_block(code: str) -> None:
    assert with_shifts(code, []) == code
    back = Shift(name="A", by=(-1.0, 0.0, 0.0))
    assert with_shifts(with_shifts(code, [Shift(name="A", by=(1.0, 0.0, 0.0))]), [back]) == code


def test_further_moves_are_added_to_the_one_block() -> None:
    once = with_shifts("import bpy\n", [Shift(name="A", by=(1, 0, 0), reason="first"), Shift(name="B", by=(0, 0, 1))])
    twice = with_shifts(once, [Shift(name="A", by=(0, 2, 0), reason="second"), Shift(name="C", by=(0, 0, 3))])
    assert [(s.name, s.by, s.reason) for s in shifts_of(twice)] == [
        ("A", (1.0, 2.0, 0.0), "second"),
        ("B", (0.0, 0.0, 1.0), ""),
        ("C", (0.0, 0.0, 3.0), ""),
    ]
    assert twice.count("redraft: moved by the solver") == 1


def test_code_after_a_block_comes_before_the_next_one() -> None:
    once = with_shifts("a = 1\n", [Shift(name="A", by=(1, 0, 0))])
    more = with_shifts(once + "b = 2\n", [Shift(name="B", by=(1, 0, 0))])
    assert without_shifts(more) == "a = 1\nb = 2\n"
    assert [s.name for s in shifts_of(more)] == ["A", "B"]


def test_a_block_that_was_changed_by_hand_is_code_like_any_other() -> None:
    made = with_shifts("a = 1\n", [Shift(name="A", by=(1, 0, 0))])
    changed = made.replace("thing.location = ", "thing.location = 2 * ")
    assert shifts_of(changed) == []
    assert without_shifts(changed) == changed


class Place(list[float]):
    def __init__(self, *values: Any) -> None:
        super().__init__(values[0] if values else [0.0, 0.0, 0.0])


class Thing:
    parent = None

    class Matrix:
        def __matmul__(self, other: object) -> Thing.Matrix:
            return self

        def inverted_safe(self) -> Thing.Matrix:
            return self

        def to_3x3(self) -> Thing.Matrix:
            return self

    matrix_world = matrix_basis = Matrix()

    def __init__(self) -> None:
        self.location = Place([1.0, 2.0, 3.0])


def test_the_block_leaves_no_name_behind_and_says_what_is_gone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys
    from types import SimpleNamespace

    quoted = 'Ä "quoted" \\ name'
    thing = Thing()
    layer = SimpleNamespace(update=lambda: None)
    bpy = SimpleNamespace(data=SimpleNamespace(objects={quoted: thing}), context=SimpleNamespace(view_layer=layer))
    monkeypatch.setitem(sys.modules, "bpy", bpy)
    code = with_shifts("mine = 5\n", [Shift(name=quoted, by=(0.5, 0, -1)), Shift(name="Gone", by=(1, 0, 0))])
    space: dict[str, Any] = {}
    exec(compile(code, "script", "exec"), space)
    assert set(space) - {"__builtins__"} == {"mine"}
    assert list(thing.location) == [1.5, 2.0, 2.0]
    assert "no object 'Gone'" in capsys.readouterr().out
