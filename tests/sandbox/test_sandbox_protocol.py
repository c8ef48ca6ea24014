"""Frames: they come back as they went, and what is none is refused."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from redraft.errors import ExecutionError, InfrastructureError
from redraft.sandbox.protocol import MAGIC, receive, send

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


@given(data=st.dictionaries(st.text(), json_values, max_size=5), blob=st.binary(max_size=300))
def test_frames_come_back_as_they_went(data: dict[str, JsonValue], blob: bytes) -> None:
    pipe = io.BytesIO()
    send(pipe, data, blob)
    send(pipe, {}, b"")
    pipe.seek(0)
    assert receive(pipe) == (data, blob)
    assert receive(pipe) == ({}, b"")
    with pytest.raises(EOFError):
        receive(pipe)


@given(st.binary(max_size=200), st.booleans())
def test_whatever_comes_instead_of_a_frame_is_refused(noise: bytes, magic: bool) -> None:
    with pytest.raises((InfrastructureError, ExecutionError, EOFError)):
        receive(io.BytesIO((MAGIC if magic else b"") + noise), most=1000)
