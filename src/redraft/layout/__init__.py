"""Space that the media share: items with exact shapes, frames, and requirements measured on them."""
