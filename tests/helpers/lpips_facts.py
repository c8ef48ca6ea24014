"""What LPIPS does, asked in a process of its own: PyTorch is large and lies in a folder apart (`needs("lpips")`).

Run with that folder in `PYTHONPATH` and an empty folder as `TORCH_HOME`, it prints one line of JSON. The weights are
random, so the figures say nothing of pictures; they say whether loading and measuring are right.
"""

from __future__ import annotations

import hashlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np


def facts(parts: str, folder: Path) -> dict[str, Any]:
    """See the module's own text; `parts` is the folder that has PyTorch, `folder` an empty one."""
    environment = {"PYTHONPATH": parts, "TORCH_HOME": str(folder), "PATH": os.environ["PATH"]}
    command = [sys.executable, "-W", "error", __file__]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False, env=environment)
    assert answer.returncode == 0, answer.stderr[-2000:]
    return json.loads(answer.stdout)


def _gather() -> dict[str, Any]:
    socket.socket.connect = _no_network  # type: ignore[method-assign]
    from redraft.metrics.base import measure_frames
    from redraft.metrics.lpips import Lpips, weights_path

    cut, other = _photograph()
    expected_place = weights_path()
    missing = _said(Lpips)
    first, second = Lpips(random=True), Lpips(random=True)  # from here on torchvision can be imported, of any build
    official, named = _random_weights(expected_place)
    theirs = _reference(cut, other)
    return {
        "place": str(expected_place.relative_to(os.environ["TORCH_HOME"])),
        "missing": missing,
        "wrong digest": _said(Lpips),
        "other file": _said(lambda: Lpips(weights=_other_weights(official))),
        "cut short": _said(lambda: Lpips(weights=_cut_short(named))),
        "loaded": Lpips(weights=named).measure(cut, other),
        "reference": theirs,
        "same": first.measure(cut, cut),
        "random": [metric.measure(cut, other) for metric in (first, second)],
        "small": first.measure(cut[:5, :9], other[:5, :9]),
        "score": measure_frames(first, cut, [other, cut], None).model_dump(),
    }


def _no_network(*address: object) -> None:
    raise AssertionError(f"LPIPS tried to reach {address}")


def _photograph() -> tuple[Any, Any]:
    photograph = import_module("skimage.data").astronaut()
    return np.ascontiguousarray(photograph[0:96, 180:300]), np.ascontiguousarray(photograph[200:296, 180:300])


def _said(action: Callable[[], object]) -> list[str]:
    """The class of what an action raises, and its words."""
    try:
        action()
    except Exception as error:
        return [type(error).__name__, str(error)]
    return []


def _random_weights(official: Path) -> tuple[Path, Path]:
    """AlexNet's weights as torchvision would save them: under the official name, which states another digest, and under
    a name that states theirs."""
    torch = import_module("torch")
    torch.manual_seed(7)
    official.parent.mkdir(parents=True)
    torch.save(import_module("torchvision").models.alexnet().state_dict(), official)
    digest = hashlib.sha256(official.read_bytes()).hexdigest()
    named = official.with_name(f"alexnet-random-{digest[:8]}.pth")
    named.hardlink_to(official)
    return official, named


def _other_weights(official: Path) -> Path:
    path = official.with_name("other.pth")
    import_module("torch").save({"features.0.weight": import_module("torch").zeros(3)}, path)
    return path


def _cut_short(named: Path) -> Path:
    path = named.with_name("short.pth")
    with named.open("rb") as whole:
        path.write_bytes(whole.read(100_000))
    return path


def _reference(target: Any, picture: Any) -> float:
    """By the package's own loading of the file that torchvision finds, and its own scaling of values from 0 to 1."""
    import warnings

    torch = import_module("torch")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        network = import_module("lpips").LPIPS(net="alex", verbose=False)
    batches = [torch.tensor(pixels / 255, dtype=torch.float32).permute(2, 0, 1)[None] for pixels in (target, picture)]
    with torch.no_grad():
        return float(network(*batches, normalize=True).item())


if __name__ == "__main__":
    print(json.dumps(_gather()))
