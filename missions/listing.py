"""The books as plain lists and dictionaries, ready for JSON.

``docs/seeds.md`` describes the keys. Numbers that depend on the saints are written out
as an object from "1" to "6".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from missions.catalogue import Library
from rules.book import (
    SAINTS,
    Amount,
    Chapter,
    Consequence,
    Cue,
    Foe,
    Mission,
    Nexus,
    Requirement,
    Rule,
    SinCity,
    Step,
    Structure,
    When,
)
from rules.setup import nexus_count

Listing = dict[str, Any]


def library_listing(library: Library) -> Listing:
    """The whole content: ``chapters``, ``missions``, ``supplement`` and ``rules``."""
    return {
        "chapters": [_chapter(chapter) for chapter in library.chapters],
        "missions": [_mission(mission) for mission in library.missions],
        "supplement": {
            "components": dict(library.supplement.components),
            "lines": list(library.supplement.source),
        },
        "rules": [_rule(library, rule) for rule in library.rules],
    }


def _rule(library: Library, rule: Rule) -> Listing:
    return {
        "id": rule.id,
        "book": rule.book,
        "topic": rule.topic,
        "question": rule.question,
        "title": dict(rule.title),
        "text": dict(rule.text),
        "points": [dict(point) for point in rule.points],
        "uses": [found.slug for found in library.missions if rule.used_by(found)],
        "see": list(rule.see),
        "sections": list(rule.sections),
        "lines": list(rule.source),
    }


def _chapter(chapter: Chapter) -> Listing:
    return {
        "slug": chapter.slug,
        "title": chapter.title,
        "border": chapter.border,
        "unstash": chapter.unstash,
        "components": dict(chapter.components),
        "total": chapter.total,
        "summary": dict(chapter.summary),
        "missions": [mission.slug for mission in chapter.missions],
        "cues": [_cue(cue) | {"topic": cue.topic} for cue in chapter.cues],
        "consequences": [_consequence(entry) for entry in chapter.consequences],
        "sin_city": chapter.sin_city and _sin_city(chapter.sin_city),
        "lines": list(chapter.source),
    }


def _mission(mission: Mission) -> Listing:
    return {
        "slug": mission.slug,
        "title": mission.title,
        "chapter": mission.chapter,
        "group": mission.group.value,
        "requires": [_requirement(entry) for entry in mission.requires],
        "structures": [_structure(entry) for entry in mission.structures],
        "nexuses": [_nexus(mission, nexus) for nexus in mission.nexuses],
        "nexus_count": _by_saints(lambda saints: nexus_count(mission, saints)),
        "region": mission.region
        and {
            "count": _by_saints(mission.region.count.of),
            "ordered": mission.region.ordered,
        },
        "masters": [_foe(foe) for foe in mission.masters],
        "minions": {
            letter: [_foe(foe) for foe in foes]
            for letter, foes in mission.minions.items()
        },
        "ordeal": mission.ordeal or None,
        "novem_contract": mission.novem_contract or None,
        "novem": mission.novem or None,
        "allegiance": mission.allegiance or None,
        "roll": mission.roll,
        "time_travel": mission.time_travel,
        "setup": [_step(mission, step) for step in mission.setup],
        "cues": [
            _cue(cue) | {"count": cue.count and _amount(mission, cue.count)}
            for cue in mission.cues
        ],
        "consequences": [_consequence(entry) for entry in mission.consequences],
        "place": asdict(mission.place) | {"title": list(mission.place.title)},
        "lines": {
            "title": list(mission.source),
            "requires": list(mission.requires_source),
            "nexuses": list(mission.nexus_source),
            "foes": list(mission.foe_source),
        },
    }


def _requirement(requirement: Requirement) -> Listing:
    return {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in asdict(requirement).items()
    }


def _structure(structure: Structure) -> Listing:
    return {
        "cards": list(structure.cards),
        "target": structure.target,
        "goal": structure.goal,
        "when": _when(structure.when),
        "lines": list(structure.source),
    }


def _nexus(mission: Mission, nexus: Nexus) -> Listing:
    return {
        "name": nexus.name,
        "location": nexus.location,
        "min_saints": nexus.min_saints,
        "act": nexus.act,
        "copies": _amount(mission, nexus.copies),
    }


def _foe(foe: Foe) -> Listing:
    return {
        "name": foe.name or None,
        "archetypes": list(foe.archetypes),
        "source": foe.source,
        "kind": foe.kind,
        "act": foe.act,
    }


def _step(mission: Mission, step: Step) -> Listing:
    return {
        "kind": step.kind.value,
        "cards": step.cards,
        "into": step.into or None,
        "count": step.count and _amount(mission, step.count),
        "words": dict(step.words),
        "when": _when(step.when),
        "lines": list(step.source),
    }


def _cue(cue: Cue) -> Listing:
    return {
        "kind": cue.kind.value,
        "trigger": dict(cue.trigger),
        "who": dict(cue.who),
        "what": dict(cue.what),
        "ordeal": cue.ordeal or None,
        "when": _when(cue.when),
        "lines": list(cue.source),
    }


def _consequence(consequence: Consequence) -> Listing:
    return {
        "kind": consequence.kind.value,
        "on": consequence.on.value,
        "card": consequence.card or None,
        "words": dict(consequence.words),
        "when": _when(consequence.when),
        "lines": list(consequence.source),
    }


def _sin_city(sin_city: SinCity) -> Listing:
    return {
        "sins": [_row(asdict(sin)) for sin in sin_city.sins],
        "regions": [_row(asdict(region)) for region in sin_city.regions],
        "clock": [_row(asdict(rule)) for rule in sin_city.clock],
    }


def _row(values: Mapping[str, Any]) -> Listing:
    listed = {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in values.items()
    }
    return listed | {"lines": listed.pop("source")}


def _when(when: When) -> Listing | None:
    found: Listing = {}
    if when.act is not None:
        found["act"] = when.act
    if when.allegiance is not None:
        found["allegiance"] = when.allegiance.value
    return found or None


def _amount(mission: Mission, amount: Amount) -> dict[str, int]:
    return _by_saints(lambda saints: amount.of(saints, nexus_count(mission, saints)))


def _by_saints(number: Callable[[int], int]) -> dict[str, int]:
    return {str(saints): number(saints) for saints in SAINTS}
