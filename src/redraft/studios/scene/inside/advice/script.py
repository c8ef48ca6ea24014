"""A script that failed: the part that raised the exception, and changes to its text.

A change is made of edits, each within one line. They become patches with the fields of `result.CodePatch`, whose
`before` occurs once in its line. A set of edits after which the script would not be Python is refused.
"""

from __future__ import annotations

import ast
import re
import types
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar, cast

CodePatch = dict[str, object]
NodeT = TypeVar("NodeT", bound=ast.AST)
LIBRARIES = ("site-packages", "dist-packages", "scripts/modules", "scripts\\modules", "<frozen", "/lib/python")
SIGNS = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
"""Parts of a tree without text of their own."""
_PURE = re.compile(r"(?:math\.\w+|(?:mathutils\.)?(?:Vector|Color|Euler|Matrix)|radians|degrees|float|int|bool|tuple)")
MOST_NODES = 400_000
"""Of a script's tree; a larger one gets no advice."""


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
    """What is known of one error: hints, the best first, and changes that most likely put it right."""

    hints: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()
    why: str = ""


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
            for child in _children(node):
                self.parents[child] = node
                self.nodes.append(child)
        if len(self.nodes) > MOST_NODES:
            raise ValueError(f"the script has {len(self.nodes):,} parts; at most {MOST_NODES:,} are read")
        self._trace = _innermost(error, line)
        self._span = _span(self._trace)

    # What was there when it failed

    @property
    def names(self) -> Mapping[str, Any]:
        """The values of the names that the failing line could see."""
        if self._trace is None:
            return {}
        frame = self._trace.tb_frame
        return {**frame.f_globals, **frame.f_locals}

    def failing(self, kind: type[NodeT], fits: Callable[[NodeT], bool] | None = None) -> NodeT | None:
        """The part of this kind that failed: by its exact place where that is known, else the only one on the line."""
        found = [n for n in self.nodes if isinstance(n, kind) and self._on_line(n) and (fits is None or fits(n))]
        exact = [n for n in found if self._span == _extent(n)]
        inner = [n for n in found if self._span is not None and _within(_extent(n), self._span)]
        around = [n for n in found if self._span is not None and _within(self._span, _extent(n))]
        if exact or inner:
            return (exact or sorted(inner, key=_extent))[0]
        if around:
            return max(around, key=_extent)
        return found[0] if len(found) == 1 else None

    def _on_line(self, node: ast.AST) -> bool:
        first = getattr(node, "lineno", None)
        return first is not None and first <= self.line <= node.end_lineno  # type: ignore[attr-defined]

    # Its text

    def text(self, node: ast.expr | ast.stmt) -> str:
        """A part as it stands in the script; in one line."""
        first, start, last, end = self._characters(node)
        return self.lines[first - 1][start:end] if first == last else ast.unparse(node)

    def quoted(self, node: ast.expr, text: str) -> str:
        """A text in the quotation marks that another one stands in."""
        mark = self.text(node)[-1]
        return repr(text) if mark == "'" or '"' in text or "\\" in text else f'"{text}"'

    def statement(self, node: ast.AST) -> ast.stmt:
        """The statement that a part belongs to."""
        while not isinstance(node, ast.stmt):
            node = self.parents[node]
        return node

    def alike(self, node: NodeT) -> list[NodeT]:
        """All parts that ask the same of the same expression: `e.size` of `e.size = 2`."""
        same = _without_context(node)
        return [n for n in self.of_kind(type(node)) if _without_context(n) == same]

    def alike_inputs(self, node: ast.Subscript) -> list[tuple[ast.Subscript, int]]:
        """All items of the same expression that are asked for by number, and the number."""
        same = ast.dump(node.value)
        numbers = [(n, n.slice.value) for n in self.of_kind(ast.Subscript) if isinstance(n.slice, ast.Constant)]
        return [(n, number) for n, number in numbers if isinstance(number, int) and ast.dump(n.value) == same]

    def of_kind(self, kind: type[NodeT]) -> Iterator[NodeT]:
        """All parts of the script of one kind."""
        return (n for n in self.nodes if isinstance(n, kind))

    # Changes

    def instead(self, node: ast.AST, text: str) -> list[Edit]:
        """A part becomes another text."""
        first, start, last, end = self._characters(node)
        return self._over(first, start, last, end, text)

    def _over(self, first: int, start: int, last: int, end: int, text: str) -> list[Edit]:
        if first == last:
            return [Edit(first, start, end, text)]
        after = [(n, len(self.lines[n - 1])) for n in range(first + 1, last)] + [(last, end)]
        rest = [Edit(n, _margin(self.lines[n - 1]), stop, "") for n, stop in after if self.lines[n - 1][:stop].strip()]
        return [Edit(first, start, len(self.lines[first - 1]), text), *rest]

    def mapped(self, node: ast.expr, names: Mapping[str, str]) -> str:
        """A name that is worked out, by its new name where it has one."""
        return f"{dict(sorted(names.items()))}.get({self.text(node)}, {self.text(node)})"

    def behind(self, node: ast.AST, text: str) -> list[Edit]:
        """A text is put behind a part."""
        _, _, last, end = self._characters(node)
        return [Edit(last, end, end, text)]

    def attribute(self, node: ast.Attribute, name: str) -> list[Edit]:
        """An attribute gets another name."""
        _, _, last, end = self._characters(node)
        return [Edit(last, end - len(node.attr), end, name)]

    def insert_before(self, node: ast.AST, text: str) -> list[Edit]:
        """A statement is put before the one that a part belongs to."""
        first, start, _, _ = self._characters(self.statement(node))
        margin = self.lines[first - 1][:start]
        if margin.strip():
            return [Edit(first, start, start, f"{text}; ")]
        return [Edit(first, start, start, f"{text}\n{margin}")]

    def chain(self, node: ast.expr) -> ast.expr:
        """All that is asked of a part: `slots[0].texture` of `slots`, with items and calls on the way."""
        parent = self.parents[node]
        if isinstance(parent, (ast.Attribute, ast.Subscript)) and parent.value is node:
            return self.chain(parent)
        return self.chain(parent) if isinstance(parent, ast.Call) and parent.func is node else node

    def left_out(self, node: ast.expr) -> list[Edit] | None:
        """The statement that only sets or calls a part, or what is in it, goes; of what it was given, calls that may
        do something stay. Of a statement that sets several, one goes. None where more hangs on it."""
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
        kept = [value for value in given if not self._harmless(value)]
        return self.instead(statement, ", ".join(map(self.text, kept)) or "pass")

    def _harmless(self, value: ast.expr) -> bool:
        calls = [n for n in ast.walk(value) if isinstance(n, (ast.Call, ast.NamedExpr))]
        return all(isinstance(c, ast.Call) and _PURE.fullmatch(self.text(c.func)) for c in calls)

    def nothing_for(self, node: ast.expr) -> list[Edit] | None:
        """Something empty in place of what is asked of a part: attributes of it may be set, and come to nothing."""
        chain = self.chain(node)
        parent = self.parents[chain]
        if isinstance(parent, (ast.For, ast.comprehension, ast.Call)):
            return self.instead(chain, "()")
        return self.instead(chain, 'type("Gone", (), {})()') if isinstance(parent, ast.Assign) else None

    def removed(self, node: ast.expr) -> list[Edit] | None:
        """Leave out the statement of a part, or put something empty in its place."""
        return self.left_out(node) or self.nothing_for(node)

    def without_keywords(self, call: ast.Call, gone: Sequence[ast.keyword]) -> list[Edit]:
        """Arguments go, with the commas that belong to them."""
        arguments = sorted([*call.args, *call.keywords], key=_extent)
        return self._without([(a, a) for a in arguments], [a in gone for a in arguments])

    def without_entries(self, entries: ast.Dict, gone: Sequence[ast.expr]) -> list[Edit]:
        """Entries of a dictionary go, by their keys, with the commas that belong to them."""
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
        """A statement is put behind another one."""
        first, start, last, end = self._characters(statement)
        margin = self.lines[first - 1][:start]
        if margin.strip() or self.lines[last - 1][end:].split("#")[0].strip():
            return [Edit(last, end, end, f"; {text}")]
        line = self.lines[last - 1]
        return [Edit(last, len(line), len(line), f"\n{margin}{text}")]

    def keyword_name(self, keyword: ast.keyword, name: str) -> list[Edit]:
        first, start, _, _ = self._characters(keyword)
        return [Edit(first, start, start + len(keyword.arg or ""), name)]

    def sign(self, node: ast.BinOp, old: str, new: str) -> list[Edit]:
        """The sign between two operands becomes another."""
        _, _, first, start = self._characters(node.left)
        last, end, _, _ = self._characters(node.right)
        for line in range(first, last + 1):
            text = self.lines[line - 1].split("#")[0] if line < last else self.lines[line - 1][:end]
            at = text.find(old, start if line == first else 0)
            if at >= 0:
                return [Edit(line, at, at + len(old), new)]
        return []

    def _characters(self, node: Any) -> tuple[int, int, int, int]:
        """First line and character, last line and character behind it."""
        first, start, last, end = _extent(node)
        return first, _character(self.lines[first - 1], start), last, _character(self.lines[last - 1], end)

    def patches(self, edits: Sequence[Edit], why: str) -> tuple[CodePatch, ...]:
        """Edits as patches, the last line first; none where they overlap or the result would not be Python."""
        by_line: dict[int, set[Edit]] = defaultdict(set)
        for edit in edits:
            by_line[edit.line].add(edit)
        found: list[CodePatch] = []
        lines = list(self.lines)
        for line in sorted(by_line, reverse=True):
            patch = _patch(self.lines[line - 1], sorted(by_line[line]))
            if patch is None:
                return ()
            before, after = patch
            lines[line - 1] = lines[line - 1].replace(before, after, 1)
            found.append(
                {
                    "line": line,
                    "before": before,
                    "after": after,
                    "why": next((e.why for e in by_line[line] if e.why), "")
                    or (why if line == self.line else f"as in line {self.line}"),
                }
            )
        return tuple(found) if found and _is_python("\n".join(lines)) else ()


def _without_context(node: Any) -> str:
    if isinstance(node, ast.Call):
        return ast.dump(node.func)
    return ast.dump(node.value) + (node.attr if isinstance(node, ast.Attribute) else ast.dump(node.slice))


def _children(node: ast.AST) -> Iterator[ast.AST]:
    for name in node._fields:
        value: Any = getattr(node, name, None)
        if isinstance(value, list):
            yield from (each for each in cast("list[Any]", value) if isinstance(each, ast.AST))
        elif isinstance(value, ast.AST) and not isinstance(value, SIGNS):
            yield value


def _innermost(error: BaseException | None, line: int) -> types.TracebackType | None:
    """The innermost part of the traceback that is the script's own, and at this line."""
    found, trace = None, error.__traceback__ if error is not None else None
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if trace.tb_lineno == line and not any(part in file for part in LIBRARIES):
            found = trace
        trace = trace.tb_next
    return found


def _span(trace: types.TracebackType | None) -> tuple[int, int, int, int] | None:
    """What exactly failed: first line, byte, last line, byte; from Python 3.11 on."""
    positions: Any = getattr(trace.tb_frame.f_code, "co_positions", None) if trace is not None else None
    if trace is None or positions is None or trace.tb_lasti < 0:
        return None
    at = trace.tb_lasti // 2
    found: list[tuple[Any, Any, Any, Any]] = list(islice(positions(), at, at + 1))
    if not found or None in found[0]:
        return None
    first, last, start, end = found[0]
    return first, start, last, end


def _extent(node: Any) -> tuple[int, int, int, int]:
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


def _within(inner: tuple[int, int, int, int], outer: tuple[int, int, int, int]) -> bool:
    return inner[:2] >= outer[:2] and inner[2:] <= outer[2:]


def _character(line: str, byte: int) -> int:
    return len(line.encode()[:byte].decode(errors="replace"))


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())


def _patch(line: str, edits: Sequence[Edit]) -> tuple[str, str] | None:
    """The smallest part of a line around some edits that occurs once, and what becomes of it."""
    start, end = edits[0].start, edits[-1].end
    after, at = "", start
    for edit in edits:
        if edit.start < at:
            return None
        after += line[at : edit.start] + edit.text
        at = edit.end
    after += line[at:end]
    if not line[start:end].strip() or line.count(line[start:end]) != 1:
        margin = _margin(line)
        after = line[margin:start] + after + line[end:].rstrip()
        start, end = margin, len(line.rstrip())
    if not (line[:start] + after + line[end:]).strip():
        after = "#"  # an empty line would be taken for a statement that was left out
    before = line[start:end]
    return (before, after) if before and line.count(before) == 1 and before != after else None


def _is_python(code: str) -> bool:
    try:
        ast.parse(code)
    except SyntaxError:
        return False
    return True
