"""The worst case is what a worst case costs, and no cap is passed."""

import pytest

from redraft.config import BudgetSettings, LoopSettings
from redraft.errors import BudgetError
from redraft.loop.budget import Budget, plan_cost
from redraft.result import Usage


@pytest.mark.parametrize(
    ("loop", "critic", "calls"),
    [
        (LoopSettings(iterations=1, candidates=1, fixes=0, repairs=0), False, 1),
        (LoopSettings(iterations=1, candidates=5, fixes=0, repairs=0), False, 5),
        (LoopSettings(iterations=1, candidates=1, fixes=3, repairs=2), False, 3 + 3),
        # Two turns: a draft or an edit, two repairs, one look, and three fixes in all.
        (LoopSettings(iterations=2, candidates=1, fixes=3, repairs=2), True, 2 * ((1 + 2 + 1) + 3)),
        # One turn more, where there is a critic who names what to polish.
        (LoopSettings(iterations=2, candidates=1, fixes=3, repairs=2, polish=True), True, 3 * ((1 + 2 + 1) + 3)),
        (LoopSettings(iterations=2, candidates=3, fixes=3, repairs=2, polish=True), False, 3 + 1 + 2 * (2 + 3)),
    ],
)
def test_worst_case(loop: LoopSettings, critic: bool, calls: int) -> None:
    assert plan_cost(loop, critic=critic) == calls


def used(tokens: int, cost: float | None = 0.0) -> Usage:
    return Usage(calls=1, input_tokens=tokens, output_tokens=0, cost=cost)


def test_calls_under_way_count() -> None:
    budget = Budget(BudgetSettings(calls=2))
    budget.reserve()
    budget.reserve()
    with pytest.raises(BudgetError, match=r"budget\.calls of 2 is reached"):
        budget.reserve()
    budget.settle(None)  # a call that never came back was not spent
    budget.reserve()


def test_tokens_and_cost() -> None:
    budget = Budget(BudgetSettings(tokens=100))
    budget.reserve()
    budget.settle(used(100))
    with pytest.raises(BudgetError, match=r"budget\.tokens of 100"):
        budget.reserve()
    budget = Budget(BudgetSettings(cost=0.5))
    budget.reserve()
    budget.settle(used(1, cost=0.5))
    with pytest.raises(BudgetError, match=r"budget\.cost of 0\.5"):
        budget.reserve()


def test_a_cost_cap_with_an_unknown_price_stops() -> None:
    budget = Budget(BudgetSettings(cost=0.5))
    budget.reserve()
    budget.settle(used(1, cost=None))
    with pytest.raises(BudgetError, match="price of a call was unknown"):
        budget.reserve()


def test_no_cap_is_no_cap() -> None:
    budget = Budget(BudgetSettings(calls=None))
    for _ in range(1_000):
        budget.reserve()
        budget.settle(used(1_000_000, cost=9.0))
    assert budget.spent.calls == 1_000


@pytest.mark.parametrize(
    ("spent", "price", "refused"),
    [
        (0.0, 0.0, ""),
        (0.0, 0.04, ""),
        (0.06, 0.04, ""),
        (0.07, 0.04, "a picture for 0.04"),
        (0.1, 0.0, "is reached"),
        (None, 0.0, "is not known"),
    ],
)
def test_a_picture_is_bought_only_within_the_cap(spent: float | None, price: float, refused: str) -> None:
    budget = Budget(BudgetSettings(cost=0.1), spent=used(1, spent))
    said = budget.money_spent(price)
    assert bool(said) == bool(refused)
    assert refused in said
    assert Budget(BudgetSettings(), spent=used(1, spent)).money_spent(price) == ""
