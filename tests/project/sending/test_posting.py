"""Posting to foreign hosts: which addresses are allowed, and the reasons for failures."""

import ipaddress
import socket
from collections.abc import Iterator
from unittest.mock import Mock

import pytest
from django.conf import LazySettings

from project.sending.posting import may_reach, post
from tests.project.integrations.receivers import Receiver, receiver


@pytest.fixture
def erp(settings: LazySettings) -> Iterator[Receiver]:
    settings.DEBUG = True  # loopback addresses are allowed only with DEBUG
    with receiver() as found:
        yield found


@pytest.mark.parametrize(
    "address",
    [
        *(
            "fec0::1",
            "::10.0.0.7",
            "::ffff:0:10.0.0.7",
            "5f00::1",
            "100::1",
            "64:ff9b::a00:1",
            "64:ff9b:1::a00:1",
            "::",
        ),
        *(
            "2001::1",
            "2001:1::1",
            "2001:20::1",
            "2001:db8::1",
            "2002:a00:1::1",
            "3ffe::1",
            "3fff::1",
            "fe80::1",
            "ff02::1",
        ),
        *("192.0.0.9", "192.88.99.1", "198.18.0.1", "240.0.0.1", "0.0.0.0"),  # noqa: S104
    ],
)
def test_special_and_former_ranges_cannot_be_reached(settings: LazySettings, address: str) -> None:
    settings.DEBUG = True
    assert not may_reach(address)


def test_public_addresses_can_be_reached() -> None:
    for address in ("93.184.216.34", "2606:2800:220:1::1", "2a00:1450:4003::1", "2001:4860:4860::8888"):
        assert may_reach(address)


@pytest.mark.parametrize("leads_to", ["10.1.2.3", "127.0.0.1", "169.254.169.254", "fd00::1", "64:ff9b::a00:1"])
def test_name_that_resolves_to_a_private_address_is_not_connected_to(
    erp: Receiver, settings: LazySettings, monkeypatch: pytest.MonkeyPatch, leads_to: str
) -> None:
    settings.DEBUG = False
    port = int(erp.url.split(":")[2].split("/")[0])
    found = [(0, 0, 0, "", ("93.184.216.34", port)), (0, 0, 0, "", (leads_to, port))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **options: found)
    url = f"http://erp.example.com:{port}/hook"
    sent = post(url, [], b"{}", seconds=15)
    assert (sent.status, sent.failure) == (None, "private_address")
    assert erp.received == []


def test_private_network_can_be_reached_if_the_setting_allows_it(settings: LazySettings) -> None:
    assert not may_reach("10.20.1.1")
    settings.WEBHOOK_NETWORKS = [ipaddress.ip_network("10.20.0.0/16")]
    assert may_reach("10.20.1.1")
    assert may_reach("::ffff:10.20.1.1")
    assert not may_reach("10.21.1.1")
    assert may_reach("93.184.216.34")


def test_silent_receiver_times_out(settings: LazySettings) -> None:
    settings.DEBUG = True
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        sent = post(url, [], b"{}", seconds=0.3)
    assert (sent.status, sent.failure) == (None, "timeout")


def test_failure_has_a_reason(erp: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    def failure_of(url: str) -> str | None:
        return post(url, [], b"{}", seconds=15).failure

    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    assert failure_of(f"http://127.0.0.1:{port}/") == "unreachable"
    assert failure_of(erp.url.replace("http:", "https:")) == "tls"
    assert failure_of(erp.url) is None
    monkeypatch.setattr(socket, "getaddrinfo", Mock(side_effect=socket.gaierror(-2, "Name or service not known")))
    assert failure_of("https://erp.example.com/") == "unknown_name"
