"""Answers when something is not found, not allowed or out of step."""

import logging
import sys

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django_htmx.http import reswap, retarget

from campaign.errors import Later
from campaign.violations import later_of

LOG = logging.getLogger(__name__)
SECONDS_TO_WAIT = "5"


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """What cannot be read: 413 when it is too large, else 400.

    Drawn without the request: reading it again would fail again.
    """
    status = 413 if isinstance(exception, RequestDataTooBig) else 400
    return whole(request, HttpResponse(render_to_string("400.html"), status=status))


def server_error(request: HttpRequest) -> HttpResponse:
    """Something broke. The page names the request, and sends one back to the form.

    Drawn without the request, so that it needs neither device nor database. Nothing
    is kept of this answer, so that the form before it is what the browser goes back to.
    Where the database failed beneath a middleware, nothing broke that has to be mended.
    """
    if refusal := later_of(sys.exc_info()[1]):
        return later(request, refusal)
    number = getattr(request, "request_id", "")
    try:
        text = render_to_string("500.html", {"number": number})
        kind = "text/html"
    except Exception:
        LOG.exception("The page about an error cannot be drawn.")
        text = _("Something broke. Go back, and try again. Number: {number}").format(
            number=number
        )
        kind = "text/plain"
    return HttpResponse(
        text,
        status=500,
        content_type=f"{kind}; charset=utf-8",
        headers={"Cache-Control": "no-store"},
    )


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The form's token is too old, for example after a login to the admin panel."""
    response = render(request, "403_csrf.html", {"reason": reason}, status=403)
    return whole(request, response)


def refused(request: HttpRequest, message: str, status: int) -> HttpResponse:
    """A whole page that says what was refused and what to do."""
    response = render(
        request,
        "refused.html",
        {"message": message, "title": _("Not done")},
        status=status,
    )
    return whole(request, response)


def later(request: HttpRequest, refusal: Later) -> HttpResponse:
    """A page that asks for nothing of the database, with what was sent kept in it."""
    response = HttpResponse(
        render_to_string(
            "later.html",
            {
                "refusal": refusal,
                "theme": request.COOKIES.get("choirbook_theme"),
                "csrf_token": get_token(request),
                "address": request.get_full_path(),
                "is_form": request.method == "POST",
                "posted": request.POST.lists(),
                "has_files": bool(request.FILES),
            },
        ),
        status=refusal.status,
    )
    response["Retry-After"] = SECONDS_TO_WAIT
    return whole(request, response)


def whole(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Let HTMX show a whole page, whatever part of it the request aimed at."""
    if getattr(request, "htmx", False):
        retarget(reswap(response, "outerMorph show:top"), "body")
    return response
