"""What Blender's versions call differently, in one place: 3.4 to 5.x."""

from __future__ import annotations

from typing import Any

import bpy

__all__ = ["has_denoiser", "no_after_effects", "set_if_there", "version"]


def version() -> str:
    """`5.0.1`."""
    return ".".join(map(str, bpy.app.version))


def has_denoiser() -> bool:
    """Whether it was built with one, as Debian's Blender 3.4 is not."""
    import _cycles  # there is one only when bpy was imported before it

    return _cycles.with_openimagedenoise


def set_if_there(data: Any, **values: Any) -> None:
    """Set attributes that not every version has."""
    for name, value in values.items():
        if hasattr(data, name):
            setattr(data, name, value)


def no_after_effects(scene: Any) -> None:
    """Switch off what works on a finished picture: compositor, sequencer, borders, stamps."""
    render = scene.render
    set_if_there(render, use_compositing=False, use_sequencer=False, use_border=False, use_crop_to_border=False)
    set_if_there(render, use_stamp=False, use_multiview=False, use_freestyle=False, use_overwrite=True)
    set_if_there(render, use_persistent_data=False, use_file_extension=False, use_placeholder=False, use_simplify=False)
    for name in [name for name in dir(render) if name.startswith("use_stamp_") and name != "use_stamp_labels"]:
        if isinstance(getattr(render, name), bool):
            setattr(render, name, False)
