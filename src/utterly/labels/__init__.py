"""Turn a dialogue and its target into an edit script."""
