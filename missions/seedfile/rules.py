"""The rules that are looked up at the table."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from missions.seedfile.fields import Lines, Seed, Text, Words, all_built, frozen
from missions.seedfile.names import BOOKS
from rules import book


class RuleSeed(Seed):
    id: Text
    book: Literal[(*BOOKS, "all", "keyforge")]
    topic: Text
    question: bool = False
    title: Words
    text: Words
    points: list[Words] = []
    every: bool = False
    groups: list[Literal[tuple(group.value for group in book.Group)]] = []
    missions: list[Text] = []
    see: list[Text] = []
    source: Lines = []
    sections: list[Text] = []

    def built(self) -> book.Rule:
        return book.Rule(
            id=self.id,
            book=self.book,
            topic=self.topic,
            question=self.question,
            title=frozen(self.title),
            text=frozen(self.text),
            points=tuple(frozen(point) for point in self.points),
            every=self.every,
            groups=tuple(book.Group(group) for group in self.groups),
            missions=tuple(self.missions),
            see=tuple(self.see),
            source=tuple(self.source),
            sections=tuple(self.sections),
        )


class RulesSeed(Seed):
    rules: Annotated[list[RuleSeed], Field(min_length=1)]

    def built(self) -> tuple[book.Rule, ...]:
        return all_built(self.rules)
