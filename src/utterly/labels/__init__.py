"""Step 2: a dialogue with its target becomes an edit script."""
