from campaign.models.attempts import Attempt, AttemptSaint, TallyMark
from campaign.models.cards import Card
from campaign.models.choirs import Choir, Flag, Player
from campaign.models.devices import Device, HostLink, Membership
from campaign.models.journal import Entry, RowChange
from campaign.models.nights import GameNight, Presence
from campaign.models.rows import ArchivableRow, ChoirRow
from campaign.models.saints import Saint

TRACKED = (
    Choir,
    Player,
    Saint,
    GameNight,
    Presence,
    Attempt,
    AttemptSaint,
    TallyMark,
    Card,
    Flag,
)
"""The models whose rows the journal keeps, parents before children."""

__all__ = [
    "TRACKED",
    "ArchivableRow",
    "Attempt",
    "AttemptSaint",
    "Card",
    "Choir",
    "ChoirRow",
    "Device",
    "Entry",
    "Flag",
    "GameNight",
    "HostLink",
    "Membership",
    "Player",
    "Presence",
    "RowChange",
    "Saint",
    "TallyMark",
]
