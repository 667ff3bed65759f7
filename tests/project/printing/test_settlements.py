"""Payments of bills and credit notes: noted within the balance, sealed as complements and credit notes."""

import subprocess
import sys
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from lxml import etree

from project.access.permissions import Permission
from project.audit.models import AuditEntry
from project.billing.models import CfdiState, Settlement, SettlementCfdi
from project.catalogs.models import Company
from project.core import clock
from tests.builders import Answer, Shop, somebody
from tests.project.billing.billing import PATH, billed, done, of, pre_billed
from tests.project.billing.sat import Certificate, certificate
from tests.project.printing.fake_pac import PASSWORD, FakePac, served
from tests.project.printing.papers import read
from tests.project.printing.test_cfdi import CFDI, UUID, certified, exports, invoiced, seal, stamp, stamped

PAGO = "{http://www.sat.gob.mx/Pagos20}"
CHECK = "import sys; from satcfdi.cfdi import CFDI; CFDI.from_string(sys.stdin.buffer.read()).to_xml(validate=True)"


@pytest.fixture(scope="module")
def own() -> Certificate:
    return certificate()


@pytest.fixture(autouse=True)
def exporter(shop: Shop) -> Company:
    return exports(shop)


def now() -> str:
    return clock.now().isoformat()


def settle(shop: Shop, bill: int, amount: float, **fields: Any) -> Answer:
    body = {"kind": "payment", "at": now(), "paymentForm": "03", "amount": amount, "rate": 18.5, **fields}
    return shop.ana.post(f"{PATH}/{bill}/settlements", body)


def listed(shop: Shop, bill: int) -> Any:
    return shop.ana.get(f"{PATH}/{bill}/settlements").json


def of_last(shop: Shop, bill: int) -> str:
    return f"?settlementId={listed(shop, bill)['settlements'][-1]['id']}"


def stamped_bill(shop: Shop, exporter: Company, own: Certificate, **fields: Any) -> int:
    certified(shop, exporter, own)
    bill = invoiced(shop, 10, **fields)
    assert seal(shop, bill).status == 200
    stamp(shop, bill, UUID)
    return bill


def test_payments_count_and_leave_the_rest_of_the_balance(shop: Shop) -> None:
    bill = invoiced(shop, 10)
    before = shop.ana.get(f"{PATH}/{bill}").json
    total = before["total"]
    assert listed(shop, bill) == {
        "deliveryId": bill,
        "currency": "USD",
        "total": total,
        "balance": total,
        "settlements": [],
    }
    first = settle(shop, bill, 100)
    assert first.status == 201, first
    second = settle(shop, bill, 20.5, kind="creditNote", notes="Dos piezas rotas").json
    third = settle(shop, bill, 3).json
    rows = [(one["kind"], one["number"], one["settled"], one["balanceAfter"]) for one in third["settlements"]]
    rest = [round(total - 100, 2), round(total - 120.5, 2), round(total - 123.5, 2)]
    assert rows == [("payment", 1, 100, rest[0]), ("creditNote", 1, 20.5, rest[1]), ("payment", 2, 3, rest[2])]
    assert (second["balance"], third["balance"]) == (rest[1], rest[2])
    after = shop.ana.get(f"{PATH}/{bill}").json
    assert after["version"] == before["version"] + 3
    assert (before["actions"]["cancel"], after["actions"]["cancel"], after["actions"]["settle"]) == (True, False, True)
    assert shop.ana.delete(f"{PATH}/{bill}").code == "already_settled"
    entry = AuditEntry.objects.filter(entity="delivery", entity_id=bill, action="settled").latest("id")
    assert entry.changes["settlement"] == {"before": None, "after": "payment 2: 3 USD"}


def test_more_than_the_balance_is_refused_with_what_is_left(shop: Shop) -> None:
    bill = invoiced(shop, 10)
    total = listed(shop, bill)["total"]
    settle(shop, bill, total - 1)
    answer = settle(shop, bill, 1.01)
    assert (answer.status, answer.code, answer.fields) == (422, "above_balance", {"amount": "above_balance"})
    assert answer.json["params"] == {"balance": 1, "currency": "USD"}
    assert settle(shop, bill, 1).json["balance"] == 0
    assert settle(shop, bill, 0.01).code == "above_balance"


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"amount": 0}, "amount", "too_small"),
        ({"amount": 1.001}, "amount", "too_many_decimals"),
        ({"rate": None}, "rate", "required"),
        ({"rate": None, "currency": "MXN"}, "rate", "required"),
        ({"currency": "EUR"}, "currency", "other_currency"),
        ({"kind": "creditNote", "currency": "MXN"}, "currency", "other_currency"),
        ({"paymentForm": "99"}, "paymentForm", "not_a_choice"),
        ({"paymentForm": ""}, "paymentForm", "not_a_choice"),
        ({"at": "2999-01-01T00:00:00Z"}, "at", "in_the_future"),
    ],
)
def test_wrong_fields_are_refused(shop: Shop, change: dict[str, Any], field: str, code: str) -> None:
    answer = settle(shop, invoiced(shop, 10), **({"amount": 5} | change))
    assert (answer.status, answer.fields) == (422, {field: code})
    assert not Settlement.objects.exists()


def test_pesos_settle_dollars_by_the_rate_and_pesos_need_none(shop: Shop) -> None:
    dollars = invoiced(shop, 10)
    row = settle(shop, dollars, 1_000, currency="MXN", rate=18.43).json["settlements"][0]
    assert (row["amount"], row["currency"], row["settled"]) == (1_000, "MXN", 54.26)
    pesos = invoiced(shop, 10, currency="MXN")
    row = settle(shop, pesos, 2, currency="USD", rate=18.4355).json["settlements"][0]
    assert (row["amount"], row["settled"]) == (2, 36.87)
    assert settle(shop, pesos, 5, rate=None).json["settlements"][1]["rate"] is None


def test_only_a_bill_that_is_paid_later_has_payments(shop: Shop) -> None:
    order = done(shop, 10)
    draft = pre_billed(shop, of(order, 1, 2, price=3), currency="USD")["id"]
    assert settle(shop, draft, 1).code == "not_issued"
    bill = billed(shop, of(order, 1, 2, price=3), currency="USD")["id"]
    shop.ana.put(f"{PATH}/{bill}/export", {"paymentForm": "03"})
    assert settle(shop, bill, 1).code == "paid_at_once"
    assert settle(shop, bill, 1, kind="creditNote").status == 201
    shop.ana.delete(f"{PATH}/{bill}/settlements/{listed(shop, bill)['settlements'][0]['id']}")
    shop.ana.delete(f"{PATH}/{bill}")
    assert settle(shop, bill, 1, kind="creditNote").code == "already_canceled"


def test_only_the_last_is_taken_back_and_its_number_is_free_again(shop: Shop) -> None:
    bill = invoiced(shop, 10)
    first, second = [settle(shop, bill, amount).json["settlements"][-1]["id"] for amount in (1, 2)]
    path = f"{PATH}/{bill}/settlements"
    assert shop.ana.delete(f"{path}/{first}").code == "not_the_last"
    assert shop.ana.delete(f"{PATH}/{invoiced(shop, 4)}/settlements/{second}").status == 404
    answer = shop.ana.delete(f"{path}/{second}")
    assert (answer.status, [one["id"] for one in answer.json["settlements"]]) == (200, [first])
    assert shop.ana.delete(f"{path}/{second}").code == "already_canceled"
    assert settle(shop, bill, 2).json["settlements"][-1]["number"] == 2
    assert Settlement.objects.count() == 3


def test_who_only_reads_bills_notes_nothing(shop: Shop) -> None:
    bill = invoiced(shop, 10)
    settle(shop, bill, 1)
    reader = somebody(Permission.ReportListBills)
    row = reader.get(f"{PATH}/{bill}/settlements").json["settlements"][0]
    assert reader.post(f"{PATH}/{bill}/settlements", {}).status == 403
    assert reader.delete(f"{PATH}/{bill}/settlements/{row['id']}").status == 403


def sealed_paper(shop: Shop, bill: int) -> Any:
    """Seal the paper of the last settlement, check it by the SAT's schema, and return its root."""
    answer = shop.ana.post(f"/pdf/cfdi/{bill}/seal{of_last(shop, bill)}")
    assert (answer.status, answer.json["state"]) == (200, "sealed"), answer
    xml = SettlementCfdi.objects.latest("id").xml.encode()
    subprocess.run([sys.executable, "-c", CHECK], input=xml, check=True)
    return etree.fromstring(xml)


def test_the_complements_of_two_payments_continue_each_other(shop: Shop, exporter: Company, own: Certificate) -> None:
    bill = stamped_bill(shop, exporter, own)
    total = Decimal(str(listed(shop, bill)["total"]))
    settle(shop, bill, 100.10, at="2026-03-03T18:30:05Z")
    root = sealed_paper(shop, bill)
    assert (root.get("TipoDeComprobante"), root.get("Moneda"), root.get("Total")) == ("P", 3 * "X", "0")
    assert root.find(f"{CFDI}Receptor").get("UsoCFDI") == "CP01"
    assert root.find(f"{CFDI}Receptor").get("NumRegIdTrib") == "741234567"
    payment = root.find(f".//{PAGO}Pago")
    at = datetime.fromisoformat("2026-03-03T18:30:05+00:00").astimezone(clock.plant()).replace(tzinfo=None)
    assert dict(payment.attrib) == {
        "FechaPago": at.isoformat(),
        "FormaDePagoP": "03",
        "MonedaP": "USD",
        "TipoCambioP": "18.5",
        "Monto": "100.10",
    }
    document = payment.find(f"{PAGO}DoctoRelacionado")
    assert (document.get("IdDocumento"), document.get("NumParcialidad")) == (UUID, "1")
    balances = [Decimal(document.get(name)) for name in ("ImpSaldoAnt", "ImpPagado", "ImpSaldoInsoluto")]
    assert balances == [total, Decimal("100.10"), total - Decimal("100.10")]
    totals = root.find(f".//{PAGO}Totales")
    assert (totals.get("MontoTotalPagos"), totals.get("TotalTrasladosBaseIVA0")) == ("1851.85", "1851.85")
    settle(shop, bill, 400, currency="MXN", rate=18.43)
    document = (root := sealed_paper(shop, bill)).find(f".//{PAGO}DoctoRelacionado")
    assert (document.get("NumParcialidad"), Decimal(document.get("ImpSaldoAnt"))) == ("2", balances[2])
    payment = root.find(f".//{PAGO}Pago")
    assert (payment.get("Monto"), payment.get("TipoCambioP")) == ("400.00", "1")
    back = Decimal(document.get("ImpPagado")) / Decimal(document.get("EquivalenciaDR"))
    assert round(back, 2) == 400
    assert root.find(f".//{PAGO}Totales").get("MontoTotalPagos") == "400.00"


def test_a_credit_note_names_the_invoice(shop: Shop, exporter: Company, own: Certificate) -> None:
    bill = stamped_bill(shop, exporter, own)
    settle(shop, bill, 12.34, kind="creditNote", notes="Piezas | rotas")
    root = sealed_paper(shop, bill)
    assert (root.get("TipoDeComprobante"), root.get("Total"), root.get("TipoCambio")) == ("E", "12.34", "18.5")
    related = root.find(f"{CFDI}CfdiRelacionados")
    assert (related.get("TipoRelacion"), related.find(f"{CFDI}CfdiRelacionado").get("UUID")) == ("01", UUID)
    assert root.find(f".//{CFDI}Concepto").get("Descripcion") == "Piezas rotas"


def test_a_pac_stamps_the_paper_of_a_payment_and_of_a_credit_note(
    shop: Shop, exporter: Company, own: Certificate, settings: Any
) -> None:
    bill = stamped_bill(shop, exporter, own)
    with served(FakePac()) as address:
        settings.PAC = {"kind": "swsapien", "address": address, "user": "ana", "password": PASSWORD}
        for kind in ("payment", "creditNote"):
            settle(shop, bill, 5, kind=kind, notes="<b>Roto</b>")
            sealed_paper(shop, bill)
            asked = {
                "deliveryId": bill,
                "settlementId": int(of_last(shop, bill).split("=")[1]),
                "format": "pdf",
            }
            assert shop.ana.post("/pdf/create-cfdi", asked).code == "not_stamped"
            stamp = shop.ana.post(f"/pdf/cfdi/{bill}/stamp{of_last(shop, bill)}").json
            assert stamp["state"] == "stamped"
            answer = shop.ana.post("/pdf/create-cfdi", asked)
            said = " ".join(page.text for page in read(answer.content))
            assert stamp["uuid"] in said
            assert ("FDI de Pago" if kind == "payment" else "<b>Roto</b>") in said
            assert f"CFDI_F-0001_{asked['settlementId']}.pdf" in answer.headers["Content-Disposition"]


def test_a_paper_is_stamped_canceled_and_holds_its_invoice(shop: Shop, exporter: Company, own: Certificate) -> None:
    bill = stamped_bill(shop, exporter, own)
    settle(shop, bill, 5)
    of_it, other = of_last(shop, bill), UUID.replace("5FB2", "7FB2")
    path = f"/pdf/cfdi/{bill}"
    assert shop.ana.get(f"{path}{of_it}").json["state"] is None
    assert shop.ana.delete(f"{path}/seal{of_it}").code == "not_sealed"
    sealed_paper(shop, bill)
    assert shop.ana.delete(f"{PATH}/{bill}/settlements/{of_it.split('=')[1]}").code == "already_sealed"
    assert shop.ana.post(f"{path}/canceled", {"reason": "02"}).code == "not_cancelable"
    xml = SettlementCfdi.objects.get().xml
    answer = shop.ana.post(f"{path}/stamped{of_it}", {"xml": stamped(xml, UUID=other)})
    assert (answer.status, answer.json["state"], answer.json["uuid"]) == (200, "stamped", other)
    assert listed(shop, bill)["settlements"][0]["uuid"] == other
    assert shop.ana.get(f"{PATH}/{bill}").json["invoiceNumber"] == UUID
    shown = shop.ana.post("/pdf/create-cfdi", {"deliveryId": bill, "settlementId": int(of_it.split("=")[1])})
    assert other.encode() in shown.content
    assert shop.ana.post(f"{path}/canceled{of_it}", {"reason": "02"}).status == 200
    assert SettlementCfdi.objects.get().state == CfdiState.canceled
    assert shop.ana.post(f"{path}/canceled", {"reason": "02"}).status == 200


def test_a_paper_needs_the_stamped_invoice(shop: Shop, exporter: Company, own: Certificate) -> None:
    certified(shop, exporter, own)
    bill = invoiced(shop, 10)
    settle(shop, bill, 5)
    of_it = of_last(shop, bill)
    assert shop.ana.post(f"/pdf/cfdi/{bill}/seal{of_it}").code == "not_stamped"
    assert shop.ana.post("/pdf/create-cfdi", {"deliveryId": bill, "settlementId": 10**6}).status == 404
    assert shop.ana.get(f"/pdf/cfdi/{bill}?settlementId=999999").status == 404
    shop.ana.put(f"{PATH}/{bill}/export", {"paymentForm": "03"})
    seal(shop, bill)
    stamp(shop, bill, UUID)
    assert shop.ana.post(f"/pdf/cfdi/{bill}/seal{of_it}").code == "paid_at_once"


def test_the_database_refuses_a_balance_that_is_not_the_rest(shop: Shop) -> None:
    bill = invoiced(shop, 10)
    assert settle(shop, bill, 5).status == 201
    for change in ({"balance_after": 1}, {"settled": 0}, {"amount": 0}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Settlement.objects.update(**change)
    assert Settlement.objects.get().settled == 5
