"""The limits of everything that comes from elsewhere, and the functions that read up to them.

A file, a reply or a line beyond its limit ends in an error in words, before it fills the memory. Look here for the
size of something that redraft reads.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import sys
import zlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from redraft.errors import LimitError


@dataclass(frozen=True)
class Limit:
    """The most that is read from one kind of source."""

    what: str
    """The limited thing, with its article, for messages."""
    size: int
    """Bytes."""
    fix: str = "Check that it is the right file."
    """A sentence that says what to do."""

    @property
    def in_words(self) -> str:
        """The size for messages: `32 MB`."""
        return megabytes(self.size)


MODEL_REPLY = Limit("a reply of a model server", 32 << 20, "Check models.base_url, or lower models.max_tokens.")
"""Bytes after decompression. The longest reply that is used has 2,000,000 characters; as a stream of one event for
each token it is about ten times as long."""
IMAGE_REPLY = Limit("a response of an image server", 128 << 20, "Check images.base_url.")
"""Base64 of the largest picture that may be asked for (2,048 pixels a side, 16 bits, four channels: 45 MB), twice."""
PROGRAM_OUTPUT = Limit("the picture of a program", 128 << 20, "Check the program of images.backend.")
"""A picture as above, from the program of a `command:` backend, as a file or on standard output."""
PICTURE = Limit("a picture", 256 << 20, "Reduce it first.")
"""The largest picture that is decoded has 100 million pixels: 300 MB uncompressed as 8-bit RGB, and no file is."""
BOARD = Limit("a board", 512 << 20)
"""A very large board, of 1,508 footprints, has 68 million bytes."""
PROJECT = Limit("a file beside a board", 16 << 20)
"""Projects, rules and library tables of KiCad; the largest of its demos has 30 KB."""
REPORT = Limit("a report of kicad-cli", 256_000_000, "Run the checks in KiCad instead.")
"""A finding takes about 600 bytes, so this is about 400,000 of them."""
SCENE = Limit("a scene file", 512 << 20)
"""A `.blend` or `.glb`. The scripts of a run may write 512 MB in all."""
SOURCE = Limit("a source file", 4 << 20)
"""A script, a shader, a prompt or a page of text. The longest script that is run has 200,000 characters."""
SETTINGS = Limit("a settings file", 1 << 20)
"""redraft.yaml and taste.yaml; one with every setting and a comment to each has 20 KB."""
BRIEFS = Limit("a file of briefs", 64 << 20, "Split it into several batches.")
"""10,000 briefs of the greatest length have 400 MB, of the usual length 2 MB."""
JOURNAL = Limit("the journal of a run", 256 << 20, "Start a new run.")
"""The longest journal of the benchmarks, a run of 100 calls with its prompts, has about 5 MB."""
RECORD = Limit("a record of a run", 64 << 20, "The folder was changed, or another program wrote it.")
"""A drawing, a placement, a report, a state: JSON. The largest drawing that is accepted, of 50,000 points, has 2 MB,
the placement of a board of 1,508 footprints 1 MB."""
RECORDING = Limit("a recording", 256 << 20)
"""The replies of a run, one on a line: no more than its journal."""
EXPORT = Limit("an exported file of an open work", 20 << 20, "Open it in its folder.")
"""A resource of the MCP server: clients hold it in memory as base64, several times."""
INBOX_REPLY = Limit("a reply in the inbox", 12_000_000, "Put a shorter reply there.")
"""A reply of 2,000,000 characters takes at most 8 MB in UTF-8."""
WORKFLOW = Limit("a workflow", 16 << 20)
"""A workflow of ComfyUI with 500 nodes has about 300 KB."""
PROFILE = Limit("a taste profile", 64_000)
"""The longest profile that its readers take in, 1,000 words of each kind."""
WORKER_TEXT = Limit("a message of a worker", 64 << 20)
"""JSON; pictures and scenes come beside it, with limits of their own."""
STORED_FIX = Limit("an entry of the fix memory", 1 << 20, "Delete the entry, or name another store with memory.url.")
"""A fix holds a message and two snippets of 4,000 characters each."""

ENCODINGS = ("gzip", "deflate")
"""HTTP content encodings that requests ask for: those whose decompression can be bounded with the standard library."""

_PIECE = 1 << 20

MAX_JSON_MARKS = 1_000_000
"""Commas and opening brackets in one JSON text of a server, its strings included: each may become an object of about
70 bytes. A reply of 2,000,000 characters that is mostly numbers has fewer."""


def megabytes(size: int) -> str:
    """Return a size in words: `64,000 bytes`, `32 MB`."""
    return f"{size:,} bytes" if size < 1 << 20 else f"{size / 2**20:,.0f} MB"


def read_file(path: Path, limit: Limit) -> bytes:
    """Return the bytes of a regular file, which may be a link to one. A pipe or a device is not waited for.

    Raises:
        LimitError: it is larger than the limit, or not a regular file. OSError: it cannot be read.
    """
    with open_file(path, limit) as file:
        size = os.fstat(file.fileno()).st_size
        raw = file.read(size + 1)
        if len(raw) <= size:
            return raw
        grown = bytearray(raw)  # since, or it is one of the system's files, which state no size
        while more := file.read(_PIECE):
            grown += more
            if len(grown) > limit.size:
                raise too_large(path, "it grows", limit)
        return bytes(grown)


def read_text(path: Path, limit: Limit) -> str:
    """Return the text of a regular file, with line breaks as `\\n`. Raises `UnicodeDecodeError`, and as `read_file`."""
    return read_file(path, limit).decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


def open_file(path: Path, limit: Limit) -> BinaryIO:
    """Open a regular file for reading. Raises as `read_file`."""
    # Not blocking, as opening a pipe for reading otherwise waits until something writes to it.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        status = os.fstat(handle)
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        null = Path(os.devnull).stat()  # an empty file by convention, as in `--config /dev/null`
        if not stat.S_ISREG(status.st_mode) and not os.path.samestat(status, null):
            raise LimitError(path, "it is not a regular file but a device, a pipe or a socket", limit.fix)
        if status.st_size > limit.size:
            raise too_large(path, f"it has {status.st_size:,} bytes", limit)
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


async def read_pieces(pieces: AsyncIterator[bytes], where: str, limit: Limit) -> bytes:
    """Return the bytes of a network stream, undecoded. Raises `LimitError` as soon as there are too many."""
    from anyio.lowlevel import checkpoint

    body = bytearray()
    async for piece in pieces:
        body += piece
        if len(body) > limit.size:
            raise too_large(where, "it has more", limit)
        await checkpoint()  # pieces that are there already are passed on without a pause
    return bytes(body)


def decompressed(raw: bytes, encoding: str, where: str, limit: Limit) -> bytes:
    """Return a body without its HTTP content encoding.

    Raises:
        LimitError: it is larger than the limit. ValueError: it is damaged, or its encoding is not in `ENCODINGS`.
    """
    encoding = encoding.strip().lower()
    if encoding in ("", "identity"):
        return raw
    if encoding not in ENCODINGS:
        raise ValueError(f"it is compressed as {encoding[:40]!r}, which was not asked for")
    bits = zlib.MAX_WBITS | 32  # the header says whether it is gzip or zlib
    if encoding == "deflate" and (int.from_bytes(raw[:2]) % 31 or raw[:1] != b"x"):
        bits = -zlib.MAX_WBITS  # some servers leave the header out
    decoder = zlib.decompressobj(bits)
    try:
        data = decoder.decompress(raw, limit.size + 1)
    except zlib.error as error:
        raise ValueError(f"its {encoding} compression is damaged ({error})") from None
    if len(data) > limit.size:
        raise too_large(where, "it has more when it is decompressed", limit)
    if raw and not decoder.eof:
        raise ValueError(f"its {encoding} compression is cut off")
    return data


def read_json(raw: str | bytes) -> Any:
    """Return a JSON text as values; every number is finite.

    Raises:
        ValueError: it is not JSON, is nested too deeply, or holds NaN, Infinity or a number of over 4,300 digits.
    """
    try:
        return json.loads(raw, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise
    except ValueError as error:
        if "int_max_str_digits" in str(error):
            raise ValueError(f"it holds a number of more than {sys.get_int_max_str_digits():,} digits") from None
        raise


def parse_json(raw: bytes) -> Any:
    """Return a JSON text of a server as values.

    Raises:
        ValueError: see `read_json`, or it has more than `MAX_JSON_MARKS` values.
    """
    if sum(raw.count(mark) for mark in (b",", b"[", b"{")) > MAX_JSON_MARKS:
        raise ValueError(f"it has more than {MAX_JSON_MARKS:,} values")
    return read_json(raw)


def _refuse_constant(name: str) -> float:
    raise ValueError(f"it holds {name}, which is not a number of JSON")


def too_large(where: object, size: str, limit: Limit) -> LimitError:
    """Return the error of something beyond its limit; `size` says how large it is: `it has 40 MB`."""
    return LimitError(where, f"{size}, and {limit.what} may have at most {limit.in_words}", limit.fix)
