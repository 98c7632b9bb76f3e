"""A dialogue with its target becomes an edit script."""
