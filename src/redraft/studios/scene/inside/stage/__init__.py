"""The process that runs scripts in Blender: a server, a fork of it for each script, and its limits."""
