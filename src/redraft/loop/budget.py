"""The budget of a run: the worst case stated before it, and one hard cap over everything."""

from __future__ import annotations

from dataclasses import dataclass, field

from redraft.config import BudgetSettings, LoopSettings
from redraft.errors import BudgetError
from redraft.result import Usage


def plan_cost(
    loop: LoopSettings,
    *,
    critic: bool,
    looks: bool = False,
    surveys: bool = False,
    discovers: bool = False,
    draft: int = 1,
    ideas: int = 0,
) -> int:
    """Return the number of model calls of a run at most.

    An attempt is one call, or as many as a `draft` takes, and its looks where the model may look closer. The first turn
    drafts all candidates, a later one edits once. Each turn may repair, and has one look if there is a critic, who may
    look closer where a studio `surveys`. A critic's minor differences may add one turn (`loop.polish`). All attempts of
    a turn share its fixes. Reading a reference is one call, and its fixes; the calls for `ideas` come once.
    """
    attempt = 1 + (loop.looks if looks else 0)
    look = 1 + (loop.looks if surveys else 0) if critic else 0
    turns = loop.iterations + (1 if loop.polish and critic else 0)
    before = ideas + (1 + loop.fixes if discovers else 0)
    drafts = (loop.candidates + turns - 1) * (attempt + draft - 1)
    return before + drafts + turns * (loop.repairs * attempt + loop.fixes + look)


@dataclass
class Budget:
    """The caps of a run and what it has spent; it refuses the call that would exceed one."""

    caps: BudgetSettings
    spent: Usage = field(default_factory=Usage)
    _under_way: int = 0

    def reserve(self) -> None:
        """Take one call from the budget before it is made.

        Raises:
            BudgetError: a cap is reached; it names the cap, what was spent, and the setting.
        """
        caps, spent = self.caps, self.spent
        tokens = spent.input_tokens + spent.output_tokens
        if caps.calls is not None and spent.calls + self._under_way >= caps.calls:
            raise _over("calls", f"{spent.calls + self._under_way} calls", str(caps.calls), "--max-calls")
        if caps.tokens is not None and tokens >= caps.tokens:
            raise _over("tokens", f"{tokens:,} tokens", f"{caps.tokens:,}", "--max-tokens")
        if caps.cost is not None:
            if spent.cost is None:
                raise BudgetError(
                    f"budget.cost is {caps.cost} US dollars, but the price of a call was unknown, so the cap cannot be "
                    "kept. Set models.input_price and models.output_price, or drop the cap."
                )
            if spent.cost >= caps.cost:
                raise _over("cost", f"{spent.cost:.4f} US dollars", str(caps.cost), "--max-cost")
        self._under_way += 1

    def money_spent(self, price: float = 0.0) -> str:
        """Return the reason that nothing at this price (US dollars) may be bought; empty if it may."""
        cap, spent = self.caps.cost, self.spent.cost
        if cap is None or (spent is not None and spent < cap and spent + price <= cap):
            return ""
        if spent is None:
            return f"budget.cost is {cap} US dollars, but the amount spent is not known, so no picture is bought."
        if spent < cap:
            return (
                f"budget.cost is {cap} US dollars, and with {spent:.4f} spent a picture for {price} (images.price) "
                "would go over it, so none is bought. Resume the run with a higher --max-cost."
            )
        return str(_over("cost", f"{spent:.4f} US dollars", str(cap), "--max-cost"))

    def settle(self, usage: Usage | None) -> None:
        """Count the usage of a call that came back; None if it failed."""
        self._under_way -= 1
        if usage is not None:
            self.spent = self.spent + usage


def _over(name: str, spent: str, cap: str, flag: str) -> BudgetError:
    return BudgetError(
        f"The cap budget.{name} of {cap} is reached ({spent} spent). The best so far is delivered; resume the run with "
        f"a higher {flag}."
    )
