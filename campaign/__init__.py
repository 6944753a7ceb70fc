"""The state of play: what a choir did and holds."""

VERSION = "0.5.0"
"""The version of Choirbook; pyproject.toml says the same."""
