"""A movement as large as real ones are."""

from datetime import UTC, date, datetime

from realtime.events import LineData, LineMoved, PiecesInside, ProcessName, ProcessRecord

AT = datetime(2026, 3, 2, 12, tzinfo=UTC)


def movement(number: int) -> LineMoved:
    """Pieces of one of fifty lines enter a process."""
    process = ProcessName(production_process_id=1 + number % 12, production_process_name="Montado de piedra")
    record = ProcessRecord(
        **process.model_dump(),
        id=number + 1,
        quantity=40,
        input_date=AT,
        input_username="María Fernanda Ruiz Ortega",
        input_notes="Segundo lote, revisar medida",
        output_date=None,
        output_username=None,
        output_notes=None,
        released=False,
        deleted_date=None,
        date_of_reprocessing=None,
        active=True,
        released_by=None,
        released_exits=[],
    )
    inside = PiecesInside(**process.model_dump(), quantity=40, record_id=record.id, since=AT, by=record.input_username)
    return LineMoved(
        data=LineData(
            sales_order_id=1 + number % 50,
            position=1 + number % 7,
            customer_sales_order_id=f"PO-{number % 50:05}",
            customer_id=1 + number % 12,
            customer_name="Platería del Sur, S.A. de C.V.",
            item_id=7,
            item_name="Anillo de plata con circón",
            status="InProcess",
            order_status="InProcess",
            quantity=100,
            quantity_inside=40,
            quantity_available=60,
            delivery_date=date(2026, 3, 9),
            version=3,
            current_production_process=process,
            last_production_process=process,
            inside=[inside],
            record=record,
            records=[record],
        )
    )
