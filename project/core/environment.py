"""Read settings from the environment. A wrong value raises `ImproperlyConfigured`, which names the variable."""

import logging
import re
from datetime import date
from decimal import Decimal, InvalidOperation
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import environ
from django.core.exceptions import ImproperlyConfigured

SHORTEST_KEY = 32
"""The minimum length, in bytes, of a secret that signs or encrypts."""
FLAGS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
SENTINEL = "redis+sentinel://"
SENTINEL_PORT = 26379
_OF_SENTINEL = re.compile(
    re.escape(SENTINEL)
    + r"(?::(?P<password>[^@/]*)@)?(?P<hosts>[^@/]+)/(?P<name>[\w.-]+)(?:/(?P<database>[0-9]{1,3}))?"
)
_HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[\w.-]+)(?::([0-9]{1,5}))?")
_BETWEEN_URLS = re.compile(r",\s*(?=[a-z+]+://)")
_NUMBER = re.compile(r"[0-9]{1,9}")


class Environment(environ.Env):
    """Environment variables, with the types of the product's settings."""

    def number(self, name: str, *, default: int, least: int = 0) -> int:
        """Read a whole number of at least `least`."""
        written = self.str(name, default=str(default))
        if not _NUMBER.fullmatch(written) or int(written) < least:
            raise ImproperlyConfigured(f"{name} must be a whole number from {least} on.")
        return int(written)

    def flag(self, name: str) -> bool:
        """Read a flag; false if unset."""
        flag = FLAGS.get(self.str(name, default="").lower() or "false")
        if flag is None:
            raise ImproperlyConfigured(f"{name} must be true or false.")
        return flag

    def choice(self, name: str, default: str, *others: str) -> str:
        """Read one of a few words."""
        word: str = self.str(name, default=default)
        if word not in (default, *others):
            raise ImproperlyConfigured(f"{name} must be one of {', '.join((default, *others))}.")
        return word

    def zone(self, name: str, *, default: str) -> str:
        zone: str = self.str(name, default=default)
        try:
            ZoneInfo(zone)
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise ImproperlyConfigured(f"{name} must be a time zone such as America/Mexico_City.") from error
        return zone

    def folder(self, name: str, *, default: str) -> Path:
        """Read a writable folder; it is created if missing."""
        folder = Path(self.str(name, default=default)).resolve()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with TemporaryFile(dir=folder):
                return folder
        except OSError as error:
            raise ImproperlyConfigured(f"{name} cannot be written: {folder}: {error.strerror}.") from error

    def networks(self, name: str, *, default: list[str]) -> list[IPv4Network | IPv6Network]:
        try:
            return [ip_network(one) for one in self.list(name, default=default)]
        except ValueError as error:
            raise ImproperlyConfigured(f"{name} must name networks such as 10.0.0.0/8: {error}.") from error

    def keys(self, name: str) -> list[str]:
        """Read secrets separated by commas; an empty list if unset."""
        keys: list[str] = self.list(name, default=[])
        if any(len(key.encode()) < SHORTEST_KEY for key in keys):
            raise ImproperlyConfigured(f"Each of {name} must have at least {SHORTEST_KEY} bytes.")
        return keys

    def rates(self, name: str) -> dict[date, Decimal]:
        """Read percentages that change with time, as `2026-01-01:5,2026-07-01:6.5`; empty if unset."""
        try:
            pairs = [one.split(":") for one in self.list(name, default=[])]
            rates = {date.fromisoformat(day): Decimal(percent) for day, percent in pairs}
            known = all(0 <= percent <= 100 for percent in rates.values())
        except (ValueError, InvalidOperation) as error:
            raise ImproperlyConfigured(f"{name} must have days and percentages such as 2026-01-01:5.") from error
        if not known:
            raise ImproperlyConfigured(f"{name} must have percentages from 0 to 100.")
        return rates

    def address(self, name: str, *, default: str) -> str:
        """Read a site's URL without a trailing slash; empty if unset and `default` is empty."""
        address: str = self.str(name, default=default)
        if address and not _is_address(address):
            raise ImproperlyConfigured(f"{name} must be an address such as https://example.com.")
        return address.rstrip("/")

    def server(self, name: str, *schemes: str) -> str:
        """Read the URL of a server; empty if unset."""
        url: str = self.str(name, default="")
        if url and not _is_url(url, schemes):
            raise ImproperlyConfigured(f"{name} must begin with one of {', '.join(f'{one}://' for one in schemes)}.")
        return url

    def redis(self, name: str) -> list[dict[str, Any]]:
        """Read the addresses of Redis, in the form that channels-redis takes. An empty list if unset.

        Commas separate several addresses, which share the groups of messages. With Sentinels, give the addresses of the
        Sentinels: `redis+sentinel://:password@host:port,host:port/name/database`.
        """
        written: str = self.str(name, default="")
        if written.startswith(SENTINEL):
            return [_by_sentinel(name, written)]
        found = addresses_in(written)
        if not all(_is_url(one, ("redis", "rediss", "unix")) for one in found):
            raise ImproperlyConfigured(
                f"{name} must begin with one of redis://, rediss://, unix://, {SENTINEL}."
                " Several addresses are separated by commas."
            )
        return [{"address": one} for one in found]

    def origins(self, name: str) -> list[str]:
        origins: list[str] = self.list(name, default=[])
        if any(not _is_address(origin) or urlsplit(origin).path for origin in origins):
            raise ImproperlyConfigured(f"{name} must name origins such as https://example.com:8443, by commas.")
        return origins

    def level(self, name: str, *, default: str) -> str:
        """Read a log level."""
        level: str = self.str(name, default=default).upper()
        levels = logging.getLevelNamesMapping()
        if level not in levels:
            raise ImproperlyConfigured(f"{name} must be one of {', '.join(sorted(levels, key=levels.__getitem__))}.")
        return level


def addresses_in(text: str) -> list[str]:
    """Split a setting at its commas into URLs. A comma inside a URL does not split the URL."""
    return [one for one in _BETWEEN_URLS.split(text) if one]


def _by_sentinel(name: str, url: str) -> dict[str, Any]:
    found = _OF_SENTINEL.fullmatch(url)
    hosts = [_HOST.fullmatch(one) for one in found["hosts"].split(",")] if found else []
    if found is None or not all(hosts):
        raise ImproperlyConfigured(f"{name} must look like {SENTINEL}:password@host:26379,host:26379/name/0.")
    return {
        "sentinels": [(host[1].strip("[]"), int(host[2] or SENTINEL_PORT)) for host in hosts if host],
        "master_name": found["name"],
        "db": int(found["database"] or 0),
        "password": unquote(found["password"] or "") or None,
    }


def _is_address(text: str) -> bool:
    return _is_url(text, ("http", "https")) and bool(urlsplit(text).hostname)


def _is_url(text: str, schemes: tuple[str, ...]) -> bool:
    try:
        parts = urlsplit(text)
        named = bool(parts.netloc or parts.path.strip("/")) and "," not in (parts.hostname or "")
        return parts.scheme in schemes and named and parts.port != 0
    except ValueError:
        return False
