"""Certificates as the SAT issues them, made for tests: a CSD may sign, a FIEL may encrypt too."""

import base64
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, PrivateFormat
from cryptography.x509.oid import NameOID

PASSWORD = "una clave Ñ 12"
RFC = "OBR010101AB1"
SERIAL = b"30001000000500003416"


@dataclass(frozen=True)
class Certificate:
    der: bytes
    key: rsa.RSAPrivateKey

    def body(self, *, key: "Certificate | None" = None, password: str = PASSWORD) -> dict[str, str]:
        """What the API takes: the certificate, the key of `key` (its own by default), and a password."""
        owner = (key or self).key
        raw = owner.private_bytes(Encoding.DER, PrivateFormat.PKCS8, BestAvailableEncryption(PASSWORD.encode()))
        return {
            "certificate": base64.b64encode(self.der).decode(),
            "key": base64.b64encode(raw).decode(),
            "password": password,
        }


def certificate(rfc: str = RFC, *, fiel: bool = False, days: tuple[int, int] = (-10, 1_000)) -> Certificate:
    """Make a certificate that is valid between two numbers of days from now."""
    key, now = rsa.generate_private_key(65_537, 2_048), datetime.now(UTC)
    name = x509.Name(
        [
            x509.NameAttribute(NameOID.COMMON_NAME, "OBRADOR SA DE CV"),
            x509.NameAttribute(NameOID.X500_UNIQUE_IDENTIFIER, f"{rfc} / LOPM800101AB2"),
        ]
    )
    usage = x509.KeyUsage(
        digital_signature=True,
        content_commitment=True,
        key_encipherment=False,
        data_encipherment=fiel,
        key_agreement=fiel,
        key_cert_sign=False,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )
    built = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(int.from_bytes(SERIAL, "big"))
        .not_valid_before(now + timedelta(days=days[0]))
        .not_valid_after(now + timedelta(days=days[1]))
        .add_extension(usage, critical=True)
        .sign(key, hashes.SHA256())
    )
    return Certificate(built.public_bytes(Encoding.DER), key)
