"""The keeper's panel: every row can be corrected, and every correction undone."""

from campaign.admin import (  # noqa: F401  each registers its models
    attempts,
    cards,
    choirs,
    devices,
    journal,
    keyforge,
    nights,
    saints,
)
