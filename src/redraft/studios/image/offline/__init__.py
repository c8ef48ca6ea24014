"""Rule-based answers to the requests of the image studio."""
