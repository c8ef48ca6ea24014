"""What a PNG says of itself: prompt, seed and run, in text chunks that survive copying the file."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["described", "description_of"]


def described(png: bytes, fields: Mapping[str, str]) -> bytes:
    """The same picture with text chunks (iTXt, UTF-8) under these names; pixels and other chunks stay as they are.

    Raises:
        ValueError: it is no PNG, or a name is none that PNG allows.
    """
    raise NotImplementedError


def description_of(png: bytes) -> dict[str, str]:
    """The text chunks of a PNG."""
    raise NotImplementedError
