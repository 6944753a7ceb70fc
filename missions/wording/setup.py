"""What is set up and what to watch: numbers, foes, nexuses, clock and reminders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from missions.wording.language import text
from rules.book import Allegiance, Amount, Cue, Foe, Nexus, When
from rules.setup import Clock, ClockKind, NexusInPlay, SetupSheet, SetupStep


@dataclass(frozen=True)
class CueLine:
    """A reminder in the language of the page. ``who`` and ``trigger`` may be empty."""

    trigger: str
    who: str
    what: str
    when: str


def when(condition: When) -> str:
    """The choice or the act under which something holds; "" for always."""
    parts = []
    if condition.act is not None:
        parts.append(_("Act %(number)d") % {"number": condition.act})
    if condition.allegiance is Allegiance.APPEASE:
        parts.append(_("appeasing") if parts else _("Appeasing"))
    if condition.allegiance is Allegiance.OPPOSE:
        parts.append(_("opposing") if parts else _("Opposing"))
    return ", ".join(parts)


def amount(value: Amount) -> str:
    """A number that depends on the saints, for a reader without a table."""
    if value.by_saints:
        numbers = ", ".join(str(number) for number in value.by_saints)
        return _("%(numbers)s for 1 to 6 saints") % {"numbers": numbers}
    parts = []
    if value.per_saint:
        parts.append(_("%(number)d per saint") % {"number": value.per_saint})
    if value.per_nexus:
        parts.append(_("%(number)d per nexus") % {"number": value.per_nexus})
    if value.plus or not parts:
        parts.append(str(value.plus))
    total = " + ".join(parts)
    if value.divide == 1:
        return total
    if value.divide == 2:
        return _("half of %(total)s, rounded up") % {"total": total}
    return _("%(total)s, divided by %(number)d, rounded up") % {
        "total": total,
        "number": value.divide,
    }


def archetypes(numbers: Sequence[int]) -> str:
    """Archetype numbers, such as "archetypes 1 to 7" or "archetypes 1, 3, 5"."""
    if not numbers:
        return ""
    runs = ", ".join(_runs(numbers))
    label = ngettext("archetype %(numbers)s", "archetypes %(numbers)s", len(numbers))
    return label % {"numbers": runs}


def foe(value: Foe, name: str = "") -> str:
    """A master or minion with its archetypes.

    ``name`` is the true threat that the sin gave, where the sin names the foe and was
    rolled already.
    """
    shown = value.name or name or _("From the sin")
    numbers = archetypes(value.archetypes)
    if not numbers:
        return shown
    return _("%(name)s, %(archetypes)s") % {"name": shown, "archetypes": numbers}


def together(values: Iterable[Foe]) -> tuple[Foe, ...]:
    """Foes that share the same archetypes as one, as printed: "Bystander/Cult Member".

    One set of archetypes stands for all of them; those without numbers stay apart.
    """
    joined: list[Foe] = []
    for value in values:
        last = joined[-1] if joined else None
        if last and value.archetypes and replace(last, name=value.name) == value:
            joined[-1] = replace(last, name=f"{last.name}/{value.name}")
        else:
            joined.append(value)
    return tuple(joined)


def step(value: SetupStep) -> str:
    """A set-up instruction, its number already counted out."""
    return text(value.words)


def nexus(value: NexusInPlay) -> str:
    """A nexus that is built: "Levee, Quarantine Bay Levee, 3 decks"."""
    place = _("%(name)s, %(location)s") % {
        "name": value.name,
        "location": value.location,
    }
    if value.copies == 1:
        return place
    decks = ngettext("%(number)d deck", "%(number)d decks", value.copies)
    return _("%(nexus)s, %(decks)s") % {
        "nexus": place,
        "decks": decks % {"number": value.copies},
    }


def more_saints(values: Sequence[Nexus]) -> str:
    """The nexuses that wait for more saints; "" where there are none."""
    if not values:
        return ""
    waiting = [
        _("%(name)s at %(saints)d") % {"name": value.name, "saints": value.min_saints}
        for value in values
    ]
    return _("With more saints: %(nexuses)s") % {"nexuses": ", ".join(waiting)}


def clock(value: Clock) -> str:
    """How the clock is built once both dice have been rolled."""
    if value.kind is ClockKind.NONE:
        return _("No clock in this mission.")
    if value.rule is None:
        return _("Build the clock as usual.")
    return _("Omens of Hope: %(hope)d. Omens of Doom: %(doom)d.") % {
        "hope": value.rule.hope,
        "doom": value.rule.doom,
    }


def cue(value: Cue, sheet: SetupSheet | None = None) -> CueLine:
    """A reminder: on what trigger, who, does what; counted out with a sheet."""
    what = text(value.what)
    if value.count is not None and sheet is not None:
        number = value.count.of(sheet.saints, sheet.nexus_count)
        what = what.replace("{count}", str(number))
    elif value.count is not None:
        what = what.replace("{count}", amount(value.count))
    return CueLine(
        trigger=text(value.trigger),
        who=text(value.who),
        what=what,
        when=", ".join(filter(None, (when(value.when), _stashed(value.ordeal)))),
    )


def _stashed(ordeal: str) -> str:
    return _("with %(ordeal)s stashed") % {"ordeal": ordeal} if ordeal else ""


def _runs(numbers: Sequence[int]) -> list[str]:
    """Numbers with each run of three or more drawn together: "1 to 7", "9"."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][-1] + 1:
            found[-1].append(number)
        else:
            found.append([number])
    parts: list[str] = []
    for run in found:
        if len(run) > 2:
            parts.append(
                _("%(first)d to %(last)d") % {"first": run[0], "last": run[-1]}
            )
        else:
            parts.extend(str(number) for number in run)
    return parts
