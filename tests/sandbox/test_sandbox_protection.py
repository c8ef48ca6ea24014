"""Which protection is chosen, and what is said where there is none."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from real_parts import needs

from redraft.errors import MissingPartError
from redraft.sandbox import landlock, seccomp
from redraft.sandbox.protection import protection

UNSAFE = "--sandbox none runs scripts without protection"


def without_bubblewrap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))


def with_refused_bubblewrap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake = tmp_path / "bwrap"
    fake.write_text(
        '#!/bin/sh\nif [ "$1" = --help ]; then echo --size --clearenv --disable-userns; exit; fi\n'
        "echo 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n"
    )
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")


def with_landlock(monkeypatch: pytest.MonkeyPatch, version: int) -> None:
    monkeypatch.setattr(landlock, "version", lambda: version)


@pytest.mark.real
def test_the_strongest_that_works_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needs("bwrap")
    needs("landlock")
    assert protection("auto") == "bubblewrap"
    without_bubblewrap(monkeypatch, tmp_path)
    assert protection("auto") == "landlock"
    with_refused_bubblewrap(monkeypatch, tmp_path)
    assert protection("auto") == "landlock"


@pytest.mark.real
def test_what_is_named_is_what_is_given(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    needs("bwrap")
    needs("landlock")
    assert protection("none") == "worker"
    assert protection("landlock") == "landlock"
    assert protection("bubblewrap") == "bubblewrap"
    without_bubblewrap(monkeypatch, tmp_path)
    with pytest.raises(MissingPartError, match=r"`bwrap` is missing\. Install it: apt-get install bubblewrap"):
        protection("bubblewrap")
    with_refused_bubblewrap(monkeypatch, tmp_path)
    with pytest.raises(MissingPartError, match=r"setting up uid map: Permission denied.*needs user namespaces"):
        protection("bubblewrap")


@pytest.mark.skipif(not seccomp.available(), reason="Linux with seccomp only")
@pytest.mark.parametrize(("version", "words"), [(0, "has none, or it is switched off"), (3, "has version 3")])
def test_where_neither_works_both_reasons_are_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: int, words: str
) -> None:
    without_bubblewrap(monkeypatch, tmp_path)
    with_landlock(monkeypatch, version)
    with pytest.raises(MissingPartError, match=f"since 6.7.*{words}"):
        protection("landlock")
    with pytest.raises(MissingPartError) as caught:
        protection("auto")
    assert words in str(caught.value)
    assert "apt-get install bubblewrap" in str(caught.value)
    assert UNSAFE in str(caught.value)
    assert protection("none") == "worker"


def test_a_machine_whose_calls_are_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    monkeypatch.setattr(sys, "platform", "linux")
    with pytest.raises(MissingPartError, match=f"x86_64 or aarch64 .*riscv64.*{UNSAFE}"):
        protection("auto")


@pytest.mark.parametrize(("system", "name"), [("darwin", "macOS"), ("win32", "Windows")])
def test_elsewhere_it_is_said_what_stays_open(monkeypatch: pytest.MonkeyPatch, system: str, name: str) -> None:
    monkeypatch.setattr(sys, "platform", system)
    for wanted in ("auto", "bubblewrap", "landlock"):
        with pytest.raises(MissingPartError, match=f"on {name} .*files and network open to them.*{UNSAFE}"):
            protection(wanted)
    assert protection("none") == "worker"
