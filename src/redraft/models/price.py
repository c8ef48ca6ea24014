"""What a reply cost, in US dollars: by the settings' prices, or else by the public price list of the server asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redraft.models.settings import ModelSettings

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse

__all__ = ["cost_of"]


def cost_of(response: ModelResponse, settings: ModelSettings) -> float | None:
    """US dollars, None where nothing is known.

    The list (the `genai-prices` package, no look-up over the network) is asked by the server's address: another
    server that serves a model of the same name has other prices.
    """
    from genai_prices import calc_price

    usage = response.usage
    if usage.unmeasured_requests:
        return None
    if settings.input_price is not None and settings.output_price is not None:
        return (usage.input_tokens * settings.input_price + usage.output_tokens * settings.output_price) / 1e6
    if response.model_name is None or response.provider_url is None:
        return None
    try:
        return float(calc_price(usage, response.model_name, provider_api_url=response.provider_url).total_price)
    except LookupError:
        return None
