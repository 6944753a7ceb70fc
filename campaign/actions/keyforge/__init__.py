"""What is done with KeyForge decks, their chains and their games."""
