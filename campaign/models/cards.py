"""Cards that a choir owns or has met, and where they are."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from campaign.labels import card_word
from campaign.models.rows import ArchivableRow, NameField
from campaign.models.saints import Saint


class Card(ArchivableRow):
    """A card, or ``copies`` equal ones in the same place.

    A mission's fragment names its ``mission``; a Damned one carries the novem
    contract of that mission. ``is_contract`` marks a slotted gift, threat or archetype
    that is contracted: nothing may be slotted on it.
    """

    class Kind(models.TextChoices):
        GIFT = "gift", _("Gift")
        OMEN = "omen", _("Omen")
        THREAT = "threat", _("Threat")
        FRAGMENT = "fragment", _("Fragment")
        ARCHETYPE = "archetype", _("Archetype")
        DEATH = "death", _("Death")
        AWAKENED = "awakened", _("Awakened fragment")
        OTHER = "other", _("Other")

    class Place(models.TextChoices):
        DECK = "deck", _("Deck")
        HAND = "hand", _("Hand")
        HALO = "halo", _("Halo")
        BURIED = "buried", _("Bury pile")
        TROPHIES = "trophies", _("Trophy pile")
        STASH = "stash", pgettext_lazy("place of cards", "Stash")
        DIVIDER = "divider", _("Divider")
        FLEETING = "fleeting", _("Fleeting fragments")
        BOX = "box", _("Box")

    class Chapter(models.TextChoices):
        ANIMUS = "animus", _("Animus")
        DAMNED = "damned", _("Damned")
        DREAMERS = "dreamers", _("Dreamers")
        SERPENTS = "serpents", _("Serpents")
        OTHER = "", _("Another box")

    class Virtue(models.TextChoices):
        MIND = "mind", _("Mind")
        BODY = "body", _("Body")
        SOUL = "soul", _("Soul")
        RAGE = "rage", _("Rage")

    OF_A_SAINT = (Place.DECK, Place.HAND, Place.HALO, Place.BURIED, Place.TROPHIES)

    name = NameField(_("name"), max_length=60)
    kind = models.CharField(_("kind"), max_length=9, choices=Kind)
    chapter = models.CharField(
        _("chapter"), max_length=8, choices=Chapter, blank=True, default=""
    )
    gift_type = models.CharField(
        _("gift type"), max_length=4, choices=Virtue, blank=True
    )
    mission = models.CharField(_("mission"), max_length=60, blank=True)
    copies = models.PositiveSmallIntegerField(
        _("copies"),
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(99)],
    )
    place = models.CharField(_("place"), max_length=8, choices=Place, default=Place.BOX)
    saint = models.ForeignKey(
        Saint,
        models.PROTECT,
        related_name="cards",
        null=True,
        blank=True,
        verbose_name=_("saint"),
    )
    slot = models.PositiveSmallIntegerField(_("slot"), null=True, blank=True)
    is_contract = models.BooleanField(_("contract"), default=False)

    class Meta:
        verbose_name = _("card")
        verbose_name_plural = _("cards")
        ordering = ("name", "id")
        constraints = (
            models.CheckConstraint(
                condition=models.Q(
                    place__in=("stash", "divider", "fleeting", "box"), saint=None
                )
                | models.Q(
                    place__in=("deck", "hand", "halo", "buried", "trophies"),
                    saint__isnull=False,
                ),
                name="card_saint_for_place",
                violation_error_message=_(
                    "A deck, hand, halo or pile needs its saint."
                ),
            ),
            models.CheckConstraint(
                condition=models.Q(
                    place="halo", slot__isnull=False, slot__range=(1, 20)
                )
                | (~models.Q(place="halo") & models.Q(slot=None)),
                name="card_slot_in_halo",
                violation_error_message=_("A card in the halo has a slot, 1 to 20."),
            ),
            models.CheckConstraint(
                condition=models.Q(copies__range=(1, 99)), name="card_copies"
            ),
            models.CheckConstraint(
                condition=models.Q(is_contract=False) | models.Q(place="halo"),
                name="card_contract_in_halo",
                violation_error_message=_("Only a card in a halo can be a contract."),
            ),
            models.UniqueConstraint(
                fields=("saint", "slot"),
                condition=models.Q(place="halo", archived_at=None),
                name="card_slot_once",
                violation_error_message=_("That slot is taken."),
            ),
            models.UniqueConstraint(
                fields=("choir", "mission"),
                condition=models.Q(kind="fragment", archived_at=None)
                & ~models.Q(mission=""),
                name="card_fragment_once",
                violation_error_message=_("The choir has that mission's fragment."),
            ),
        )

    # Lists show several of these for each card. Django's own methods make a table of
    # all choices anew for each answer, which takes ten times as long.
    def get_kind_display(self) -> str:
        return _word(self.Kind, self.kind)

    def get_gift_type_display(self) -> str:
        return _word(self.Virtue, self.gift_type)

    def get_chapter_display(self) -> str:
        return _word(self.Chapter, self.chapter)

    def get_place_display(self) -> str:
        return _word(self.Place, self.place)

    @property
    def title(self) -> str:
        """What the card is called, in words where it has no name of its own."""
        return card_word(self.name)

    def __str__(self) -> str:
        return self.title


def _word(choices: type[models.TextChoices], value: str) -> str:
    """What a choice is called, the value itself where it is none of them."""
    return str(choices(value).label) if value in choices else value
