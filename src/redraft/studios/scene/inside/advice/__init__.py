"""Advice on errors of scripts, from the running Blender: hints for a model, and fixes that are most likely right."""
