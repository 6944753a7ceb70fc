"""Founding a choir, its settings, and putting it away."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign.errors import OutOfStep, Refused
from campaign.journal import Change, action
from campaign.models import Card
from campaign.shared_box import check_box_free
from missions import catalogue


@action(gettext_lazy("founded the choir {choir}"), founds=True)
def choir_found(
    change: Change, *, name: str, time_zone: str, stashed: Mapping[str, int]
) -> None:
    """Found a choir.

    ``time_zone`` is a name of the IANA database. ``stashed`` counts, by the slug of a
    book, the copies of that book's omen that begin in the stash, 0 to 99.
    Source: docs/rules.md, Stash.
    """
    choir = change.choir
    choir.name = name
    choir.time_zone = time_zone
    choir.save(force_insert=True)
    Card.objects.bulk_create(
        Card(
            choir=choir,
            name=chapter.unstash,
            kind=Card.Kind.OMEN,
            chapter=chapter.slug,
            copies=stashed[chapter.slug],
            place=Card.Place.STASH,
        )
        for chapter in catalogue.chapters()
        if stashed.get(chapter.slug, 0)
    )
    change.say(choir=name)


@action(gettext_lazy("changed the settings of the choir"))
def choir_edit(
    change: Change,
    *,
    name: str,
    time_zone: str,
    halo_slots: int,
    clock_cards: int,
    virtue_dice: int | None = None,
    note: str = "",
) -> None:
    """Change a choir's name, time zone and its own numbers.

    ``halo_slots`` is 1 to 20, ``clock_cards`` 1 to 99, ``virtue_dice`` 1 to 40; None
    keeps that number. Raises ``Refused`` when a card lies in a slot that would go.
    Source: docs/rules.md, Numbers of a choir.
    """
    in_the_way = (
        Card.objects.filter(
            choir=change.choir,
            archived_at=None,
            place=Card.Place.HALO,
            slot__gt=halo_slots,
        )
        .select_related("saint")
        .order_by("-slot")
        .first()
    )
    if in_the_way is not None:
        raise Refused(
            _("A halo still holds a card beyond that number of slots."),
            fields={
                "halo_slots": _(
                    "%(card)s lies in slot %(slot)d of %(saint)s’s halo. "
                    "Move it first, or keep %(slot)d slots."
                )
                % {
                    "card": in_the_way.name,
                    "slot": in_the_way.slot,
                    "saint": in_the_way.saint.name,
                }
            },
        )
    choir = change.choir
    choir.name = name
    choir.time_zone = time_zone
    choir.halo_slots = halo_slots
    choir.clock_cards = clock_cards
    choir.virtue_dice = virtue_dice or choir.virtue_dice
    choir.note = note
    choir.save(
        update_fields=[
            *("name", "time_zone", "halo_slots", "clock_cards", "virtue_dice", "note")
        ]
    )
    change.say(choir=name)


@action(gettext_lazy("archived the choir {choir}"))
def choir_archive(change: Change) -> None:
    """Put a choir away. Nothing of it is lost, and ``choir_restore`` brings it back.

    Until then nothing else of it is changed, but what the keeper corrects.

    Raises ``OutOfStep`` when it is archived already.
    """
    if change.choir.archived_at:
        raise OutOfStep(_("This choir is archived already."))
    change.choir.archived_at = change.at
    change.choir.save(update_fields=["archived_at"])
    change.say(choir=change.choir.name)


@action(gettext_lazy("restored the choir {choir}"))
def choir_restore(change: Change) -> None:
    """Take a choir out of the archive.

    Raises ``OutOfStep`` when it is not in it, ``Refused`` when another choir that
    shares its box took a unique card or a saint of it meanwhile.
    Source: docs/rules.md, Shared boxes.
    """
    if not change.choir.archived_at:
        raise OutOfStep(_("This choir is not archived."))
    if change.choir.box is not None:
        check_box_free(change.choir, change.choir.box)
    change.choir.archived_at = None
    change.choir.save(update_fields=["archived_at"])
    change.say(choir=change.choir.name)
