"""An erasure removes the person's name from pay slips and bills and changes nothing else in them."""

from pathlib import Path

import pytest
from django.conf import LazySettings

from project.access.permissions import ALL
from project.identity.models import User
from project.orders.models import ProcessRecord
from tests.builders import Caller, Shop, move, person
from tests.project.billing.billing import PATH as BILLS, asked, done, of, prepare
from tests.project.personal_data.test_erasing import erase
from tests.project.piecework.paying import PAYMENTS, cancel, item, left, paid


@pytest.fixture(autouse=True)
def media(settings: LazySettings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


def test_only_the_erased_persons_name_leaves_pay_slips_and_bills(shop: Shop) -> None:
    """Two people share the name and only one is erased. A customer, a product and a process have that name too."""
    company = prepare(shop)
    dora, other = (Caller(person(name, *ALL, processes=[shop.casting])) for name in ("dora", "doris"))
    User.objects.filter(pk=other.id).update(first_name="Dora")
    for row in (shop.customer, shop.item, shop.casting):
        type(row).objects.filter(pk=row.pk).update(name="Dora Torres")  # type: ignore[attr-defined]
    bills, payments = {}, {}
    for worker in (dora, other):
        order = shop.approved(5)
        move(worker, "in", order, shop.casting)
        move(worker, "out", order, shop.casting)
        payments[worker.id] = paid(shop.ana, item(ProcessRecord.objects.latest("pk").pk, 5), userId=worker.id)["id"]
        cancel(worker, paid(worker, item(left(shop)))["id"])
        issued = asked(worker, of(done(shop, 5), quantity=5), companyId=company.pk)
        assert issued.status == 201, issued
        bills[worker.id] = issued.json["id"]
        assert worker.delete(f"{BILLS}/{bills[worker.id]}").status == 200
    assert erase(shop.ana, dora.id, "Dora Torres").status == 200
    for worker, name in ((dora, f"Persona borrada #{dora.id}"), (other, "Dora Torres")):
        payment = shop.ana.get(f"{PAYMENTS}/{payments[worker.id]}").json
        assert (payment["username"], payment["items"][0]["outputUsername"]) == (name, name)
        assert payment["items"][0]["itemName"] == payment["items"][0]["productionProcessName"] == "Dora Torres"
        [canceled] = [row for row in shop.ana.get(f"{PAYMENTS}?status=Canceled").json if row["createdBy"] == name]
        assert canceled["canceledBy"] == name
        bill = shop.ana.get(f"{BILLS}/{bills[worker.id]}").json
        assert {bill["createdBy"], bill["billedBy"], bill["canceledBy"]} == {name}
        assert bill["customerName"] == bill["lines"][0]["itemName"] == "Dora Torres"
