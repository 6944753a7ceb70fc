"""Conditions of tables answer yes or no, also where a column holds nothing.

To a database a condition that comes out as null is kept.
"""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, models

from campaign import journal
from campaign.errors import Refused
from campaign.models import ArchonGame, ArchonMatch, Card, GameSide
from tests.campaign.factories import add_deck, add_saint, start_game
from tests.campaign.people import ask_for

CHECKS = [
    (model, constraint)
    for model in apps.get_app_config("campaign").get_models()
    for constraint in model._meta.constraints
    if isinstance(constraint, models.CheckConstraint)
]
NUMBERS = (0, 1, 3, 30)
MOMENT = "2026-10-31 20:15:00+00:00"
MOST_ROWS = 3000


def leaves(condition: models.Q) -> Iterator[tuple[str, Any]]:
    for child in condition.children:
        if isinstance(child, models.Q):
            yield from leaves(child)
        else:
            yield child


def values_of(field: models.Field, *, few: bool) -> list[Any]:
    """What may stand in a column: nothing, where it may, and a few of all others."""
    target = field.target_field if field.is_relation else field
    if field.choices:
        values = [value for value, _label in field.flatchoices]
        values += [""] if field.blank and isinstance(target, models.CharField) else []
    else:
        match target:
            case models.BooleanField():
                values = [True, False]
            case models.IntegerField():
                values = list(NUMBERS[:2] if few else NUMBERS)
            case models.DateTimeField():
                values = [MOMENT]
            case models.UUIDField():
                values = [str(uuid.UUID(int=1))]
            case _:
                values = ["", "something"]
    return [*values, None] if field.null else values


def answers(
    model: type[models.Model], constraint: models.CheckConstraint
) -> list[tuple[Any, ...]]:
    """What the database itself makes of each row of such values.

    Each answer is whether the condition is null, then the row.
    """
    names = sorted(
        {name.partition("__")[0] for name, _v in leaves(constraint.condition)}
    )
    fields = [model._meta.get_field(name) for name in names]
    few = len(fields) > 4
    rows = list(itertools.product(*(values_of(field, few=few) for field in fields)))
    assert 1 < len(rows) < MOST_ROWS
    condition = constraint._get_check_sql(model, connection.schema_editor())
    casts = ", ".join(f"CAST(%s AS {field.db_type(connection)})" for field in fields)
    listed = ", ".join(f'"{field.column}"' for field in fields)
    found = []
    with connection.cursor() as cursor:
        for part in [rows[at : at + 50] for at in range(0, len(rows), 50)]:
            lines = " UNION ALL ".join([f"SELECT {casts}"] * len(part))
            cursor.execute(
                f"WITH given ({listed}) AS ({lines}) "
                f"SELECT ({condition.replace('%', '%%')}) IS NULL, {listed} FROM given",
                [value for row in part for value in row],
            )
            found += cursor.fetchall()
    assert len(found) == len(rows)
    return found


@pytest.mark.parametrize(
    ("model", "constraint"), CHECKS, ids=[each.name for _model, each in CHECKS]
)
def test_condition_answers_yes_or_no_whatever_the_row_lacks(db, model, constraint):
    assert [row for is_null, *row in answers(model, constraint) if is_null] == []


@pytest.mark.parametrize(
    ("model", "name", "condition"),
    [
        (
            Card,
            "card_slot_in_halo",
            models.Q(place="halo", slot__range=(1, 20))
            | (~models.Q(place="halo") & models.Q(slot=None)),
        ),
        (
            GameSide,
            "side_opening",
            models.Q(opening_cards=None, mulligan=False)
            | models.Q(opening_cards__range=(0, 7)),
        ),
    ],
)
def test_condition_that_answers_neither_is_found(db, model, name, condition):
    loose = models.CheckConstraint(condition=condition, name=name)
    assert any(is_null for is_null, *_row in answers(model, loose))


def write(choir, *writes):
    with journal.change(ask_for(choir), "test"):
        for each in writes:
            each()


def test_card_in_a_halo_without_a_slot_is_refused(choir):
    saint = add_saint(choir)
    card = Card(choir=choir, name="Hush", kind="gift", place="halo", saint=saint)
    with pytest.raises(Refused, match="has a slot, 1 to 20"):
        write(choir, card.save)


def test_game_of_a_match_without_a_number_is_refused(choir):
    match = ArchonMatch(choir=choir, started_at=MOMENT)
    game = ArchonGame(choir=choir, match=match, format="adaptive", started_at=MOMENT)
    with pytest.raises(Refused, match="has a number, 1 to 3"):
        write(choir, match.save, game.save)


def test_mulligan_without_a_hand_is_refused(choir):
    game = start_game(choir, add_deck(choir), add_deck(choir, "Chota Hazri"))
    sides = game.sides.filter(side=0)
    with pytest.raises(Refused, match="0 to 7 cards"):
        write(choir, lambda: sides.update(mulligan=True))
