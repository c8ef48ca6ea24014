"""The picture through the scene's own camera, by Cycles, and what it is like."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from redraft.studios.scene.inside.measure_paint import shines
from redraft.studios.scene.inside.viewer_render import picture, pixels_of
from redraft.studios.scene.inside.viewer_versions import has_denoiser, set_if_there

__all__ = ["camera_picture", "cycles", "exposure_of"]

FEW = 64
"""Samples up to which the denoiser works in its fast way."""
FEW_LIGHTS = 4
BLACK = 0.02
WHITE = 0.98


def cycles(scene: Any, samples: int, seed: int) -> None:
    """Set the scene up for a picture by Cycles that is the same each time."""
    scene.render.engine = "CYCLES"
    scene.render.film_transparent = False
    scene.render.dither_intensity = 0.0
    scene.render.threads_mode = "AUTO"
    quality = "FAST" if samples <= FEW else "HIGH"
    prefilter = "FAST" if samples <= FEW else "ACCURATE"
    set_if_there(scene.cycles, device="CPU", samples=samples, seed=seed % (1 << 31), use_adaptive_sampling=False)
    set_if_there(scene.cycles, use_denoising=has_denoiser(), denoising_quality=quality)
    if has_denoiser():
        set_if_there(scene.cycles, denoiser="OPENIMAGEDENOISE")
    set_if_there(scene.cycles, denoising_prefilter=prefilter, denoising_use_gpu=False, use_animated_seed=False)
    set_if_there(scene.cycles, max_bounces=6, time_limit=0.0, use_sample_subset=False, use_auto_tile=False)
    set_if_there(scene.cycles, use_light_tree=_many_lights(scene))
    set_if_there(scene.cycles, shading_system=False, use_guiding=False, use_layer_samples="IGNORE")


def _many_lights(scene: Any) -> bool:
    """Whether it pays to choose among lights: with a few it takes half as long again, for the same picture."""
    lamps = sum(thing.type == "LIGHT" for thing in scene.objects)
    return lamps > FEW_LIGHTS or any(shines(material) for material in bpy.data.materials)


def camera_picture(scene: Any, camera: Any, width: int, height: int, samples: int, seed: int) -> bytes:
    """A PNG through a camera, in the scene's own light, with the script's view transform and exposure."""
    cycles(scene, samples, seed)
    return picture(scene, camera, width, height)


def exposure_of(png: bytes) -> dict[str, float]:
    """What `spec.Exposure` says of a picture."""
    pixels = pixels_of(png)
    bright = pixels @ np.array([0.2126, 0.7152, 0.0722], np.float32)
    low, high = np.percentile(bright, [5, 95])
    numbers = {
        "mean": bright.mean(),
        "black": (bright <= BLACK).mean(),
        "blown": (pixels.min(axis=2) >= WHITE).mean(),
        "spread": high - low,
    }
    return {name: round(float(number), 4) for name, number in numbers.items()}
