"""Image backends: a prompt in, a picture out. Which one is a setting; none of them knows the loop."""
