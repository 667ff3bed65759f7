"""A file of a list reveals no more than the list itself to the same caller."""

import csv
import io
import itertools
import re
from datetime import timedelta

import pytest
from django.db.models import CharField, Field, Model, TextField

from project.access.permissions import ALL
from project.billing.models import Bill
from project.catalogs.models import (
    Alloy,
    Company,
    Component,
    Customer,
    CustomerType,
    ExportTaxItem,
    Item,
    Material,
    ProcessItemPrice,
    ProductionProcess,
    ReleaseReason,
    ScrapReason,
    TaxSection,
    Tray,
)
from project.core import clock
from project.core.texts import texts
from project.identity.models import User
from project.metal.models import Account, Refining
from project.orders.models import Line, ProcessRecord, SalesOrder
from project.piecework.models import Payment
from tests import builders
from tests.builders import Caller, Shop, buyer, somebody
from tests.contract.operations import CUSTOMERS, Operation, operations
from tests.project.billing.billing import billed, done, of, pre_billed, prepare
from tests.project.metal.weighing import METAL, alloy, dust, receive, transfer
from tests.project.piecework.paying import item, left, paid

pytestmark = pytest.mark.django_db

FILES = sorted((one for one in operations() if one.method == "GET" and "format" in one.parameters), key=str)
MODELS: tuple[type[Model], ...] = (
    *(Company, Component, Customer, ExportTaxItem, Item, Material, ProductionProcess),
    *(CustomerType, ReleaseReason, ScrapReason, TaxSection),
    *(User, SalesOrder, Line, ProcessRecord, Bill, Payment),
    *(Alloy, Tray, Account, Refining),
)
"""Without roles: all staff may read their names, and the file of users prints names instead of ids."""
MARK = re.compile(r"zq\d+zq|\d+\.31")
"""A text that only one column of one record holds, or a price."""
WITHOUT_MARKS = {"dashboard_status_counts", "report_flow", "report_promises"}
"""Files that hold numbers only."""


def _is_marked(field: "Field[object, object]") -> bool:
    """Whether it holds text that people type."""
    words = isinstance(field, (CharField, TextField)) and not field.choices and not field.generated
    short = field.max_length is not None and field.max_length < 20
    return words and not short and not re.search("image|hash|password|cancel_notes|process_name", field.name)


def weighed(shop: Shop) -> None:
    """Weigh the exits so far, and create metal in the vault, in dust, and at the refinery."""
    of = alloy()
    ProcessRecord.objects.filter(output_at__isnull=False).update(alloy=of, mg_in=10_000, mg_out=9_900)
    receive(shop.ana, of)
    transfer(shop.ana, of, 20, fromKind="vault", **dust(shop.casting))
    sources = [{"productionProcessId": shop.casting.pk, "grams": 5}]
    body = {"partner": "Afinadora Sur", "alloyId": of.pk, "sources": sources}
    assert shop.ana.post(f"{METAL}/refinings", body).status == 201


@pytest.fixture(scope="module")
def marked(module_db: None) -> Shop:
    """Create records for every list. Each of their texts is unique, and their prices end in .31."""
    shop = builders.shop()
    builders.tariff_item("7113119901")
    ScrapReason.objects.create(key="X", name_spanish="X", name_english="X")
    Tray.objects.create(code="X", mg=12_500)
    shop.item.components.create(component=builders.component(), material=builders.material(), notes="zq0zq", place=1)
    prepare(shop, price="817.31")
    ProductionProcess.objects.update(price="913.31")
    order = done(shop, 1, 1)
    billed(shop, of(order, 1))
    pre_billed(shop, of(order, 2))
    paid(shop.ana, item(left(shop, 1), 1, 913.31))
    weighed(shop)
    ProcessItemPrice.objects.create(process=shop.casting, item=shop.item, price="717.31", since=clock.now())
    for days in (3, 0):
        late = shop.approved(2)
        Line.objects.filter(order=late).update(delivery_date=clock.today() - timedelta(days=days))
    for order in shop.approved(1), shop.approved(1):
        shop.enter(order, shop.casting, 1)
    call = {"kind": "stop", "productionProcessId": shop.casting.pk}
    assert shop.ana.post(f"{builders.line_path(order)}/messages", call).status == 201
    scrapped = shop.approved(1)
    shop.enter(scrapped, shop.casting, 1)
    body = {"productionProcessId": shop.casting.pk, "quantity": 1, "reason": "X"}
    answer = shop.ana.post(f"{builders.line_path(scrapped)}/scrap", body)
    assert answer.status == 200, answer
    assert builders.release(shop.ana, order, shop.casting).status == 200
    ProcessRecord.objects.filter(released_at__isnull=False).update(release_reason=ReleaseReason.objects.earliest("pk"))
    SalesOrder.objects.update(sales_order_date="2026-03-10")
    numbers = itertools.count(1)
    for model in MODELS:
        columns = [field.name for field in model._meta.concrete_fields if _is_marked(field)]
        for row in model._default_manager.all():
            model._default_manager.filter(pk=row.pk).update(**{name: f"zq{next(numbers)}zq" for name in columns})
    return shop


def _readers(shop: Shop, operation: Operation) -> list[Caller]:
    """Ana, a caller for each permission that opens the operation, and a customer account if it may read it."""
    few = [somebody(action) for action in operation.permissions] or [shop.carla]
    return [shop.ana, *few, *([buyer(shop.customer, *ALL)] if operation.name in CUSTOMERS else [])]


@pytest.mark.parametrize("operation", FILES, ids=str)
def test_a_file_holds_no_more_than_its_list(marked: Shop, operation: Operation) -> None:
    path = operation.path.replace("999999", str(marked.customer.pk))
    own = f"{path}?filterByUser=true"
    asked = [(reader, f"{path}?limit=200") for reader in _readers(marked, operation)]
    if "filterByUser" in operation.parameters:
        asked += [(somebody(processes=[marked.casting]), f"{own}&limit=200")]
    for reader, address in asked:
        listed = reader.get(address)
        assert listed.status == 200, listed
        written = reader.raw(f"{address}&format=csv").decode("utf-8-sig")
        marks = {*MARK.findall(written)}
        told = listed.text
        if operation.name == "process_item_price_grid":  # its heads are the names of another list of the same readers
            told += reader.get(path.replace("/grid", "/columns")).text
        assert marks <= {*MARK.findall(told)}, (reader, address)
        assert marks or operation.name in WITHOUT_MARKS, address


@pytest.mark.parametrize("operation", FILES, ids=str)
def test_an_english_file_holds_no_spanish_text_of_the_product(marked: Shop, operation: Operation) -> None:
    spanish = {*texts("es").values()} - {*texts("en").values()}
    path = operation.path.replace("999999", str(marked.customer.pk))
    english = Caller(marked.ana.user, accept_language="en")
    written = english.raw(f"{path}?format=csv").decode("utf-8-sig")
    cells = {cell for row in csv.reader(io.StringIO(written, newline="")) for cell in row}
    assert len(cells) > 1
    assert cells & spanish == set()
