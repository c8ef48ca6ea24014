"""Values that a setting does not take: of enumerations, colours of another length, products of matrices."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from redraft.studios.scene.inside.advise_kinds import lineage
from redraft.studios.scene.inside.advise_operators import operator_of, properties
from redraft.studios.scene.inside.advise_place import Edit, Finding, Place
from redraft.studios.scene.inside.advise_renames import ENUMS
from redraft.studios.scene.inside.advise_types import Reader
from redraft.studios.scene.inside.advise_words import misspelt, near, respelt, words

__all__ = ["is_text", "matrix_product", "no_sequence", "quoted", "unknown_value", "wrong_length"]


# Enumerations


def unknown_value(reader: Reader, value: str, allowed: Sequence[str]) -> Finding:
    """The value that an enumeration has in place of one that it has not."""
    place = reader.place
    target, setting = _setting(reader, value)
    new, first, since = ENUMS.get((setting, value), ("", "", ""))
    if new and new not in allowed and not first:
        new = ""
    new = new or _alike(value, allowed) or _shown_as(reader, target, value, allowed)
    named = f"`{setting}`" if setting else "it"
    listed = ", ".join(f"'{a}'" for a in allowed)
    if not new:
        deeper = _under_another_setting(reader, target, value)
        hints = [f"{named} takes no '{value}'; the nearest: {quoted(near(value, allowed) or allowed[:3])}", *deeper]
        return Finding((*hints, f"allowed: {listed}"))
    after = f" since {since}" if since else ""
    hint = f"{named} takes no '{value}'{after}; use '{new}'"
    owner = target.value if isinstance(target, ast.Attribute) else None
    if first and owner is not None:
        hint = f"{named} takes '{new}' only after `{place.text(owner)}.{first}`{after}"
    edits: list[Edit] = []
    for constant in _constants_alike(reader, target, value):
        if first and isinstance(target, ast.Attribute):
            other = place.statement(constant)
            of = other.targets[0] if isinstance(other, ast.Assign) else target
            whose = of.value if isinstance(of, ast.Attribute) else target.value
            edits += place.insert_before(other, f"{place.text(whose)}.{first}")
        if new != value:
            edits += place.instead(constant, place.quoted(constant, new))
    return Finding((hint, f"allowed: {listed}"), tuple(edits), hint)


def _setting(reader: Reader, value: str) -> tuple[ast.AST | None, str]:
    """What the value was given to: the attribute or the call, and its name as the tables have it."""
    place = reader.place
    target = place.failing(ast.Attribute, lambda n: isinstance(n.ctx, ast.Store))
    if target is not None:
        owner = reader.kind(target.value)
        rows = {setting for setting, _ in ENUMS}
        names = [f"{name}.{target.attr}" for name in (lineage(owner) if owner is not None else ())]
        # Where its owner is not known, the table's only row for such an attribute.
        names += [row for row in rows if owner is None and row.partition(".")[2] == target.attr]
        known = next((name for name in names if (name, value) in ENUMS), "")
        return target, known or (names[0] if names else target.attr)
    call = place.failing(ast.Call, lambda n: any(is_text(a, value) for a in _values(n)))
    return call, operator_of(call.func) if call is not None else ""


def _values(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(k.value for k in call.keywords)]


def is_text(node: ast.AST, value: str) -> bool:
    """Whether a part of a script is this text."""
    return isinstance(node, ast.Constant) and node.value == value


def _constants_alike(reader: Reader, target: ast.AST | None, value: str) -> list[ast.expr]:
    """The same text wherever it is given to the same setting."""
    place = reader.place
    if isinstance(target, ast.Call):
        same = ast.dump(target.func)
        calls = [c for c in place.of_kind(ast.Call) if ast.dump(c.func) == same]
        return [a for c in calls for a in _values(c) if is_text(a, value)]
    if not isinstance(target, ast.Attribute):
        return []
    owner = reader.kind(target.value)
    found: list[ast.expr] = []
    for statement in place.of_kind(ast.Assign):
        one = statement.targets[0]
        if isinstance(one, ast.Attribute) and one.attr == target.attr and is_text(statement.value, value):
            kind = reader.kind(one.value)
            if (
                one is target
                or ast.dump(one.value) == ast.dump(target.value)
                or (owner and kind and owner.name == kind.name)
            ):
                found.append(statement.value)
    return found


def _alike(value: str, allowed: Sequence[str]) -> str:
    """The one allowed value that this most likely was: by its end, its beginning, its words, its letters."""
    lower = value.lower()
    tail = lower.rpartition(" - ")[2]
    ways = (
        [a for a in allowed if a.lower() == lower],
        [a for a in allowed if a.lower().rpartition(" - ")[2] == tail],
        [a for a in allowed if a in respelt(value.lower()) or a.lower() in respelt(value.lower())],
        [a for a in allowed if len(a) > 5 and (a.startswith(f"{value}_") or value.startswith(a))],
        [a for a in allowed if words(a) == words(value)],
        [a for a in allowed if len(value) > 3 and a.endswith(f"_{value}")],
        [a for a in allowed if value in (f"{a}S", f"{a}ES")],
    )
    return next((way[0] for way in ways if len(way) == 1), "") or misspelt(value, allowed)


def _shown_as(reader: Reader, target: ast.AST | None, value: str, allowed: Sequence[str]) -> str:
    """The allowed value that Blender shows under a name that begins so: `SUBSURF` is Subdivision Surface."""
    prop = _enumeration(reader, target, allowed)
    shown: list[tuple[str, str]] = [(i.identifier, i.name) for i in prop.enum_items] if prop is not None else []
    fits = [name for name, label in shown if words(label)[: len(words(value))] == words(value)]
    return fits[0] if len(fits) == 1 and fits[0] in allowed else ""


def _enumeration(reader: Reader, target: ast.AST | None, allowed: Sequence[str]) -> Any:
    """Blender's description of the setting, or of the one argument that takes these values."""
    if isinstance(target, ast.Attribute):
        owner = reader.kind(target.value)
        return owner.struct.properties.get(target.attr) if owner is not None and owner.struct is not None else None
    if not isinstance(target, ast.Call) or not isinstance(target.func, ast.Attribute):
        return None
    operator, owner = operator_of(target.func), reader.kind(target.func.value)
    function = owner.struct.functions.get(target.func.attr) if owner is not None and owner.struct is not None else None
    given = properties(operator) if operator else function.parameters if function is not None else []
    fits: list[Any] = [p for p in given if p.type == "ENUM" and allowed[0] in p.enum_items]
    return fits[0] if len(fits) == 1 else None


def _under_another_setting(reader: Reader, target: ast.AST | None, value: str) -> list[str]:
    """A value that the enumeration has, but not now: some other setting of the same thing rules it."""
    owner = reader.kind(target.value) if isinstance(target, ast.Attribute) else None
    if owner is None or owner.struct is None or not isinstance(target, ast.Attribute):
        return []
    prop = owner.struct.properties.get(target.attr)
    if prop is None or prop.type != "ENUM" or value not in prop.enum_items_static:
        return []
    own = words(prop.identifier)
    others = [p for p in owner.struct.properties if p.type == "ENUM" and p.identifier != prop.identifier]
    ranked = sorted(others, key=lambda p: (not set(words(p.identifier)) & set(own), not p.identifier.endswith(own[-1])))
    items = [f"`{p.identifier}` ({quoted(list(p.enum_items_static.keys())[:4])})" for p in ranked[:2]]
    return [f"'{value}' exists, under another setting of the same thing: perhaps {' or '.join(items)}"]


def quoted(names: Sequence[str]) -> str:
    """Names in a sentence."""
    return ", ".join(f"'{name}'" for name in names)


# Lengths


def wrong_length(reader: Reader, wanted: int, given: int) -> Finding:
    """A colour with or without its alpha is made to fit; of other lengths it is only said."""
    place = reader.place
    target = place.failing(ast.Attribute, lambda n: isinstance(n.ctx, ast.Store))
    statement = place.statement(target) if target is not None else None
    if target is None or not isinstance(statement, ast.Assign) or statement.targets != [target]:
        return Finding((f"it takes {wanted} numbers, not {given}",))
    hint = f"`{place.text(target)}` takes {wanted} numbers, not {given}"
    if not _is_colour(reader, target) or {wanted, given} != {3, 4}:
        return Finding((hint,))
    hint += ": red, green, blue" + (", and alpha" if wanted == 4 else "")
    edits = _resized(place, statement.value, wanted)
    for other in place.of_kind(ast.Assign):
        one = other.targets[0]
        short = isinstance(other.value, (ast.Tuple, ast.List)) and len(other.value.elts) == given
        if short and isinstance(one, ast.Attribute) and one is not target and _same_setting(reader, one, target):
            edits += _resized(place, other.value, wanted)
    return Finding((hint,), tuple(edits), hint)


def _same_setting(reader: Reader, one: ast.Attribute, other: ast.Attribute) -> bool:
    """Whether two attributes are the same of the same type; what sockets hold differs from one to the next."""
    mine, theirs = reader.kind(one.value), reader.kind(other.value)
    return (
        one.attr == other.attr != "default_value"
        and mine is not None
        and theirs is not None
        and mine.name == theirs.name
    )


def _is_colour(reader: Reader, target: ast.Attribute) -> bool:
    owner = reader.kind(target.value)
    if owner is None or owner.struct is None:
        return False
    prop = owner.struct.properties.get(target.attr)
    return prop is not None and prop.type == "FLOAT" and "COLOR" in prop.subtype


def _resized(place: Place, value: ast.expr, wanted: int) -> list[Edit]:
    if isinstance(value, (ast.Tuple, ast.List)) and not any(isinstance(e, ast.Starred) for e in value.elts):
        if wanted == 4:
            return place.behind(value.elts[-1], ", 1.0")
        inner = ", ".join(place.text(e) for e in value.elts[:wanted])
        return place.instead(value, f"({inner})")
    text = place.text(value)
    return place.instead(value, f"(*{text}, 1.0)" if wanted == 4 else f"tuple({text})[:3]")


def no_sequence(reader: Reader) -> Finding:
    """One number where three are wanted: what is one by itself, as a scale is, gets it three times."""
    place = reader.place
    target = place.failing(ast.Attribute, lambda n: isinstance(n.ctx, ast.Store))
    statement = place.statement(target) if target is not None else None
    owner = reader.kind(target.value) if target is not None else None
    if target is None or owner is None or owner.struct is None or not isinstance(statement, ast.Assign):
        return Finding()
    prop = owner.struct.properties.get(target.attr)
    if prop is None or prop.type != "FLOAT" or not prop.is_array:
        return Finding()
    wanted = f"`{place.text(target)}` takes {prop.array_length} numbers"
    if set(prop.default_array) != {1.0} or not isinstance(statement.value, (ast.Constant, ast.Name)):
        return Finding((wanted,))
    value = f"({', '.join([place.text(statement.value)] * prop.array_length)})"
    hint = f"{wanted}: `{place.text(target)} = {value}`"
    return Finding((hint,), tuple(place.instead(statement.value, value)), hint)


# Matrices and vectors


def matrix_product(reader: Reader) -> Finding:
    """`*` between matrices and vectors is `@` since 2.80; such a script means it so throughout."""
    place = reader.place
    node = place.failing(ast.BinOp, lambda n: isinstance(n.op, ast.Mult))
    hint = "matrices and vectors are multiplied with `@` since 2.80: `matrix @ vector`"
    if node is None:
        target = place.failing(ast.AugAssign, lambda n: isinstance(n.op, ast.Mult))
        if target is None:
            return Finding((hint,))
        text = f"{place.text(target.target)} = {place.text(target.target)} @ {place.text(target.value)}"
        return Finding((hint,), tuple(place.instead(target, text)), hint)
    edits: list[Edit] = []
    for other in place.of_kind(ast.BinOp):
        if isinstance(other.op, ast.Mult) and (other is node or _is_product(reader, other)):
            edits += place.sign(other, "*", "@")
    return Finding((hint,), tuple(edits), hint)


def _is_product(reader: Reader, node: ast.BinOp) -> bool:
    left, right = reader.kind(node.left), reader.kind(node.right)
    if left is None or right is None:
        return False
    return left.name in ("Matrix", "Quaternion") and right.name in ("Matrix", "Vector", "Quaternion")
