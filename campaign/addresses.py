"""Where this machine can be reached on the network it is in."""

from __future__ import annotations

import fcntl
import ipaddress
import socket
import struct

# Bridges of containers and virtual machines: no phone comes in there.
INNER = ("docker", "br-", "veth", "virbr", "lxc", "cni", "podman")
SIOCGIFADDR = 0x8915


def lan_addresses() -> list[str]:
    """The IPv4 addresses a phone may try, the likeliest first. Sends nothing.

    The likeliest is the one that packets for elsewhere would leave by; then come those
    of the other network interfaces, where the system tells them. Empty without network.
    """
    candidates = [_route_address(), *_interface_addresses()]
    return [address for address in dict.fromkeys(candidates) if _is_reachable(address)]


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
