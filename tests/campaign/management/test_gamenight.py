"""What `manage.py gamenight` refuses, before it changes or prints anything."""

import socket

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection

from campaign import triggers
from campaign.management.commands import gamenight


def test_port_that_is_taken_names_a_free_one():
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        with pytest.raises(CommandError) as refused:
            call_command("gamenight", host="127.0.0.1", port=taken)
    message = str(refused.value)
    free = int(message.rpartition("PORT=")[2])
    assert message.startswith(f"Port {taken} is taken by another program.")
    with socket.create_server(("127.0.0.1", free)):
        assert free != taken


def test_address_of_another_machine_is_refused():
    with pytest.raises(CommandError, match=r"^Cannot listen on 192\.0\.2\.1: "):
        call_command("gamenight", host="192.0.2.1", port=0)


@pytest.mark.parametrize("port", ["-1", "65536", "http"])
def test_impossible_port_is_refused(port):
    with pytest.raises(CommandError, match="argument --port: invalid"):
        call_command("gamenight", f"--port={port}")


def test_no_worker_is_refused():
    with pytest.raises(CommandError, match="At least one worker"):
        call_command("gamenight", workers=0)


def test_second_worker_on_sqlite_is_refused(monkeypatch):
    monkeypatch.setattr(settings, "SQLITE", True)
    with pytest.raises(CommandError, match="SQLite serves with one worker only"):
        call_command("gamenight", workers=2)


@pytest.mark.django_db(transaction=True)
def test_start_that_was_cut_off_before_its_triggers_makes_them():
    triggers.drop(connection)
    gamenight.Command()._bring_up_to_date()
    assert triggers.differences(connection) == []
