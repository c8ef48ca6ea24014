"""redraft closes the loop around language models for visual work."""
