"""The structural index against a plain reader that takes one byte after the other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.errors import BoardFormatError
from redraft.studios.board.kicad.sexpr import Index, atoms, text_of

Span = tuple[int, int, int]

WORDS = st.sampled_from([b"a", b"at", b"-1.5e-3", b"~", b"F.Cu", b"C:\\dir\\x", b"\\", b"a\\\\", b"{x}", "µ".encode()])
TEXTS = st.text(st.sampled_from('ab ()"\\\n\tµ'), max_size=8)


def quoted(text: str) -> bytes:
    return b'"' + text.replace("\\", "\\\\").replace('"', '\\"').encode() + b'"'


LEAVES = WORDS | TEXTS.map(quoted)
LISTS = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=6).map(lambda xs: b"(" + b" ".join(xs) + b")"))
FILES = st.lists(LISTS, min_size=1, max_size=4).map(lambda xs: b"(" + b"\n ".join(xs) + b")\r\n")
SOUP = st.lists(st.sampled_from([b"(", b")", b'"', b"\\", b"a", b" ", b"\n"]), max_size=40).map(b"".join)


def read_plainly(data: bytes) -> list[Span] | None:
    """(start, end, depth) of all lists in the order in which they open; None where brackets or quotes do not match."""
    found: list[Span] = []
    opened: list[int] = []
    at = 0
    while at < len(data):
        byte = data[at : at + 1]
        if byte == b'"':
            at += 1
            while data[at : at + 1] != b'"':
                if at >= len(data):
                    return None
                at += 2 if data[at : at + 1] == b"\\" else 1
        elif byte == b"(":
            opened.append(at)
        elif byte == b")":
            if not opened:
                return None
            start = opened.pop()
            found.append((start, at + 1, len(opened)))
        at += 1
    return None if opened else sorted(found)


def spans_of(index: Index) -> list[Span]:
    return list(zip(index.start.tolist(), index.end.tolist(), index.depth.tolist(), strict=True))


@given(FILES)
def test_every_list_is_where_a_plain_reader_finds_it(data: bytes) -> None:
    assert spans_of(Index.of(data)) == read_plainly(data)


@given(SOUP)
def test_what_does_not_match_is_refused_and_all_else_is_read(data: bytes) -> None:
    expected = read_plainly(data)
    if expected is None:
        with pytest.raises(BoardFormatError):
            Index.of(data)
    else:
        assert spans_of(Index.of(data)) == expected


@given(st.lists(WORDS | TEXTS.map(quoted) | st.just(b'(inner "x)" (y))'), max_size=8))
def test_atoms_are_the_words_between_the_inner_lists(parts: list[bytes]) -> None:
    data = b"(x " + b" ".join(parts) + b")"
    index = Index.of(data)
    assert atoms(data, 0, len(data)) == index.atoms(0)
    own = [part for part in parts if not part.startswith(b"(")]
    texts = [part.decode() if not part.startswith(b'"') else unquoted(part) for part in own]
    assert [text_of(atom) for atom in index.atoms(0)] == ["x", *texts]


def unquoted(part: bytes) -> str:
    inner, text, at = part[1:-1].decode(), "", 0
    while at < len(inner):
        at += inner[at] == "\\"
        text += inner[at]
        at += 1
    return text


@given(FILES)
def test_children_and_descendants_follow_from_the_spans(data: bytes) -> None:
    index = Index.of(data)
    spans = spans_of(index)
    for i, (start, end, depth) in enumerate(spans):
        within = [j for j, (a, b, _) in enumerate(spans) if start < a and b < end]
        assert list(range(i + 1, index.after(i))) == within
        assert list(index.children(i)) == [j for j in within if spans[j][2] == depth + 1]


def test_heads_sort_the_lists() -> None:
    index = Index.of(b'(top (at 1 2) ( size 3)\n(at 4)("quoted" 1)())')
    assert index.by_head(0) == {b"at": [1, 3], b"size": [2], b"": [4, 5]}
    assert index.child(0, b"at") == 1
    assert index.child(0, b"net") is None
    assert index.text(2) == b"( size 3)"


@pytest.mark.parametrize(
    ("written", "meant"),
    [(rb"a\"b", 'a"b'), (rb"a\\n", "a\\n"), (rb"a\nb\t", "a\nb\t"), (rb"\x41\102", "AB"), (b"\xff", "\udcff")],
)
def test_escapes_are_resolved_as_kicad_resolves_them(written: bytes, meant: str) -> None:
    assert text_of(written) == meant


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"(a\n(b)\n (c", "line 3 (byte 8): the list that opens here is never closed (2 parentheses"),
        (b"(a)\n)", "line 2 (byte 4): a parenthesis closes here that was never opened"),
        (b'(a\n"b', "line 2 (byte 3): a quote opens here and is never closed"),
    ],
)
def test_damage_is_named_with_its_line_and_byte(data: bytes, words: str) -> None:
    with pytest.raises(BoardFormatError) as caught:
        Index.of(data, "x.kicad_pcb")
    assert f"x.kicad_pcb, {words}" in str(caught.value)


def test_blocks_meet_without_a_seam() -> None:
    body = b"".join(b'(n %d "(%d")\n' % (i, i) for i in range(60_000))
    index = Index.of(b"(top\n" + body + b")")
    assert len(index) == 60_001
    assert index.inside(0).tolist() == list(range(1, 60_001))


def test_very_deep_lists_and_very_long_runs_of_backslashes_are_read() -> None:
    deep = b"(" * 70_000 + b")" * 70_000
    assert Index.of(deep).depth[-1] == 69_999
    slashes = b'("' + b"\\" * 100_000 + b'(")'
    assert len(Index.of(slashes)) == 1


def test_the_teardrops_of_early_kicad_9_are_read_although_their_parentheses_do_not_match() -> None:
    data = b"(pad (teardrops (curved_edges no)filter_ratio 0.9)\n(enabled yes)) (uuid 1) last)"
    index = Index.of(data)
    assert [index.head(i) for i in index.children(0)] == [b"teardrops", b"uuid"]
    assert index.atoms(0) == atoms(data, 0, len(data)) == [b"pad", b"last"]
    assert read_plainly(data) is None
    assert len(Index.of(b'(a ")filter_ratio 0.9)")')) == 1


@given(FILES)
def test_the_lists_around_a_word_are_found_by_searching_for_it(data: bytes) -> None:
    index = Index.of(data)
    found = list(index.around(b"at"))
    assert found == sorted(set(found))
    assert {i for i in range(len(index)) if index.head(i) == b"at"} <= set(found)
