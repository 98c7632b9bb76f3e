"""Training: batches, losses, rewards, and a loop that can be stopped and resumed."""
