"""The company's identity provider, by OpenID Connect: its discovery document, its keys and its id tokens.

Only `code` with PKCE is used. The id token's signature is checked although it comes from the provider directly.
"""

import json
import threading
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import httpx
import jwt
from django.conf import settings

from project.core import clock
from project.doors.rules import CompanyUnavailable, NoCompany

SECONDS = 5.0
"""How long all calls of one sign-in step to the provider may take together, however slowly it answers."""
WAITS = 1.0
"""How long a caller waits, in seconds, while another one asks for the discovery document."""
MOST_BYTES = 1_000_000
KNOWN_FOR = timedelta(hours=1)
"""How long discovery document and keys are used before they are asked for again."""
ASKED_AGAIN = timedelta(minutes=1)
"""An unknown key makes the keys be asked for again, at most this often."""
PAUSE = timedelta(seconds=10)
"""A provider that failed is not asked again for this time: callers must not queue up for it."""
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Signatures by a private key. `none` and those by a shared secret are refused."""


class BadToken(Exception):
    """The provider refused the code, or its id token is missing or not valid."""


@dataclass(frozen=True)
class Provider:
    """The company's identity provider: the addresses of its discovery document, and its signing keys."""

    issuer: str
    authorization: str
    token: str
    keys_address: str
    end_session: str | None
    secret_in_body: bool
    keys: dict[str | None, jwt.PyJWK]
    read_at: datetime


_lock = threading.Lock()
_known: dict[str, Provider] = {}
_failed: dict[str, datetime] = {}


def company() -> dict[str, Any]:
    """Return the settings of the company's provider. Raises `NoCompany`."""
    found: dict[str, Any] | None = settings.COMPANY_ACCOUNTS
    if found is None:
        raise NoCompany
    return found


def provider() -> Provider:
    """Return the provider of `OIDC_ISSUER`. Raises `CompanyUnavailable`."""
    return _at_most(KNOWN_FOR)


def _at_most(age: timedelta) -> Provider:
    """Return the provider as it was read within `age`.

    While another caller reads it slowly, return it as it was read before, or raise `CompanyUnavailable`.
    """
    issuer = company()["issuer"]
    if (found := _read_within(age, issuer)) is not None:
        return found
    if not _lock.acquire(timeout=WAITS):
        if issuer not in _known:
            raise CompanyUnavailable
        return _known[issuer]
    try:
        if (found := _read_within(age, issuer)) is not None:
            return found
        if issuer in _failed and timedelta() <= clock.now() - _failed[issuer] < PAUSE:
            raise CompanyUnavailable
        try:
            found = _known[issuer] = _discovered(issuer)
        except CompanyUnavailable:
            _failed[issuer] = clock.now()
            raise
        return found
    finally:
        _lock.release()


def _read_within(age: timedelta, issuer: str) -> Provider | None:
    found = _known.get(issuer)
    return found if found is not None and timedelta() <= clock.now() - found.read_at < age else None


def _discovered(issuer: str) -> Provider:
    until = time.monotonic() + SECONDS
    with httpx.Client() as client:
        document = _json(client, "GET", f"{issuer.rstrip('/')}/.well-known/openid-configuration", until)
        if document.get("issuer") != issuer:
            raise CompanyUnavailable
        keys_address = _address(document, "jwks_uri", issuer)
        keys = _json(client, "GET", keys_address, until)
    methods = document.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
    return Provider(
        issuer=issuer,
        authorization=_address(document, "authorization_endpoint", issuer),
        token=_address(document, "token_endpoint", issuer),
        keys_address=keys_address,
        end_session=_address(document, "end_session_endpoint", issuer) if "end_session_endpoint" in document else None,
        secret_in_body="client_secret_basic" not in methods,
        keys=_keys(keys),
        read_at=clock.now(),
    )


def _keys(document: dict[str, Any]) -> dict[str | None, jwt.PyJWK]:
    """Return the signing keys by their id, without those of unknown kinds."""
    try:
        usable = [key for key in jwt.PyJWKSet.from_dict(document).keys if key.public_key_use in (None, "sig")]
    except (jwt.PyJWTError, AttributeError, TypeError) as error:
        raise CompanyUnavailable from error
    return {key.key_id: key for key in usable if key.algorithm_name in ALGORITHMS}


def id_token_of(code: str, *, verifier: str, redirect_uri: str) -> str:
    """Exchange the code for an id token. Raises `CompanyUnavailable`, or `BadToken` if the code is refused."""
    of, found = company(), provider()
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": redirect_uri,
        "code_verifier": verifier,
        "client_id": of["client_id"],
    }
    basic = httpx.BasicAuth(of["client_id"], of["client_secret"])
    secret = {"client_secret": of["client_secret"]} if found.secret_in_body else {}
    until = time.monotonic() + SECONDS
    with httpx.Client(auth=None if found.secret_in_body else basic) as client:
        answer = _json(client, "POST", found.token, until, data=form | secret)
    token = answer.get("id_token")
    if not isinstance(token, str):
        raise BadToken("no id token")
    return token


def claims_of(id_token: str, *, nonce: str) -> dict[str, Any]:
    """Return the claims of an id token. Raises `BadToken`, and `CompanyUnavailable` if the keys cannot be read."""
    of = company()
    try:
        header = jwt.get_unverified_header(id_token)
        claims: dict[str, Any] = jwt.decode(
            id_token,
            _key(header.get("kid")),
            algorithms=ALGORITHMS,
            audience=of["client_id"],
            issuer=of["issuer"],
            options={"require": ["iss", "sub", "aud", "exp", "iat"], "verify_exp": False, "verify_iat": False},
        )
        expires, issued = (datetime.fromtimestamp(claims[name], clock.now().tzinfo) for name in ("exp", "iat"))
    except (jwt.PyJWTError, ValueError, TypeError, OverflowError, OSError) as error:
        raise BadToken(type(error).__name__) from error
    now = clock.now()
    if expires <= now - clock.CLOCKS_DIFFER or issued > now + clock.CLOCKS_DIFFER:
        raise BadToken("expired")
    if claims.get("nonce") != nonce:
        raise BadToken("nonce")
    audience = claims["aud"] if isinstance(claims["aud"], list) else [claims["aud"]]
    if (len(audience) > 1 or "azp" in claims) and claims.get("azp") != of["client_id"]:
        raise BadToken("another party")
    return claims


def _key(key_id: str | None) -> jwt.PyJWK:
    """Return the key with this id. Keys are asked for again once if it is new. Raises `BadToken`."""
    for found in (provider(), _at_most(ASKED_AGAIN)):
        if key_id is None and len(found.keys) == 1:
            return next(iter(found.keys.values()))
        if key_id in found.keys:
            return found.keys[key_id]
    raise BadToken("unknown key")


def _address(document: dict[str, Any], name: str, issuer: str) -> str:
    """Return an address of the discovery document, as safe as the issuer's own. Raises `CompanyUnavailable`."""
    address = document.get(name)
    if not isinstance(address, str) or not urlsplit(address).hostname:
        raise CompanyUnavailable
    if urlsplit(address).scheme not in ("https", urlsplit(issuer).scheme):
        raise CompanyUnavailable
    return address


def _json(client: httpx.Client, method: str, address: str, until: float, **sent: Any) -> dict[str, Any]:
    """Return the JSON object that an address answers. Raises `CompanyUnavailable`, and `BadToken` for a 4xx.

    `until`: when to give up, by the monotonic clock.
    """
    left = until - time.monotonic()
    if left <= 0:
        raise CompanyUnavailable
    try:
        with client.stream(method, address, headers={"Accept": "application/json"}, timeout=left, **sent) as response:
            body = b""
            # The timeout is that of each read: a body that drips would last as long as it likes.
            for piece in response.iter_bytes():
                body += piece
                if len(body) > MOST_BYTES or time.monotonic() > until:
                    raise CompanyUnavailable
        if method == "POST" and 400 <= response.status_code < 500:
            raise BadToken(f"the code was refused with {response.status_code}")
        response.raise_for_status()
        answer = json.loads(body)
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        raise CompanyUnavailable from error
    if not isinstance(answer, dict) or response.status_code != 200:
        raise CompanyUnavailable
    return answer
