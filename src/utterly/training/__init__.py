"""How taggers learn: batches, losses, rewards, and a loop that survives being stopped."""
