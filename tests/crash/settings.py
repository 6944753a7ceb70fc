"""The settings of the application, with what a test has to make worse or shorter.

Styles and pictures are not collected: nobody looks.
``CRASH_SQLITE=WAL,NORMAL`` is a journal mode and how SQLite waits for the disk;
``CRASH_LOCK_SECONDS`` how long a change waits for another one.
"""

import os
import re

from campaign.settings import *  # noqa: F403
from campaign.settings import DATABASES, SQLITE, STORAGES

STORAGES = STORAGES | {
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
}

if SQLITE and (weaker := os.environ.get("CRASH_SQLITE")):
    mode, waits = weaker.split(",")
    options = DATABASES["default"]["OPTIONS"]
    for name, value in (("journal_mode", mode), ("synchronous", waits)):
        options["init_command"] = re.sub(
            rf"PRAGMA {name}=\w+", f"PRAGMA {name}={value}", options["init_command"]
        )
if seconds := os.environ.get("CRASH_LOCK_SECONDS"):
    LOCK_SECONDS = float(seconds)
    options = DATABASES["default"]["OPTIONS"]
    if SQLITE:
        options["timeout"] = LOCK_SECONDS
    else:
        wait = f"lock_timeout={round(LOCK_SECONDS * 1000)}ms"
        options["options"] = re.sub(r"lock_timeout=\w+", wait, options["options"])
