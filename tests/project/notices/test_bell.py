"""The bell shows a person's own notices: imports that are over and pieces for their process, until they are read."""

from datetime import timedelta
from typing import Any

import pytest

from project.access.permissions import Permission
from project.core import clock
from project.notices import services
from project.notices.models import Notice
from project.notices.services import NOTICES_KEPT
from realtime.models import OutboxEvent
from tests.builders import Caller, Shop, move, somebody
from tests.project.importing.uploads import csv_of, imported
from tests.project.notices.browsers import BELL, notice_of, prefer
from tests.project.notices.mornings import begin, work


def shown(by: Caller) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = by.get(BELL).json["notices"]
    return found


def test_an_import_that_is_over_is_shown_to_its_uploader_alone(shop: Shop, tasks_at_once: None) -> None:
    begin()
    result = imported(shop.ana, "materials", csv_of(["name"], ["Plata"]))
    work()
    (notice,) = shown(shop.ana)
    assert (notice["about"], notice["params"]) == ("importDone", {"catalog": "materials", "state": "applied"})
    assert notice["path"] == f"/catalogs/materials/import?upload={result['id']}"
    assert shown(shop.beto) == []
    event = OutboxEvent.objects.filter(type="notices.changed").latest("id")
    assert (event.to_user, '"unread":1' in event.payload) == (shop.ana.id, True)


def test_pieces_for_a_process_are_one_notice_that_counts_lines(shop: Shop) -> None:
    polisher = somebody(Permission.ListOrders, processes=[shop.polishing])
    prefer(polisher, assigned=["bell"])
    begin()
    orders = [shop.approved(4) for _ in range(3)]
    work()
    assert shown(polisher) == [], "the pieces wait for casting first"
    for order in orders:
        shop.enter(order, shop.casting)
        shop.leave(order, shop.casting, 2)
        work()
        shop.leave(order, shop.casting)
        work()
    (notice,) = shown(polisher)
    assert notice["params"] == {"productionProcessName": "Pulido", "count": 3}
    assert notice["path"] == f"/operations/sales-order/{orders[-1]}/position/1"


def test_who_approves_a_line_tells_the_workers_of_its_first_process(shop: Shop) -> None:
    caster = somebody(Permission.Station, processes=[shop.casting])
    prefer(caster, assigned=["bell"])
    begin()
    shop.approved(4)
    work()
    (notice,) = shown(caster)
    assert (notice["about"], notice["params"]["count"]) == ("assigned", 1)
    assert notice["path"] == f"/shop-floor/station/{shop.casting.pk}"


def test_reading_is_idempotent_and_touches_only_ones_own(shop: Shop) -> None:
    mine, other = notice_of(shop.ana), notice_of(shop.beto)
    before = OutboxEvent.objects.count()
    for _ in range(2):
        answer = shop.ana.post(f"{BELL}/read", {"ids": [mine, other, 999_999]})
        assert (answer.status, answer.json["notices"]) == (200, [])
    assert [one["id"] for one in shown(shop.beto)] == [other]
    assert OutboxEvent.objects.count() == before + 1, "one event, for Ana"
    assert OutboxEvent.objects.latest("id").to_user == shop.ana.id


@pytest.mark.parametrize("ids", [[0], ["1"], [1.5], [2**63], list(range(1, 202)), None])
def test_ids_that_cannot_be_notices_are_refused(shop: Shop, ids: Any) -> None:
    answer = shop.ana.post(f"{BELL}/read", {"ids": ids})
    assert (answer.status, answer.code) == (422, "invalid_fields")


def test_the_bell_says_which_types_of_notifications_it_leaves_out(shop: Shop) -> None:
    assert shop.ana.get(BELL).json["muted"] == []
    prefer(shop.ana, late=["push"], inside=[], assigned=["bell"])
    assert shop.ana.get(BELL).json["muted"] == ["SalesOrderWithoutOutputProcess", "SalesOrderDeliveryDateExpiring"]


def test_a_kind_without_the_bell_stores_no_notice(shop: Shop, tasks_at_once: None) -> None:
    prefer(shop.ana, importDone=["push"])
    begin()
    imported(shop.ana, "materials", csv_of(["name"], ["Plata"]))
    work()
    assert not Notice.objects.exists()


def test_a_notice_comes_back_unread_when_there_is_more_about_it(shop: Shop) -> None:
    polisher = somebody(Permission.Station, processes=[shop.polishing])
    prefer(polisher, assigned=["bell"])
    begin()
    for count in (1, 1):
        order = shop.approved(4)
        shop.enter(order, shop.casting)
        assert move(shop.ana, "out", order, shop.casting).status == 200
        work()
        (notice,) = shown(polisher)
        assert notice["params"]["count"] == count, "what was read is not counted again"
        polisher.post(f"{BELL}/read", {"ids": [notice["id"]]})


def test_old_notices_are_deleted(shop: Shop) -> None:
    notice_of(shop.ana)
    with clock.at(clock.now() + NOTICES_KEPT - timedelta(minutes=1)):
        services.forget_old()
    assert Notice.objects.count() == 1
    with clock.at(clock.now() + NOTICES_KEPT + timedelta(minutes=1)):
        services.forget_old()
    assert not Notice.objects.exists()


def test_nobody_is_told_what_they_did_themselves(shop: Shop) -> None:
    prefer(shop.ana, assigned=["bell"])
    begin()
    shop.approved(4)
    work()
    assert shown(shop.ana) == [], "Ana works in casting, and approved the line"
