"""The distance of a picture from a target (FLIP, SSIM, LPIPS), and the reading of target files."""
