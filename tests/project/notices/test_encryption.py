"""Pushes are encrypted as RFC 8291 says, so that only the browser reads them, and signed as RFC 8292 says."""

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import LazySettings

from project.core import clock
from project.notices import encryption
from project.notices.encryption import SIGNED_FOR, application_key, authorization, encrypt, from_text, to_text
from tests.project.notices.browsers import VAPID_KEY, Browser, Pushed, base64url, decoded

SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
RECEIVER = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH, SALT = "BTBZMqHH6r4Tts7J_aSIgg", "DGv6ra1nlYgDCS1FRnbzlw"
ENCRYPTED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
    "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)
"""The example at the end of RFC 8291."""


def test_the_example_of_the_standard_is_encrypted_byte_for_byte() -> None:
    sender = ec.derive_private_key(int.from_bytes(decoded(SENDER)), encryption.CURVE)
    plain = b"When I grow up, I want to be a watermelon"
    found = encrypt(plain, p256dh=decoded(RECEIVER), auth=decoded(AUTH), sender=sender, salt=decoded(SALT))
    assert base64url(found) == ENCRYPTED


def test_only_the_browser_reads_its_push() -> None:
    browser, other = Browser(), Browser()
    sent = encrypt("Líneas atrasadas: 3".encode(), p256dh=browser.public, auth=browser.auth)
    assert browser.decrypt(sent).decode() == "Líneas atrasadas: 3"
    assert b"atrasadas" not in sent
    with pytest.raises(InvalidTag):
        other.decrypt(sent)
    with pytest.raises(InvalidTag):
        browser.decrypt(sent[:-1] + bytes([sent[-1] ^ 1]))


def test_the_same_push_is_encrypted_differently_each_time() -> None:
    browser = Browser()
    assert len({encrypt(b"x", p256dh=browser.public, auth=browser.auth) for _ in range(5)}) == 5


@pytest.mark.parametrize("key", [b"", b"\x04" + b"\x01" * 64, b"\x04" * 64, b"\x00" * 65])
def test_a_key_that_is_no_point_of_the_curve_is_refused(key: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        encrypt(b"x", p256dh=key, auth=bytes(16))


def test_a_push_service_can_check_who_signed(settings: LazySettings) -> None:
    settings.VAPID_KEY, settings.PUBLIC_URL = VAPID_KEY, "https://obrador.example.com"
    now = clock.now()
    header = authorization("https://push.example.com:8443/send/1?a=b", now)
    assert f"k={application_key()}" in header
    claims = Pushed("", {"authorization": header}, b"").signed_for("https://push.example.com:8443")
    assert claims["sub"] == "https://obrador.example.com"
    assert claims["exp"] == int((now + SIGNED_FOR).timestamp())


@pytest.mark.parametrize("sender", ["taller@example.com", "Obrador <taller@example.com>"])
def test_without_a_public_site_the_sender_of_mails_can_be_asked(settings: LazySettings, sender: str) -> None:
    settings.VAPID_KEY, settings.PUBLIC_URL = VAPID_KEY, "http://localhost:8000"
    settings.DEFAULT_FROM_EMAIL = sender
    header = authorization("https://push.example.com/1", clock.now())
    claims = Pushed("", {"authorization": header}, b"").signed_for("https://push.example.com")
    assert claims["sub"] == "mailto:taller@example.com"


def test_without_a_key_there_is_no_public_key(settings: LazySettings) -> None:
    settings.VAPID_KEY = b""
    assert application_key() == ""


@pytest.mark.parametrize("raw", [b"", b"\xff\xfe", bytes(range(65))])
def test_base64_for_addresses_is_read_with_and_without_padding(raw: bytes) -> None:
    text = to_text(raw)
    assert "=" not in text
    assert from_text(text) == from_text(text + "=" * (-len(text) % 4)) == raw


@pytest.mark.parametrize("text", ["a", "a b", "ñandú"])
def test_text_that_is_no_base64_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not base64"):
        from_text(text)
