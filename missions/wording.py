"""The one place where reasons, plans, numbers and foes become translated sentences.

Sentences about a choir are made from the objects of ``rules``; sentences of the books
stand in ``seeds/`` with a text for each language. Names of missions, nexuses and cards
stay as printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, ngettext, ngettext_lazy
from django.utils.translation import gettext as _

from missions.catalogue import mission
from rules.book import (
    Allegiance,
    Amount,
    Consequence,
    Cue,
    Foe,
    Group,
    Nexus,
    On,
    Outcome,
    Rule,
    Virtue,
    When,
    Words,
)
from rules.record import RAVENS_SECRET, Play
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
from rules.setup import Clock, ClockKind, NexusInPlay, SetupStep
from rules.unlocks import (
    CompleteStep,
    LearnSecret,
    Plan,
    PlanStep,
    SaintsPresent,
    SlotContract,
    Standing,
    State,
    WinStep,
)

FALLBACK = "en"

OUTCOMES: Mapping[Outcome, Promise] = {
    Outcome.WON: gettext_lazy("Won"),
    Outcome.LOST: gettext_lazy("Lost"),
    Outcome.TIMED_OUT: gettext_lazy("Timed out"),
    Outcome.ABANDONED: gettext_lazy("Abandoned"),
}

_OUTCOMES_INSIDE: Mapping[Outcome, Promise] = {
    Outcome.WON: gettext_lazy("won"),
    Outcome.LOST: gettext_lazy("lost"),
    Outcome.TIMED_OUT: gettext_lazy("timed out"),
    Outcome.ABANDONED: gettext_lazy("abandoned"),
}

STATES: Mapping[State, Promise] = {
    State.IN_PLAY: gettext_lazy("In play"),
    State.WON: gettext_lazy("Won"),
    State.DONE: gettext_lazy("Complete"),
    State.OPEN: gettext_lazy("Open"),
    State.LOCKED: gettext_lazy("Locked"),
}

SUSPENDED = gettext_lazy("Suspended")

GROUPS: Mapping[Group, Promise] = {
    Group.PREPARATION: gettext_lazy("Preparation"),
    Group.FINALE: gettext_lazy("Finale"),
    Group.LAW: gettext_lazy("Law"),
    Group.LIGHTHOUSE: gettext_lazy("The Lighthouse"),
    Group.IRL: gettext_lazy("In Real Life"),
    Group.IN_DREAMS: gettext_lazy("In Dreams"),
    Group.SLEEPER: gettext_lazy("In Dreams, the last"),
    Group.FOUNDATION: gettext_lazy("Foundation"),
    Group.STAIRCASE: gettext_lazy("Staircase"),
    Group.CAPSTONE: gettext_lazy("Capstone"),
}

ALLEGIANCES: Mapping[Allegiance, Promise] = {
    Allegiance.APPEASE: gettext_lazy("Appease"),
    Allegiance.OPPOSE: gettext_lazy("Oppose"),
}

VIRTUES: Mapping[Virtue, Promise] = {
    Virtue.MIND: gettext_lazy("Mind"),
    Virtue.BODY: gettext_lazy("Body"),
    Virtue.SOUL: gettext_lazy("Soul"),
    Virtue.RAGE: gettext_lazy("Rage"),
}

ON: Mapping[On, Promise] = {
    On.WIN: gettext_lazy("On a win"),
    On.LOSE: gettext_lazy("On a loss"),
    On.NOT_WIN: gettext_lazy("Without a win"),
    On.END: gettext_lazy("Whatever the result"),
}

TOPICS: Mapping[str, Promise] = {
    "adaptive": gettext_lazy("Adaptive"),
    "allegiance": gettext_lazy("Under allegiance"),
    "appease-oppose": gettext_lazy("Appease or oppose"),
    "assist": gettext_lazy("Assist"),
    "awakened-king": gettext_lazy("The Awakened King"),
    "base-cards": gettext_lazy("Base cards"),
    "between-games": gettext_lazy("Between games"),
    "cards": gettext_lazy("Cards"),
    "chains": gettext_lazy("Chains"),
    "contracts": gettext_lazy("Contracts"),
    "dice": gettext_lazy("Dice"),
    "dice-targets": gettext_lazy("Dice targets"),
    "dragon": gettext_lazy("The dragon"),
    "dreams": gettext_lazy("Dreams"),
    "dreamshare": gettext_lazy("Dreamshare"),
    "evenings": gettext_lazy("Evenings"),
    "finales": gettext_lazy("The finales"),
    "gambling": gettext_lazy("Gambling"),
    "how-to-play": gettext_lazy("How to play"),
    "moving-cards": gettext_lazy("Moving cards"),
    "mutations": gettext_lazy("Mutations and ordeals"),
    "nexuses": gettext_lazy("Nexuses"),
    "nights": gettext_lazy("Game nights"),
    "novem-contracts": gettext_lazy("Novem contracts"),
    "powers": gettext_lazy("Powers"),
    "pyramid": gettext_lazy("The pyramid of missions"),
    "results": gettext_lazy("Results"),
    "sin-city": gettext_lazy("Sin City"),
    "single-missions": gettext_lazy("Single missions"),
    "slither": gettext_lazy("Slither"),
    "staking": gettext_lazy("Staking"),
    "structures": gettext_lazy("Structures"),
    "throwback": gettext_lazy("Throwback"),
    "time-travel": gettext_lazy("Time travel"),
    "unlocking": gettext_lazy("Unlocking"),
    "unstashing": gettext_lazy("Unstashing"),
    "vice-targets": gettext_lazy("Vice targets"),
    "ziggurat": gettext_lazy("The ziggurat"),
}

BOOKS: Mapping[str, Promise] = {
    "animus": gettext_lazy("Animus"),
    "damned": gettext_lazy("Damned"),
    "dreamers": gettext_lazy("Dreamers"),
    "serpents": gettext_lazy("Serpents"),
    "all": gettext_lazy("Every book"),
    "keyforge": gettext_lazy("KeyForge"),
}
"""What rules at hand belong to, in a word, in the order of their page."""

COMPONENTS: Mapping[str, Promise] = {
    "awakened-fragment": ngettext_lazy(
        "%(number)d awakened fragment", "%(number)d awakened fragments", "number"
    ),
    "base-gift": ngettext_lazy(
        "%(number)d Base gift", "%(number)d Base gifts", "number"
    ),
    "body-gift": ngettext_lazy(
        "%(number)d Body gift", "%(number)d Body gifts", "number"
    ),
    "mind-gift": ngettext_lazy(
        "%(number)d Mind gift", "%(number)d Mind gifts", "number"
    ),
    "mission-and-fragment": ngettext_lazy(
        "%(number)d mission or fragment", "%(number)d missions and fragments", "number"
    ),
    "mutation": ngettext_lazy("%(number)d mutation", "%(number)d mutations", "number"),
    "nexus": ngettext_lazy("%(number)d nexus", "%(number)d nexuses", "number"),
    "omen": ngettext_lazy("%(number)d omen", "%(number)d omens", "number"),
    "rage-gift": ngettext_lazy(
        "%(number)d Rage gift", "%(number)d Rage gifts", "number"
    ),
    "saint": ngettext_lazy("%(number)d saint", "%(number)d saints", "number"),
    "saint-pawn": ngettext_lazy(
        "%(number)d saint pawn", "%(number)d saint pawns", "number"
    ),
    "soul-gift": ngettext_lazy(
        "%(number)d Soul gift", "%(number)d Soul gifts", "number"
    ),
    "storybook": ngettext_lazy(
        "%(number)d storybook", "%(number)d storybooks", "number"
    ),
    "structure": ngettext_lazy(
        "%(number)d structure", "%(number)d structures", "number"
    ),
    "threat": ngettext_lazy("%(number)d threat", "%(number)d threats", "number"),
    "true-threat": ngettext_lazy(
        "%(number)d true threat", "%(number)d true threats", "number"
    ),
}

_SECRETS: Mapping[str, Promise] = {RAVENS_SECRET: gettext_lazy("the ravens’ secret")}


@dataclass(frozen=True)
class NeedLine:
    """A line under "What it needs": the need, and how it is met or what is missing."""

    met: bool
    title: str
    detail: str


@dataclass(frozen=True)
class CueLine:
    """A reminder in the language of the page. ``who`` and ``trigger`` may be empty."""

    trigger: str
    who: str
    what: str
    when: str


def text(words: Words) -> str:
    """The text in the language of the page, else in English; "" where there is none."""
    language = get_language() or FALLBACK
    for code in (language, language.partition("-")[0], FALLBACK):
        if words.get(code):
            return words[code]
    return ""


def component(kind: str, number: int) -> str:
    """A kind of component with its number, such as "9 Mind gifts".

    Raises KeyError for a kind that ``COMPONENTS`` does not name.
    """
    return str(COMPONENTS[kind] % {"number": number})


def topic(name: str) -> str:
    """What a topic of reminders and rules is called."""
    return str(TOPICS.get(name) or name.replace("-", " ").capitalize())


def rule_label(value: Rule) -> str:
    """The topic of a rule at hand, and whether the rulebook puts it as a question."""
    if not value.question:
        return topic(value.topic)
    return _("%(topic)s, quandary") % {"topic": topic(value.topic)}


def secret(name: str) -> str:
    """What a secret is called inside a sentence. Raises KeyError for an unknown one."""
    return str(_SECRETS[name])


def standing_word(standing: Standing) -> str:
    """The one word of a mission's state; a completed one says how it ended."""
    if standing.state is State.DONE and standing.best is not None:
        return str(OUTCOMES[standing.best])
    return str(STATES[standing.state])


def attempts(standing: Standing) -> str:
    """How often a mission was tried, and how that ended."""
    if not standing.tries:
        return _("Never attempted")
    counted = ngettext("%(number)d attempt", "%(number)d attempts", standing.tries)
    return _("%(attempts)s: %(results)s") % {
        "attempts": counted % {"number": standing.tries},
        "results": _counts(standing.attempts),
    }


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


def cue(value: Cue) -> CueLine:
    """A reminder: on what trigger, who, does what."""
    return CueLine(
        trigger=text(value.trigger),
        who=text(value.who),
        what=text(value.what),
        when=", ".join(filter(None, (when(value.when), _stashed(value.ordeal)))),
    )


def _stashed(ordeal: str) -> str:
    return _("with %(ordeal)s stashed") % {"ordeal": ordeal} if ordeal else ""


def consequence(value: Consequence) -> str:
    """What a result brings, in one sentence."""
    return text(value.words)


def need(value: Need) -> NeedLine:
    """The line of a need: what it is, and how it is met or what exactly is missing."""
    match value:
        case MissionNeed(kind=NeedKind.WON):
            title = _("A win at %(mission)s") % {"mission": _title(value.mission)}
            detail = _mission_detail(value)
        case MissionNeed():
            title = _("%(mission)s complete") % {"mission": _title(value.mission)}
            detail = _mission_detail(value)
        case IrlTonightNeed():
            title = _("One In Real Life mission complete tonight")
            detail = _irl_detail(value)
        case SecretNeed():
            title = _capital(secret(value.name))
            detail = (
                _("the choir knows it")
                if value.met
                else _("tick it when the story has told it")
            )
        case NovemNeed():
            title = _("A novem contract for %(saint)s") % {"saint": value.saint}
            detail = (
                _all_of(value.contracts)
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
        parts.append(_("a win at %(missions)s") % {"missions": _all_of(_titles(wins))})
    parts.extend(
        _incomplete([n.mission for n in unmet if n.kind is NeedKind.COMPLETED])
    )
    saints = [value.saint for value in unmet if isinstance(value, NovemNeed)]
    if saints:
        parts.append(_("a novem contract for %(saints)s") % {"saints": _all_of(saints)})
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
                names = _any_of(_titles(n.mission for n in candidates))
                parts.append(_("a win at %(missions)s") % {"missions": names})
            case _:
                pass
    return _all_of(parts)


def lock(values: Iterable[Need]) -> str:
    """Why a mission is locked, for a list: "Needs a win at Market Forces"."""
    what = missing(values)
    return _("Needs %(what)s") % {"what": what} if what else ""


def plan_step(value: PlanStep) -> str:
    """One step towards a locked mission, as a sentence."""
    return _("%(step)s.") % {"step": _capital(_steps([value]))}


def plan(value: Plan) -> str:
    """The way to a locked mission: "Win Red Flowers, then Serpent of Blood."""
    if not value.steps:
        return _("Nothing is missing.")
    runs = [_steps(list(run)) for _kind, run in groupby(value.steps, key=_run_of)]
    return _("%(steps)s.") % {"steps": _capital(_in_turn(runs))}


def _run_of(value: PlanStep) -> tuple[type, bool]:
    return type(value), isinstance(value, CompleteStep) and len(value.one_of) > 1


def _steps(run: Sequence[PlanStep]) -> str:
    """Steps of one kind in one clause."""
    match run[0]:
        case WinStep():
            titles = _in_turn(_titles(taken.mission for taken in run))
            return _("win %(missions)s") % {"missions": titles}
        case CompleteStep(tonight=True):
            titles = _all_of([_any_of(_titles(taken.one_of)) for taken in run])
            return _("play %(missions)s to the end tonight") % {"missions": titles}
        case CompleteStep():
            titles = _all_of([_any_of(_titles(taken.one_of)) for taken in run])
            return _("play %(missions)s to the end") % {"missions": titles}
        case LearnSecret():
            return _("learn %(secret)s") % {
                "secret": _all_of([secret(taken.name) for taken in run])
            }
        case SlotContract():
            saints = _all_of([taken.saint for taken in run])
            return _("slot a novem contract for %(saints)s") % {"saints": saints}
        case SaintsPresent():
            return _("bring saints who hold novem contracts to the table")


def _mission_detail(value: MissionNeed) -> str:
    if value.met_by is not None:
        return _play(value.met_by)
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
            "results": _counts(counts),
        }
    result = {"number": tries, "result": _OUTCOMES_INSIDE[outcomes.pop()]}
    if tries == 1:
        return _("attempted once, %(result)s") % result
    if tries == 2:
        return _("attempted twice, %(result)s both times") % result
    return _("attempted %(number)d times, %(result)s each time") % result


def _play(value: Play) -> str:
    """How and when an attempt ended: "won on night 9"."""
    outcome = {"outcome": _OUTCOMES_INSIDE[value.outcome], "night": value.night}
    if value.tonight:
        return _("%(outcome)s tonight") % outcome
    if value.night is None:
        return _("%(outcome)s before the first night kept here") % outcome
    return _("%(outcome)s on night %(night)d") % outcome


def _irl_detail(value: IrlTonightNeed) -> str:
    if value.met:
        play = value.completed[0]
        return _("%(mission)s, %(play)s") % {
            "mission": _title(play.mission),
            "play": _play(play),
        }
    if value.in_play:
        return _("%(mission)s is in play and counts once it ends") % {
            "mission": _title(value.in_play)
        }
    return _("%(missions)s will do, won or not") % {
        "missions": _any_of(_titles(value.missions))
    }


def _ring_detail(value: OneOfRingNeed) -> str:
    if not value.met:
        return _("none of them is won yet")
    return _all_of(
        [
            _("%(mission)s, %(play)s")
            % {"mission": _title(won.mission), "play": _play(won.met_by)}
            for won in value.won
            if won.met_by is not None
        ]
    )


def _neighbour_detail(value: NeighbourNeed) -> str:
    if value.pair:
        return _("%(missions)s stand side by side") % {
            "missions": _all_of(_titles(value.pair))
        }
    if not value.candidates:
        return _("win one first, then one beside it")
    parts = [_candidate(candidate) for candidate in value.candidates]
    won = [station.mission for station in value.ring if station.met]
    if len(won) > 1:
        parts.append(
            _("%(missions)s lie across from each other and open nothing together")
            % {"missions": _all_of(_titles(won))}
        )
    for station in value.across:
        parts.append(
            _("%(mission)s lies across and does not help")
            % {"mission": _title(station.mission)}
        )
    return _("; ").join(parts)


def _candidate(value: MissionNeed) -> str:
    name = {"mission": _title(value.mission)}
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
        return [_("%(missions)s complete") % {"missions": _all_of(_titles(slugs))}]
    more = ngettext(
        "%(number)d more mission complete",
        "%(number)d more missions complete",
        len(slugs),
    )
    return [more % {"number": len(slugs)}]


def _counts(counts: Mapping[Outcome, int]) -> str:
    """ "1 won, 2 lost", without the outcomes that never happened."""
    return ", ".join(
        _("%(number)d %(outcome)s")
        % {"number": number, "outcome": _OUTCOMES_INSIDE[outcome]}
        for outcome, number in counts.items()
        if number
    )


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


def _title(slug: str) -> str:
    return mission(slug).title


def _titles(slugs: Iterable[str]) -> list[str]:
    return [_title(slug) for slug in slugs]


def _all_of(parts: Sequence[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return _("%(first)s and %(last)s") % {
        "first": ", ".join(parts[:-1]),
        "last": parts[-1],
    }


def _any_of(parts: Sequence[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return _("%(first)s or %(last)s") % {
        "first": ", ".join(parts[:-1]),
        "last": parts[-1],
    }


def _in_turn(parts: Sequence[str]) -> str:
    return _(", then ").join(parts)


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
