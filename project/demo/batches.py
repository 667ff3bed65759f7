"""A casting tree of the demo that is ready for the furnace."""

from decimal import Decimal

from project.access.principal import Principal
from project.batches import services as batches
from project.batches.models import Batch
from project.batches.schemas import BatchIn, BatchLineIn
from project.catalogs.models import Alloy
from project.core.grams import to_grams
from project.orders.models import Line
from project.orders.rules import Status

LINES = 5
BUTTON_GRAMS = Decimal(45)
SPRUES = Decimal("1.3")
"""The weight of a tree for each gram of finished pieces."""


def grow_a_tree(process_id: int, alloy_id: int, by: Principal) -> Batch:
    """Put the oldest approved lines of an alloy on one tree. Returns the tree, which is not cast yet."""
    alloy = Alloy.objects.get(pk=alloy_id)
    lines = list(
        Line.objects.filter(status=Status.Approved, item__alloy=alloy)
        .select_related("item")
        .order_by("order", "position")[:LINES]
    )
    metal = to_grams(sum(line.quantity * (line.item.net_mg or 0) for line in lines)) * SPRUES
    sent = {
        "production_process_id": process_id,
        "alloy_id": alloy.pk,
        "wax_grams": (metal / (alloy.wax_ratio or 1)).quantize(Decimal("0.1")),
        "button_grams": BUTTON_GRAMS,
        "notes": "Crisol 3",
    }
    body = BatchIn.model_validate(sent, by_name=True)
    tree = batches.batch_create(body=body, by=by)
    for line in lines:
        put = BatchLineIn.model_validate({"sales_order_id": line.order_id, "position": line.position}, by_name=True)
        tree = batches.line_put_on(batch_id=tree.pk, body=put, by=by)
    return tree
