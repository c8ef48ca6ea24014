"""How often a real error line of glslang gets the wrong key, against a table that was written by hand beforehand.

    python benchmarks/glsl_errors.py [--data DIR] [--show 40]

DIR holds JSON lines (`{"token": …, "reason": …, "raw": …}`) of glslang's golden tests. In `benchmarks/data`,
`glsl_reasons.tsv` gives the category that each form of a reason means, `glsl_names.tsv` which names are the
language's own (the expected key then ends in the name); both were written and committed before the normaliser was
measured. Printed: the share of lines with a wrong key, with none, and what differs. Exits 1 when 2 % or more are wrong
or without a key.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from redraft.fixes.normalize import key_of

TABLES = Path(__file__).parent / "data"
LINES = Path(__file__).parents[1] / "tests" / "data" / "glsl_errors"
AIM = 0.02
NAMED = ("undeclared_identifier", "no_matching_function")


class Line(NamedTuple):
    token: str
    reason: str
    raw: str


def form(reason: str) -> str:
    """A reason without what is special to one line: quoted parts, names, numbers, types."""
    text = re.sub(r"'[^']*'", "'X'", reason)
    text = re.sub(r'"[^"]*"', '"X"', text)
    text = re.sub(
        r"((?:operand of|apply to this|operate on this|operator on texture) type:?)\s.*?(?= \(or there|$)",
        r"\1 T",
        text,
    )
    text = re.sub(r"\b(?:gl|GL|SPV)_\w+", "NAME", text)
    text = re.sub(r"\b(?!GLSL\b|SPIR\b)[A-Z][A-Z0-9_]{3,}\b", "NAME", text)
    text = re.sub(r"\d+", "N", text)
    text = re.sub(r"(: +|[Mm]acro |profile )@?\w+(\.h)?$", r"\1NAME", text)
    return " ".join(text.split())


def table(name: str) -> dict[str, str]:
    """Two columns of a file of `benchmarks/data`."""
    lines = (TABLES / name).read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if not line.startswith("# "))
    return {row[0]: row[1] for row in rows}


def lines(folder: Path) -> Iterator[Line]:
    for path in sorted(folder.glob("*.jsonl")):
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            yield Line(row["token"], row["reason"], row["raw"])


def expected(line: Line, reasons: dict[str, str], names: dict[str, str]) -> str:
    """The key by the tables; empty for a line that is no error of its own.

    Raises:
        KeyError: the tables do not have its form.
    """
    category = reasons["#error *" if line.token == "#error" else form(line.reason)]
    if category == "-":
        return ""
    detail = category in NAMED and names.get(line.token, "no") == "yes"
    return f"glsl:{category}:{line.token.lower()}" if detail else f"glsl:{category}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=LINES)
    parser.add_argument("--show", type=int, default=40, help="how many differences to print")
    args = parser.parse_args()
    reasons, names = table("glsl_reasons.tsv"), table("glsl_names.tsv")
    total, unknown = 0, Counter[str]()
    differences = Counter[tuple[str, str, str]]()
    for line in lines(args.data):
        total += 1
        try:
            right = expected(line, reasons, names)
        except KeyError:
            unknown[form(line.reason)] += 1
            continue
        given = key_of(line.raw)
        if given != right:
            differences[right, given, f"{line.token} : {form(line.reason)}"] += 1
    assert total, f"{args.data} has no line"
    none = sum(n for (_, given, _), n in differences.items() if not given)
    wrong = sum(differences.values()) - none
    for (right, given, text), n in differences.most_common(args.show):
        print(f"{n:4}  {right or '(none)'} expected, {given or '(none)'} given: {text[:110]}")
    judged = total - sum(unknown.values())
    print(f"{total} lines, {judged} judged ({len(unknown)} forms are not in the table)")
    shares = ", ".join(f"{name} {n} ({n / max(judged, 1):.2%})" for name, n in (("wrong key", wrong), ("no key", none)))
    print(f"{shares}; aim: each under {AIM:.0%}")
    return 1 if not judged or max(wrong, none) >= AIM * judged else 0


if __name__ == "__main__":
    sys.exit(main())
