"""Sample data: a movement event as large as real ones."""

from datetime import UTC, date, datetime

from project.orders.documents import HistoryRow, LineDocument, OrderHead, OrderOffers, PiecesInside, ProcessName
from project.orders.events import LineData, LineMoved

AT = datetime(2026, 3, 2, 12, tzinfo=UTC)


def movement(number: int) -> LineMoved:
    """Return the event that pieces enter a process. The numbers spread over 50 orders and 12 processes."""
    process = ProcessName(production_process_id=1 + number % 12, production_process_name="Montado de piedra")
    record = HistoryRow(
        **process.model_dump(),
        id=number + 1,
        version=1,
        quantity=40,
        input_date=AT,
        input_username="María Fernanda Ruiz Ortega",
        input_notes="Segundo lote, revisar medida",
        input_received_at=None,
        output_date=None,
        output_username=None,
        output_notes=None,
        output_received_at=None,
        released=False,
        deleted_date=None,
        date_of_reprocessing=None,
        active=True,
        released_by=None,
        release_reason=None,
        release_notes=None,
        scrap_reason=None,
        photo=None,
        photo_thumbnail=None,
        undone=False,
        released_exits=[],
    )
    inside = PiecesInside(
        production_process_id=process.production_process_id,
        quantity=40,
        since=AT,
        by=record.input_username,
    )
    line = LineDocument.model_validate(
        {
            "id": number,
            "salesOrderId": 1 + number % 50,
            "position": 1 + number % 7,
            "customerSalesOrderId": f"PO-{number % 50:05}",
            "customerId": 1 + number % 12,
            "customerName": "Platería del Sur, S.A. de C.V.",
            "salesOrderDate": date(2026, 3, 1),
            "itemId": 7,
            "itemKey": "AN-0007",
            "itemName": "Anillo de plata con circón",
            "status": "InProcess",
            "orderStatus": "InProcess",
            "quantity": 100,
            "quantityInside": 40,
            "quantityAvailable": 60,
            "quantityDone": 0,
            "quantityBilled": 0,
            "quantityScrapped": 0,
            "quantityReplaced": 0,
            "quantityGood": 100,
            "shipmentDate": None,
            "deliveryDate": date(2026, 3, 9),
            "shippingDate": None,
            "late": False,
            "notes": "",
            "image": None,
            "thumbnail": None,
            "version": 3,
            "currentProductionProcess": process,
            "lastProductionProcess": process,
            "inside": [inside],
            "leftToday": [],
            "waiting": [
                {
                    "productionProcessId": 2,
                    "quantity": 60,
                    "since": None,
                    "fromProductionProcessId": None,
                    "by": "",
                }
            ],
            "standing": {
                "kind": "inside",
                "processes": [
                    {
                        "productionProcessId": process.production_process_id,
                        "quantity": 40,
                        "since": AT,
                        "by": record.input_username,
                    }
                ],
                "nextProcesses": [3, 4, 5],
                "lateDays": 0,
            },
            "attention": [],
            "weighed": False,
            "offers": {
                "statuses": ["Canceled"],
                "in": [{"maxQuantity": 60, "productionProcessIds": None}],
                "out": [{"productionProcessId": process.production_process_id, "maxQuantity": 40}],
                "release": [
                    {
                        "productionProcessId": process.production_process_id,
                        "recordId": record.id,
                        "side": "in",
                        "quantity": 40,
                    }
                ],
                "undo": [],
                "edit": True,
            },
        }
    )
    order = OrderHead(
        id=line.sales_order_id,
        version=2,
        revision=9,
        status=line.order_status,
        lines_count=7,
        open_lines_count=7,
        late_lines_count=1,
        quantity=700,
        quantity_done=0,
        progress=0.125,
        first_delivery_date=line.delivery_date,
        offers=OrderOffers(delete=False),
    )
    shown = {name: getattr(line, name) for name in LineData.model_fields if hasattr(line, name)}
    return LineMoved(data=LineData(**shown, line=line, order=order, record=record, records=[record]))
