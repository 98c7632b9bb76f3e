"""What a person at a terminal sees of long work and of results; the commands themselves are in `utterly.cli`."""
