"""What processes of their own start with."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def with_byte_code(as_installed: None) -> None:
    """See `as_installed`."""
