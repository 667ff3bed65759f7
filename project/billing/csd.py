"""The certificates (CSD) with which companies seal their invoices (infra/docs/rules.md#customs-invoice).

The key is decrypted once, and stored sealed with a key that is derived from SECRET_KEY. Neither key nor password is
answered, logged or audited.
"""

import base64
from dataclasses import dataclass
from datetime import datetime

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_der_private_key,
)
from cryptography.x509.oid import NameOID

from project.access.principal import Principal
from project.billing.models import Csd
from project.billing.schemas import CsdIn
from project.catalogs.models import Company
from project.catalogs.tax_ids import tax_code
from project.core import clock, sealing
from project.core.errors import InvalidFields, NotFound, Refusal
from project.core.idempotency import unit_of_work
from project.events import record_and_publish

PURPOSE = b"obrador csd keys"


SEQUENCE = b"\x30"
"""The first byte of every key in DER."""


class KeyUnreadable(Exception):
    """None of the available sealing keys opens the company's key."""


class CsdRequired(Refusal):
    """The company has no usable certificate: none is stored, it is not valid today, or its key cannot be read."""

    code = "csd_required"


class CsdOfOtherRfc(Refusal):
    """The company's certificate is for the RFC `rfc`, but the invoice is for `seller`: the company changed its RFC."""

    code = "csd_of_other_rfc"


@dataclass(frozen=True)
class Read:
    """A certificate with its key, both in DER. The key is not encrypted."""

    certificate: bytes
    key: bytes
    number: str
    rfc: str
    valid_from: datetime
    valid_to: datetime


def read(certificate: str, key: str, password: str, *, rfc: str, now: datetime) -> Read:
    """Read and check a certificate and its key, both DER in base64.

    Raises `InvalidFields`: `csd_unreadable`, `csd_wrong_password`, `csd_other_key`, `csd_is_fiel`, `csd_expired`,
    `csd_other_rfc`.
    """
    raw, raw_key = _decoded("certificate", certificate), _decoded("key", key)
    try:
        found = x509.load_der_x509_certificate(raw)
        public, is_fiel, owner = _public(found.public_key()), _is_fiel(found), _rfc(found)
    except (ValueError, UnsupportedAlgorithm, x509.DuplicateExtension) as error:
        raise InvalidFields.of("certificate", "csd_unreadable") from error
    private = _private(raw_key, password)
    if _public(private.public_key()) != public:
        raise InvalidFields.of("key", "csd_other_key")
    if is_fiel:
        raise InvalidFields.of("certificate", "csd_is_fiel")
    if not found.not_valid_before_utc <= now <= found.not_valid_after_utc:
        raise InvalidFields.of("certificate", "csd_expired")
    _refuse_other_rfc(owner, rfc)
    return Read(
        certificate=raw,
        key=private.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption()),
        number=_number(found),
        rfc=owner,
        valid_from=found.not_valid_before_utc,
        valid_to=found.not_valid_after_utc,
    )


def _refuse_other_rfc(owner: str, rfc: str) -> None:
    if owner != tax_code(rfc):
        raise InvalidFields.of("certificate", "csd_other_rfc", rfc=owner)


def _decoded(field: str, text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError as error:  # `binascii.Error` is one; another comes for letters beyond ASCII
        raise InvalidFields.of(field, "csd_unreadable") from error


def _private(raw: bytes, password: str) -> RSAPrivateKey:
    if not raw.startswith(SEQUENCE):
        raise InvalidFields.of("key", "csd_unreadable")
    try:
        private = load_der_private_key(raw, password.encode())
    except TypeError as error:  # a password for a key without one, or none for a key with one
        raise InvalidFields.of(
            *(("key", "csd_unreadable") if password else ("password", "csd_wrong_password"))
        ) from error
    except UnsupportedAlgorithm as error:
        raise InvalidFields.of("key", "csd_unreadable") from error
    except ValueError as error:
        # A wrong password and a broken file of DER cannot be told apart; the first is by far the likelier.
        raise InvalidFields.of("password", "csd_wrong_password") from error
    if not isinstance(private, RSAPrivateKey):
        raise InvalidFields.of("key", "csd_unreadable")
    return private


def _public(key: object) -> bytes:
    raw: bytes = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)  # type: ignore[attr-defined]
    return raw


def _is_fiel(found: x509.Certificate) -> bool:
    """Return whether a certificate is a FIEL, which signs for a person. It may encrypt data; a CSD may only sign."""
    try:
        usage = found.extensions.get_extension_for_class(x509.KeyUsage).value
    except x509.ExtensionNotFound:
        return False
    return usage.data_encipherment or usage.key_agreement


def _rfc(found: x509.Certificate) -> str:
    """Return the RFC of the owner, which stands before a slash and the RFC of who represents them."""
    names = found.subject.get_attributes_for_oid(NameOID.X500_UNIQUE_IDENTIFIER)
    return tax_code(str(names[0].value).split("/")[0]) if names else ""


def _number(found: x509.Certificate) -> str:
    """Return the SAT's number, whose digits are the bytes of the serial number."""
    serial = found.serial_number
    digits = serial.to_bytes((serial.bit_length() + 7) // 8, "big").decode("ascii", "replace")
    return digits if digits.isdigit() else str(serial)[:40]


def csd_of(company_id: int) -> Csd | None:
    """Return the certificate of a company; None if it has none. Raises `NotFound` for an unknown company."""
    if not Company.objects.filter(pk=company_id).exists():
        raise NotFound
    return Csd.objects.filter(company=company_id).first()


def csd_put(*, company_id: int, body: CsdIn, by: Principal) -> Csd:
    """Store the certificate and key of a company in place of the former. Raises `NotFound` and what `read` raises."""
    rfc = Company.objects.filter(pk=company_id).values_list("tax_id", flat=True).first()
    if rfc is None:
        raise NotFound
    found = read(body.certificate, body.key, body.password, rfc=rfc, now=clock.now())
    return _store(company_id, found, by)


@unit_of_work
def _store(company_id: int, found: Read, by: Principal) -> Csd:
    # The key is derived before the company is locked, which takes long: its RFC may have changed since.
    company = Company.objects.select_for_update().filter(pk=company_id).first()
    if company is None:
        raise NotFound
    _refuse_other_rfc(found.rfc, company.tax_id)
    former = Csd.objects.filter(company=company).first()
    sealed = sealing.seal(found.key, keys=sealing.own_keys(PURPOSE), bound_to=_bound(company_id))
    row, _ = Csd.objects.update_or_create(
        company=company,
        defaults={
            "number": found.number,
            "rfc": found.rfc,
            "valid_from": found.valid_from,
            "valid_to": found.valid_to,
            "certificate": base64.b64encode(found.certificate).decode(),
            "key": sealed.hex(),
        },
    )
    before, after = {"csd": former.number if former else ""}, {"csd": row.number}
    record_and_publish("companies", company, "changed", by, before=before, after=after)
    return row


@unit_of_work
def csd_delete(*, company_id: int, by: Principal) -> None:
    """Delete the certificate and key of a company. Raises `NotFound` if it has none."""
    row = Csd.objects.select_for_update(of=("self",)).select_related("company").filter(company=company_id).first()
    if row is None:
        raise NotFound
    row.delete()
    record_and_publish("companies", row.company, "changed", by, before={"csd": row.number}, after={"csd": ""})


def key_of(row: Csd) -> bytes:
    """Return the key, DER and not encrypted. Raises `KeyUnreadable`."""
    try:
        return sealing.unseal(bytes.fromhex(row.key), keys=sealing.own_keys(PURPOSE), bound_to=_bound(row.company_id))
    except ValueError as error:
        raise KeyUnreadable from error


def keys_for(company_id: int, *, seller: str) -> tuple[bytes, bytes]:
    """Return the certificate and the key, both DER, with which a company seals an invoice of the RFC `seller`.

    Raises `NotFound`, `CsdRequired`, `CsdOfOtherRfc`.
    """
    row = csd_of(company_id)
    if row is None or not row.valid_from <= clock.now() <= row.valid_to:
        raise CsdRequired
    if row.rfc != tax_code(seller):
        raise CsdOfOtherRfc(rfc=row.rfc, seller=tax_code(seller))
    try:
        return base64.b64decode(row.certificate), key_of(row)
    except KeyUnreadable as error:
        raise CsdRequired from error


def _bound(company_id: int) -> bytes:
    return str(company_id).encode()


def key_ids() -> list[str]:
    """Return the ids of the available sealing keys. The keys of new certificates are sealed with the first one."""
    return [key_id.hex() for key_id in sealing.own_keys(PURPOSE)]


def keys_needed() -> list[str]:
    """Return, for the key of each certificate, the id of the sealing key that opens it. 1 query."""
    return [key[: 2 * sealing.KEY_ID_BYTES] for key in Csd.objects.values_list("key", flat=True)]
