"""From a model's reply to a shader; what is none is E2, in words that say how to mend it."""

from __future__ import annotations

import re

from redraft.errors import FormatError
from redraft.replies import Fence, fences
from redraft.studios.shader.contract import prepared
from redraft.studios.shader.spec import Draft

__all__ = ["as_reply", "parse"]

ASK = "Send one line `APPROACH: …`, then the whole shader in one ```glsl block."
APPROACH_LIMIT = 300
_APPROACH = re.compile(r"^\W*approach\W*?[:：]\W*(.+)$", re.IGNORECASE | re.MULTILINE)
_MAIN = re.compile(r"\bvoid\s+(main|mainImage)\s*\(|\bfn\s+\w+\s*\(|@fragment|\bSV_Target\b|#version")


def parse(text: str) -> Draft:
    """A reply to a draft, edit or repair request.

    Raises:
        FormatError: E2: no fenced block, several different shaders, or what no shader of the contract can be.
    """
    blocks, prose = fences(text, ASK)
    code = _only(blocks, prose)
    prepared(code)
    return Draft(approach=_approach(prose, code), code=code)


def as_reply(draft: Draft) -> str:
    """A draft as a model writes it."""
    return f"APPROACH: {draft.approach}\n\n```glsl\n{draft.code}\n```\n"


def _only(blocks: list[Fence], prose: str) -> str:
    if not blocks:
        raise FormatError(f"The reply holds no shader: it begins {prose[:60]!r}, and there is no ```glsl block. {ASK}")
    codes = list(dict.fromkeys(block.text for block in blocks))
    shaders = [code for code in codes if _MAIN.search(code)]
    if len(shaders) > 1:
        raise FormatError(
            f"The reply holds {len(shaders)} different shaders (they begin "
            f"{' and '.join(repr(_first(code)) for code in shaders[:3])}); exactly one is wanted. {ASK}"
        )
    return (shaders or codes)[0]


def _first(code: str) -> str:
    """The first line that tells a shader from another: no version, no declaration that all of them have."""
    lines = [line.strip() for line in code.splitlines()]
    return next((x for x in lines if x and not x.startswith(("#", "uniform", "in ", "out ", "precision"))), "")[:60]


def _approach(prose: str, code: str) -> str:
    """What the reply says it tries: its APPROACH line, else its first line of prose or comment."""
    named = _APPROACH.search(prose)
    if named:
        return _short(named.group(1))
    first = next((line for line in prose.splitlines() if line.strip()), "")
    comment = next((line.strip()[2:] for line in code.splitlines() if line.strip().startswith("//")), "")
    return _short(first or comment)


def _short(line: str) -> str:
    line = " ".join(line.split()).strip("*_` ")
    return line if len(line) <= APPROACH_LIMIT else f"{line[: APPROACH_LIMIT - 1]}…"
