"""`redraft.__all__` is the public API, and importing it costs next to nothing."""

import subprocess
import sys
from importlib import metadata
from pathlib import Path

import anyio
import api_docs
import pytest
from drawings import HOUSE

import redraft
from redraft.errors import ConfigError
from redraft.models.scripted import ScriptedModel
from redraft.record.events import RunStarted

EXTRAS = ("numpy", "ortools", "resvg_py", "scipy", "shapely")


def test_the_list_is_sorted_and_true() -> None:
    assert redraft.__all__ == sorted(redraft.__all__)
    for name in redraft.__all__:
        assert getattr(redraft, name) is not None
    assert dir(redraft) == redraft.__all__


def test_there_is_nothing_else() -> None:
    homes = {name for names in redraft._HOMES.values() for name in names}  # pyright: ignore[reportPrivateUsage]
    assert homes == set(redraft.__all__)


def test_the_version_is_that_of_the_package() -> None:
    assert redraft.__version__ == metadata.version("redraft")


def test_importing_loads_nothing_heavy() -> None:
    program = "import sys, redraft; print(sorted({m.partition('.')[0] for m in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    for heavy in ("shapely", "ortools", "numpy", "pydantic", "jinja2", "resvg_py", "pydantic_ai"):
        assert f"'{heavy}'" not in loaded


@pytest.mark.parametrize(
    ("name", "extra"), [("SemanticValidator", "sketch"), ("build_repair_prompt", "sketch"), ("Session", "board")]
)
def test_a_plain_install_says_which_extra_a_name_needs(name: str, extra: str) -> None:
    program = f"import sys; sys.modules |= dict.fromkeys({EXTRAS}); import redraft\n"
    program += f"try: redraft.{name}\nexcept redraft.MissingPartError as error: print(error)"
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert printed.startswith(f"redraft.{name} needs ")
    assert printed.endswith(f" which is not installed: pip install 'redraft[{extra}]'\n")


def test_the_page_of_the_api_is_up_to_date() -> None:
    assert api_docs.PAGE.read_text("utf-8") == api_docs.page(), "run: python tests/helpers/api_docs.py"


def test_a_misspelt_option_names_the_right_one() -> None:
    with pytest.raises(redraft.ConfigError, match=r"'sede' is not an option of the sketch studio\. Did you mean seed"):
        redraft.sketch("a house", sede=3)


def test_a_wrong_value_says_that_it_was_a_keyword_argument(tmp_path: Path) -> None:
    with pytest.raises(redraft.ConfigError, match=r"loop\.candidates: .* given 0 \(set as a keyword argument\)"):
        redraft.sketch("a house", candidates=0, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_result_shows_itself_in_a_notebook(tmp_path: Path) -> None:
    result = redraft.sketch("a house", model=ScriptedModel([HOUSE]), out=tmp_path / "<run>")
    shown = result._repr_html_()  # pyright: ignore[reportPrivateUsage]
    assert 'src="data:image/png;base64,' in shown
    assert "&lt;run&gt;" in shown
    assert result._repr_png_() == (tmp_path / "<run>" / "drawing.png").read_bytes()  # pyright: ignore[reportPrivateUsage]


def test_the_last_run_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    redraft.sketch("a house")
    result = redraft.sketch("make the house red", on="last")
    assert result.files["svg"].is_file()
    start = redraft.Record.load(result.run).events[0]
    assert isinstance(start, RunStarted)
    assert str(start.brief["on"]).endswith("-a-house")


def test_an_error_shows_the_callers_line_and_few_of_redrafts() -> None:
    with pytest.raises(ConfigError, match="'framez' is not an option") as caught:
        redraft.sketch("a house", framez=3)
    assert len(caught.traceback) <= 3

    async def in_a_loop() -> None:
        with pytest.raises(ConfigError) as caught:
            redraft.sketch("a house", framez=3)
        assert len(caught.traceback) <= 3

    anyio.run(in_a_loop)
