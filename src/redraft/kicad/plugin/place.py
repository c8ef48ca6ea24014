"""What KiCad starts when the button is pressed, with the Python of the plugin's own environment."""

from redraft.kicad.dialog import main

if __name__ == "__main__":
    main()
