"""What every released version left behind is brought up to date on PostgreSQL too."""

from __future__ import annotations

import pytest
from django.db import connection

from campaign.exports import read_export
from tests.releases.moving import moved
from tests.releases.whole import VERSIONS, check_is_whole
from tools.release import DATABASE, EXPORT, RELEASES

if connection.vendor == "postgresql":

    @pytest.mark.parametrize("version", VERSIONS)
    def test_filled_database_is_brought_up_to_date_on_postgresql(version, tmp_path):
        folder = RELEASES / version
        export = read_export((folder / EXPORT).read_text(encoding="utf-8"))
        with moved(folder / DATABASE, tmp_path) as server:
            check_is_whole(server, export)
            assert "no issues" in server.manage("check", "--database", "default")
