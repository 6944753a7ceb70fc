"""Random writes to every tracked table, and a plain picture of what they leave."""

from __future__ import annotations

import unicodedata
import uuid
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.db import models
from hypothesis import strategies as st

from campaign.models import (
    TRACKED,
    ArchonDeck,
    ArchonGame,
    ArchonMatch,
    Attempt,
    AttemptSaint,
    Card,
    ChainBid,
    Choir,
    DeckSize,
    DiscardPile,
    Flag,
    GameNight,
    GameSide,
    KeyforgeRules,
    Player,
    Presence,
    Saint,
    TallyMark,
    ZigguratDie,
)

WRITABLE = tuple(model for model in TRACKED if model is not Choir)


AWKWARD = (
    "null",
    "true",
    "0",
    "-0.0",
    "1e5",
    '{"id": 1}',
    "Ünï",
    "'; --",
    "\\u0041",
    "%s",
)
letters = st.characters(exclude_categories=("Cc", "Cf", "Co", "Cs", "Cn"))
names = st.one_of(
    st.sampled_from(AWKWARD),
    st.text(letters, min_size=1, max_size=8).map(
        lambda text: unicodedata.normalize("NFC", f"S{text}")
    ),
)
notes = st.one_of(
    st.sampled_from(("", "null", "[]", '"quoted"', "two\nlines\tand a tab", "🕯️ ŵ")),
    st.text(letters, max_size=12),
)
virtues = st.integers(1, 6)
maybe_dice = st.none() | virtues
chains = st.integers(0, 24)
moments = st.integers(0, 3_000_000_000_000_000).map(
    lambda micros: datetime(1990, 1, 1, tzinfo=UTC) + timedelta(microseconds=micros)
)
dates = st.dates(date(1990, 1, 1), date(2090, 1, 1))


def values(model: type[models.Model]) -> st.SearchStrategy[dict[str, Any]]:
    """Plain column values of a row, without its references."""
    archived = st.none() | moments
    match model:
        case _ if model is Player:
            return st.fixed_dictionaries({"name": names, "archived_at": archived})
        case _ if model is Saint:
            return st.fixed_dictionaries(
                {
                    "name": names,
                    "seat": maybe_dice,
                    "mind": virtues,
                    "rage": virtues,
                    "status": st.sampled_from(Saint.Status.values),
                    "note": notes,
                    "archived_at": archived,
                }
            )
        case _ if model is GameNight:
            return st.fixed_dictionaries(
                {
                    "date": dates,
                    "opened_at": st.none() | moments,
                    "is_open": st.booleans(),
                    "entered_at": moments,
                    "note": notes,
                }
            )
        case _ if model is Attempt:
            return st.fixed_dictionaries(
                {
                    "mission": names,
                    "state": st.sampled_from(Attempt.State.values),
                    "soul_die": maybe_dice,
                    "entered_at": moments,
                    "note": notes,
                }
            ).map(_with_outcome)
        case _ if model is TallyMark:
            return st.fixed_dictionaries(
                {
                    "side": st.sampled_from(Attempt.Allegiance.values),
                    "marked_at": moments,
                }
            )
        case _ if model is Card:
            return st.fixed_dictionaries(
                {
                    "name": names,
                    "kind": st.sampled_from(Card.Kind.values),
                    "copies": st.integers(1, 99),
                    "mission": st.sampled_from(("", "the-lighthouse", "null")),
                    "archived_at": archived,
                }
            )
        case _ if model is Flag:
            return st.fixed_dictionaries(
                {
                    "slug": st.sampled_from(Flag.Slug.values),
                    "is_set": st.booleans(),
                }
            )
        case _ if model is DeckSize:
            return st.fixed_dictionaries(
                {
                    "kind": st.sampled_from(DeckSize.Kind.values),
                    "cards": st.integers(0, 60),
                }
            )
        case _ if model is DiscardPile:
            return st.fixed_dictionaries({"nexus": names, "cards": st.integers(0, 99)})
        case _ if model is ZigguratDie:
            return st.fixed_dictionaries(
                {
                    "layer": st.just(0),
                    "index": st.integers(0, 8),
                    "virtue": st.sampled_from(ZigguratDie.Virtue.values),
                    "value": virtues,
                }
            )
        case _ if model is KeyforgeRules:
            return st.fixed_dictionaries(
                {
                    "opening": st.sampled_from(KeyforgeRules.Opening.values),
                    "organised": st.booleans(),
                    "wins_0_of_3": st.integers(-24, 24),
                }
            )
        case _ if model is ArchonDeck:
            return st.fixed_dictionaries(
                {
                    "name": names,
                    "owner_name": st.just(""),
                    "standing": chains,
                    "note": notes,
                    "archived_at": archived,
                }
            )
        case _ if model is ArchonMatch:
            return st.fixed_dictionaries(
                {
                    "state": st.sampled_from(("playing", "bidding")),
                    "started_at": moments,
                }
            )
        case _ if model is ArchonGame:
            return st.fixed_dictionaries(
                {"format": st.just("other"), "started_at": moments}
            )
        case _ if model is GameSide:
            return st.fixed_dictionaries(
                {
                    "side": st.integers(0, 1),
                    "tracker": chains,
                    "bid": st.none() | chains,
                    "opening_cards": st.none() | st.integers(0, 7),
                }
            )
        case _ if model is ChainBid:
            return st.fixed_dictionaries(
                {
                    "number": st.integers(1, 3),
                    "side": st.integers(0, 1),
                    "chains": chains,
                }
            )
    return st.just({})


def _with_outcome(row: dict[str, Any]) -> dict[str, Any]:
    ended = row["state"] == Attempt.State.ENDED
    return row | {"outcome": Attempt.Outcome.LOST if ended else ""}


def references(
    model: type[models.Model], pick: Callable[[type[models.Model]], Any]
) -> dict[str, Any] | None:
    """References of a row, each to a row that ``pick`` chooses; None without one."""
    wanted: dict[type[models.Model], dict[str, type[models.Model]]] = {
        Saint: {"player_id": Player},
        Presence: {"night_id": GameNight, "saint_id": Saint},
        Attempt: {"started_in_id": GameNight, "ended_in_id": GameNight},
        AttemptSaint: {"attempt_id": Attempt, "saint_id": Saint},
        TallyMark: {"attempt_id": Attempt},
        DiscardPile: {"attempt_id": Attempt},
        ZigguratDie: {"attempt_id": Attempt},
        Card: {"saint_id": Saint},
        ArchonDeck: {"owner_id": Player},
        ArchonGame: {"started_in_id": GameNight},
        GameSide: {
            "game_id": ArchonGame,
            "deck_id": ArchonDeck,
            "player_id": Player,
        },
        ChainBid: {"match_id": ArchonMatch},
    }
    found = {name: pick(target) for name, target in wanted.get(model, {}).items()}
    if (
        model in {Presence, AttemptSaint, DiscardPile, ZigguratDie, GameSide, ChainBid}
        and None in found.values()
    ):
        return None
    if model is Card:
        place = Card.Place.HALO if found["saint_id"] else Card.Place.STASH
        return found | {"place": place}
    return found


def in_slot(row: dict[str, Any], slot: int) -> dict[str, Any]:
    """A card's slot, as its place wants it."""
    if "place" not in row:
        return row
    return row | {"slot": slot if row["place"] == Card.Place.HALO else None}


def plainly(value: Any) -> Any:
    """A column's value as the picture keeps it; written apart from the code's own."""
    match value:
        case uuid.UUID():
            return str(value).replace("-", "")
        case datetime():
            shifted = value.astimezone(UTC)
            return shifted.strftime("%Y-%m-%dT%H:%M:%S.%f+00:00")
        case date():
            return f"{value:%Y-%m-%d}" if value.year > 999 else str(value)
        case models.TextChoices():
            return value.value
    return value


def picture(choir_id: uuid.UUID) -> dict[tuple[str, str], dict[str, Any]]:
    """Every row of a choir, read one by one through the models."""
    seen = {}
    for model in TRACKED:
        mine = {"id": choir_id} if model is Choir else {"choir_id": choir_id}
        for row in model.objects.filter(**mine):
            columns = {
                f.attname: plainly(getattr(row, f.attname))
                for f in model._meta.concrete_fields
                if f.name != "revision"
            }
            seen[model._meta.db_table, plainly(row.pk)] = columns
    return seen


def beginning(
    choir: Choir, new_id: Callable[[], uuid.UUID] = uuid.uuid4
) -> list[Callable[[], Any]]:
    """Writes that give a choir a row or two in every tracked table."""
    at = datetime(2026, 10, 31, 20, 15, tzinfo=UTC)

    def mine() -> dict[str, Any]:
        return {"id": new_id(), "choir": choir}

    player = Player(name="Ann", **mine())
    saints = [
        Saint(name=name, seat=seat, player=player, **mine())
        for seat, name in enumerate(("Ophelia", "Prosper", "Quentin"), start=1)
    ]
    night = GameNight(date=at.date(), entered_at=at, **mine())
    attempt = Attempt(mission="red-flowers", started_in=night, entered_at=at, **mine())
    cards = [
        Card(name="Hush", kind="omen", place="stash", **mine()),
        Card(name="A Fragment", kind="fragment", place="halo", slot=1, **mine()),
    ]
    cards[1].saint = saints[0]
    decks = [
        ArchonDeck(name=name, owner=player, standing=standing, **mine())
        for standing, name in enumerate(("Dr. Vex", "Gnash"), start=3)
    ]
    match = ArchonMatch(state="bidding", started_at=at, **mine())
    game = ArchonGame(format="adaptive", match=match, number=1, started_at=at, **mine())
    rows = [
        *(player, *saints, night, attempt, *cards),
        *(Presence(night=night, saint=saint, **mine()) for saint in saints),
        AttemptSaint(attempt=attempt, saint=saints[0], **mine()),
        TallyMark(side="appease", attempt=attempt, marked_at=at, **mine()),
        DiscardPile(attempt=attempt, nexus="Chapel", cards=3, **mine()),
        ZigguratDie(
            attempt=attempt, layer=0, index=4, virtue="soul", value=2, **mine()
        ),
        Flag(slug=Flag.Slug.THE_SHELL, **mine()),
        DeckSize(kind=DeckSize.Kind.MIND, cards=4, **mine()),
        KeyforgeRules(**mine()),
        *decks,
        match,
        game,
        *(
            GameSide(game=game, side=side, deck=deck, tracker=deck.standing, **mine())
            for side, deck in enumerate(decks)
        ),
        ChainBid(match=match, number=1, side=0, chains=0, **mine()),
    ]
    return [row.save for row in rows]
