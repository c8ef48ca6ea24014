"""The offline planner: from a reading to boxes for every object, so that each constraint holds exactly.

`plan` decides where, `paint` draws. Sizes, surfaces and how a thing stands come from the lexicon, the rest from the
reading: `things` (what is drawn, and how large), `placement` (the exact model), `compose` (all of it).
"""

from redraft.studios.sketch.offline.planner.compose import PlacedObject, PlacedScene, paint, plan

__all__ = ["PlacedObject", "PlacedScene", "paint", "plan"]
