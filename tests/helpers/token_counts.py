"""Tokens by real tokenizers, for the tests of budgets."""

from __future__ import annotations

from typing import Any

from rs_bpe import bpe  # pyright: ignore[reportUnknownVariableType]

_openai: Any = bpe.openai  # pyright: ignore[reportUnknownMemberType]
_ENCODERS: tuple[Any, Any] = (_openai.o200k_base(), _openai.cl100k_base())


def tokens(text: str) -> int:
    """Of a text, by whichever of two common tokenizers makes more of it."""
    return max(int(encoder.count(text)) for encoder in _ENCODERS)
