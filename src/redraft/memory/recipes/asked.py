"""Mends of what a Python program asks of a thing: `THING.old` stands as another expression of the same thing now.

Of a remembered line, and of the one that fails, three parts are told apart that may be anything: the thing that is
asked, the value that is assigned, the arguments of a call. The rest is what the fix has to teach.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from redraft.memory.change import Case, Change
from redraft.memory.declared import Program
from redraft.memory.recipes.library import told
from redraft.memory.tokens import Edit, Token, words

__all__ = ["asked_otherwise", "shows_asked", "shows_signs", "signs"]

LEFT_OUT = ("", "pass")
MAKING = ("new", "add", "append", "load")
LONGEST = 60
"""Tokens of a line that are looked at."""


@dataclass(frozen=True)
class _Asking:
    """Where a line asks a thing for an attribute: its tokens [start, end), and the parts that may be anything."""

    start: int
    end: int
    path: tuple[str, ...]
    """The names of the thing, and of the attribute."""
    form: str
    """`=` where it is assigned to, `(` where it is called, else empty."""
    given: str
    """The value or the arguments, as they stand."""
    makes: bool
    """Whether something new is made in the collection that the attribute is."""


def _asking(program: Program, within: range, attribute: str, *, bare: bool = False) -> _Asking | None:
    """The first place; `bare` without what is assigned or the call."""
    place = next((i for i in within if program.at(i) == attribute and program.is_field(i)), -1)
    if place < 2:
        return None
    first = place
    while program.is_field(first) and first > 1 and program.tokens[first - 2].kind == "name":
        first -= 2
    if program.is_field(first):
        return None
    path = tuple(program.at(i) for i in range(first, place + 1, 2))
    sign = "" if bare else program.at(place + 1)
    makes = program.at(place + 1) == "." and program.at(place + 2) in MAKING
    if sign == "(" and place + 1 in program.partners:
        close = program.partners[place + 1]
        return _Asking(first, close + 1, path, sign, _text(program, place + 2, close), makes)
    if sign == "=" and first == within.start and place + 2 < within.stop:
        return _Asking(first, within.stop, path, sign, _text(program, place + 2, within.stop), makes)
    return _Asking(first, place + 1, path, "", "", makes)


def _text(program: Program, first: int, last: int) -> str:
    return program.code[program.tokens[first].start : program.tokens[last - 1].end] if first < last else ""


@dataclass(frozen=True)
class _Rewriting:
    """What a fix teaches: of a path that ends so, in this form, the line becomes a text with the parts put in."""

    tail: tuple[str, ...]
    form: str
    lead: str
    """Lines that are put before."""
    text: str
    """With `{thing}` and `{given}`."""
    makes: bool
    whole: bool
    """What is given is not asked for any more, and must be something plain."""

    @property
    def bare(self) -> bool:
        """Whether the same is asked, elsewhere: then it does not matter in what form."""
        return not self.form and not self.whole


def shows_asked(change: Change) -> bool:
    """Whether a fix asks the same thing otherwise, or leaves out what was asked."""
    return change.python and _rewriting(change) is not None


def _rewriting(change: Change) -> _Rewriting | None:
    before, lead, after = _lines_of(change)
    broken = Program(before, python=True)
    asking = _asking(broken, range(min(len(broken.tokens), LONGEST)), told(change))
    if asking is None:
        return None
    ahead, behind = before[: broken.tokens[asking.start].start], before[broken.tokens[asking.end - 1].end :]
    if after.strip() in LEFT_OUT and not lead:
        alone = not ahead.strip() and not behind.strip() and asking.form in ("=", "(")
        return _Rewriting(asking.path[-1:], asking.form, "", "pass", asking.makes, whole=True) if alone else None
    if not (after.startswith(ahead) and after.endswith(behind)) or len(after) < len(ahead) + len(behind):
        return None
    middle = after[len(ahead) : len(after) - len(behind)]
    thing = _thing(asking.path, [middle, lead])
    tail = asking.path[len(thing) :]
    if not thing and len(tail) > 2:
        tail = tail[-2:]
    parts = {"{thing}": ".".join(thing), "{given}": asking.given}
    text = _with_holes(middle, parts)
    form = asking.form
    for same, ending in (("=", "= {given}"), ("(", "({given})"), ("(", "()")):
        if form == same and text.endswith(ending) and text.count("{given}") <= 1:
            text, form = text.removesuffix(ending).rstrip(), ""
    if form and asking.given and "{given}" not in text:
        return None
    return _Rewriting(tail, form, _with_holes(lead, parts), text, asking.makes, whole=False)


def _lines_of(change: Change) -> tuple[str, str, str]:
    """The broken line that the error is about, the lines that were put before it, and what it became."""
    broken, fixed = change.fix.broken_snippet.split("\n"), change.fix.fixed_snippet.split("\n")
    word = told(change)
    at = next((n for n, line in enumerate(broken) if any(t.text == word for t in words(line, python=True))), -1)
    if at < 0 or not word:
        return "", "", ""
    if len(broken) == len(fixed):
        return broken[at].strip(), "", fixed[at].strip()
    if len(broken) == 1:
        return broken[0].strip(), "\n".join(fixed[:-1]), fixed[-1].strip()
    return "", "", ""


def _thing(path: Sequence[str], texts: Sequence[str]) -> tuple[str, ...]:
    """The longest beginning of a path that the new text still asks; empty where it asks none of it."""
    tokens = [[t.text for t in words(text, python=True)] for text in texts]
    for size in range(len(path) - 1, 0, -1):
        wanted = ".".join(path[:size])
        sought = [t.text for t in words(wanted, python=True)]
        if any(_found(line, sought) for line in tokens) and not (size == 1 and path[0] == "bpy"):
            return tuple(path[:size])
    return ()


def _found(tokens: Sequence[str], sought: Sequence[str]) -> bool:
    return any(list(tokens[i : i + len(sought)]) == list(sought) for i in range(len(tokens)))


def _with_holes(text: str, parts: Mapping[str, str]) -> str:
    """A text in which each part, where it stands as such, is replaced by its name."""
    for name, part in parts.items():
        sought = words(part, python=True)
        tokens = words(text, python=True)
        edits = [i for i in range(len(tokens) - len(sought) + 1) if sought and _stands(tokens, i, sought)]
        for i in reversed(edits):
            text = text[: tokens[i].start] + name + text[tokens[i + len(sought) - 1].end :]
    return text


def _stands(tokens: Sequence[Token], at: int, sought: Sequence[Token]) -> bool:
    inside = at and tokens[at - 1].text == "." and sought[0].kind == "name"
    return not inside and all(tokens[at + k].text == token.text for k, token in enumerate(sought))


def asked_otherwise(case: Case) -> list[Edit] | None:
    """The thing on the error's line is asked as the remembered one is."""
    rewriting, program = _rewriting(case.change), case.program
    if rewriting is None or not case.here:
        return None
    asking = _asking(program, case.here, case.error.token, bare=rewriting.bare)
    if asking is None or (asking.form, asking.makes) != (rewriting.form, rewriting.makes):
        return None
    if asking.path[len(asking.path) - len(rewriting.tail) :] != rewriting.tail:
        return None
    if rewriting.whole and not _is_plain(asking.given):
        return None
    thing = ".".join(asking.path[: len(asking.path) - len(rewriting.tail)])
    start, end = program.tokens[asking.start].start, program.tokens[asking.end - 1].end
    edits = [_smallest(program.code, Edit(start, end, _filled(rewriting.text, thing, asking.given)))]
    if rewriting.lead:
        line, margin = program.line_span(case.line)[0], program.indent(case.line)
        lead = [margin + text for text in _filled(rewriting.lead, thing, asking.given).split("\n")]
        edits.append(Edit(line, line, "\n".join([*lead, ""])))
    return edits


def _smallest(code: str, edit: Edit) -> Edit:
    """The same edit without what it leaves as it was at either end."""
    old, new = code[edit.start : edit.end], edit.text
    head = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    most = min(len(old), len(new)) - head
    tail = next((i for i in range(most) if old[-1 - i] != new[-1 - i]), most)
    return Edit(edit.start + head, edit.end - tail, new[head : len(new) - tail])


def _filled(text: str, thing: str, given: str) -> str:
    return text.replace("{thing}", thing).replace("{given}", given)


def _is_plain(text: str) -> bool:
    """Whether nothing is lost when a value is not worked out: no call in it."""
    tokens = words(text, python=True)
    return not any(b.text == "(" and a.kind == "name" for a, b in pairwise(tokens))


# Signs


def shows_signs(change: Change) -> bool:
    """Whether one sign between operands became another, and nothing else changed."""
    return _signs(change) is not None


def _signs(change: Change) -> tuple[str, str] | None:
    pairs = {
        (change.broken.at(s.start), change.fixed.at(s.start_after))
        for s in change.spans
        if (s.end - s.start, s.end_after - s.start_after) == (1, 1)
    }
    signs = all(t.kind == "sign" and t.text in ("*", "@", "+", "-", "/", "%") for t in (*change.removed, *change.added))
    return next(iter(pairs)) if change.python and signs and len(pairs) == 1 and len(change.removed) else None


def signs(case: Case) -> list[Edit] | None:
    """The same sign on the error's line, but beside a number: that is another product."""
    pair, program = _signs(case.change), case.program
    if pair is None:
        return None
    beside = [
        i
        for i in case.here
        if program.at(i) == pair[0] and 0 < i < len(program.tokens) - 1 and not _beside_number(program, i)
    ]
    return [case.instead(i, pair[1]) for i in beside] or None


def _beside_number(program: Program, index: int) -> bool:
    return any(program.tokens[i].kind == "number" for i in (index - 1, index + 1))
