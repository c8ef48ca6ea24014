"""English to constraints: `read` a brief, and `check_consistent`.

One grammar serves the offline model, strict validation and board commands; benchmarks read the final geometry by other
means. Precision goes before recall: what is understood only by guessing is marked `certain=False`, and what is not
understood at all stays in `unchecked`, in the words of the brief.
"""

from __future__ import annotations

from collections.abc import Sequence

from redraft.english.attach import Walk
from redraft.english.book import Book
from redraft.english.chunker import chunked, is_english
from redraft.english.consistency import check_consistent
from redraft.english.leftover import unchecked
from redraft.english.tokens import Line, tokenise
from redraft.spatial.edits import is_edit
from redraft.spatial.reading import Reading

__all__ = ["check_consistent", "read"]


def read(text: str, *, present: Sequence[str] = ()) -> Reading:
    """What an English text asks for. `present` are the nouns of a drawing that is there already, the main one first.

    A grid is named as matrices are, rows first: "a 3 by 4 grid" has three rows of four. Text in other languages is
    unchecked as a whole. Linear in the text's length.

    Raises:
        ContradictionError: its words exclude each other.
    """
    line = Line(text, tokenise(text))
    edit = is_edit(text)
    book = Book(line)
    if is_english(line):
        Walk(book, present=tuple(present)).read(chunked(line))
    reading = Reading(
        text=text,
        mentions=tuple(book.mentions.values()),
        constraints=(*book.counts(edit=edit), *book.constraints),
        unchecked=unchecked(book),
        edit=edit,
    )
    check_consistent(reading, conflicts=book.conflicts)
    return reading
