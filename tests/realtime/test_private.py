"""Events reveal no more than HTTP answers: which fields are hidden from which readers."""

import json
from typing import Any

import pytest
from pydantic.alias_generators import to_camel

from project.access.permissions import ALL, Permission
from project.identity import services
from project.identity.schemas import RoleChange
from project.orders.fields import FIELDS
from realtime import privacy, window
from realtime.audience import Reader
from realtime.privacy import Private
from realtime.registry import Event, event_types, frame_of, private_fields
from realtime.window import Chunk, Entry, text_of
from tests.builders import Shop, person
from tests.realtime.clients import in_database, session
from tests.realtime.conftest import Connect
from tests.realtime.samples import line_moved

FRAME = {"id", "type", "at"}
CURRENT = {"currentProductionProcess.productionProcessId", "currentProductionProcess.productionProcessName"}
SHOWN = {
    *("salesOrderId", "position", "customerSalesOrderId", "itemName", "status", "orderStatus"),
    *("quantity", "quantityInside"),
}
"""The fields of a line's event beside its document."""
DOCUMENT = {
    *SHOWN,
    *CURRENT,
    *("kind", "id", "version", "customerName", "salesOrderDate", "itemId", "itemKey", "itemNameEnglish", "weighed"),
    *("quantityAvailable", "quantityDone", "quantityBilled"),
    *(to_camel(name) for name, field in FIELDS.items() if not field.reads),
    *("quantityScrapped", "quantityReplaced", "quantityGood"),
    *("late", "image", "thumbnail", "offers.statuses", "offers.edit"),
    *("forecastWhy", "forecast.p10", "forecast.p50", "forecast.p80", "forecast.p90", "forecast.at"),
    *("standing.kind", "standing.lateDays"),
    *("inside.productionProcessId", "inside.quantity", "inside.since"),
    *("offers.in.maxQuantity", "offers.in.productionProcessIds"),
    *("offers.out.productionProcessId", "offers.out.maxQuantity"),
    *(f"offers.release.{field}" for field in ("productionProcessId", "recordId", "side", "quantity")),
}
LINE = SHOWN | CURRENT | {f"line.{field}" for field in DOCUMENT}
ORDER = {
    *("id", "customerSalesOrderId", "customerId", "customerName", "salesOrderDate", "creationDate", "status"),
    *("version", "linesCount", "openLinesCount", "lateLinesCount", "quantity", "quantityDone", "progress"),
    *("firstDeliveryDate", "forecast.p50", "forecast.p80", "offers.delete"),
    *("kind", "revision"),
    *(f"lines.{field}" for field in DOCUMENT),
}
BILL = {
    *("kind", "id", "number", "preBillNumber", "status", "customerId", "customerName", "companyId", "companyName"),
    "date",
    *("invoiceNumber", "guideNumber", "shippingPrice", "customRegime", "notes", "currency", "subtotal", "tax", "total"),
    *("createdAt", "billedAt", "canceledAt", "version", "offers.edit", "offers.bill", "offers.cancel"),
    *(f"lines.{field}" for field in ("salesOrderId", "position", "customerSalesOrderId", "itemKey", "itemName")),
    "lines.itemNameEnglish",
    *(f"lines.{field}" for field in ("quantity", "price", "taxAmount", "amount", "tax", "remaining")),
    *(
        "offers.export",
        "offers.numbers",
        "offers.settle",
        "lines.itemId",
        "lines.tariffItem",
        "export.incoterm",
        "export.place",
    ),
    *(f"export.{field}" for field in ("pieces", "netKg", "grossKg", "usdRate", "rateDay", "paymentForm")),
    *(f"export.boxes.{field}" for field in ("number", "netKg", "grossKg", "lengthCm", "widthCm", "heightCm")),
    *(f"export.boxes.lines.{field}" for field in ("salesOrderId", "position", "quantity")),
}
NOTIFICATION = (
    *("kind", "id", "version", "read", "type", "createdAt", "message.notes", "message.position"),
    *(
        "message.salesOrderId",
        "message.lineId",
        "message.productionProcessId",
        "message.productionProcessName",
        "message.insideSince",
    ),
    "message.deliveryDate",
    "message.answer",
)
MESSAGE = (
    *("id", "salesOrderId", "position", "kind", "text", "photo", "photoThumbnail", "productionProcessId"),
    *("mentions.kind", "mentions.id", "mentions.name", "by.id", "by.fullName", "at", "receivedAt"),
    *("coming.by.id", "coming.by.fullName", "coming.at"),
)
BATCH = {
    *("kind", "id", "version", "number", "name", "state", "productionProcessId", "productionProcessName", "quantity"),
    *("enteredAt", "lines.salesOrderId", "lines.position", "lines.quantity"),
}
ACCOUNT = (
    *("id", "kind", "name", "userId", "userName", "productionProcessId", "productionProcessName"),
    *("salesOrderId", "position", "batchId"),
    *(f"balances.{field}" for field in ("alloyId", "alloyName", "grams", "fineGrams")),
)
BY = {"by.id", "by.fullName"}


def data(*fields: str) -> set[str]:
    return FRAME | {f"data.{field}" for field in fields}


VISIBLE_TO_ALL: dict[str, set[str]] = {
    "line.moved": data(*LINE),
    "line.released": data(*LINE),
    "line.status-changed": data(*LINE),
    "line.changed": data(*LINE),
    "line.forecast": data(*LINE),
    "line.message": data(
        *("lineId", "salesOrderId", "position", "customerSalesOrderId"), *(f"message.{field}" for field in MESSAGE)
    )
    | BY,
    "order.created": data(*ORDER) | BY,
    "order.changed": data(*ORDER) | BY,
    "order.deleted": data("id", "customerSalesOrderId", "customerId") | BY,
    "delivery.changed": data("id", "status", "customerId", *(f"bill.{field}" for field in BILL)) | BY,
    "payment.changed": data("id", "salesOrderIds"),
    "batch.changed": data("id", *(f"card.{field}" for field in BATCH)),
    "earnings.changed": data("id"),
    "catalog.changed": data("id", "catalog", "change") | BY,
    "board.changed": data("id") | BY,
    "metal.changed": data("id", *(f"accounts.{field}" for field in ACCOUNT)) | BY,
    "notification.created": data(*NOTIFICATION) | BY,
    "notification.changed": data(*NOTIFICATION) | BY,
    "notification.ended": data("kind", "id") | BY,
    "notification.read": data(*NOTIFICATION) | BY,
    "notices.changed": data("id", "unread") | BY,
    "customer-talk.changed": data("id", "salesOrderId", "position", "customerId") | BY,
    "import.finished": data("id", "catalog", "state") | BY,
    "session.ended": data("id", "jti") | BY,
    "permissions.changed": data("id") | BY,
}
"""Event type → the fields that its whole audience may read. Every other field is private: it needs a permission."""


def fields_of(event: type[Event]) -> set[str]:
    """The paths of all fields that a frame of this type may carry."""
    schema = frame_of(event).model_json_schema(mode="serialization", by_alias=True)

    def walk(part: dict[str, Any], path: str) -> set[str]:
        for branch in part.get("anyOf", []):
            if found := walk(branch, path) - {path}:
                return found
        if "$ref" in part:
            part = schema["$defs"][part["$ref"].rpartition("/")[2]]
        if "properties" in part:
            return {deep for name, each in part["properties"].items() for deep in walk(each, f"{path}.{name}")}
        return walk(part["items"], path) if "items" in part else {path}

    return {path.removeprefix(".") for path in walk(schema, "")}


@pytest.mark.parametrize("event", event_types().values(), ids=lambda event: event.model_fields["type"].default)
def test_every_field_of_an_event_is_visible_to_its_whole_audience_or_private(event: type[Event]) -> None:
    kind = event.model_fields["type"].default
    fields = fields_of(event)
    private = {path for path in fields for one in private_fields(kind) if f"{path}.".startswith(f"{one.path}.")}
    assert fields - private == VISIBLE_TO_ALL[kind]
    for one in private_fields(kind):
        assert any(f"{path}.".startswith(f"{one.path}.") for path in fields), f"{one.path} is not in it"


def seen(event: Event, *permissions: str) -> dict[str, Any]:
    """The frame that a reader with exactly these permissions receives."""
    frame = frame_of(type(event))(id=1, type=event.type, at="2026-03-02T12:00:00Z", by=None, data=event.data)
    row = Entry.of(id=1, type=event.type, audience="", to_user=None, payload=frame.model_dump_json(by_alias=True))
    found: dict[str, Any] = json.loads(text_of(row.frame_for(Reader(frozenset(permissions)))))
    return found


@pytest.mark.parametrize(
    "rights",
    [
        (Permission.ShopFloor,),
        (Permission.Station,),
        (Permission.ListOrders, Permission.Station),
        (Permission.ListSalesOrders, Permission.ShopFloor),
    ],
)
def test_the_history_of_a_line_is_sent_only_with_its_permission(rights: tuple[Permission, ...]) -> None:
    moved = line_moved(notes="rebaba en el canto")
    found = seen(moved, *rights)["data"]
    assert (found["record"], found["records"]) == (None, [])
    whole = seen(moved, *rights, Permission.SalesOrderPositionRecord)["data"]
    assert whole["record"]["inputNotes"] == whole["records"][0]["inputNotes"] == "rebaba en el canto"


def test_the_name_on_pieces_inside_is_sent_only_to_readers_of_the_board_or_the_history() -> None:
    for held in (Permission.ListOrders, Permission.Station):
        assert [one["by"] for one in seen(line_moved(), held)["data"]["line"]["inside"]] == [""]
    for action in (Permission.ShopFloor, Permission.SalesOrderPositionRecord):
        assert [one["by"] for one in seen(line_moved(), action)["data"]["line"]["inside"]] == ["Ana Torres"]


def test_a_reader_with_every_permission_gets_the_stored_payload_byte_for_byte() -> None:
    payload = '{"id": 1,  "data": {"records": [1]}}'
    row = Entry.of(id=1, type="line.moved", audience="", to_user=None, payload=payload)
    assert text_of(row.frame_for(Reader(frozenset(ALL)))) == payload


def test_a_frame_is_built_once_for_each_distinct_set_of_hidden_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[object] = []

    def counting(payload: bytes, fields: tuple[Private, ...], **narrowing: Any) -> bytes:
        built.append(fields)
        return privacy.without(payload, fields)

    monkeypatch.setattr(window, "without", counting)
    row = Entry.of(id=1, type="line.moved", audience="ListOrders", to_user=None, payload='{"data":{"records":[1]}}')
    readers = [
        Reader(frozenset({Permission.ListOrders})),
        Reader(frozenset({Permission.ListOrders, Permission.ListItems})),
        Reader(frozenset({Permission.ListSalesOrders})),
        Reader(frozenset({Permission.ShopFloor})),
        Reader(frozenset(), is_customer=True, customer=4),
        Reader(frozenset(), is_customer=True, customer=5),
        Reader(frozenset({Permission.ListOrders, Permission.SalesOrderPositionRecord})),
    ]
    for _ in range(3):
        frames = [Chunk([row], reader).data for reader in readers]
    assert len(built) == 3, "orders without history, the shop floor, customers"
    assert frames[0] == frames[1] == frames[2]


@pytest.mark.django_db(transaction=True)
async def test_with_shop_floor_alone_a_movement_reveals_only_what_the_board_shows(
    busy_shop: Shop, connect: Connect
) -> None:
    shop = busy_shop
    order = await in_database(lambda: shop.approved(10))
    board = await connect(await in_database(lambda: person("pantalla", Permission.ShopFloor)))
    await board.frame()
    await in_database(lambda: shop.move("in", order, shop.casting, 6, notes="con grietas"))
    entered = await board.frame()
    assert entered["by"] is None
    assert [(one["by"], one["quantity"]) for one in entered["data"]["line"]["inside"]] == [("Ana Torres", 6)]
    await in_database(lambda: shop.move("out", order, shop.casting, 6, notes="con grietas"))
    left = await board.frame()
    for frame in (entered, left):
        assert "con grietas" not in json.dumps(frame, ensure_ascii=False)
        assert (frame["data"]["records"], frame["data"]["line"]["lastProductionProcess"]) == ([], None)
    line = left["data"]["line"]
    assert [pieces.pop("by") for pieces in line["waiting"] + line["standing"]["processes"]] == ["", "Ana Torres"] * 2
    assert "Ana" not in json.dumps(left), "the board says who had the waiting pieces last, and nothing else of them"


@pytest.mark.django_db(transaction=True)
async def test_an_account_with_station_alone_receives_movements_and_board_changes(
    busy_shop: Shop, connect: Connect
) -> None:
    shop = busy_shop
    order = await in_database(lambda: shop.approved(10))
    tablet = await connect(await in_database(lambda: person("tableta", Permission.Station)))
    await tablet.frame()
    await in_database(lambda: shop.move("in", order, shop.casting, 6, notes="con grietas"))
    moved = await tablet.frame()
    assert (moved["type"], moved["by"], moved["data"]["record"]) == ("line.moved", None, None)
    assert [(one["by"], one["quantity"]) for one in moved["data"]["line"]["inside"]] == [("", 6)]
    assert "con grietas" not in json.dumps(moved, ensure_ascii=False)
    await in_database(lambda: shop.ana.put(f"/api/production-processes/{shop.casting.pk}", {"name": "Vaciado"}))
    assert (await tablet.frame())["type"] == "board.changed"


@pytest.mark.django_db(transaction=True)
async def test_removing_the_permission_for_the_history_hides_it_at_once(busy_shop: Shop, connect: Connect) -> None:
    shop = busy_shop
    order = await in_database(lambda: shop.approved(10))
    eva = await in_database(lambda: person("eva", Permission.ListOrders, Permission.SalesOrderPositionRecord))
    client = await connect(eva)
    await client.frame()
    await in_database(lambda: shop.enter(order, shop.casting, 1))
    assert (await client.frame())["data"]["record"]["inputUsername"] == "Ana Torres"

    def take_away() -> None:
        role = eva.roles.get()
        assert shop.ana.user is not None
        services.role_change(
            role_id=role.pk,
            body=RoleChange.model_construct(permissions=[Permission.ListOrders]),
            by=session(shop.ana.user),
        )

    await in_database(take_away)
    await in_database(lambda: shop.enter(order, shop.casting, 1))
    assert (await client.frame())["type"] == "permissions.changed"
    assert (await client.frame())["data"]["record"] is None
