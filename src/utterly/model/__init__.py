"""A model: encode, score, decode."""
