"""The first day: the list that ticks itself, and the sample workshop for an empty installation."""

import threading
import time
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection

from project.access.permissions import ALL, Permission
from project.audit import services as audit
from project.catalogs.definitions import COMPONENTS
from project.catalogs.models import Company, Component, Material, ProductionProcess
from project.catalogs.services import entry_create
from project.demo import start, workshop
from project.demo.people import PASSWORD, PEOPLE
from project.identity.bootstrap import administrator_ensure
from project.identity.models import User
from project.orders.models import SalesOrder
from tests.builders import Caller, Shop, buyer, somebody

START, SAMPLE = "/api/start", "/api/start/sample"
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
    assert {name for name, is_done in done(shop.ana).items() if not is_done} == {"movement"}


def test_first_process_takes_on_who_makes_it_if_nobody_else_is_there(db: None) -> None:
    jefa = founder()
    buyer(None)
    wax = jefa.post(PROCESSES, {"name": "Cera", "userIds": []}).json
    assert wax["userIds"] == [jefa.id]
    assert jefa.post(PROCESSES, {"name": "Vaciado"}).json["userIds"] == []
    assert jefa.put(f"{PROCESSES}/{wax['id']}", {"userIds": []}).json["userIds"] == []


def test_first_process_takes_on_nobody_if_others_could_work_there(shop: Shop) -> None:
    ProductionProcess.objects.all().delete()
    assert shop.ana.post(PROCESSES, {"name": "Cera"}).json["userIds"] == []


def test_workshop_that_moves_pieces_without_sheets_needs_none(shop: Shop) -> None:
    shop.enter(shop.approved(5), shop.casting)
    left = {name for name, is_done in done(shop.ana).items() if not is_done}
    assert left == {"company", "people"}


def test_list_holds_only_what_the_caller_may_do(shop: Shop) -> None:
    keeper = somebody(Permission.UpdateRole, Permission.CreateRole, Permission.CreateItem)
    assert set(done(keeper)) == {"roles", "products"}


@pytest.mark.parametrize(("method", "path"), [("GET", START), ("POST", SAMPLE)])
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
    assert after["sample"] is None
    assert [step["name"] for step in after["steps"] if not step["done"]] == ["people"]
    assert SalesOrder.objects.count() == 30
    made = User.objects.filter(email__in=[one.email for one in PEOPLE])
    assert made.count() == len(PEOPLE)
    assert not any(user.check_password(PASSWORD) or user.pin_hash for user in made)
    assert jefa.get(f"/identity/users/{jefa.id}").status == 200


@pytest.mark.django_db(transaction=True)
def test_writes_wait_for_no_sample_that_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    """On SQLite, which has one writer, they are refused at once; on PostgreSQL they go on."""
    ana, begun, ends = founder(), threading.Event(), threading.Event()

    def builds() -> None:
        founder = workshop._principal(0, "Obrador", ALL)
        entry_create(COMPONENTS, fields={"name": "Aro", "status": True}, by=founder)
        begun.set()
        assert ends.wait(60)

    monkeypatch.setattr(start, "build", builds)
    monkeypatch.setattr(start, "close_published_accounts", dict)
    assert ana.post(SAMPLE).json["sample"] == "loading"
    try:
        assert begun.wait(60)
        before = time.monotonic()
        answer = ana.post("/api/materials", {"name": "Plata"})
        assert time.monotonic() - before < 1
        if connection.vendor == "sqlite":
            assert (answer.status, answer.code) == (409, "sample_loading")
        else:
            assert answer.status == 201
        assert ana.get(START).json["sample"] == "loading"
        assert ana.post(SAMPLE).status == 200
    finally:
        ends.set()
        for thread in loading():
            thread.join(60)
    assert ana.post("/api/materials", {"name": "Oro"}).status == 201
    assert Component.objects.filter(name="Aro").exists()


@pytest.mark.django_db(transaction=True)
def test_sample_that_fails_leaves_nothing_and_can_be_loaded_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def breaks() -> Any:
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
    monkeypatch.setattr(start, "build", lambda: None)
    assert jefa.post(SAMPLE).status == 200
    for thread in loading():
        thread.join(60)
    assert jefa.get(START).json["sample"] == "offered"
