"""A mission as its table stands in the file of a book."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from missions.seedfile.fields import (
    Act,
    AmountSeed,
    AmountTable,
    ConditionalSeed,
    Lines,
    Seed,
    Text,
    Texts,
    Words,
    all_built,
    frozen,
)
from missions.seedfile.requirements import RequirementSeed
from rules import book


def _numbers(value: object) -> object:
    """A text such as ``1-6`` stands for the numbers from 1 to 6."""
    if not isinstance(value, str):
        return value
    found = re.fullmatch(r"([1-9]\d?)-([1-9]\d?)", value)
    if found is None or int(found[1]) >= int(found[2]):
        raise PydanticCustomError(
            "range", "a list of numbers or a rising range such as 1-6"
        )
    return list(range(int(found[1]), int(found[2]) + 1))


class StructureSeed(ConditionalSeed):
    cards: Texts
    target: Text
    goal: Text
    source: Lines

    def built(self) -> book.Structure:
        return book.Structure(
            cards=tuple(self.cards),
            target=self.target,
            goal=self.goal,
            when=self.when(),
            source=tuple(self.source),
        )


class NexusSeed(Seed):
    name: Text
    location: Text
    min_saints: int = Field(alias="from")
    act: Act = 1
    copies: AmountSeed = AmountTable(plus=1)

    def built(self) -> book.Nexus:
        return book.Nexus(
            name=self.name,
            location=self.location,
            min_saints=self.min_saints,
            act=self.act,
            copies=self.copies.built(),
        )


class RegionDrawSeed(Seed):
    count: AmountSeed
    ordered: bool

    def built(self) -> book.RegionDraw:
        return book.RegionDraw(count=self.count.built(), ordered=self.ordered)


class FoeSeed(Seed):
    name: str = ""
    archetypes: Annotated[list[int], BeforeValidator(_numbers)] = []
    source: Literal["mission", "sin"] = "mission"
    kind: Literal["true threat", "omen"] = "true threat"
    act: Act | None = None

    def built(self) -> book.Foe:
        return book.Foe(
            name=self.name,
            archetypes=tuple(self.archetypes),
            source=self.source,
            kind=self.kind,
            act=self.act,
        )


class MinionsSeed(Seed):
    A: list[FoeSeed] = []
    B: list[FoeSeed] = []
    C: list[FoeSeed] = []

    def built(self) -> Mapping[str, tuple[book.Foe, ...]]:
        lists = {"A": self.A, "B": self.B, "C": self.C}
        return MappingProxyType(
            {letter: all_built(foes) for letter, foes in lists.items() if foes}
        )


class StepSeed(ConditionalSeed):
    kind: Literal[tuple(kind.value for kind in book.StepKind)]
    cards: Text
    into: str = ""
    count: AmountSeed | None = None
    words: Words
    source: Lines

    def built(self) -> book.Step:
        return book.Step(
            kind=book.StepKind(self.kind),
            cards=self.cards,
            into=self.into,
            count=self.count and self.count.built(),
            words=frozen(self.words),
            when=self.when(),
            source=tuple(self.source),
        )


class CueSeed(ConditionalSeed):
    kind: Literal[tuple(kind.value for kind in book.CueKind)]
    trigger: Words = {}
    who: Words = {}
    what: Words
    ordeal: str = ""
    source: Lines

    def built(self) -> book.Cue:
        return book.Cue(
            kind=book.CueKind(self.kind),
            trigger=frozen(self.trigger),
            who=frozen(self.who),
            what=frozen(self.what),
            when=self.when(),
            source=tuple(self.source),
            topic=getattr(self, "topic", ""),
            ordeal=self.ordeal,
        )


class MissionCueSeed(CueSeed):
    count: AmountSeed | None = None

    def built(self) -> book.Cue:
        return replace(super().built(), count=self.count and self.count.built())


class ConsequenceSeed(ConditionalSeed):
    on: Literal[tuple(on.value for on in book.On)]
    kind: Literal[tuple(kind.value for kind in book.ConsequenceKind)]
    card: str = ""
    words: Words
    source: Lines

    def built(self) -> book.Consequence:
        return book.Consequence(
            kind=book.ConsequenceKind(self.kind),
            on=book.On(self.on),
            card=self.card,
            words=frozen(self.words),
            when=self.when(),
            source=tuple(self.source),
        )


class PlaceSeed(Seed):
    x: int
    y: int
    width: int
    height: int
    title: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=16)]], Field(min_length=1)
    ]
    over: str = ""

    def built(self) -> book.Place:
        return book.Place(
            x=self.x,
            y=self.y,
            width=self.width,
            height=self.height,
            title=tuple(self.title),
            over=self.over,
        )


class MissionSeed(Seed):
    slug: Text
    title: Text
    group: Literal[tuple(group.value for group in book.Group)]
    source: Lines
    allegiance: Literal["chosen", "majority", ""] = ""
    roll: bool = False
    time_travel: bool = False
    ordeal: str = ""
    novem_contract: str = ""
    novem: str = ""
    requires: list[RequirementSeed] = []
    requires_source: Lines = []
    structures: Annotated[list[StructureSeed], Field(min_length=1)]
    nexuses: list[NexusSeed] = []
    nexus_source: Lines
    region: RegionDrawSeed | None = None
    nexus_count: AmountSeed | None = None
    masters: list[FoeSeed] = []
    minions: MinionsSeed = MinionsSeed()
    foe_source: Lines
    setup: list[StepSeed] = []
    cues: list[MissionCueSeed] = []
    consequences: list[ConsequenceSeed] = []
    place: PlaceSeed

    def built(self, chapter: str) -> book.Mission:
        return book.Mission(
            slug=self.slug,
            title=self.title,
            chapter=chapter,
            group=book.Group(self.group),
            requires=all_built(self.requires),
            requires_source=tuple(self.requires_source),
            structures=all_built(self.structures),
            nexuses=all_built(self.nexuses),
            region=self.region and self.region.built(),
            nexus_count=self.nexus_count and self.nexus_count.built(),
            nexus_source=tuple(self.nexus_source),
            setup=all_built(self.setup),
            masters=all_built(self.masters),
            minions=self.minions.built(),
            foe_source=tuple(self.foe_source),
            ordeal=self.ordeal,
            novem_contract=self.novem_contract,
            novem=self.novem,
            allegiance=self.allegiance,
            time_travel=self.time_travel,
            roll=self.roll,
            consequences=all_built(self.consequences),
            cues=all_built(self.cues),
            place=self.place.built(),
            source=tuple(self.source),
        )
