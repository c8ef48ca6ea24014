"""Rule-based answers to the requests of the shader studio."""
