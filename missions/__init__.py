"""The printed content: four books, 36 missions, read once and never changed."""

LANGUAGES = ("en", "de")
"""The languages in which every sentence of ``seeds/`` has to be written."""
