"""Which hosts are answered, and how fragments are marked."""

import ipaddress
import logging
import time
from collections.abc import Callable

from asgiref.sync import async_to_sync, sync_to_async
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    HttpResponseRedirect,
)
from django.http.request import split_domain_port, validate_host
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language_from_request, override
from django.utils.translation import gettext as _
from servestatic.middleware import ServeStaticMiddleware

from campaign import logs
from campaign.access import is_loopback
from campaign.errors import Later, Refused
from campaign.views.errors import later, refused
from campaign.violations import later_of

LOG = logging.getLogger(__name__)
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"}


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


class RequestIdMiddleware:
    """Gives each request an id: in the log, in the answer, on the page of an error.

    In the log, a request is one line, told where ``LOG_JSON`` is set.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.monotonic()
        request.request_id = logs.request_id(request.headers.get("X-Request-ID", ""))
        mark = logs.REQUEST_ID.set(request.request_id)
        try:
            response = self.get_response(request)
            response["X-Request-ID"] = request.request_id
            self._tell(request, response, began)
        finally:
            logs.REQUEST_ID.reset(mark)
        return response

    def _tell(self, request: HttpRequest, response: HttpResponse, began: float) -> None:
        told = {
            "method": request.method if request.method in METHODS else "(other)",
            "place": logs.place_of(request),
            "status": response.status_code,
            "milliseconds": round((time.monotonic() - began) * 1000, 1),
        }
        line = "{method} {place} {status}".format(**told)
        logging.getLogger(logs.ACCESS).info(line, extra={"told": told})


class KnownHostMiddleware:
    """Answers 400 to a host that is not ours, and names the setting that makes it so.

    Anybody in the network can send such requests, so no traceback fills the log.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            host = request.get_host()
        except DisallowedHost:
            host = ""
        if is_known_host(host):
            return self.get_response(request)
        named = request.META.get("HTTP_HOST", "")
        LOG.warning("%.80r is not a host of this Choirbook.", named)
        with override(get_language_from_request(request)):
            return HttpResponseBadRequest(
                _("Choirbook does not answer to this name. ALLOWED_HOSTS adds names."),
                content_type="text/plain; charset=utf-8",
            )


class FormCharsetMiddleware:
    """Answers 415 to a form in another charset than UTF-8.

    No browser sends one, since every page is in UTF-8. Django would refuse it while
    reading the token, and once more in each of its own pages about that refusal.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if (request.encoding or "utf-8").lower() == "utf-8":
            return self.get_response(request)
        with override(get_language_from_request(request)):
            return HttpResponse(
                _("Choirbook reads forms in UTF-8 alone. Nothing was changed."),
                status=415,
                content_type="text/plain; charset=utf-8",
            )


class StaticFilesMiddleware:
    """Serves static files, and leaves everything else as synchronous as it is.

    ServeStatic's own middleware is asynchronous alone: among synchronous ones it would
    make each request change between threads.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]):
        self.get_response = get_response
        self.serve = async_to_sync(ServeStaticMiddleware(sync_to_async(get_response)))

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith(settings.STATIC_URL):
            return self.serve(request)
        return self.get_response(request)


class FragmentMiddleware:
    """Keeps fragments out of caches, so that Back never shows a bare one.

    A page that HTMX names and that is no address at all counts as not named.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            _named = request.htmx.current_url_abs_path
        except ValueError:
            request.htmx.current_url_abs_path = None
        response = self.get_response(request)
        if not request.path.startswith(settings.STATIC_URL):
            patch_vary_headers(response, ["HX-Request"])
            if request.htmx:
                response["Cache-Control"] = "no-store"
            else:
                response.setdefault("Cache-Control", "private, no-cache")
        return response


class TidyAddressMiddleware:
    """Takes what belongs to a form that writes out of the address of a page.

    Without a script a preview sends its form by GET, hidden fields and all. The token
    and the key of the form would stay in the history and in every link that is copied.
    """

    HIDDEN = ("csrfmiddlewaretoken", "key", "revision")

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "csrfmiddlewaretoken" not in request.GET or request.htmx:
            return self.get_response(request)
        asked = request.GET.copy()
        for name in self.HIDDEN:
            asked.pop(name, None)
        return HttpResponseRedirect(f"{request.path}?{asked.urlencode()}")


class RefusalMiddleware:
    """Answers a refusal that no view turned into its own page.

    A database that is busy, full or not there is one too, whatever the view was doing.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(
        self, request: HttpRequest, exception: Exception
    ) -> HttpResponse | None:
        refusal = exception if isinstance(exception, Later) else later_of(exception)
        if refusal is not None:
            LOG.warning("%s: %s", type(refusal).__name__, exception)
            return later(request, refusal)
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
