"""Placing boards: the circuit, blocks, decoupling, and the search for places (`placer.place_all`)."""
