"""The networks of the paper, in torch: pieces in, scores out."""
