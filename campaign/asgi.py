"""The ASGI application that uvicorn serves."""

import os
from concurrent.futures import ThreadPoolExecutor

from django.core.asgi import get_asgi_application

from campaign.limits import BodyLimit

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "campaign.settings")

application = BodyLimit(get_asgi_application())

# Its models can be imported only now.
from campaign.checks import refuse_unguarded  # noqa: E402
from campaign.serving import hold  # noqa: E402

hold()

# The server imports this in its event loop, where Django refuses to use a database.
with ThreadPoolExecutor(max_workers=1) as thread:
    thread.submit(refuse_unguarded).result()
