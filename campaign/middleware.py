"""Which hosts are answered, and how fragments are marked."""

import ipaddress
from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import Http404, HttpRequest, HttpResponse
from django.http.request import split_domain_port, validate_host
from django.utils.cache import patch_vary_headers

from campaign.access import is_loopback
from campaign.errors import Refused
from campaign.views.errors import refused


def is_known_host(host: str) -> bool:
    """Whether Choirbook answers to this host name.

    A literal private or loopback address always, since the laptop has another one
    each night; a name only when it is ``localhost`` or configured.
    """
    domain, _port = split_domain_port(host)
    try:
        address = ipaddress.ip_address(domain.strip("[]"))
    except ValueError:
        return bool(domain) and validate_host(
            domain, ["localhost", *settings.HOST_NAMES]
        )
    return address.is_private or address.is_loopback or address.is_link_local


class KnownHostMiddleware:
    """Answers 400 to a host that is not ours."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        host = request.get_host()
        if not is_known_host(host):
            raise DisallowedHost(f"{host!r} is not a host of this Choirbook.")
        return self.get_response(request)


class FragmentMiddleware:
    """Keeps fragments out of caches, so that Back never shows a bare one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not request.path.startswith(settings.STATIC_URL):
            patch_vary_headers(response, ["HX-Request"])
            if request.htmx:
                response["Cache-Control"] = "no-store"
            else:
                response.setdefault("Cache-Control", "private, no-cache")
        return response


class RefusalMiddleware:
    """Answers a refusal that no view turned into its own page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(
        self, request: HttpRequest, exception: Exception
    ) -> HttpResponse | None:
        if isinstance(exception, Refused):
            return refused(request, exception.message, exception.status)
        return None


class AdminPlaceMiddleware:
    """Hides the admin panel from every other machine, unless a setting opens it.

    Over plain http its password would travel readable for everybody on the network.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable, args: tuple, kwargs: dict
    ) -> None:
        if request.resolver_match.app_name != "admin" or settings.ADMIN_EVERYWHERE:
            return
        if not is_loopback(request):
            raise Http404
