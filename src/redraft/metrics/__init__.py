"""How far a picture is from a target: FLIP, SSIM, LPIPS, and reading what people give as targets."""
