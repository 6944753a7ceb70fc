"""Building the ziggurat and taking it down."""

from __future__ import annotations

import secrets
import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.views.decorators.http import require_POST, require_safe

from campaign import access
from campaign.access import Role, Seat
from campaign.actions.serpents import (
    WORDS,
    has_ziggurat,
    place_code,
    place_of,
    place_words,
    ziggurat_place,
    ziggurat_remove,
)
from campaign.errors import Refused
from campaign.forms.dice import faces_text
from campaign.forms.serpents import BuildForm, PlaceForm
from campaign.models import Attempt, ZigguratDie
from campaign.panels.serpents import Shown, dice_of, shown
from campaign.reading.lines import newest_of
from campaign.reading.shown import attempt_in
from campaign.views.answer import perform
from missions import catalogue
from rules.book import Virtue
from rules.dice import FACES
from rules.ziggurat import Place, Removal, Ziggurat, legal_places, removed

ZIGGURAT = "campaign/serpents/ziggurat.html"
BUILD = "campaign/serpents/_ziggurat_build.html"
REMOVE = "campaign/serpents/_ziggurat_remove.html"


@dataclass(frozen=True)
class Build:
    """A build under way: its roll, and what of it is still to be placed.

    ``put`` are the places that dice of this roll went to: a die that is taken back
    lies in the tray again.
    """

    virtue: str = ""
    faces: tuple[int, ...] = ()
    put: tuple[Place, ...] = ()
    who: str = ""
    tray: tuple[int, ...] = ()
    chosen: int | None = None

    @property
    def word(self) -> str:
        return str(WORDS[Virtue(self.virtue)]) if self.virtue else ""

    @property
    def value(self) -> int | None:
        return None if self.chosen is None else self.tray[self.chosen]

    @property
    def text(self) -> str:
        return faces_text(self.faces)

    @property
    def codes(self) -> list[str]:
        return [place_code(place) for place in self.put]

    def query(self, *more: str) -> str:
        """The address of the page with this build, after ``more`` places."""
        pairs = [("virtue", self.virtue), ("faces", self.text), ("who", self.who)]
        pairs += [("put", code) for code in (*self.codes, *more)]
        return urlencode([pair for pair in pairs if pair[1]])


@dataclass(frozen=True)
class Taking:
    """Dice that are about to be taken down; ``removal`` is None while none is chosen.

    ``dice`` are all of the virtue ``of`` with what falls with each.
    """

    of: str = ""
    dice: tuple[tuple[str, str, str, bool], ...] = ()
    removal: Removal | None = None
    fallen: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    places: frozenset[Place] = field(default_factory=frozenset)


def ziggurat_page(
    request: HttpRequest, *, attempt: Attempt, status: int = 200, **context: Any
) -> HttpResponse:
    """The ziggurat of the mission in play, with all that can be done with it."""
    return _render(request, ZIGGURAT, attempt, status, context)


def build_fragment(
    request: HttpRequest, *, attempt: Attempt, status: int = 200, **context: Any
) -> HttpResponse:
    """The tray and the places, lit for the chosen die."""
    return _render(request, BUILD, attempt, status, context)


def remove_fragment(
    request: HttpRequest, *, attempt: Attempt, status: int = 200, **context: Any
) -> HttpResponse:
    """The dice of one virtue, and what comes down with those that are chosen."""
    return _render(request, REMOVE, attempt, status, context)


def _render(
    request: HttpRequest,
    template: str,
    attempt: Attempt,
    status: int,
    context: dict[str, Any],
) -> HttpResponse:
    seat: Seat = request.seat
    data = request.POST if request.method == "POST" else request.GET
    dice = dice_of(attempt)
    form = context.get("form") or _build_form(data)
    build = _build(data, dice)
    taking = _taking(data, dice)
    zig = shown(seat.table, attempt, dice, value=build.value)
    if context.get("form") is None and form.is_bound and form.errors:
        status = 422
    return render(
        request,
        template,
        {
            "tab": "table",
            "attempt": attempt,
            "mission": catalogue.mission(attempt.mission),
            "zig": zig,
            "build": build,
            "fits": _fits(dice, build),
            "beyond": _beyond(zig, build),
            "taking": taking,
            "down": shown(seat.table, attempt, dice, falling=taking.places)
            if taking.places
            else None,
            "last": newest_of(seat, "ziggurat_place"),
            "virtues": ZigguratDie.Virtue.choices,
            **context,
            "form": form,
        },
        status=status,
    )


def _build_form(data: QueryDict) -> BuildForm:
    return BuildForm(data if "faces" in data or "virtue" in data else None)


def _build(data: QueryDict, dice: Ziggurat) -> Build:
    """The build that the address or the form tells of; an empty one without a roll."""
    form = BuildForm(data)
    if not form.is_valid():
        return Build()
    virtue, faces = form.cleaned_data["virtue"], form.cleaned_data["faces"]
    put = tuple(_places(data.getlist("put")))
    left = Counter(faces)
    for place in put:
        if place in dice and dice[place].virtue == virtue:
            left[dice[place].value] -= 1
    tray = tuple(sorted((+left).elements()))
    die = data.get("die", "")
    fitting = [i for i, face in enumerate(tray) if legal_places(dice, face)]
    chosen = next((i for i in range(len(tray)) if str(i) == die), None)
    if chosen is None and tray:
        chosen = fitting[0] if fitting else 0
    return Build(virtue, faces, put, data.get("who", "")[:40], tray, chosen)


def _places(codes: Sequence[str]) -> list[Place]:
    """The places of these codes; what is none is left out."""
    found = []
    for code in dict.fromkeys(codes):
        try:
            found.append(place_of(code))
        except Refused:
            continue
    return found


def _fits(dice: Ziggurat, build: Build) -> list[tuple[int, list[str]]]:
    """Each face of the tray with the places that take it."""
    return [
        (face, [place_words(place) for place in legal_places(dice, face)])
        for face in sorted(set(build.tray))
    ]


def _beyond(standing: Shown, build: Build) -> int | None:
    """How many dice of the virtue the supply still has, when the tray holds more."""
    left = next((s.left for s in standing.supply if s.virtue == build.virtue), None)
    return left if left is not None and len(build.tray) > left else None


def _taking(data: QueryDict, dice: Ziggurat) -> Taking:
    of = data.get("of", "")
    if of not in set(Virtue):
        return Taking()
    chosen = [
        place
        for place in _places(data.getlist("take"))
        if place in dice and dice[place].virtue == of
    ]
    removal = removed(dice, chosen) if chosen else None
    gone = removal.chosen | removal.fallen if removal else frozenset()
    return Taking(
        of=of,
        dice=tuple(
            (
                place_code(place),
                f"{dice[place].value}, {place_words(place)}",
                _carries(dice, place),
                place in chosen,
            )
            for place in sorted(dice)
            if dice[place].virtue == of
        ),
        removal=removal,
        fallen=_named(dice, removal.fallen) if removal else (),
        seen=tuple(place_code(place) for place in sorted(gone)),
        places=gone,
    )


def _carries(dice: Ziggurat, place: Place) -> str:
    return ", ".join(_named(dice, removed(dice, [place]).fallen))


def _named(dice: Ziggurat, places: frozenset[Place]) -> tuple[str, ...]:
    return tuple(
        f"{WORDS[dice[place].virtue]} {dice[place].value} ({place_words(place)})"
        for place in sorted(places)
    )


def _of_stairs(request: HttpRequest, attempt_id: uuid.UUID) -> Attempt:
    """The attempt, when its mission has a ziggurat; 404 otherwise."""
    attempt = attempt_in(request.seat, attempt_id)
    if not has_ziggurat(attempt.mission):
        raise Http404
    return attempt


def _address(request: HttpRequest, attempt: Attempt, query: str = "") -> str:
    page = reverse("ziggurat", args=[request.seat.choir.id, attempt.id])
    return f"{page}?{query}" if query else page


@access.needs(Role.PLAYER)
@require_safe
def ziggurat(request: HttpRequest, attempt_id: uuid.UUID) -> HttpResponse:
    """The page to build on; ``roll`` rolls for a saint and shows what fell."""
    attempt = _of_stairs(request, attempt_id)
    if attempt.state != Attempt.State.IN_PLAY:
        return redirect("table", request.seat.choir.id)
    if "roll" in request.GET:
        return redirect(_address(request, attempt, _rolled(request, attempt)))
    return ziggurat_page(request, attempt=attempt)


def _rolled(request: HttpRequest, attempt: Attempt) -> str:
    """A fresh roll of ``saint.virtue``, limited by the supply, as an address."""
    saint_id, _dot, virtue = request.GET["roll"].partition(".")
    standing = shown(request.seat.table, attempt, dice_of(attempt))
    for thrower in standing.throwers:
        for throw in thrower.throws:
            if (str(thrower.saint.id), throw.virtue) == (saint_id, virtue):
                faces = tuple(secrets.choice(FACES) for _die in range(throw.dice))
                return Build(virtue, faces, who=thrower.saint.name).query()
    return ""


@access.needs(Role.PLAYER)
@require_safe
def ziggurat_build(request: HttpRequest, attempt_id: uuid.UUID) -> HttpResponse:
    """The fragment that follows the choice of a die."""
    attempt = _of_stairs(request, attempt_id)
    if not request.htmx or attempt.state != Attempt.State.IN_PLAY:
        return redirect(_address(request, attempt, request.GET.urlencode()))
    return build_fragment(request, attempt=attempt)


@access.needs(Role.PLAYER)
@require_safe
def ziggurat_falls(request: HttpRequest, attempt_id: uuid.UUID) -> HttpResponse:
    """The fragment that follows the choice of dice to take down."""
    attempt = _of_stairs(request, attempt_id)
    if not request.htmx or attempt.state != Attempt.State.IN_PLAY:
        return redirect(_address(request, attempt, request.GET.urlencode()))
    return remove_fragment(request, attempt=attempt)


@access.needs(Role.PLAYER)
@require_POST
def ziggurat_put(request: HttpRequest, attempt_id: uuid.UUID) -> HttpResponse:
    """Put one die of the roll on a place."""
    attempt = _of_stairs(request, attempt_id)
    build = _build(request.POST, dice_of(attempt))
    return perform(
        request,
        ziggurat_place,
        form=PlaceForm(request.POST, tray=build.tray),
        arguments={"attempt": attempt.id},
        to=_address(request, attempt, build.query(request.POST.get("place", ""))),
        page=ziggurat_page,
        fragment=build_fragment,
        context={"attempt": attempt},
    )


@access.needs(Role.PLAYER)
@require_POST
def ziggurat_take(request: HttpRequest, attempt_id: uuid.UUID) -> HttpResponse:
    """Take down the chosen dice, with all that rests on them."""
    attempt = _of_stairs(request, attempt_id)
    return perform(
        request,
        ziggurat_remove,
        arguments={
            "attempt": attempt.id,
            "places": request.POST.getlist("take"),
            "seen": request.POST.getlist("seen"),
        },
        to=_address(request, attempt),
        page=ziggurat_page,
        fragment=remove_fragment,
        context={"attempt": attempt},
    )


urlpatterns = [
    path("attempts/<uuid:attempt_id>/ziggurat/", ziggurat, name="ziggurat"),
    path(
        "attempts/<uuid:attempt_id>/ziggurat/build/",
        ziggurat_build,
        name="ziggurat_build",
    ),
    path(
        "attempts/<uuid:attempt_id>/ziggurat/falls/",
        ziggurat_falls,
        name="ziggurat_falls",
    ),
    path(
        "attempts/<uuid:attempt_id>/ziggurat/place/",
        ziggurat_put,
        name="ziggurat_place",
    ),
    path(
        "attempts/<uuid:attempt_id>/ziggurat/remove/",
        ziggurat_take,
        name="ziggurat_remove",
    ),
]
