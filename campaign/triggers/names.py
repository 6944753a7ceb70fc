"""What triggers and the journal's own tables are called."""

from campaign.models import Entry, RowChange

PREFIX = "journal_"
CHANGES = RowChange._meta.db_table
KEPT = (Entry._meta.db_table, CHANGES)
"""The tables to which rows are only added."""
