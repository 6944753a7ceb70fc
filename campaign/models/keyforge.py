"""KeyForge: the decks of the group, their games, and the house rules for chains."""

from django.contrib import admin
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from campaign.models.choirs import Player
from campaign.models.nights import GameNight
from campaign.models.rows import ArchivableRow, ChoirRow, NameField, NoteField
from rules.chains import EVENING, MOST


class ChainsField(models.PositiveSmallIntegerField):
    """A number of chains, 0 to 24."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.validators = [
            *self.validators,
            MinValueValidator(0),
            MaxValueValidator(MOST),
        ]


class SideField(models.PositiveSmallIntegerField):
    """One of the two players of a game, 0 or 1."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.choices = [(0, _("First side")), (1, _("Second side"))]


class EveningField(models.SmallIntegerField):
    """By how much an evening changes a deck's standing chains, -24 to 24."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.validators = [
            *self.validators,
            MinValueValidator(-MOST),
            MaxValueValidator(MOST),
        ]


EVENING_FIELDS = {
    rounds: tuple(f"wins_{wins}_of_{rounds}" for wins in range(rounds + 1))
    for rounds in EVENING
}
"""Rounds of an evening to the fields with its changes, by wins from 0 upward."""

_CHAINS = (0, MOST)
_SIDES = (0, 1)


class KeyforgeRules(ChoirRow):
    """The house rules of a choir. A choir without a row has the defaults."""

    class Opening(models.TextChoices):
        COUNTS = "counts", _("Chains count")
        IGNORED = "ignored", _("Chains do not count")

    class After(models.TextChoices):
        STAYS = "stays", _("The standing chains stay")
        TAKES_OVER = "takes-over", _("What is left on the tracker becomes standing")

    opening = models.CharField(
        _("opening hand"), max_length=7, choices=Opening, default=Opening.COUNTS
    )
    after_game = models.CharField(
        _("after a game"), max_length=10, choices=After, default=After.STAYS
    )
    organised = models.BooleanField(_("organised play"), default=False)
    wins_0_of_3 = EveningField(_("no win in three rounds"), default=EVENING[3][0])
    wins_1_of_3 = EveningField(_("one win in three rounds"), default=EVENING[3][1])
    wins_2_of_3 = EveningField(_("two wins in three rounds"), default=EVENING[3][2])
    wins_3_of_3 = EveningField(_("three wins in three rounds"), default=EVENING[3][3])
    wins_0_of_4 = EveningField(_("no win in four rounds"), default=EVENING[4][0])
    wins_1_of_4 = EveningField(_("one win in four rounds"), default=EVENING[4][1])
    wins_2_of_4 = EveningField(_("two wins in four rounds"), default=EVENING[4][2])
    wins_3_of_4 = EveningField(_("three wins in four rounds"), default=EVENING[4][3])
    wins_4_of_4 = EveningField(_("four wins in four rounds"), default=EVENING[4][4])

    class Meta:
        verbose_name = _("house rules for KeyForge")
        verbose_name_plural = _("house rules for KeyForge")
        ordering = ("choir", "id")
        constraints = (
            models.UniqueConstraint(
                fields=("choir",),
                name="keyforge_rules_once",
                violation_error_message=_("This choir has its house rules already."),
            ),
            models.CheckConstraint(
                condition=models.Q(
                    *(
                        (f"{name}__range", (-MOST, MOST))
                        for names in EVENING_FIELDS.values()
                        for name in names
                    )
                ),
                name="keyforge_rules_evening",
                violation_error_message=_("An evening changes 24 chains at most."),
            ),
        )

    def __str__(self) -> str:
        return str(self._meta.verbose_name)

    @property
    def evening(self) -> dict[int, tuple[int, ...]]:
        """The table of an organised evening, as ``rules.chains`` takes it."""
        return {
            rounds: tuple(getattr(self, name) for name in names)
            for rounds, names in EVENING_FIELDS.items()
        }


class ArchonDeck(ArchivableRow):
    """A KeyForge deck. ``standing`` are the chains that it carries between games.

    Its owner is a player of the choir, or anybody by name, or not known.
    """

    name = NameField(_("name"), max_length=60)
    owner = models.ForeignKey(
        Player,
        models.PROTECT,
        related_name="decks",
        null=True,
        blank=True,
        verbose_name=_("owner"),
    )
    owner_name = NameField(_("owner by name"), blank=True, default="")
    houses = NameField(_("houses"), max_length=60, blank=True, default="")
    card_set = NameField(_("set"), blank=True, default="")
    standing = ChainsField(_("standing chains"), default=0)
    note = NoteField(_("note"))

    class Meta:
        verbose_name = _("KeyForge deck")
        verbose_name_plural = _("KeyForge decks")
        ordering = ("name", "id")
        constraints = (
            models.UniqueConstraint(
                "choir",
                Lower("name"),
                condition=models.Q(archived_at=None),
                name="deck_name_once",
                violation_error_message=_("This choir has a deck of that name."),
            ),
            models.CheckConstraint(
                condition=models.Q(standing__range=_CHAINS),
                name="deck_standing",
                violation_error_message=_("A deck has 0 to 24 chains."),
            ),
            models.CheckConstraint(
                condition=models.Q(owner=None) | models.Q(owner_name=""),
                name="deck_one_owner",
                violation_error_message=_("A deck has one owner."),
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    @admin.display(description=_("owner"))
    def owned_by(self) -> str:
        """Whose deck it is; "" when nobody is named."""
        return self.owner.name if self.owner else self.owner_name


class ArchonMatch(ChoirRow):
    """An adaptive match: three games at most, decks swapped in the second.

    ``state`` is bidding while the players bid for the deck that won both games.
    """

    class State(models.TextChoices):
        PLAYING = "playing", _("In play")
        BIDDING = "bidding", _("Bidding")
        ENDED = "ended", _("Ended")

    state = models.CharField(
        _("state"), max_length=7, choices=State, default=State.PLAYING
    )
    winner = SideField(_("winner"), null=True, blank=True)
    started_at = models.DateTimeField(_("started"))
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("adaptive match")
        verbose_name_plural = _("adaptive matches")
        ordering = ("-started_at", "id")
        constraints = (
            models.CheckConstraint(
                condition=models.Q(winner=None)
                | models.Q(winner__range=_SIDES, state="ended"),
                name="match_winner_when_ended",
                violation_error_message=_("Only an ended match has a winner."),
            ),
            models.CheckConstraint(
                condition=models.Q(ended_at=None) ^ models.Q(state="ended"),
                name="match_ended_at",
                violation_error_message=_("An ended match has the time of its end."),
            ),
        )

    def __str__(self) -> str:
        return f"{self.started_at:%Y-%m-%d}"


class ArchonGame(ChoirRow):
    """A game of two decks. It waits in play for as long as nobody ends it.

    A game of an adaptive match has its ``number``, 1 to 3. ``after`` says what became
    of the standing chains; "" while it is in play.
    """

    class Format(models.TextChoices):
        ARCHON = "archon", _("Archon")
        ADAPTIVE = "adaptive", _("Adaptive")
        OTHER = "other", _("Other")

    class State(models.TextChoices):
        IN_PLAY = "in-play", _("In play")
        ENDED = "ended", _("Ended")

    format = models.CharField(
        _("format"), max_length=8, choices=Format, default=Format.ARCHON
    )
    match = models.ForeignKey(
        ArchonMatch,
        models.PROTECT,
        related_name="games",
        null=True,
        blank=True,
        verbose_name=_("adaptive match"),
    )
    number = models.PositiveSmallIntegerField(
        _("number in the match"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(3)],
    )
    state = models.CharField(
        _("state"), max_length=7, choices=State, default=State.IN_PLAY
    )
    winner = SideField(_("winner"), null=True, blank=True)
    after = models.CharField(
        _("standing chains"), max_length=10, choices=KeyforgeRules.After, blank=True
    )
    started_in = models.ForeignKey(
        GameNight,
        models.PROTECT,
        related_name="games_started",
        null=True,
        blank=True,
        verbose_name=_("night it started"),
    )
    ended_in = models.ForeignKey(
        GameNight,
        models.PROTECT,
        related_name="games_ended",
        null=True,
        blank=True,
        verbose_name=_("night it ended"),
    )
    started_at = models.DateTimeField(_("started"))
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("KeyForge game")
        verbose_name_plural = _("KeyForge games")
        ordering = ("-started_at", "id")
        constraints = (
            models.CheckConstraint(
                condition=models.Q(
                    format="adaptive",
                    match__isnull=False,
                    number__isnull=False,
                    number__range=(1, 3),
                )
                | (~models.Q(format="adaptive") & models.Q(match=None, number=None)),
                name="game_number_in_match",
                violation_error_message=_(
                    "A game of an adaptive match, and no other, has a number, 1 to 3."
                ),
            ),
            models.UniqueConstraint(
                fields=("match", "number"),
                name="game_number_once",
                violation_error_message=_("That game of the match was played."),
            ),
            models.UniqueConstraint(
                fields=("match",),
                condition=models.Q(state="in-play"),
                name="game_in_match_once",
                violation_error_message=_("A game of this match is in play."),
            ),
            models.CheckConstraint(
                condition=models.Q(winner=None)
                | models.Q(winner__range=_SIDES, state="ended"),
                name="game_winner_when_ended",
                violation_error_message=_("Only an ended game has a winner."),
            ),
            models.CheckConstraint(
                condition=models.Q(state="in-play", after="", ended_at=None)
                | models.Q(
                    state="ended",
                    after__in=("stays", "takes-over"),
                    ended_at__isnull=False,
                ),
                name="game_after_when_ended",
                violation_error_message=_(
                    "An ended game says when it ended and what became of the chains."
                ),
            ),
        )

    def __str__(self) -> str:
        return f"{self.get_format_display()} {self.started_at:%Y-%m-%d}"


class GameSide(ChoirRow):
    """A player's side of a game: the deck, and the chains on its tracker.

    ``bid`` are the chains that won this deck for the third game of an adaptive match.
    ``opening_cards`` is how many cards the opening hand drew; None before it.
    """

    game = models.ForeignKey(
        ArchonGame, models.PROTECT, related_name="sides", verbose_name=_("game")
    )
    side = SideField(_("side"))
    deck = models.ForeignKey(
        ArchonDeck, models.PROTECT, related_name="sides", verbose_name=_("deck")
    )
    player = models.ForeignKey(
        Player,
        models.PROTECT,
        related_name="game_sides",
        null=True,
        blank=True,
        verbose_name=_("player"),
    )
    player_name = NameField(_("player by name"), blank=True, default="")
    tracker = ChainsField(_("chains on the tracker"), default=0)
    bid = ChainsField(_("bid"), null=True, blank=True)
    opening_cards = models.PositiveSmallIntegerField(
        _("cards of the opening hand"),
        null=True,
        blank=True,
        validators=[MaxValueValidator(7)],
    )
    mulligan = models.BooleanField(_("mulligan"), default=False)

    class Meta:
        verbose_name = _("side of a game")
        verbose_name_plural = _("sides of games")
        ordering = ("game", "side")
        constraints = (
            models.CheckConstraint(condition=models.Q(side__range=_SIDES), name="side"),
            models.UniqueConstraint(
                fields=("game", "side"),
                name="side_once",
                violation_error_message=_("A game has two sides."),
            ),
            models.UniqueConstraint(
                fields=("game", "deck"),
                name="side_deck_once",
                violation_error_message=_("A deck cannot play against itself."),
            ),
            models.CheckConstraint(
                condition=models.Q(tracker__range=_CHAINS)
                & (models.Q(bid=None) | models.Q(bid__range=_CHAINS)),
                name="side_chains",
                violation_error_message=_("A tracker has 0 to 24 chains."),
            ),
            models.CheckConstraint(
                condition=models.Q(opening_cards=None, mulligan=False)
                | models.Q(opening_cards__isnull=False, opening_cards__range=(0, 7)),
                name="side_opening",
                violation_error_message=_("An opening hand has 0 to 7 cards."),
            ),
            models.CheckConstraint(
                condition=models.Q(player=None) | models.Q(player_name=""),
                name="side_one_player",
                violation_error_message=_("A side has one player."),
            ),
        )

    def __str__(self) -> str:
        return str(self.deck)

    @property
    @admin.display(description=_("player"))
    def played_by(self) -> str:
        """Who plays this side; "" when nobody is named."""
        return self.player.name if self.player else self.player_name


class ChainBid(ChoirRow):
    """A bid of chains for the deck that won both games of a match.

    ``number`` counts from 1; the owner's opening bid of 0 is the first.
    """

    match = models.ForeignKey(
        ArchonMatch, models.PROTECT, related_name="bids", verbose_name=_("match")
    )
    number = models.PositiveSmallIntegerField(
        _("number"), validators=[MinValueValidator(1), MaxValueValidator(MOST + 1)]
    )
    side = SideField(_("side"))
    chains = ChainsField(_("chains"))

    class Meta:
        verbose_name = _("bid")
        verbose_name_plural = _("bids")
        ordering = ("match", "number")
        constraints = (
            models.UniqueConstraint(
                fields=("match", "number"),
                name="bid_number_once",
                violation_error_message=_("That bid was made."),
            ),
            models.UniqueConstraint(
                fields=("match", "chains"),
                name="bid_chains_once",
                violation_error_message=_("Each bid is above the last."),
            ),
            models.CheckConstraint(
                condition=models.Q(
                    chains__range=_CHAINS,
                    side__range=_SIDES,
                    number__range=(1, MOST + 1),
                ),
                name="bid_range",
                violation_error_message=_("A bid is 0 to 24 chains."),
            ),
        )

    def __str__(self) -> str:
        return str(self.chains)
