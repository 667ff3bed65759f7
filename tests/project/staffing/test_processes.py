"""The workers of a process: who may assign them, who gets an event, and the list of their own processes."""

import pytest
from django.db import IntegrityError, connection
from django.test.utils import CaptureQueriesContext

from project.access.permissions import Permission
from project.catalogs.models import ProductionProcess
from project.staffing.models import ProcessWorker
from project.staffing.rules import LAST_ORDER
from tests.builders import Caller, Shop, at_once, person, process, somebody
from tests.project.identity.test_rights import forget_events, published_to
from tests.project.staffing.test_users import USERS, body

PROCESSES = "/api/production-processes"

pytestmark = pytest.mark.usefixtures("quick_passwords")


def test_user_cannot_assign_a_process_they_do_not_work_in(shop: Shop) -> None:
    worker = person(
        "worker",
        Permission.CreateUser,
        Permission.UpdateUser,
        Permission.CreateProductionProcess,
        processes=[shop.casting],
    )
    little = Caller(worker)
    refused = {"productionProcessIds": [shop.casting.pk, shop.polishing.pk]}
    entry = {"name": "Esmalte", "order": 3, "userIds": [little.id]}
    for answer in (
        little.put(f"{USERS}/{little.id}", refused),
        little.put(f"{USERS}/{shop.carla.id}", refused),
        little.post(USERS, body(**refused)),
        little.post(PROCESSES, entry),
    ):
        assert (answer.status, answer.code) == (403, "permission_denied")
        assert answer.json["params"] == {"missing": ["UpdateProductionProcess"]}
    assert little.post(PROCESSES, entry | {"userIds": []}).status == 201
    own = {"productionProcessIds": [shop.casting.pk]}
    assert little.put(f"{USERS}/{shop.carla.id}", own).status == 200
    assert little.post(USERS, body(**own)).status == 201
    assert [one.process for one in worker.workplaces.all()] == [shop.casting]
    planner = somebody(Permission.UpdateUser, Permission.UpdateProductionProcess, Permission.CreateProductionProcess)
    assert planner.put(f"{USERS}/{shop.carla.id}", refused).status == 200
    assert planner.post(PROCESSES, entry | {"name": "Niel"}).status == 201


def test_user_cannot_change_processes_of_a_user_who_holds_more(shop: Shop) -> None:
    little = somebody(Permission.UpdateUser, Permission.UpdateProductionProcess)
    answer = little.put(f"{USERS}/{shop.ana.id}", {"productionProcessIds": []})
    assert (answer.status, answer.code) == (403, "permission_denied")
    assert ProcessWorker.objects.filter(user=shop.ana.id).count() == 2


def test_process_that_the_user_already_has_may_be_sent_again(shop: Shop) -> None:
    eva = somebody(processes=[shop.polishing])
    little = somebody(Permission.UpdateUser, processes=[shop.casting])
    both = {"productionProcessIds": [shop.casting.pk, shop.polishing.pk]}
    assert little.put(f"{USERS}/{eva.id}", both).status == 200
    assert little.put(f"{USERS}/{eva.id}", {"productionProcessIds": []}).status == 200


def test_process_change_sends_an_event_to_workers_who_join_leave_or_see_it_closed(shop: Shop) -> None:
    path = f"{PROCESSES}/{shop.casting.pk}"
    for fields, concerned in (
        ({"userIds": [shop.beto.id]}, [shop.ana.id, shop.beto.id]),
        ({"userIds": [shop.beto.id, shop.carla.id]}, [shop.carla.id]),
        ({"name": "Vaciado"}, []),
        ({"status": False}, [shop.beto.id, shop.carla.id]),
    ):
        forget_events()
        assert shop.ana.put(path, fields).status == 200
        assert published_to() == concerned
    forget_events()
    body = {"name": "Esmalte", "order": 3, "userIds": [shop.carla.id]}
    made = shop.ana.post(PROCESSES, body).json
    assert shop.ana.delete(f"{PROCESSES}/{made['id']}").status == 200
    assert published_to() == [shop.carla.id] * 2


def test_a_process_without_order_comes_last(shop: Shop) -> None:
    assert shop.ana.post(PROCESSES, {"name": "Esmalte", "order": 40}).json["order"] == 40
    assert shop.ana.post(PROCESSES, {"name": "Grabado", "order": 7}).json["order"] == 7
    for name, order in (("Niel", 41), ("Remache", 42)):
        made = shop.ana.post(PROCESSES, {"name": name})
        assert (made.status, made.json["order"]) == (201, order)
    assert shop.ana.post(PROCESSES, {"name": "Baño", "order": 7}).json["order"] == 7
    answer = shop.ana.put(f"{PROCESSES}/{made.json['id']}", {"order": None})
    assert (answer.status, answer.fields) == (422, {"order": "invalid_type"})


def test_first_process_has_order_1_and_no_order_exceeds_the_highest(shop: Shop) -> None:
    ProductionProcess.objects.all().delete()
    assert shop.ana.post(PROCESSES, {"name": "Esmalte"}).json["order"] == 1
    shop.ana.post(PROCESSES, {"name": "Niel", "order": LAST_ORDER})
    assert shop.ana.post(PROCESSES, {"name": "Remache"}).json["order"] == LAST_ORDER


@pytest.mark.django_db(transaction=True)
def test_processes_added_at_once_get_different_orders(shop: Shop) -> None:
    ProductionProcess.objects.all().delete()
    answers = at_once([lambda name=name: shop.ana.post(PROCESSES, {"name": name}) for name in "ABCD"])
    assert sorted(answer.json["order"] for answer in answers) == [1, 2, 3, 4]


def test_a_process_with_users_but_no_movements_is_deleted(shop: Shop) -> None:
    assert shop.ana.delete(f"{PROCESSES}/{shop.polishing.pk}").status == 200
    assert [one.process for one in ProcessWorker.objects.all()] == [shop.casting]


def test_worker_cannot_be_added_to_a_process_twice(shop: Shop) -> None:
    with pytest.raises(IntegrityError):
        shop.casting.workers.create(user_id=shop.ana.id)


def test_workers_are_set_from_the_process_or_from_the_user(shop: Shop) -> None:
    people = [shop.beto.id, shop.ana.id, shop.beto.id]
    made = shop.ana.post(PROCESSES, {"name": "Vaciado", "order": 3, "userIds": people}).json
    assert made["userIds"] == sorted([shop.ana.id, shop.beto.id])
    assert made["id"] in shop.ana.get(f"/identity/users/{shop.beto.id}").json["productionProcessIds"]
    shop.ana.put(f"{USERS}/{shop.carla.id}", {"productionProcessIds": [made["id"], made["id"]]})
    assert shop.carla.id in shop.ana.get(f"{PROCESSES}/{made['id']}").json["userIds"]
    emptied = shop.ana.put(f"{PROCESSES}/{made['id']}", {"userIds": []}).json
    assert emptied["userIds"] == []


def test_many_assignments_cost_as_many_queries_as_one(shop: Shop) -> None:
    people, places = [somebody().id for _ in range(5)], [process().pk for _ in range(5)]
    shop.ana.put(
        f"{PROCESSES}/{shop.casting.pk}", {"userIds": []}
    )  # the first price and the first event cost extra queries
    costs = []
    for path, field, ids in (
        (f"{USERS}/{shop.carla.id}", "productionProcessIds", places),
        (f"{PROCESSES}/{shop.casting.pk}", "userIds", people),
    ):
        for wanted in (ids[:1], ids):
            with CaptureQueriesContext(connection) as queries:
                assert shop.ana.put(path, {field: wanted}).json[field] == wanted
            costs.append(len(queries))
    assert costs[0] == costs[1]
    assert costs[2] == costs[3]


def test_every_user_may_list_their_own_active_processes_in_order(shop: Shop) -> None:
    late, early = process("Zarpado", order=9), process("Armado", order=2)
    closed = process("Cerrado", order=1, active=False)
    for one in (late, early, closed):
        one.workers.create(user_id=shop.carla.id)
    own = f"{PROCESSES}?status=true&filterByUser=true"
    assert [row["name"] for row in shop.carla.get(own).json] == ["Armado", "Zarpado"]
    both = shop.carla.get(f"{PROCESSES}?filterByUser=true")
    assert [row["name"] for row in both.json] == ["Cerrado", "Armado", "Zarpado"]
    for trick in ("filterByUser=false", "filterByUser=1", "filterByUser=true&filterByUser=false", "filterByUser"):
        assert shop.carla.get(f"{PROCESSES}?{trick}").status == 403, trick
    assert shop.nobody.get(own).status == 401
