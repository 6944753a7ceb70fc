"""Copies of the whole database, made while Choirbook runs and checked when made.

``before(reason)`` is for whoever is about to change much: it makes a copy, and never
stops what it stands before. ``make(reason)`` raises ``BackupFailed``. Each copy is a
file with a note beside it (``shelf``): what it holds and its checksum.
``campaign.backups.restore`` puts one back.
"""

from campaign.backups.errors import BackupFailed
from campaign.backups.making import before, make
from campaign.backups.shelf import Note, Reason

__all__ = ["BackupFailed", "Note", "Reason", "before", "make"]
