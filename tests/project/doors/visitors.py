"""People at the sign-in page: browsers with their cookies, authenticator apps, and devices with passkeys."""

import hashlib
import json
import secrets
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import cbor2
import pyotp
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from django.test import Client
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

from project.core import clock
from project.identity.models import Role, User
from tests.builders import Answer, Caller, person

AUTHENTICATION, WAYS = "/identity/authentication", "/identity/ways"
PASSWORD = "Taller.2026"
ORIGIN = "http://localhost:8000"
"""The origin of `PUBLIC_URL` in tests."""


def account(name: str = "dora", *, requires: str = "none", **fields: Any) -> User:
    """Create a user with a password, whose role requires a second factor or not."""
    user = person(name, "ListOrders")
    user.set_password(PASSWORD)
    for column, value in fields.items():
        setattr(user, column, value)
    user.save()
    Role.objects.filter(users=user).update(second_factor=requires)
    return user


class Visitor:
    """A browser with a cookie jar."""

    def __init__(self) -> None:
        self.client = Client(raise_request_exception=False)

    def post(self, path: str, body: Any = None) -> Answer:
        return Answer(self.client.post(f"{AUTHENTICATION}/{path}", body or {}, content_type="application/json"))

    def sign_in(self, name: str = "dora", password: str = PASSWORD) -> Answer:
        return self.post("sign-in", {"username": f"{name}@obrador.test", "password": password})

    def challenge(self, name: str = "dora") -> str:
        """Sign in by the password, and return the challenge for the second step."""
        answer = self.sign_in(name)
        assert (answer.status, answer.code) == (401, "second_factor_required"), answer
        return str(answer.json["params"]["challenge"])

    def gives(self, challenge: str, code: str, **more: Any) -> Answer:
        return self.post("second-factor", {"challenge": challenge, "code": code, **more})


@dataclass
class App:
    """An authenticator app, put into use for a person."""

    secret: str
    recovery_codes: list[str]

    def code(self, seconds: int = 0) -> str:
        """The code that the app shows, on a phone whose clock is `seconds` ahead."""
        return pyotp.TOTP(self.secret).at(int(clock.now().timestamp()) + seconds)


def with_app(user: User) -> App:
    """Set up an app for the person, in their profile."""
    caller = Caller(user)
    seed = caller.post(f"{WAYS}/app", {"currentPassword": PASSWORD})
    assert seed.status == 200, seed
    with clock.at(clock.now()):  # or a step may end between the code and its check
        # The code of the step before: that of now stays good for the test.
        first = App(seed.json["secret"], []).code(-30)
        confirmed = caller.post(f"{WAYS}/app/confirm", {"code": first})
    assert confirmed.status == 200, confirmed
    return App(seed.json["secret"], confirmed.json["recoveryCodes"])


@dataclass
class Device:
    """A device that makes and uses passkeys, as the standard says. Its counter grows with each use."""

    origin: str = ORIGIN
    counts: bool = True
    verifies: bool = True
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    id: str = field(default_factory=lambda: bytes_to_base64url(secrets.token_bytes(32)))
    count: int = 0
    handle: str = ""

    def makes(self, given: Mapping[str, Any], name: str = "Teléfono") -> dict[str, str]:
        """Return the body that stores a new passkey, for the options that the server gave."""
        options = given["options"]
        self.handle = options["user"]["id"]
        numbers = self.key.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32), -3: numbers.y.to_bytes(32)}
        credential = base64url_to_bytes(self.id)
        attested = bytes(16) + struct.pack(">H", len(credential)) + credential + cbor2.dumps(public)
        data = self._data(options["rp"]["id"], attested)
        return {
            "state": given["state"],
            "name": name,
            "id": self.id,
            "clientData": bytes_to_base64url(self._client("webauthn.create", options["challenge"])),
            "attestation": bytes_to_base64url(cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})),
        }

    def answers(self, given: Mapping[str, Any]) -> dict[str, str]:
        """Return the body that signs in, for the options that the server gave."""
        options = given["options"]
        client, data = self._client("webauthn.get", options["challenge"]), self._data(options["rpId"])
        signature = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(SHA256()))
        return {
            "state": given["state"],
            "id": self.id,
            "clientData": bytes_to_base64url(client),
            "authenticatorData": bytes_to_base64url(data),
            "signature": bytes_to_base64url(signature),
            "handle": self.handle,
        }

    def _client(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _data(self, site: str, attested: bytes = b"") -> bytes:
        self.count += self.counts
        flags = 0x01 | (0x04 if self.verifies else 0) | (0x40 if attested else 0)
        return hashlib.sha256(site.encode()).digest() + struct.pack(">BI", flags, self.count) + attested


def with_passkey(user: User, device: Device | None = None, name: str = "Teléfono") -> Device:
    """Add a passkey of the device for the person, in their profile."""
    device, caller = device or Device(), Caller(user)
    given = caller.post(f"{WAYS}/passkeys/options", {"currentPassword": PASSWORD})
    assert given.status == 200, given
    added = caller.post(f"{WAYS}/passkeys", device.makes(given.json, name))
    assert added.status == 201, added
    return device
