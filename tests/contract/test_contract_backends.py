"""The contract of image backends, kept by those that need no server of their own."""

from __future__ import annotations

import io
import shlex
import sys
from pathlib import Path

import pytest
from PIL import Image

from redraft.painting.base import Drawn, ImageBackend, ImageRequest
from redraft.painting.settings import ImagingSettings
from redraft.studios.image.backends.command import CommandBackend
from redraft.studios.image.backends.registry import SketchBackend
from redraft.testing import ImageBackendContract

PAINT = "import sys; from PIL import Image; Image.new('RGB', (int(sys.argv[2]), int(sys.argv[3]))).save(sys.argv[1])"


@pytest.mark.slow
class TestCommand(ImageBackendContract):
    @pytest.fixture
    def backend(self, tmp_path: Path) -> ImageBackend:
        (tmp_path / "paint.py").write_text(PAINT)
        line = f"{shlex.quote(sys.executable)} paint.py {{out}} {{width}} {{height}}"
        return CommandBackend(line, ImagingSettings(), tmp_path)


class TestSketch(ImageBackendContract):
    size = (64, 64)  # it draws squares

    @pytest.fixture
    def backend(self, tmp_path: Path) -> ImageBackend:
        async def draw(request: ImageRequest) -> Drawn:
            drawn = io.BytesIO()
            Image.new("RGB", (request.width, request.height)).save(drawn, "PNG")
            return Drawn(drawn.getvalue())

        return SketchBackend(draw, ImagingSettings())
