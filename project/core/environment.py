"""Reads settings from the environment. One that is wrong is named: nothing here raises but `ImproperlyConfigured`."""

import logging
from ipaddress import IPv4Network, IPv6Network, ip_network
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

SHORTEST_KEY = 32
"""Bytes of a secret that signs or seals."""


class Environment(environ.Env):
    """The environment's variables, with the kinds that our settings have."""

    def number(self, name: str, *, default: int, least: int = 0) -> int:
        """A whole number of at least `least`."""
        try:
            number = int(self.str(name, default=str(default)))
        except ValueError:
            number = least - 1
        if number < least:
            raise ImproperlyConfigured(f"{name} must be a whole number from {least} on.")
        return number

    def networks(self, name: str, *, default: list[str]) -> list[IPv4Network | IPv6Network]:
        try:
            return [ip_network(one) for one in self.list(name, default=default)]
        except ValueError as error:
            raise ImproperlyConfigured(f"{name} must name networks such as 10.0.0.0/8: {error}.") from error

    def keys(self, name: str) -> list[str]:
        """Secrets, by commas; none where it is not set."""
        keys: list[str] = self.list(name, default=[])
        if any(len(key.encode()) < SHORTEST_KEY for key in keys):
            raise ImproperlyConfigured(f"Each of {name} must have at least {SHORTEST_KEY} bytes.")
        return keys

    def address(self, name: str, *, default: str) -> str:
        """Of a site, without a slash at its end; empty where it is not set and `default` is."""
        address: str = self.str(name, default=default)
        if address and not _is_address(address):
            raise ImproperlyConfigured(f"{name} must be an address such as https://example.com.")
        return address.rstrip("/")

    def origins(self, name: str) -> list[str]:
        origins: list[str] = self.list(name, default=[])
        if any(not _is_address(origin) or urlsplit(origin).path for origin in origins):
            raise ImproperlyConfigured(f"{name} must name origins such as https://example.com:8443, by commas.")
        return origins

    def level(self, name: str, *, default: str) -> str:
        """Of the log."""
        level: str = self.str(name, default=default).upper()
        levels = logging.getLevelNamesMapping()
        if level not in levels:
            raise ImproperlyConfigured(f"{name} must be one of {', '.join(sorted(levels, key=levels.__getitem__))}.")
        return level


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
