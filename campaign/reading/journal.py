"""The journal as its pages show it: the entries asked for, one alone, a rewind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404, QueryDict

from campaign.access import Seat
from campaign.forms.journal import FilterForm
from campaign.models import Choir, Entry, GameNight
from campaign.reading.lines import about_mission, entries_of, lines_of, nights_of
from campaign.reading.stories import row_stories
from campaign.takeback import taken_back

PAGE = 50
SAVE_POINTS = 20
LISTED = 12


def journal_context(seat: Seat, asked: QueryDict) -> dict[str, Any]:
    """The entries that were asked for, newest first, and the latest save points."""
    nights = list(GameNight.objects.numbered().filter(choir=seat.choir))
    wanted = FilterForm(asked, actors=_actors(seat.choir), nights=nights)
    entries = entries_of(seat.choir).filter(wanted.wanted)
    if wanted.about:
        entries = entries.filter(about_mission(seat.choir, wanted.about))
    found = list(entries.order_by("-number")[: PAGE + 1])
    shown = found[:PAGE]
    points = entries_of(seat.choir).filter(kind=Entry.Kind.SAVE_POINT)
    since = taken_back(seat.choir.id)
    lines, night = lines_of(
        seat, [*shown, *points.order_by("-number")[:SAVE_POINTS]], since, nights
    )
    older = wanted.address(before=shown[-1].number) if len(found) > PAGE else None
    return {
        "night": night,
        "filter": wanted,
        "nights": nights_of(lines[: len(shown)]),
        "points": lines[len(shown) :],
        "older": older,
        "newest": wanted.address() if wanted.cleaned_data.get("before") else None,
    }


def _actors(choir: Choir) -> list[str]:
    """Everybody who made an entry, by name."""
    return list(
        Entry.objects.filter(choir=choir)
        .order_by("actor")
        .values_list("actor", flat=True)
        .distinct()
    )


def entry_context(
    seat: Seat, entry: Entry, blocking: Sequence[Entry]
) -> dict[str, Any]:
    """One entry: what it changed, and the later ones that are in its way."""
    since = taken_back(seat.choir.id, after=entry.number)
    leaning = entries_of(seat.choir).filter(id__in=[e.id for e in blocking[:LISTED]])
    (line, *later), night = lines_of(seat, [entry, *leaning.order_by("number")], since)
    return {
        "night": night,
        "line": line,
        "rows": row_stories(entry, seat.choir),
        "blocking": later,
        "blocking_more": len(blocking) - len(later),
        "before": entry.number - 1,
    }


def rewind_context(seat: Seat, number: int) -> dict[str, Any]:
    """How many entries a rewind would take back, and which; 404 for no entry."""
    target = entries_of(seat.choir).filter(number=number).first()
    if target is None:
        raise Http404
    since = taken_back(seat.choir.id, after=number)
    going = Entry.objects.filter(choir=seat.choir, number__gt=number)
    newest = list(
        entries_of(seat.choir).filter(number__gt=number).order_by("-number")[:LISTED]
    )
    (line, *lines), night = lines_of(seat, [target, *newest], since)
    count = going.count()
    return {
        "night": night,
        "line": line,
        "number": number,
        "lines": lines,
        "count": count,
        "more": count - len(lines),
    }
