"""Every write of the API leaves a row in the audit, in the same transaction."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings

from project.access.permissions import Permission
from project.audit import services as audit
from project.audit.models import AuditEntry
from project.catalogs.definition import CATALOGS
from project.catalogs.models import Alloy, Company
from realtime.models import OutboxEvent
from tests.builders import Answer, Caller, Shop, line_path, move, release, somebody
from tests.contract.operations import operations
from tests.project.batches.batching import (
    BATCHES,
    batch_inside,
    batch_of,
    batch_path,
    move_batch,
    new_batch,
    put_on,
    take_off_first,
)
from tests.project.billing import billing, sat
from tests.project.catalogs.test_catalogs import BODIES
from tests.project.customer_links.linking import LINKS, ask, asked, said, shared
from tests.project.displays.screens import waiting
from tests.project.integrations.programs import account_of
from tests.project.metal import weighing
from tests.project.metal.grams import bench
from tests.project.parts.test_parts import certificate
from tests.project.pictures import picture
from tests.project.piecework.paying import cancel, item, left, owed_for, paid, pay, pay_people
from tests.project.talk.talking import called, come, say

NOT_AUDITED = {
    "sign_in": "tested in test_reads: changes no record",
    "sign_out": "tested in test_reads: changes no record",
    "second_factor": "tested in test_second_factor: nobody is signed in",
    "second_factor_app": "nobody is signed in, and nothing is in use yet",
    "second_factor_passkey_options": "nobody is signed in, and nothing is in use yet",
    "second_factor_passkey": "tested in test_second_factor: nobody is signed in",
    "passkey_sign_in_options": "changes nothing",
    "passkey_sign_in": "tested in test_passkeys: nobody is signed in",
    "company_sign_in": "changes nothing",
    "company_sign_in_finish": "tested in test_company_account: nobody is signed in",
    "app_begin": "nothing is in use yet",
    "app_confirm": "tested in test_second_factor: needs a code",
    "app_remove": "tested in test_second_factor: needs an app",
    "recovery_codes_renew": "tested in test_second_factor: needs an app",
    "passkey_options": "changes nothing",
    "passkey_create": "tested in test_passkeys: needs a device",
    "passkey_rename": "tested in test_passkeys: needs a device",
    "passkey_remove": "tested in test_passkeys: needs a device",
    "calendar_create": "tested with calendars: answers a secret",
    "calendar_delete": "tested with calendars",
    "recover_password": "changes nothing",
    "reset_password": "tested with passwords: needs the mailed link",
    "user_change_password": "tested with passwords: needs the current one",
    "permission_describe": "reads",
    "item_called": "reads",
    "order_file_read": "reads",
    "certificate_print": "tested with what is printed",
    "cfdi_print": "tested with what is printed",
    "cfdi_seal": "tested in test_cfdi: another process writes it",
    "cfdi_drop": "tested in test_cfdi: another process writes the invoice",
    "cfdi_cancel": "tested in test_cfdi: another process writes the invoice",
    "cfdi_stamp": "tested in test_cfdi: another process reads it",
    "cfdi_pac_stamp": "tested in test_stamping: needs a PAC",
    "cfdi_pac_cancel": "tested in test_stamping: needs a PAC",
    "cfdi_pac_status": "tested in test_stamping: needs a PAC",
    "live_ticket": "opens a socket",
    "page_start": "reads, and opens a socket",
    "display_pairing_create": "nobody is signed in, and nothing becomes a display yet",
    "notification_read": "one's own reading",
    "notification_read_all": "one's own reading",
    "notice_preferences_update": "one's own choices",
    "notice_device_create": "one's own browser",
    "notice_device_delete": "one's own browser",
    "notice_device_test": "one's own browser",
    "notice_bell_read": "one's own reading",
    "notice_unsubscribe": "one's own mails, by a link in them",
    **{one.name: "a draft" for one in operations() if one.name.endswith("_import_create")},
    "import_mend": "a draft",
    "import_discard": "a draft",
    "import_refresh": "a draft",
    "import_apply": "tested with imports: a row for each record",
    "station_operator": "tested in test_operators: by the operator himself",
    "webhook_secret_create": "tested with webhooks: shown once",
    "webhook_replay": "tested with webhooks: needs what was delivered",
    "service_token_create": "tested with service accounts: shown once",
    "user_badge_create": "tested in test_operators: shown once",
    "demo_people_move": "tested with the demo: the movements are audited as always",
    "sample_load": "tested with the demo: the sample's records are audited as always",
    "sample_remove": "tested with the demo: needs the sample",
    "scan": "reads",
    "station_scan": "reads",
    "work_sheet_print": "reads: tested in test_reads",
    "labels_print": "reads: tested in test_reads",
    "delivery_print": "reads: tested in test_reads",
    "delivery_export_print": "reads: tested in test_reads",
    "payment_print": "reads: tested in test_reads",
    "payments_print": "reads: tested in test_reads",
    "customer_link_create": "tested with customer links: answers a token",
    "customer_page_answer_create": "tested with customer links: by an account of a customer",
    "page_answer_create": "tested with customer links: nobody is signed in",
    "page_ticket": "opens a socket",
    "metal_slip_print": "reads: tested in test_reads",
    "metal_count_print": "reads: tested in test_reads",
}

BillAction = Callable[[], Answer]


def shared_order(shop: Shop) -> tuple[dict[str, Any], int]:
    """Share an order by a link. Return both."""
    order = shop.approved(5)
    return shared(shop, order), order


def withdrawing(shop: Shop) -> BillAction:
    link, order = shared_order(shop)
    return partial(shop.ana.delete, f"{LINKS}/{link['id']}/requests/{asked(shop, link, order)['id']}")


def coming(shop: Shop) -> Callable[[], Answer]:
    """Come after a call."""
    order = shop.approved(5)
    return partial(come, shop.ana, order, called(shop.ana, order))


def answered(shop: Shop) -> str:
    """Have a customer answer. Return the path of the answer."""
    return f"/api/customer-answers/{said(*shared_order(shop)).json['id']}"


@pytest.fixture
def media(settings: LazySettings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


class Record:
    """The writes to one collection: each method prepares an entry and returns the call that writes to it."""

    def __init__(self, path: str, body: Callable[[Shop], dict[str, object]], change: dict[str, object]) -> None:
        self.path, self.body, self.change = path, body, change

    def create(self, shop: Shop) -> BillAction:
        return partial(shop.ana.post, self.path, self.body(shop))

    def entry(self, shop: Shop) -> str:
        return f"{self.path}/{self.create(shop)().json['id']}"

    def update(self, shop: Shop) -> BillAction:
        return partial(shop.ana.put, self.entry(shop), self.change)

    def delete(self, shop: Shop) -> BillAction:
        return partial(shop.ana.delete, self.entry(shop))

    def picture_put(self, shop: Shop) -> BillAction:
        path = f"{self.entry(shop)}/document/retrato.jpeg"
        return partial(shop.ana.call, "POST", path, raw=picture(), content_type="image/jpeg")

    def picture_remove(self, shop: Shop, ending: str = "") -> BillAction:
        entry = self.entry(shop)
        shop.ana.call("POST", f"{entry}/document/retrato.jpeg", raw=picture(), content_type="image/jpeg")
        return partial(shop.ana.delete, f"{entry}/document/retrato{ending}")

    def picture_remove_by_file(self, shop: Shop) -> BillAction:
        return self.picture_remove(shop, ".jpeg")


def short_list_row(shop: Shop) -> dict[str, object]:
    return {"key": "consignment", "nameSpanish": "Consignación", "nameEnglish": "Consignment"}


CATALOG_RECORDS = {
    CATALOGS[name].slug: Record(f"/api/{name}", lambda shop, body=body: body, {"status": False})
    for name, body in BODIES.items()
}
RECORDS = CATALOG_RECORDS | {
    "display": Record(
        "/api/displays", lambda shop: {"code": waiting()["code"], "name": "Entrada"}, {"name": "Pasillo"}
    ),
    "service_account": Record("/api/service-accounts", lambda shop: {"name": "Contabilidad"}, {"name": "Tienda"}),
    "webhook": Record(
        "/api/webhooks",
        lambda shop: {
            "name": "ERP",
            "url": "https://erp.example.com/hook",
            "types": ["catalog.changed"],
            "accountId": account_of(shop)["id"],
        },
        {"name": "Tienda"},
    ),
    "role": Record("/identity/roles", lambda shop: {"name": "Piso"}, {"permissions": [Permission.ShopFloor]}),
    "user": Record(
        "/identity/users",
        lambda shop: {"email": "dora@obrador.test", "firstName": "Dora", "password": "Taller.2026"},
        {"locked": True},
    ),
    "company": Record("/api/companies", lambda shop: {"name": "Obrador"}, {"legalName": "Obrador S.A."}),
    "export_tax_item": Record(
        "/api/export-tax-items", lambda shop: {"code": "71131101"}, {"spanishMetalName": "Plata"}
    ),
    "customer": Record("/api/customers", lambda shop: {"name": "Joyas"}, {"quinto": "Q-8"}),
    "customer_type": Record("/api/customer-types", short_list_row, {"active": False}),
    "tax_section": Record("/api/tax-sections", short_list_row, {"active": False}),
    "release_reason": Record("/api/release-reasons", short_list_row, {"active": False}),
    "scrap_reason": Record("/api/scrap-reasons", short_list_row, {"active": False}),
    "tray": Record("/api/metal/trays", lambda shop: {"code": "CH-1", "grams": 12.5}, {"grams": 12.6}),
    "production_process": Record(
        "/api/production-processes", lambda shop: {"name": "Esmalte", "order": 3}, {"price": 4.5}
    ),
    "item": Record("/api/items", lambda shop: {"key": "A-1", "name": "Aro"}, {"sellPrice": 12}),
    "process_item_price": Record("/api/process-item-prices", lambda shop: price_of(shop), {"price": 12}),
}


def price_of(shop: Shop) -> dict[str, object]:
    """A piece price that has not begun."""
    of = {"productionProcessId": shop.casting.pk, "itemId": shop.item.pk}
    return {**of, "unit": "piece", "price": 7, "since": "2099-01-01T06:00:00Z"}


def order_body(shop: Shop) -> dict[str, object]:
    items = [{"itemId": shop.item.pk, "quantity": 5}]
    return {"customerId": shop.customer.pk, "customerSalesOrderId": "PO-18", "items": items}


def inside(shop: Shop) -> int:
    """An order with its pieces in casting."""
    order = shop.approved(5)
    shop.enter(order, shop.casting)
    return order


def through(shop: Shop) -> int:
    order = inside(shop)
    shop.leave(order, shop.casting)
    return order


def scrap(shop: Shop, order: int) -> Answer:
    body = {"productionProcessId": shop.casting.pk, "quantity": 2, "reason": "broken"}
    return shop.ana.post(f"{line_path(order)}/scrap", body)


def scrapped(shop: Shop) -> int:
    order = inside(shop)
    scrap(shop, order)
    return order


def hand_over(shop: Shop, order: int) -> Answer:
    body = {"salesOrderId": order, "position": 1, "toProcessId": shop.polishing.pk}
    return shop.ana.post(f"/api/station/{shop.casting.pk}/hand-over", body)


def without_badge(shop: Shop) -> BillAction:
    path = f"/identity/users/{shop.carla.id}/badge"
    shop.ana.post(path)
    return partial(shop.ana.delete, path)


def undo_of(shop: Shop, order: int) -> BillAction:
    (record,) = shop.history(order)
    return partial(shop.ana.post, f"{line_path(order)}/records/{record['id']}/undo")


def pictured(shop: Shop, order: int) -> BillAction:
    address = f"{line_path(order)}/upload/document"
    return partial(shop.ana.call, "POST", address, raw=picture(), content_type="image/jpeg")


def without_picture(shop: Shop, order: int) -> BillAction:
    pictured(shop, order)()
    return partial(shop.ana.delete, f"{line_path(order)}/document")


def pre_bill(shop: Shop) -> dict[str, object]:
    billing.prepare(shop)
    return {"preBill": True, "lines": [billing.of(shop.order(5))]}


def settlements_of(shop: Shop) -> str:
    """The path of the payments of a new bill."""
    billing.prepare(shop)
    return f"{billing.PATH}/{billing.billed(shop, billing.of(billing.done(shop, 5), 1, 5))['id']}/settlements"


def settling(shop: Shop, path: str) -> BillAction:
    body = {"kind": "payment", "at": "2026-01-05T18:00:00Z", "paymentForm": "03", "amount": 1.5}
    return partial(shop.ana.post, path, body)


def unsettling(shop: Shop) -> BillAction:
    made = settling(shop, path := settlements_of(shop))()
    return partial(shop.ana.delete, f"{path}/{made.json['settlements'][0]['id']}")


def csd_path() -> str:
    return f"{billing.PATH}/csd/{Company.objects.get().pk}"


def certifying(shop: Shop) -> Callable[[], Answer]:
    """Store the certificate of a company."""
    Company.objects.create(name="Obrador", tax_id=sat.RFC)
    return partial(shop.ana.put, csd_path(), sat.certificate().body())


def drafted(shop: Shop) -> str:
    return f"{billing.PATH}/{shop.ana.post(billing.PATH, pre_bill(shop)).json['id']}"


def stocked(shop: Shop) -> Alloy:
    """Make an alloy, and put 1 kg of it into the vault."""
    of = weighing.alloy()
    weighing.receive(shop.ana, of)
    return of


def held_by_ana(shop: Shop) -> Alloy:
    """Make an alloy, and give Ana 10 g of it at casting."""
    of = stocked(shop)
    weighing.issue(shop.ana, of, 10, shop.ana.id, shop.casting)
    return of


def reopened_day(shop: Shop) -> BillAction:
    count = weighing.count(held_by_ana(shop), 9)
    day = weighing.closed(shop.ana, shop.casting, count)
    return partial(shop.ana.post, f"{weighing.DAYS}/{day['id']}/reopen")


def counted_vault(shop: Shop) -> BillAction:
    return partial(shop.ana.post, f"{weighing.METAL}/counts", weighing.vault_count(shop, stocked(shop), -1))


def close_for_people(shop: Shop) -> BillAction:
    count = weighing.count(held_by_ana(shop), 9)
    one = {"userId": shop.ana.id, "productionProcessId": shop.casting.pk, "alloys": [count]}
    return partial(shop.ana.post, f"{weighing.DAYS}/people", {"people": [one]})


def refine(shop: Shop, of: Alloy) -> BillAction:
    """A refining of 10 g of scrap."""
    weighing.transfer(shop.ana, of, 10, fromKind="vault", toKind="scrap")
    body = {"partner": "Afinadora Sur", "alloyId": of.pk, "sources": [{"grams": 10}]}
    return partial(shop.ana.post, f"{weighing.METAL}/refinings", body)


def refining_back(shop: Shop) -> BillAction:
    of = stocked(shop)
    refining = refine(shop, of)().json["id"]
    return partial(shop.ana.post, f"{weighing.METAL}/refinings/{refining}/return", {"alloyId": of.pk, "grams": 9})


def melt(shop: Shop) -> BillAction:
    of = stocked(shop)
    body = {"inputs": [{"alloyId": of.pk, "grams": 5}], "alloyId": of.pk, "grams": 5}
    return partial(shop.ana.post, f"{weighing.METAL}/meltings", body)


def weigh_later(shop: Shop) -> BillAction:
    bench(shop)
    order = inside(shop)
    path = f"{line_path(order)}/production-process/{shop.history(order)[0]['id']}/weights"
    return partial(shop.ana.put, path, {"gramsIn": 5})


def sign_loss(shop: Shop) -> BillAction:
    bench(shop, allowed_loss=20)
    order = inside(shop)
    shop.leave(order, shop.casting)
    path = f"{line_path(order)}/production-process/{shop.history(order)[0]['id']}"
    assert shop.ana.put(f"{path}/weights", {"gramsIn": 50, "gramsOut": 48}).status == 200
    return partial(shop.ana.post, f"{path}/loss-signature")


DEEDS: dict[str, Callable[[Shop], BillAction]] = {
    f"{name}_{verb}": getattr(record, verb)
    for name, record in RECORDS.items()
    for verb in ("create", "update", "delete", "picture_put", "picture_remove", "picture_remove_by_file")
    if not verb.startswith("picture") or name in ("company", "customer", "item")
} | {
    "user_change_language": lambda shop: partial(
        shop.ana.put, f"/identity/users/{shop.ana.id}/language", {"language": "en"}
    ),
    "user_change_pin": lambda shop: partial(shop.ana.put, f"/identity/users/{shop.carla.id}/pin", {"pin": "271828"}),
    "user_erase": lambda shop: partial(
        shop.ana.post, f"/identity/users/{shop.carla.id}/erase", {"name": "Carla Torres"}
    ),
    "user_badge_delete": lambda shop: without_badge(shop),
    "station_hand_over": lambda shop: partial(hand_over, shop, inside(shop)),
    "sales_order_create": lambda shop: partial(shop.ana.post, "/api/sales-order", order_body(shop)),
    "sales_order_update": lambda shop: partial(shop.ana.put, f"/api/sales-order/{shop.order(5)}", {"notes": "urgente"}),
    "sales_order_approve": lambda shop: partial(shop.ana.post, f"/api/sales-order/{shop.order(5)}/approve"),
    "sales_order_delete": lambda shop: partial(shop.ana.delete, f"/api/sales-order/{shop.order(5)}"),
    "sales_order_position_create": lambda shop: partial(
        shop.ana.post, f"/api/sales-order/{shop.order(5)}/position", {"itemId": shop.item.pk, "quantity": 2}
    ),
    "sales_order_position_update": lambda shop: partial(
        shop.ana.put, f"{line_path(shop.order(5))}/full", {"notes": "urgente"}
    ),
    "sales_order_position_update_status": lambda shop: partial(
        shop.ana.put, f"{line_path(shop.order(5))}/update-status/Approved"
    ),
    "sales_order_position_picture_put": lambda shop: pictured(shop, shop.order(5)),
    "sales_order_position_picture_remove": lambda shop: without_picture(shop, shop.order(5)),
    "sales_order_position_process_in": lambda shop: partial(move, shop.ana, "in", shop.approved(5), shop.casting),
    "sales_order_position_process_out": lambda shop: partial(move, shop.ana, "out", inside(shop), shop.casting),
    "sales_order_position_release_movement": lambda shop: partial(
        release, shop.ana, through(shop), shop.casting, "out"
    ),
    "sales_order_position_release": lambda shop: partial(release, shop.ana, inside(shop), shop.casting),
    "sales_order_position_record_undo": lambda shop: undo_of(shop, inside(shop)),
    "press_undo": lambda shop: partial(
        shop.ana.post, "/api/presses/undo", {"press": shop.history(inside(shop))[0]["press"]}
    ),
    "sales_order_position_scrap": lambda shop: partial(scrap, shop, inside(shop)),
    "sales_order_position_record_weigh": weigh_later,
    "sales_order_position_record_sign_loss": sign_loss,
    "sales_order_position_replace": lambda shop: partial(
        shop.ana.post, f"{line_path(scrapped(shop))}/replace", {"quantity": 1}
    ),
    "delivery_create": lambda shop: partial(shop.ana.post, billing.PATH, pre_bill(shop)),
    "delivery_update": lambda shop: partial(shop.ana.put, drafted(shop), {"notes": "urgente"}),
    "delivery_export_update": lambda shop: partial(shop.ana.put, f"{drafted(shop)}/export", {"incoterm": "FCA"}),
    "delivery_cancel": lambda shop: partial(shop.ana.delete, drafted(shop)),
    "settlement_create": lambda shop: settling(shop, settlements_of(shop)),
    "settlement_cancel": unsettling,
    "certificate_create": lambda shop: partial(shop.ana.post, f"{billing.PATH}/certificates", certificate(shop)),
    "csd_put": lambda shop: certifying(shop),
    "csd_delete": lambda shop: certifying(shop)() and partial(shop.ana.delete, csd_path()),
    "part_put": lambda shop: partial(shop.ana.put, "/api/parts/export", {"on": False}),
    "batch_create": lambda shop: partial(shop.ana.post, BATCHES, {"productionProcessId": shop.casting.pk}),
    "batch_update": lambda shop: partial(shop.ana.put, batch_path(new_batch(shop)), {"notes": "urgente"}),
    "batch_line_put_on": lambda shop: partial(put_on, shop, new_batch(shop), shop.approved(5)),
    "batch_line_take_off": lambda shop: partial(take_off_first, shop, batch_of(shop, shop.approved(5))),
    "batch_process_in": lambda shop: partial(move_batch, shop, "in", batch_of(shop, shop.approved(5))),
    "batch_process_out": lambda shop: partial(move_batch, shop, "out", batch_inside(shop, shop.approved(5))),
    "batch_close": lambda shop: partial(shop.ana.post, f"{batch_path(new_batch(shop))}/close"),
    "customer_link_update": lambda shop: partial(
        shop.ana.put, f"{LINKS}/{shared(shop, shop.order(5))['id']}", {"mailTo": "compras@cliente.example.com"}
    ),
    "customer_link_request_create": lambda shop: partial(ask, shop, *shared_order(shop)),
    "customer_link_request_delete": lambda shop: withdrawing(shop),
    "customer_answer_reply_create": lambda shop: partial(
        shop.ana.post, f"{answered(shop)}/reply", {"text": "El lunes"}
    ),
    "customer_answer_handle": lambda shop: partial(shop.ana.post, f"{answered(shop)}/handled"),
    "line_message_create": lambda shop: partial(say, shop.ana, shop.approved(5), "stop"),
    "line_message_come": lambda shop: coming(shop),
    "customer_link_delete": lambda shop: partial(shop.ana.delete, f"{LINKS}/{shared(shop, shop.order(5))['id']}"),
    "metal_lot_create": lambda shop: partial(weighing.receive, shop.ana, weighing.alloy()),
    "metal_entry_create": lambda shop: partial(
        weighing.transfer, shop.ana, stocked(shop), 1, fromKind="vault", toKind="scrap"
    ),
    "metal_day_create": lambda shop: partial(
        weighing.close, shop.ana, shop.casting, weighing.count(held_by_ana(shop), 9)
    ),
    "metal_day_reopen": reopened_day,
    "metal_day_for_people_create": close_for_people,
    "metal_count_create": counted_vault,
    "metal_refining_create": lambda shop: refine(shop, stocked(shop)),
    "metal_refining_return": refining_back,
    "metal_melting_create": melt,
    "process_item_price_set": lambda shop: partial(
        shop.ana.put, "/api/process-item-prices", {"cells": [{"productionProcessId": shop.casting.pk, "price": 7}]}
    ),
    "payment_create": lambda shop: partial(pay, shop.ana, item(left(shop))),
    "payment_for_people_create": lambda shop: partial(pay_people, shop.ana, owed_for(shop, left(shop))),
    "payment_cancel": lambda shop: partial(cancel, shop.ana, paid(shop.ana, item(left(shop)))["id"]),
}


def test_every_writing_operation_is_tested_or_excluded_with_a_reason() -> None:
    writing = {operation.name for operation in operations() if operation.method != "GET"}
    assert writing - set(DEEDS) - set(NOT_AUDITED) == set()
    assert set(DEEDS) <= writing


@pytest.mark.parametrize("name", sorted(DEEDS))
def test_write_leaves_a_row_with_user_and_address_and_an_event(
    shop: Shop, quick_passwords: None, media: None, name: str
) -> None:
    deed = DEEDS[name](shop)
    rows_before, events_before = AuditEntry.objects.count(), OutboxEvent.objects.count()
    answer = deed()
    assert answer.status in (200, 201), answer
    rows = list(AuditEntry.objects.order_by("id"))[rows_before:]
    assert rows
    assert {(row.user_id, row.user_name, row.address) for row in rows} == {(shop.ana.id, "Ana Torres", "127.0.0.1")}
    assert all(row.changes for row in rows)
    assert OutboxEvent.objects.count() > events_before


def test_change_is_rolled_back_when_the_audit_cannot_be_written(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*args: object, **kwargs: object) -> None:
        raise RuntimeError("no room for another row")

    monkeypatch.setattr(audit, "record_all", fails)
    events = OutboxEvent.objects.count()
    assert shop.ana.post("/api/materials", {"name": "Plata"}).status == 500
    assert shop.ana.put(f"/identity/users/{shop.carla.id}", {"firstName": "Carlota"}).status == 500
    assert shop.ana.get("/api/materials").json == []
    assert shop.ana.get(f"/identity/users/{shop.carla.id}").json["firstName"] == "Carla"
    assert OutboxEvent.objects.count() == events


def test_audit_is_paged_filtered_and_searched(shop: Shop) -> None:
    for number in range(5):
        shop.ana.post("/api/materials", {"name": f"Plata {number}"})
    Caller(shop.beto.user).post("/api/components", {"name": "Broche"})
    reader = somebody(Permission.ViewAudit)

    def labels(query: str) -> list[str]:
        return [row["label"] for row in reader.get(f"/api/audit?{query}").json]

    assert labels("entity=materials&limit=2") == ["Plata 4", "Plata 3"]
    page = reader.get("/api/audit?entity=materials&limit=2")
    assert page.headers["X-Total-Count"] == "5"
    following = page.headers["Link"].split("<")[1].split(">")[0]
    assert [row["label"] for row in reader.get(following).json] == ["Plata 2", "Plata 1"]
    assert labels(f"userId={shop.beto.id}") == ["Broche"]
    assert labels("search=broche") == labels("search=beto") == ["Broche"]
    assert labels("action=created&entity=components") == ["Broche"]
    assert labels("action=deleted") == []
    for bad in ("entityId=0", "userId=x", "from=ayer", "ordering=label", "cursor=x", "limit=201"):
        assert reader.get(f"/api/audit?{bad}").status == 422, bad
