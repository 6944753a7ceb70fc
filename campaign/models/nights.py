"""Game nights and who was there."""

from django.db import models
from django.db.models import Count, OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from campaign.models.rows import ChoirRow, NoteField
from campaign.models.saints import Saint


class GameNightQuerySet(models.QuerySet):
    def numbered(self) -> "GameNightQuerySet":
        """Adds ``number``: the how-manieth night of its choir it is, by date."""
        earlier = (
            self.model.objects.filter(choir=OuterRef("choir"))
            .filter(
                Q(date__lt=OuterRef("date"))
                | Q(date=OuterRef("date"), entered_at__lt=OuterRef("entered_at"))
            )
            .order_by()
            .values("choir")
            .annotate(n=Count("id"))
            .values("n")
        )
        return self.annotate(number=Coalesce(Subquery(earlier), Value(0)) + Value(1))


class GameNight(ChoirRow):
    """An evening at the table. Open until somebody closes it.

    A night that was entered afterwards has its date and no times.
    """

    date = models.DateField(_("date"))
    opened_at = models.DateTimeField(_("opened"), null=True, blank=True)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    is_open = models.BooleanField(_("open"), default=False)
    entered_at = models.DateTimeField(_("entered"))
    note = NoteField(_("note"))
    present = models.ManyToManyField(Saint, through="Presence", related_name="nights")

    objects = GameNightQuerySet.as_manager()

    class Meta:
        verbose_name = _("game night")
        verbose_name_plural = _("game nights")
        ordering = ("-date", "-entered_at", "id")
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
        return str(self.saint)
