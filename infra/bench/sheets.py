"""Work sheets over HTTP: one after the first, a hundred of an order at once beside a hundred single ones, and what the
API's answers take meanwhile.

Run by infra/bench/operations.sh, which names a database of its own; ends with 1 where a limit does not hold.
"""

import io
import sys
import threading
import time
from statistics import median, quantiles

import django

django.setup()

from django.core.files.base import ContentFile  # noqa: E402
from django.core.files.storage import default_storage  # noqa: E402
from httpx import Client  # noqa: E402
from PIL import Image, ImageFilter  # noqa: E402
from served import served, token  # noqa: E402

from project.catalogs.models import Component, Customer, Item, ItemComponent, Material, ProductionProcess  # noqa: E402
from project.core import clock  # noqa: E402
from project.orders.models import Line, SalesOrder  # noqa: E402

SHEETS = 100
SINGLE_MS, TOGETHER, SLOWER = 120.0, 0.6, 1.2
ROUNDS = 5
ASKED = 120
PRINT = "/pdf/create-pdf"


def seed() -> int:
    """An order of a hundred lines of twenty products with photographs, five components each and eight processes."""
    run = token()
    customer = Customer.objects.create(name=f"Bench {run}", quinto="Q-1", image=photograph(f"bench/c{run}.jpeg"))
    material = Material.objects.create(name=f"Bench {run}", description="Plata .925")
    components = [Component.objects.create(name=f"Bench {run} {n}") for n in range(5)]
    items = [
        Item.objects.create(key=f"S{run}-{n}", name=f"Bench {run} {n}", image=photograph(f"bench/{run}-{n}.jpeg"))
        for n in range(20)
    ]
    ItemComponent.objects.bulk_create(
        ItemComponent(item=item, component=component, material=material, place=place)
        for item in items
        for place, component in enumerate(components, start=1)
    )
    ProductionProcess.objects.bulk_create(ProductionProcess(name=f"Bench {run} {n}", order=n) for n in range(1, 9))
    order = SalesOrder.objects.create(
        customer=customer,
        customer_sales_order_id=f"S-{run}",
        sales_order_date=clock.today(),
        creation_date=clock.now(),
    )
    Line.objects.bulk_create(
        Line(
            order=order,
            position=place,
            item=items[place % 20],
            quantity=place,
            notes="Pulir dos veces y empacar por separado",
            creation_date=clock.now(),
        )
        for place in range(1, SHEETS + 1)
    )
    return order.pk


def photograph(name: str) -> str:
    """A picture as large as the store keeps them, and with as much in it as a photograph has: about 400 kB."""
    drawn = io.BytesIO()
    grain = Image.effect_noise((2_048, 1_536), 60).filter(ImageFilter.GaussianBlur(1.5))
    Image.merge("RGB", (grain, grain.rotate(90), grain.rotate(180))).save(drawn, "JPEG", quality=88)
    return default_storage.save(name, ContentFile(drawn.getvalue()))


def printed(client: Client, documents: list[dict[str, int]]) -> float:
    """Seconds that a print takes."""
    begun = time.perf_counter()
    client.post(PRINT, json={"documents": documents}, timeout=300).raise_for_status()
    return time.perf_counter() - begun


def api_p95(client: Client, order: int) -> float:
    """The 95th percentile of a line's page, in ms, asked at a person's pace."""
    taken = []
    for turn in range(ASKED):
        begun = time.perf_counter()
        client.get(f"/api/sales-order/{order}/position/{turn % SHEETS + 1}").raise_for_status()
        taken.append(1_000 * (time.perf_counter() - begun))
        time.sleep(0.02)
    return quantiles(taken, n=20)[18]


def meanwhile(client: Client, printing: Client, order: int) -> float:
    """The same while sheets are printed without a pause."""
    over = threading.Event()

    def print_on() -> None:
        while not over.is_set():
            printed(printing, [{"salesOrderId": order}])

    thread = threading.Thread(target=print_on)
    thread.start()
    try:
        return api_p95(client, order)
    finally:
        over.set()
        thread.join()


def main() -> int:
    """Sheets are asked of the PDF service; the API answers beside it, as `Procfile` runs them."""
    with served() as service, served(PDF_URL=str(service.base_url).rstrip("/")) as client:
        service.headers = client.headers  # the second server made the administrator's password anew
        order = seed()
        line = [{"salesOrderId": order, "position": place} for place in range(1, SHEETS + 1)]
        first = printed(service, line[:1])
        singles = [printed(service, [one]) for one in line]
        single = 1_000 * median(singles)
        whole = [printed(service, [{"salesOrderId": order}]) for _ in range(ROUNDS)]
        share = median(whole) / sum(singles)
        quiet, busy = [], []
        with Client(base_url=client.base_url, headers=client.headers) as other:
            for _ in range(ROUNDS):
                quiet.append(api_p95(client, order))
                busy.append(meanwhile(client, other, order))
        ratio = median(busy) / median(quiet)
    print(
        f"sheets: the first {1_000 * first:.0f} ms, one after it {single:.1f} ms (median of {SHEETS}, limit "
        f"{SINGLE_MS:.0f})"
    )
    print(
        f"sheets: {SHEETS} together {median(whole):.2f} s, singly {sum(singles):.2f} s: {share:.2f} (limit {TOGETHER})"
    )
    print(
        f"sheets: p95 of a line's page {median(quiet):.1f} ms, while printing {median(busy):.1f} ms: "
        f"{ratio:.2f} times (limit {SLOWER})"
    )
    return int(single > SINGLE_MS or share > TOGETHER or ratio > SLOWER)


if __name__ == "__main__":
    sys.exit(main())
