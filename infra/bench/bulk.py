"""Fill PostgreSQL with a large workshop by COPY: a million lines over two years in a few minutes.

An order has five lines, and a line has up to six process records. Most old lines are billed, a few per cent are open,
and about one order in twenty has a payment.
"""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.core.management.color import no_style
from django.db import connection, models

from infra.bench.served import token
from project.billing.models import Bill, BillLine
from project.catalogs.models import Company, Customer, Item, ProductionProcess
from project.core import clock
from project.identity.models import User
from project.orders.models import Line, ProcessRecord, SalesOrder
from project.orders.rules import Status, order_status
from project.piecework.models import Payment, PaymentItem
from project.reports.services import flow_forget

PER_ORDER, VISITS, BATCH = 5, 6, 4_000
DAYS = 730
CUSTOMERS, ITEMS, PROCESSES, WORKERS = 300, 400, 12, 40
UNPAID_DAYS, PAID_ORDERS = 14, 20
MODELS: tuple[type[models.Model], ...] = (SalesOrder, Line, ProcessRecord, Bill, BillLine, Payment, PaymentItem)
NULL = "\\N"


class Workshop:
    """The customers, products, processes and workers that all orders share."""

    def __init__(self) -> None:
        self.run, numbers = token(), random.Random(7)
        run = self.run
        many = range(CUSTOMERS)
        self.customers = Customer.objects.bulk_create(Customer(name=f"Cliente {run} {n:03}") for n in many)
        self.items = Item.objects.bulk_create(
            Item(key=f"{run}-{n:03}", name=f"Pieza {run} {n:03}", sell_price=10 + n % 90, tax_amount=16)
            for n in range(ITEMS)
        )
        self.processes = ProductionProcess.objects.bulk_create(
            ProductionProcess(name=f"Proceso {run} {n:02}", order=n, price=n) for n in range(1, PROCESSES + 1)
        )
        self.workers = User.objects.bulk_create(
            User(email=f"{run}-{n:02}@bulk.obrador.test", first_name="Persona", last_name=f"{run} {n:02}")
            for n in range(WORKERS)
        )
        self.company = Company.objects.create(name=f"Empresa {run}")
        # Draw a small stock once: drawing for each of a million lines would take longer than all the rest.
        self.routes = [sorted(numbers.sample(range(PROCESSES), VISITS)) for _ in range(500)]
        self.hours = [min(numbers.lognormvariate(0.7, 1.0), 60) for _ in range(9_973)]


class Tables:
    """Collect rows for each table, and give them ids. `send` writes them to the database."""

    def __init__(self) -> None:
        self.rows: dict[type[models.Model], list[str]] = {model: [] for model in MODELS}
        self.last = {model: model._default_manager.aggregate(last=models.Max("pk"))["last"] or 0 for model in MODELS}
        self.columns: dict[type[models.Model], list[str]] = {}

    def add(self, model: type[models.Model], **values: Any) -> int:
        """Add a row. Returns its id. All rows of a model must name the same columns; use NULL for no value."""
        self.last[model] += 1
        self.columns.setdefault(model, ["id", *values])
        self.rows[model].append("\t".join(map(str, (self.last[model], *values.values()))))
        return self.last[model]

    def send(self) -> None:
        with connection.cursor() as cursor:
            for model, rows in self.rows.items():
                if rows:
                    columns = ", ".join(f'"{name}"' for name in self.columns[model])
                    with cursor.copy(f"COPY {model._meta.db_table} ({columns}) FROM STDIN") as copy:
                        copy.write("\n".join(rows) + "\n")
                    rows.clear()


def order(tables: Tables, shop: Workshop, number: int, day: date, numbers: random.Random) -> None:
    """Add an order with its lines, records and bill. Some orders also get a payment."""
    customer = shop.customers[number % CUSTOMERS]
    opened = datetime(day.year, day.month, day.day, 14, tzinfo=UTC)
    lines = [_line(shop, opened, numbers) for _ in range(PER_ORDER)]
    status = order_status([line["status"] for line in lines])
    order_id = tables.add(
        SalesOrder,
        version=1,
        customer_id=customer.pk,
        customer_sales_order_id=f"{shop.run}-{number:07}",
        sales_order_date=day,
        notes="",
        status=status,
        creation_date=opened,
    )
    paid: list[tuple[int, dict[str, Any]]] = []
    billed: list[tuple[int, dict[str, Any]]] = []
    for position, line in enumerate(lines, start=1):
        records = line.pop("records")
        line_id = tables.add(
            Line, version=1, order_id=order_id, position=position, notes="", image="", name_image="", **line
        )
        for record in records:
            record_id = tables.add(ProcessRecord, line_id=line_id, quantity=line["quantity"], **record)
            if record["quantity_paid"]:
                paid.append((record_id, record))
        if line["quantity_billed"]:
            billed.append((line_id, line))
    if billed:
        _bill(tables, shop, customer.pk, opened + timedelta(days=40), billed)
    if paid and number % PAID_ORDERS == 0:
        _payment(tables, shop, opened + timedelta(days=45), paid)


def _line(shop: Workshop, opened: datetime, numbers: random.Random) -> dict[str, Any]:
    now, quantity = clock.now(), numbers.randint(1, 60)
    records, at = [], opened + timedelta(days=numbers.randint(1, 12), seconds=numbers.randint(0, 30_000))
    route, place = shop.routes[numbers.randrange(500)], numbers.randrange(9_000)
    for step, process in enumerate(route):
        inside, wait = shop.hours[place + step], 4 * shop.hours[place + step + 50]
        if at > now:
            break
        left: datetime | None = at + timedelta(seconds=int(3_600 * inside))
        if left is not None and left > now:
            left = None
        worker = shop.workers[(process * 3 + place % 3) % WORKERS].pk
        owed = left is not None and left < now - timedelta(days=UNPAID_DAYS) and place % 50
        records.append(
            {
                "process_id": shop.processes[process].pk,
                "input_at": at,
                "input_by_id": worker,
                "output_at": left or NULL,
                "output_by_id": worker if left else NULL,
                "released_at": NULL,
                "released_by_id": NULL,
                "reopened_at": NULL,
                "price": shop.processes[process].price if left else NULL,
                "quantity_paid": quantity if owed else 0,
            }
        )
        at = (left or now) + timedelta(seconds=int(3_600 * wait))
    inside_now = bool(records) and records[-1]["output_at"] == NULL
    status = _status(now - opened, len(records), inside_now, place)
    return {
        "item_id": shop.items[numbers.randrange(ITEMS)].pk,
        "quantity": quantity,
        "quantity_inside": quantity if inside_now else 0,
        "quantity_billed": quantity if status is Status.Invoiced else 0,
        "status": status,
        "shipment_date": opened.date() + timedelta(days=15),
        "delivery_date": opened.date() + timedelta(days=15 + place % 30),
        "shipping_date": opened.date() + timedelta(days=16 + place % 30),
        "creation_date": opened,
        "records": records,
    }


def _status(age: timedelta, visits: int, inside: bool, chance: int) -> Status:
    """Return the status of a line. Most lines end billed; a few stay open or are canceled."""
    if inside or (0 < visits < VISITS):
        return Status.InProcess
    if visits == 0:
        return Status.Approved if age > timedelta(days=2) else Status.New
    if chance % 100 < 2:
        return Status.Canceled
    if chance % 100 < 4 or age < timedelta(days=40):
        return Status.InProcess if chance % 7 == 0 else Status.Done
    return Status.Invoiced


def _bill(
    tables: Tables, shop: Workshop, customer: int, at: datetime, billed: list[tuple[int, dict[str, Any]]]
) -> None:
    number = tables.last[Bill] + 1
    by = shop.workers[0].pk
    amounts = [10 * line["quantity"] for _, line in billed]
    bill = tables.add(
        Bill,
        version=1,
        number=number,
        status="Billed",
        customer_id=customer,
        company_id=shop.company.pk,
        date=at.date(),
        invoice_number=f"F-{number}",
        guide_number=f"G-{number}",
        shipping_price=0,
        custom_regime="",
        notes="",
        currency="MXN",
        subtotal=sum(amounts),
        tax=0,
        total=sum(amounts),
        created_at=at,
        created_by_id=by,
        billed_at=at,
        billed_by_id=by,
    )
    for place, ((line_id, line), amount) in enumerate(zip(billed, amounts, strict=True), start=1):
        tables.add(
            BillLine,
            bill_id=bill,
            place=place,
            line_id=line_id,
            quantity=line["quantity"],
            price=10,
            tax_amount=0,
            amount=amount,
            tax=0,
        )


def _payment(tables: Tables, shop: Workshop, at: datetime, paid: list[tuple[int, dict[str, Any]]]) -> None:
    amounts = [record["price"] * record["quantity_paid"] for _, record in paid]
    payment = tables.add(
        Payment,
        version=1,
        status="Paid",
        date=min(at.date(), clock.today()),
        payee_id=NULL,
        notes="",
        total=sum(amounts),
        created_by_id=shop.workers[0].pk,
        created_at=at,
        cancel_notes="",
    )
    for (record_id, record), amount in zip(paid, amounts, strict=True):
        tables.add(
            PaymentItem,
            payment_id=payment,
            record_id=record_id,
            earner_id=record["output_by_id"],
            quantity=record["quantity_paid"],
            price=record["price"],
            amount=amount,
        )


@contextmanager
def without_indexes() -> Iterator[None]:
    """Drop the models' indexes for the block, and make them again at its end. The block checks no foreign keys."""
    named = [(model, index) for model in MODELS for index in model._meta.indexes]
    with connection.schema_editor() as editor:
        for model, index in named:
            editor.remove_index(model, index)
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
    yield
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = DEFAULT")
        for statement in connection.ops.sequence_reset_sql(no_style(), [*MODELS]):
            cursor.execute(statement)
    with connection.schema_editor() as editor:
        for model, index in named:
            editor.add_index(model, index)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")  # autovacuum would do this later


def make(lines: int) -> int:
    """Add lines until the database has `lines` lines. Deletes the stored flow of days. Returns the number added."""
    missing = max(0, lines - Line.objects.count()) // PER_ORDER
    if not missing:
        return 0
    shop, tables, numbers = Workshop(), Tables(), random.Random(missing)
    first = clock.today() - timedelta(days=DAYS - 1)
    with without_indexes():
        for number in range(missing):
            order(tables, shop, number, first + timedelta(days=DAYS * number // missing), numbers)
            if number % BATCH == BATCH - 1:
                tables.send()
        tables.send()
    flow_forget()
    return missing * PER_ORDER
