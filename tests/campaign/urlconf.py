"""Every address of the URLconf, but the admin panel’s and those of the books."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.urls.converters import IntConverter, SlugConverter, StringConverter

from campaign.access import Role
from campaign.converters import ChapterConverter, MissionConverter
from tests.campaign.factories import LAW

ELSEWHERE = ("admin/", "books/", "rules/")
"""The admin panel has its own login, books and rules are the same for everybody."""

OF_A_CHOIR = "choirs/<uuid:choir_id>/"


@dataclass(frozen=True)
class Address:
    """A pattern of the URLconf, as written, with the converters of its arguments."""

    route: str
    pattern: URLPattern
    converters: dict[str, object]

    @property
    def role(self) -> Role | None:
        return self.pattern.callback.role

    def of(self, choir_id: uuid.UUID, **rows: uuid.UUID) -> str:
        """This address in a choir; what ``rows`` do not name is nowhere or printed."""
        known = {"choir_id": choir_id} | rows
        arguments = {
            name: known.get(name) or _example(converter)
            for name, converter in self.converters.items()
        }
        return reverse(self.pattern.callback, kwargs=arguments)


def _example(converter: object) -> object:
    match converter:
        case MissionConverter():
            return LAW
        case ChapterConverter():
            return "animus"
        case IntConverter():
            return 1
        case SlugConverter() | StringConverter():
            return "the-shell"
    return uuid.UUID(int=7)


def _addresses(
    patterns: list[URLPattern | URLResolver],
    route: str = "",
    converters: dict[str, object] | None = None,
) -> Iterator[Address]:
    for each in patterns:
        here = f"{route}{each.pattern}"
        known = (converters or {}) | each.pattern.converters
        if here.startswith(ELSEWHERE):
            continue
        if isinstance(each, URLResolver):
            yield from _addresses(each.url_patterns, here, known)
        else:
            yield Address(here, each, known)


EVERY = list(_addresses(get_resolver().url_patterns))
OURS = [each for each in EVERY if each.route.startswith(OF_A_CHOIR)]
