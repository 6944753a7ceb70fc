"""The addresses that the start page offers to phones."""

import ipaddress
import socket

from campaign.addresses import lan_addresses


def test_addresses_are_this_machines_own_and_different():
    addresses = lan_addresses()
    assert len(addresses) == len(set(addresses))
    for address in addresses:
        assert not ipaddress.IPv4Address(address).is_loopback
        with socket.create_server((address, 0)) as listener:
            assert listener.getsockname()[0] == address
