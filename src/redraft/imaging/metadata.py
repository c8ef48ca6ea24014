"""What a PNG says of itself: prompt, seed and run, in text chunks that survive copying the file.

Chunks are put in as bytes and nothing is decoded or written anew, so pixels and all else stay as they came. Layout and
rules of chunks as in the PNG specification (third edition), sections 5.3 and 11.3.3.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping
from typing import NamedTuple

__all__ = ["described", "description_of"]

SIGNATURE = b"\x89PNG\r\n\x1a\n"
TEXT_LIMIT = 1 << 20
"""Bytes that a compressed text may unpack to."""

_KEYWORD = re.compile(r"[\x21-\x7e\xa1-\xff]+(?: [\x21-\x7e\xa1-\xff]+)*")


class _Chunk(NamedTuple):
    """A chunk: its four letters, its data, and all of its bytes as they stand in the file."""

    kind: bytes
    data: bytes
    raw: bytes

    @property
    def keyword(self) -> str:
        """Of a text chunk."""
        return self.data.split(b"\0", 1)[0].decode("latin-1")


def described(png: bytes, fields: Mapping[str, str]) -> bytes:
    """The same picture with text chunks (iTXt, UTF-8) under these names; pixels and other chunks stay as they are.

    They stand right behind the header. An iTXt chunk of the same name is replaced; older kinds of text (tEXt, zTXt) are
    other programs' and stay, even under the same name.

    Raises:
        ValueError: it is no PNG, or a name is none that PNG allows, or a text holds a zero byte or half a character.
    """
    header, *others = _chunks(png)
    texts = b"".join(_text_chunk(name, text) for name, text in fields.items())
    kept = (chunk.raw for chunk in others if not (chunk.kind == b"iTXt" and chunk.keyword in fields))
    return b"".join((SIGNATURE, header.raw, texts, *kept))


def description_of(png: bytes) -> dict[str, str]:
    """The text chunks of a PNG, of all three kinds; under one name iTXt counts before the others.

    Raises:
        ValueError: it is no PNG, or a text in it is damaged, or unpacks to more than 1 MiB.
    """
    found: dict[str, str] = {}
    international: dict[str, str] = {}
    for chunk in _chunks(png):
        if chunk.kind == b"iTXt":
            international[chunk.keyword] = _international(chunk)
        elif chunk.kind in {b"tEXt", b"zTXt"}:
            found[chunk.keyword] = _latin(chunk)
    return {**found, **international}


def _chunks(png: bytes) -> Iterator[_Chunk]:
    """All chunks; what follows the last one is handed on with it. Raises `ValueError`."""
    if not png.startswith(SIGNATURE):
        raise ValueError(f"no PNG: it begins with {png[:8]!r}")
    at, first = len(SIGNATURE), True
    while True:
        length, kind = int.from_bytes(png[at : at + 4]), png[at + 4 : at + 8]
        end = at + 12 + length
        if end > len(png):
            raise ValueError(f"a damaged PNG: it ends within the chunk that begins at byte {at:,}")
        if first and (kind != b"IHDR" or length != 13):
            raise ValueError(f"a damaged PNG: its first chunk is {kind!r} of {length:,} bytes, not a header")
        last = kind == b"IEND"
        yield _Chunk(kind, png[at + 8 : end - 4], png[at:] if last else png[at:end])
        if last:
            return
        at, first = end, False


def _text_chunk(name: str, text: str) -> bytes:
    """Keyword, not compressed, no language, no translation, text. Raises `ValueError`."""
    if len(name) > 79 or not _KEYWORD.fullmatch(name):
        raise ValueError(
            f"{name[:100]!r} is no name for a text in a PNG: 1 to 79 visible characters of Latin-1 are wanted, with "
            "single spaces between them"
        )
    if "\0" in text:
        raise ValueError(
            f"the text {name!r} has a zero byte at character {text.index(chr(0)):,}, which PNG does not allow"
        )
    data = b"iTXt" + name.encode("latin-1") + b"\0\0\0\0\0" + text.encode()
    return (len(data) - 4).to_bytes(4) + data + zlib.crc32(data).to_bytes(4)


def _international(chunk: _Chunk) -> str:
    """Raises `ValueError`."""
    keyword, _, rest = chunk.data.partition(b"\0")
    _language, found, rest = rest[2:].partition(b"\0") if len(rest) > 2 else (b"", b"", b"")
    _translated, also_found, text = rest.partition(b"\0")
    if not (found and also_found):
        raise ValueError(f"a damaged PNG: the text {chunk.keyword!r} is cut off")
    compressed = chunk.data[len(keyword) + 1]
    try:
        return (_unpacked(text, chunk.keyword) if compressed else text).decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"a damaged PNG: the text {chunk.keyword!r} is no UTF-8") from error


def _latin(chunk: _Chunk) -> str:
    """Raises `ValueError`."""
    _, _, text = chunk.data.partition(b"\0")
    return (_unpacked(text[1:], chunk.keyword) if chunk.kind == b"zTXt" else text).decode("latin-1")


def _unpacked(data: bytes, name: str) -> bytes:
    """Raises `ValueError`."""
    unpacking = zlib.decompressobj()
    try:
        text = unpacking.decompress(data, TEXT_LIMIT)
    except zlib.error as error:
        raise ValueError(f"a damaged PNG: the text {name!r} cannot be unpacked ({error})") from error
    if unpacking.unconsumed_tail:
        raise ValueError(f"the text {name!r} of the PNG unpacks to more than {TEXT_LIMIT:,} bytes")
    if not unpacking.eof:
        raise ValueError(f"a damaged PNG: the text {name!r} is cut off")
    return text
