"""Who gives a production process: who works in it, or who says who works where."""

import pytest

from project.access.permissions import P
from tests.builders import Caller, Shop, person, somebody
from tests.project.identity.test_users import USERS, body

pytestmark = pytest.mark.usefixtures("quick_passwords")


def test_nobody_gives_a_process_in_which_he_does_not_work(shop: Shop) -> None:
    worker = person("worker", P.CreateUser, P.UpdateUser, P.CreateProductionProcess, processes=[shop.casting])
    little = Caller(worker)
    refused = {"productionProcessIds": [shop.casting.pk, shop.polishing.pk]}
    entry = {"name": "Esmalte", "order": 3, "userIds": [little.id]}
    for answer in (
        little.put(f"{USERS}/{little.id}", refused),
        little.put(f"{USERS}/{shop.carla.id}", refused),
        little.post(USERS, body(**refused)),
        little.post("/api/production-processes", entry),
    ):
        assert (answer.status, answer.code) == (403, "permission_denied")
        assert answer.json["params"] == {"missing": ["UpdateProductionProcess"]}
    assert little.post("/api/production-processes", entry | {"userIds": []}).status == 201
    own = {"productionProcessIds": [shop.casting.pk]}
    assert little.put(f"{USERS}/{shop.carla.id}", own).status == 200
    assert little.post(USERS, body(**own)).status == 201
    assert set(worker.production_processes.all()) == {shop.casting}
    planner = somebody(P.UpdateUser, P.UpdateProductionProcess, P.CreateProductionProcess)
    assert planner.put(f"{USERS}/{shop.carla.id}", refused).status == 200
    assert planner.post("/api/production-processes", entry | {"name": "Niel"}).status == 201


def test_a_process_that_somebody_has_already_is_not_given(shop: Shop) -> None:
    eva = somebody(processes=[shop.polishing])
    little = somebody(P.UpdateUser, processes=[shop.casting])
    both = {"productionProcessIds": [shop.casting.pk, shop.polishing.pk]}
    assert little.put(f"{USERS}/{eva.id}", both).status == 200
    assert little.put(f"{USERS}/{eva.id}", {"productionProcessIds": []}).status == 200
