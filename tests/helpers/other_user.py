"""Connections of another user of this machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager

import pytest

ADMINISTRATOR = pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0, reason="only the administrator can be another user"
)
NOBODY = 65534


@contextmanager
def as_nobody() -> Generator[None]:
    """Sockets that are opened meanwhile belong to the user `nobody`."""
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
