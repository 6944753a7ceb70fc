"""What outcomes, states, groups, topics and cards of each kind are called."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from rules.book import Allegiance, Group, On, Outcome, Rule, Virtue
from rules.record import RAVENS_SECRET
from rules.unlocks import State

OUTCOMES: Mapping[Outcome, Promise] = {
    Outcome.WON: gettext_lazy("Won"),
    Outcome.LOST: gettext_lazy("Lost"),
    Outcome.TIMED_OUT: gettext_lazy("Timed out"),
    Outcome.ABANDONED: gettext_lazy("Abandoned"),
}

OUTCOMES_INSIDE: Mapping[Outcome, Promise] = {
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

SECRETS: Mapping[str, Promise] = {RAVENS_SECRET: gettext_lazy("the ravens’ secret")}


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
    return str(SECRETS[name])
