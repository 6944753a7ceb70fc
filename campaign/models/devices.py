"""Devices and what they may do. Not part of a choir's history: undo never gives
or takes access."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from campaign.models.choirs import Choir, Player


class Device(models.Model):
    """A browser, known by the digest of the token in its cookie."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    token_digest = models.CharField(max_length=64, unique=True, editable=False)
    name = models.CharField(_("name"), max_length=40, blank=True)
    created_at = models.DateTimeField(_("first seen"))

    class Meta:
        verbose_name = _("device")
        verbose_name_plural = _("devices")
        ordering = ("-created_at",)

    def __str__(self) -> str:
        return self.name or str(self.id)[:8]


class Membership(models.Model):
    """What a device may do in a choir."""

    class Role(models.TextChoices):
        HOST = "host", _("Host")
        PLAYER = "player", _("Player")
        SPECTATOR = "spectator", _("Spectator")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    device = models.ForeignKey(Device, models.CASCADE, related_name="memberships")
    choir = models.ForeignKey(Choir, models.PROTECT, related_name="memberships")
    role = models.CharField(_("role"), max_length=9, choices=Role)
    # An undo may take the player away; the membership then stands without one.
    player = models.ForeignKey(
        Player,
        models.DO_NOTHING,
        related_name="+",
        null=True,
        blank=True,
        db_constraint=False,
        verbose_name=_("player"),
    )
    created_at = models.DateTimeField(_("since"))
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        ordering = ("-created_at",)
        constraints = (
            models.UniqueConstraint(fields=("device", "choir"), name="membership_once"),
        )

    def __str__(self) -> str:
        return self.get_role_display()


class HostLink(models.Model):
    """A link that works once and makes the laptop's browser host of every choir."""

    token_digest = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField(_("made"))
    used_at = models.DateTimeField(_("used"), null=True, blank=True)

    class Meta:
        verbose_name = _("host link")
        verbose_name_plural = _("host links")
        ordering = ("-created_at",)

    def __str__(self) -> str:
        return self.created_at.isoformat()
