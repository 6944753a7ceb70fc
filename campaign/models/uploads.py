"""Files that were sent to be looked at and wait for a yes."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from campaign.models.choirs import Choir
from campaign.models.devices import Device


class Upload(models.Model):
    """An export that a device sent, packed, until it is imported or too old.

    ``choir`` is the one that is to be brought back to it; None for a new choir.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    device = models.ForeignKey(Device, models.CASCADE, related_name="uploads")
    choir = models.ForeignKey(Choir, models.CASCADE, null=True, related_name="uploads")
    name = models.CharField(_("file"), max_length=120, blank=True)
    made_at = models.DateTimeField(_("sent"), db_index=True)
    body = models.BinaryField()

    class Meta:
        verbose_name = _("sent file")
        verbose_name_plural = _("sent files")
        ordering = ("-made_at",)

    def __str__(self) -> str:
        return self.name
