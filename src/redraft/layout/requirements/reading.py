"""Read raw requirements against a brief and a layout; those that cannot be measured are set aside with the reason."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import cast

from pydantic import JsonValue, ValidationError

from redraft.layout.items import Layout
from redraft.layout.requirements.kinds import KINDS, in_words, listed
from redraft.layout.requirements.space import matching, named, others_of
from redraft.layout.requirements.statement import (
    CANVAS,
    MAX_REQUIREMENTS,
    WILDCARDS,
    Folded,
    Kind,
    Requirement,
    Statements,
    fields_of,
    folded_quote,
    gist,
    id_of,
    in_short,
    left_out,
)


def statements(raw: Sequence[JsonValue], brief: str, layout: Layout) -> Statements:
    """Return raw requirements, read against the words of the brief and the parts of the layout. Never raises."""
    words = Folded.of(brief)
    kept: dict[str, Requirement] = {}
    aside: list[str] = []
    seen: dict[str, int] = {}
    compared = 0
    for place, stated in enumerate(raw[:MAX_REQUIREMENTS]):
        if lost := left_out(stated):
            aside.append(f"{lost} more statements: at most {MAX_REQUIREMENTS} are read")
            continue
        entry = stated if id_of(stated) or not isinstance(stated, dict) else {**stated, "id": f"r{place + 1}"}
        read = _read(entry)
        reason = read if isinstance(read, str) else _quote_problem(read, entry, words)
        if reason is None and isinstance(read, Requirement):
            twin = seen.setdefault(gist(_content(read)), place)
            reason = f"it says the same as {id_of(raw[twin]) or f'r{twin + 1}'}" if twin != place else None
            reason = "its id is given twice" if reason is None and read.id in kept else reason
            bound_before = isinstance(entry, dict) and entry.get("agreed") is True
            reason = reason or _problem(read, layout, len(aside), bound_before=bound_before)
            number = _comparisons(read, layout) if reason is None else 0
            if compared + number > MAX_COMPARISONS:
                reason = f"it and those before it compare more than {MAX_COMPARISONS:,} pairs of parts; name fewer"
            if reason is None:
                compared += number
                kept[read.id] = read
                continue
        aside.append(f"{_heading(entry)}: {reason}")
    if len(raw) > MAX_REQUIREMENTS:
        aside.append(f"{len(raw) - MAX_REQUIREMENTS} more statements: at most {MAX_REQUIREMENTS} are read")

    # Of two that contradict each other, one of this run's brief takes the place of an earlier run's; else both go.
    earlier = {id_of(entry) for entry in raw if isinstance(entry, dict) and entry.get("agreed") is True}
    for one, other, what in _contradictions(_live(kept.values())):
        if (one in earlier) != (other in earlier):
            old, new = (one, other) if one in earlier else (other, one)
            if kept.pop(old, None) is not None:
                aside.append(f"{old} is of an earlier run and gives way to {new}: {what}")
        elif one in kept or other in kept:
            kept.pop(one, None)
            kept.pop(other, None)
            aside.append(f"{one} and {other} contradict each other: {what}")

    lonely = _only_length(_live(kept.values()), layout)
    if lonely is not None:
        read = kept.pop(lonely)
        aside.append(f"{_heading(read.model_dump(mode='json'))}: it is the only real length, and a scale needs two")
    return Statements(tuple(kept.values()), tuple(aside))


def _live(requirements: Iterable[Requirement]) -> tuple[Requirement, ...]:
    return tuple(read for read in requirements if read.judged != "withdrawn")


MAX_COMPARISONS = 20_000
"""Pairs of parts that the requirements of one picture compare; 200 of them about 10 parts and 10 others do."""


def _comparisons(read: Requirement, layout: Layout) -> int:
    """Return the number of pairs of parts that a requirement compares."""
    parts, others = len(named(read.parts, layout)), max(len(others_of(read, layout)), len(named(read.each, layout)), 1)
    among = parts * parts // 20 if read.relation == "inside" or read.kind == "symmetry" else 0
    return parts * others + among


def _read(entry: JsonValue) -> Requirement | str:
    """Return a raw requirement as one, or the reason that it is malformed."""
    if not isinstance(entry, dict):
        return f"it is not an object: {in_short(entry)}"
    fields: dict[str, object] = {k: v for k, v in fields_of(entry).items() if k != "agreed"}
    for name, value in fields.items():
        if name in _LISTS:
            fields[name] = tuple(cast("list[object]", value)) if isinstance(value, list) else (value,)
    kind = fields.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        return f"kind is {in_short(kind)}; it is one of {', '.join(KINDS)}"
    spec = KINDS[cast("Kind", kind)]
    stray = [name for name in fields if name not in _COMMON | spec.fields]
    stray = [n for n in stray if n not in Requirement.model_fields or fields[n] != Requirement.model_fields[n].default]
    allowed = ", ".join(name for names in (*spec.needs, *spec.may) for name in names.split("|"))
    if stray:
        return f"{in_short(stray[0])} does not belong to the kind {kind}; that has {allowed}"
    missing = [need for need in ("parts", *spec.needs) if not any(name in fields for name in need.split("|"))]
    if missing:
        return f"{' or '.join(missing[0].split('|'))} is missing"
    try:
        return Requirement.model_validate({k: v for k, v in fields.items() if k not in stray})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        return f"{place} is {in_short(first['input'])}: {first['msg'][:1].lower()}{first['msg'][1:]}"


_COMMON = frozenset({"id", "kind", "quote", "parts", "reason", "judged"})
_LISTS = ("parts", "of", "each", "values")


def _heading(entry: JsonValue) -> str:
    """Return a raw requirement in a few words: `r4 (count, "three kites")`."""
    fields = entry if isinstance(entry, dict) else {}
    kind, quote = fields.get("kind"), fields.get("quote")
    inside = [in_short(kind)[1:-1]] if isinstance(kind, str) else []
    inside += [in_short(quote)] if isinstance(quote, str) and quote else []
    name = in_short(id_of(entry), 40)[1:-1] if id_of(entry) else "a statement"
    return f"{name} ({', '.join(inside)})" if inside else name


def _content(read: Requirement) -> JsonValue:
    """Return the content of a requirement without its words, with its names sorted where order does not matter."""
    fields = read.model_dump(mode="json", exclude={"id", "quote", "reason", "judged"}, exclude_defaults=True)
    ordered = read.kind == "proportion"
    return {k: sorted(set(v)) if k in ("parts", "of", "each") and not ordered else v for k, v in fields.items()}


def _quote_problem(read: Requirement, entry: JsonValue, words: Folded) -> str | None:
    """Return the reason that a requirement's quote does not count, if there is one."""
    if not read.quote or (isinstance(entry, dict) and entry.get("agreed") is True):
        return None
    quote = folded_quote(read.quote)
    if not any(c.isalnum() for c in quote):
        return "its quote has no words"
    return None if words.find(quote) else "the brief does not contain its quote"


def _problem(read: Requirement, layout: Layout, before: int, *, bound_before: bool) -> str | None:
    """Return the reason that a well-formed requirement cannot be measured on a layout, if there is one.

    A count of an earlier run is measured, as 0, even if no part is left; so is a requirement that there is none.
    """
    if read.judged == "withdrawn":  # it stays listed, whatever became of its parts
        return None
    none = read.number == 0 and not read.each
    gone = read.kind == "count" and (bound_before or none) and not named(read.parts, layout)
    reason = _names_problem(read.model_copy(update={"parts": ()}) if gone else read, layout, before)
    if reason is not None:
        return reason
    parts, others = named(read.parts, layout), others_of(read, layout)
    if len(parts) == 1 and others == parts:
        return "it compares a part with itself"
    if not layout.frame.plan and (read.depth is not None or read.dimension == "depth" or read.axis == "z"):
        return "a drawing has no depth: use width and height, x and y"
    problem = KINDS[read.kind].problem
    return problem(read, layout, parts) if problem is not None else None


def _names_problem(read: Requirement, layout: Layout, before: int) -> str | None:
    patterns = (*read.parts, *read.each, *(n for n in read.of if n != CANVAS or CANVAS in layout))
    if sum("*" in pattern for pattern in patterns) > WILDCARDS:
        return f"it has more than {WILDCARDS} patterns"
    missing = next((p for p in patterns if len(p) > 200 or not matching(p, layout)), None)
    if missing is not None:
        near = get_close_matches(missing.replace("*", "")[:60], [i.name for i in layout], 3, 0.5) if before < 20 else []
        return f"no part matches {in_short(missing)}" + (f"; there is {', '.join(near)}" if near else "")
    if read.kind != "count" and layout.visible.isdisjoint(named(read.parts, layout)):
        return f"nothing that {listed(read.parts)} matches is visible"
    return f"nothing that {listed(read.of)} matches has a shape" if read.of and not others_of(read, layout) else None


_PAIRS = (("left_of", "right_of"), ("above", "below"), ("in_front_of", "behind"))
_OPPOSITE = dict(_PAIRS) | {b: a for a, b in _PAIRS}
_STATED = ("number", "degrees", "factor", "length", "width", "height", "depth", "values", "order")


def _contradictions(requirements: Sequence[Requirement]) -> Iterator[tuple[str, str, str]]:
    """Yield the ids of two requirements that cannot both hold, with their words."""
    firsts: dict[str, list[Requirement]] = {}
    relations: dict[tuple[object, ...], Requirement] = {}
    for read in requirements:
        if read.kind == "relation" and read.relation in _OPPOSITE:
            word, parts, of = read.relation, frozenset(read.parts), frozenset(read.of)
            for against in ((_OPPOSITE[word], parts, of), (word, of, parts)):
                if (other := relations.get(against)) is not None:
                    yield other.id, read.id, f"{in_words(other)}; {in_words(read)}"
            relations.setdefault((word, parts, of), read)
            continue
        content = cast("dict[str, JsonValue]", _content(read))
        about = json.dumps({k: v for k, v in content.items() if k not in (*_STATED, "limit")}, sort_keys=True)
        twins = firsts.setdefault(about, [])
        for other in twins:
            if any(_clash(read, other, name) for name in _STATED):
                yield other.id, read.id, f"{in_words(other)}; {in_words(read)}"
                break
        if len(twins) < 3:
            twins.append(read)


def _clash(one: Requirement, other: Requirement, name: str) -> bool:
    """Return whether two requirements about the same parts give a field values that cannot both hold."""
    a, b = getattr(one, name), getattr(other, name)
    if a in (None, (), b) or b in (None, ()):
        return False
    if isinstance(a, tuple | str):
        return True
    low, high = ((one, a), (other, b)) if a < b else ((other, b), (one, a))
    return low[0].limit != "at_least" and high[0].limit != "at_most"


def _only_length(requirements: Sequence[Requirement], layout: Layout) -> str | None:
    """Return the requirement with the only real length, if there is just one.

    Alone it would always hold, as it would set the scale by which it is measured.
    """
    real = [r for r in requirements if r.unit == "real"] if layout.frame.unit == "canvas" else []
    if len(real) != 1 or sum(v is not None for v in (real[0].width, real[0].height, real[0].length)) > 1:
        return None
    return real[0].id if len(named(real[0].parts, layout)) == 1 else None
