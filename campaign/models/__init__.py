from campaign.models.attempts import Attempt, AttemptSaint, TallyMark
from campaign.models.cards import Card
from campaign.models.choirs import Choir, DeckSize, Flag, Player
from campaign.models.devices import (
    Device,
    HostLink,
    JoinAttempt,
    JoinCode,
    Membership,
    RecoveryKey,
)
from campaign.models.dreamers import DiscardPile
from campaign.models.journal import Entry, RowChange
from campaign.models.keyforge import (
    ArchonDeck,
    ArchonGame,
    ArchonMatch,
    ChainBid,
    GameSide,
    KeyforgeRules,
)
from campaign.models.nights import GameNight, Presence
from campaign.models.rows import ArchivableRow, ChoirRow
from campaign.models.saints import Saint
from campaign.models.serpents import ZigguratDie
from campaign.models.uploads import Upload

TRACKED = (
    Choir,
    Player,
    Saint,
    GameNight,
    Presence,
    Attempt,
    AttemptSaint,
    TallyMark,
    DiscardPile,
    ZigguratDie,
    Card,
    Flag,
    DeckSize,
    KeyforgeRules,
    ArchonDeck,
    ArchonMatch,
    ArchonGame,
    GameSide,
    ChainBid,
)
"""The models whose rows the journal keeps, parents before children."""

__all__ = [
    "TRACKED",
    "ArchonDeck",
    "ArchonGame",
    "ArchonMatch",
    "ArchivableRow",
    "Attempt",
    "AttemptSaint",
    "Card",
    "ChainBid",
    "Choir",
    "DeckSize",
    "ChoirRow",
    "Device",
    "DiscardPile",
    "Entry",
    "Flag",
    "GameNight",
    "GameSide",
    "HostLink",
    "JoinAttempt",
    "JoinCode",
    "KeyforgeRules",
    "Membership",
    "Player",
    "Presence",
    "RecoveryKey",
    "RowChange",
    "Saint",
    "TallyMark",
    "Upload",
    "ZigguratDie",
]
