"""A pass of the alert engine over 200,000 open lines, medians: one that finds nothing new, and one that finds plenty.

Run by infra/bench/operations.sh, which names a database of its own; ends with 1 where a limit does not hold.
"""

import sys
import time
from datetime import timedelta
from statistics import median

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.db import connection  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from served import EMAIL, served, token  # noqa: E402

from project.catalogs.models import Customer, Item, ProductionProcess  # noqa: E402
from project.core import clock  # noqa: E402
from project.identity.models import User  # noqa: E402
from project.notifications.selectors import MOST_AT_ONCE  # noqa: E402
from project.notifications.services import announce  # noqa: E402
from project.orders.models import Line, ProcessRecord, SalesOrder  # noqa: E402
from project.orders.rules import Status  # noqa: E402

LINES = 200_000
PER_ORDER = 10
TRIPPED = 4_000
"""Lines that a pass finds to be due, and as many records open for too long."""
LIMIT_SECONDS, LIMIT_QUERIES = 2.0, 5
ROUNDS = 5


def seed() -> None:
    """Open lines, half of them inside a process; every one far from its date and fresh in its process."""
    run, now = token(), clock.now()
    person = User.objects.get(email=EMAIL)
    process = ProductionProcess.objects.create(name=f"Bench {run}", order=1)
    customer = Customer.objects.create(name=f"Bench {run}")
    item = Item.objects.create(key=f"A{run}", name=f"Bench {run}")
    far = clock.today() + timedelta(days=settings.ALERT_DELIVERY_DAYS + 60)
    for first in range(0, LINES // PER_ORDER, 2_000):
        orders = SalesOrder.objects.bulk_create(
            SalesOrder(
                customer=customer,
                customer_sales_order_id=f"{run}-{n:06}",
                sales_order_date=clock.today(),
                status=Status.InProcess,
                creation_date=now,
            )
            for n in range(first, first + 2_000)
        )
        lines = Line.objects.bulk_create(
            Line(
                order=order,
                position=position,
                item=item,
                quantity=10,
                quantity_inside=10 * (position % 2),
                status=Status.InProcess,
                delivery_date=far,
                creation_date=now,
            )
            for order in orders
            for position in range(1, PER_ORDER + 1)
        )
        ProcessRecord.objects.bulk_create(
            ProcessRecord(line=line, process=process, quantity=10, input_at=now, input_by=person)
            for line in lines
            if line.quantity_inside
        )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # as the server does by itself, a minute later


def trip() -> None:
    """Let some dates come near and some records grow old, others than before."""
    lines = Line.objects.filter(delivery_date__gt=clock.today() + timedelta(days=30)).values("pk")[: TRIPPED // 2]
    Line.objects.filter(pk__in=lines).update(delivery_date=clock.today())
    old = clock.now() - timedelta(hours=settings.ALERT_OPEN_HOURS + 1)
    records = ProcessRecord.objects.filter(input_at__gt=old).values("pk")[: TRIPPED // 2]
    ProcessRecord.objects.filter(pk__in=records).update(input_at=old)


def one_pass() -> tuple[float, int, int]:
    """Seconds, queries, and how many were announced."""
    with CaptureQueriesContext(connection) as queries:
        begun = time.perf_counter()
        announced = announce()
        taken = time.perf_counter() - begun
    return taken, len([query for query in queries if query["sql"] not in ("BEGIN", "COMMIT")]), announced


def main() -> int:
    assert TRIPPED < MOST_AT_ONCE  # noqa: S101 - one pass is to find them all
    with served():
        seed()
        idle = [one_pass() for _ in range(ROUNDS)]
        busy = []
        for _ in range(ROUNDS):
            trip()
            busy.append(one_pass())
    failed = 0
    for name, passes in (("nothing new", idle), (f"{TRIPPED} new", busy)):
        seconds, most = median(taken for taken, *_ in passes), max(queries for _, queries, _ in passes)
        announced = sorted({count for *_, count in passes})
        print(
            f"alerts: a pass over {LINES:,} open lines with {name} (announced {announced}): {seconds:.2f} s (limit "
            f"{LIMIT_SECONDS:.0f}), {most} queries (limit {LIMIT_QUERIES})"
        )
        failed |= seconds > LIMIT_SECONDS or most > LIMIT_QUERIES
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
