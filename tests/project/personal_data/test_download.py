"""The download of personal data: everything kept about a person, no secrets, and nothing about others."""

import json
from datetime import timedelta
from typing import Any

from django.apps import apps
from django.conf import LazySettings
from django.db.models import ForeignKey, OneToOneField

from project.access.permissions import ALL, Permission
from project.audit.models import AuditEntry
from project.catalogs.models import ReleaseReason
from project.identity.models import User
from project.orders.models import ProcessRecord
from project.personal_data.selectors import SECTIONS
from tests.builders import Caller, Shop, line_path, move, person, somebody
from tests.contract.operations import schema
from tests.project.personal_data.test_erasing import EMAIL, work, xochitl
from tests.project.piecework.paying import item, paid
from tests.project.station.standing import PIN, name_oneself

__all__ = ["xochitl"]

ELSEWHERE = {
    "identity.User_roles.user": "the person's own roles",
    "audit.AuditEntry.entity_id": "changesOfAccount",
    "personal_data.Erasure.user_id": "an erased person, who downloads nothing any more",
    "integrations.ServiceAccount.user": "a program, and no person",
}
"""Columns that hold a user's id but have no section, with the reason."""


def downloaded(by: Caller, user: int) -> dict[str, Any]:
    answer = by.get(f"/identity/users/{user}/personal-data")
    assert answer.status == 200, answer
    assert answer.headers["Content-Disposition"] == f'attachment; filename="personal-data-{user}.json"'
    found: dict[str, Any] = json.loads(answer.content)
    return found


def test_documented_schema_lists_the_sections(xochitl: Caller) -> None:
    answers = schema()["paths"]["/identity/users/{user_id}/personal-data"]["get"]["responses"]
    documented = answers[200]["content"]["application/json"]["schema"]
    assert documented["required"] == list(documented["properties"]) == list(downloaded(xochitl, xochitl.id))


def test_download_has_everything_the_person_did_and_had_done_to_them(shop: Shop, xochitl: Caller) -> None:
    order, _ = work(shop, xochitl)
    found = downloaded(shop.ana, xochitl.id)
    assert (found["person"]["email"], found["person"]["hasPin"], found["person"]["hasBadge"]) == (EMAIL, True, True)
    assert [row["processName"] for row in found["productionProcesses"]] == ["Fundición", "Pulido"]
    for section in ("entries", "exits", "releases"):
        assert order in {row["lineOrder"] for row in found[section]}, section
    assert [(row["price"], row["amount"]) for row in found["earnings"]] == [("9.25", "92.50")]
    assert [row["total"] for row in found["paymentsReceived"]] == ["92.50"]
    assert len(found["paymentsMade"]) == len(found["billsPrepared"]) == 1
    assert {row["action"] for row in found["actions"]} >= {"in", "out", "released", "undone", "signed-in", "exported"}
    assert {row["action"] for row in found["changesOfAccount"]} >= {"changed"}
    assert [row["fileName"] for row in found["uploads"]] == ["Xóchitl.csv"]
    assert [row["purpose"] for row in found["signInAttempts"]]
    assert (len(found["stations"]), len(found["stationsOfAccount"])) == (2, 1)
    metal = {"metalAccounts", "metalHeld", "metalWritten", "metalDays", "metalDaysClosed", "metalReceived", "meltings"}
    metal |= {"metalDaysReopened", "metalCounted", "metalCountsWitnessed", "metalCountsWritten"}
    empty = {
        "lossesSigned",
        "customer",
        "printsUnderWay",
        "paymentsCanceled",
        "billsCanceled",
        "originCertificatesMade",
        "refiningsSent",
        "refiningsReturned",
    }
    empty |= metal | {"batchesMade", "batchesClosed", "linksMade", "linksRevoked", "customerAnswers"}
    empty |= {"approvalsAsked", "customerReplies", "answersHandled"}
    empty |= {"authenticators", "recoveryCodes", "passkeys", "companyAccounts", "calendars"}
    empty |= {"noticeSettings", "noticeDevices", "noticesWaiting", "notices"}
    assert {name for name, rows in found.items() if not rows} == empty, "the test's data must fill every other section"


def test_download_has_nothing_about_others(shop: Shop, xochitl: Caller, settings: LazySettings) -> None:
    """Hide who changed the account and from where, and the pieces and pay of other people."""
    settings.TRUSTED_PROXIES = 1
    work(shop, xochitl)
    other = person("petronila", *ALL, processes=[shop.casting])
    petronila = Caller(other, x_forwarded_for="203.0.113.77")
    assert petronila.put(f"/identity/users/{xochitl.id}", {"language": "en"}).status == 200
    assert xochitl.put(f"/identity/users/{other.pk}", {"lastName": "Tlapanco"}).status == 200
    order = shop.approved(10)
    move(petronila, "in", order, shop.casting, notes="de Petronila")
    move(petronila, "out", order, shop.casting)
    paid(xochitl, item(ProcessRecord.objects.latest("pk").pk, price=765.43), userId=other.pk)
    assert AuditEntry.objects.filter(address="203.0.113.77", entity="users", entity_id=xochitl.id).exists()
    assert name_oneself(Caller(other), pin=PIN).status == 200
    text = json.dumps(downloaded(xochitl, xochitl.id), ensure_ascii=False)
    found = json.loads(text)
    named = [row["changes"] for row in found["changesOfAccount"] if row["action"] == "named-at-station"]
    assert {"before": None, "after": other.pk} in [changes["stationUserId"] for changes in named]
    assert not [changes for changes in named if "station" in changes]
    assert [word for word in ("etronila", "Tlapanco", "203.0.113.77", "765.43", "7654.3") if word in text] == []
    people = {name for rows in found.values() if isinstance(rows, list) for row in rows for name in row}
    assert not people & {"user", "userId", "userName", "inputBy", "outputBy", "releasedBy", "createdBy", "label"}


def test_download_has_no_secret(shop: Shop, xochitl: Caller) -> None:
    work(shop, xochitl)
    text = json.dumps(downloaded(shop.ana, xochitl.id))
    user = User.objects.get(pk=xochitl.id)
    secrets = {user.password, user.pin_hash, user.badge_hash, xochitl.bearer}
    assert all(secret and secret not in text for secret in secrets)


def test_sections_longer_than_a_batch_are_complete(shop: Shop) -> None:
    AuditEntry.objects.bulk_create(
        AuditEntry(at=shop.ana.user.created_at, user_id=shop.carla.id, entity="items", entity_id=n, action="changed")  # type: ignore[union-attr]
        for n in range(2_345)
    )
    rows = downloaded(shop.ana, shop.carla.id)["actions"]
    assert [row["entityId"] for row in rows] == list(range(2_345))


def test_users_download_their_own_data_and_managers_of_personal_data_anyones(shop: Shop) -> None:
    assert downloaded(shop.carla, shop.carla.id)["person"]["firstName"] == "Carla"
    customer = Caller(person("cliente"))
    assert downloaded(customer, customer.id)["person"]["id"] == customer.id
    for caller in (shop.carla, somebody(Permission.ListUsers, Permission.UpdateUser)):
        assert caller.get(f"/identity/users/{shop.ana.id}/personal-data").code == "permission_denied"
    assert downloaded(somebody(Permission.ManagePersonalData), shop.ana.id)["person"]["id"] == shop.ana.id
    assert shop.ana.get("/identity/users/999999/personal-data").code == "not_found"
    asked = AuditEntry.objects.filter(entity="files", label=f"personal-data-{shop.ana.id}.json").get()
    assert (asked.action, asked.changes["userId"]["after"]) == ("exported", shop.ana.id)


def test_retention_times_are_public(shop: Shop, settings: LazySettings) -> None:
    settings.AUDIT_KEEP, settings.EVENTS_KEEP = timedelta(days=400), timedelta(days=3)
    assert shop.nobody.get("/api/privacy").json == {"auditDays": 400, "eventsDays": 3, "uploadsDays": 2}
    settings.AUDIT_KEEP = timedelta(0)
    assert shop.nobody.get("/api/privacy").json["auditDays"] is None


def test_every_column_with_a_users_id_is_covered() -> None:
    known = {f"{section.model._meta.label}.{section.person}" for section in SECTIONS} | set(ELSEWHERE)
    found = set()
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.concrete_fields:
            points = isinstance(field, ForeignKey | OneToOneField) and field.related_model is User
            if points or field.name in ("user", "user_id", "to_user"):
                found.add(f"{model._meta.label}.{field.name}")
    assert found - known == set()
    assert {one for one in known if not one.startswith("audit.AuditEntry.entity_id")} <= found


def test_release_in_the_download_has_reason_and_notes(shop: Shop) -> None:
    ReleaseReason.objects.create(key="burr", name_spanish="Rebaba", name_english="Burr")
    order = shop.approved(4)
    shop.enter(order, shop.casting)
    path = f"{line_path(order)}/production-process/{shop.casting.pk}?reason=burr&notes=tres%20piezas"
    assert shop.ana.delete(path).status == 200
    (released,) = downloaded(shop.ana, shop.ana.id)["releases"]
    assert (released["releaseReasonKey"], released["releaseNotes"]) == ("burr", "tres piezas")
