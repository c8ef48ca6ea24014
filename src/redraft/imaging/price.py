"""What a picture cost, in US dollars: by the settings' price, or else by the public price list of the server asked."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from redraft.imaging.words import as_object

__all__ = ["cost_of"]


def cost_of(usage: Mapping[str, JsonValue], model: str, base_url: str, price: float | None) -> float | None:
    """US dollars, None where nothing is known: no price is set, and the server did not count, or is on no list.

    The list (the `genai-prices` package, no look-up over the network) is asked by the server's address: another server
    that serves a model of the same name has other prices. Tokens of the output that are not said to be text are the
    picture's.
    """
    if price is not None:
        return price
    asked, answered = _count(usage, "input_tokens"), _count(usage, "output_tokens")
    if asked is None or answered is None:
        return None
    try:
        from genai_prices import Usage, calc_price
    except ImportError:  # it comes with language models, which the embedded and the local backends do without
        return None
    text = _count(as_object(usage.get("output_tokens_details")), "text_tokens") or 0
    counted = Usage(input_tokens=asked, output_tokens=answered, output_image_tokens=max(0, answered - text))
    try:
        return float(calc_price(counted, model, provider_api_url=base_url).total_price)
    except (LookupError, ValueError):
        return None


def _count(fields: Mapping[str, JsonValue], name: str) -> int | None:
    value = fields.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
