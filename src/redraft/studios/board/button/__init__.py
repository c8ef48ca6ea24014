"""The button in KiCad: `action` does the work, `dialog` is its window, `package` installs it there."""
