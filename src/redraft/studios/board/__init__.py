"""KiCad boards: parts placed by saying what is wanted, everything else left byte for byte as it was."""
