"""When several people delete one record at once, one succeeds, the others are refused, and one row is audited."""

from collections import Counter
from functools import partial
from pathlib import Path

import pytest
from django.conf import LazySettings

from project.audit.models import AuditEntry
from project.billing.models import Cfdi, CfdiState
from project.core import clock
from project.notices.models import Device
from tests.builders import Shop, at_once
from tests.contract.operations import operations
from tests.project.audit.test_every_write import DEEDS, BillAction
from tests.project.importing.uploads import csv_of, previewed
from tests.project.printing.test_cfdi import exports, invoiced

PEOPLE = 8
GONE = (404, "not_found")
REFUSALS = {
    "cfdi_drop": (409, "not_sealed"),
    "display_delete": (409, "already_revoked"),
    "service_account_delete": (409, "service_account_revoked"),
    "delivery_cancel": (409, "already_canceled"),
    "settlement_cancel": (409, "already_canceled"),
    "sales_order_position_release": (409, "nothing_to_release"),
    "sales_order_position_release_movement": (409, "nothing_to_release"),
}
"""The refusal of the others, for records that still exist after the deletion."""


def discard(shop: Shop) -> BillAction:
    upload = previewed(shop.ana, "materials", csv_of(["name"], ["Plata"]))
    return partial(shop.ana.delete, f"/api/imports/{upload['id']}")


def forget_browser(shop: Shop) -> BillAction:
    device = Device.objects.create(user_id=shop.ana.id, fingerprint="a", created_at=clock.now())
    return partial(shop.ana.delete, f"/api/notices/devices/{device.pk}")


def drop_seal(shop: Shop) -> BillAction:
    exports(shop)
    bill = invoiced(shop, 4)
    Cfdi.objects.create(bill_id=bill, state=CfdiState.sealed, xml="<a/>", sealed_at=clock.now())
    return partial(shop.ana.delete, f"/pdf/cfdi/{bill}/seal")


def end_calendar(shop: Shop) -> BillAction:
    shop.ana.post("/api/calendar")
    return partial(shop.ana.delete, "/api/calendar")


NOT_AUDITED = {"import_discard": discard, "notice_device_delete": forget_browser}
"""Deletions that write no audit entry: of an import's draft, and of the caller's browser."""
REPEATABLE = {"calendar_delete", "customer_link_delete", "customer_link_request_delete"}
"""Revoking or withdrawing again succeeds, and is audited once."""
WHOLE = {"sample_remove"}
"""Removes a whole workshop: tested with the demo."""
DELETIONS = {
    operation.name: {**DEEDS, **NOT_AUDITED, "cfdi_drop": drop_seal, "calendar_delete": end_calendar}[operation.name]
    for operation in operations()
    if operation.method == "DELETE" and operation.name not in WHOLE
}


@pytest.mark.parametrize("name", sorted(DELETIONS))
def test_one_of_eight_concurrent_deletions_succeeds_and_the_others_are_refused(
    busy_shop: Shop, quick_passwords: None, settings: LazySettings, tmp_path: Path, name: str
) -> None:
    settings.MEDIA_ROOT = tmp_path
    delete = DELETIONS[name](busy_shop)
    rows = AuditEntry.objects.count()
    answers = at_once([delete] * PEOPLE)
    outcomes = Counter((answer.status, None if answer.status == 200 else answer.code) for answer in answers)
    one = {(200, None): 1, REFUSALS.get(name, GONE): PEOPLE - 1}
    assert outcomes == ({(200, None): PEOPLE} if name in REPEATABLE else one)
    assert AuditEntry.objects.count() - rows == (0 if name in NOT_AUDITED else 1)
