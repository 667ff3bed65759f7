"""Access tokens: JWT (PyJWT), valid to the end of the plant's day and revocable at any time.

See infra/docs/rules.md#sessions.
"""

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

import jwt
from django.conf import settings

from project.access.models import SignedOutToken
from project.access.permissions import OF_CUSTOMERS, OF_DISPLAYS, OF_SERVICES
from project.access.principal import (
    EVERY_ORDER,
    Account,
    DisplayRights,
    Displays,
    LinkRights,
    Links,
    Principal,
    RightsOf,
    ServiceRights,
    Services,
    link_of_subject,
    subject_of_display,
    subject_of_link,
)
from project.core import clock, sealing
from project.core.errors import Unauthenticated
from project.core.schemas import MOST_ID

ALGORITHM = "HS256"
AUDIENCE = "obrador"
CLAIMS = ["sub", "iat", "exp", "jti", "ver", "aud"]
DISPLAY_TOKEN = "display-"  # noqa: S105 - a prefix; no JWT begins with it
SERVICE_TOKEN = "obr_"  # noqa: S105 - a prefix, recognizable in a file or a log
LINK = "link"
"""The `jti` of a page by link. The link's token is in the address, not in a header; `customer_links` looks it up."""


def _keys(of: tuple[str, ...]) -> dict[str, bytes]:
    """Return the keys derived from these secrets by key id (the header's `kid`). The first signs, all verify."""
    return {key_id.hex(): key for key_id, key in sealing.keys_of(b"obrador access token", of).items()}


def issue(account: Account) -> str:
    """Create a token for `account`: `sub` is the user id as text, `exp` the end of today in the plant's time zone.

    The web client reads `zone` to determine "today" and to show times in the plant's zone, and `currency` for prices.
    """
    claims = {
        "sub": str(account.pk),
        "iat": int(clock.now().timestamp()),
        "exp": int(clock.end_of_today().timestamp()),
        "jti": secrets.token_urlsafe(16),
        "ver": account.token_version,
        "aud": AUDIENCE,
        "zone": settings.PLANT_TIME_ZONE,
        "currency": settings.PLANT_CURRENCY,
    }
    key_id, key = next(iter(_keys(sealing.own_secrets()).items()))
    return jwt.encode(claims, key, algorithm=ALGORITHM, headers={"typ": "JWT", "kid": key_id})


def verify(token: str) -> Principal:
    """Return the caller that `token` identifies. Raises `Unauthenticated` if it is invalid, expired or revoked."""
    if token.startswith(DISPLAY_TOKEN):
        return _display_of(token)
    if token.startswith(SERVICE_TOKEN):
        return _service_of(token)
    claims = _claims_of(token, sealing.own_secrets())
    found = current(user_id=claims.user_id, jti=claims.jti, expires_at=claims.expires_at, version=claims.version)
    if found is None:
        raise Unauthenticated
    return found


@dataclass(frozen=True)
class _Claims:
    """The claims of a token signed by this installation."""

    user_id: int
    jti: str
    version: int
    expires_at: datetime


@lru_cache(maxsize=1_024)
def _claims_of(token: str, of: tuple[str, ...]) -> _Claims:
    """Return the claims of `token`. Cached, because a valid signature stays valid. Raises `Unauthenticated`.

    Expiry is not checked here.
    """
    try:
        whole = jwt.decode_complete(
            token,
            _keys(of)[jwt.get_unverified_header(token)["kid"]],
            algorithms=[ALGORITHM],
            audience=AUDIENCE,
            options={"require": CLAIMS, "verify_exp": False, "verify_iat": False},
        )
        header, claims = whole["header"], whole["payload"]
        user_id = int(claims["sub"])
        if header.get("typ") != "JWT" or "crit" in header or user_id > MOST_ID:
            raise Unauthenticated
        return _Claims(
            user_id=user_id,
            jti=str(claims["jti"]),
            version=int(claims["ver"]),
            expires_at=datetime.fromtimestamp(claims["exp"], UTC),
        )
    except (jwt.InvalidTokenError, KeyError, ValueError, TypeError, OverflowError, OSError) as error:
        raise Unauthenticated from error


def current(*, user_id: int, jti: str, expires_at: datetime, version: int | None = None) -> Principal | None:
    """Return the caller with current permissions; None if the session is over. 1 query; 2 for a display.

    `version` None skips the check of the account's token version. Use it for a session that passed this check before:
    the event `session.ended` announces the end of such a session. The session of a display ends only when the display
    is revoked, that of a page by link when the link is over.
    """
    rights_of, displays, services, links = _configured()
    if jti == LINK:
        of_page = links.rights_of(link_of_subject(user_id))
        return of_link(link_of_subject(user_id), of_page) if of_page else None
    if user_id < 0:
        shown = displays.rights_of(-user_id)
        return _display(-user_id, shown) if shown else None
    if expires_at <= clock.now():
        return None
    if jti == SERVICE_TOKEN:
        serves = services.rights_of(user_id)
        return _service(serves) if serves and version in (None, serves.token_version) else None
    rights = rights_of(user_id, jti=jti)
    if rights is None or (version is not None and rights.token_version != version):
        return None
    return Principal(
        user_id=user_id,
        full_name=rights.full_name,
        permissions=OF_CUSTOMERS if rights.is_customer else rights.permissions,
        jti=jti,
        expires_at=expires_at,
        token_version=rights.token_version,
        is_customer=rights.is_customer,
        customer_id=rights.customer_id,
    )


def _display_of(token: str) -> Principal:
    """Return the display with this token. Raises `Unauthenticated`."""
    displays = _configured()[1]
    found = displays.rights_of_token(token)
    if found is None:
        raise Unauthenticated
    return _display(*found)


def _display(display_id: int, rights: DisplayRights) -> Principal:
    return Principal(
        user_id=subject_of_display(display_id),
        full_name=rights.name,
        permissions=OF_DISPLAYS,
        jti=DISPLAY_TOKEN,
        expires_at=clock.end_of(clock.LAST_DAY),
        token_version=1,
        is_display=True,
        scope=rights.lanes or None,
    )


def of_link(link_id: int, rights: LinkRights) -> Principal:
    """Return the caller that a customer link stands for."""
    return Principal(
        user_id=subject_of_link(link_id),
        full_name=rights.name,
        permissions=frozenset(),
        jti=LINK,
        expires_at=rights.expires_at,
        token_version=1,
        is_customer=True,
        customer_id=rights.customer_id,
        page=EVERY_ORDER if rights.order_id is None else rights.order_id,
    )


def _service_of(token: str) -> Principal:
    """Return the service account with this token. Raises `Unauthenticated`."""
    found = _configured()[2].rights_of_token(token)
    if found is None or found.expires_at <= clock.now():
        raise Unauthenticated
    return _service(found)


def _service(rights: ServiceRights) -> Principal:
    return Principal(
        user_id=rights.user_id,
        full_name=rights.name,
        permissions=rights.permissions & OF_SERVICES,
        jti=SERVICE_TOKEN,
        expires_at=rights.expires_at,
        token_version=rights.token_version,
        is_service=True,
    )


def acting_as(user_id: int) -> Principal:
    """Return the caller for an account without a token: for commands, the worker and calendars.

    Raises `Unauthenticated` if the account is locked, inactive or unknown.
    """
    found = current(user_id=user_id, jti="", expires_at=clock.end_of_today())
    if found is None:
        raise Unauthenticated
    return found


_given: list[tuple[RightsOf, Displays, Services, Links]] = []


def configure(rights_of: RightsOf, displays: Displays, services: Services, links: Links) -> None:
    """Set how this package looks up accounts, displays, service accounts and customer links.

    Call once, when the process starts.
    """
    _given[:] = [(rights_of, displays, services, links)]


def _configured() -> tuple[RightsOf, Displays, Services, Links]:
    if not _given:
        raise RuntimeError("project.access.token.configure was not called")
    return _given[0]


def sign_out(principal: Principal) -> None:
    """Revoke the caller's token."""
    SignedOutToken.objects.get_or_create(jti=principal.jti, defaults={"expires_at": principal.expires_at})
