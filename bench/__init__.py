"""Measurements, each a table from one run. No test depends on them."""
