"""What is refused before a run of the scene studio begins."""

from __future__ import annotations

import os

import pytest

from redraft.brief import Brief
from redraft.errors import MissingPartError
from redraft.studios.scene.settings import SceneSettings
from redraft.studios.scene.studio import studio


def test_a_system_that_cannot_fork_is_told_what_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "fork")
    with pytest.raises(MissingPartError, match="Subsystem for Linux: wsl --install"):
        studio.prepare(SceneSettings(), Brief.of("an apple"))
