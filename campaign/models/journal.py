"""The journal: what was changed, by whom, and in which rows.

These tables are written by ``campaign.journal`` and the row triggers alone.
"""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from campaign.labels import actor_word, sentence


class Entry(models.Model):
    """One change of a choir's rows. History is only ever added to.

    ``number`` counts from 1 in each choir. ``action`` is the verb that ran and
    ``details`` what its sentence needs. ``key`` makes a repeated request harmless;
    ``body`` tells a repeat from another request under the same key. An undo names the
    entry it ``undoes``, which stood until then; a rewind the number that it goes
    ``back_to``.
    ``schema`` names the columns under which its rows were recorded, and ``digest``
    chains the previous entry's digest, this entry and its differences.
    """

    class Kind(models.TextChoices):
        ACTION = "action", _("Change")
        UNDO = "undo", _("Undo")
        REWIND = "rewind", _("Rewind")
        SAVE_POINT = "save-point", _("Save point")
        KEEPER = "keeper", _("Correction")
        MIGRATION = "migration", _("New version")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    choir = models.ForeignKey("Choir", models.PROTECT, related_name="entries")
    number = models.PositiveIntegerField(_("number"))
    at = models.DateTimeField(_("at"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind, default=Kind.ACTION)
    action = models.CharField(_("action"), max_length=40)
    details = models.JSONField(_("details"), default=dict)
    actor = models.CharField(_("who"), max_length=60, blank=True)
    device = models.UUIDField(null=True, blank=True, editable=False)
    night = models.UUIDField(null=True, blank=True, editable=False)
    key = models.UUIDField(editable=False)
    body = models.CharField(max_length=64, editable=False)
    undoes = models.ForeignKey(
        "self", models.PROTECT, related_name="undone_by", null=True, blank=True
    )
    back_to = models.PositiveIntegerField(null=True, blank=True, editable=False)
    schema = models.CharField(max_length=64, editable=False)
    digest = models.CharField(max_length=64, editable=False)

    class Meta:
        verbose_name = _("journal entry")
        verbose_name_plural = _("journal entries")
        ordering = ("-number",)
        constraints = (
            models.UniqueConstraint(fields=("choir", "number"), name="entry_number"),
            # The key comes first: a choir's founding is looked up by its key alone.
            models.UniqueConstraint(fields=("key", "choir"), name="entry_key"),
        )
        indexes = (
            models.Index(fields=("choir", "kind", "number"), name="entry_by_kind"),
            models.Index(fields=("choir", "actor"), name="entry_by_actor"),
        )

    def __str__(self) -> str:
        return f"{self.number} {self.action}"

    @property
    def who(self) -> str:
        """Who did it, in the language of the request."""
        return actor_word(self.actor)

    @property
    def sentence(self) -> str:
        """What was done, without who did it."""
        return sentence(self.action, self.details)


class RowChange(models.Model):
    """What one write did to one row, recorded by the database itself.

    ``row`` is its primary key in 32 hexadecimal digits. ``old`` and ``new`` are the row
    as JSON text in the database's own notation; empty where it did not exist.
    """

    entry = models.ForeignKey(Entry, models.PROTECT, related_name="row_changes")
    table = models.CharField(max_length=40)
    row = models.CharField(max_length=36)
    old = models.TextField(null=True)  # noqa: DJ001
    new = models.TextField(null=True)  # noqa: DJ001

    class Meta:
        ordering = ("id",)
        indexes = (models.Index(fields=("table", "row"), name="change_by_row"),)

    def __str__(self) -> str:
        return f"{self.table} {self.row}"
