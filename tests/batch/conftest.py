"""A batch that nothing disturbs, with which the others are compared."""

from __future__ import annotations

import pytest
from real_parts import needs
from tiny_batch import Whole, write_briefs

from redraft.batch import carry_out, read_briefs


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """Five briefs of four studios in a pool of this process."""
    place = tmp_path_factory.mktemp("whole")
    needs("egl")
    briefs = write_briefs(place, shader=True)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("HOME", str(place))
        rows = carry_out(read_briefs(briefs), place / "out", workers=1, folder=place, gallery=True)
    return Whole(briefs, place / "out", rows)
