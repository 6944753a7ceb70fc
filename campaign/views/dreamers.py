"""Discard piles, dice targets, the ravens' secret and the Awakened King."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.views.decorators.http import require_POST, require_safe

from campaign import access
from campaign.access import Role, Seat
from campaign.actions import dreamers as actions
from campaign.actions.facts import flag_set
from campaign.forms.dice import faces_text
from campaign.forms.dreamers import (
    AwakenedForm,
    AwakenedNameForm,
    PileForm,
    TargetForm,
    TravelForm,
    completed_chapters,
)
from campaign.models import Attempt, Entry
from campaign.odds import percent
from campaign.panels import dreamers as panels
from campaign.reading.cards import awakened_cards
from campaign.reading.shown import attempt_in
from campaign.unchanged import until_changed
from campaign.views.answer import perform
from campaign.views.nights import table_page
from campaign.views.starts import mission_page
from missions import catalogue
from rules.dice import FACES, TARGET_KEEPS, dice_target, dice_target_odds
from rules.dreams import AWAKENED_FRAGMENTS
from rules.record import RAVENS_SECRET

USUAL_DICE = 4
BAR = 100


@dataclass(frozen=True)
class Rolled:
    """A die of a dice target; the three highest are kept."""

    face: int
    kept: bool


@dataclass(frozen=True)
class Chance:
    """How likely a target is; ``width`` is its bar, of 100."""

    target: int
    odds: Fraction
    width: float

    @property
    def percent(self) -> str:
        return percent(self.odds)


def _attempt(request: HttpRequest, attempt_id: uuid.UUID) -> Attempt:
    """An attempt of the Dreamers; 404 for another."""
    attempt = attempt_in(request.seat, attempt_id)
    if catalogue.mission(attempt.mission).chapter != panels.BOOK:
        raise Http404
    return attempt


def piles_fragment(
    request: HttpRequest,
    *,
    attempt: Attempt | None = None,
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    """The discard piles of the mission in play, as its card shows them."""
    seat: Seat = request.seat
    attempt = attempt or seat.table.in_play
    if attempt is None:
        return redirect("table", seat.choir.id)
    shown = {"panel": panels.panel(seat.table, attempt), "attempt": attempt}
    template = "campaign/dreamers/_piles.html"
    return render(request, template, {**context, **shown}, status=status)


def _pile(
    request: HttpRequest,
    attempt_id: uuid.UUID,
    action: Callable[..., Entry],
    **given: Any,
) -> HttpResponse:
    """Count on a pile and show all of them again."""
    attempt = _attempt(request, attempt_id)

    def piles(request: HttpRequest, **context: Any) -> HttpResponse:
        return piles_fragment(request, **{"attempt": attempt, **context})

    def page(request: HttpRequest, *, form: Any = None, **context: Any) -> HttpResponse:
        return table_page(request, pile_form=form, **context)

    return perform(
        request,
        action,
        to=reverse("table", args=[request.seat.choir.id]) + "#piles",
        page=page,
        fragment=piles,
        done=piles,
        **given,
    )


@access.needs(Role.PLAYER)
@require_POST
def pile_add(request: HttpRequest, attempt_id: uuid.UUID) -> HttpResponse:
    """One card more on a pile."""
    given = {"attempt": attempt_id, "nexus": request.POST.get("nexus", "")}
    return _pile(request, attempt_id, actions.pile_add, arguments=given)


@access.needs(Role.PLAYER)
@require_POST
def pile_take(request: HttpRequest, attempt_id: uuid.UUID) -> HttpResponse:
    """One card less on a pile."""
    given = {"attempt": attempt_id, "nexus": request.POST.get("nexus", "")}
    return _pile(request, attempt_id, actions.pile_take, arguments=given)


@access.needs(Role.PLAYER)
@require_POST
def pile_travel(request: HttpRequest, attempt_id: uuid.UUID) -> HttpResponse:
    """Travel in time at a nexus."""
    return _pile(
        request,
        attempt_id,
        actions.pile_travel,
        form=TravelForm(request.POST),
        arguments={"attempt": attempt_id},
    )


@access.needs(Role.PLAYER)
@require_POST
def pile_open(request: HttpRequest, attempt_id: uuid.UUID) -> HttpResponse:
    """A pile for a nexus that the sheet does not name."""
    return _pile(
        request,
        attempt_id,
        actions.pile_open,
        form=PileForm(request.POST),
        arguments={"attempt": attempt_id},
    )


def _target(request: HttpRequest) -> dict[str, Any]:
    """A dice target: what was rolled or entered, and how likely each target is."""
    asked = {"dice", "faces"} & request.GET.keys()
    form = TargetForm(request.GET if asked else None)
    if asked and not form.is_valid():
        return {"target_form": form, "target_status": 422}
    cleaned = form.cleaned_data if asked else {}
    dice = cleaned.get("dice") or USUAL_DICE
    faces = cleaned.get("faces", ())
    if "roll" in request.GET:
        faces = tuple(secrets.choice(FACES) for _die in range(dice))
    odds = dice_target_odds(dice)
    most = max(odds.values())
    return {
        "target_form": TargetForm(initial={"dice": dice, "faces": faces_text(faces)}),
        "target_status": 200,
        "dice": dice,
        "rolled": _kept(faces),
        "target": dice_target(faces) if faces else None,
        "chances": [
            Chance(total, chance, round(float(chance / most) * BAR, 1))
            for total, chance in odds.items()
        ],
    }


def _kept(faces: tuple[int, ...]) -> list[Rolled]:
    falling = sorted(faces, reverse=True)
    return [Rolled(face, i < TARGET_KEEPS) for i, face in enumerate(falling)]


@access.needs(Role.SPECTATOR)
@require_safe
def dice_target_page(request: HttpRequest) -> HttpResponse:
    """Dice targets on a page of their own. Nothing is kept."""
    shown = _target(request)
    return render(
        request,
        "campaign/dreamers/dice_target.html",
        {"tab": "table", **shown},
        status=shown["target_status"],
    )


@access.needs(Role.SPECTATOR)
@require_safe
def dice_target_shown(request: HttpRequest) -> HttpResponse:
    """The fragment with the roll and the odds."""
    if not request.htmx:
        page = reverse("dice_target", args=[request.seat.choir.id])
        return redirect(f"{page}?{request.GET.urlencode()}")
    shown = _target(request)
    return render(
        request,
        "campaign/dreamers/_dice_target.html",
        shown,
        status=shown["target_status"],
    )


@access.needs(Role.PLAYER)
@require_POST
def ravens_secret(request: HttpRequest) -> HttpResponse:
    """Tick the ravens' secret, or take the tick away, on the page that asks for it."""
    mission = catalogue.mission(panels.RAVENS)

    def page(request: HttpRequest, **context: Any) -> HttpResponse:
        return mission_page(request, mission=mission, **context)

    return perform(
        request,
        flag_set,
        arguments={
            "slug": RAVENS_SECRET,
            "is_set": request.POST.get("is_set") == "1",
        },
        to=reverse("mission", args=[request.seat.choir.id, mission.slug]),
        page=page,
    )


def awakened_page(
    request: HttpRequest, *, status: int = 200, **context: Any
) -> HttpResponse:
    """The Awakened King and his thirteen fragments."""
    seat: Seat = request.seat
    state = seat.table
    known = actions.awakened_of(awakened_cards(seat.choir))
    form = context.pop("form", None)
    return render(
        request,
        "campaign/dreamers/awakened.html",
        {
            "tab": "saints",
            "king": panels.king_of(state),
            "wakes": panels.wakes_of(state),
            "fragments": known,
            "unnamed": AWAKENED_FRAGMENTS - len(known),
            "complete": completed_chapters(state.record().completed),
            "slot_form": AwakenedForm(state=state),
            "name_form": form
            if isinstance(form, AwakenedNameForm)
            else AwakenedNameForm(),
            **context,
        },
        status=status,
    )


@until_changed
@access.needs(Role.SPECTATOR)
@require_safe
def awakened(request: HttpRequest) -> HttpResponse:
    return awakened_page(request)


def _awakened(
    request: HttpRequest, action: Callable[..., Entry], **given: Any
) -> HttpResponse:
    to = reverse("awakened", args=[request.seat.choir.id])
    return perform(request, action, to=to, page=awakened_page, **given)


@access.needs(Role.PLAYER)
@require_POST
def awakened_name(request: HttpRequest) -> HttpResponse:
    """Name a fragment of another box."""
    return _awakened(
        request, actions.awakened_name, form=AwakenedNameForm(request.POST)
    )


@access.needs(Role.PLAYER)
@require_POST
def awakened_slot(request: HttpRequest, fragment: str) -> HttpResponse:
    """Unstash a fragment and slot it."""
    return _awakened(
        request,
        actions.awakened_slot,
        form=AwakenedForm(request.POST, state=request.seat.table),
        arguments={"fragment": fragment},
    )


@access.needs(Role.PLAYER)
@require_POST
def awakened_sacrifice(request: HttpRequest, fragment: str) -> HttpResponse:
    """A sacrificed fragment joins the fleeting ones."""
    given = {"fragment": fragment}
    return _awakened(request, actions.awakened_sacrifice, arguments=given)


@access.needs(Role.PLAYER)
@require_POST
def awakened_stash(request: HttpRequest, fragment: str) -> HttpResponse:
    """Put a fragment back into the stash."""
    return _awakened(request, actions.awakened_stash, arguments={"fragment": fragment})


urlpatterns = [
    path("attempts/<uuid:attempt_id>/piles/add/", pile_add, name="pile_add"),
    path("attempts/<uuid:attempt_id>/piles/take/", pile_take, name="pile_take"),
    path("attempts/<uuid:attempt_id>/piles/travel/", pile_travel, name="pile_travel"),
    path("attempts/<uuid:attempt_id>/piles/open/", pile_open, name="pile_open"),
    path("dice-target/", dice_target_page, name="dice_target"),
    path("dice-target/shown/", dice_target_shown, name="dice_target_shown"),
    path("ravens-secret/", ravens_secret, name="ravens_secret"),
    path("awakened/", awakened, name="awakened"),
    path("awakened/name/", awakened_name, name="awakened_name"),
    path("awakened/<slug:fragment>/slot/", awakened_slot, name="awakened_slot"),
    path(
        "awakened/<slug:fragment>/sacrifice/",
        awakened_sacrifice,
        name="awakened_sacrifice",
    ),
    path("awakened/<slug:fragment>/stash/", awakened_stash, name="awakened_stash"),
]
