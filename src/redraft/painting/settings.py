"""`images.*` in the configuration: the image backend and its connection."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, field_validator

from redraft.trust import Trusted


class ImagingSettings(BaseModel):
    """Settings of image backends. One that a backend cannot honor is refused before anything is painted."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, allow_inf_nan=False, use_attribute_docstrings=True
    )

    backend: Annotated[str, Trusted("chooses a program or a server", harmless=("sketch", "custom"))] = "sketch"
    """Image backend: sketch (embedded), openai:MODEL, comfyui:WORKFLOW.json or command:PROGRAM …"""
    width: int = Field(default=1024, ge=64, le=4096)
    """Pixels of the image."""
    height: int = Field(default=1024, ge=64, le=4096)
    quality: str | None = Field(default=None, pattern=r"^[a-z][a-z0-9_-]{0,31}$")
    """Quality, for `openai:` models (`low`, `medium`, `high` …); null: the model's default."""
    base_url: Annotated[str | None, Trusted("chooses a server")] = None
    """Server of the image backend, instead of its own."""
    api_key_env: Annotated[str | None, Trusted("names a key")] = Field(
        default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$"
    )
    """Name of the environment variable that holds the key, if it is not OPENAI_API_KEY."""
    timeout: float = Field(default=300.0, gt=0, le=7_200)
    """Time limit for one picture in seconds, from the request to the last byte; includes the server's queue."""
    retries: int = Field(default=3, ge=0, le=20)
    """Retries after a transport error; 0 means none."""
    price: Annotated[float | None, Trusted("says what pictures cost")] = Field(default=None, ge=0)
    """US dollars for one picture; null: as the server says, else unknown."""
    sketch_model: Annotated[str, Trusted("chooses who gets the prompt", harmless=("offline",))] = "offline"
    """Model that draws when the backend is `sketch`."""

    @field_validator("base_url")
    @classmethod
    def _is_an_address(cls, value: str | None) -> str | None:
        if value is None:
            return None
        if not re.match(r"https?://[^\s/]", value):
            raise ValueError("expected an address, as in http://127.0.0.1:8188")
        if re.match(r"https?://[^/?#]*@", value):
            raise ValueError(
                "settings are recorded, so an address has no login; name the key's variable in api_key_env"
            )
        return value
