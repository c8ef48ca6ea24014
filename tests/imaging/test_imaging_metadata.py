"""Text in PNG files: Pillow reads it, and everything else in the file stays byte for byte."""

from __future__ import annotations

import io
import random
import re
import zlib
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from PIL.PngImagePlugin import PngImageFile, PngInfo

from redraft.imaging.metadata import described, description_of

NAMES = st.from_regex(re.compile(r"[!-~¡-ÿ]{1,20}( [!-~¡-ÿ]{1,20}){0,2}"), fullmatch=True)
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=200)


def picture(**options: object) -> bytes:
    noise = random.Random(1).randbytes(24 * 16 * 3)
    file = io.BytesIO()
    Image.frombytes("RGB", (24, 16), noise).save(file, "PNG", **options)
    return file.getvalue()


PICTURE = picture()


def chunk(kind: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4)


def with_chunk(kind: bytes, data: bytes) -> bytes:
    """The picture with one more chunk behind its header."""
    return PICTURE[:33] + chunk(kind, data) + PICTURE[33:]


def by_pillow(png: bytes) -> dict[str, str]:
    """Its texts; loading checks all of the picture."""
    image = Image.open(io.BytesIO(png))
    assert isinstance(image, PngImageFile)
    image.load()
    return {str(name): str(text) for name, text in image.text.items()}


@given(st.dictionaries(NAMES, TEXTS, max_size=4))
def test_pillow_reads_what_was_written_and_the_pixels_are_the_same(fields: dict[str, str]) -> None:
    png = described(PICTURE, fields)
    assert by_pillow(png) == description_of(png) == fields
    assert Image.open(io.BytesIO(png)).tobytes() == Image.open(io.BytesIO(PICTURE)).tobytes()


@given(st.dictionaries(NAMES, TEXTS, min_size=1, max_size=4))
def test_everything_else_stays_byte_for_byte(fields: dict[str, str]) -> None:
    png = described(PICTURE, fields)
    added = len(png) - len(PICTURE)
    assert png[:33] == PICTURE[:33]
    assert png[33 + added :] == PICTURE[33:]
    assert described(png, fields) == png


@given(TEXTS, TEXTS)
def test_writing_again_replaces_what_has_the_same_name(old: str, new: str) -> None:
    png = described(described(PICTURE, {"redraft:prompt": old, "redraft:seed": "1"}), {"redraft:prompt": new})
    assert by_pillow(png) == description_of(png) == {"redraft:prompt": new, "redraft:seed": "1"}
    assert len(png) - len(PICTURE) == 2 * (12 + 5) + len("redraft:prompt" + "redraft:seed1") + len(new.encode())


def test_texts_and_colours_of_other_programs_stay() -> None:
    info = PngInfo()
    info.add_text("prompt", '{"3": {"class_type": "KSampler"}}')
    info.add_text("workflow", "x" * 5000, zip=True)
    info.add_itxt("Author", "Zoë", "de", "Autor")
    info.add_itxt("Comment", "ö" * 5000, zip=True)
    theirs = picture(pnginfo=info, dpi=(300, 300), icc_profile=b"not a real one")
    png = described(theirs, {"Title": "Lighthouse"})
    assert png.replace(png[33 : 33 + len(png) - len(theirs)], b"", 1) == theirs
    assert description_of(png) == by_pillow(png)
    assert description_of(png) == {
        "prompt": '{"3": {"class_type": "KSampler"}}',
        "workflow": "x" * 5000,
        "Author": "Zoë",
        "Comment": "ö" * 5000,
        "Title": "Lighthouse",
    }


def test_a_text_of_the_older_kind_under_the_same_name_stays_but_ours_counts() -> None:
    png = described(with_chunk(b"tEXt", b"prompt\0theirs"), {"prompt": "ours"})
    assert b"prompt\0theirs" in png
    assert description_of(png) == {"prompt": "ours"}


@pytest.mark.parametrize(
    "name", ["", " a", "a ", "a  b", "a\nb", "a\0b", "€", "a\xa0b", "x" * 80, "\x7f"], ids=lambda name: ascii(name)[:12]
)
def test_a_name_that_png_does_not_allow_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="is no name for a text in a PNG"):
        described(PICTURE, {name: "text"})


@pytest.mark.parametrize(("text", "why"), [("a\0b", "zero byte at character 1"), ("\ud800", "surrogates not allowed")])
def test_a_text_that_png_does_not_allow_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        described(PICTURE, {"prompt": text})


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "no PNG: it begins with b''"),
        (b"\xff\xd8\xff\xe0 a JPEG", "no PNG: it begins with"),
        (PICTURE[:8], "ends within the chunk that begins at byte 8"),
        (PICTURE[:-1], "ends within the chunk"),
        (PICTURE[:60], "ends within the chunk that begins at byte 33"),
        (PICTURE[:33] + b"\xff\xff\xff\xff" + PICTURE[37:], "ends within the chunk"),
        (PICTURE[:8] + chunk(b"CgBI", b"\0" * 4) + PICTURE[8:], "its first chunk is b'CgBI' of 4 bytes, not a header"),
    ],
)
def test_what_is_no_whole_png_is_refused(data: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        description_of(data)
    with pytest.raises(ValueError, match=why):
        described(data, {"prompt": "a storm"})


@pytest.mark.parametrize(
    ("kind", "data", "why"),
    [
        (b"iTXt", b"name\0\0\0no more", "'name' is cut off"),
        (b"iTXt", b"name", "'name' is cut off"),
        (b"iTXt", b"name\0\0\0\0\0\xff", "'name' is no UTF-8"),
        (b"iTXt", b"name\0\1\0\0\0" + zlib.compress(b"text")[:-3], "'name' is cut off"),
        (b"zTXt", b"name\0\0not packed", "'name' cannot be unpacked"),
        (b"zTXt", b"name\0\0" + zlib.compress(b"0" * 2_000_000), r"'name' of the PNG unpacks to more than 1,048,576"),
    ],
)
def test_a_damaged_text_is_named(kind: bytes, data: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        description_of(with_chunk(kind, data))


@given(st.binary(max_size=40), st.integers(0, len(PICTURE)))
def test_any_bytes_are_read_or_refused_in_words(data: bytes, at: int) -> None:
    with suppress(ValueError):
        description_of(PICTURE[:at] + data + PICTURE[at:])
