"""A run as a folder: the journal of its effects, the transcript, files written whole, telemetry."""
