"""Sample events, published as a service publishes them."""

from datetime import UTC, date, datetime
from decimal import Decimal

from django.db import transaction

from project.events import CatalogChanged, CatalogData
from project.orders.documents import HistoryRow, LineDocument, OrderHead, OrderOffers, PiecesInside, ProcessName
from project.orders.events import DeletedOrderData, LineData, LineMoved, OrderDeleted
from project.orders.offers import EntryOffer, ExitOffer, Offers, ReleaseOffer
from project.orders.situation import Situation, SituationProcess
from realtime import outbox
from realtime.registry import Actor, Event, PermissionsChanged, SessionData, SessionEnded, UserData

SOMEBODY = Actor(id=7, full_name="Ana Torres")
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def line_moved(order: int = 1, position: int = 1, notes: str = "", customer: int = 1) -> LineMoved:
    """A movement on a line of ten pieces: five of them are inside casting."""
    casting = ProcessName(production_process_id=3, production_process_name="Fundición")
    inside = PiecesInside(
        production_process_id=3,
        quantity=5,
        since=NOON,
        by="Ana Torres",
    )
    record = HistoryRow(
        **casting.model_dump(),
        id=11,
        version=1,
        press=None,
        quantity=5,
        input_date=NOON,
        input_by_id=7,
        input_username="Ana Torres",
        input_notes=notes,
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
        grams_in=Decimal("50.25"),
    )
    line = LineDocument(
        id=21,
        sales_order_id=order,
        position=position,
        customer_sales_order_id="PO-1",
        customer_id=customer,
        customer_name="Platería del Sur",
        sales_order_date=date(2026, 3, 1),
        item_id=5,
        item_key="AN-1",
        item_name="Anillo",
        item_name_english="",
        status="InProcess",
        order_status="InProcess",
        quantity=10,
        quantity_inside=5,
        quantity_available=5,
        quantity_done=0,
        quantity_billed=0,
        quantity_scrapped=0,
        quantity_replaced=0,
        quantity_good=10,
        delivery_date=date(2026, 3, 9),
        late=False,
        notes=notes[:200],
        image=None,
        thumbnail=None,
        version=2,
        current_production_process=casting,
        last_production_process=None,
        inside=[inside],
        left_today=[],
        waiting=[],
        standing=Situation(
            kind="inside",
            processes=[SituationProcess(production_process_id=3, quantity=5, since=NOON, by="Ana Torres")],
            next_processes=[4],
            here_since=NOON,
            late_days=0,
        ),
        attention=[],
        weighed=True,
        metal_grams=Decimal("12.5"),
        offers=Offers.model_validate(
            {
                "statuses": ["Canceled"],
                "in": [EntryOffer(max_quantity=5, production_process_ids=None)],
                "out": [ExitOffer(production_process_id=3, max_quantity=5)],
                "release": [ReleaseOffer(production_process_id=3, record_id=11, side="in", quantity=5)],
                "undo": [],
                "edit": True,
            }
        ),
    )
    head = OrderHead(
        id=order,
        version=1,
        revision=3,
        status="InProcess",
        lines_count=1,
        open_lines_count=1,
        late_lines_count=0,
        quantity=10,
        quantity_done=0,
        progress=0.25,
        first_delivery_date=date(2026, 3, 9),
        offers=OrderOffers(delete=False),
    )
    shown = {name: getattr(line, name) for name in LineData.model_fields if hasattr(line, name)}
    return LineMoved(data=LineData(**shown, line=line, order=head, record=record, records=[record]))


def order_deleted(id: int = 1, customer: int = 1) -> OrderDeleted:
    return OrderDeleted(data=DeletedOrderData(id=id, customer_sales_order_id="PO-1", customer_id=customer))


def customer_changed(id: int = 1) -> CatalogChanged:
    return CatalogChanged(data=CatalogData(id=id, catalog="customers", change="changed"))


def commit(event: Event, *, to_user: int | None = None) -> int:
    """Publish `event` in its own transaction. Return its id."""
    with transaction.atomic():
        outbox.publish(event, by=SOMEBODY, to_user=to_user)
        return outbox.newest_id()


def ids_up_to_now(count: int) -> list[int]:
    """The newest `count` event ids."""
    newest = outbox.newest_id()
    return list(range(newest - count + 1, newest + 1))


def commit_moves(count: int, *, notes: str = "") -> list[int]:
    """Publish `count` movements, each in its own transaction. Return their ids."""
    return [commit(line_moved(notes=notes)) for _ in range(count)]


def end_session(user_id: int, jti: str | None) -> int:
    return commit(SessionEnded(data=SessionData(id=user_id, jti=jti)), to_user=user_id)


def change_permissions(user_id: int) -> int:
    return commit(PermissionsChanged(data=UserData(id=user_id)), to_user=user_id)
