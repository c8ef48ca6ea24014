"""Distance of a picture from a target (FLIP, SSIM, LPIPS), decoding of targets, and variety of many results."""
