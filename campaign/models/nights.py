"""Game nights and who was there."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from campaign.models.rows import ChoirRow, NoteField
from campaign.models.saints import Saint


class GameNight(ChoirRow):
    """An evening at the table. Open until somebody closes it.

    A night that was entered afterwards has its date and no times.
    """

    date = models.DateField(_("date"))
    opened_at = models.DateTimeField(_("opened"), null=True, blank=True)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    is_open = models.BooleanField(_("open"), default=False)
    note = NoteField(_("note"))
    present = models.ManyToManyField(Saint, through="Presence", related_name="nights")

    class Meta:
        verbose_name = _("game night")
        verbose_name_plural = _("game nights")
        ordering = ("-date", "-opened_at", "id")
        constraints = (
            models.UniqueConstraint(
                fields=("choir",),
                condition=models.Q(is_open=True),
                name="night_open_once",
                violation_error_message=_("A night is open already."),
            ),
        )

    def __str__(self) -> str:
        return self.date.isoformat()


class Presence(ChoirRow):
    """A saint who was present on a night."""

    night = models.ForeignKey(GameNight, models.PROTECT, related_name="presences")
    saint = models.ForeignKey(Saint, models.PROTECT, related_name="presences")

    class Meta:
        verbose_name = _("presence")
        verbose_name_plural = _("presences")
        ordering = ("saint__seat", "saint__name")
        constraints = (
            models.UniqueConstraint(fields=("night", "saint"), name="presence_once"),
        )

    def __str__(self) -> str:
        return str(self.saint_id)
