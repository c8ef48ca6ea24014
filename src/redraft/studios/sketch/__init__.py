"""Drawings: plan and strokes in, SVG, PNG and JSON out."""
