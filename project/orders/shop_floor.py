"""REST of the shop-floor board: a lane a process, what is inside it now (design of the screens)."""

from datetime import datetime, time
from typing import Any

from django.db.models import Sum
from django.http import HttpRequest

from project.access.guard import Requires
from project.access.table import P
from project.catalogs.models import ProductionProcess
from project.core import clock
from project.core.routing import domain_router
from project.orders import present, schemas, selectors
from project.orders.models import ProcessRecord

router = domain_router("shop floor")


@router.get("", response=schemas.ShopFloorOut, auth=Requires(P.ShopFloor), operation_id="shop_floor_get")
def shop_floor(request: HttpRequest) -> Any:
    """Every active process, and each inactive one that still holds pieces, with its cards. 3 queries."""
    today = clock.today()
    cards: dict[int, list[schemas.CardOut]] = {}
    for record in selectors.shop_floor_records():
        cards.setdefault(record.process_id, []).append(_card(record))
    midnight = datetime.combine(today, time.min, tzinfo=clock.plant())
    left = dict(
        ProcessRecord.objects.filter(output_at__gte=midnight, released_at__isnull=True)
        .values_list("process_id")
        .annotate(pieces=Sum("quantity"))
    )
    lanes = [
        schemas.LaneOut(
            production_process_id=process.pk,
            production_process_name=process.name,
            order=process.order,
            left_today=left.get(process.pk, 0),
            cards=cards.get(process.pk, []),
        )
        for process in ProductionProcess.objects.order_by("order", "name")
        if process.status or process.pk in cards
    ]
    return schemas.ShopFloorOut(today=today, lanes=lanes)


def _card(record: ProcessRecord) -> schemas.CardOut:
    line = record.line
    return schemas.CardOut(
        record_id=record.pk,
        sales_order_id=line.order_id,
        position=line.position,
        customer_sales_order_id=line.order.customer_sales_order_id,
        customer_name=line.order.customer.name,
        item_id=line.item_id,
        item_name=line.item.name,
        image=None,
        pieces=record.quantity,
        quantity=line.quantity,
        since=record.input_at,
        by=record.input_by.full_name,
        delivery_date=line.delivery_date,
        late=present.is_late(line),
    )
