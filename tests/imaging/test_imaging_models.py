"""What is known of OpenAI's image models before a call, and what their pictures cost."""

from __future__ import annotations

import pytest
from image_servers import USAGE
from pydantic import JsonValue

from redraft.errors import ConfigError
from redraft.imaging.openai import OPENAI_URL, OpenAIBackend
from redraft.imaging.openai_models import is_gpt_image, known, refuse_what_it_lacks
from redraft.imaging.price import cost_of
from redraft.imaging.settings import ImagingSettings


@pytest.mark.parametrize(
    ("model", "sizes"),
    [
        ("gpt-image-1", [(1024, 1024), (1536, 1024), (1024, 1536)]),
        ("gpt-image-1.5", [(1024, 1024), (1536, 1024), (1024, 1536)]),
        ("gpt-image-1-mini", [(1536, 1024)]),
        ("dall-e-3", [(1024, 1024), (1792, 1024), (1024, 1792)]),
        ("dall-e-2", [(256, 256), (512, 512), (1024, 1024)]),
        ("gpt-image-2", [(1024, 1024), (1536, 864), (3840, 2160), (2160, 3840), (1536, 512)]),
        ("gpt-image-2-2026-04-21", [(1008, 1024)]),
        ("gpt-image-2.5-flare", [(1536, 864)]),
    ],
)
def test_sizes_that_a_model_takes_pass(model: str, sizes: list[tuple[int, int]]) -> None:
    for width, height in sizes:
        refuse_what_it_lacks(model, width, height, None)


@pytest.mark.parametrize(
    ("model", "size", "words"),
    [
        ("gpt-image-1", (1792, 1024), "paints 1024 × 1024, 1536 × 1024 or 1024 × 1536 pixels"),
        ("gpt-image-1", (512, 512), "paints 1024 × 1024"),
        ("dall-e-3", (1536, 1024), "paints 1024 × 1024, 1792 × 1024 or 1024 × 1792 pixels"),
        ("dall-e-2", (1024, 512), "256 × 256, 512 × 512 or 1024 × 1024"),
        ("gpt-image-2", (1000, 1024), "multiples of 16, as in 992 × 1024"),
        ("gpt-image-2", (2048, 512), "nothing longer than 3 to 1"),
        ("gpt-image-2", (4096, 2048), "at most 3840 pixels a side"),
        ("gpt-image-2.5-sunburst", (3840, 3840), "8,294,400 in all"),
    ],
)
def test_a_size_that_a_model_does_not_paint_is_refused_and_none_is_chosen_instead(
    model: str, size: tuple[int, int], words: str
) -> None:
    with pytest.raises(ConfigError) as error:
        refuse_what_it_lacks(model, *size, None)
    assert f"images.width and images.height are {size[0]} × {size[1]}, and {model} " in str(error.value)
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("model", "quality", "words"),
    [
        ("gpt-image-2", "hd", "low, medium, high or auto"),
        ("gpt-image-2", "max", "low, medium, high or auto"),
        ("dall-e-3", "high", "standard or hd"),
        ("dall-e-2", "hd", "knows standard"),
    ],
)
def test_a_quality_that_a_model_does_not_know_is_refused(model: str, quality: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        refuse_what_it_lacks(model, 1024, 1024, quality)


@pytest.mark.parametrize("model", ["flux-1-dev", "gpt-image-2-all", "gpt-image-2.6-flare", "my/dall-e-3", "x" * 99])
def test_nothing_is_held_against_a_model_that_is_not_known(model: str) -> None:
    assert known(model) is None
    refuse_what_it_lacks(model, 77, 4096, "whatever")


def test_names_that_gateways_give_are_still_gpt_image_models() -> None:
    assert [is_gpt_image(name) for name in ("gpt-image-2", "openai/gpt-image-2", "flux", "dall-e-3")] == [
        True,
        True,
        False,
        False,
    ]


def test_openais_own_server_is_asked_only_for_what_the_model_paints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789")
    with pytest.raises(ConfigError, match="640 × 480, and gpt-image-1 paints"):
        OpenAIBackend("gpt-image-1", ImagingSettings(width=640, height=480))
    OpenAIBackend("gpt-image-1", ImagingSettings(width=640, height=480, base_url="http://127.0.0.1:1/v1"))


@pytest.mark.parametrize(
    ("model", "dollars"),
    [
        # Per million tokens: 5 for text that goes in, and for the picture that comes out 40, 32 and 30.
        ("gpt-image-1", (50 * 5 + 4160 * 40) / 1e6),
        ("gpt-image-1.5", (50 * 5 + 4160 * 32) / 1e6),
        ("gpt-image-2", (50 * 5 + 4160 * 30) / 1e6),
    ],
)
def test_tokens_are_priced_by_the_public_list(model: str, dollars: float) -> None:
    assert cost_of(USAGE, model, OPENAI_URL, None) == pytest.approx(dollars)


def test_text_in_the_output_is_priced_as_text() -> None:
    usage: dict[str, JsonValue] = {**USAGE, "output_tokens_details": {"image_tokens": 4000, "text_tokens": 160}}
    assert cost_of(usage, "gpt-image-1.5", OPENAI_URL, None) == pytest.approx((50 * 5 + 4000 * 32 + 160 * 10) / 1e6)


@pytest.mark.parametrize(
    ("usage", "model", "server"),
    [
        ({}, "gpt-image-2", OPENAI_URL),
        ({"input_tokens": "50", "output_tokens": True}, "gpt-image-2", OPENAI_URL),
        ({"input_tokens": -1, "output_tokens": 5}, "gpt-image-2", OPENAI_URL),
        (USAGE, "no-such-model", OPENAI_URL),
        (USAGE, "gpt-image-2", "http://127.0.0.1:8080/v1"),
    ],
)
def test_where_nothing_is_known_the_cost_is_none(usage: dict[str, JsonValue], model: str, server: str) -> None:
    assert cost_of(usage, model, server, None) is None


def test_a_price_of_the_settings_goes_before_the_list() -> None:
    assert cost_of(USAGE, "gpt-image-2", OPENAI_URL, 0.0) == 0.0
