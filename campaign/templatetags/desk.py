"""Template tags of pages that write."""

import uuid

from django import template
from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.utils.html import format_html
from django.utils.safestring import SafeString

from campaign.unchanged import SUMS

register = template.Library()


def _token(request: HttpRequest) -> str:
    """The request's CSRF token, one for all its forms: making one takes long."""
    secret = request.META.get("CSRF_COOKIE")
    made_of, token = getattr(request, "form_token", (None, ""))
    if secret is None or made_of != secret:
        token = get_token(request)
        request.form_token = request.META["CSRF_COOKIE"], token
    return token


@register.simple_tag(takes_context=True)
def form_keys(
    context: template.Context, commutes: bool = False, counts: bool | None = None
) -> SafeString:
    """The hidden fields of a form that writes.

    CSRF token, a fresh ``key`` and, unless the change commutes with every other, the
    ``revision`` that the page shows. ``counts``: sent from two windows it has to count
    twice, as a tap that adds one. A change that commutes does, unless that is denied.
    """
    seat = context.get("seat")
    if seat and (commutes if counts is None else counts):
        seat.shows.add(SUMS)
    fields = format_html(
        '<input type="hidden" name="csrfmiddlewaretoken" value="{}">'
        '<input type="hidden" name="key" value="{}">',
        _token(context["request"]),
        uuid.uuid4(),
    )
    choir = context.get("choir")
    if commutes or choir is None:
        return fields
    return fields + format_html(
        '<input type="hidden" name="revision" value="{}">', choir.revision
    )
