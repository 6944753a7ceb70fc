"""Choirbook's settings for a server that is measured: a few bare views besides.

They exist for the bench alone, so that the page and what it is compared with are served
by the same process.
"""

from campaign.settings import *  # noqa: F403
from campaign.settings import MIDDLEWARE

ROOT_URLCONF = "bench.urls"
MIDDLEWARE = ["bench.views.BareMiddleware", *MIDDLEWARE]
