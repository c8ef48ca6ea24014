"""From a model's reply to a shader; what is none is E2, in words that say how to mend it."""

from __future__ import annotations

import re

from redraft.replies import fences
from redraft.studios.programs import Language, approach_in, one_program
from redraft.studios.shader.contract import prepared
from redraft.studios.shader.spec import Draft

__all__ = ["as_reply", "parse"]

ASK = "Send one line `APPROACH: …`, then the whole shader in one ```glsl block."
_MAIN = re.compile(r"\bvoid\s+(main|mainImage)\s*\(|\bfn\s+\w+\s*\(|@fragment|\bSV_Target\b|#version")


def parse(text: str) -> Draft:
    """A reply to a draft, edit or repair request.

    Raises:
        FormatError: E2: no fenced block, several different shaders, or what no shader of the contract can be.
    """
    blocks, prose = fences(text, ASK)
    code = one_program(blocks, prose, GLSL)
    prepared(code)
    comment = next((line.strip()[2:] for line in code.splitlines() if line.strip().startswith("//")), "")
    return Draft(approach=approach_in(prose, comment), code=code)


def as_reply(draft: Draft) -> str:
    """A draft as a model writes it."""
    return f"APPROACH: {draft.approach}\n\n```glsl\n{draft.code}\n```\n"


def _tells(code: str) -> str:
    """The first line that tells a shader from another: no version, no declaration that all of them have."""
    lines = [line.strip() for line in code.splitlines()]
    return next((x for x in lines if x and not x.startswith(("#", "uniform", "in ", "out ", "precision"))), "")


GLSL = Language("shader", "glsl", ASK, lambda code: _MAIN.search(code) is not None, _tells)
