"""Stale previews, dead jobs and failures in the middle: an import is applied as a whole or not at all."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from project.audit.models import AuditEntry
from project.catalogs.models import Component, Item, Material
from project.core import clock
from project.importing import applying, jobs, previewing
from project.importing.models import HELD, Import, ImportRow
from project.worker.jobs import forget_imports
from realtime.models import OutboxEvent
from tests import builders
from tests.builders import Shop
from tests.project.importing.uploads import applied, csv_of, imported, previewed, refusals, rows_of, settled, upload

FILE = csv_of(["name", "description"], ["Plata", "Nueva"], ["Oro", "Amarillo"], ["Cobre", "Rojo"])


def test_record_changed_since_the_preview_makes_it_stale(shop: Shop) -> None:
    plata = Material.objects.create(name="Plata", description="Vieja")
    result = previewed(shop.ana, "materials", FILE)
    path = f"/api/imports/{result['id']}"
    assert shop.beto.put(f"/api/materials/{plata.pk}", {"description": "De Beto"}).status == 200
    answer = shop.ana.post(f"{path}/apply")
    assert (answer.status, answer.code, answer.json["params"]) == (409, "import_stale", {"rows": [2]})
    assert list(Material.objects.values_list("description", flat=True)) == ["De Beto"]
    again = settled(shop.ana, shop.ana.post(f"{path}/preview"))
    assert (again["state"], again["counts"]["changed"], again["errorCode"]) == ("ready", 1, None)
    assert rows_of(shop.ana, again)[0]["changes"] == [{"field": "description", "before": "De Beto", "after": "Nueva"}]
    assert applied(shop.ana, result["id"])["state"] == "applied"


@pytest.mark.parametrize("how", ["made by somebody", "deleted", "the component is gone"])
def test_conflict_found_while_applying_returns_to_the_preview(
    shop: Shop, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(applying, "stale_rows", lambda upload: [])
    aro = builders.component("Aro")
    old = builders.item("Viejo")
    result = previewed(
        shop.ana, "items", csv_of(["key", "name", "components"], ["N-1", "Nuevo", "Aro"], [old.key, "Otro", ""])
    )
    match how:
        case "made by somebody":
            Item.objects.create(key="n-1", name="Ajeno")
        case "deleted":
            old.delete()
        case _:
            aro.delete()
    names = set(Item.objects.values_list("name", flat=True))
    after = applied(shop.ana, result["id"])
    assert (after["state"], after["errorCode"]) == ("ready", "import_stale")
    assert f"(filas: {3 if how == 'deleted' else 2})" in after["errorMessage"]
    assert set(Item.objects.values_list("name", flat=True)) == names
    assert not AuditEntry.objects.filter(entity="items").exists()


def test_row_refused_by_the_database_is_named(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    result = previewed(shop.ana, "materials", FILE)

    def quicker(*_: Any) -> None:
        Material.objects.create(name="ORO")
        raise IntegrityError

    monkeypatch.setattr(applying, "_write", quicker)
    after = applied(shop.ana, result["id"])
    assert (after["state"], after["errorCode"]) == ("ready", "import_stale")
    assert "(filas: 3)" in after["errorMessage"]


def test_failure_in_the_middle_rolls_everything_back(busy_shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last step fails, after the rows were written."""
    plata = Material.objects.create(name="Plata", description="Vieja")
    result = previewed(busy_shop.ana, "materials", FILE)

    def full(*_: Any, **__: Any) -> None:
        assert Material.objects.count() == 3, "the rows are already written"
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(applying.bulk, "publish_imported", full)
        after = applied(busy_shop.ana, result["id"])
    assert (after["state"], after["errorCode"]) == ("failed", "server_error")
    plata.refresh_from_db()
    assert (plata.description, plata.version) == ("Vieja", 1)
    assert Material.objects.count() == 1
    assert not AuditEntry.objects.exists()
    (event,) = OutboxEvent.objects.all()
    assert (event.type, event.to_user) == ("import.finished", busy_shop.ana.id)
    assert '"state":"failed"' in event.payload
    assert busy_shop.ana.post(f"/api/imports/{result['id']}/apply").code == "import_not_ready"


def test_simultaneous_applies_apply_once(busy_shop: Shop) -> None:
    result = previewed(busy_shop.ana, "materials", FILE)
    path = f"/api/imports/{result['id']}/apply"
    answers = builders.at_once([lambda: busy_shop.ana.post(path)] * 4)
    assert sorted(answer.status for answer in answers) == [200, 409, 409, 409]
    won = next(answer for answer in answers if answer.status == 200)
    assert settled(busy_shop.ana, won)["state"] == "applied"
    assert {answer.code for answer in answers if answer.status == 409} <= {"import_not_ready", "import_applied"}
    assert AuditEntry.objects.filter(entity="materials").count() == 3


@pytest.mark.parametrize("ended", [timedelta(0), timedelta(hours=2)], ids=["run out", "before the clock was set back"])
@pytest.mark.parametrize("state", ["reading", "applying"])
def test_job_that_died_is_reported_as_interrupted(shop: Shop, state: str, ended: timedelta) -> None:
    result = previewed(shop.ana, "materials", FILE)
    left = Import.objects.filter(pk=result["id"])
    left.update(state=state, runner="another process", held_until=clock.now() + HELD)
    path = f"/api/imports/{result['id']}"
    assert shop.ana.get(path).json["state"] == state, "another process may still run it"
    left.update(held_until=clock.now() + ended)
    after = shop.ana.get(path).json
    assert (after["state"], after["errorCode"]) == ("failed", "interrupted")
    left.update(state=state, runner=jobs.RUNNER, held_until=clock.now() + HELD)
    assert shop.ana.get(path).json["errorCode"] == "interrupted", "this process knows that it does not run it"


def test_job_is_alive_between_the_commit_and_its_start(busy_shop: Shop) -> None:
    result = previewed(busy_shop.ana, "materials", FILE)
    path = f"/api/imports/{result['id']}"
    read: list[str] = []
    with transaction.atomic():
        transaction.on_commit(lambda: read.append(busy_shop.ana.get(path).json["state"]))
        answer = busy_shop.ana.post(f"{path}/apply")
    assert read == ["applying"]
    assert settled(busy_shop.ana, answer)["state"] == "applied"


def test_job_taken_for_dead_cannot_continue(shop: Shop) -> None:
    result = previewed(shop.ana, "materials", FILE)
    Import.objects.filter(pk=result["id"]).update(state="failed", error_code="interrupted")
    with pytest.raises(jobs.Overtaken):
        applying.apply(result["id"], "materials", by=principal(shop))
    assert Material.objects.count() == 0


def principal(shop: Shop) -> Any:
    from project.access.token import verify

    assert shop.ana.bearer
    return verify(shop.ana.bearer)


def test_import_discarded_while_it_is_read_ends_without_error(busy_shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    results = previewing.RowValidator.batch

    def slow(validator: previewing.RowValidator, rows: Any) -> Any:
        Import.objects.all().delete()
        return results(validator, rows)

    monkeypatch.setattr(previewing.RowValidator, "batch", slow)
    answer = upload(busy_shop.ana, "materials", FILE)
    builders.tasks_ended()
    assert busy_shop.ana.get(f"/api/imports/{answer.json['id']}").status == 404
    assert not ImportRow.objects.exists()


def test_refused_rows_are_accepted_once_their_references_exist(shop: Shop) -> None:
    result = previewed(shop.ana, "items", csv_of(["key", "name", "components"], ["A", "Otro anillo", "Broche"]))
    assert refusals(shop.ana, result) == {2: {"components": "unknown_name"}}
    Component.objects.create(name="Broche")
    again = settled(shop.ana, shop.ana.post(f"/api/imports/{result['id']}/preview"))
    assert again["counts"] == {"new": 1, "changed": 0, "unchanged": 0, "refused": 0}


def test_too_many_open_imports_of_a_user_get_409(shop: Shop) -> None:
    for number in range(5):
        Import.objects.create(
            user_id=shop.ana.id,
            catalog="items",
            file_name=str(number),
            created_at=clock.now(),
        )
    answer = upload(shop.ana, "materials", FILE)
    assert (answer.status, answer.code) == (409, "too_many_imports")


def test_old_imports_are_deleted_with_their_rows_and_dead_ones_marked(shop: Shop) -> None:
    old = imported(shop.ana, "materials", FILE)["id"]
    dead = previewed(shop.ana, "materials", FILE)["id"]
    Import.objects.filter(pk=old).update(created_at=clock.now() - timedelta(days=3))
    Import.objects.filter(pk=dead).update(state="applying", runner="gone", held_until=clock.now() - timedelta(hours=1))
    forget_imports()
    assert list(Import.objects.values_list("pk", "state", "error_code")) == [(dead, "failed", "interrupted")]
    assert set(ImportRow.objects.values_list("upload_id", flat=True)) == {dead}


def test_database_refuses_two_records_with_the_same_key(shop: Shop) -> None:
    Material.objects.create(name="Plata")
    with pytest.raises(IntegrityError):
        Material.objects.create(name="PLATA")
