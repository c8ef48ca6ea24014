"""Placing boards: the facts that a board tells by itself, blocks, decoupling, and the search (`placer.place_all`)."""
