"""Request and answer bodies of the ways of signing in. Binary values of passkeys are base64url."""

from typing import Annotated, Any

from pydantic import AfterValidator, Field

from project.core.schemas import Flag, In, Instant, Out, SeenText, one_line
from project.doors.challenges import LONGEST
from project.doors.models import MOST_CREDENTIAL_ID
from project.identity.models import SecondFactor
from project.identity.schemas import Password

Challenge = Annotated[str, Field(min_length=1, max_length=LONGEST)]
Binary = Annotated[str, Field(min_length=1, max_length=20_000, pattern=r"^[A-Za-z0-9_-]+$")]
CredentialId = Annotated[str, Field(min_length=1, max_length=MOST_CREDENTIAL_ID, pattern=r"^[A-Za-z0-9_-]+$")]
PasskeyName = Annotated[SeenText, Field(max_length=100), AfterValidator(one_line)]
Code = Annotated[str, Field(min_length=1, max_length=40)]


class SignIn(In):
    """Credentials. `rememberLogin` is accepted for existing clients and has no effect."""

    username: Annotated[str, Field(max_length=254)]
    password: Annotated[str, Field(max_length=1_000)]
    remember_login: Flag = True


class AccessToken(Out):
    """A new session's token. Existing clients read `access_token`, in this spelling."""

    access_token: Annotated[str, Field(alias="access_token")]


class SignInDoorsOut(Out):
    """How people sign in here. `company`: the name of the company's account, null if there is none.

    `companyOnly`: staff may sign in only with the company's account.
    """

    company: str | None
    company_only: bool


class SecondFactorIn(In):
    """An answer to the challenge of a sign-in. `code`: of the app, or a recovery code.

    `remember`: ask for no code in this browser for as long as the installation allows.
    """

    challenge: Challenge
    code: Code
    remember: Flag = False


class SecondFactorOut(AccessToken):
    """A session's token; `recoveryCodes` once, if the code put a new app into use."""

    recovery_codes: list[str] = []


class ChallengeIn(In):
    challenge: Challenge


class SeedOut(Out):
    """The secret of an app that is being set up: as text, as an address that an app reads, as a QR code (SVG)."""

    secret: str
    address: str
    picture: str


class PasskeyOptions(Out):
    """The options for the browser's `navigator.credentials`, and the `state` that is sent back with its answer."""

    options: dict[str, Any]
    state: str


class NewPasskey(In):
    """A passkey that a device made, with the `state` of its options."""

    state: Challenge
    name: PasskeyName
    id: CredentialId
    client_data: Binary
    attestation: Binary


class FirstPasskey(NewPasskey):
    """A passkey that is set up during a sign-in."""

    challenge: Challenge


class PasskeyAnswer(In):
    """A device's answer to a sign-in, with the `state` of its options. `handle`: the device's id of the account."""

    state: Challenge
    id: CredentialId
    client_data: Binary
    authenticator_data: Binary
    signature: Binary
    handle: Annotated[str, Field(min_length=1, max_length=64)]


class CompanyDoorOut(Out):
    """The address of the company's sign-in page."""

    address: str


class CompanyBack(In):
    """What the company's provider sent the browser back with."""

    code: Annotated[str, Field(min_length=1, max_length=4_000)]
    state: Annotated[str, Field(min_length=1, max_length=200)]


class CompanySignedIn(AccessToken):
    """A session's token, and the address that ends the session at the company's provider; null if it has none."""

    sign_out: str | None


class PasskeyOut(Out):
    """A passkey. `synced`: whether a password manager copies it to other devices."""

    id: int
    name: str
    created_at: Instant
    used_at: Instant | None
    synced: bool


class AuthenticatorOut(Out):
    """An authenticator app, and how many of its recovery codes are left."""

    since: Instant
    used_at: Instant | None
    recovery_codes_left: int


class CompanyAccountOut(Out):
    name: str
    since: Instant
    used_at: Instant


class WaysOut(Out):
    """What you sign in with beside your password. `required`: what your role or the installation requires.

    `hasPassword`: whether changes ask for your current password.
    """

    has_password: bool
    authenticator: AuthenticatorOut | None
    passkeys: list[PasskeyOut]
    company: CompanyAccountOut | None
    required: SecondFactor


class ConfirmedIn(In):
    """Your current password; left out by accounts without one."""

    current_password: Password = ""


class CodeIn(In):
    code: Code


class RecoveryCodesOut(Out):
    """New recovery codes. Nobody can read them again."""

    recovery_codes: list[str]


class PasskeyNameIn(In):
    name: PasskeyName
