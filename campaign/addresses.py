"""Where Choirbook can be reached on the network, and which addresses are its own."""

from __future__ import annotations

import fcntl
import ipaddress
import socket
import struct
from collections.abc import Callable, Iterable
from urllib.parse import urlsplit

from django.http import HttpRequest
from django.http.request import split_domain_port
from django.utils.http import url_has_allowed_host_and_scheme

# Bridges of containers and virtual machines: no phone comes in there.
INNER = ("docker", "br-", "veth", "virbr", "lxc", "cni", "podman")
SIOCGIFADDR = 0x8915
SECONDS_TO_ANSWER = 0.3


def lan_addresses() -> list[str]:
    """The IPv4 addresses a phone may try, the likeliest first. Sends nothing.

    The likeliest is the one that packets for elsewhere would leave by; then come those
    of the other network interfaces, where the system tells them. Empty without network.
    """
    candidates = [_route_address(), *_interface_addresses()]
    return [address for address in dict.fromkeys(candidates) if _is_reachable(address)]


def base(address: str, port: int | str) -> str:
    """The address of the first page over plain http."""
    return f"http://{address}/" if int(port) == 80 else f"http://{address}:{port}/"


def addresses_of(request: HttpRequest) -> list[str]:
    """The first page's addresses to give to phones, the likeliest first."""
    own = f"{request.scheme}://{request.get_host()}/"
    return [own] if request.is_secure() else offered(own, lan_addresses(), _answers)


def offered(
    own: str, others: Iterable[str], answers: Callable[[str, int], bool]
) -> list[str]:
    """What phones may try: addresses of the first page, the likeliest first.

    ``own``, by which somebody came, works unless it is this machine's name for itself.
    ``others`` of this machine are offered where something ``answers`` at that port: the
    server may listen on one alone. Without any of them it is ``own`` after all.
    """
    domain, port = split_domain_port(urlsplit(own).netloc)
    port = int(port or 80)
    found = [base(address, port) for address in others if answers(address, port)]
    match _kind(domain):
        case "inner":
            return found or [own]
        case "address":
            return list(dict.fromkeys([own, *found]))
    return [*found, own]


def is_local(address: str) -> bool:
    """Whether it is a path of this site, so that a form may lead there."""
    return address.startswith("/") and url_has_allowed_host_and_scheme(address, None)


def is_inner(address: str) -> bool:
    """Whether this machine alone can use the address of a first page."""
    return _kind(split_domain_port(urlsplit(address).netloc)[0]) == "inner"


def _kind(domain: str) -> str:
    """What a host is called by: "inner" for this machine alone, "address" or "name"."""
    try:
        address = ipaddress.ip_address(domain.strip("[]"))
    except ValueError:
        return "inner" if domain == "localhost" else "name"
    return "inner" if address.is_loopback else "address"


def _answers(address: str, port: int) -> bool:
    try:
        socket.create_connection((address, port), SECONDS_TO_ANSWER).close()
    except OSError:
        return False
    return True


def _route_address() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        return probe.getsockname()[0]


def _interface_addresses() -> list[str]:
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            if name.startswith(INNER):
                continue
            question = struct.pack("256s", name.encode()[:15])
            try:
                answer = fcntl.ioctl(probe, SIOCGIFADDR, question)
            except OSError:  # an interface without an IPv4 address
                continue
            found.append(socket.inet_ntoa(answer[20:24]))
    return found


def _is_reachable(text: str) -> bool:
    if not text:
        return False
    address = ipaddress.IPv4Address(text)
    return not (address.is_loopback or address.is_unspecified or address.is_multicast)
