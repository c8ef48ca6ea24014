"""A script that failed: the part that raised the exception, and changes to its text.

A change is made of edits, each within one line. They become patches with the fields of `result.CodePatch`, whose
`before` occurs once in its line. A set of edits after which the script would not be Python is refused.
"""

from __future__ import annotations

import ast
import re
import types
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar, cast

CodePatch = dict[str, object]
NodeT = TypeVar("NodeT", bound=ast.AST)
_LIBRARIES = ("site-packages", "dist-packages", "scripts/modules", "scripts\\modules", "<frozen", "/lib/python")
_SIGNS = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
"""Parts of a tree without text of their own."""
_PURE = re.compile(r"(?:math\.\w+|(?:mathutils\.)?(?:Vector|Color|Euler|Matrix)|radians|degrees|float|int|bool|tuple)")
MAX_NODES = 400_000
"""Parts of a script's tree; a larger one gets no advice, as it would take seconds."""


@dataclass(frozen=True, order=True)
class Edit:
    """Characters [start, end) of a line, counted from 1, become a text."""

    line: int
    start: int
    end: int
    text: str
    why: str = ""
    """The reason, where it is another one than that of the failing line."""


@dataclass(frozen=True)
class Finding:
    """Advice on one error: hints, the best first, and changes that most likely put it right."""

    hints: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()
    why: str = ""

    @classmethod
    def fix(cls, hint: str, edits: Iterable[Edit] | None, *more_hints: str) -> Finding:
        """Return edits, if there are any, for the reason that the first hint gives."""
        return cls((hint, *more_hints), tuple(edits or ()), hint)


class FailedScript:
    """A script, and the line at which it failed.

    Raises:
        SyntaxError: the code is not valid Python. ValueError: it is far too large.
    """

    def __init__(self, error: BaseException | None, code: str, line: int) -> None:
        self.code = code
        self.lines = code.split("\n")
        self.line = line
        self.tree = ast.parse(code)
        self.nodes: list[ast.AST] = [self.tree]
        self.parents: dict[ast.AST, ast.AST] = {}
        for node in self.nodes:  # it grows as it is walked
            for name in node._fields:
                value: Any = getattr(node, name, None)
                for child in cast("list[Any]", value) if isinstance(value, list) else (value,):
                    if isinstance(child, ast.AST) and not isinstance(child, _SIGNS):
                        self.parents[child] = node
                        self.nodes.append(child)
        if len(self.nodes) > MAX_NODES:
            raise ValueError(f"the script has {len(self.nodes):,} parts; at most {MAX_NODES:,} are read")

        # The innermost part of the traceback that is the script's own, and at this line
        self._trace: types.TracebackType | None = None
        trace = error.__traceback__ if error is not None else None
        while trace is not None:
            file = trace.tb_frame.f_code.co_filename
            if trace.tb_lineno == line and not any(part in file for part in _LIBRARIES):
                self._trace = trace
            trace = trace.tb_next
        self._span = _span(self._trace)

    # When it failed

    @property
    def names(self) -> Mapping[str, Any]:
        """Values of the names that the failing line could see."""
        if self._trace is None:
            return {}
        frame = self._trace.tb_frame
        return {**frame.f_globals, **frame.f_locals}

    def failing(self, kind: type[NodeT], fits: Callable[[NodeT], bool] | None = None) -> NodeT | None:
        """Return the part of this kind that failed: by its place if that is known, else the only one on the line."""
        candidates = [
            n
            for n in self.of_kind(kind)
            if hasattr(n, "lineno") and n.lineno <= self.line <= n.end_lineno and (fits is None or fits(n))  # type: ignore[attr-defined]
        ]
        if self._span is not None:
            if exact := [n for n in candidates if _extent(n) == self._span]:
                return exact[0]
            if inner := [n for n in candidates if _within(_extent(n), self._span)]:
                return min(inner, key=_extent)
            if around := [n for n in candidates if _within(self._span, _extent(n))]:
                return max(around, key=_extent)
        return candidates[0] if len(candidates) == 1 else None

    # Its text

    def text(self, node: ast.expr | ast.stmt | ast.keyword) -> str:
        """Return a part as it stands in the script, in one line."""
        first, start, last, end = self._characters(node)
        return self.lines[first - 1][start:end] if first == last else ast.unparse(node)

    def quoted(self, node: ast.expr, text: str) -> str:
        """Return a text in the quotation marks that another one stands in."""
        mark = self.text(node)[-1]
        return repr(text) if mark == "'" or '"' in text or "\\" in text else f'"{text}"'

    def statement(self, node: ast.AST) -> ast.stmt:
        """Return the statement that a part belongs to."""
        while not isinstance(node, ast.stmt):
            node = self.parents[node]
        return node

    def is_statement(self, call: ast.Call) -> bool:
        """Whether a call is a statement of its own, so that its result is not used."""
        statement = self.statement(call)
        return isinstance(statement, ast.Expr) and statement.value is call

    def alike(self, node: NodeT) -> list[NodeT]:
        """Return all parts that ask the same of the same expression: `e.size` of `e.size = 2`."""
        same = _without_context(node)
        return [n for n in self.of_kind(type(node)) if _without_context(n) == same]

    def of_kind(self, kind: type[NodeT]) -> Iterator[NodeT]:
        """Return all parts of the script of one kind."""
        return (n for n in self.nodes if isinstance(n, kind))

    # Edits of it

    def instead(self, node: ast.AST, text: str) -> list[Edit]:
        """Replace a part by a text."""
        first, start, last, end = self._characters(node)
        return self._over(first, start, last, end, text)

    def _over(self, first: int, start: int, last: int, end: int, text: str) -> list[Edit]:
        if first == last:
            return [Edit(first, start, end, text)]
        after = [(n, len(self.lines[n - 1])) for n in range(first + 1, last)] + [(last, end)]
        rest = [Edit(n, _margin(self.lines[n - 1]), stop, "") for n, stop in after if self.lines[n - 1][:stop].strip()]
        return [Edit(first, start, len(self.lines[first - 1]), text), *rest]

    def mapped(self, node: ast.expr, names: Mapping[str, str]) -> str:
        """Return code that looks the new name up of a name that the script works out."""
        return f"{dict(sorted(names.items()))}.get({self.text(node)}, {self.text(node)})"

    def behind(self, node: ast.AST, text: str) -> list[Edit]:
        """Put a text behind a part."""
        _, _, last, end = self._characters(node)
        return [Edit(last, end, end, text)]

    def attribute(self, node: ast.Attribute, name: str) -> list[Edit]:
        """Give an attribute another name."""
        _, _, last, end = self._characters(node)
        return [Edit(last, end - len(node.attr), end, name)]

    def insert_before(self, node: ast.AST, text: str) -> list[Edit]:
        """Put a statement before the one that a part belongs to."""
        first, start, _, _ = self._characters(self.statement(node))
        margin = self.lines[first - 1][:start]
        if margin.strip():
            return [Edit(first, start, start, f"{text}; ")]
        return [Edit(first, start, start, f"{text}\n{margin}")]

    def chain(self, node: ast.expr) -> ast.expr:
        """Return all that is asked of a part: `slots[0].texture` of `slots`, with items and calls on the way."""
        parent = self.parents[node]
        if isinstance(parent, (ast.Attribute, ast.Subscript)) and parent.value is node:
            return self.chain(parent)
        return self.chain(parent) if isinstance(parent, ast.Call) and parent.func is node else node

    def left_out(self, node: ast.expr) -> list[Edit] | None:
        """Remove the statement that only sets or calls a part, or what is in it; None where more hangs on it.

        Of what it was given, calls that may do something stay. Of a statement that sets several, one goes.
        """
        statement, chain = self.statement(node), self.chain(node)
        if isinstance(statement, ast.Assign) and len(statement.targets) > 1 and chain in statement.targets:
            parts = [*statement.targets, statement.value]
            first, start, _, _ = self._characters(chain)
            last, end, _, _ = self._characters(parts[parts.index(chain) + 1])
            return self._over(first, start, last, end, "")

        if (isinstance(statement, ast.Assign) and statement.targets == [chain]) or (
            isinstance(statement, ast.AugAssign) and statement.target is chain
        ):
            given = [statement.value]
        elif isinstance(statement, ast.Expr) and isinstance(chain, ast.Call) and statement.value is chain:
            given = [*chain.args, *(k.value for k in chain.keywords)]
        else:
            return None

        kept: list[ast.expr] = []
        for value in given:
            calls = [n for n in ast.walk(value) if isinstance(n, (ast.Call, ast.NamedExpr))]
            if not all(isinstance(c, ast.Call) and _PURE.fullmatch(self.text(c.func)) for c in calls):
                kept.append(value)
        return self.instead(statement, ", ".join(map(self.text, kept)) or "pass")

    def nothing_for(self, node: ast.expr) -> list[Edit] | None:
        """Put something empty in place of what is asked of a part: its attributes may be set, without an effect."""
        chain = self.chain(node)
        parent = self.parents[chain]
        if isinstance(parent, (ast.For, ast.comprehension, ast.Call)):
            return self.instead(chain, "()")
        return self.instead(chain, 'type("Gone", (), {})()') if isinstance(parent, ast.Assign) else None

    def removed(self, node: ast.expr) -> list[Edit] | None:
        """Leave out the statement of a part, or put something empty in its place."""
        return self.left_out(node) or self.nothing_for(node)

    def without_keywords(self, call: ast.Call, gone: Sequence[ast.keyword]) -> list[Edit]:
        """Remove arguments, with the commas that belong to them."""
        arguments = sorted([*call.args, *call.keywords], key=_extent)
        return self._without([(a, a) for a in arguments], [a in gone for a in arguments])

    def without_entries(self, entries: ast.Dict, gone: Sequence[ast.expr]) -> list[Edit]:
        """Remove entries of a dictionary by their keys, with the commas that belong to them."""
        pairs = [(key or value, value) for key, value in zip(entries.keys, entries.values, strict=True)]
        return self._without(pairs, [key in gone for key, _ in pairs])

    def _without(self, parts: Sequence[tuple[ast.AST, ast.AST]], gone: Sequence[bool]) -> list[Edit]:
        edits: list[Edit] = []
        for at, (begin, _) in enumerate(parts):
            if not gone[at] or (at and gone[at - 1]):
                continue
            to = next((k for k in range(at, len(parts)) if not gone[k]), len(parts))
            first, start, last, end = *self._characters(begin)[:2], *self._characters(parts[to - 1][1])[2:]
            if to < len(parts):
                last, end, _, _ = self._characters(parts[to][0])
            elif at:
                _, _, first, start = self._characters(parts[at - 1][1])
            edits += self._over(first, start, last, end, "")
        return edits

    def insert_behind(self, statement: ast.stmt, text: str) -> list[Edit]:
        """Put a statement behind another one."""
        first, start, last, end = self._characters(statement)
        margin = self.lines[first - 1][:start]
        if margin.strip() or self.lines[last - 1][end:].split("#")[0].strip():
            return [Edit(last, end, end, f"; {text}")]
        line = self.lines[last - 1]
        return [Edit(last, len(line), len(line), f"\n{margin}{text}")]

    def keyword_name(self, keyword: ast.keyword, name: str) -> list[Edit]:
        """Give a keyword another name."""
        first, start, _, _ = self._characters(keyword)
        return [Edit(first, start, start + len(keyword.arg or ""), name)]

    def sign(self, node: ast.BinOp, old: str, new: str) -> list[Edit]:
        """Replace the sign between two operands."""
        _, _, first, start = self._characters(node.left)
        last, end, _, _ = self._characters(node.right)
        for line in range(first, last + 1):
            text = self.lines[line - 1].split("#")[0] if line < last else self.lines[line - 1][:end]
            at = text.find(old, start if line == first else 0)
            if at >= 0:
                return [Edit(line, at, at + len(old), new)]
        return []

    def _characters(self, node: Any) -> tuple[int, int, int, int]:
        """Return first line and character, last line and the character behind it."""
        first, start, last, end = _extent(node)
        return first, _character(self.lines[first - 1], start), last, _character(self.lines[last - 1], end)

    def patches(self, edits: Sequence[Edit], why: str) -> tuple[CodePatch, ...]:
        """Return edits as patches, the last line first; none where they overlap or the result would not be Python."""
        by_line: dict[int, set[Edit]] = defaultdict(set)
        for edit in edits:
            by_line[edit.line].add(edit)
        patches: list[CodePatch] = []
        lines = list(self.lines)
        for line, changes in sorted(by_line.items(), reverse=True):
            patch = _patch_of(self.lines[line - 1], sorted(changes))
            if patch is None:
                return ()
            before, after = patch
            lines[line - 1] = lines[line - 1].replace(before, after, 1)
            own = next((e.why for e in sorted(changes) if e.why), "")
            reason = own or (why if line == self.line else f"as in line {self.line}")
            patches.append({"line": line, "before": before, "after": after, "why": reason})
        with suppress(SyntaxError):
            ast.parse("\n".join(lines))
            return tuple(patches)
        return ()


def _without_context(node: Any) -> str:
    if isinstance(node, ast.Call):
        return ast.dump(node.func)
    return ast.dump(node.value) + (node.attr if isinstance(node, ast.Attribute) else ast.dump(node.slice))


def _span(trace: types.TracebackType | None) -> tuple[int, int, int, int] | None:
    """Return what exactly failed: first line, byte, last line, byte."""
    if trace is None or trace.tb_lasti < 0:
        return None
    at = trace.tb_lasti // 2
    positions = next(islice(trace.tb_frame.f_code.co_positions(), at, None), None)
    if positions is None:
        return None
    first, last, start, end = positions
    if first is None or last is None or start is None or end is None:
        return None
    return first, start, last, end


def _extent(node: Any) -> tuple[int, int, int, int]:
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


def _within(inner: tuple[int, int, int, int], outer: tuple[int, int, int, int]) -> bool:
    return inner[:2] >= outer[:2] and inner[2:] <= outer[2:]


def _character(line: str, byte: int) -> int:
    return len(line.encode()[:byte].decode(errors="replace"))


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())


def _patch_of(line: str, edits: Sequence[Edit]) -> tuple[str, str] | None:
    """Return the smallest part of a line around some edits that occurs once, and what becomes of it."""
    start, end = edits[0].start, edits[-1].end
    after, at = "", start
    for edit in edits:
        if edit.start < at:
            return None
        after += line[at : edit.start] + edit.text
        at = edit.end
    after += line[at:end]

    # An insertion, or a text that stands twice, is told by the whole line.
    if not line[start:end].strip() or line.count(line[start:end]) != 1:
        margin = _margin(line)
        after = line[margin:start] + after + line[end:].rstrip()
        start, end = margin, len(line.rstrip())
    if not (line[:start] + after + line[end:]).strip():
        after = "#"  # an empty line would be taken for a statement that was left out
    before = line[start:end]
    return (before, after) if before and line.count(before) == 1 and before != after else None
