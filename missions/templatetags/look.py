"""Template tags of the look: icons, marks, tabs and what forms need."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from missions import wording
from rules.book import Foe, When, Words
from rules.setup import NexusInPlay

register = template.Library()

TABS = (
    ("table", "dices", gettext_lazy("Table")),
    ("map", "map", gettext_lazy("Map")),
    ("saints", "users", gettext_lazy("Saints")),
    ("chains", "link", gettext_lazy("Chains")),
    ("journal", "scroll-text", gettext_lazy("Journal")),
)


@dataclass(frozen=True)
class Tab:
    """One of the main places of a choir. ``current`` marks the page shown.

    ``key`` is the letter that leads there, after g.
    """

    href: str
    icon: str
    label: str
    current: bool
    key: str


def sprite(name: str) -> str:
    """The address of the symbol ``name`` in the icon sprite."""
    return f"{_sprites(settings.STORAGES['staticfiles']['BACKEND'])}#{name}"


@functools.cache
def _sprites(_backend: str) -> str:
    """The address of the sprite. A page has up to a hundred icons."""
    return static("icons/icons.svg")


@register.simple_tag
def icon(name: str, *, big: bool = False, css: str = "") -> SafeString:
    """The icon ``name`` of the sprite, hidden from screen readers.

    ``big`` draws it at 24 px; ``css`` adds classes.
    """
    return _icon(sprite(name), big, css)


@functools.lru_cache(maxsize=512)
def _icon(address: str, big: bool, css: str) -> SafeString:
    classes = " ".join(filter(None, ("icon", "big" if big else "", css)))
    return format_html(
        '<svg class="{}" aria-hidden="true"><use href="{}"/></svg>',
        classes,
        address,
    )


@register.simple_tag
def mark(state: str) -> SafeString:
    """The shape of a mission's state: won, done, open, play or locked."""
    return format_html(
        '<svg class="mark" viewBox="0 0 16 16" aria-hidden="true">'
        '<use href="{}"/></svg>',
        sprite(f"is-{state}"),
    )


@register.simple_tag
def tabs(choir_id: object, current: str | None = None) -> list[Tab]:
    """The tabs of a choir. A tab stands only where its page exists."""
    found = []
    for name, image, label in TABS:
        try:
            href = reverse(name, args=[choir_id])
        except NoReverseMatch:
            continue
        found.append(Tab(href, image, str(label), name == current, name[0]))
    return found


@register.simple_tag
def tab_keys() -> list[tuple[str, str]]:
    """The letter of each tab, which follows g, and what the tab is called."""
    return [(name[0], str(label)) for name, _image, label in TABS]


@register.simple_tag(takes_context=True)
def guide_address(context: template.Context, part: str = "") -> str:
    """The guide, or a part of it, between the tabs of the choir of the page."""
    choir = context.get("choir")
    address = reverse("choir_guide", args=[choir.pk]) if choir else reverse("guide")
    return f"{address}#{part}" if part else address


@register.simple_tag(takes_context=True)
def here(context: template.Context) -> str:
    """The path of the page that is being looked at, for a form's ``next``.

    A fragment answers for the page that asked for it, a form that is shown again
    for the page that it was sent from.
    """
    request = context.get("request")
    if request is None:
        return "/"
    htmx = getattr(request, "htmx", None)
    if htmx and htmx.current_url_abs_path:
        return htmx.current_url_abs_path
    if request.method in ("GET", "HEAD"):
        return request.get_full_path()
    try:
        sent_from = urlsplit(request.headers.get("Referer", ""))
    except ValueError:
        return "/"
    if sent_from.netloc != request.get_host() or sent_from.path.startswith("//"):
        return "/"
    return f"{sent_from.path}?{sent_from.query}".rstrip("?") or "/"


@register.filter
def starts(text: str, prefix: str) -> bool:
    """Whether ``text`` starts with ``prefix``."""
    return str(text).startswith(prefix)


@register.filter
def after(text: str, prefix: str) -> str:
    """``text`` without ``prefix`` at its start."""
    return str(text).removeprefix(prefix)


@register.simple_tag
def placed_mark(state: str, x: float, y: float, size: float) -> SafeString:
    """A state's shape inside a drawing, ``size`` units wide at ``x``, ``y``."""
    return format_html(
        '<svg class="mark" x="{}" y="{}" width="{}" height="{}" viewBox="0 0 16 16" '
        'aria-hidden="true"><use href="{}"/></svg>',
        *(f"{number:g}" for number in (x, y, size, size)),
        sprite(f"is-{state}"),
    )


@register.filter
def unlocalise(number: float) -> str:
    """A coordinate, with a point in every language."""
    return f"{number:g}"


@register.filter
def words(value: Words) -> str:
    """A text of the books in the language of the page."""
    return wording.text(value)


@register.filter
def when(value: When) -> str:
    """Under which choice or act something holds; "" for always."""
    return wording.when(value)


@register.filter
def foe(value: Foe) -> str:
    """A master or minion with its archetypes."""
    return wording.foe(value)


@register.filter
def together(values: Iterable[Foe]) -> tuple[Foe, ...]:
    """Foes that share their archetypes, as one."""
    return wording.together(values)


@register.filter
def plus(number: float, more: float) -> str:
    """A coordinate, moved by ``more``."""
    return f"{number + more:g}"


@register.filter
def has_acts(nexuses: Iterable[NexusInPlay]) -> bool:
    """Whether nexuses belong to more than one act."""
    return len({nexus.act for nexus in nexuses}) > 1
