"""A batch that nothing disturbs, with which the others are compared."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_batch import Whole, write_briefs

from redraft.batch import carry_out, read_briefs


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory, byte_code: Path) -> Whole:
    """Five briefs in a pool of this process."""
    place = tmp_path_factory.mktemp("whole")
    briefs = write_briefs(place, more=1)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("HOME", str(place))
        patched.setenv("PYTHONPYCACHEPREFIX", str(byte_code))
        patched.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        rows = carry_out(read_briefs(briefs), place / "out", workers=1, folder=place, gallery=True)
    return Whole(briefs, place / "out", rows)
