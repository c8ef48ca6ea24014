"""The shader studio: a sentence, a target picture, or both in; GLSL and frames out."""
