"""Answers when something is not found, not allowed or out of step."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django_htmx.http import reswap, retarget


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


def whole(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Let HTMX show a whole page, whatever part of it the request aimed at."""
    if getattr(request, "htmx", False):
        retarget(reswap(response, "outerMorph show:top"), "body")
    return response
