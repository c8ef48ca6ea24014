"""Derived seeds depend on the seed and the path, and on nothing else."""

from hypothesis import given
from hypothesis import strategies as st

from redraft.seeds import derive


@given(st.integers(0, 2**31 - 1), st.text(max_size=40))
def test_in_range_and_repeatable(seed: int, path: str) -> None:
    assert 0 <= derive(seed, path) < 2**31
    assert derive(seed, path) == derive(seed, path)


def test_neighbours_differ() -> None:
    paths = [f"iteration-{n}/candidate-{m}/draft" for n in range(20) for m in range(20)]
    assert len({derive(seed, path) for seed in (0, 1) for path in paths}) == 800
