"""Choirs, their players and the facts they tick by hand."""

import datetime
import uuid
import zoneinfo

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from campaign.models.rows import ArchivableRow, ChoirRow, NameField, NoteField


class Choir(models.Model):
    """A group's campaign. ``revision`` is the number of its newest journal entry.

    Choirs with the same ``box`` share one box of cards; None is a box of its own.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = NameField(_("name"))
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC")
    halo_slots = models.PositiveSmallIntegerField(
        _("halo slots"),
        default=8,
        validators=[MinValueValidator(1), MaxValueValidator(20)],
    )
    clock_cards = models.PositiveSmallIntegerField(
        _("cards in the clock"),
        default=24,
        validators=[MinValueValidator(1), MaxValueValidator(99)],
    )
    virtue_dice = models.PositiveSmallIntegerField(
        _("dice of each virtue"),
        default=10,
        validators=[MinValueValidator(1), MaxValueValidator(40)],
    )
    box = models.UUIDField(_("shared box"), null=True, blank=True)
    note = NoteField(_("note"))
    is_sample = models.BooleanField(_("sample choir"), default=False)
    founded_at = models.DateTimeField(_("founded"))
    archived_at = models.DateTimeField(_("archived"), null=True, blank=True)
    revision = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        verbose_name = _("choir")
        verbose_name_plural = _("choirs")
        ordering = ("name", "id")
        constraints = (
            models.CheckConstraint(
                condition=models.Q(halo_slots__range=(1, 20)), name="choir_halo_slots"
            ),
            models.CheckConstraint(
                condition=models.Q(clock_cards__range=(1, 99)), name="choir_clock"
            ),
            models.CheckConstraint(
                condition=models.Q(virtue_dice__range=(1, 40)), name="choir_virtue_dice"
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def zone(self) -> zoneinfo.ZoneInfo:
        """The time zone in which its group plays."""
        return zoneinfo.ZoneInfo(self.time_zone)

    def day_of(self, moment: datetime.datetime) -> datetime.date:
        """The date of a moment where its group plays."""
        return moment.astimezone(self.zone).date()


class Player(ArchivableRow):
    """A person of the group."""

    name = NameField(_("name"))

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        ordering = ("name", "id")
        constraints = (
            models.UniqueConstraint(
                "choir",
                Lower("name"),
                condition=models.Q(archived_at=None),
                name="player_name_once",
                violation_error_message=_("This choir has a player of that name."),
            ),
        )

    def __str__(self) -> str:
        return self.name


class Flag(ChoirRow):
    """A fact of the campaign that stands on a card or in the storybook."""

    class Slug(models.TextChoices):
        RAVENS_SECRET = "ravens-secret", _("The ravens' secret is known")
        THE_SHELL = "the-shell", _("The choir has The Shell")
        DRAGON_FREE = "dragon-free", _("The dragon is free")
        ORDEAL_OF_SMOKE = "ordeal-of-smoke", _("Ordeal of Smoke is stashed")
        ORDEAL_OF_BLOOD = "ordeal-of-blood", _("Ordeal of Blood is stashed")
        ORDEAL_OF_FIRE = "ordeal-of-fire", _("Ordeal of Fire is stashed")
        ORDEAL_OF_STONE = "ordeal-of-stone", _("Ordeal of Stone is stashed")

    slug = models.CharField(_("fact"), max_length=20, choices=Slug)
    is_set = models.BooleanField(_("true"), default=False)

    class Meta:
        verbose_name = _("campaign fact")
        verbose_name_plural = _("campaign facts")
        ordering = ("slug",)
        constraints = (
            models.UniqueConstraint(fields=("choir", "slug"), name="flag_once"),
        )

    def __str__(self) -> str:
        return self.get_slug_display()


class DeckSize(ChoirRow):
    """How many cards of one kind a saint's deck needs: a number of the choir's own."""

    class Kind(models.TextChoices):
        MIND = "mind", _("Mind gifts")
        BODY = "body", _("Body gifts")
        SOUL = "soul", _("Soul gifts")
        RAGE = "rage", _("Rage gifts")
        OTHER = "other", _("Other cards")

    kind = models.CharField(_("kind"), max_length=5, choices=Kind)
    cards = models.PositiveSmallIntegerField(
        _("cards"), validators=[MaxValueValidator(60)]
    )

    class Meta:
        verbose_name = _("deck size")
        verbose_name_plural = _("deck sizes")
        ordering = ("kind",)
        constraints = (
            models.UniqueConstraint(fields=("choir", "kind"), name="deck_size_once"),
            models.CheckConstraint(
                condition=models.Q(cards__range=(0, 60)), name="deck_size_cards"
            ),
        )

    def __str__(self) -> str:
        return self.get_kind_display()
