"""From a model's reply to the one program in it, whole or edited, for the studios whose drafts are programs.

A program that is there already may be changed by search-and-replace blocks instead of being written again.
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

APPROACH_LIMIT = 300
EDITABLE = 60
"""Lines from which a request asks for edits instead of the whole program."""
SHOWN = 160
"""Characters of a line that an error message quotes."""

SAID = frozenset({"requirements", "mismatches", "changes"})
"""Fields of the ```json block beside a program."""

APPROACH = re.compile(r"^[^\w\n]*approach[^\w\n]*?[:：]", re.IGNORECASE | re.MULTILINE)
"""The start of a line that says what a reply tries. It matches within one line: over line ends the time would grow with
the square of a reply of comment signs."""
_OPENS = re.compile(r"^<{5,9} ?SEARCH[ \t]*$", re.MULTILINE)
_TURNS = re.compile(r"={5,9}[ \t]*")
_CLOSES = re.compile(r">{5,9} ?REPLACE[ \t]*")
_SYNTAX = "<<<<<<< SEARCH, lines of the {noun} as they are, =======, the lines in their place, >>>>>>> REPLACE"


@dataclass(frozen=True)
class Language:
    """What programs of one kind are called, and how one is known."""

    noun: str
    """`shader`."""
    word: str
    """After the opening of its block: `glsl`."""
    ask: str
    """What a reply should be, as a sentence to the model."""
    is_whole: Callable[[str], bool]
    """Whether a block can be a whole program and not an illustration."""
    identifying: Callable[[str], str]
    """Returns the first line that identifies a program."""


@dataclass(frozen=True)
class Said:
    """What a reply says beside its program, raw but for the mismatches; and whether it says anything."""

    requirements: tuple[JsonValue, ...] = ()
    mismatches: tuple[Mismatch, ...] = ()
    changes: tuple[JsonValue, ...] = ()
    any: bool = False


def said_in(blocks: Sequence[Fence]) -> tuple[Said, list[Fence]]:
    """What the ```json block of a reply says, and the other blocks.

    A block that is not valid JSON costs nothing but itself: what is wrong with it stands in place of the requirements,
    where it is set aside.
    """
    found: dict[str, list[JsonValue]] = {name: [] for name in SAID}
    rest, any_said = list[Fence](), False
    for block in blocks:
        if block.word != "json":
            rest.append(block)
            continue
        any_said = True
        try:
            said = json_in(block.text, SAID)
        except FormatError as error:
            found["requirements"].append(f"the json block: {error}")
            continue
        for name in SAID & said.keys():
            value = cast("JsonValue", said[name])
            found[name] += value if isinstance(value, list) else [value]
    mismatches = mismatches_in(found["mismatches"])
    return Said(tuple(found["requirements"]), mismatches, tuple(found["changes"]), any_said), rest


def program_in(text: str, language: Language, current: str | None) -> tuple[str | None, Said, str]:
    """The program that a reply makes, what it says beside it, and its prose.

    The program is the reply's own, or `current` after its edits; `current` itself when the reply has an approach or a
    ```json block and no program; None when there is none.

    Raises:
        FormatError: no block, several different programs, a program beside edits, or an edit that does not fit exactly
            once.
    """
    blocks, prose = fences(text, language.ask)
    said, rest = said_in(blocks)
    code = _program(rest, prose, language, current)
    if code is None and (said.any or APPROACH.search(prose)):
        code = current
    return code, said, prose


def _program(blocks: Sequence[Fence], prose: str, language: Language, current: str | None) -> str | None:
    marked = [block.text for block in blocks if _OPENS.search(block.text) or block.word == "edit"]
    rest = [block for block in blocks if block.text not in marked]
    loose = _OPENS.search(prose) is not None
    if not marked and not loose:
        return one_program(rest, prose, language) if rest else None
    if any(language.is_whole(block.text) for block in rest):
        raise FormatError(f"The reply holds a whole {language.noun} and edits of one. Send one or the other.")
    if current is None:
        raise FormatError(f"The reply holds edits, and there is no {language.noun} to edit yet. {language.ask}")
    return edited(current, "\n".join([*marked, prose] if loose else marked), language.noun)


def holds_edits(text: str) -> bool:
    """Whether a reply changes a program by search-and-replace blocks."""
    return _OPENS.search(text) is not None


def edited(code: str, text: str, noun: str = "program") -> str:
    """A program after search-and-replace blocks, each applied to what the one before left.

    Raises:
        FormatError: a block is incomplete, or its lines are found nowhere or more than once.
    """
    edits, complete = _edits(text)
    if not edits or not complete:
        whole = _SYNTAX.format(noun=noun)
        raise FormatError(
            f"Edit {len(edits) + 1} is not complete. An edit is five parts, each on lines of its own: {whole}."
        )
    for number, (wanted, new) in enumerate(edits, start=1):
        code = replaced(code, wanted, new, f"Edit {number}", noun)
    return code


def _edits(text: str) -> tuple[list[tuple[list[str], list[str]]], bool]:
    """The lines that each edit searches for and those in their place, up to the first incomplete one; and whether
    there is none such. One pass over the lines."""
    edits: list[tuple[list[str], list[str]]] = []
    wanted, new = list[str](), list[str]()
    part: list[str] | None = None
    for line in text.split("\n"):
        if _OPENS.fullmatch(line):
            if part is not None:
                return edits, False
            part = wanted = []
        elif part is wanted and _TURNS.fullmatch(line):
            part = new = []
        elif part is new and _CLOSES.fullmatch(line):
            edits.append((wanted, new))
            part = None
        elif part is not None:
            part.append(line)
    return edits, part is None


def replaced(code: str, wanted: Sequence[str], new: Sequence[str], name: str, noun: str) -> str:
    """Raises `FormatError` unless the searched lines are there exactly once; spaces at line ends do not count."""
    lines = code.split("\n")
    if not any(line.strip() for line in wanted):
        raise FormatError(f"{name} searches for nothing. Quote the lines of the {noun} that it replaces.")
    found = _places(lines, wanted)
    if len(found) == 1:
        return "\n".join([*lines[: found[0]], *new, *lines[found[0] + len(wanted) :]])
    if not found and code.count(part := "\n".join(wanted).strip("\n")) == 1:
        return code.replace(part, "\n".join(new).strip("\n"))
    if len(found) > 1:
        places = ", ".join(str(place + 1) for place in found[:6])
        raise FormatError(
            f"{name} fits {len(found)} times, at the lines {places}: {_quoted(wanted[0])}. "
            "Quote more of the lines around it, so that it fits once."
        )
    near = _nearest(lines, wanted)
    nearest = "; ".join(f"line {at + 1}: {_quoted(lines[at])}" for at in near)
    raise FormatError(
        f"{name} fits nowhere in the {noun}: there is no {_quoted(_missing(lines, wanted))}. "
        f"The nearest lines are {nearest}. Quote lines exactly as they stand there."
    )


def _places(lines: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """Where the wanted lines stand, each place by its first line, from 0."""
    ends, have = [line.rstrip() for line in wanted], [line.rstrip() for line in lines]
    starts = (at for at, line in enumerate(have) if line == ends[0])
    return [at for at in starts if have[at : at + len(ends)] == ends]


def _missing(lines: Sequence[str], wanted: Sequence[str]) -> str:
    """The first wanted line that stands nowhere; the first of all where each does, in other company."""
    have = {line.rstrip() for line in lines}
    return next((line for line in wanted if line.rstrip() not in have), wanted[0])


def _nearest(lines: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """The three lines most like the one that is missing, from the top."""
    target = _missing(lines, wanted).strip()[:SHOWN]
    matcher = SequenceMatcher(b=target, autojunk=False)

    def likeness(at: int) -> float:
        matcher.set_seq1(lines[at].strip()[:SHOWN])
        return matcher.quick_ratio()

    best = sorted((at for at in range(len(lines)) if lines[at].strip()), key=lambda at: (-likeness(at), at))
    return sorted(best[:3])


def _quoted(line: str) -> str:
    return repr(line.strip()[:SHOWN])


def one_program(blocks: Sequence[Fence], prose: str, language: Language) -> str:
    """The program in a reply.

    Raises:
        FormatError: there is no block, or there are several different programs.
    """
    if not blocks:
        raise FormatError(
            f"The reply holds no {language.noun}: it begins {prose[:60]!r}, and there is no ```{language.word} block. "
            f"{language.ask}"
        )
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
    """What the reply says it tries: its APPROACH line, else its first line of prose, else what is given."""
    named = APPROACH.search(prose)
    said = re.match(r"\W*(.+)", prose[named.end() :]) if named else None
    if said:
        return _short(said.group(1))
    return _short(next((line for line in prose.splitlines() if line.strip()), "") or otherwise)


def _short(line: str) -> str:
    line = " ".join(line.split()).strip("*_` ")
    return line if len(line) <= APPROACH_LIMIT else f"{line[: APPROACH_LIMIT - 1]}…"
