"""Devices and what they may do. Not part of a choir's history: undo never gives
or takes access."""

import uuid

from django.contrib import admin
from django.db import models
from django.utils.translation import gettext_lazy as _

from campaign.models.choirs import Choir, Player
from campaign.models.rows import NameField


class Device(models.Model):
    """A browser, known by the digest of the token in its cookie."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    token_digest = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField(_("first seen"))

    class Meta:
        verbose_name = _("device")
        verbose_name_plural = _("devices")
        ordering = ("-created_at",)

    def __str__(self) -> str:
        return str(self.id)[:8]


class Membership(models.Model):
    """What a device may do in a choir, and how it is called there.

    The name is the choir's own: no other choir can change it, nor sees it.
    """

    class Role(models.TextChoices):
        HOST = "host", _("Host")
        PLAYER = "player", _("Player")
        SPECTATOR = "spectator", _("Spectator")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    device = models.ForeignKey(Device, models.CASCADE, related_name="memberships")
    choir = models.ForeignKey(Choir, models.PROTECT, related_name="memberships")
    role = models.CharField(_("role"), max_length=9, choices=Role)
    name = NameField(_("name of the device"), blank=True, default="")
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
    seen_at = models.DateTimeField(_("last seen"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        ordering = ("-created_at",)
        constraints = (
            models.UniqueConstraint(fields=("device", "choir"), name="membership_once"),
        )

    def __str__(self) -> str:
        return self.name or self.get_role_display()


class JoinCode(models.Model):
    """What makes a device a player or a spectator of a choir.

    Kept as it is written, since the choir shows it to everybody at the table. Nobody
    becomes a host by one.
    """

    choir = models.ForeignKey(Choir, models.PROTECT, related_name="join_codes")
    role = models.CharField(
        _("role"),
        max_length=9,
        choices=[
            (role.value, role.label)
            for role in (Membership.Role.PLAYER, Membership.Role.SPECTATOR)
        ],
    )
    code = models.CharField(_("code"), max_length=10, unique=True)
    is_open = models.BooleanField(_("open"), default=True)
    made_at = models.DateTimeField(_("made"))

    class Meta:
        verbose_name = _("join code")
        verbose_name_plural = _("join codes")
        ordering = ("choir", "role")
        constraints = (
            models.UniqueConstraint(fields=("choir", "role"), name="join_code_once"),
            models.CheckConstraint(
                condition=~models.Q(role=Membership.Role.HOST), name="join_code_role"
            ),
        )

    def __str__(self) -> str:
        return self.shown

    @property
    @admin.display(description=_("code"))
    def shown(self) -> str:
        """The code as people read it: ``XXXXX-XXXXX``."""
        return f"{self.code[:5]}-{self.code[5:]}"


class RecoveryKey(models.Model):
    """The digest of the key that makes a browser host of a choir, once.

    The key itself was printed and is stored nowhere. ``spent_digest`` is that of the
    key before, spent by the form ``spent_by``: the same form sent twice finds that it
    was carried out.
    """

    choir = models.OneToOneField(
        Choir, models.PROTECT, primary_key=True, related_name="recovery_key"
    )
    digest = models.CharField(max_length=64, unique=True, editable=False)
    made_at = models.DateTimeField(_("made"))
    spent_digest = models.CharField(
        max_length=64, blank=True, db_index=True, editable=False
    )
    spent_by = models.UUIDField(null=True, editable=False)

    class Meta:
        verbose_name = _("recovery key")
        verbose_name_plural = _("recovery keys")
        ordering = ("choir",)

    def __str__(self) -> str:
        return self.made_at.isoformat()


class JoinAttempt(models.Model):
    """A wrong code or key, and the address that it came from."""

    address = models.CharField(_("address"), max_length=45)
    at = models.DateTimeField(_("at"), db_index=True)

    class Meta:
        verbose_name = _("wrong code")
        verbose_name_plural = _("wrong codes")
        ordering = ("-at",)
        indexes = (
            models.Index(fields=("address", "at"), name="join_attempt_by_address"),
        )

    def __str__(self) -> str:
        return self.address


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
