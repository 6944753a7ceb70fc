"""Why there is no copy."""


class BackupFailed(Exception):
    """No copy could be made or put back; the sentence says why and what to do."""
