"""The test server for PostgreSQL: a URL that works, a socket, and nothing left."""

import tempfile
from pathlib import Path

import psycopg
import pytest

from tools.postgres import Server, ServerError, main


@pytest.fixture
def folder():
    with tempfile.TemporaryDirectory(prefix="choirbook-") as made:
        yield Path(made, "server")


def enterable(folder):
    """Root's server runs as nobody, who has to reach the folder."""
    folder.parent.chmod(0o755)
    return folder


def test_server_answers_at_its_url_and_leaves_nothing(folder, capsys):
    assert main(["start", "--folder", str(enterable(folder))]) == 0
    url = capsys.readouterr().out.strip()
    try:
        with psycopg.connect(url) as connection:
            query = (
                "SELECT current_user, upper('é'), current_setting('listen_addresses')"
            )
            assert connection.execute(query).fetchone() == ("postgres", "É", "")
    finally:
        assert main(["stop", "--folder", str(folder)]) == 0
    assert not folder.exists()
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(url)


def test_stop_without_a_server_is_fine(folder):
    assert main(["stop", "--folder", str(folder)]) == 0


def test_second_start_in_one_folder_is_refused(folder):
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "postmaster.pid").write_text("1", encoding="utf-8")
    with pytest.raises(ServerError, match="already runs"):
        Server(folder).start()
