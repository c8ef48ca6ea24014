"""How varied pictures are at a glance: what one would call the same picture counts once."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image, ImageDraw

from redraft.metrics.likeness import likeness_of_pictures
from redraft.metrics.variety import vendi_of_pictures

Colour = tuple[int, int, int]
RED, BLUE, GREEN, WHITE, BLACK = (210, 40, 40), (40, 60, 200), (40, 150, 60), (255, 255, 255), (0, 0, 0)


def scene(ground: Colour, thing: Colour, at: tuple[int, int], size: int = 30, side: int = 128) -> Image.Image:
    """A disc on a ground."""
    image = Image.new("RGB", (side, side), ground)
    x, y, r = (round(v * side / 128) for v in (*at, size))
    ImageDraw.Draw(image).ellipse((x - r, y - r, x + r, y + r), fill=thing)
    return image


def stripes(upright: bool) -> Image.Image:
    line = np.where(np.arange(128) // 8 % 2, 255, 0).astype(np.uint8)
    pixels = np.broadcast_to(line[None] if upright else line[:, None], (128, 128))
    return Image.fromarray(np.ascontiguousarray(pixels)).convert("RGB")


def saved(image: Image.Image, kind: str = "PNG", **options: int) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def likeness(a: bytes, b: bytes) -> float:
    return float(likeness_of_pictures([a, b])[0, 1])


def test_the_same_picture_counts_once_at_any_size_and_in_any_format() -> None:
    small, large = scene(BLUE, RED, (40, 60)), scene(BLUE, RED, (40, 60), side=512)
    again = [saved(small), saved(large), saved(large, "JPEG", quality=60), saved(small.convert("RGBA"))]
    assert vendi_of_pictures(again) < 1.2
    assert vendi_of_pictures([saved(small)] * 5) == 1


def test_different_pictures_count_nearly_one_each() -> None:
    pictures = [scene(RED, WHITE, (30, 30)), scene(BLACK, GREEN, (90, 90), 50), scene(WHITE, BLUE, (64, 20), 15)]
    assert vendi_of_pictures([saved(p) for p in [*pictures, stripes(upright=True)]]) > 3.3


def test_another_palette_and_another_place_both_count() -> None:
    base = saved(scene(BLUE, RED, (40, 60)))
    recoloured, moved = saved(scene(GREEN, WHITE, (40, 60))), saved(scene(BLUE, RED, (95, 90)))
    assert 0.2 < likeness(base, recoloured) < 0.8
    assert 0.2 < likeness(base, moved) < 0.9


def test_the_way_of_lines_is_seen_where_colours_are_the_same() -> None:
    assert likeness(saved(stripes(upright=True)), saved(stripes(upright=False))) < 0.75


def test_noise_too_faint_to_see_is_no_form() -> None:
    rng = np.random.default_rng(3)
    noisy = (np.full((128, 128, 3), 180) + rng.integers(-2, 3, (128, 128, 3))).astype(np.uint8)
    assert likeness(saved(Image.fromarray(noisy)), saved(Image.new("RGB", (128, 128), (180, 180, 180)))) > 0.9


def test_half_alike_is_at_the_stated_difference_of_colour() -> None:
    """Two greys 20 apart in lightness (L* 50 and 70) have no edges: half for the colours, whole for the edges."""
    greys = [Image.new("RGB", (64, 64), (level,) * 3) for level in (119, 171)]  # L* 50.0 and 69.9 by the sRGB formulas
    assert likeness(*(saved(grey) for grey in greys)) == pytest.approx((0.5 + 1) / 2, abs=0.01)


def test_transparent_pictures_lie_on_white() -> None:
    clear = Image.new("RGBA", (64, 64), (255, 0, 0, 0))
    assert likeness(saved(clear), saved(Image.new("RGB", (64, 64), WHITE))) == 1


def test_the_matrix_has_no_negative_eigenvalue_and_ones_on_its_diagonal() -> None:
    rng = np.random.default_rng(1)
    pictures = [saved(Image.fromarray(rng.integers(0, 256, (16, 16, 3), dtype=np.uint8))) for _ in range(12)]
    alike = likeness_of_pictures(pictures)
    assert np.array_equal(np.diag(alike), np.ones(12))
    assert np.allclose(alike, alike.T)
    assert np.linalg.eigvalsh(alike).min() > -1e-9


@pytest.mark.parametrize(
    ("raw", "said"),
    [(b"hello", "a text file"), (b"", r"empty \(0 bytes\)"), (saved(stripes(upright=True))[:60], "damaged|cut short")],
)
def test_what_is_no_picture_is_named_by_its_number(raw: bytes, said: str) -> None:
    good = saved(scene(BLUE, RED, (40, 60)))
    with pytest.raises(ValueError, match=said) as caught:
        vendi_of_pictures([good, raw, good])
    assert str(caught.value).startswith("Picture 2 of 3 is ")


def test_no_pictures_are_no_variety() -> None:
    assert vendi_of_pictures([]) == 0
