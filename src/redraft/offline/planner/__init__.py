"""The offline planner: from a reading to boxes for every object, so that each constraint holds exactly.

`plan` decides where, `paint` draws. Nothing here knows a particular object or sentence: sizes, surfaces and how a
thing stands come from the lexicon, the rest from the reading. Steps: `things` (what is drawn), `sizes`, `blocks`
(several of a kind), `bodies` and `placement` (the exact model), `compose` (all of it), `paint`.
"""

from redraft.offline.planner.compose import PlacedObject, PlacedScene, paint, plan

__all__ = ["PlacedObject", "PlacedScene", "paint", "plan"]
