"""From a model's reply to a shader and what is said about it; anything else is E2, with how to fix it."""

from __future__ import annotations

import json
import re

from redraft.errors import FormatError
from redraft.replies import fences
from redraft.studios.programs import Language, approach_in, program_in, said_in
from redraft.studios.shader.contract import prepared
from redraft.studios.shader.spec import Draft

__all__ = ["as_reply", "checked", "parse"]

ASK = "Send one line `APPROACH: …`, then the whole shader in one ```glsl block."
_MAIN = re.compile(r"\bvoid\s+(main|mainImage)\s*\(|\bfn\s+\w+\s*\(|@fragment|\bSV_Target\b|#version")
_NAMED = re.compile(r"^\W*approach\W*?[:：]", re.IGNORECASE | re.MULTILINE)


def parse(text: str, current: str | None = None) -> Draft:
    """A reply to a draft, edit, fix or repair request.

    Args:
        current: the shader that edits apply to, and that stays where a reply changes nothing.

    Raises:
        FormatError: E2: no fenced block, several different shaders, an edit that does not fit exactly once, or what no
            shader of the contract can be.
    """
    blocks, prose = fences(text, ASK)
    said, rest = said_in(blocks)
    code = program_in(rest, prose, GLSL, current)
    if code is None and current is not None and (said.any or _NAMED.search(prose)):
        code = current
    if code is None:
        raise FormatError(
            f"The reply holds no shader: it begins {text.strip()[:60]!r}, and there is no ```glsl block. {ASK}"
        )
    comment = next((line.strip()[2:] for line in code.splitlines() if line.strip().startswith("//")), "")
    return Draft(approach=approach_in(prose, comment), code=checked(code), rulings=said.rulings)


def checked(code: str) -> str:
    """A shader, if it can be one of the contract. Raises `FormatError`."""
    prepared(code)
    return code


def as_reply(draft: Draft) -> str:
    """A draft as a model writes it."""
    rulings = [ruling.model_dump(mode="json") for ruling in draft.rulings]
    beside = f"\n```json\n{json.dumps({'rulings': rulings}, ensure_ascii=False)}\n```\n" if rulings else ""
    return f"APPROACH: {draft.approach}\n\n```glsl\n{draft.code}\n```\n{beside}"


def _tells(code: str) -> str:
    """The first line that tells a shader from another: no version, no declaration that all of them have."""
    lines = [line.strip() for line in code.splitlines()]
    return next((x for x in lines if x and not x.startswith(("#", "uniform", "in ", "out ", "precision"))), "")


GLSL = Language("shader", "glsl", ASK, lambda code: _MAIN.search(code) is not None, _tells)
