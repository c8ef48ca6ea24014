"""LPIPS, the distance of two pictures in what a network trained on photographs sees of them.

An extra: `pip install 'redraft[lpips]'` brings PyTorch, torchvision and the package `lpips`, which has the small linear
heads in it. The weights of AlexNet (about 240 MB) are a download of its own and never made by a run: the user puts the
file where PyTorch keeps such files. Nothing here trains, and nothing runs on a graphics card.
"""

from __future__ import annotations

import hashlib
import re
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from redraft.errors import MissingPartError
from redraft.metrics.base import Pixels, needed, resized, same_size

WEIGHTS = "alexnet-owt-7be5be79.pth"
"""AlexNet as torchvision publishes it; the digits are the beginning of the file's SHA-256."""
ADDRESS = f"https://download.pytorch.org/models/{WEIGHTS}"
SMALLEST = 64
"""Pixels a side that AlexNet's layers need; smaller pictures are enlarged."""
_NAMED_DIGEST = re.compile(r"-([0-9a-f]{8,})\.[^.]+$")


class Lpips:
    """LPIPS 0.1 with AlexNet, 0 for the same picture, seldom above 1; lower is better.

    Zhang et al., "The Unreasonable Effectiveness of Deep Features as a Perceptual Metric", 2018.
    """

    name = "LPIPS"

    def __init__(self, *, weights: Path | None = None, random: bool = False) -> None:
        """Load the network. `weights`: the file, by default `weights_path()`. `random`: weights from a fixed seed
        instead, for tests alone; its figures mean nothing.

        Raises:
            MissingPartError: the library or the weights are not here or damaged, with what brings them.
        """
        self._torch: Any = needed("torch", "LPIPS", "lpips")
        path = None if random else _checked(weights or weights_path())
        self._network = _network(self._torch)
        if path is not None:
            _fill(self._torch, self._network, path)

    def measure(self, target: Pixels, picture: Pixels) -> float:
        """The distance of a picture. Raises `ValueError` for pictures of different sizes."""
        same_size(target, picture)
        with self._torch.no_grad():
            return float(self._network(self._signed(target), self._signed(picture)).item())

    def _signed(self, pixels: Pixels) -> Any:
        """One picture as a batch: 1 × 3 × height × width, −1 to 1, no side below 64."""
        height, width = pixels.shape[:2]
        factor = max(1.0, SMALLEST / min(width, height))
        large = resized(pixels, round(width * factor), round(height * factor))
        scaled = large.transpose(2, 0, 1)[None].astype(np.float32) / np.float32(127.5) - np.float32(1)
        return self._torch.from_numpy(np.ascontiguousarray(scaled))


def weights_path() -> Path:
    """Return the path of the weights, in the folder of PyTorch's downloads (`TORCH_HOME` moves it).

    Raises:
        MissingPartError: PyTorch is not installed.
    """
    hub = needed("torch.hub", "LPIPS", "lpips")
    return Path(hub.get_dir()) / "checkpoints" / WEIGHTS


def _checked(path: Path) -> Path:
    if not path.is_file():
        raise MissingPartError(
            f"LPIPS needs the weights of AlexNet, and {path} is missing; redraft downloads nothing during "
            f"a run. Fetch the file (about 240 MB) once: curl -L --create-dirs -o '{path}' {ADDRESS}"
        )
    stated = _NAMED_DIGEST.search(path.name)
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if stated and not found.startswith(stated.group(1)):
        raise MissingPartError(
            f"{path} ({path.stat().st_size:,} bytes) is damaged or another file: its SHA-256 begins {found[:8]}, not "
            f"{stated.group(1)} as its name says. Fetch it again: curl -L -o '{path}' {ADDRESS}"
        )
    return path


def _network(torch: Any) -> Any:
    """The network with its own linear heads and a random AlexNet, made from a fixed seed."""
    _import_torchvision(torch)
    lpips = needed("lpips", "LPIPS", "lpips")
    with torch.random.fork_rng(devices=[]), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # lpips 0.1.4 calls torchvision by names that it has since deprecated
        torch.manual_seed(0)
        return lpips.LPIPS(net="alex", pnet_rand=True, verbose=False)


def _fill(torch: Any, network: Any, path: Path) -> None:
    """Put AlexNet's weights into the network.

    `lpips` would call torchvision's own loader, which downloads what it does not find. It cuts AlexNet's `features`
    into slices and keeps their numbers: `slice2.3.weight` is `features.3.weight`.
    """
    try:
        weights = torch.load(path, map_location="cpu", weights_only=True)
        slices = {name: weights[f"features.{name.partition('.')[2]}"] for name in network.net.state_dict()}
        network.net.load_state_dict(slices)
    except Exception as error:  # of the many ways in which unpickling and shapes can fail, each means the same
        raise MissingPartError(
            f"{path} could not be read as the weights of torchvision's AlexNet ({type(error).__name__}: "
            f"{str(error).splitlines()[0][:200] if str(error) else 'no reason given'}). "
            f"Fetch it again: curl -L -o '{path}' {ADDRESS}"
        ) from error


_operators: list[Any] = []
"""Definitions last as long as what made them."""


def _import_torchvision(torch: Any) -> None:
    """Import torchvision, also where its compiled half does not go with this PyTorch.

    `lpips` needs AlexNet's layers from it, which are plain PyTorch. But a build for CUDA beside a PyTorch for the CPU
    fails on import, as operators for boxes that nothing here uses (`torchvision::nms`) are then not defined. Naming
    them is enough.
    """
    try:
        needed("torchvision", "LPIPS", "lpips")
    except RuntimeError as error:
        if "operator torchvision::" not in str(error):
            raise MissingPartError(
                f"torchvision is not compatible with this PyTorch, {torch.__version__} ({error}). Install a pair that "
                "belongs together: pip install --force-reinstall torch torchvision"
            ) from error
        for half_imported in [name for name in sys.modules if name.partition(".")[0] == "torchvision"]:
            del sys.modules[half_imported]
        library = torch.library.Library("torchvision", "DEF")
        for operator in ("nms", "qnms"):
            library.define(f"{operator}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        _operators.append(library)
        needed("torchvision", "LPIPS", "lpips")
