"""What processes of their own start with."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def byte_code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("byte-code")


@pytest.fixture(autouse=True)
def as_installed(byte_code: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With byte code, which some environments are told not to write: loading takes a third of the time."""
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", str(byte_code))
