"""A book, and what the box adds to the base set."""

from __future__ import annotations

from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import Field

from missions.seedfile.fields import (
    Count,
    Lines,
    Seed,
    Text,
    Texts,
    Words,
    all_built,
    frozen,
)
from missions.seedfile.mission import ConsequenceSeed, CueSeed, MissionSeed
from missions.seedfile.names import BOOKS
from rules import book


class ChapterCueSeed(CueSeed):
    topic: Text


class SinSeed(Seed):
    face: int
    name: Text
    master: Text
    minion: Text
    source: Lines

    def built(self) -> book.Sin:
        return book.Sin(
            face=self.face,
            name=self.name,
            master=self.master,
            minion=self.minion,
            source=tuple(self.source),
        )


class RegionSeed(Seed):
    face: int
    part: Text
    name: Text
    nexuses: Texts
    source: Lines

    def built(self) -> book.Region:
        return book.Region(
            face=self.face,
            part=self.part,
            name=self.name,
            nexuses=tuple(self.nexuses),
            source=tuple(self.source),
        )


class ClockRuleSeed(Seed):
    totals: Annotated[list[Annotated[int, Field(ge=2, le=12)]], Field(min_length=1)]
    hope: Count
    doom: Count
    source: Lines

    def built(self) -> book.ClockRule:
        return book.ClockRule(
            totals=tuple(self.totals),
            hope=self.hope,
            doom=self.doom,
            source=tuple(self.source),
        )


class ChapterSeed(Seed):
    slug: Literal[BOOKS]
    title: Text
    border: Text
    unstash: Text
    total: Count
    summary: Words
    source: Lines
    components: dict[str, Count]
    cues: list[ChapterCueSeed] = []
    consequences: list[ConsequenceSeed] = []
    sins: list[SinSeed] = []
    regions: list[RegionSeed] = []
    clock: list[ClockRuleSeed] = []

    def sin_city(self) -> book.SinCity | None:
        if not (self.sins or self.regions or self.clock):
            return None
        return book.SinCity(
            sins=all_built(self.sins),
            regions=all_built(self.regions),
            clock=all_built(self.clock),
        )


class BookSeed(Seed):
    chapter: ChapterSeed
    missions: list[MissionSeed]

    def built(self) -> book.Chapter:
        chapter = self.chapter
        return book.Chapter(
            slug=chapter.slug,
            title=chapter.title,
            border=chapter.border,
            unstash=chapter.unstash,
            components=MappingProxyType(dict(chapter.components)),
            total=chapter.total,
            summary=frozen(chapter.summary),
            cues=all_built(chapter.cues),
            consequences=all_built(chapter.consequences),
            missions=tuple(mission.built(chapter.slug) for mission in self.missions),
            sin_city=chapter.sin_city(),
            source=tuple(chapter.source),
        )


class SupplementSeed(Seed):
    components: dict[str, Count]
    source: Lines

    def built(self) -> book.Supplement:
        return book.Supplement(
            components=MappingProxyType(dict(self.components)),
            source=tuple(self.source),
        )


class BaseSeed(Seed):
    supplement: SupplementSeed

    def built(self) -> book.Supplement:
        return self.supplement.built()
