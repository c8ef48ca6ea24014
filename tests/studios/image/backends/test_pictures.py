"""What was sent as a picture is found whole, or refused in words."""

from __future__ import annotations

import io
import random
import re
import struct
import zlib
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from image_servers import picture
from PIL import Image
from PIL.PngImagePlugin import PngImageFile, PngInfo

from redraft.errors import ImageBackendError
from redraft.studios.image.backends.pictures import described, description_of, whole


def opened(png: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(png))
    image.load()
    return image


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def bomb(width: int, height: int) -> bytes:
    """A PNG of a few dozen bytes that claims to be so large."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"\0")) + chunk(b"IEND", b"")


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_a_png_of_any_mode_keeps_every_byte(mode: str) -> None:
    buffer = io.BytesIO()
    Image.new(mode, (5, 3)).save(buffer, format="PNG")
    found = whole(buffer.getvalue(), "x")
    assert (found.png, found.size, found.came_as) == (buffer.getvalue(), (5, 3), "PNG")


def test_what_its_maker_wrote_into_a_png_stays() -> None:
    buffer = io.BytesIO()
    from PIL.PngImagePlugin import PngInfo

    words = PngInfo()
    words.add_text("prompt", '{"3": {"class_type": "KSampler"}}')
    Image.new("RGB", (4, 4)).save(buffer, format="PNG", pnginfo=words)
    assert opened(whole(buffer.getvalue(), "x").png).info["prompt"] == '{"3": {"class_type": "KSampler"}}'


@pytest.mark.parametrize("kind", ["JPEG", "WEBP", "GIF", "BMP", "TIFF"])
def test_other_formats_become_a_png_of_the_same_colours(kind: str) -> None:
    found = whole(picture(kind, (16, 8), "red"), "x")
    image = opened(found.png).convert("RGB")
    red, green, blue = image.getpixel((8, 4))  # type: ignore[misc]
    assert (image.size, found.came_as) == ((16, 8), kind)
    assert red > 240
    assert green < 15
    assert blue < 15


def test_cmyk_becomes_rgb() -> None:
    found = whole(picture("JPEG", (16, 8), mode="CMYK", colour="red"), "x")
    assert opened(found.png).mode == "RGB"


def test_a_picture_is_turned_upright_as_its_camera_noted() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    buffer = io.BytesIO()
    Image.new("RGB", (16, 8)).save(buffer, format="JPEG", exif=exif)
    found = whole(buffer.getvalue(), "x")
    assert found.size == (8, 16) == opened(found.png).size


def test_a_colour_profile_goes_along() -> None:
    from PIL import ImageCms

    cms: Any = ImageCms  # its types are half unknown
    profile: bytes = cms.ImageCmsProfile(cms.createProfile("sRGB")).tobytes()
    buffer = io.BytesIO()
    Image.new("RGB", (16, 8)).save(buffer, format="WEBP", icc_profile=profile)
    assert opened(whole(buffer.getvalue(), "x").png).info["icc_profile"] == profile


def test_of_an_animation_the_first_frame_is_taken() -> None:
    buffer = io.BytesIO()
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "blue")]
    frames[0].save(buffer, format="GIF", save_all=True, append_images=frames[1:])
    assert opened(whole(buffer.getvalue(), "x").png).convert("RGB").getpixel((4, 4)) == (255, 0, 0)


PAGE = b"<!DOCTYPE html><html><title>Sign in</title><script>var a = 1;</script><p>Please log&nbsp;in</p></html>"
NOT_PICTURES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "sent an empty file"),
    "text": (b"rate limited\n", "a text file instead of a picture: 'rate limited'"),
    "page": (PAGE, "a web page instead of a picture: 'Sign in Please log in'"),
    "svg": (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "an SVG drawing"),
    "postscript": (b"%!PS-Adobe-3.0 EPSF-3.0\n", "a PostScript document"),
    "noise": (b"\x00\x01\x02\x03" * 9, "not a picture of a known kind"),
    "bomb": (bomb(30_000, 30_000), "30,000 × 30,000 pixels|far too many pixels"),
    "large": (bomb(12_000, 9_000), "a picture of 12,000 × 9,000 pixels; at most 100 million are taken"),
    "no pixels": (bomb(64, 64), "damaged or cut short"),
}


@pytest.mark.parametrize("kind", NOT_PICTURES)
def test_what_is_no_picture_is_refused_in_words(kind: str) -> None:
    raw, words = NOT_PICTURES[kind]
    with pytest.raises(ImageBackendError) as error:
        whole(raw, "painter")
    assert str(error.value).startswith("painter sent ")
    assert any(word in str(error.value) for word in words.split("|"))


def noisy(kind: str, **options: Any) -> bytes:
    """A picture that does not compress, so that every byte of it counts."""
    buffer = io.BytesIO()
    Image.effect_noise((24, 24), 90).save(buffer, format=kind, **options)
    return buffer.getvalue()


NOISY_PNG = noisy("PNG")


@given(st.integers(0, len(NOISY_PNG) - 1))
def test_a_png_cut_anywhere_is_refused(length: int) -> None:
    with pytest.raises(ImageBackendError):
        whole(NOISY_PNG[:length], "x")


@given(st.integers(8, len(NOISY_PNG) - 1), st.integers(1, 255))
def test_a_png_with_any_byte_changed_is_refused(place: int, by: int) -> None:
    damaged = bytearray(NOISY_PNG)
    damaged[place] ^= by
    with pytest.raises(ImageBackendError):
        whole(bytes(damaged), "x")


@given(st.binary(max_size=200))
def test_any_bytes_are_refused_in_one_readable_line(raw: bytes) -> None:
    with pytest.raises(ImageBackendError) as error:
        whole(raw, "x")
    assert str(error.value).isprintable()


def test_a_jpeg_cut_short_is_refused() -> None:
    raw = noisy("JPEG")
    with pytest.raises(ImageBackendError, match="damaged or cut short"):
        whole(raw[: len(raw) // 2], "x")


NAMES = st.from_regex(re.compile(r"[!-~¡-ÿ]{1,20}( [!-~¡-ÿ]{1,20}){0,2}"), fullmatch=True)
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=200)


def small_picture(**options: object) -> bytes:
    noise = random.Random(1).randbytes(24 * 16 * 3)
    file = io.BytesIO()
    Image.frombytes("RGB", (24, 16), noise).save(file, "PNG", **options)
    return file.getvalue()


SMALL = small_picture()


def with_chunk(kind: bytes, data: bytes) -> bytes:
    """The picture with one more chunk behind its header."""
    return SMALL[:33] + chunk(kind, data) + SMALL[33:]


def by_pillow(png: bytes) -> dict[str, str]:
    """Its texts; loading checks all of the picture."""
    image = Image.open(io.BytesIO(png))
    assert isinstance(image, PngImageFile)
    image.load()
    return {str(name): str(text) for name, text in image.text.items()}


@given(st.dictionaries(NAMES, TEXTS, max_size=4))
def test_pillow_reads_what_was_written_and_the_pixels_are_the_same(fields: dict[str, str]) -> None:
    png = described(SMALL, fields)
    assert by_pillow(png) == description_of(png) == fields
    assert Image.open(io.BytesIO(png)).tobytes() == Image.open(io.BytesIO(SMALL)).tobytes()


@given(st.dictionaries(NAMES, TEXTS, min_size=1, max_size=4))
def test_everything_else_stays_byte_for_byte(fields: dict[str, str]) -> None:
    png = described(SMALL, fields)
    added = len(png) - len(SMALL)
    assert png[:33] == SMALL[:33]
    assert png[33 + added :] == SMALL[33:]
    assert described(png, fields) == png


@given(TEXTS, TEXTS)
def test_writing_again_replaces_what_has_the_same_name(old: str, new: str) -> None:
    png = described(described(SMALL, {"redraft:prompt": old, "redraft:seed": "1"}), {"redraft:prompt": new})
    assert by_pillow(png) == description_of(png) == {"redraft:prompt": new, "redraft:seed": "1"}
    assert len(png) - len(SMALL) == 2 * (12 + 5) + len("redraft:prompt" + "redraft:seed1") + len(new.encode())


def test_texts_and_colours_of_other_programs_stay() -> None:
    info = PngInfo()
    info.add_text("prompt", '{"3": {"class_type": "KSampler"}}')
    info.add_text("workflow", "x" * 5000, zip=True)
    info.add_itxt("Author", "Zoë", "de", "Autor")
    info.add_itxt("Comment", "ö" * 5000, zip=True)
    theirs = small_picture(pnginfo=info, dpi=(300, 300), icc_profile=b"not a real one")
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
    with pytest.raises(ValueError, match="is not a name for a text in a PNG"):
        described(SMALL, {name: "text"})


@pytest.mark.parametrize(("text", "why"), [("a\0b", "zero byte at character 1"), ("\ud800", "surrogates not allowed")])
def test_a_text_that_png_does_not_allow_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        described(SMALL, {"prompt": text})


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "not a PNG: it begins with b''"),
        (b"\xff\xd8\xff\xe0 a JPEG", "not a PNG: it begins with"),
        (SMALL[:8], "ends within the chunk that begins at byte 8"),
        (SMALL[:-1], "ends within the chunk"),
        (SMALL[:60], "ends within the chunk that begins at byte 33"),
        (SMALL[:33] + b"\xff\xff\xff\xff" + SMALL[37:], "ends within the chunk"),
        (SMALL[:8] + chunk(b"CgBI", b"\0" * 4) + SMALL[8:], "its first chunk is b'CgBI' of 4 bytes, not a header"),
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
        (b"iTXt", b"name\0\0\0\0\0\xff", "'name' is not UTF-8"),
        (b"iTXt", b"name\0\1\0\0\0" + zlib.compress(b"text")[:-3], "'name' is cut off"),
        (b"zTXt", b"name\0\0not packed", "'name' cannot be unpacked"),
        (b"zTXt", b"name\0\0" + zlib.compress(b"0" * 2_000_000), r"'name' of the PNG unpacks to more than 1,048,576"),
    ],
)
def test_a_damaged_text_is_named(kind: bytes, data: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        description_of(with_chunk(kind, data))


@given(st.binary(max_size=40), st.integers(0, len(SMALL)))
def test_any_bytes_are_read_or_refused_in_words(data: bytes, at: int) -> None:
    with suppress(ValueError):
        description_of(SMALL[:at] + data + SMALL[at:])
