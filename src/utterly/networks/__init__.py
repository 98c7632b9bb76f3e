"""Step 5: pieces in, scores out. The networks of the paper, in torch."""
