"""One-time codes of an authenticator app (TOTP, RFC 6238), and the recovery codes that stand in for a lost app.

A code is good for its 30 seconds and for those before and after, because clocks differ, and once.
"""

import base64
import logging
import secrets
import unicodedata
from dataclasses import dataclass

import pyotp
import qrcode
from qrcode.image.svg import SvgPathImage

from project.audit import services as audit
from project.core import clock, sealing
from project.core.errors import NotFound
from project.core.idempotency import unit_of_work
from project.doors import auditing, rules, selectors
from project.doors.models import Authenticator, RecoveryCode
from project.identity.models import User

PURPOSE = b"obrador authenticator"
ISSUER = "Obrador"
SECONDS = 30
CODES = 10
_CODE_BYTES = 10
"""80 random bits: too many to guess, so a fast hash is enough."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Seed:
    """The secret of an app that is being set up: as text, as the address that an app reads, as a QR code (SVG)."""

    secret: str
    address: str
    picture: str


@unit_of_work
def begin(user: User) -> Seed:
    """Make the secret of a new app. The person's earlier app works until a code of the new app arrives."""
    _lock(user)
    secret = pyotp.random_base32()
    sealed = sealing.seal(secret.encode(), keys=sealing.own_keys(PURPOSE), bound_to=_bound_to(user.pk)).hex()
    Authenticator.objects.update_or_create(user=user, defaults={"pending": sealed})
    address = pyotp.TOTP(secret).provisioning_uri(name=user.email, issuer_name=ISSUER)
    return Seed(secret, address, qrcode.make(address, image_factory=SvgPathImage).to_string(encoding="unicode"))


@unit_of_work
def confirm(user: User, code: str) -> list[str]:
    """Put the new app into use with its first code. Returns ten new recovery codes. Raises `InvalidCode`."""
    _lock(user)
    row = Authenticator.objects.select_for_update().filter(user=user).exclude(pending="").first()
    step = _step_of(row.pending, user.pk, code) if row else None
    if row is None or step is None:
        raise rules.InvalidCode
    before = row.confirmed_at is not None
    row.secret, row.pending, row.last_step, row.confirmed_at = row.pending, "", step, clock.now()
    row.used_at = clock.now()
    row.save()
    auditing.record(
        user, {"authenticator": before}, {"authenticator": True} if not before else {"authenticator": audit.HIDDEN}
    )
    return _renew(user)


def accepts(user: User, code: str) -> bool:
    """Return whether this is a code of the person's app or one of their recovery codes, and use it up."""
    row = Authenticator.objects.filter(user=user, confirmed_at__isnull=False).first()
    if row is None:
        return False
    step = _step_of(row.secret, user.pk, code)
    if step is None:
        return _accepts_recovery_code(user, code)
    # Compare in the database, so that two requests at the same time cannot both use a code.
    same = Authenticator.objects.filter(pk=row.pk, secret=row.secret, last_step__lt=step)
    return same.update(last_step=step, used_at=clock.now(), secret=_resealed(row.secret, user.pk)) == 1


@unit_of_work
def remove(user: User) -> None:
    """Remove the person's app and its recovery codes. Raises `FactorRequired` if their role requires it."""
    _lock(user)
    ways = selectors.ways_of(user)
    if ways.authenticator is None:
        return
    rules.check_removal(ways.need, codes_left=False, passkeys_left=bool(ways.passkeys))
    Authenticator.objects.filter(user=user).delete()
    RecoveryCode.objects.filter(user=user).delete()
    auditing.record(user, {"authenticator": True}, {"authenticator": False})


@unit_of_work
def renew_recovery_codes(user: User) -> list[str]:
    """Make ten new recovery codes; the old ones stop working. Raises `NotFound` if the person has no app."""
    _lock(user)
    if not Authenticator.objects.filter(user=user, confirmed_at__isnull=False).exists():
        raise NotFound
    auditing.record(user, {}, {"recoveryCodes": audit.HIDDEN})
    return _renew(user)


def proof_of(user: User) -> str:
    """Return a text that changes with the person's app; empty without an app. Remembered browsers are bound to it."""
    row = Authenticator.objects.filter(user=user, confirmed_at__isnull=False).first()
    try:
        return _unsealed(row.secret, user.pk) if row else ""
    except ValueError:  # its key is lost: the code is refused too
        return ""


def key_ids() -> list[str]:
    """Return the ids of the keys that open secrets; the first one seals new ones."""
    return [key_id.hex() for key_id in sealing.own_keys(PURPOSE)]


def _lock(user: User) -> None:
    """Lock the person before their app and codes, as every change of them does, to avoid deadlocks."""
    User.objects.select_for_update().get(pk=user.pk)


def _step_of(sealed: str, user_id: int, code: str) -> int | None:
    """Return the time step of a code if it is near enough to now; else None."""
    given = _plain(code).encode()
    try:
        totp = pyotp.TOTP(_unsealed(sealed, user_id))
    except ValueError:
        log.exception(
            "the authenticator of user %s cannot be read: is a secret of SECRET_KEY_FALLBACKS missing?", user_id
        )
        return None
    now = int(clock.now().timestamp()) // SECONDS
    steps = (now, now - 1, now + 1)
    return next((step for step in steps if secrets.compare_digest(totp.generate_otp(step).encode(), given)), None)


def _unsealed(sealed: str, user_id: int) -> str:
    return sealing.unseal(bytes.fromhex(sealed), keys=sealing.own_keys(PURPOSE), bound_to=_bound_to(user_id)).decode()


def _resealed(sealed: str, user_id: int) -> str:
    """Return the secret sealed with the newest key; unchanged if it is already."""
    if sealed.startswith(key_ids()[0]):
        return sealed
    plain = _unsealed(sealed, user_id).encode()
    return sealing.seal(plain, keys=sealing.own_keys(PURPOSE), bound_to=_bound_to(user_id)).hex()


def _bound_to(user_id: int) -> bytes:
    return b"%d" % user_id


@unit_of_work
def _accepts_recovery_code(user: User, code: str) -> bool:
    _lock(user)
    found = RecoveryCode.objects.filter(user=user, digest=_digest(code), used_at=None)
    if found.update(used_at=clock.now()) != 1:
        return False
    Authenticator.objects.filter(user=user).update(used_at=clock.now())
    left = RecoveryCode.objects.filter(user=user, used_at=None).count()
    auditing.record(user, {"recoveryCodesLeft": left + 1}, {"recoveryCodesLeft": left})
    return True


def _renew(user: User) -> list[str]:
    RecoveryCode.objects.filter(user=user).delete()
    codes = [base64.b32encode(secrets.token_bytes(_CODE_BYTES)).decode() for _ in range(CODES)]
    RecoveryCode.objects.bulk_create(RecoveryCode(user=user, digest=_digest(one)) for one in codes)
    return ["-".join(one[at : at + 4] for at in range(0, len(one), 4)) for one in codes]


def _digest(code: str) -> str:
    return sealing.digest_of_random(_plain(code))


def _plain(code: str) -> str:
    """Return the letters and digits of a typed code: in upper case, and full-width ones as ordinary ones."""
    return "".join(letter for letter in unicodedata.normalize("NFKC", code).upper() if letter.isalnum())
