"""The scene studio: Blender scenes from a sentence, a picture, or both."""
