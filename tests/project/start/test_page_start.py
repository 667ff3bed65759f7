"""The one call of a page's start: each part is what its own operation answers the caller."""

from collections.abc import Callable

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.access.permissions import Permission
from project.catalogs.models import Company, Customer
from project.core.idempotency import IdempotentAnswer
from realtime import outbox
from tests.builders import Caller, Shop, buyer, customer, item, process, somebody
from tests.project.displays.screens import named

PATH = "/api/start"
OFFERED = {"alloys", "companies", "components", "customers", "items", "materials", "production-processes"}
CALLERS: dict[str, Callable[[Shop], Caller]] = {
    "administrator": lambda shop: shop.ana,
    "clerk": lambda shop: somebody(Permission.ListOrders),
    "worker": lambda shop: somebody(Permission.Station, processes=[shop.casting]),
    "no permission": lambda shop: shop.carla,
    "customer": lambda shop: buyer(shop.customer),
    "display": lambda shop: named(shop, "Fundición", productionProcessIds=[shop.casting.pk])[0],
}


@pytest.mark.parametrize("kind", CALLERS)
def test_each_part_is_what_its_own_operation_answers(shop: Shop, kind: str) -> None:
    process("Cerrado", order=3, active=False)
    Company.objects.create(name="Huixteco")
    Customer.objects.create(name="Cerrado", status=False)
    customer()
    by = CALLERS[kind](shop)
    answer = by.post(PATH)
    assert answer.status == 200, answer
    started = answer.json

    def own(path: str) -> object:
        """What the operation answers; None if it refuses the caller."""
        found = by.get(path)
        assert found.status in (200, 403), found
        return found.json if found.status == 200 else None

    def choices(name: str, asked: str) -> object:
        return own(f"/api/{name}?fields=options{asked}") or []

    described = by.post("/identity/permissions/describe", {"subjectId": str(by.user.pk)}).json if by.user else []
    assert started["user"] == (own(f"/identity/users/{by.user.pk}") if by.user else None)
    if by.user:
        assert started["permissions"] == sorted(row["action"] for row in described)
    assert started["processes"] == choices("production-processes", "&ordering=place")
    assert started["parts"] == (own("/api/parts") or [])
    assert started["workshop"] == (own("/api/customer-page/workshop") if kind == "customer" else None)
    reads = own("/api/notifications/unread")
    assert started["unread"] == (reads if reads is None else {"notifications": reads, "bell": own("/api/notices/bell")})
    if kind in ("customer", "display"):
        assert started["options"] == {}
    else:
        assert started["options"].keys() == OFFERED
        for name, rows in started["options"].items():
            place = "&ordering=place" if name == "production-processes" else ""
            assert rows == choices(name, f"&limit=200&status=true{place}"), name
    assert started["plant"] == {"zone": settings.PLANT_TIME_ZONE, "currency": settings.PLANT_CURRENCY}
    assert (started["epoch"], started["id"]) == outbox.position_lately()
    ticket = by.post("/api/live/ticket").json
    assert (started["expiresIn"], started["pictures"]) == (ticket["expiresIn"], ticket["pictures"])
    assert started["ticket"] != ticket["ticket"]


def test_start_stores_no_key_and_takes_the_same_queries_with_more_rows(shop: Shop) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert shop.ana.post(PATH, idempotency_key="k1").status == 200
        return len(captured)

    before = queries()
    for _ in range(3):
        customer()
        item()
        process()
    assert queries() <= before <= 35
    assert IdempotentAnswer.objects.count() == 0


def test_at_most_200_choices_of_a_catalog_are_answered(shop: Shop) -> None:
    Customer.objects.bulk_create(Customer(name=f"Cliente {number:03}") for number in range(201))
    assert len(shop.ana.post(PATH).json["options"]["customers"]) == 200
