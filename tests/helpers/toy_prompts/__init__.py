"""Prompts of the toy studio."""
