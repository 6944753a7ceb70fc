"""What a mission needs, a table for each kind."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from missions.seedfile.fields import Seed, Text, Texts
from rules import book


class CompletedSeed(Seed):
    kind: Literal["completed"]
    missions: Texts

    def built(self) -> book.Completed:
        return book.Completed(missions=tuple(self.missions))


class WonSeed(Seed):
    kind: Literal["won"]
    missions: Texts

    def built(self) -> book.Won:
        return book.Won(missions=tuple(self.missions))


class IrlTonightSeed(Seed):
    kind: Literal["irl-tonight"]

    def built(self) -> book.IrlTonight:
        return book.IrlTonight()


class SecretSeed(Seed):
    kind: Literal["secret"]
    name: Text

    def built(self) -> book.Secret:
        return book.Secret(name=self.name)


class NovemEachSaintSeed(Seed):
    kind: Literal["novem-each-saint"]

    def built(self) -> book.NovemEachSaint:
        return book.NovemEachSaint()


class AdjacentWinsSeed(Seed):
    kind: Literal["adjacent-wins"]
    ring: Annotated[list[Text], Field(min_length=3)]

    def built(self) -> book.AdjacentWins:
        return book.AdjacentWins(ring=tuple(self.ring))


RequirementSeed = Annotated[
    CompletedSeed
    | WonSeed
    | IrlTonightSeed
    | SecretSeed
    | NovemEachSaintSeed
    | AdjacentWinsSeed,
    Field(discriminator="kind"),
]
