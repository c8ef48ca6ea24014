"""Tables and figures as plain text, aligned by the columns that letters take on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len, chop_cells, set_cell_size

__all__ = ["columns", "figures", "fitted", "number", "plain", "wrapped"]


def columns(rows: Sequence[Sequence[str]], left: int) -> list[str]:
    """Rows of cells as lines; the first `left` columns are set to the left, the others to the right."""
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(_cell(text, widths[at], at < left) for at, text in enumerate(row)) for row in rows]


def _cell(text: str, width: int, to_left: bool) -> str:
    room = " " * (width - cell_len(text))
    return text + room if to_left else room + text


def fitted(line: str, width: int) -> str:
    """A line that takes at most so many columns, with … where it was cut."""
    return line.rstrip() if cell_len(line) <= width else set_cell_size(line, width - 1).rstrip() + "…"


def number(value: float, digits: int = 2) -> str:
    """A figure with at most so many digits behind the point, without zeros that say nothing."""
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def figures(values: Sequence[float]) -> list[str]:
    """A column of figures, all with two digits behind the point or, where all are whole, none."""
    digits = 0 if all(value == round(value) for value in values) else 2
    return [f"{value:.{digits}f}" for value in values]


def plain(text: str) -> str:
    """A text in one line, without what would act on a terminal."""
    return "".join(c if c.isprintable() else "?" for c in " ".join(text.split()))


def wrapped(text: str, width: int) -> list[str]:
    """A text in lines of at most so many columns, broken at spaces; a word that is longer is cut."""
    lines = [""]
    for word in (piece for long in text.split(" ") for piece in chop_cells(long, width) or [""]):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if cell_len(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
