"""`redraft.__all__` is the public API, and importing it costs next to nothing."""

import subprocess
import sys

import redraft


def test_the_list_is_sorted_and_true() -> None:
    assert redraft.__all__ == sorted(redraft.__all__)
    for name in redraft.__all__:
        assert getattr(redraft, name) is not None
    assert dir(redraft) == redraft.__all__


def test_there_is_nothing_else() -> None:
    homes = {name for names in redraft._HOMES.values() for name in names}  # pyright: ignore[reportPrivateUsage]
    assert homes == set(redraft.__all__)


def test_importing_loads_nothing_heavy() -> None:
    program = "import sys, redraft; print(sorted({m.partition('.')[0] for m in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    for heavy in ("shapely", "ortools", "numpy", "pydantic", "jinja2", "resvg_py", "pydantic_ai"):
        assert f"'{heavy}'" not in loaded
