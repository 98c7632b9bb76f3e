"""Rewrite the last turn of a dialogue so that it stands on its own."""
