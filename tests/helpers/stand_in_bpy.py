"""A package index on disk with a stand-in for Blender's module: small, and in need of one library of the system."""

from __future__ import annotations

import base64
import hashlib
import zipfile
from pathlib import Path

import pytest

from redraft.studios.scene import setup

BROKEN = "import nothing_of_that_name\n"
IMPORTED = """
import pathlib, types
if not pathlib.Path({library!r}).exists():
    raise ImportError("libXi.so.6: cannot open shared object file: No such file or directory")
ops = types.SimpleNamespace(wm=types.SimpleNamespace(read_factory_settings=lambda use_empty: None))
"""


class StandIn:
    """The index, as uv and pip are told to use it. `bpy` there imports as long as `library` is a file."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, *, version: str = "5.0.1") -> None:
        self.library = folder / "libXi.so.6"
        self.index = folder / "simple"
        self._monkeypatch = monkeypatch
        self.pinned = folder / "pinned"
        self.pinned.mkdir(parents=True)
        monkeypatch.setattr(setup, "PINNED", self.pinned)
        (self.index / "bpy").mkdir(parents=True)
        self.library.touch()
        self.publish(IMPORTED.format(library=str(self.library)), version)
        self.point_to(self.index.as_uri())
        monkeypatch.setenv("UV_CACHE_DIR", str(folder / "uv-cache"))
        monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
        monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
        for name in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "UV_FIND_LINKS", "UV_INDEX", "UV_OFFLINE"):
            monkeypatch.delenv(name, raising=False)

    def point_to(self, url: str) -> None:
        """Have the installers ask there instead."""
        self._monkeypatch.setenv("UV_DEFAULT_INDEX", url)
        self._monkeypatch.setenv("PIP_INDEX_URL", url)

    def publish(self, code: str, version: str) -> None:
        """Put a wheel into the index whose `bpy` is this code."""
        name = f"bpy-{version}-py3-none-any.whl"
        head = f"Metadata-Version: 2.1\nName: bpy\nVersion: {version}\n"
        files = {
            "bpy/__init__.py": code,
            "io_scene_gltf2/__init__.py": "",
            "io_scene_gltf2/blender/__init__.py": "",
            "io_scene_gltf2/blender/exp/__init__.py": "",
            "io_scene_gltf2/blender/exp/export.py": "",
            f"bpy-{version}.dist-info/METADATA": head,
            f"bpy-{version}.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        }
        record = f"bpy-{version}.dist-info/RECORD"
        files[record] = (
            "".join(f"{path},{_digest(text)},{len(text)}\n" for path, text in files.items()) + f"{record},,\n"
        )
        with zipfile.ZipFile(self.index / "bpy" / name, "w") as wheel:
            for path, text in files.items():
                wheel.writestr(path, text)
        digest = hashlib.sha256((self.index / "bpy" / name).read_bytes()).hexdigest()
        (self.pinned / f"bpy-{version}.txt").write_text(f"bpy=={version} --hash=sha256:{digest}\n", "utf-8")
        (self.index / "bpy" / "index.html").write_text(f'<a href="{name}">{name}</a>', "utf-8")


def _digest(text: str) -> str:
    raw = hashlib.sha256(text.encode()).digest()
    return "sha256=" + base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
