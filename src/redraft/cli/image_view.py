"""Lines for the terminal about generations of the image studio: a table of them, and their variety in figures.

Prompts, concepts and paths are foreign text, so they are printed without control characters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from redraft.cli.terminal import plain

if TYPE_CHECKING:
    from redraft.ideas.history import Generation
    from redraft.ideas.novelty import Motif
    from redraft.metrics.variety import Variety

GAP = "  "
DATE = 16
"""Cells of `2026-11-22 09:30`."""
CONCEPTS = 30
"""Cells at most; a third of a narrow terminal."""
LEAST_PROMPT = 24
"""Cells below which the path goes on a line of its own."""
NARROWEST = 40
"""Cells that the table has at least."""
MOTIFS = 12


def history_lines(rows: Sequence[Generation], width: int) -> list[str]:
    """Return a table of generations, in the order given: date (UTC), concepts, start of the prompt, path of the image.

    No line is wider than `width` cells (at least 40), except for a longer path, which is never cut.
    """
    if not rows:
        return ["No image has been made yet."]
    table = [_HEAD, *(_cells(row) for row in rows)]
    width = max(width, NARROWEST)
    concepts = min(max(_width(row[1]) for row in table), CONCEPTS, (width - DATE) // 3)
    longest = max(_width(row[3]) for row in table)
    room = width - DATE - concepts - 2 * len(GAP)
    beside = room - longest - len(GAP) >= LEAST_PROMPT
    prompt = room - longest - len(GAP) if beside else room
    return [line for row in table for line in _lines(row, concepts, prompt, beside=beside)]


_HEAD = ("date", "concepts", "prompt", "image")
_Row = tuple[str, str, str, str]


def _cells(row: Generation) -> _Row:
    date = f"{row.created_at[:10]} {row.created_at[11:16]}"
    return _line(date), _line(", ".join(row.selected_concepts)), _line(row.final_image_prompt), _line(row.image_path)


def _lines(row: _Row, concepts: int, prompt: int, *, beside: bool) -> list[str]:
    date, words, text, path = row
    first = GAP.join((_fitted(date, DATE), _fitted(words, concepts), _fitted(text, prompt)))
    if beside:
        return [f"{first}{GAP}{path}".rstrip()]
    return [first.rstrip()] if row is _HEAD or not path else [first.rstrip(), f"{GAP}{path}"]


def diversity_lines(variety: Variety, pictures: float | None, motifs: Sequence[Motif]) -> list[str]:
    """Return the variety of prompts (and `pictures`, a Vendi score) as lines, each figure with its meaning.

    `motifs` are words of several prompts, the most frequent first.
    """
    if variety.texts < 2:
        return [f"{_counted(variety.texts, 'prompt')}: variety needs at least two."]
    rows = [
        ("Different in effect", f"{variety.vendi:.1f} of {variety.texts}", "Vendi score; 1 if all were alike"),
        ("Different words", f"{variety.distinct_1:.2f}", "distinct-1; less in long texts"),
        ("Different word pairs", f"{variety.distinct_2:.2f}", "distinct-2"),
        ("Likeness", f"{variety.self_bleu:.2f}", "self-BLEU; lower is more varied"),
    ]
    if pictures is not None:
        rows.append(("Pictures, in effect", f"{pictures:.1f}", "Vendi score of colors and edges"))
    names, values = (max(len(row[n]) for row in rows) for n in (0, 1))
    table = [f"{name:<{names}}{GAP}{value:<{values}}{GAP}{meaning}" for name, value, meaning in rows]
    head = f"{variety.texts:,} prompts of {variety.words:.0f} words on average; other lengths do not compare"
    return [head, "", *table, "", *_motif_lines(motifs, variety.texts)]


def _motif_lines(motifs: Sequence[Motif], of: int) -> list[str]:
    if not motifs:
        return ["No word is common to many of them."]
    shown = motifs[:MOTIFS]
    terms = [_cut(_line(motif.term), 40) for motif in shown]
    wide = max(_width(term) for term in terms)
    bars = [
        f"{GAP}{_fitted(t, wide)}{GAP}{m.prompts:>5}  {_bar(m.prompts, of)}" for t, m in zip(terms, shown, strict=True)
    ]
    more = [f"{GAP}… and {len(motifs) - MOTIFS:,} more"] if len(motifs) > MOTIFS else []
    return [f"Repeated words, and in how many of the {of:,}:", *(bar.rstrip() for bar in bars), *more]


def _bar(part: int, whole: int) -> str:
    return "█" * round(20 * min(part, whole) / whole) if whole else ""


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _line(text: str) -> str:
    """One line of plain text."""
    return plain(" ".join(text.split()))


def _width(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)


def _fitted(text: str, width: int) -> str:
    """Exactly so many cells: cut with an ellipsis, or filled up."""
    cut = _cut(text, width)
    return cut + " " * (width - _width(cut))


def _cut(text: str, width: int) -> str:
    """At most so many cells."""
    if _width(text) <= width:
        return text
    kept = ""
    for character in text:
        if _width(kept + character) > width - 1:
            break
        kept += character
    return f"{kept.rstrip()}…"
