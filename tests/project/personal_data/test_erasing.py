"""Erasing a person: every table and file loses their name, and records of their work keep only their id."""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import LazySettings, settings
from django.db import IntegrityError, transaction
from django.db.models import BinaryField

from project.access.permissions import ALL, Permission
from project.audit.models import AuditEntry, Exemption
from project.core import clock
from project.identity.models import User
from project.importing.models import Import, ImportFile, ImportRow
from project.orders.models import ProcessRecord
from project.piecework.models import PaymentItem
from realtime.models import OutboxCounter, OutboxEvent
from tests.builders import Answer, Caller, Shop, line_path, move, person, release, somebody, undo
from tests.project.billing.billing import asked, done, of, prepare
from tests.project.piecework.paying import item, paid
from tests.project.station.standing import PIN, make_badge, name_oneself, set_pin
from tests.project.talk.talking import called, come
from tests.realtime.samples import commit, line_moved

PASSWORD = "Taller.2026"
FIRST, LAST = "Xóchitl", "Quetzalli"
FORMER = "Ixquiapan"
EMAIL = "xochitl.q@taller.test"


@pytest.fixture(autouse=True)
def media(settings: LazySettings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def xochitl(shop: Shop, quick_passwords: None) -> Caller:
    """A worker in both processes and in the office; her last name changes during the tests."""
    made = person("xochitl", *ALL, processes=[shop.casting, shop.polishing])
    body = {"email": EMAIL, "firstName": FIRST, "lastName": FORMER, "password": PASSWORD}
    assert shop.ana.put(f"/identity/users/{made.pk}", body).status == 200
    made.refresh_from_db()
    return Caller(made)


def erase(by: Caller, user: int, name: str = f"{FIRST} {LAST}") -> Answer:
    return by.post(f"/identity/users/{user}/erase", {"name": name})


def erased(by: Caller, user: int) -> dict[str, Any]:
    answer = erase(by, user)
    assert answer.status == 200, answer
    found: dict[str, Any] = answer.json
    return found


def work(shop: Shop, xochitl: Caller) -> tuple[int, int]:
    """Let her do something of everything, under two names, and let others write about her.

    Return one of her orders and a record that she was paid for.
    """
    company = prepare(shop)
    order = shop.approved(10)
    move(xochitl, "in", order, shop.casting, notes="yo")
    move(xochitl, "out", order, shop.casting)
    release(xochitl, order, shop.casting, "out")
    shop.ana.put(f"/identity/users/{xochitl.id}", {"lastName": LAST})
    assert xochitl.user is not None
    xochitl.user.refresh_from_db()
    xochitl.put(f"{line_path(order)}/full", {"notes": f"Pregunte a {FIRST} {LAST} o a {EMAIL.upper()}"})
    release(xochitl, order, shop.casting)
    move(xochitl, "in", order, shop.casting)
    undo(xochitl, order, ProcessRecord.objects.latest("pk").pk)
    move(xochitl, "in", order, shop.casting)
    move(xochitl, "out", order, shop.casting)
    record = ProcessRecord.objects.latest("pk").pk
    paid(xochitl, item(record), userId=xochitl.id, notes=f"A {FIRST} {LAST}, en mano")
    other = done(shop, 5)
    assert asked(xochitl, of(other, quantity=5), companyId=company.pk, notes=f"Recibió {FIRST} {LAST}").status == 201
    assert xochitl.put(f"/api/production-processes/{shop.casting.pk}", {"price": 10}).status == 200
    cells = [{"productionProcessId": shop.casting.pk, "itemId": shop.item.pk, "price": 10}]
    assert xochitl.put("/api/process-item-prices", {"cells": cells}).status == 200
    with clock.at(clock.now() - timedelta(hours=settings.ALERT_OPEN_HOURS, minutes=1)):
        move(Caller(xochitl.user), "in", shop.approved(4), shop.casting, idempotency_key="k1")
    assert xochitl.get(f"/api/audit?search={FIRST} {LAST}&format=csv").status == 200
    draft = Import.objects.create(
        user=xochitl.user,
        catalog="materials",
        file_name=f"{FIRST}.csv",
        created_at=clock.now(),
    )
    ImportRow.objects.create(upload=draft, number=2, outcome="new", cells={"name": f"Plata de {FIRST} {LAST}"})
    for password in (PASSWORD, "Otra.2026"):
        shop.nobody.post(
            "/identity/authentication/sign-in", {"username": EMAIL, "password": password, "rememberLogin": True}
        )
    xochitl.post("/api/live/ticket")
    tablet = somebody(Permission.Station)
    set_pin(shop, xochitl, PIN)
    make_badge(shop, xochitl)
    assert name_oneself(tablet, pin=PIN).status == 200
    at_hers = name_oneself(xochitl, pin=PIN)
    move(Caller(bearer=at_hers.json["token"]), "in", shop.approved(3), shop.casting)
    xochitl.post("/api/notifications/read/all")
    come(xochitl, order, called(xochitl, order, text=f"Llamen a {FIRST} {LAST}"))
    return order, record


def held(value: Any) -> str:
    """A column's value as text."""
    if isinstance(value, bytes | memoryview):
        return bytes(value).decode(errors="replace")
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def everything(*, beside: str = "") -> Iterator[tuple[str, str]]:
    """Every value of every column of every table, with its place."""
    for model in apps.get_models(include_auto_created=True):
        fields = [field.attname for field in model._meta.concrete_fields]
        for row in model._base_manager.values("pk", *fields):
            for field in fields:
                if (where := f"{model._meta.label}.{field}") != beside:
                    yield f"{where} of {row['pk']}", held(row[field])


def naming(*words: str) -> list[str]:
    """The places that contain one of these words, in any case."""
    return [where for where, text in everything() if any(word.casefold() in text.casefold() for word in words)]


def test_no_column_and_no_file_names_an_erased_person(shop: Shop, xochitl: Caller, tmp_path: Path) -> None:
    work(shop, xochitl)
    before = {where.split(" of ")[0] for where in naming(FIRST, LAST, FORMER, EMAIL)}
    assert {
        "audit.AuditEntry.user_name",
        "audit.AuditEntry.label",
        "audit.AuditEntry.changes",
        "catalogs.ProcessPrice.user_name",
        "catalogs.ProcessItemPrice.user_name",
        "access.SignInAttempt.account",
        "identity.User.email",
        "importing.Import.file_name",
        "importing.ImportRow.cells",
        "orders.Line.notes",
        "billing.Bill.notes",
        "billing.Bill.billed_by_name",
        "piecework.Payment.notes",
        "piecework.Payment.payee_name",
        "piecework.PaymentItem.earner_name",
        "realtime.OutboxEvent.payload",
    } <= before

    user = erased(shop.ana, xochitl.id)

    assert naming(FIRST, LAST, FORMER, EMAIL) == []
    files = [one for one in tmp_path.rglob("*") if one.is_file() and FIRST.encode() in one.read_bytes()]
    assert files == []
    shown = f"Persona borrada #{xochitl.id}"
    assert user["fullName"] == shown
    assert (user["erased"], user["active"], user["hasPin"], user["hasBadge"]) == (True, False, False, False)
    assert (user["roleIds"], user["productionProcessIds"]) == ([], [])
    assert naming(shown)


def test_records_of_the_erased_person_keep_their_id(shop: Shop, xochitl: Caller) -> None:
    order, record = work(shop, xochitl)
    shown = f"Persona borrada #{xochitl.id}"
    done_before = list(AuditEntry.objects.filter(user_id=xochitl.id).order_by("pk").values_list("pk", "at", "action"))
    amount = PaymentItem.objects.get(record=record).amount

    erased(shop.ana, xochitl.id)

    history = shop.history(order)
    assert {row["inputUsername"] for row in history} == {shown}
    exits = [exit_ for row in history for exit_ in row["releasedExits"]]
    assert exits
    assert {(exit_["outputUsername"], exit_["releasedBy"]) for exit_ in exits} == {(shown, shown)}
    assert "Pregunte a " + shown in shop.line(order)["notes"]
    assert (PaymentItem.objects.get(record=record).amount, PaymentItem.objects.get(record=record).earner_id) == (
        amount,
        xochitl.id,
    )
    entries = AuditEntry.objects.filter(user_id=xochitl.id).order_by("pk")
    assert list(entries.values_list("pk", "at", "action")) == done_before
    assert set(entries.values_list("user_name", "address")) == {(shown, "")}
    renamed = AuditEntry.objects.filter(entity="users", entity_id=xochitl.id, action="changed").first()
    assert renamed is not None
    assert renamed.changes["lastName"] == {"before": "•••", "after": "•••"}
    last = AuditEntry.objects.filter(entity="users", entity_id=xochitl.id).latest("pk")
    assert (last.action, last.user_id, last.label) == ("erased", shop.ana.id, shown)
    rows = shop.ana.get(f"/api/audit?entity=users&entityId={xochitl.id}").json
    assert {row["label"] for row in rows} == {shown}


def test_exports_name_the_erased_person_in_the_readers_language(shop: Shop, xochitl: Caller) -> None:
    work(shop, xochitl)
    erased(shop.ana, xochitl.id)
    path = "/api/audit?format=csv"
    assert f"Erased person #{xochitl.id}" in shop.ana.get(path, accept_language="en").text
    assert f"Persona borrada #{xochitl.id}" in shop.ana.get(path, accept_language="es").text
    assert "Persona borrada" not in shop.ana.get(path, accept_language="en").text


def test_erased_account_cannot_be_used_or_reactivated(shop: Shop, xochitl: Caller) -> None:
    work(shop, xochitl)
    erased(shop.ana, xochitl.id)
    assert xochitl.get("/api/notifications/unread").code == "unauthenticated"
    signed_in = {"username": EMAIL, "password": PASSWORD, "rememberLogin": True}
    assert shop.nobody.post("/identity/authentication/sign-in", signed_in).code == "invalid_credentials"
    for path, body in (("", {"active": True}), ("/pin", {"pin": PIN})):
        assert shop.ana.put(f"/identity/users/{xochitl.id}{path}", body).code == "already_erased"
    assert shop.ana.post(f"/identity/users/{xochitl.id}/badge").code == "already_erased"
    with pytest.raises(IntegrityError, match="user_erased_opens_nothing"), transaction.atomic():
        User.objects.filter(pk=xochitl.id).update(active=True)
    assert not Import.objects.filter(user=xochitl.id).exists()
    # The address may be used again.
    body = {"email": EMAIL, "firstName": "Otra", "password": PASSWORD}
    assert shop.ana.post("/identity/users", body).status == 201


def test_erasure_makes_every_client_reload(shop: Shop, xochitl: Caller) -> None:
    epoch = OutboxCounter.objects.get().epoch
    erased_id = xochitl.id
    shop.ana.put(f"/identity/users/{erased_id}", {"lastName": LAST})
    erased(shop.ana, erased_id)
    assert OutboxCounter.objects.get().epoch != epoch
    types = list(OutboxEvent.objects.order_by("id").values_list("type", flat=True))
    assert types[-2:] == ["session.ended", "catalog.changed"]


def test_erasure_needs_the_persons_typed_name(shop: Shop, xochitl: Caller) -> None:
    refused = erase(shop.ana, xochitl.id, "Xochitl")
    assert (refused.status, refused.fields) == (422, {"name": "name_differs"})
    assert naming(FORMER)
    assert erase(shop.ana, xochitl.id, f"  xóchitl   {FORMER.upper()} ").status == 200


def test_person_who_is_owed_money_cannot_be_erased(shop: Shop) -> None:
    order = shop.approved(10)
    dora = Caller(person("dora", *ALL, processes=[shop.casting]))
    move(dora, "in", order, shop.casting)
    move(dora, "out", order, shop.casting)
    refused = erase(shop.ana, dora.id, "Dora Torres")
    assert (refused.status, refused.code) == (409, "still_owed")
    assert refused.json["params"] == {"amount": 92.5, "currency": "MXN", "owed": "92.50 MXN"}
    assert refused.json["message"].startswith("Aún se le deben 92.50 MXN")
    assert naming("Dora")
    paid(shop.ana, item(ProcessRecord.objects.get().pk), userId=dora.id)
    assert erase(shop.ana, dora.id, "Dora Torres").status == 200


def test_users_cannot_erase_themselves_or_users_who_hold_more(shop: Shop) -> None:
    assert erase(shop.ana, shop.ana.id, "Ana Torres").code == "own_account"
    clerk = somebody(Permission.ManagePersonalData)
    assert erase(clerk, shop.ana.id, "Ana Torres").code == "permission_denied"
    assert erase(clerk, shop.carla.id, "Carla Torres").status == 200
    assert erase(shop.beto, 999_999, "Nadie").code == "not_found"
    for caller in (shop.carla, somebody(Permission.UpdateUser, Permission.DeleteUser)):
        assert erase(caller, shop.beto.id, "Beto Torres").status in (401, 403)


def test_last_administrator_cannot_be_erased(shop: Shop) -> None:
    only = shop.ana.id
    User.objects.exclude(pk=only).update(active=False)
    clerk = somebody(*ALL - {Permission.UpdateRole})
    assert erase(clerk, only, "Ana Torres").code in ("last_administrator", "permission_denied")
    assert User.objects.get(pk=only).active


@pytest.mark.django_db
def test_audit_exemption_allows_only_changes_of_names(shop: Shop) -> None:
    shop.order(1)
    entry = AuditEntry.objects.latest("pk")
    rows = AuditEntry.objects.filter(pk=entry.pk)
    with transaction.atomic():
        Exemption.objects.create(erases=True)
        assert rows.update(user_name="otra") == 1
        for change in ({"user_id": 7}, {"action": "deleted"}, {"entity_id": 7}, {"at": entry.at.replace(year=1999)}):
            with pytest.raises(IntegrityError, match="never changed or deleted"), transaction.atomic():
                rows.update(**change)
        with pytest.raises(IntegrityError, match="never changed or deleted"), transaction.atomic():
            rows.delete()
        Exemption.objects.all().delete()
    with pytest.raises(IntegrityError, match="never changed or deleted"), transaction.atomic():
        rows.update(user_name="nadie")


def test_kept_events_lose_the_name_too(shop: Shop, xochitl: Caller) -> None:
    shop.ana.put(f"/identity/users/{xochitl.id}", {"lastName": LAST})
    kept = commit(line_moved(notes=f"de {FIRST} {LAST}"))
    erased(shop.ana, xochitl.id)
    payload = json.loads(OutboxEvent.objects.get(pk=kept).payload)
    assert payload["id"] == kept
    assert payload["data"]["line"]["notes"] == f"de Persona borrada #{xochitl.id}"
    assert payload["by"] == {"id": 7, "fullName": "Ana Torres"}


def test_no_binary_column_hides_texts_from_the_walk() -> None:
    """`everything` reads bytes as text and would miss a name in a compressed column. Erasures delete uploaded
    files."""
    binary = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, BinaryField)
    }
    assert binary == {"reports.KeptFlow.inside", "reports.KeptFlow.waited", "importing.ImportFile.raw"}


def test_erasure_deletes_uploaded_files_of_every_user(shop: Shop, xochitl: Caller) -> None:
    shop.ana.put(f"/identity/users/{xochitl.id}", {"lastName": LAST})
    now = clock.now()
    upload = Import.objects.create(user_id=shop.ana.id, catalog="materials", created_at=now)
    ImportFile.objects.create(upload=upload, raw=f"name\nPlata de {FIRST}\n".encode("utf-16"))
    erased(shop.ana, xochitl.id)
    assert (Import.objects.count(), ImportFile.objects.count()) == (1, 0)
