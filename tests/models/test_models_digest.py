"""The digest: equal for equal requests in every process, other for anything a reply may depend on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from asking import SCHEMA, make_request
from hypothesis import given, settings
from hypothesis import strategies as st

from redraft.models.base import Message, Request, digest
from redraft.result import Picture

FULL = make_request(pictures=1, output_schema=SCHEMA, temperature=0.5, seed=7)


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "sketch.repair"},
        {"messages": (Message(role="user", text="Draw a dog."),)},
        {"messages": (*FULL.messages[:-1], Message(role="assistant", text=FULL.messages[-1].text))},
        {"output_schema": None},
        {"pictures": ()},
        {"pictures": (Picture(name="view-0.png", png=b"other"),)},
        {"temperature": None},
        {"seed": 8},
    ],
    ids="-".join,
)
def test_what_a_reply_depends_on_changes_it(change: dict[str, Any]) -> None:
    assert digest(FULL.model_copy(update=change)) != digest(FULL)


@pytest.mark.parametrize(
    "change",
    [
        {"path": "iteration-2/draft"},
        {"inputs": {}},
        {"template": "abc"},
        {"output_schema": dict(reversed(SCHEMA.items()))},
        {"pictures": tuple(p.model_copy(update={"name": "another.png"}) for p in FULL.pictures)},
    ],
    ids="-".join,
)
def test_where_and_in_what_order_it_is_said_does_not(change: dict[str, Any]) -> None:
    assert digest(FULL.model_copy(update=change)) == digest(FULL)


def test_another_process_computes_the_same() -> None:
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); from asking import *; from redraft.models.base import digest;"
        "print(digest(make_request(pictures=1, output_schema=SCHEMA, temperature=0.5, seed=7)))"
    )
    helpers = str(Path(__file__).parents[1] / "helpers")
    done = subprocess.run([sys.executable, "-c", program, helpers], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == digest(FULL)


@settings(max_examples=50, deadline=None)
@given(st.text(), st.text())
def test_texts_do_not_run_into_each_other(one: str, two: str) -> None:
    def asked(*texts: str) -> Request:
        return make_request().model_copy(update={"messages": tuple(Message(role="user", text=t) for t in texts)})

    assert digest(asked(one, two)) != digest(asked(one + two))
    assert (digest(asked(one)) == digest(asked(two))) == (one == two)
