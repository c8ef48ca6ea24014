"""Commands that are carried out in the process of the tests leave it as it was."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def sigint_as_before() -> Iterator[None]:
    """Let Ctrl-C work again after a command that was stopped: it ignores further ones."""
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)
