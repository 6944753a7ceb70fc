"""Discard piles of nexus decks, for time travel."""

from django.core.validators import MaxValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from campaign.models.attempts import Attempt
from campaign.models.rows import ChoirRow, NameField


class DiscardPile(ChoirRow):
    """The discard pile of a nexus deck in a mission that time travel is enabled in."""

    attempt = models.ForeignKey(Attempt, models.PROTECT, related_name="discard_piles")
    nexus = NameField(_("nexus"), max_length=60)
    cards = models.PositiveSmallIntegerField(
        _("cards"), default=0, validators=[MaxValueValidator(99)]
    )

    class Meta:
        verbose_name = _("discard pile")
        verbose_name_plural = _("discard piles")
        ordering = ("nexus", "id")
        constraints = (
            models.UniqueConstraint(
                fields=("attempt", "nexus"),
                name="discard_pile_once",
                violation_error_message=_("That nexus has a discard pile already."),
            ),
            models.CheckConstraint(
                condition=models.Q(cards__range=(0, 99)), name="discard_pile_cards"
            ),
        )

    def __str__(self) -> str:
        return self.nexus
