"""Open the house: bring the database up to date, say where Choirbook is, and serve."""

from __future__ import annotations

import errno
import socket
from argparse import ArgumentParser

import uvicorn
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection, connections
from django.db.migrations.executor import MigrationExecutor
from django.urls import reverse
from django.utils.translation import gettext as _
from uvicorn.supervisors import Multiprocess

from campaign.access import Role
from campaign.addresses import base, is_inner, lan_addresses
from campaign.backups.schedule import Schedule
from campaign.checks import guard_problems
from campaign.hostlink import host_link_create
from campaign.joining import codes_of
from campaign.keeper import KEEPER, keeper_ensure
from campaign.models import Choir
from campaign.serving import hold
from campaign.squares import terminal

# The phones of the network have to come in.
EVERYWHERE = "0.0.0.0"  # nosec B104
LOCAL = ("127.0.0.1", "localhost")
SECONDS_FOR_STREAMS = 2


class Command(BaseCommand):
    help = "Serves Choirbook on this network, and prints its address and QR code."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=EVERYWHERE, help="address to listen on")
        parser.add_argument("--port", type=_port, default=8000)
        parser.add_argument(
            "--workers",
            type=int,
            default=1,
            help="server processes; more than one needs PostgreSQL",
        )

    def handle(self, *, host: str, port: int, workers: int, **options: object) -> None:
        if workers < 1:
            raise CommandError(_("At least one worker has to serve."))
        if workers > 1 and settings.SQLITE:
            raise CommandError(
                _(
                    "SQLite serves with one worker only. "
                    "For more, set DATABASE_URL to a PostgreSQL database."
                )
            )
        with _listen(host, port) as listener:
            hold()
            self._bring_up_to_date()
            self._welcome(host, listener.getsockname()[1])
            connections.close_all()
            with Schedule():
                self._serve(listener, workers)
            self.stdout.write(_("Choirbook is closed."))

    def _bring_up_to_date(self) -> None:
        executor = MigrationExecutor(connection)
        # A start that was cut off after its last migration made no triggers as yet.
        if executor.migration_plan(executor.loader.graph.leaf_nodes()) or (
            guard_problems(connection)
        ):
            self.stdout.write(_("Bringing the database up to date."))
            call_command("migrate", verbosity=0, interactive=False)

    def _welcome(self, host: str, port: int) -> None:
        write = self.stdout.write
        password = keeper_ensure()
        addresses = _public_addresses(host, port)

        write("")
        if addresses:
            write(_("Choirbook is open. Phones in this network reach it at"))
            for address in addresses:
                write(f"  {address}")
            write("")
            self._invite(addresses[0])
            write("")
        else:
            write(_("Choirbook is open, on this machine alone."))
        local = _local_address(host, port, addresses)
        write(_("On this laptop, open this link once to be host of every choir:"))
        write(f"  {local}host/{host_link_create()}/")
        write("")
        write(_("Admin panel: {address}").format(address=f"{local}admin/"))
        if password:
            write(
                _("  user {name}, password {password} (shown this once)").format(
                    name=KEEPER, password=password
                )
            )
        else:
            write(_("  password forgotten? make admin-password"))
        write("")
        write(_("Ctrl-C closes Choirbook. Everything is saved."))
        self.stdout.flush()

    def _invite(self, address: str) -> None:
        """Print the code of each choir, and a square that leads to joining.

        With one choir the square holds its players' code. Otherwise it leads to the
        page that asks for a code. The sample choirs are for looking around.
        """
        choirs = Choir.objects.filter(archived_at=None, is_sample=False)
        codes = {choir.name: codes_of(choir.id) for choir in choirs}
        opened = [each for each in codes.values() if each[Role.PLAYER].is_open]
        where = address.rstrip("/") + reverse("join_code")
        if len(codes) == len(opened) == 1:
            shown = opened[0][Role.PLAYER].shown
            where = address.rstrip("/") + reverse("join_with", args=[shown])
        self.stdout.write(terminal(where, colours=self.stdout.isatty()))
        self.stdout.write(where)
        if codes:
            self.stdout.write("")
            self.stdout.write(_("Codes to join with:"))
        for name, of_choir in codes.items():
            if of_choir[Role.PLAYER].is_open:
                line = _("  {choir}: players {player}, spectators {spectator}")
            else:
                line = _("  {choir}: closed")
            self.stdout.write(
                line.format(
                    choir=name,
                    player=of_choir[Role.PLAYER].shown,
                    spectator=of_choir[Role.SPECTATOR].shown,
                )
            )

    def _serve(self, listener: socket.socket, workers: int) -> None:
        config = uvicorn.Config(
            settings.ASGI_APPLICATION.replace(".application", ":application"),
            workers=workers,
            lifespan="off",
            log_config=None,  # as settings.LOGGING says
            log_level="warning",
            timeout_graceful_shutdown=SECONDS_FOR_STREAMS,
        )
        try:
            if workers > 1:
                Multiprocess(config, sockets=[listener]).run()
            else:
                uvicorn.Server(config).run([listener])
        except KeyboardInterrupt:
            pass  # uvicorn passes Ctrl-C on once it has stopped


def _port(text: str) -> int:
    """A port from the command line. Raises ``ValueError`` outside 0 to 65535."""
    port = int(text)
    if not 0 <= port <= 65535:
        raise ValueError(text)
    return port


def _listen(host: str, port: int) -> socket.socket:
    """The socket to serve on, taken before anything is changed or printed."""
    try:
        return socket.create_server((host, port), backlog=2048)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            problem = _("Port {port} is taken by another program.")
        elif error.errno == errno.EACCES:
            problem = _("Port {port} is not open to this user.")
        else:
            raise CommandError(
                _("Cannot listen on {host}: {error}").format(host=host, error=error)
            ) from error
        advice = _("This one is free: make play PORT={free}")
        raise CommandError(
            problem.format(port=port) + " " + advice.format(free=_free_port(host))
        ) from error


def _free_port(host: str) -> int:
    for port in (*range(8001, 8020), 0):
        try:
            with socket.create_server((host, port)) as probe:
                return probe.getsockname()[1]
        except OSError:
            continue
    raise CommandError(_("No port is free."))


def _local_address(host: str, port: int, addresses: list[str]) -> str:
    """The address for the browser of this machine itself."""
    if settings.HTTPS and addresses:
        return addresses[0]
    own = base(host, port)
    return own if host not in LOCAL and is_inner(own) else base("localhost", port)


def _public_addresses(host: str, port: int) -> list[str]:
    """The addresses to give away, the likeliest first; none when only this machine."""
    if settings.HTTPS:
        return [f"https://{name}/" for name in settings.HOST_NAMES]
    if host == EVERYWHERE:
        return [base(address, port) for address in lan_addresses()]
    if host in LOCAL:
        return []
    return [base(host, port)]
