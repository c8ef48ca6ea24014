"""What the loop itself costs per turn, beside the same loop on a plain agent framework.

Both run the smallest studio there is (a draft is a number, a check compares it) with a scripted model, so all that is
measured is machinery: redraft's with its journal on disk, records, budget and pictures; Pydantic AI's agent with an
output validator that asks again. Prints milliseconds per turn and the ratio; the aim is under 5 ms.

Then a real studio: drawings whose replies are refused (eleven in a turn), by `redraft.sketch`, with the delivery left
out by a run of one turn; processor time for each call, aim 15 ms, and what its folder has for each.

    python benchmarks/loop_overhead.py [TURNS]
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import anyio

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))

from toy import Number, run_for

import redraft
from redraft.loop.keep import Progress
from redraft.loop.turns import run_loop
from redraft.models.scripted import ScriptedModel
from redraft.record.journal import EVENTS_FILE

AIM_MS = 5.0
REAL_AIM_MS = 15.0
FIXES = 10
REAL_TURNS = 40


def redraft_turns(turns: int) -> None:
    """So many turns that never become valid: attempt, execute, check, picture, verdict, record."""

    async def work() -> None:
        with tempfile.TemporaryDirectory() as folder:
            loop = {"iterations": turns, "fixes": 0, "repairs": 0}
            worse = ["0"] * (turns - 1)  # what changes nothing would end the loop
            run = run_for(Path(folder), ScriptedModel(["1", *worse]), loop=loop, calls=None)
            try:
                progress = Progress()
                await run_loop(run, progress)
                assert len(progress.turns) == turns
            finally:
                run.journal.__exit__()

    anyio.run(work)


def sketch_turns(turns: int) -> tuple[float, int, int]:
    """So many turns of refused drawings: processor seconds, calls and bytes of the journal."""
    calls = turns * (1 + FIXES)
    model = ScriptedModel([f"No drawing: {number}" for number in range(calls)])
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        redraft.sketch(
            "a house with a red roof",
            model=model,
            out=Path(folder) / "run",
            iterations=turns,
            fixes=FIXES,
            critic=False,
            max_calls=calls,
        )
        seconds = time.process_time() - start
        assert len(model.requests) == calls, f"{len(model.requests)} calls, not {calls}"
        return seconds, calls, (Path(folder) / "run" / EVENTS_FILE).stat().st_size


def framework_turns(turns: int) -> None:
    """The same on an agent: its history grows with every retry, as agents' histories do."""
    from pydantic_ai import Agent, ModelRetry
    from pydantic_ai.exceptions import UnexpectedModelBehavior
    from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel
    from pydantic_ai.usage import UsageLimits

    asked = 0

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        nonlocal asked
        asked += 1
        return ModelResponse(parts=[TextPart("1")])

    agent = Agent(FunctionModel(answer), retries=turns - 1)

    @agent.output_validator
    def enough(text: str) -> str:  # pyright: ignore[reportUnusedFunction]
        if int(text) < 3:
            raise ModelRetry("one is missing")
        return text

    async def work() -> None:
        try:
            await agent.run("at least 3", usage_limits=UsageLimits(request_limit=None))
        except UnexpectedModelBehavior:
            return

    anyio.run(work)
    assert asked == turns, f"the agent was asked {asked} times, not {turns}"


def milliseconds(work: Callable[[int], None], turns: int, repeats: int = 5) -> float:
    """Median over repeats of the time per turn; start-up is taken out by a run of one turn."""
    work(1)
    found: list[float] = []
    for _ in range(repeats):
        start = time.perf_counter()
        work(1)
        short = time.perf_counter() - start
        start = time.perf_counter()
        work(turns + 1)
        found.append((time.perf_counter() - start - short) / turns * 1_000)
    return statistics.median(found)


def main() -> int:
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    ours = milliseconds(redraft_turns, turns)
    theirs = milliseconds(framework_turns, turns)
    print(f"turns                {turns}")
    print(f"redraft              {ours:6.2f} ms a turn (journal, records and pictures included)")
    print(f"plain agent          {theirs:6.2f} ms a turn (nothing recorded)")
    print(f"ratio                {ours / theirs:6.2f}")
    short, few, _ = sketch_turns(1)
    long, many, size = sketch_turns(REAL_TURNS)
    real = (long - short) / (many - few) * 1_000
    print(
        f"sketch studio        {real:6.2f} ms a call, {size / many / 1_000:.1f} kB of journal a call ({many:,} calls)"
    )
    return 0 if ours < AIM_MS and real < REAL_AIM_MS else 1


if __name__ == "__main__":
    sys.exit(main())
