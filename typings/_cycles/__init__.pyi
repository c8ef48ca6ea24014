with_openimagedenoise: bool
