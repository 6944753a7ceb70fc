"""Why a mission is open or locked: the sentences of needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from missions.wording.language import (
    all_of,
    any_of,
    capital,
    mission_title,
    mission_titles,
)
from missions.wording.names import OUTCOMES_INSIDE, secret
from missions.wording.results import outcome_counts, played
from rules.book import Outcome
from rules.requirements import (
    IrlTonightNeed,
    MissionNeed,
    Need,
    NeedKind,
    NeighbourNeed,
    NobodyPresentNeed,
    NovemNeed,
    OneOfRingNeed,
    SecretNeed,
)


@dataclass(frozen=True)
class NeedLine:
    """A line under "What it needs": the need, and how it is met or what is missing."""

    met: bool
    title: str
    detail: str


def need(value: Need) -> NeedLine:
    """The line of a need: what it is, and how it is met or what exactly is missing."""
    match value:
        case MissionNeed(kind=NeedKind.WON):
            title = _("A win at %(mission)s") % {
                "mission": mission_title(value.mission)
            }
            detail = _mission_detail(value)
        case MissionNeed():
            title = _("%(mission)s complete") % {
                "mission": mission_title(value.mission)
            }
            detail = _mission_detail(value)
        case IrlTonightNeed():
            title = _("One In Real Life mission complete tonight")
            detail = _irl_detail(value)
        case SecretNeed():
            title = capital(secret(value.name))
            detail = (
                _("the choir knows it")
                if value.met
                else _("tick it when the story has told it")
            )
        case NovemNeed():
            title = _("A novem contract for %(saint)s") % {"saint": value.saint}
            detail = (
                all_of(value.contracts)
                if value.met
                else _("no novem contract in the halo")
            )
        case NobodyPresentNeed():
            title = _("Saints at the table, each with a novem contract")
            detail = _("nobody is present")
        case OneOfRingNeed():
            title = _("One staircase mission won")
            detail = _ring_detail(value)
        case NeighbourNeed():
            title = _("A neighbouring staircase mission won")
            detail = _neighbour_detail(value)
    sentence = _("Met: %(detail)s.") if value.met else _("Missing: %(detail)s.")
    return NeedLine(value.met, title, sentence % {"detail": detail})


def needs(values: Iterable[Need]) -> tuple[NeedLine, ...]:
    """The lines of all needs of a mission."""
    return tuple(need(value) for value in values)


def missing(values: Iterable[Need]) -> str:
    """What a lock waits for, as short as it goes; "" when nothing is missing.

    "a win at Market Forces and Red Flowers", "3 more missions complete".
    """
    unmet = [value for value in values if not value.met]
    parts: list[str] = []
    wins = [value.mission for value in unmet if value.kind is NeedKind.WON]
    if wins:
        parts.append(
            _("a win at %(missions)s") % {"missions": all_of(mission_titles(wins))}
        )
    parts.extend(
        _incomplete([n.mission for n in unmet if n.kind is NeedKind.COMPLETED])
    )
    saints = [value.saint for value in unmet if isinstance(value, NovemNeed)]
    if saints:
        parts.append(_("a novem contract for %(saints)s") % {"saints": all_of(saints)})
    for value in unmet:
        match value:
            case IrlTonightNeed():
                parts.append(_("an In Real Life mission tonight"))
            case SecretNeed():
                parts.append(secret(value.name))
            case NobodyPresentNeed():
                parts.append(_("saints at the table"))
            case OneOfRingNeed():
                parts.append(_("two neighbouring staircase wins"))
            case NeighbourNeed(candidates=candidates) if candidates:
                names = any_of(mission_titles(n.mission for n in candidates))
                parts.append(_("a win at %(missions)s") % {"missions": names})
            case _:
                pass
    return all_of(parts)


def lock(values: Iterable[Need]) -> str:
    """Why a mission is locked, for a list: "Needs a win at Market Forces"."""
    what = missing(values)
    return _("Needs %(what)s") % {"what": what} if what else ""


def _mission_detail(value: MissionNeed) -> str:
    if value.met_by is not None:
        return played(value.met_by)
    history = _history(value)
    if value.in_play:
        now = _("in play now")
    elif value.suspended:
        now = _("suspended")
    elif not value.is_open:
        now = _("still locked")
    else:
        now = "" if history else _("not played to its end yet")
    return _("; ").join(part for part in (history, now) if part)


def _history(value: MissionNeed) -> str:
    """How the attempts ended that did not meet a need: "attempted once, lost"."""
    tries = len(value.attempts)
    if not tries:
        return ""
    outcomes = {play.outcome for play in value.attempts}
    if len(outcomes) > 1:
        counts = {outcome: value.count(outcome) for outcome in Outcome}
        return _("attempted %(number)d times: %(results)s") % {
            "number": tries,
            "results": outcome_counts(counts),
        }
    result = {"number": tries, "result": OUTCOMES_INSIDE[outcomes.pop()]}
    if tries == 1:
        return _("attempted once, %(result)s") % result
    if tries == 2:
        return _("attempted twice, %(result)s both times") % result
    return _("attempted %(number)d times, %(result)s each time") % result


def _irl_detail(value: IrlTonightNeed) -> str:
    if value.met:
        play = value.completed[0]
        return _("%(mission)s, %(play)s") % {
            "mission": mission_title(play.mission),
            "play": played(play),
        }
    if value.in_play:
        return _("%(mission)s is in play and counts once it ends") % {
            "mission": mission_title(value.in_play)
        }
    return _("%(missions)s will do, won or not") % {
        "missions": any_of(mission_titles(value.missions))
    }


def _ring_detail(value: OneOfRingNeed) -> str:
    if not value.met:
        return _("none of them is won yet")
    return all_of(
        [
            _("%(mission)s, %(play)s")
            % {"mission": mission_title(won.mission), "play": played(won.met_by)}
            for won in value.won
            if won.met_by is not None
        ]
    )


def _neighbour_detail(value: NeighbourNeed) -> str:
    if value.pair:
        return _("%(missions)s stand side by side") % {
            "missions": all_of(mission_titles(value.pair))
        }
    if not value.candidates:
        return _("win one first, then one beside it")
    parts = [_candidate(candidate) for candidate in value.candidates]
    won = [station.mission for station in value.ring if station.met]
    if len(won) > 1:
        parts.append(
            _("%(missions)s lie across from each other and open nothing together")
            % {"missions": all_of(mission_titles(won))}
        )
    for station in value.across:
        parts.append(
            _("%(mission)s lies across and does not help")
            % {"mission": mission_title(station.mission)}
        )
    return _("; ").join(parts)


def _candidate(value: MissionNeed) -> str:
    name = {"mission": mission_title(value.mission)}
    if value.in_play:
        return _("%(mission)s is in play now") % name
    if value.suspended:
        return _("%(mission)s is suspended") % name
    if value.is_open:
        return _("%(mission)s is open") % name
    return _("%(mission)s is still locked") % name


def _incomplete(slugs: Sequence[str]) -> list[str]:
    if not slugs:
        return []
    if len(slugs) <= 2:
        return [
            _("%(missions)s complete") % {"missions": all_of(mission_titles(slugs))}
        ]
    more = ngettext(
        "%(number)d more mission complete",
        "%(number)d more missions complete",
        len(slugs),
    )
    return [more % {"number": len(slugs)}]
