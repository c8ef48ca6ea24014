"""Reading the word lists and part trees that ship with the package."""

from __future__ import annotations

from typing import Any

import yaml

__all__ = ["read_yaml"]

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml where the wheel has it: ten times faster


def read_yaml(text: str) -> dict[str, Any]:
    """A YAML mapping, by a loader that makes plain values only."""
    return yaml.load(text, Loader=_LOADER)  # noqa: S506 - both loaders are safe ones
