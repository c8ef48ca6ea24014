"""One of several processes that use a store of fixes at once: `store_worker.py STORE NUMBER`.

It says `ready`, and begins when it is sent a line, so that all begin together.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from redraft.fixes.base import open_store
from redraft.testing import a_fix


def work(name: str, number: int) -> None:
    """Adds fixes of its own and shared ones; its own fail once each, the shared ones work."""
    store = open_store(name)
    assert store is not None
    print("ready", flush=True)
    sys.stdin.readline()
    for n in range(50):
        own, shared = a_fix(1000 * (number + 1) + n, timestamp="2026-11-20"), a_fix(n, error_msg="shared")
        for fix in (own, shared):
            store.add(fix, f"{n % 5:016x}")
            store.count(fix, worked=fix is shared)
    store.close()


if __name__ == "__main__":
    work(sys.argv[1], int(sys.argv[2]))
