"""Pictures that a server or program sent, found whole and made PNG; and the text chunks that say what a PNG is.

Text chunks are put in as bytes and nothing is decoded or written anew, so pixels and all else stay as they came. Layout
and rules of chunks as in the PNG specification (third edition), sections 5.3 and 11.3.3. Only `whole` needs Pillow.
"""

from __future__ import annotations

import io
import re
import warnings
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import anyio

from redraft.errors import ImageBackendError
from redraft.models.messages import clipped, readable

if TYPE_CHECKING:
    from PIL import Image

SIGNATURE = b"\x89PNG\r\n\x1a\n"
TEXT_LIMIT = 1 << 20
"""Bytes that a compressed text may unpack to."""

_KEYWORD = re.compile(r"[\x21-\x7e\xa1-\xff]+(?: [\x21-\x7e\xa1-\xff]+)*")
_QUOTED = 200
"""Characters of a text that came where a picture was wanted."""


@dataclass(frozen=True)
class Whole:
    """A picture that can be opened to its last pixel."""

    png: bytes
    size: tuple[int, int]
    """Width and height, pixels."""
    came_as: str
    """The format it was sent in: `PNG`, `JPEG` …"""


async def whole_in_thread(raw: bytes, sender: str) -> Whole:
    """`whole`, in a thread of its own: a large picture takes a second."""
    return await anyio.to_thread.run_sync(whole, raw, sender)


def whole(raw: bytes, sender: str) -> Whole:
    """Return the picture in these bytes; a PNG keeps every byte, and with them what its maker wrote into it.

    Of other formats the first frame is taken, turned upright as its camera noted, with its color profile.

    Raises:
        ImageBackendError: they are not a picture, a damaged one, or one too large. It begins with `sender`.
    """
    from PIL import Image, UnidentifiedImageError

    if not raw:
        raise ImageBackendError(f"{sender} sent an empty file instead of a picture.")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of large pictures: they are refused here, in our own words
        try:
            return _whole(raw, sender)
        except ImageBackendError:
            raise
        except UnidentifiedImageError as error:
            raise ImageBackendError(f"{sender} sent {_instead(raw)}.") from error
        except Image.DecompressionBombError as error:
            raise ImageBackendError(f"{sender} sent a picture that claims far too many pixels ({error}).") from error
        except Exception as error:  # damaged files raise whatever their decoder stumbles over
            said = clipped(str(error)) or type(error).__name__
            raise ImageBackendError(f"{sender} sent a picture that is damaged or cut short ({said}).") from error


def _whole(raw: bytes, sender: str) -> Whole:
    from PIL import Image, ImageOps

    from redraft.metrics.target import KINDS, MAX_PIXELS

    with Image.open(io.BytesIO(raw), formats=KINDS) as image:
        width, height = image.size
        if width * height > MAX_PIXELS:
            raise ImageBackendError(
                f"{sender} sent a picture of {width:,} × {height:,} pixels; at most {MAX_PIXELS / 1e6:,.0f} million "
                "are taken."
            )
        image.load()
        if image.format == "PNG":
            for chunk in _chunks(raw):  # a decoder stops when it has the pixels
                if not chunk.sound:
                    raise ValueError(f"the checksum of its part {chunk.kind.decode('ascii', 'replace')} is wrong")
            return Whole(raw, (width, height), "PNG")
        upright = ImageOps.exif_transpose(image)
        return Whole(_as_png(upright), upright.size, image.format or "?")


def _as_png(image: Image.Image) -> bytes:
    """PNG has no CMYK, and no color profile for it: those pixels are made plain RGB."""

    profile = image.info.get("icc_profile")
    if image.mode not in ("1", "L", "LA", "P", "RGB", "RGBA", "I;16"):
        image, profile = image.convert("RGB"), None
    buffer = io.BytesIO()
    image.save(buffer, format="PNG", icc_profile=profile)
    return buffer.getvalue()


def _instead(raw: bytes) -> str:
    """Return a description of the bytes; for a text with its beginning, which may hold the reason."""
    from redraft.metrics.target import looks_like

    found, _ = looks_like(raw)
    if found not in ("a text file", "a web page, not a picture"):
        return found
    what = found.removesuffix(", not a picture")
    return f"{what} instead of a picture: {readable(raw)[:_QUOTED]!r}"


class _Chunk(NamedTuple):
    """A chunk: its four letters, its data, and all of its bytes as they stand in the file."""

    kind: bytes
    data: bytes
    raw: bytes

    @property
    def sound(self) -> bool:
        """Whether its checksum is right."""
        end = 8 + len(self.data)
        return self.raw[end : end + 4] == zlib.crc32(self.kind + self.data).to_bytes(4)

    @property
    def keyword(self) -> str:
        """Of a text chunk."""
        return self.data.split(b"\0", 1)[0].decode("latin-1")


def described(png: bytes, fields: Mapping[str, str]) -> bytes:
    """The same picture with text chunks (iTXt, UTF-8) under these names; pixels and other chunks stay as they are.

    They stand right after the header. An iTXt chunk of the same name is replaced; older kinds of text (tEXt, zTXt) are
    other programs' and stay, even under the same name.

    Raises:
        ValueError: it is not a PNG, PNG does not allow a name, or a text holds a zero byte or half a character.
    """
    header, *others = _chunks(png)
    texts = b"".join(_text_chunk(name, text) for name, text in fields.items())
    kept = (chunk.raw for chunk in others if not (chunk.kind == b"iTXt" and chunk.keyword in fields))
    return b"".join((SIGNATURE, header.raw, texts, *kept))


def description_of(png: bytes) -> dict[str, str]:
    """The text chunks of a PNG, of all three kinds; under one name iTXt counts before the others.

    Raises:
        ValueError: it is not a PNG, or a text in it is damaged, or unpacks to more than 1 MiB.
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
        raise ValueError(f"not a PNG: it begins with {png[:8]!r}")
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
            f"{name[:100]!r} is not a name for a text in a PNG: 1 to 79 visible characters of Latin-1 are "
            "allowed, with single spaces between them"
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
        raise ValueError(f"a damaged PNG: the text {chunk.keyword!r} is not UTF-8") from error


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
