"""The journal folded: ordered by path, with the seed's step fields."""

import random

from hypothesis import given
from hypothesis import strategies as st

from redraft.transcript import path_order

IN_ORDER = [
    "blackbox_scoring/idea_cards_generate",
    "iteration-1/candidate-0/draft",
    "iteration-1/candidate-0/draft/fix-1",
    "iteration-1/candidate-0/draft/fix-2",
    "iteration-1/candidate-2/draft",
    "iteration-1/candidate-10/draft",
    "iteration-2/edit",
    "iteration-2/edit/fix-1",
    "iteration-2/validate-0",
    "iteration-2/repair-1",
    "iteration-2/repair-1/fix-1",
    "iteration-2/validate-1",
    "iteration-2/repair-2",
    "iteration-2/validate-2",
    "iteration-2/verify",
    "iteration-10/edit",
]


@given(st.randoms(use_true_random=False))
def test_order_of_paths(shuffler: random.Random) -> None:
    paths = list(IN_ORDER)
    shuffler.shuffle(paths)
    assert sorted(paths, key=path_order) == IN_ORDER
