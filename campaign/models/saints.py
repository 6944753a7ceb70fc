"""The saints of a choir."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from campaign.models.choirs import Player
from campaign.models.rows import ArchivableRow, NameField, NoteField

ONE_TO_SIX = (MinValueValidator(1), MaxValueValidator(6))


class VirtueField(models.PositiveSmallIntegerField):
    """A virtue number, 1 to 6."""

    def __init__(self, *args, **kwargs):
        kwargs.setdefault("default", 1)
        super().__init__(*args, **kwargs)
        self.validators = [*self.validators, *ONE_TO_SIX]


class Saint(ArchivableRow):
    """A saint, played by a player. Only an active saint sits at the table.

    The Awakened King joins by exchange alone: ``exchanged_for`` is the stashed saint.
    """

    class Status(models.TextChoices):
        ACTIVE = "active", _("Active")
        RETIRED = "retired", _("Retired")
        STASHED = "stashed", _("Stashed")

    player = models.ForeignKey(
        Player,
        models.PROTECT,
        related_name="saints",
        null=True,
        blank=True,
        verbose_name=_("player"),
    )
    name = NameField(_("name"))
    seat = models.PositiveSmallIntegerField(
        _("seat"), null=True, blank=True, validators=ONE_TO_SIX
    )
    mind = VirtueField(_("Mind"))
    body = VirtueField(_("Body"))
    soul = VirtueField(_("Soul"))
    rage = VirtueField(_("Rage"))
    status = models.CharField(
        _("status"), max_length=8, choices=Status, default=Status.ACTIVE
    )
    note = NoteField(_("note"))
    is_king = models.BooleanField(_("the Awakened King"), default=False)
    exchanged_for = models.ForeignKey(
        "self",
        models.PROTECT,
        related_name="exchanges",
        null=True,
        blank=True,
        verbose_name=_("exchanged for"),
    )

    class Meta:
        verbose_name = _("saint")
        verbose_name_plural = _("saints")
        ordering = ("seat", "name", "id")
        constraints = (
            models.UniqueConstraint(
                "choir",
                Lower("name"),
                condition=models.Q(archived_at=None),
                name="saint_name_once",
                violation_error_message=_("This choir has a saint of that name."),
            ),
            models.UniqueConstraint(
                fields=("choir", "seat"),
                condition=models.Q(status="active", archived_at=None),
                name="saint_seat_once",
                violation_error_message=_("Another saint sits there."),
            ),
            models.UniqueConstraint(
                fields=("choir",),
                condition=models.Q(is_king=True, archived_at=None),
                name="saint_king_once",
                violation_error_message=_("The Awakened King plays already."),
            ),
            models.CheckConstraint(
                condition=models.Q(seat=None) | models.Q(seat__range=(1, 6)),
                name="saint_seat",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    mind__range=(1, 6),
                    body__range=(1, 6),
                    soul__range=(1, 6),
                    rage__range=(1, 6),
                ),
                name="saint_virtues",
            ),
        )

    def __str__(self) -> str:
        return self.name
