"""Doors from the frameworks people already use, one thin file each; every one needs the extra of its name."""
