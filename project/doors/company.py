"""Signing in with the company's account: to its provider and back, and which person that is here."""

import base64
import hashlib
import logging
import secrets
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from pydantic import TypeAdapter, ValidationError

from project.access import throttle
from project.access.known_browsers import PATH
from project.access.models import SignInAttempt
from project.audit import services as audit
from project.core import clock
from project.core.emails import is_deliverable
from project.core.idempotency import unit_of_work
from project.core.requests import current_address
from project.core.schemas import Name, OneLine
from project.doors import auditing, challenges, provider, rules
from project.doors.models import MOST_SUBJECT, CompanyAccount
from project.events import record_and_publish
from project.identity import rights
from project.identity.models import Role, User
from project.identity.rules import LastAdministrator
from project.identity.schemas import Email
from project.identity.selectors import an_administrator_remains
from project.staffing import selectors as staffing
from project.staffing.services import user_snapshot

COOKIE = "company-sign-in"
PURPOSE = b"company sign-in"
BACK = "/identity/authentication/company/back"

log = logging.getLogger(__name__)


def begin(response: HttpResponse) -> str:
    """Return the address of the provider's sign-in page. Set a cookie that binds this sign-in to the browser.

    Raises `NoCompany`, `CompanyUnavailable`.
    """
    company = provider.company()
    found = provider.provider()
    state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
    hashed = hashlib.sha256(verifier.encode()).digest()
    response.set_cookie(
        COOKIE,
        challenges.seal(PURPOSE, state=state, nonce=nonce, verifier=verifier),
        max_age=challenges.LASTS,
        path=PATH,
        secure=settings.HTTPS,
        httponly=True,
        samesite="Strict",
    )
    asked = {
        "response_type": "code",
        "client_id": company["client_id"],
        "redirect_uri": settings.PUBLIC_URL + BACK,
        "scope": "openid email profile",
        "state": state,
        "nonce": nonce,
        "code_challenge": base64.urlsafe_b64encode(hashed).decode().rstrip("="),
        "code_challenge_method": "S256",
    }
    return _with_query(found.authorization, asked)


def company_back(request: HttpRequest) -> HttpResponse:
    """Redirect the browser to the client's page, which then finishes the sign-in with `code` and `state`."""
    query = {name: request.GET[name] for name in ("code", "state", "error") if name in request.GET}
    return HttpResponseRedirect(f"{settings.PUBLIC_URL}/#/company?{urlencode(query)}")


def finish(request: HttpRequest, response: HttpResponse, *, code: str, state: str) -> tuple[User, str | None]:
    """Return the person who signed in at the provider, and the address that ends their session there, if it has one.

    Raises `NoCompany`, `TooManyAttempts`, `CompanyRefused`, `CompanyUnknown`, `CompanyUnavailable`.
    """
    provider.company()
    response.delete_cookie(COOKIE, path=PATH, samesite="Strict")
    address = current_address.get()
    attempt = throttle.begin(f"company {address}", address, purpose=SignInAttempt.COMPANY)
    try:
        found = _person_of(request, code, state)
    except (rules.CompanyRefused, rules.CompanyUnknown):
        if throttle.failed(attempt):
            audit.record_guessing("company account")
        raise
    except BaseException:
        throttle.withdraw(attempt)
        raise
    throttle.withdraw(attempt)  # the success of one person must not clear the failures of another
    return found


def _person_of(request: HttpRequest, code: str, state: str) -> tuple[User, str | None]:
    company = provider.company()
    try:
        note = challenges.read(PURPOSE, request.COOKIES.get(COOKIE, ""))
    except rules.ChallengeOver as error:
        raise _refused("it began in another browser, or too long ago") from error
    if not secrets.compare_digest(note["state"].encode(), state.encode()):
        raise _refused("its state is of another sign-in")
    if not _is_first_answer(note["state"]):
        raise _refused("it was answered before")
    try:
        token = provider.id_token_of(code, verifier=note["verifier"], redirect_uri=settings.PUBLIC_URL + BACK)
        claims = provider.claims_of(token, nonce=note["nonce"])
    except provider.BadToken as error:
        raise _refused(str(error)) from error
    user = _user_of(claims, company)
    found = provider.provider()
    leaving = {"client_id": company["client_id"], "post_logout_redirect_uri": f"{settings.PUBLIC_URL}/"}
    return user, _with_query(found.end_session, leaving) if found.end_session else None


@unit_of_work
def _is_first_answer(state: str) -> bool:
    """Note the answer before it is checked: a refusal carries no cookie, so the browser keeps that of this sign-in."""
    return challenges.is_first_answer(state, lasts=challenges.LASTS)


@unit_of_work
def _user_of(claims: dict[str, Any], company: dict[str, Any]) -> User:
    """Return the person of an account at the provider; on their first sign-in by its verified e-mail."""
    rights.lock_roles()
    subject, issuer = str(claims["sub"]), company["issuer"]
    if len(subject) > MOST_SUBJECT:
        raise _refused("its subject is too long")
    link = CompanyAccount.objects.filter(issuer=issuer, subject=subject).first()
    user = User.objects.select_for_update().get(pk=link.user_id) if link else _matched(claims, company)
    if not user.may_sign_in:
        raise _refused("the account here is locked or inactive")
    if link is None:
        link = CompanyAccount(user=user, issuer=issuer, subject=subject, created_at=clock.now())
        auditing.record(user, {"companyAccount": False}, {"companyAccount": True})
    link.used_at = clock.now()
    try:
        with transaction.atomic():
            link.save()
    except IntegrityError as error:
        raise _refused("another account of the company has this e-mail") from error
    _follow_roles(user, claims, company)
    return user


def _matched(claims: dict[str, Any], company: dict[str, Any]) -> User:
    """Return the person with the verified e-mail of the claims, or a new one. Raises `CompanyUnknown`."""
    email = claims.get("email")
    if not isinstance(email, str) or not (claims.get("email_verified") is True or company["trusts_email"]):
        raise _refused("its e-mail is not verified")
    found = User.objects.of_email(email.strip())
    if found:
        return User.objects.select_for_update().get(pk=found.pk)
    if not company["creates"]:
        raise rules.CompanyUnknown
    return _made(email.strip(), claims)


def _made(email: str, claims: dict[str, Any]) -> User:
    """Make an account without a password. Raises `CompanyRefused` for an address that no account may have."""
    try:
        TypeAdapter(Email).validate_python(email)
    except ValidationError as error:
        raise _refused("its e-mail is not one") from error
    if not is_deliverable(email):
        raise _refused("its e-mail is not one")
    user = User(
        email=email,
        first_name=_plain(Name, claims.get("given_name"))
        or _plain(Name, claims.get("name"))
        or email.partition("@")[0],
        last_name=_plain(OneLine, claims.get("family_name")),
    )
    user.set_unusable_password()
    user.save()
    made = staffing.user_get(user.pk)
    record_and_publish("users", made, "created", None, before=None, after=user_snapshot(made))
    return user


def _plain(kind: Any, written: Any) -> str:
    """Return a name as our own forms would take it; empty if they would not."""
    try:
        return str(TypeAdapter(kind).validate_python(written))
    except ValidationError:
        return ""


def _follow_roles(user: User, claims: dict[str, Any], company: dict[str, Any]) -> None:
    """Give the person the roles that their groups at the provider map to, and take the other mapped roles.

    Roles that are not mapped stay. Without the claim nothing changes: providers leave out lists that are too long.
    """
    groups = claims.get(company["roles_claim"])
    if not company["roles"] or not isinstance(groups, list):
        return
    mapped = {role.name: role.pk for role in Role.objects.filter(name__in=company["roles"].values())}
    for name in sorted(set(company["roles"].values()) - mapped.keys()):
        log.warning("OIDC_ROLES names the role %r, which does not exist: no group gives it", name)
    wanted = {mapped[name] for group, name in company["roles"].items() if group in groups and name in mapped}
    held = set(user.roles.values_list("pk", flat=True))
    roles = (held - set(mapped.values())) | wanted
    if roles == held:
        return
    before = user_snapshot(staffing.user_get(user.pk))
    try:
        with transaction.atomic(), rights.publish_changed_rights([user.pk], None):
            user.claim(None)
            user.save(update_fields=["version"])
            user.roles.set(roles)
            if not an_administrator_remains():
                raise LastAdministrator
    except LastAdministrator:
        log.warning("the company's groups would leave no administrator: user %s keeps their roles", user.pk)
        return
    changed = staffing.user_get(user.pk)
    record_and_publish("users", changed, "changed", None, before=before, after=user_snapshot(changed))


def _refused(why: str) -> rules.CompanyRefused:
    log.warning("a sign-in with the company's account was refused: %s", why)
    return rules.CompanyRefused()


def _with_query(address: str, query: dict[str, str]) -> str:
    return f"{address}{'&' if '?' in address else '?'}{urlencode(query)}"
