"""Which pad "that pin" refers back to."""

from __future__ import annotations

import pytest
from commanded import bench

from redraft.english.names import Names, earlier_pad, named_line

NAMES = Names(bench())


def before_the_end(text: str) -> tuple[str, str] | None:
    line = named_line(text, NAMES)
    return earlier_pad(line, len(line))


@pytest.mark.parametrize(
    ("text", "pad"),
    [
        ("right of U1.4", ("U1", "4")),
        ("right of U1 pin 4", ("U1", "4")),
        ("right of pin 4 of the IC U1", ("U1", "4")),
        ("U1's pad 4 is hot", ("U1", "4")),
        ("C1 near pin 1 of U1", ("U1", "1")),
        ("U1.4 is not U2.3", ("U2", "3")),
        ("U2.3 feeds pin 4 of U1 and that pin", ("U1", "4")),
        ("right of U1", None),
        ("pin 40 of U1", None),
        ("that pin", None),
        ("", None),
    ],
)
def test_the_pad_named_last(text: str, pad: tuple[str, str] | None) -> None:
    assert before_the_end(text) == pad


def test_what_was_named_long_ago_is_forgotten() -> None:
    assert before_the_end("U1.4 " + "well " * 50) == ("U1", "4")
    assert before_the_end("U1.4 " + "well " * 100) is None
