"""The image studio: concepts and a taste in, a final image prompt and a picture out."""
