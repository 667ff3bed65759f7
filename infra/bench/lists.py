"""A list of 100,000 orders by keyset: the thousandth page of 25 beside the first one, over HTTP, medians.

Run by infra/bench/run.sh, which names a database of its own; ends with 1 where one takes more than 1.5 times the
other.
"""

import re
import sys
import time
from datetime import date, timedelta
from statistics import median

import django

django.setup()

from django.db import connection  # noqa: E402
from httpx import Client  # noqa: E402
from served import served, token  # noqa: E402

from project.catalogs.models import Customer, Item  # noqa: E402
from project.core import clock  # noqa: E402
from project.orders.models import Line, SalesOrder  # noqa: E402

ORDERS = 100_000
PAGE = 25
THOUSANDTH = 999 * PAGE
ROUNDS = 40
LISTS = (
    "/api/sales-order?ordering=-id",
    "/api/sales-order?ordering=-salesOrderDate",
    "/api/sales-order/positions?",
)


def seed() -> None:
    """Orders of one line each, through bulk_create: what is measured is reading them."""
    missing = ORDERS - SalesOrder.objects.count()
    if missing <= 0:
        return
    run = token()
    customers = [Customer.objects.create(name=f"Bench customer {run} {n}") for n in range(20)]
    items = [Item.objects.create(key=f"B{run}-{n}", name=f"Bench item {run} {n}") for n in range(50)]
    now, start = clock.now(), date(2024, 1, 1)
    for first in range(0, missing, 5_000):
        orders = SalesOrder.objects.bulk_create(
            SalesOrder(
                customer=customers[n % 20],
                customer_sales_order_id=f"{run}-{n:06}",
                sales_order_date=start + timedelta(days=n // 100),
                creation_date=now,
            )
            for n in range(first, min(first + 5_000, missing))
        )
        Line.objects.bulk_create(
            Line(
                order=order,
                position=1,
                item=items[order.pk % 50],
                quantity=10,
                creation_date=now,
                delivery_date=order.sales_order_date + timedelta(days=30),
            )
            for order in orders
        )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # as the server does by itself, a minute later


def thousandth(client: Client, path: str) -> str:
    """The address of the thousandth page, reached by the links of larger ones."""
    left, following = THOUSANDTH, ""
    while left:
        size = min(200, left)
        following = re.sub(r"limit=\d+", f"limit={size}", following) or f"{path}&limit={size}"
        answer = client.get(following)
        answer.raise_for_status()
        following = answer.links["next"]["url"]
        left -= size
    return re.sub(r"limit=\d+", f"limit={PAGE}", following)


def milliseconds(client: Client, path: str) -> float:
    started = time.perf_counter()
    answer = client.get(path)
    took = time.perf_counter() - started
    answer.raise_for_status()
    if len(answer.json()) != PAGE:
        raise ValueError(f"{path} answered {len(answer.json())} rows")
    return 1000 * took


def main() -> int:
    worst = 0.0
    with served() as client:
        seed()
        print(f"lists: {PAGE} of {SalesOrder.objects.count():,} orders, medians of {ROUNDS}")
        for path in LISTS:
            pages = f"{path}&limit={PAGE}", thousandth(client, path)
            first, last = zip(
                *((milliseconds(client, a), milliseconds(client, b)) for a, b in [pages] * ROUNDS),
                strict=True,
            )
            ratio = median(last) / median(first)
            worst = max(worst, ratio, 1 / ratio)
            print(f"  {path:44} first {median(first):6.1f} ms   thousandth {median(last):6.1f} ms   ratio {ratio:.2f}")
    return 1 if worst > 1.5 else 0


if __name__ == "__main__":
    sys.exit(main())
