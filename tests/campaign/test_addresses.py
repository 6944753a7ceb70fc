"""The addresses that the start page offers to phones."""

import ipaddress
import socket

import pytest
from django.test import RequestFactory

from campaign import addresses
from campaign.addresses import lan_addresses

pytestmark = pytest.mark.once


def test_addresses_are_this_machines_own_and_different():
    addresses = lan_addresses()
    assert len(addresses) == len(set(addresses))
    for address in addresses:
        assert not ipaddress.IPv4Address(address).is_loopback
        with socket.create_server((address, 0)) as listener:
            assert listener.getsockname()[0] == address


HERE, THERE = "192.168.1.20", "10.0.0.2"


@pytest.mark.parametrize(
    ("host", "answering", "expected"),
    [
        ("localhost:8000", [HERE, THERE], [HERE, THERE]),
        ("127.0.0.1:8000", [THERE], [THERE]),
        ("127.0.0.1:8000", [], ["127.0.0.1"]),
        ("10.0.0.2:8000", [HERE, THERE], [THERE, HERE]),
        ("10.0.0.2:8000", [], [THERE]),
        ("laptop.local:8000", [HERE], [HERE, "laptop.local"]),
        ("[::1]:8000", [], ["[::1]"]),
    ],
)
def test_addresses_for_phones_are_those_that_answer(host, answering, expected):
    asked = [(each, 8000) for each in answering]
    found = addresses.offered(
        f"http://{host}/", [HERE, THERE], lambda *where: where in asked
    )
    assert found == [f"http://{each}:8000/" for each in expected]


def test_port_80_is_not_written():
    found = addresses.offered(
        "http://localhost/", [HERE], lambda *where: where == (HERE, 80)
    )
    assert found == [f"http://{HERE}/"]


def test_behind_https_the_own_name_is_the_address():
    request = RequestFactory().get("/", HTTP_HOST="choir.example", secure=True)
    assert addresses.addresses_of(request) == ["https://choir.example/"]


@pytest.mark.parametrize(
    ("address", "inner"),
    [
        ("http://localhost:8000/", True),
        ("http://127.0.0.2:8000/", True),
        ("http://[::1]:8000/", True),
        ("http://localhost/", True),
        (f"http://{HERE}:8000/", False),
        ("http://laptop.local:8000/", False),
    ],
)
def test_addresses_for_this_machine_alone_are_known(address, inner):
    assert addresses.is_inner(address) is inner


def test_what_answers_is_found_by_asking():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        assert addresses._answers("127.0.0.1", port)
    assert not addresses._answers("127.0.0.1", port)
