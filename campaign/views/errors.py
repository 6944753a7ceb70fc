"""Answers when something is not found, not allowed or out of step."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The form's token is too old, for example after a login to the admin panel."""
    return render(request, "403_csrf.html", {"reason": reason}, status=403)


def refused(request: HttpRequest, message: str, status: int) -> HttpResponse:
    """A whole page that says what was refused and what to do."""
    return render(
        request,
        "refused.html",
        {"message": message, "title": _("Not done")},
        status=status,
    )
