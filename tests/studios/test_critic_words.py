"""The words that all studios share about the weights of a critic's differences, and about limits."""

import re
from pathlib import Path

import pytest

import redraft
from redraft.studios.shader.settings import ShaderSettings

STUDIOS = Path(redraft.__file__).parent / "studios"
CRITICS = sorted(STUDIOS.rglob("prompts/system_critic.md.j2"))
EDITS = [path for path in sorted(STUDIOS.rglob("prompts/edit.md.j2")) if "{{ critique }}" in path.read_text("utf-8")]


def test_a_must_is_what_a_viewer_sees_and_a_flaw_of_two_pixels_is_minor() -> None:
    weights = (STUDIOS / "prompts/_answer_critique.md.j2").read_text("utf-8")
    assert (
        "`must` if the picture lacks or has wrong what the request asks for, or has a defect that a viewer" in weights
    )
    assert "`minor` otherwise, as for a flaw of two pixels" in weights


@pytest.mark.parametrize("path", CRITICS, ids=lambda path: path.parts[-3])
def test_no_system_message_asks_for_smaller_flaws(path: Path) -> None:
    text = path.read_text("utf-8")
    assert "however small" not in text
    assert "visible flaw" not in text


@pytest.mark.parametrize("path", EDITS, ids=lambda path: path.parts[-3])
def test_an_edit_says_what_to_do_with_minor_differences(path: Path) -> None:
    after = path.read_text("utf-8").split("{{ critique }}")[1]
    assert after.lstrip().startswith('{% include "_weights.md.j2" %}')
    words = (STUDIOS / "prompts/_weights.md.j2").read_text("utf-8")
    assert re.search('every difference marked "must", and a "minor" one only where it needs no trade-off', words)


def test_the_edits_are_those_of_all_studios_with_a_critic() -> None:
    assert {path.parts[-3] for path in EDITS} == {"board", "scene", "shader", "sketch", "studios"}


def test_the_contract_of_shaders_names_the_time_limit() -> None:
    limit = ShaderSettings().limit
    text = (STUDIOS / "shader/prompts/_contract.md.j2").read_text("utf-8")
    assert f"share a time limit, {limit:g} s unless the settings change it" in text
