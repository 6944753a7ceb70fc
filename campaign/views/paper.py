"""What a choir takes along on paper: its log, a mission's set-up, a saint's sheet."""

from __future__ import annotations

import uuid
from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from campaign import access
from campaign.access import Role, Seat
from campaign.actions.damned import faces_of
from campaign.decks import decks_of
from campaign.forms.paper import RangeForm
from campaign.panels.preparation import Preparation
from campaign.reading import shown
from campaign.reading.log import log_context
from campaign.reading.saints import halo_of, piles_of, played_by, saint_with_halo
from campaign.unchanged import until_changed
from campaign.views.nights import local_date
from campaign.views.starts import chosen_of
from missions import catalogue, wording
from missions.views import brought
from rules.book import SAINTS, Allegiance, Mission, Outcome


@until_changed
@access.needs(Role.SPECTATOR)
@require_safe
def paper_log(request: HttpRequest) -> HttpResponse:
    """The nights of a range of days, oldest first, and what was played before.

    With ``entries`` also every entry of the journal that was made in these days.
    """
    seat: Seat = request.seat
    form = RangeForm(request.GET)
    chosen = form.cleaned_data if form.is_valid() else {}
    return render(
        request,
        "campaign/print/log.html",
        {
            "tab": "journal",
            "form": form,
            **log_context(
                seat,
                chosen.get("first"),
                chosen.get("last"),
                entries=bool(chosen.get("entries")),
            ),
            "today": local_date(seat.choir),
        },
        status=200 if form.is_valid() else 422,
    )


@until_changed
@access.needs(Role.SPECTATOR)
@require_safe
def paper_mission(request: HttpRequest, mission: Mission) -> HttpResponse:
    """A mission's set-up for those who are chosen, or for a number of saints.

    A mission in play or suspended is shown as it was started.
    """
    seat: Seat = request.seat
    chosen = _chosen(request, mission)
    number = _number(request.GET.get("number", "")) or len(chosen.saints) or 1
    sheet = shown.sheet_of(
        mission,
        seat.table,
        number,
        chosen.side,
        chosen.soul,
        chosen.body,
        chosen.mind,
    )
    own = shown.book_topics(seat.choir, mission, chosen.side)
    chapter = catalogue.chapter(mission.chapter)
    return render(
        request,
        "campaign/print/mission.html",
        {
            "tab": "map",
            "mission": mission,
            "chapter": chapter,
            "group": wording.GROUPS[mission.group],
            "saints": chosen.saints if number == len(chosen.saints) else (),
            "side": wording.ALLEGIANCES[chosen.side] if chosen.side else "",
            "chosen": chosen,
            "sheet": sheet,
            "numbers": SAINTS,
            "goals": shown.goals_of(sheet),
            "cues": shown.cues_of(mission, sheet, chosen.side),
            "topics": own,
            "brought": brought(mission, chapter, chosen.side),
            "outcomes": wording.OUTCOMES.values(),
        },
    )


def _chosen(request: HttpRequest, mission: Mission) -> Preparation:
    """What the address chose; else as the attempt that waits or runs was started."""
    state = request.seat.table
    running = (state.in_play, *state.suspended)
    started = next((a for a in running if a and a.mission == mission.slug), None)
    if started is None or "prepared" in request.GET:
        chosen = chosen_of(request, state, mission)
        decided = mission.allegiance == "majority" and state.tally.majority
        return replace(chosen, side=state.tally.majority) if decided else chosen
    return Preparation(
        saints=state.saints_at(started),
        side=Allegiance(started.allegiance) if started.allegiance else None,
        soul=started.soul_die,
        body=started.body_die,
        mind=faces_of(started),
    )


def _number(text: str) -> int | None:
    """A number of saints, None for anything else."""
    return next((number for number in SAINTS if text == str(number)), None)


@until_changed
@access.needs(Role.SPECTATOR)
@require_safe
def paper_saint(request: HttpRequest, saint_id: uuid.UUID) -> HttpResponse:
    """A saint with virtues, halo, deck, cards and attempts."""
    choir = request.seat.choir
    saint = saint_with_halo(request.seat, saint_id)
    played = played_by(saint)
    outcomes = [each.attempt.outcome for each in played]
    return render(
        request,
        "campaign/print/saint.html",
        {
            "tab": "saints",
            "saint": saint,
            "slots": halo_of(saint.halo_cards, choir.halo_slots),
            "deck": decks_of(choir).of(saint.id),
            "piles": piles_of(saint),
            "played": played,
            "won": outcomes.count(Outcome.WON),
            "today": local_date(choir),
        },
    )


urlpatterns = [
    path("history/print/", paper_log, name="paper_log"),
    path("missions/<mission:mission>/print/", paper_mission, name="paper_mission"),
    path("saints/<uuid:saint_id>/print/", paper_saint, name="paper_saint"),
]
