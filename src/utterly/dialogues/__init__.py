"""Step 1: corpora, chat messages and JSON lines become dialogues of words."""
