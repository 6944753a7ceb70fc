"""The printed content: four books, 36 missions, read once and never changed."""
