"""LPIPS with weights that are random: what it says of pictures means nothing, that it is loaded and fed right does."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from lpips_facts import facts
from real_parts import needs

from redraft.errors import MissingPartError
from redraft.metrics.base import open_metric


@pytest.fixture(scope="module")
def asked() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:  # 240 MB, not to be kept for the next runs as pytest's folders are
        return facts(needs("lpips"), Path(folder))


def test_without_pytorch_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingPartError, match=r"LPIPS .* pip install 'redraft\[lpips\]'$"):
        open_metric("lpips")


@pytest.mark.slow
@pytest.mark.real
@pytest.mark.timeout(300)  # PyTorch alone takes seconds to import, many on a busy machine
class TestLpips:
    def test_it_loads_weights_as_the_package_itself_does(self, asked: dict[str, Any]) -> None:
        assert asked["loaded"] == pytest.approx(asked["reference"], abs=1e-6)
        assert asked["loaded"] > 0.001

    def test_the_same_picture_is_at_no_distance(self, asked: dict[str, Any]) -> None:
        assert asked["same"] == 0

    def test_it_says_the_same_twice(self, asked: dict[str, Any]) -> None:
        first, second = asked["random"]
        assert first == second > 0

    def test_pictures_smaller_than_its_layers_are_enlarged(self, asked: dict[str, Any]) -> None:
        assert asked["small"] > 0

    def test_a_score_takes_the_lower_figure_as_the_better(self, asked: dict[str, Any]) -> None:
        score = asked["score"]
        assert (score["metric"], score["best"], score["frame"], score["reached"]) == ("LPIPS", 0, 1, True)

    def test_missing_weights_are_said_with_place_and_command(self, asked: dict[str, Any]) -> None:
        kind, words = asked["missing"]
        assert kind == "MissingPartError"
        assert Path(asked["place"]) == Path("hub/checkpoints/alexnet-owt-7be5be79.pth")
        assert asked["place"] in words
        assert "curl -L --create-dirs -o" in words
        assert words.endswith("https://download.pytorch.org/models/alexnet-owt-7be5be79.pth")

    @pytest.mark.parametrize(
        ("case", "said"),
        [
            ("wrong digest", "not 7be5be79 as its name says"),
            ("other file", "KeyError"),
            ("cut short", "could not be read"),
        ],
    )
    def test_weights_that_are_no_use_are_said(self, asked: dict[str, Any], case: str, said: str) -> None:
        kind, words = asked[case]
        assert kind == "MissingPartError"
        assert said in words
        assert "Fetch it again: curl" in words
