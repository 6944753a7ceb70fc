"""What the tables of all files share: kinds of fields, amounts, conditions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from rules import book

Text = Annotated[str, Field(min_length=1)]
Texts = Annotated[list[Text], Field(min_length=1)]
Count = Annotated[int, Field(ge=0)]
Act = Annotated[int, Field(ge=1, le=3)]
Lines = list[int]
Words = dict[str, str]
AllegianceName = Literal["appease", "oppose"]


class Seed(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=False)


def _amount_table(value: object) -> object:
    """A plain number stands for a table with ``plus``."""
    if isinstance(value, bool) or not isinstance(value, int | dict):
        raise PydanticCustomError("amount", "a whole number or a table")
    return {"plus": value} if isinstance(value, int) else value


class AmountTable(Seed):
    plus: Count = 0
    per_saint: Count = 0
    per_nexus: Count = 0
    divide: Annotated[int, Field(ge=1)] = 1
    by_saints: Annotated[list[Count], Field(min_length=6, max_length=6)] | None = None

    def built(self) -> book.Amount:
        return book.Amount(
            plus=self.plus,
            per_saint=self.per_saint,
            per_nexus=self.per_nexus,
            divide=self.divide,
            by_saints=tuple(self.by_saints or ()),
        )


AmountSeed = Annotated[AmountTable, BeforeValidator(_amount_table)]


class ConditionalSeed(Seed):
    allegiance: AllegianceName | None = None
    act: Act | None = None

    def when(self) -> book.When:
        if self.allegiance is None and self.act is None:
            return book.ALWAYS
        allegiance = self.allegiance and book.Allegiance(self.allegiance)
        return book.When(allegiance=allegiance or None, act=self.act)


def all_built(seeds: Iterable[Any]) -> tuple[Any, ...]:
    """What each of the tables describes."""
    return tuple(seed.built() for seed in seeds)


def frozen(words: Mapping[str, str]) -> book.Words:
    """The texts by language, which nobody can change."""
    return MappingProxyType(dict(words))
