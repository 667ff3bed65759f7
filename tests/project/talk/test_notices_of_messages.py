"""Who gets a notice of a message: those it mentions, and for a call those who are notified of its process."""

from typing import Any

from project.access.permissions import Permission
from tests.builders import Caller, Shop, somebody
from tests.project.notices.browsers import BELL, prefer
from tests.project.notices.mornings import begin, work
from tests.project.talk.talking import called, come, say


def shown(by: Caller) -> list[dict[str, Any]]:
    work()
    found: list[dict[str, Any]] = by.get(BELL).json["notices"]
    return found


def test_mentioned_people_get_a_notice_and_the_author_gets_none(shop: Shop) -> None:
    order = shop.approved(5)
    caster = somebody(Permission.ListOrders, processes=[shop.casting])
    role = shop.beto.user.roles.get()
    begin()
    for kind, id_ in (("user", shop.ana.id), ("role", role.pk), ("process", shop.casting.pk)):
        assert say(shop.ana, order, text="Miren", mentions=[{"kind": kind, "id": id_}]).status == 201
    (notice,) = shown(shop.beto)
    assert (notice["about"], notice["params"]["kind"], notice["params"]["position"]) == ("message", "talk", 1)
    assert notice["path"] == f"/operations/sales-order/{order}/position/1"
    assert "Miren" not in str(notice)
    assert len(shown(caster)) == 1, "they work in a mentioned process"
    assert shown(shop.ana) == []


def test_talk_without_a_mention_tells_nobody(shop: Shop) -> None:
    order = shop.approved(5)
    begin()
    say(shop.ana, order, text="Nada más")
    assert shown(shop.beto) == []


def test_a_call_tells_those_who_are_notified_of_its_process(shop: Shop) -> None:
    order = shop.approved(5)
    caster, polisher = (
        somebody(Permission.ListOrders, processes=[process]) for process in (shop.casting, shop.polishing)
    )
    begin()
    message = called(somebody(Permission.Station), order, productionProcessId=shop.casting.pk)
    assert len(shown(caster)) == 1
    assert shown(polisher) == []
    come(polisher, order, message)
    assert len(shown(caster)) == 1, "who comes tells nobody"


def test_a_mentioned_person_who_may_not_read_the_notes_gets_no_notice(shop: Shop) -> None:
    order = shop.approved(5)
    other = somebody(Permission.ListCustomers)
    begin()
    say(shop.ana, order, text="Mire", mentions=[{"kind": "user", "id": other.id}])
    assert shown(other) == []


def test_a_worker_of_stations_opens_the_station_from_the_notice(shop: Shop) -> None:
    order = shop.approved(5)
    worker = somebody(Permission.Station, processes=[shop.casting])
    begin()
    mentions = [{"kind": "user", "id": worker.id}]
    called(shop.ana, order, productionProcessId=shop.casting.pk, mentions=mentions)
    (notice,) = shown(worker)
    assert notice["path"] == f"/shop-floor/station/{shop.casting.pk}"


def test_people_may_switch_notices_of_messages_off(shop: Shop) -> None:
    order = shop.approved(5)
    prefer(shop.beto, message=[])
    begin()
    called(shop.ana, order, mentions=[{"kind": "user", "id": shop.beto.id}])
    assert shown(shop.beto) == []
