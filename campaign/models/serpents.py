"""The dice of the ziggurat."""

from django.core.validators import MaxValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from campaign.models.attempts import Attempt
from campaign.models.rows import ChoirRow
from campaign.models.saints import ONE_TO_SIX


class ZigguratDie(ChoirRow):
    """A virtue die that stands on the ziggurat of an attempt.

    ``layer`` is 0 for the foundation, 1 for the staircase, 2 for the capstone;
    ``index`` counts the places of a layer from 0, row by row from the upper left.
    """

    class Layer(models.IntegerChoices):
        FOUNDATION = 0, _("Foundation")
        STAIRCASE = 1, _("Staircase")
        CAPSTONE = 2, _("Capstone")

    class Virtue(models.TextChoices):
        MIND = "mind", _("Mind")
        BODY = "body", _("Body")
        SOUL = "soul", _("Soul")
        RAGE = "rage", _("Rage")

    attempt = models.ForeignKey(Attempt, models.PROTECT, related_name="ziggurat_dice")
    layer = models.PositiveSmallIntegerField(_("layer"), choices=Layer)
    index = models.PositiveSmallIntegerField(
        _("place"), validators=[MaxValueValidator(8)]
    )
    virtue = models.CharField(_("virtue"), max_length=4, choices=Virtue)
    value = models.PositiveSmallIntegerField(_("value"), validators=ONE_TO_SIX)

    class Meta:
        verbose_name = _("ziggurat die")
        verbose_name_plural = _("ziggurat dice")
        ordering = ("layer", "index")
        constraints = (
            models.UniqueConstraint(
                fields=("attempt", "layer", "index"),
                name="ziggurat_place_once",
                violation_error_message=_("A die stands on that place already."),
            ),
            models.CheckConstraint(
                condition=models.Q(layer=0, index__range=(0, 8))
                | models.Q(layer=1, index__range=(0, 3))
                | models.Q(layer=2, index=0),
                name="ziggurat_place",
                violation_error_message=_("The ziggurat has no such place."),
            ),
            models.CheckConstraint(
                condition=models.Q(value__range=(1, 6)), name="ziggurat_value"
            ),
        )

    def __str__(self) -> str:
        return f"{self.value} ({self.get_virtue_display()})"
