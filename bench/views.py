"""What Choirbook's pages and actions are measured against, on the same server."""

from __future__ import annotations

import functools
import secrets
import time
from collections.abc import Callable

from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from campaign.models import HostLink

STRIPPED = "/bench/stripped/"


@functools.cache
def _letters(size: int) -> bytes:
    """A body of this size, about as hard to compress as a page is."""
    words = [secrets.token_hex(3) for _ in range(200)]
    text = "".join(
        f'<li class="line"><b>{secrets.choice(words)}</b></li>'
        for _ in range(size // 30 + 1)
    )
    return text.encode()[:size]


def body(request: HttpRequest, size: int) -> HttpResponse:
    """A constant body of ``size`` bytes: the limit of the server and its middleware."""
    return HttpResponse(_letters(size))


@csrf_exempt
def write(request: HttpRequest) -> HttpResponse:
    """One row written in a transaction, and a redirect: the least an action can do."""
    with transaction.atomic():
        HostLink.objects.create(
            token_digest=secrets.token_hex(32), created_at=timezone.now()
        )
    response = HttpResponseRedirect("/")
    response.status_code = 303
    return response


def spent(request: HttpRequest) -> HttpResponse:
    """The processor time that this process has used so far, in nanoseconds."""
    return HttpResponse(str(time.process_time_ns()))


class BareMiddleware:
    """Answers some addresses before any other middleware: the limit of Django alone."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path.startswith(STRIPPED):
            size = int(request.path.removeprefix(STRIPPED))
            answer = HttpResponse(_letters(size))
            answer["Content-Length"] = size
            return answer
        return self.get_response(request)
