"""Passkeys: added in the profile, good for one site and one answer, removed."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

from project.access.models import SignInAttempt
from project.audit.models import AuditEntry
from project.core import clock
from project.doors.models import AnsweredChallenge, Passkey
from project.worker.jobs import forget_sign_ins
from tests.builders import Answer, Caller, at_once
from tests.project.doors.visitors import PASSWORD, WAYS, Device, Visitor, account, with_passkey

pytestmark = pytest.mark.usefixtures("quick_passwords")


def options() -> dict[str, Any]:
    given: dict[str, Any] = Visitor().post("passkey/options").json
    return given


def sign_in(device: Device) -> Answer:
    return Visitor().post("passkey", device.answers(options()))


def refused(answer: Answer) -> bool:
    return (answer.status, answer.code) == (401, "passkey_refused")


def not_added(answer: Answer) -> bool:
    """Whether a new passkey is refused. A 401 would end the session in browsers."""
    return (answer.status, answer.fields) == (422, {"id": "passkey_refused"})


def test_passkey_signs_in_alone_also_where_one_is_required(db: None) -> None:
    user = account(requires="passkey")
    device = with_passkey(user, name="Mi teléfono")
    answer = sign_in(device)
    assert (answer.status, set(answer.json)) == (200, {"access_token"})
    [passkey] = Caller(bearer=answer.json["access_token"]).get(WAYS).json["passkeys"]
    assert (passkey["name"], passkey["usedAt"] is not None, passkey["synced"]) == ("Mi teléfono", True, False)
    assert AuditEntry.objects.filter(user_id=user.pk, action="signed-in").count() == 1


def test_the_device_is_asked_to_find_the_passkey_and_to_check_its_person(db: None) -> None:
    asked = options()["options"]
    assert (asked["userVerification"], asked["rpId"], asked["allowCredentials"]) == ("required", "localhost", [])
    made = Caller(account()).post(f"{WAYS}/passkeys/options", {"currentPassword": PASSWORD}).json["options"]
    selection = made["authenticatorSelection"]
    assert (selection["residentKey"], selection["userVerification"]) == ("required", "required")
    assert "dora" not in str(base64url_to_bytes(made["user"]["id"]))


@pytest.mark.parametrize(
    "device", [Device(origin="https://other.example"), Device(verifies=False)], ids=["site", "person"]
)
def test_passkey_of_another_site_or_of_an_unchecked_person_is_not_added(db: None, device: Device) -> None:
    caller = Caller(account())
    given = caller.post(f"{WAYS}/passkeys/options", {"currentPassword": PASSWORD}).json
    assert not_added(caller.post(f"{WAYS}/passkeys", device.makes(given)))
    assert not Passkey.objects.exists()


def test_answer_of_another_site_or_of_an_unchecked_person_is_refused(db: None) -> None:
    device = with_passkey(account())
    device.origin = "https://obrador.example"
    assert refused(sign_in(device))
    device.origin, device.verifies = "http://localhost:8000", False
    assert refused(sign_in(device))
    device.verifies = True
    assert sign_in(device).status == 200


def test_replayed_answer_is_refused_also_of_a_device_that_counts_nothing(db: None) -> None:
    device = with_passkey(account(), Device(counts=False))
    answer = device.answers(options())
    assert Visitor().post("passkey", answer).status == 200
    assert refused(Visitor().post("passkey", answer))


@pytest.mark.django_db(transaction=True)
def test_one_of_many_simultaneous_uses_of_an_answer_signs_in() -> None:
    answer = with_passkey(account(), Device(counts=False)).answers(options())
    answers = at_once([lambda: Visitor().post("passkey", answer)] * 4)
    assert sorted(one.status for one in answers) == [200, 401, 401, 401]


def test_copy_of_a_device_is_refused_by_its_counter(db: None) -> None:
    device = with_passkey(account())
    count = device.count
    assert sign_in(device).status == 200
    device.count = count  # the copy has not seen that use
    assert refused(sign_in(device))
    assert sign_in(device).status == 200


def test_answer_to_another_challenge_or_signed_by_another_key_is_refused(db: None) -> None:
    device = with_passkey(account())
    assert refused(Visitor().post("passkey", {**device.answers(options()), "state": options()["state"]}))
    other = Device(id=device.id, handle=device.handle, count=50)
    assert refused(sign_in(other))
    unknown = Device(handle=device.handle)
    assert refused(sign_in(unknown))


def test_answer_for_another_account_is_refused(db: None) -> None:
    device, other = with_passkey(account()), with_passkey(account("eva"))
    device.handle = other.handle
    assert refused(sign_in(device))


@pytest.mark.parametrize("part", ["clientData", "authenticatorData", "signature"])
def test_malformed_answer_is_refused(db: None, part: str) -> None:
    device = with_passkey(account())
    for rubbish in ("AAAA", bytes_to_base64url(json.dumps({"type": 5}).encode()), "oWE"):
        assert refused(Visitor().post("passkey", {**device.answers(options()), part: rubbish}))
        SignInAttempt.objects.all().delete()


@pytest.mark.parametrize("part", ["clientData", "attestation"])
def test_malformed_new_passkey_is_refused(db: None, part: str) -> None:
    caller = Caller(account())
    given = caller.post(f"{WAYS}/passkeys/options", {"currentPassword": PASSWORD}).json
    for rubbish in ("AAAA", "oWE", bytes_to_base64url(b"[]")):
        assert not_added(caller.post(f"{WAYS}/passkeys", {**Device().makes(given), part: rubbish}))


def test_locked_account_does_not_sign_in_by_passkey(db: None) -> None:
    user = account()
    device = with_passkey(user)
    user.locked = True
    user.save()
    assert refused(sign_in(device))


def test_refused_answers_are_counted_and_stand_in_the_audit(db: None) -> None:
    user = account()
    device = with_passkey(user)
    device.verifies = False
    assert [sign_in(device).status for _ in range(6)] == [401] * 5 + [429]
    assert AuditEntry.objects.get(action="guessed").entity_id == user.pk


def test_offer_ends_after_an_hour_and_its_note_is_deleted(db: None, noon: Any) -> None:
    device, given = with_passkey(account()), options()
    with clock.at(noon + timedelta(hours=1, seconds=1)):
        assert Visitor().post("passkey", device.answers(given)).code == "challenge_over"
    assert sign_in(device).status == 200
    before = AnsweredChallenge.objects.count()
    with clock.at(noon + timedelta(hours=2)):
        forget_sign_ins()
    assert (before > 0, AnsweredChallenge.objects.count()) == (True, 0)


def test_passkey_is_added_for_its_own_person_once(db: None) -> None:
    ana, eva = Caller(account("ana")), Caller(account("eva"))
    given = ana.post(f"{WAYS}/passkeys/options", {"currentPassword": PASSWORD}).json
    body = Device().makes(given)
    assert not_added(eva.post(f"{WAYS}/passkeys", body))
    assert ana.post(f"{WAYS}/passkeys", body).status == 201
    assert not_added(ana.post(f"{WAYS}/passkeys", body))
    device = Device(id=body["id"])
    again = eva.post(f"{WAYS}/passkeys/options", {"currentPassword": PASSWORD}).json
    assert eva.post(f"{WAYS}/passkeys", device.makes(again)).code == "already_exists"


def test_second_passkey_of_a_person_has_the_same_handle_and_excludes_the_first(db: None) -> None:
    user = account()
    first = with_passkey(user)
    given = Caller(user).post(f"{WAYS}/passkeys/options", {"currentPassword": PASSWORD}).json["options"]
    assert given["user"]["id"] == first.handle
    assert [one["id"] for one in given["excludeCredentials"]] == [first.id]


def test_passkey_is_renamed_and_removed_by_its_own_person_alone(db: None) -> None:
    user, other = account(), Caller(account("eva"))
    device = with_passkey(user)
    path = f"{WAYS}/passkeys/{Passkey.objects.get().pk}"
    assert other.post(f"{path}/rename", {"name": "Mía"}).status == 404
    assert other.post(f"{path}/remove", {"currentPassword": PASSWORD}).status == 404
    assert Caller(user).post(f"{path}/rename", {"name": "Llave azul"}).json["passkeys"][0]["name"] == "Llave azul"
    assert Caller(user).post(f"{path}/remove", {"currentPassword": PASSWORD}).json["passkeys"] == []
    assert refused(sign_in(device))
    names = [row.changes.get("passkey") for row in AuditEntry.objects.filter(entity_id=user.pk).order_by("pk")]
    assert [one for one in names if one] == [
        {"before": None, "after": "Teléfono"},
        {"before": "Teléfono", "after": "Llave azul"},
        {"before": "Llave azul", "after": None},
    ]


def test_person_has_at_most_twenty_passkeys(db: None) -> None:
    user = account()
    now = clock.now()
    Passkey.objects.bulk_create(
        Passkey(user=user, name=str(n), credential_id=f"{n:04}", public_key="", handle="aGFuZGxl", created_at=now)
        for n in range(20)
    )
    given = Caller(user).post(f"{WAYS}/passkeys/options", {"currentPassword": PASSWORD}).json
    assert Caller(user).post(f"{WAYS}/passkeys", Device().makes(given)).code == "too_many_passkeys"


def test_another_origin_of_the_same_site_may_be_named(db: None, settings: LazySettings) -> None:
    device = with_passkey(account())
    device.origin = "http://localhost:5173"
    assert refused(sign_in(device))
    settings.LIVE_ORIGINS = ["http://localhost:5173"]
    assert sign_in(device).status == 200
