"""Step 3: the rules of many scripts become a rule book."""
