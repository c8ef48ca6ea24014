"""Read the one program in a model's reply, for studios whose drafts are programs.

The reply may hold the whole program, or search-and-replace blocks that change the current one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import cast

from pydantic import JsonValue

from redraft.errors import FormatError
from redraft.layout.requirements import mismatches_in
from redraft.models.replies import Fence, fences, json_in
from redraft.result import Mismatch

MAX_APPROACH = 300
"""Characters of the line in which a reply says what it tries."""
EDITABLE = 60
"""Lines from which a request asks for edits instead of the whole program."""
MAX_QUOTED = 160
"""Characters of a line that an error message quotes."""

FIELDS = ("requirements", "mismatches", "changes")
"""Fields of the ```json block beside a program."""

APPROACH = re.compile(r"^[^\w\n]*approach[^\w\n]*?[:：]", re.IGNORECASE | re.MULTILINE)
"""The start of a line that says what a reply tries. It matches within one line: across lines the time would grow with
the square of the length of a reply of comment signs."""
_SEARCH = re.compile(r"^<{5,9} ?SEARCH[ \t]*$", re.MULTILINE)
_DIVIDER = re.compile(r"={5,9}[ \t]*")
_REPLACE = re.compile(r">{5,9} ?REPLACE[ \t]*")
_SYNTAX = "<<<<<<< SEARCH, lines of the {noun} as they are, =======, the lines in their place, >>>>>>> REPLACE"


@dataclass(frozen=True)
class Language:
    """The words for programs of one kind, and the signs by which one is recognized."""

    noun: str
    """`shader`."""
    ask: str
    """What a reply should be, as a sentence to the model."""
    is_whole: Callable[[str], bool]
    """Returns whether a block can be a whole program and not an illustration."""
    identifying: Callable[[str], str]
    """Returns the first line that identifies a program."""


@dataclass(frozen=True)
class Beside:
    """The data of a reply beside its program; `any` is true if there is a block of it, however empty."""

    requirements: tuple[JsonValue, ...] = ()
    mismatches: tuple[Mismatch, ...] = ()
    changes: tuple[JsonValue, ...] = ()
    any: bool = False


def program_in(text: str, language: Language, current: str | None) -> tuple[str | None, Beside, str]:
    """Return the program that a reply makes, the data beside it, and its prose.

    The program is the reply's own, or `current` after its edits; `current` itself when the reply has an approach or a
    ```json block and no program; None when there is none.

    Raises:
        FormatError: no block, several different programs, a program beside edits, or an edit that does not fit exactly
            once.
    """
    blocks, prose = fences(text, language.ask)
    beside = _data_in([block for block in blocks if block.word == "json"])
    blocks = [block for block in blocks if block.word != "json"]

    edits = [block.text for block in blocks if _SEARCH.search(block.text) or block.word == "edit"]
    others = [block for block in blocks if block.text not in edits]
    if _SEARCH.search(prose):  # edits outside of any block
        edits.append(prose)

    code: str | None = None
    if edits:
        if any(language.is_whole(block.text) for block in others):
            raise FormatError(f"The reply holds a whole {language.noun} and edits of one. Send one or the other.")
        if current is None:
            raise FormatError(f"The reply holds edits, and there is no {language.noun} to edit yet. {language.ask}")
        code = edited(current, "\n".join(edits), language.noun)
    elif others:
        code = _one_program(others, language)
    elif beside.any or APPROACH.search(prose):
        code = current
    return code, beside, prose


def _data_in(blocks: Sequence[Fence]) -> Beside:
    """Return the data of the ```json blocks of a reply.

    A block that is not valid JSON does not cost the program: its error becomes a requirement, which is set aside.
    """
    values: dict[str, list[JsonValue]] = {name: [] for name in FIELDS}
    for block in blocks:
        try:
            data = json_in(block.text, frozenset(FIELDS))
        except FormatError as error:
            values["requirements"].append(f"the json block: {error}")
            continue
        for name in FIELDS:
            if name in data:
                value = cast("JsonValue", data[name])
                values[name] += value if isinstance(value, list) else [value]
    mismatches = mismatches_in(values["mismatches"])
    return Beside(tuple(values["requirements"]), mismatches, tuple(values["changes"]), any=bool(blocks))


def holds_edits(text: str) -> bool:
    """Return whether a reply changes a program by search-and-replace blocks."""
    return _SEARCH.search(text) is not None


def edited(code: str, text: str, noun: str = "program") -> str:
    """Return a program after search-and-replace blocks, each applied to the result of the one before.

    Raises:
        FormatError: a block is incomplete, or its lines are found nowhere or more than once.
    """
    edits: list[tuple[list[str], list[str]]] = []
    old, new = list[str](), list[str]()
    part: list[str] | None = None
    for line in text.split("\n"):
        if _SEARCH.fullmatch(line):
            if part is not None:
                break  # the edit before has no end
            part = old = []
        elif part is old and _DIVIDER.fullmatch(line):
            part = new = []
        elif part is new and _REPLACE.fullmatch(line):
            edits.append((old, new))
            part = None
        elif part is not None:
            part.append(line)
    if not edits or part is not None:
        syntax = _SYNTAX.format(noun=noun)
        raise FormatError(
            f"Edit {len(edits) + 1} is not complete. An edit is five parts, each on lines of its own: {syntax}."
        )
    for number, (old, new) in enumerate(edits, start=1):
        code = replaced(code, old, new, f"Edit {number}", noun)
    return code


def replaced(code: str, old: Sequence[str], new: Sequence[str], name: str, noun: str) -> str:
    """Return a program with lines replaced; spaces at line ends do not count.

    Raises:
        FormatError: the old lines do not occur exactly once; the message names the edit, and the nearest lines.
    """
    lines = code.split("\n")
    if not any(line.strip() for line in old):
        raise FormatError(f"{name} searches for nothing. Quote the lines of the {noun} that it replaces.")

    stripped, searched = [line.rstrip() for line in lines], [line.rstrip() for line in old]
    starts = (at for at, line in enumerate(stripped) if line == searched[0])
    places = [at for at in starts if stripped[at : at + len(searched)] == searched]
    if len(places) == 1:
        return "\n".join([*lines[: places[0]], *new, *lines[places[0] + len(old) :]])
    if not places and code.count(part := "\n".join(old).strip("\n")) == 1:  # a part of a line
        return code.replace(part, "\n".join(new).strip("\n"))
    if places:
        listed = ", ".join(str(place + 1) for place in places[:6])
        raise FormatError(
            f"{name} fits {len(places)} times, at the lines {listed}: {_quoted(old[0])}. "
            "Quote more of the lines around it, so that it fits once."
        )

    # The line that occurs nowhere; the first one where each occurs, but among other lines.
    known = set(stripped)
    missing = next((line for line in old if line.rstrip() not in known), old[0])
    matcher = SequenceMatcher(b=missing.strip()[:MAX_QUOTED], autojunk=False)

    def likeness(at: int) -> float:
        matcher.set_seq1(lines[at].strip()[:MAX_QUOTED])
        return matcher.quick_ratio()

    ranked = sorted((at for at in range(len(lines)) if lines[at].strip()), key=lambda at: (-likeness(at), at))
    nearest = "; ".join(f"line {at + 1}: {_quoted(lines[at])}" for at in sorted(ranked[:3]))
    raise FormatError(
        f"{name} fits nowhere in the {noun}: there is no {_quoted(missing)}. "
        f"The nearest lines are {nearest}. Quote lines exactly as they stand there."
    )


def _quoted(line: str) -> str:
    return repr(line.strip()[:MAX_QUOTED])


def _one_program(blocks: Sequence[Fence], language: Language) -> str:
    """Return the program in the blocks of a reply, of which some may be illustrations.

    Raises:
        FormatError: there are several different programs.
    """
    codes = list(dict.fromkeys(block.text for block in blocks))
    whole = [code for code in codes if language.is_whole(code)]
    if len(whole) > 1:
        raise FormatError(
            f"The reply holds {len(whole)} different {language.noun}s (they begin "
            f"{' and '.join(repr(language.identifying(code)[:60]) for code in whole[:3])}); exactly one is expected. "
            f"{language.ask}"
        )
    return (whole or codes)[0]


def approach_in(prose: str, otherwise: str = "") -> str:
    """Return what a reply says it tries: its APPROACH line, else its first line of prose, else `otherwise`."""
    heading = APPROACH.search(prose)
    match = re.match(r"\W*(.+)", prose[heading.end() :]) if heading else None
    line = match[1] if match else next((line for line in prose.splitlines() if line.strip()), "") or otherwise
    line = " ".join(line.split()).strip("*_` ")
    return line if len(line) <= MAX_APPROACH else f"{line[: MAX_APPROACH - 1]}…"
