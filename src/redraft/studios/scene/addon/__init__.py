"""redraft's add-on for Blender: the panel and preferences with which the user starts and stops the listener.

It is a package of its own, installed into Blender; redraft itself does not import it.
"""

from __future__ import annotations

from typing import Any

import bpy

from .listener import HOST, PORT, Listener
from .place import place

bl_info = {
    "name": "redraft",
    "author": "redraft",
    "version": (0, 1, 0),
    "blender": (2, 93, 0),
    "location": "3D Viewport > Sidebar > redraft",
    "description": "Place scenes that redraft sends into the open file",
    "category": "Import-Export",
}
POLL_INTERVAL = 0.25
"""Seconds between two looks for what has arrived."""
listener: Listener | None = None


class REDRAFT_AP_preferences(bpy.types.AddonPreferences):  # noqa: N801 - as Blender names classes
    """The port, and whether to listen without a click."""

    bl_idname = __package__
    __annotations__ = {
        "port": bpy.props.IntProperty(name="Port", default=PORT, min=1024, max=65535),
        "start": bpy.props.BoolProperty(name="Start with Blender", default=False),
    }

    def draw(self, context: Any) -> None:
        self.layout.prop(self, "port")
        self.layout.prop(self, "start")


class REDRAFT_OT_listen(bpy.types.Operator):  # noqa: N801
    """Start or stop taking scenes that redraft on this machine sends"""

    bl_idname = "redraft.listen"
    bl_label = "Listen for redraft"

    def execute(self, context: Any) -> set[str]:
        if listener is not None:
            stop()
            return {"FINISHED"}
        if problem := start():
            self.report({"ERROR"}, problem)
            return {"CANCELLED"}
        return {"FINISHED"}


class REDRAFT_PT_panel(bpy.types.Panel):  # noqa: N801
    """The tab in the sidebar of the 3D viewport."""

    bl_label = bl_category = "redraft"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"

    def draw(self, context: Any) -> None:
        if listener is None:
            self.layout.operator("redraft.listen", text="Start Listening", icon="PLAY")
            return
        self.layout.label(text=f"{HOST}, port {listener.port}")
        self.layout.label(text=f"Token: {listener.token}")
        self.layout.operator("redraft.listen", text="Stop Listening", icon="PAUSE")


CLASSES = (REDRAFT_AP_preferences, REDRAFT_OT_listen, REDRAFT_PT_panel)


def start() -> str:
    """Listen on the port of the preferences; return an error message, empty if it listens."""
    global listener
    port = _preferences().port
    try:
        listener = Listener(place, port)
    except OSError as error:
        return f"Cannot listen on port {port}: {error}. Choose another one in the preferences of the add-on."
    bpy.app.timers.register(pump, first_interval=POLL_INTERVAL, persistent=True)
    return ""


def stop() -> None:
    """Stop listening."""
    global listener
    if listener is not None:
        listener.stop()
        listener = None


def pump() -> float | None:
    """Place what has arrived, on Blender's main thread; return the seconds until the next call."""
    if listener is None:
        return None
    listener.pump()
    return POLL_INTERVAL


def _preferences() -> Any:
    return bpy.context.preferences.addons[__package__].preferences


def _start_with_blender() -> None:
    if _preferences().start and listener is None and (problem := start()):
        print(f"redraft: {problem}")  # noqa: T201 - no window is open yet


def register() -> None:
    """Register with Blender."""
    for each in CLASSES:
        bpy.utils.register_class(each)
    bpy.app.timers.register(_start_with_blender)


def unregister() -> None:
    """Stop, and leave nothing behind."""
    stop()
    for timer in (pump, _start_with_blender):
        if bpy.app.timers.is_registered(timer):
            bpy.app.timers.unregister(timer)
    for each in reversed(CLASSES):
        bpy.utils.unregister_class(each)
