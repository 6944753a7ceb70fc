"""The filled database and the export of this version, into tests/releases/.

    .venv/bin/python -m tools.release

Run it once for each version, after the last change of its models and before its tag;
every later version is tested to read them. What was released is never made anew: for
a version that is not out yet, remove its folder first.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import sys
import tempfile
import uuid
from pathlib import Path

from tools.findings import ROOT

RELEASES = ROOT / "tests" / "releases"
DATABASE = "choirbook.sqlite3"
EXPORT = "choir.json"
TOKEN = "token of the device in a released database"
"""The cookie of the one device in it, host of its choir."""


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="choirbook-") as folder:
        _set_up_django(Path(folder))
        # Known to Django only now.
        from campaign import VERSION  # noqa: PLC0415

        release = RELEASES / ".".join(VERSION.split(".")[:2])
        if release.exists():
            print(f"{release.relative_to(ROOT)} is there already. Nothing was made.")
            return 1
        choir_id = _fill()
        release.mkdir(parents=True)
        _write(release, Path(folder) / DATABASE, choir_id)
    for file in sorted(release.iterdir()):
        print(f"{file.relative_to(ROOT)}  {file.stat().st_size // 1000} kB")
    return 0


def _set_up_django(folder: Path) -> None:
    """Django on an empty, migrated SQLite database in ``folder``."""
    os.environ |= {
        "CHOIRBOOK_DATA": str(folder),
        "DATABASE_URL": f"sqlite:///{folder / DATABASE}",
        "DJANGO_SETTINGS_MODULE": "campaign.settings",
    }
    import django  # noqa: PLC0415
    from django.core.management import call_command  # noqa: PLC0415

    django.setup()
    call_command("migrate", verbosity=0)


def _fill() -> uuid.UUID:
    """A choir in mid-campaign, with an entry of each kind; one device is its host."""
    from django.utils import timezone  # noqa: PLC0415

    from campaign import journal  # noqa: PLC0415
    from campaign.access import Role, membership_grant  # noqa: PLC0415
    from campaign.actions.cards import card_add  # noqa: PLC0415
    from campaign.actions.keyforge.chains import chains_gain  # noqa: PLC0415
    from campaign.actions.keyforge.decks import archon_deck_add  # noqa: PLC0415
    from campaign.actions.keyforge.games import game_end, game_start  # noqa: PLC0415
    from campaign.actions.keyforge.house import house_edit  # noqa: PLC0415
    from campaign.actions.keyforge.matches import match_next  # noqa: PLC0415
    from campaign.actions.nights import night_close, night_open  # noqa: PLC0415
    from campaign.actions.sample import sample_found  # noqa: PLC0415
    from campaign.models import (  # noqa: PLC0415
        ArchonDeck,
        ArchonGame,
        Device,
        Saint,
    )

    choir_id = uuid.uuid4()

    def ask() -> journal.Ask:
        return journal.Ask(choir_id, journal.Actor("Rosa"), key=uuid.uuid4())

    sample_found(ask(), time_zone="Europe/Berlin")
    saints = list(Saint.objects.filter(choir=choir_id, status=Saint.Status.ACTIVE))
    journal.save_point(ask(), "Before the fifteenth night")
    night_open(ask(), date=timezone.now().date(), saints=saints)
    added = card_add(ask(), name="Hush", kind="omen", chapter="animus", place="stash")
    undone = journal.undo(ask(), added.id)
    journal.undo(ask(), undone.id)
    night_close(ask())
    journal.rewind(ask(), undone.number)
    for name, standing in (("Brother Umbra", 14), ("The Bee Widow", 3)):
        archon_deck_add(ask(), name=name, standing=standing, owner_name="Rosa")
    house_edit(ask(), opening="counts", after_game="stays", organised=True)
    umbra, widow = ArchonDeck.objects.filter(choir=choir_id)
    chains_gain(ask(), deck=widow.id, number=2)
    game_start(ask(), deck_0=umbra, deck_1=widow, format="adaptive")
    # Two games that one deck won: the match is left while its players bid.
    for winner in (0, 1):
        game = ArchonGame.objects.get(choir=choir_id, state="in-play")
        game_end(ask(), game=game.id, winner=winner)
        if winner == 0:
            match_next(ask(), match=game.match_id)
    device = Device.objects.create(
        token_digest=hashlib.sha256(TOKEN.encode()).hexdigest(),
        created_at=timezone.now(),
    )
    membership_grant(device, choir_id, Role.HOST)
    return choir_id


def _write(release: Path, database: Path, choir_id: uuid.UUID) -> None:
    from django.db import connection  # noqa: PLC0415

    from campaign.exports import export_text  # noqa: PLC0415

    (release / EXPORT).write_text(export_text(choir_id), encoding="utf-8")
    connection.close()
    # A copy that leaves out what was deleted, and is whole without a log beside it.
    with sqlite3.connect(database) as source:
        source.execute("VACUUM INTO ?", [str(release / DATABASE)])
    source.close()


if __name__ == "__main__":
    sys.exit(main())
