"""Which Chromium is used. `tools/chromium.sh` installs one where there is none."""

from __future__ import annotations

import os
import shutil

NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
)
"""The one without windows first: it needs a fifth less CPU for the same work."""


class NoChromium(Exception):
    """There is none. The message says what to do."""


def chromium() -> str:
    """The path of the one that CHROMIUM names, else of the first there is.

    Raises ``NoChromium`` without any.
    """
    names = (os.environ.get("CHROMIUM"), *NAMES)
    for path in map(shutil.which, filter(None, names)):
        if path:
            return path
    raise NoChromium(
        "No Chromium found: install Debian's package chromium, or name one in "
        "CHROMIUM. `make test` does that by itself where it may."
    )
