"""Attempts at missions, and the allegiance tally that they mark."""

from django.core.validators import (
    MaxValueValidator,
    MinValueValidator,
    RegexValidator,
)
from django.db import models
from django.utils.translation import gettext_lazy as _

from campaign.labels import mission_title
from campaign.models.nights import GameNight
from campaign.models.rows import ChoirRow, NoteField
from campaign.models.saints import ONE_TO_SIX, Saint


class Attempt(ChoirRow):
    """One play of a mission.

    Play from before the choir used Choirbook has no nights; it counts for everything
    that does not ask for tonight. ``mind_dice`` are the faces that drew the nexuses of
    a Law, in order and with commas; ``act`` is the act being played.
    """

    class State(models.TextChoices):
        IN_PLAY = "in-play", _("In play")
        SUSPENDED = "suspended", _("Suspended")
        ENDED = "ended", _("Ended")

    class Outcome(models.TextChoices):
        WON = "won", _("Won")
        LOST = "lost", _("Lost")
        TIMED_OUT = "timed-out", _("Timed out")
        ABANDONED = "abandoned", _("Abandoned")

    class Allegiance(models.TextChoices):
        APPEASE = "appease", _("Appease")
        OPPOSE = "oppose", _("Oppose")

    mission = models.CharField(_("mission"), max_length=60)
    state = models.CharField(
        _("state"), max_length=9, choices=State, default=State.IN_PLAY
    )
    outcome = models.CharField(_("result"), max_length=9, choices=Outcome, blank=True)
    started_in = models.ForeignKey(
        GameNight,
        models.PROTECT,
        related_name="attempts_started",
        null=True,
        blank=True,
        verbose_name=_("night it started"),
    )
    ended_in = models.ForeignKey(
        GameNight,
        models.PROTECT,
        related_name="attempts_ended",
        null=True,
        blank=True,
        verbose_name=_("night it ended"),
    )
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    allegiance = models.CharField(
        _("allegiance"), max_length=7, choices=Allegiance, blank=True
    )
    soul_die = models.PositiveSmallIntegerField(
        _("Soul die"), null=True, blank=True, validators=ONE_TO_SIX
    )
    body_die = models.PositiveSmallIntegerField(
        _("Body die"), null=True, blank=True, validators=ONE_TO_SIX
    )
    mind_dice = models.CharField(
        _("Mind dice"),
        max_length=11,
        blank=True,
        validators=[RegexValidator(r"^([1-6](,[1-6]){0,5})?$")],
    )
    act = models.PositiveSmallIntegerField(
        _("act"), default=1, validators=[MinValueValidator(1), MaxValueValidator(3)]
    )
    override_note = NoteField(_("why it was started although locked"))
    note = NoteField(_("note"))
    entered_at = models.DateTimeField(_("entered"))
    present = models.ManyToManyField(
        Saint, through="AttemptSaint", related_name="attempts"
    )

    class Meta:
        verbose_name = _("attempt")
        verbose_name_plural = _("attempts")
        ordering = (models.F("ended_at").desc(nulls_last=True), "-entered_at", "id")
        constraints = (
            models.UniqueConstraint(
                fields=("choir",),
                condition=models.Q(state="in-play"),
                name="attempt_in_play_once",
                violation_error_message=_("Another mission is in play."),
            ),
            models.CheckConstraint(
                condition=models.Q(state="ended") ^ models.Q(outcome=""),
                name="attempt_outcome_when_ended",
                violation_error_message=_("An ended attempt has a result."),
            ),
            models.CheckConstraint(
                condition=(models.Q(soul_die=None) | models.Q(soul_die__range=(1, 6)))
                & (models.Q(body_die=None) | models.Q(body_die__range=(1, 6))),
                name="attempt_dice",
            ),
            models.CheckConstraint(
                condition=models.Q(act__range=(1, 3)), name="attempt_act"
            ),
        )

    def __str__(self) -> str:
        return mission_title(self.mission)


class AttemptSaint(ChoirRow):
    """A saint who was present at an attempt."""

    attempt = models.ForeignKey(Attempt, models.PROTECT, related_name="attempt_saints")
    saint = models.ForeignKey(Saint, models.PROTECT, related_name="attempt_saints")

    class Meta:
        verbose_name = _("saint at an attempt")
        verbose_name_plural = _("saints at attempts")
        ordering = ("saint__seat", "saint__name")
        constraints = (
            models.UniqueConstraint(
                fields=("attempt", "saint"), name="attempt_saint_once"
            ),
        )

    def __str__(self) -> str:
        return str(self.saint)


class TallyMark(ChoirRow):
    """A mark on the Allegiance divider. It is counted, never derived."""

    side = models.CharField(_("side"), max_length=7, choices=Attempt.Allegiance)
    attempt = models.ForeignKey(
        Attempt, models.PROTECT, related_name="tally_marks", null=True, blank=True
    )
    marked_at = models.DateTimeField(_("marked"))

    class Meta:
        verbose_name = _("tally mark")
        verbose_name_plural = _("tally marks")
        ordering = ("marked_at", "id")

    def __str__(self) -> str:
        return self.get_side_display()
