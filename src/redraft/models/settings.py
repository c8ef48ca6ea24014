"""How a model is reached: the section of the configuration that every provider shares."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

__all__ = ["ModelSettings", "SchemaMode"]

SchemaMode = Literal["native", "tool", "prompted"]
"""How a JSON schema is sent: as the response format, as a tool to call, or in the prompt's words."""


class ModelSettings(BaseModel):
    """Settings of a model behind a network. `sees` is honoured by every kind; the others by providers alone."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, allow_inf_nan=False, use_attribute_docstrings=True
    )

    base_url: str | None = None
    """Server of the model, instead of the provider's own; `openai-compatible:NAME` needs it."""
    timeout: float = Field(default=120.0, gt=0, le=7_200)
    """Seconds for one try, from connecting to the last byte."""
    transport_retries: int = Field(default=4, ge=0, le=20)
    """Further tries after one that failed on the way; 0 means none."""
    temperature: float | None = Field(default=None, ge=0, le=2)
    """For every request; None leaves it to the request, and then to the provider."""
    max_tokens: int | None = Field(default=None, ge=1, le=10_000_000)
    """Longest reply, in tokens."""
    api_key_env: str | None = Field(default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    """Name of the environment variable that holds the key, when it is not the provider's usual one."""
    input_price: float | None = Field(default=None, ge=0)
    """US dollars for a million input tokens; overrides the price list. Goes together with `output_price`."""
    output_price: float | None = Field(default=None, ge=0)
    """US dollars for a million output tokens."""
    sees: bool | None = None
    """Whether the model takes pictures, when redraft does not know it or is wrong."""
    schema_mode: SchemaMode | None = None
    """How a JSON schema is sent, for servers that do not take what their model's profile says."""

    @field_validator("base_url")
    @classmethod
    def _is_an_address(cls, value: str | None) -> str | None:
        if value is not None and not re.match(r"https?://[^\s/]", value):
            raise ValueError("an address is wanted, as in http://localhost:8080/v1")
        return value

    @model_validator(mode="after")
    def _both_prices(self) -> ModelSettings:
        if (self.input_price is None) != (self.output_price is None):
            raise ValueError("input_price and output_price go together: give both, or neither for the price list")
        return self
