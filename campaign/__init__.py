"""The state of play: what a choir did and holds."""
