"""The ASGI application that uvicorn serves."""

import os
from concurrent.futures import ThreadPoolExecutor

from django.core.asgi import get_asgi_application
from django.core.handlers.wsgi import WSGIHandler
from django.db import connections

from campaign.limits import BodyLimit

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "campaign.settings")

_static = get_asgi_application()

# What needs the settings or the models can be imported only now.
from campaign.bridge import Bridge, is_static  # noqa: E402
from campaign.checks import refuse_unguarded  # noqa: E402
from campaign.serving import hold  # noqa: E402

hold()

application = BodyLimit(Bridge(WSGIHandler(), _static, is_static))

# The server imports this in its event loop, where Django refuses to use a database.
with ThreadPoolExecutor(max_workers=1) as thread:
    thread.submit(refuse_unguarded).result()
    thread.submit(connections.close_all).result()
