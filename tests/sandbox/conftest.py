"""Tests of the sandbox count the processes of this one, so no worker of an earlier test waits for its next run."""

from __future__ import annotations

import pytest

from redraft.sandbox.pool import WAITING


@pytest.fixture(autouse=True)
def no_worker_waits() -> None:
    WAITING.end()
