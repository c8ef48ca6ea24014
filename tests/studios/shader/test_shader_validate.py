"""What is told of frames without looking at them."""

from __future__ import annotations

import pytest

from redraft.brief import Brief
from redraft.result import Heuristics
from redraft.studios.shader.check import check
from redraft.studios.shader.spec import Frame, Shader


def frame(number: int = 0, **other: object) -> Frame:
    given: dict[str, object] = {
        "time": float(number),
        "picture": f"pictures/{number}.png",
        "low": 0.0,
        "high": 1.0,
        "colour": "#808080",
        "spread": 0.9,
    }
    return Frame.model_validate(given | other)


def shader(*frames: Frame, seam: float | None = None) -> Shader:
    return Shader(
        code="void main() {}",
        width=64,
        height=64,
        seconds=4.0,
        loop=seam is not None,
        compiler="Mesa 22.3.6",
        frames=frames or (frame(0), frame(1)),
        seam=seam,
        step=None if seam is None else 0.02,
    )


def codes(made: Shader, words: str = "rings", heuristics: Heuristics = "strict") -> dict[str, str]:
    return {issue.code: issue.severity for issue in check(made, Brief.of(words), heuristics).issues}


def test_nothing_is_wrong_with_ordinary_frames() -> None:
    report = check(shader(), Brief.of("rings of light"))
    assert (report.valid, report.issues, report.unchecked) == (True, (), ("rings of light",))


@pytest.mark.parametrize(
    ("colour", "code"), [("#000000", "frame.blank"), ("#ffffff", "frame.blank"), ("#336699", "frame.constant")]
)
def test_one_colour_is_nothing(colour: str, code: str) -> None:
    empty = {"colour": colour, "spread": 0.004}
    assert codes(shader(frame(0, **empty), frame(1, **empty))) == {code: "error"}
    assert codes(shader(frame(0, **empty), frame(1))) == {"frame.constant": "warning"}


def test_all_frames_black_or_white_cannot_be_intended_and_the_rest_is_noted() -> None:
    black, teal = {"colour": "#000000", "spread": 0.0}, {"colour": "#336699", "spread": 0.0}
    made = {
        "all black": shader(frame(0, **black), frame(1, **black)),
        "all teal": shader(frame(0, **teal), frame(1, **teal)),
        "from black to teal": shader(frame(0, **black), frame(1, **teal)),
        "black at first": shader(frame(0, **black), frame(1)),
        "still": shader(frame(0), frame(1, picture="pictures/0.png")),
    }
    found = {
        name: [(i.code, i.basis, i.severity) for i in check(each, Brief.of("a plain black screen")).issues]
        for name, each in made.items()
    }
    assert found == {
        "all black": [("frame.blank", "defect", "error")],
        "all teal": [("frame.constant", "heuristic", "note")],
        "from black to teal": [("frame.constant", "heuristic", "note")],
        "black at first": [("frame.constant", "heuristic", "note")],
        "still": [("motion.still", "heuristic", "note")],
    }
    assert [list(codes(each, heuristics="off")) for each in made.values()] == [["frame.blank"], [], [], [], []]


def test_only_strict_rules_read_the_words() -> None:
    made = shader(frame(0, spread=0.0), frame(1, spread=0.0))
    assert codes(made, "a plain grey background") == {}
    assert codes(made, "a plain grey background", "default") == {"frame.constant": "note"}


def test_a_faint_gradient_is_something() -> None:
    assert codes(shader(frame(0, spread=3 / 255), frame(1, spread=3 / 255))) == {}


def test_values_far_beyond_what_is_shown_are_named() -> None:
    white = frame(0, colour="#ffffff", spread=0.0, low=40.0, high=9000.0)
    (issue,) = check(shader(white), Brief.of("x")).issues
    assert "40 to 9e+03" in issue.message


@pytest.mark.parametrize("heuristics", ["default", "strict", "off"])
@pytest.mark.parametrize(("share", "severity"), [(0.2, "error"), (0.001, "error"), (0.0002, "warning")])
def test_pixels_without_a_number(share: float, severity: str, heuristics: Heuristics) -> None:
    made = shader(frame(0), frame(1, broken=share))
    assert codes(made, heuristics=heuristics) == {"frame.not_a_number": severity}


def test_frames_that_are_all_alike() -> None:
    still = shader(frame(0), frame(1, picture="pictures/0.png"))
    assert codes(still) == {"motion.still": "warning"}
    assert codes(still, "a still life with rings") == {}
    assert codes(shader(frame(0))) == {}


@pytest.mark.parametrize("heuristics", ["default", "strict", "off"])
def test_a_loop_that_does_not_close(heuristics: Heuristics) -> None:
    assert codes(shader(seam=0.009), heuristics=heuristics) == {"loop.seam": "error"}
    assert codes(shader(seam=0.008), heuristics=heuristics) == {}
    (issue,) = check(shader(seam=0.2), Brief.of("x")).issues
    assert issue.basis == "defect"
    assert "u_time / 4" in issue.hint
