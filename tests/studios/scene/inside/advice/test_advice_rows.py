"""The rows of `changes.txt`: how they are read, and that each says what to do."""

from __future__ import annotations

import pytest

from redraft.studios.scene.inside.advice import changes
from redraft.studios.scene.inside.advice.changes import Change, Changes, change_of, read_changes


def test_a_row_is_read_for_each_of_its_owners_and_names() -> None:
    text = 'let tree = {owner}.node_tree\n[attributes]\n# a comment\nA, B: c,\n    d.e | - | set {tree}["x"]\n'
    rows = read_changes(text)
    change = rows["attributes"]["B", "d.e"][0]
    assert [*rows["attributes"]] == [("A", "c"), ("A", "d.e"), ("B", "c"), ("B", "d.e")]
    assert change == Change("B", "d.e", get='{owner}.node_tree["x"]', put='{owner}.node_tree["x"] = {value}')
    assert change.dated == ""


def test_rows_for_one_name_keep_their_order() -> None:
    rows = read_changes("[a]\nX: y | 2.80 | needs N | get n\nX: y | 4.0 | gone | loses it\n")["a"]
    assert [(c.needs, c.get, c.gone, c.loses) for c in rows["X", "y"]] == [("N", "n", False, ""), ("", "", True, "it")]
    first = change_of(rows, "X", "y")
    assert first is not None
    assert first.dated == " since 2.80"
    assert change_of(rows, "X", "z") is None


def test_a_field_that_there_is_not_is_refused() -> None:
    with pytest.raises(TypeError, match="becomes"):
        read_changes("[a]\nX: y | 2.80 | becomes z\n")


@pytest.mark.parametrize("section", ["ATTRIBUTES", "OPERATORS", "KEYWORDS", "CALLS", "VALUES", "NODES", "SOCKETS"])
def test_every_row_says_what_to_write_or_that_it_is_gone(section: str) -> None:
    rows: Changes = getattr(changes, section)
    for change in (change for each in rows.values() for change in each):
        forms = (change.new, change.get, change.put, change.call, change.line, change.gone)
        assert any(forms), change
        assert not (change.gone and any(forms[:-1])), change
