"""The state of play: what a choir did and holds."""

VERSION = "0.3.0"
"""The version of Choirbook; pyproject.toml says the same."""
