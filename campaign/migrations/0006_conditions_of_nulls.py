from django.db import migrations, models

NUMBERS = (1, 2, 3)


def mend(apps, schema_editor):
    """Bring to order what the conditions let through where a column held nothing.

    Such rows came from the admin panel, an import, or round the door. What was done to
    them is told by an entry that is written once the triggers are there again: until
    then nothing can be journaled. After it nothing before can be undone in that choir.
    """
    from campaign.journal import MENDED

    MENDED.clear()
    for each in (_cards, _games, _sides):
        for choir_id, told in each(apps):
            MENDED.setdefault(choir_id, []).append(told)


def _cards(apps):
    """A card in a halo without a slot: the first free one, else the saint's deck."""
    card = apps.get_model("campaign", "Card")
    for row in (
        card.objects.filter(place="halo", slot=None)
        .select_related("choir", "saint")
        .order_by("name", "id")
    ):
        taken = set(
            card.objects.filter(
                saint=row.saint_id, place="halo", archived_at=None
            ).values_list("slot", flat=True)
        )
        slots = range(1, row.choir.halo_slots + 1)
        row.slot = next((slot for slot in slots if slot not in taken), None)
        told = {"what": "slot", "row": row.name, "saint": row.saint.name}
        if row.slot is None:
            row.place, row.is_contract = "deck", False
            told["what"] = "deck"
        else:
            told["slot"] = row.slot
        row.save(update_fields=["slot", "place", "is_contract"])
        yield row.choir_id, told


def _games(apps):
    """A game of a match without a number: the first free one, else no match."""
    game = apps.get_model("campaign", "ArchonGame")
    for row in game.objects.filter(
        format="adaptive", match__isnull=False, number=None
    ).order_by("started_at", "id"):
        taken = set(
            game.objects.filter(match=row.match_id).values_list("number", flat=True)
        )
        row.number = next((n for n in NUMBERS if n not in taken), None)
        told = {"what": "number", "row": row.started_at.date().isoformat()}
        if row.number is None:
            row.format, row.match_id = "other", None
            told["what"] = "match"
        else:
            told["number"] = row.number
        row.save(update_fields=["number", "format", "match"])
        yield row.choir_id, told


def _sides(apps):
    """A mulligan of a hand that was never drawn: there was none."""
    side = apps.get_model("campaign", "GameSide")
    for row in (
        side.objects.filter(opening_cards=None, mulligan=True)
        .select_related("deck")
        .order_by("id")
    ):
        row.mulligan = False
        row.save(update_fields=["mulligan"])
        yield row.choir_id, {"what": "mulligan", "row": row.deck.name}


class Migration(migrations.Migration):
    dependencies = [
        ("campaign", "0005_uploads"),
    ]

    operations = [
        migrations.RunPython(mend, migrations.RunPython.noop),
        migrations.RemoveConstraint(
            model_name="archongame",
            name="game_number_in_match",
        ),
        migrations.RemoveConstraint(
            model_name="card",
            name="card_slot_in_halo",
        ),
        migrations.RemoveConstraint(
            model_name="gameside",
            name="side_opening",
        ),
        migrations.AddConstraint(
            model_name="archongame",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("format", "adaptive"),
                        ("match__isnull", False),
                        ("number__isnull", False),
                        ("number__range", (1, 3)),
                    ),
                    models.Q(
                        models.Q(("format", "adaptive"), _negated=True),
                        ("match", None),
                        ("number", None),
                    ),
                    _connector="OR",
                ),
                name="game_number_in_match",
                violation_error_message="A game of an adaptive match, and no other, has a number, 1 to 3.",
            ),
        ),
        migrations.AddConstraint(
            model_name="card",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("place", "halo"),
                        ("slot__isnull", False),
                        ("slot__range", (1, 20)),
                    ),
                    models.Q(
                        models.Q(("place", "halo"), _negated=True), ("slot", None)
                    ),
                    _connector="OR",
                ),
                name="card_slot_in_halo",
                violation_error_message="A card in the halo has a slot, 1 to 20.",
            ),
        ),
        migrations.AddConstraint(
            model_name="gameside",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("mulligan", False), ("opening_cards", None)),
                    models.Q(
                        ("opening_cards__isnull", False),
                        ("opening_cards__range", (0, 7)),
                    ),
                    _connector="OR",
                ),
                name="side_opening",
                violation_error_message="An opening hand has 0 to 7 cards.",
            ),
        ),
    ]
