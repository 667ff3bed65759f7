"""The first day: the list that ticks itself, and the sample workshop for an empty installation."""

import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import LazySettings
from django.db import DatabaseError, connection

from project.access.permissions import ALL, Permission
from project.audit import services as audit
from project.audit.models import AuditEntry
from project.catalogs import services as catalogs
from project.catalogs.definitions import MATERIALS
from project.catalogs.models import Alloy, Company, Material, ProductionProcess
from project.core import clock
from project.demo import start, workshop
from project.demo.people import PASSWORD, PEOPLE
from project.identity.bootstrap import administrator_ensure
from project.identity.models import User
from project.orders.models import Movement, SalesOrder
from project.worker.models import Lease
from realtime.models import OutboxCounter
from tests.builders import Caller, Shop, at_once, buyer, somebody
from tests.project.billing.billing import billed, done as finished, of, prepare

START, SAMPLE = "/api/start", "/api/start/sample"
HELD = {"orders": 30, "products": 40, "customers": 6, "processes": 12, "people": 8}
PROCESSES = "/api/production-processes"

pytestmark = pytest.mark.usefixtures("quick_passwords")


def founder() -> Caller:
    """The first administrator of an empty installation."""
    return Caller(administrator_ensure(email="jefa@obrador.test", password="Taller.2026", first_name="Jefa"))


def done(by: Caller) -> dict[str, bool]:
    return {step["name"]: step["done"] for step in by.get(START).json["steps"]}


def test_nothing_is_done_in_an_empty_installation(db: None) -> None:
    assert done(founder()) == {
        "company": False,
        "processes": False,
        "roles": False,
        "people": False,
        "customers": False,
        "products": False,
        "order": False,
        "sheet": False,
        "movement": False,
        "bill": False,
    }


def test_steps_tick_as_the_workshop_is_set_up(shop: Shop) -> None:
    ticked = {"processes", "roles", "customers", "products"}
    assert {name for name, is_done in done(shop.ana).items() if is_done} == ticked
    Company.objects.create(name="Platería")
    shop.ana.put(f"/identity/users/{shop.carla.id}/pin", {"pin": "271828"})
    order = shop.approved(5)
    ticked |= {"company", "people", "order"}
    assert {name for name, is_done in done(shop.ana).items() if is_done} == ticked
    audit.record(
        entity="sales-order", entity_id=order, label="PO-1", action="printed", before=None, after={"sheets": 1}, by=None
    )
    assert {name for name, is_done in done(shop.ana).items() if not is_done} == {"movement", "bill"}


def test_first_invoice_is_the_last_step(shop: Shop) -> None:
    prepare(shop)
    billed(shop, of(finished(shop, 5)))
    assert list(done(shop.ana).items())[-2:] == [("movement", True), ("bill", True)]


def test_roles_of_a_usual_workshop_but_the_first_ones_are_four(db: None) -> None:
    """The list promises four: the first account's own role is that of the administration."""
    templates = founder().get("/identity/roles/templates").json
    assert sum(set(template["permissions"]) != ALL for template in templates) == 4


def test_process_takes_on_who_makes_it_while_nobody_else_is_there(db: None) -> None:
    jefa = founder()
    buyer(None)
    wax = jefa.post(PROCESSES, {"name": "Cera", "userIds": []}).json
    assert wax["userIds"] == [jefa.id]
    assert jefa.post(PROCESSES, {"name": "Vaciado"}).json["userIds"] == [jefa.id]
    assert jefa.put(f"{PROCESSES}/{wax['id']}", {"userIds": []}).json["userIds"] == []


def test_process_takes_on_nobody_if_others_could_work_there(shop: Shop) -> None:
    ProductionProcess.objects.all().delete()
    assert shop.ana.post(PROCESSES, {"name": "Cera"}).json["userIds"] == []


def test_workshop_that_moves_pieces_without_sheets_needs_none(shop: Shop) -> None:
    shop.enter(shop.approved(5), shop.casting)
    left = {name for name, is_done in done(shop.ana).items() if not is_done}
    assert left == {"company", "people", "bill"}


def test_list_holds_only_what_the_caller_may_do(shop: Shop) -> None:
    keeper = somebody(Permission.UpdateRole, Permission.CreateRole, Permission.CreateItem)
    assert set(done(keeper)) == {"roles", "products"}


@pytest.mark.parametrize(("method", "path"), [("GET", START), ("POST", SAMPLE), ("DELETE", SAMPLE)])
def test_only_administrators_see_and_load(shop: Shop, method: str, path: str) -> None:
    assert somebody(*(ALL - {Permission.UpdateRole})).call(method, path).code == "permission_denied"


def test_sample_is_offered_and_loaded_only_where_nothing_is(db: None) -> None:
    jefa = founder()
    assert jefa.get(START).json["sample"] == "offered"
    material = Material.objects.create(name="Plata")
    assert jefa.get(START).json["sample"] is None
    refused = jefa.post(SAMPLE)
    assert (refused.status, refused.code) == (409, "not_empty")
    material.delete()
    jefa.post("/identity/users", {"firstName": "Juan", "pin": "271828"})
    assert jefa.get(START).json["sample"] is None


def test_only_a_sample_that_was_loaded_is_removed(shop: Shop) -> None:
    refused = shop.ana.delete(SAMPLE)
    assert (refused.status, refused.code) == (409, "sample_in_use")


def loading() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == start.THREAD]


@pytest.mark.django_db(transaction=True)
def test_sample_is_loaded_in_the_background_without_published_passwords(settings: LazySettings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path
    jefa = founder()
    first, again = jefa.post(SAMPLE), jefa.post(SAMPLE)
    assert [answer.json["sample"] for answer in (first, again)] == ["loading", "loading"]
    for thread in loading():
        thread.join(120)
    after = jefa.get(START).json
    assert (after["sample"], after["sampleHolds"]) == ("loaded", HELD)
    assert [step["name"] for step in after["steps"] if not step["done"]] == ["people"]
    assert SalesOrder.objects.count() == 30
    made = User.objects.filter(email__in=[one.email for one in PEOPLE])
    assert made.count() == len(PEOPLE)
    assert not any(user.check_password(PASSWORD) or user.pin_hash for user in made)
    assert jefa.get(f"/identity/users/{jefa.id}").status == 200


@pytest.mark.django_db(transaction=True)
def test_sixteen_callers_load_once_and_no_other_write_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    jefa = founder()
    by = workshop.principal(jefa.id, "Jefa", ALL)
    begun, ends, built = threading.Event(), threading.Event(), []

    def slow() -> None:
        catalogs.entry_create(MATERIALS, fields={"name": "Plata"}, by=by)
        built.append(True)
        begun.set()
        ends.wait(60)

    monkeypatch.setattr(workshop, "_build", slow)
    answers = at_once([lambda: jefa.post(SAMPLE)] * 16)
    assert {(answer.status, answer.json["sample"]) for answer in answers} == {(200, "loading")}
    assert begun.wait(60)
    before = clock.now()
    other = jefa.post("/api/materials", {"name": "Oro"})
    assert clock.now() - before < timedelta(seconds=5)
    on_sqlite = connection.vendor == "sqlite"
    assert (other.status, other.json.get("code")) == ((409, "sample_loading") if on_sqlite else (201, None))
    assert jefa.get(START).status == 200
    assert jefa.post(START).status == 200, "each page begins with it"
    ends.set()
    for thread in loading():
        thread.join(60)
    assert built == [True]
    assert set(Material.objects.values_list("name", flat=True)) == ({"Plata"} if on_sqlite else {"Plata", "Oro"})
    assert jefa.post("/api/materials", {"name": "Cobre"}).status == 201


@pytest.mark.django_db(transaction=True)
def test_sample_that_fails_leaves_nothing_and_can_be_loaded_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def breaks(published: bool) -> Any:
        Material.objects.create(name="Plata")
        raise RuntimeError("no room")

    monkeypatch.setattr(start, "build", breaks)
    jefa = founder()
    jefa.post(SAMPLE)
    for thread in loading():
        thread.join(60)
    assert jefa.get(START).json["sample"] == "failed"
    assert not Material.objects.exists()
    assert "no room" in caplog.text
    monkeypatch.setattr(start, "build", lambda published: None)
    assert jefa.post(SAMPLE).status == 200
    for thread in loading():
        thread.join(60)
    assert jefa.get(START).json["sample"] == "offered"


def rows() -> dict[str, set[Any]]:
    """The ids of all rows, without the audit and the leases of workers."""
    tables = (model for model in apps.get_models(include_auto_created=True) if model not in (AuditEntry, Lease))
    return {
        model._meta.label: set(model._default_manager.values_list("pk", flat=True))
        for model in tables
        if model._meta.app_label != "realtime"
    }


def loaded(jefa: Caller) -> None:
    assert jefa.post(SAMPLE).status == 200
    for thread in loading():
        thread.join(120)


@pytest.mark.django_db(transaction=True)
def test_sample_is_removed_whole_while_nothing_else_was_written(settings: LazySettings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path
    jefa = founder()
    alloys = list(Alloy.objects.order_by("id").values("name", "fineness", "material", "wax_ratio"))
    before, audited = rows(), set(AuditEntry.objects.values_list("pk", flat=True))
    loaded(jefa)
    jefa.post("/api/work-sheets/print", {"documents": [{"salesOrderId": SalesOrder.objects.first().pk}]})  # type: ignore[union-attr]
    jefa.put(f"/identity/users/{jefa.id}/language", {"language": "en"})
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    epoch = OutboxCounter.objects.get().epoch
    answer = jefa.delete(SAMPLE)
    assert (answer.status, answer.json["sample"], answer.json["sampleHolds"]) == (200, "offered", None)
    assert rows() == before
    assert list(Alloy.objects.order_by("id").values("name", "fineness", "material", "wax_ratio")) == alloys
    assert not any(path.is_file() for path in tmp_path.rglob("*"))
    assert OutboxCounter.objects.get().epoch != epoch, "every client loads again"
    left = AuditEntry.objects.exclude(pk__in=audited)
    assert {entry.user_id for entry in left} == {jefa.id}
    (removed,) = left.filter(entity="sample", action="deleted")
    assert {name: change["before"] for name, change in removed.changes.items()} == HELD
    again = jefa.delete(SAMPLE)
    assert (again.status, again.code) == (409, "sample_in_use")

    loaded(jefa)
    with pytest.raises(DatabaseError):  # what is written once is so again
        Movement.objects.all()._raw_delete(connection.alias)
    assert jefa.post("/api/materials", {"name": "Mi plata"}).status == 201
    assert jefa.get(START).json["sample"] is None
    refused = jefa.delete(SAMPLE)
    assert (refused.status, refused.code) == (409, "sample_in_use")
    assert SalesOrder.objects.count() == HELD["orders"]
