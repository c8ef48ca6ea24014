"""The process that opens scenes in Blender: measurements, pictures, and exports."""
