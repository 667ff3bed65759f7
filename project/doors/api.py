"""REST API of signing in, and of the caller's ways of signing in (infra/docs/rules.md#second-factor)."""

from typing import Annotated

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from ninja import Path

from project.access.guard import SignedIn, caller
from project.access.known_browsers import browser_of, remember
from project.core.answers import Created
from project.core.idempotency import NotKept
from project.core.requests import current_address
from project.core.routing import Public, domain_router
from project.core.schemas import Id
from project.doors import authenticators, company, entering, passkeys, remembered, schemas, selectors, services
from project.doors.models import Authenticator, CompanyAccount, Passkey
from project.doors.rules import Door
from project.identity import sessions
from project.identity.models import User

authentication = domain_router("sign-in")
ways = domain_router("ways of signing in")

PathId = Annotated[Id, Path()]
BEFORE = Public("nobody is signed in yet")
TOKEN = NotKept("answers a token")
OWN = SignedIn("their own ways of signing in", customers="their own ways of signing in")
SECRET = NotKept("answers a secret that nobody reads again")
CONFIRMED = NotKept("asks for the current password")


def _known(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Remember the browser: failures from elsewhere do not lock it out."""
    remember(response, browser_of(request).with_account(user.pk, user.password))


@authentication.get("/doors", auth=BEFORE, operation_id="sign_in_doors")
def sign_in_doors(request: HttpRequest) -> schemas.SignInDoorsOut:
    """Read whether people can sign in with the company's account here, and the name of this account."""
    found = settings.COMPANY_ACCOUNTS or {"name": None, "only": False}
    return schemas.SignInDoorsOut(company=found["name"], company_only=found["only"])


@authentication.post("/sign-in", auth=BEFORE, operation_id="sign_in", repeat=TOKEN)
def sign_in(request: HttpRequest, response: HttpResponse, body: schemas.SignIn) -> schemas.AccessToken:
    """Sign in by e-mail and password. The browser is remembered: failures from elsewhere do not lock it out.

    401 `second_factor_required` if more is needed: `params` has the `challenge`, the `factors` that you may give, and
    what you must set up first (`enrolls`).
    """
    user = sessions.user_of_password(
        username=body.username, password=body.password, address=current_address.get(), browser=browser_of(request)
    )
    token = entering.enter(user, Door.PASSWORD, code_given=remembered.is_remembered(request, user))
    _known(request, response, user)
    return schemas.AccessToken(access_token=token)


@authentication.post("/second-factor", auth=BEFORE, operation_id="second_factor", repeat=TOKEN)
def second_factor(
    request: HttpRequest, response: HttpResponse, body: schemas.SecondFactorIn
) -> schemas.SecondFactorOut:
    """Finish a sign-in with a code of your app, or with a recovery code. 401 `invalid_code`, also for a used one."""
    entered = entering.by_code(challenge=body.challenge, code=body.code, address=current_address.get())
    _known(request, response, entered.user)
    if body.remember:
        remembered.remember(request, response, entered.user)
    return schemas.SecondFactorOut(access_token=entered.token, recovery_codes=list(entered.recovery_codes))


@authentication.post("/second-factor/app", auth=BEFORE, operation_id="second_factor_app", repeat=SECRET)
def second_factor_app(request: HttpRequest, body: schemas.ChallengeIn) -> schemas.SeedOut:
    """Set up an authenticator app during a sign-in that requires it. Its first code finishes the sign-in."""
    return _seed(entering.app_begin(body.challenge))


@authentication.post(
    "/second-factor/passkey/options", auth=BEFORE, operation_id="second_factor_passkey_options", repeat=SECRET
)
def second_factor_passkey_options(request: HttpRequest, body: schemas.ChallengeIn) -> schemas.PasskeyOptions:
    """Begin to set up a passkey during a sign-in that requires it."""
    return entering.passkey_options(body.challenge)


@authentication.post("/second-factor/passkey", auth=BEFORE, operation_id="second_factor_passkey", repeat=TOKEN)
def second_factor_passkey(
    request: HttpRequest, response: HttpResponse, body: schemas.FirstPasskey
) -> schemas.AccessToken:
    """Finish a sign-in with the passkey that was set up in it."""
    entered = entering.by_new_passkey(body)
    _known(request, response, entered.user)
    return schemas.AccessToken(access_token=entered.token)


@authentication.post("/passkey/options", auth=BEFORE, operation_id="passkey_sign_in_options", repeat=SECRET)
def passkey_sign_in_options(request: HttpRequest) -> schemas.PasskeyOptions:
    """Begin a sign-in by a passkey."""
    return passkeys.request_options()


@authentication.post("/passkey", auth=BEFORE, operation_id="passkey_sign_in", repeat=TOKEN)
def passkey_sign_in(request: HttpRequest, response: HttpResponse, body: schemas.PasskeyAnswer) -> schemas.AccessToken:
    """Sign in by a passkey. 401 `passkey_refused`."""
    user = passkeys.user_of_passkey(body, address=current_address.get())
    token = entering.enter(user, Door.PASSKEY)
    _known(request, response, user)
    return schemas.AccessToken(access_token=token)


@authentication.post("/company", auth=BEFORE, operation_id="company_sign_in", repeat=SECRET)
def company_sign_in(request: HttpRequest, response: HttpResponse) -> schemas.CompanyDoorOut:
    """Begin a sign-in with the company's account. The browser then opens `address`. 503 `company_unavailable`."""
    return schemas.CompanyDoorOut(address=company.begin(response))


@authentication.post("/company/finish", auth=BEFORE, operation_id="company_sign_in_finish", repeat=TOKEN)
def company_sign_in_finish(
    request: HttpRequest, response: HttpResponse, body: schemas.CompanyBack
) -> schemas.CompanySignedIn:
    """Finish a sign-in with the company's account. 401 `company_refused` or `company_unknown`."""
    user, sign_out = company.finish(request, response, code=body.code, state=body.state)
    token = entering.enter(user, Door.COMPANY)
    _known(request, response, user)
    return schemas.CompanySignedIn(access_token=token, sign_out=sign_out)


@ways.get("", auth=OWN, operation_id="ways_get")
def ways_get(request: HttpRequest) -> schemas.WaysOut:
    """Read what you sign in with beside your password."""
    return _ways(services.own(caller(request)))


@ways.post("/app", auth=OWN, operation_id="app_begin", repeat=SECRET)
def app_begin(request: HttpRequest, body: schemas.ConfirmedIn) -> schemas.SeedOut:
    """Set up an authenticator app. It works once you send its first code. Your earlier app works until then.

    422 `wrong_current_password`.
    """
    return _seed(authenticators.begin(services.confirmed(body.current_password, caller(request))))


@ways.post("/app/confirm", auth=OWN, operation_id="app_confirm", repeat=SECRET)
def app_confirm(request: HttpRequest, body: schemas.CodeIn) -> schemas.RecoveryCodesOut:
    """Put the new app into use with its first code. Answers ten recovery codes, once. 422 `invalid_code`."""
    return schemas.RecoveryCodesOut(recovery_codes=services.app_confirm(body.code, by=caller(request)))


@ways.post("/app/remove", auth=OWN, operation_id="app_remove", repeat=CONFIRMED)
def app_remove(request: HttpRequest, body: schemas.ConfirmedIn) -> schemas.WaysOut:
    """Remove your authenticator app. 409 `factor_required` if your role requires it."""
    user = services.confirmed(body.current_password, caller(request))
    authenticators.remove(user)
    return _ways(user)


@ways.post("/recovery-codes", auth=OWN, operation_id="recovery_codes_renew", repeat=SECRET)
def recovery_codes_renew(request: HttpRequest, body: schemas.ConfirmedIn) -> schemas.RecoveryCodesOut:
    """Make ten new recovery codes; the old ones stop working."""
    user = services.confirmed(body.current_password, caller(request))
    return schemas.RecoveryCodesOut(recovery_codes=authenticators.renew_recovery_codes(user))


@ways.post("/passkeys/options", auth=OWN, operation_id="passkey_options", repeat=SECRET)
def passkey_options(request: HttpRequest, body: schemas.ConfirmedIn) -> schemas.PasskeyOptions:
    """Begin to add a passkey. 422 `wrong_current_password`."""
    return passkeys.creation_options(services.confirmed(body.current_password, caller(request)))


@ways.post("/passkeys", auth=OWN, operation_id="passkey_create", repeat=NotKept("its challenge counts once"))
def passkey_create(request: HttpRequest, body: schemas.NewPasskey) -> Created[schemas.PasskeyOut]:
    """Add a passkey that your device made. 422 `passkey_refused`."""
    return Created(_passkey(services.passkey_add(body, by=caller(request))))


@ways.post(
    "/passkeys/{int:passkey_id}/rename",
    auth=OWN,
    operation_id="passkey_rename",
    repeat=NotKept("the second time changes nothing"),
)
def passkey_rename(request: HttpRequest, passkey_id: PathId, body: schemas.PasskeyNameIn) -> schemas.WaysOut:
    """Give one of your passkeys another name."""
    user = services.own(caller(request))
    passkeys.rename(user, passkey_id, body.name)
    return _ways(user)


@ways.post("/passkeys/{int:passkey_id}/remove", auth=OWN, operation_id="passkey_remove", repeat=CONFIRMED)
def passkey_remove(request: HttpRequest, passkey_id: PathId, body: schemas.ConfirmedIn) -> schemas.WaysOut:
    """Remove one of your passkeys. 409 `factor_required` if your role requires it."""
    user = services.confirmed(body.current_password, caller(request))
    passkeys.remove(user, passkey_id)
    return _ways(user)


def _seed(seed: authenticators.Seed) -> schemas.SeedOut:
    return schemas.SeedOut(secret=seed.secret, address=seed.address, picture=seed.picture)


def _passkey(row: Passkey) -> schemas.PasskeyOut:
    return schemas.PasskeyOut(
        id=row.pk, name=row.name, created_at=row.created_at, used_at=row.used_at, synced=row.synced
    )


def _ways(user: User) -> schemas.WaysOut:
    found = selectors.ways_of(user)
    return schemas.WaysOut(
        has_password=user.has_usable_password(),
        authenticator=_app(found.authenticator, found.codes_left),
        passkeys=[_passkey(row) for row in found.passkeys],
        company=_company(found.company),
        required=found.need,
    )


def _app(row: Authenticator | None, codes_left: int) -> schemas.AuthenticatorOut | None:
    if row is None or row.confirmed_at is None:
        return None
    return schemas.AuthenticatorOut(since=row.confirmed_at, used_at=row.used_at, recovery_codes_left=codes_left)


def _company(row: CompanyAccount | None) -> schemas.CompanyAccountOut | None:
    if row is None:
        return None
    name = (settings.COMPANY_ACCOUNTS or {}).get("name") or row.issuer
    return schemas.CompanyAccountOut(name=name, since=row.created_at, used_at=row.used_at)
