"""Repair: small moves by which a layout meets its requirements exactly and loses its issues. `search` is the way in."""
