"""The one place where reasons, plans, numbers and foes become translated sentences.

Sentences about a choir are made from the objects of ``rules``; sentences of the books
stand in ``seeds/`` with a text for each language. Names of missions, nexuses and cards
stay as printed.
"""

from missions.wording.language import FALLBACK, text
from missions.wording.names import (
    ALLEGIANCES,
    BOOKS,
    COMPONENTS,
    GROUPS,
    ON,
    OUTCOMES,
    OUTCOMES_INSIDE,
    STATES,
    TOPICS,
    VIRTUES,
    component,
    rule_label,
    secret,
    topic,
)
from missions.wording.plans import plan, plan_step
from missions.wording.requirements import NeedLine, lock, missing, need, needs
from missions.wording.results import attempts, consequence, standing_word
from missions.wording.setup import (
    CueLine,
    amount,
    archetypes,
    clock,
    cue,
    foe,
    more_saints,
    nexus,
    step,
    together,
    when,
)

__all__ = [
    "ALLEGIANCES",
    "BOOKS",
    "COMPONENTS",
    "FALLBACK",
    "GROUPS",
    "ON",
    "OUTCOMES",
    "OUTCOMES_INSIDE",
    "STATES",
    "TOPICS",
    "VIRTUES",
    "CueLine",
    "NeedLine",
    "amount",
    "archetypes",
    "attempts",
    "clock",
    "component",
    "consequence",
    "cue",
    "foe",
    "lock",
    "missing",
    "more_saints",
    "need",
    "needs",
    "nexus",
    "plan",
    "plan_step",
    "rule_label",
    "secret",
    "standing_word",
    "step",
    "text",
    "together",
    "topic",
    "when",
]
