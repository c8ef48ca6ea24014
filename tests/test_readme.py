"""The README's examples do what it says."""

import re
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"
PYTHON = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("number", range(len(PYTHON)))
def test_python(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(PYTHON[number], str(README), "exec"), {})  # an example of our own, in our own repository
    assert capsys.readouterr().out.startswith("True" if "sketch" in PYTHON[number] else "False")


def test_the_two_commands_come_first() -> None:
    first = README.read_text(encoding="utf-8").split("```")[1].split("\n")
    assert [line.split("#")[0].strip() for line in first if line.strip()] == ["make demo", "make test"]


def test_every_link_leads_somewhere() -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", README.read_text(encoding="utf-8")):
        assert (README.parent / target).exists(), target
