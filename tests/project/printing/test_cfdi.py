"""The electronic invoice for customs: written by a process of its own, valid by the SAT's schema, sealed, stamped."""

import base64
import subprocess
import sys
from concurrent.futures import Future
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from lxml import etree

from project.access.permissions import Permission
from project.audit.models import AuditEntry
from project.billing.models import Bill, Cfdi, CfdiState, Csd
from project.catalogs.models import Company, Customer, ExportTaxItem, Item
from project.core import clock
from project.core.bounded import ProcessEnded
from project.orders.models import Line
from project.printing import cfdi
from tests.builders import Answer, Shop, item as product, somebody
from tests.project.billing.billing import ADDRESS, PATH, billed, done, of, prepare
from tests.project.billing.sat import RFC, Certificate, certificate

CFDI = "{http://www.sat.gob.mx/cfd/4}"
CCE = "{http://www.sat.gob.mx/ComercioExterior20}"
TFD = "http://www.sat.gob.mx/TimbreFiscalDigital"
UUID = "5FB2822E-396D-4725-8521-CDC4BDD20CCF"


@pytest.fixture(scope="module")
def own() -> Certificate:
    return certificate()


@pytest.fixture(autouse=True)
def exporter(shop: Shop) -> Company:
    return exports(shop)


def exports(shop: Shop) -> Company:
    """Give company, customer and product all that an electronic invoice needs."""
    company = prepare(shop)
    Company.objects.filter(pk=company.pk).update(
        legal_name="Platería Ñandú & Hijos",
        tax_id=RFC,
        fiscal_regime="601",
        commercial_address={**ADDRESS, "postalCode": "40200", "country": "MX"},
    )
    address = {"kind": "Commercial", "street": "5th Avenue 1", "city": "New York", "state": "NY"}
    Customer.objects.filter(pk=shop.customer.pk).update(
        name="Silver | Stones Inc", tax_id="74-1234567", addresses=[{**address, "postalCode": "10001", "country": "US"}]
    )
    tariff = ExportTaxItem.objects.create(code="7113119900")
    Item.objects.filter(pk=shop.item.pk).update(
        tax_item=tariff, sat_unit_measurement="H87", sat_product_code="54101600", net_mg=4_250, tax_amount=0
    )
    return company


def invoiced(shop: Shop, *lines: int, **fields: Any) -> int:
    """A bill in dollars to New York, with a rate of today."""
    order = done(shop, *lines)
    some = [of(order, place, count, price=12.345) for place, count in enumerate(lines, 1)]
    bill: int = billed(shop, *some, **{"currency": "USD", "shippingPrice": 50} | fields)["id"]
    body = {"incoterm": "FCA", "place": "Laredo", "usdRate": 18.4321, "rateDay": clock.today().isoformat()}
    assert shop.ana.put(f"{PATH}/{bill}/export", body).status == 200
    return bill


def codes(shop: Shop, bill: int) -> list[str]:
    answer = shop.ana.get(f"/pdf/cfdi/{bill}")
    assert answer.status == 200, answer
    return [gap["code"] for gap in answer.json["gaps"]]


def xml_of(shop: Shop, bill: int) -> Any:
    answer = shop.ana.post("/pdf/create-cfdi", {"deliveryId": bill})
    assert answer.status == 200, answer
    return etree.fromstring(answer.content)


def seal(shop: Shop, bill: int) -> Answer:
    return shop.ana.post(f"/pdf/cfdi/{bill}/seal")


def certified(shop: Shop, company: Company, own: Certificate) -> None:
    assert shop.ana.put(f"{PATH}/csd/{company.pk}", own.body()).status == 200


def stamped(xml: str, **change: str) -> str:
    """Add a stamp, as a PAC does."""
    root = etree.fromstring(xml.encode())
    stamp = {
        "Version": "1.1",
        "UUID": UUID,
        "FechaTimbrado": "2026-03-03T12:00:00",
        "SelloCFD": root.get("Sello"),
        "RfcProvCertif": "SPR190613I52",
        "NoCertificadoSAT": "30001000000500003456",
        "SelloSAT": "AAAA",
        **change,
    }
    complement = root.find(f"{CFDI}Complemento")
    if complement is None:  # a credit note has none of its own
        complement = etree.SubElement(root, f"{CFDI}Complemento")
    etree.SubElement(complement, f"{{{TFD}}}TimbreFiscalDigital", stamp, nsmap={"tfd": TFD})
    return etree.tostring(root, encoding="unicode")


def test_a_bill_that_lacks_nothing_is_written_without_a_seal(shop: Shop) -> None:
    bill = invoiced(shop, 10, 4)
    assert codes(shop, bill) == []
    root = xml_of(shop, bill)
    kept = Bill.objects.get(pk=bill)
    here = clock.now().astimezone(clock.plant()).replace(tzinfo=None)
    assert timedelta(0) <= here - datetime.fromisoformat(root.get("Fecha")) < timedelta(minutes=2)
    assert (root.get("Sello"), root.get("Exportacion"), root.get("TipoDeComprobante")) == ("", "02", "I")
    assert (root.get("Moneda"), root.get("TipoCambio"), root.get("MetodoPago"), root.get("FormaPago")) == (
        *("USD", "18.4321", "PPD", "99"),
    )
    assert Decimal(root.get("Total")) == kept.total == Decimal(root.get("SubTotal"))
    buyer = root.find(f"{CFDI}Receptor")
    assert (buyer.get("Rfc"), buyer.get("Nombre"), buyer.get("RegimenFiscalReceptor"), buyer.get("UsoCFDI")) == (
        *("XEXX010101000", "SILVER STONES INC", "616", "S01"),
    )
    assert (buyer.get("ResidenciaFiscal"), buyer.get("NumRegIdTrib")) == ("USA", "741234567")
    assert root.find(f"{CFDI}Emisor").get("Nombre") == "PLATERÍA ÑANDÚ & HIJOS"
    customs = root.find(f"{CFDI}Complemento/{CCE}ComercioExterior")
    goods = customs.findall(f"{CCE}Mercancias/{CCE}Mercancia")
    assert [(one.get("NoIdentificacion"), one.get("UnidadAduana")) for one in goods] == [("K-1", "01"), ("FLETE", "99")]
    assert goods[0].get("CantidadAduana") == "0.060"
    assert Decimal(customs.get("TotalUSD")) == sum(Decimal(one.get("ValorDolares")) for one in goods) == kept.total
    own = customs.find(f"{CCE}Emisor/{CCE}Domicilio")
    assert (own.get("Estado"), own.get("Municipio"), own.get("CodigoPostal")) == ("GRO", "055", "40200")
    theirs = customs.find(f"{CCE}Receptor/{CCE}Domicilio")
    assert (theirs.get("Estado"), theirs.get("Pais")) == ("NY", "USA")


def test_what_a_bill_lacks_is_listed_and_refused(shop: Shop) -> None:
    Item.objects.update(sat_product_code="", net_mg=None)
    order = done(shop, 10)
    bill = billed(shop, of(order, 1, 10, price=2), currency="USD")["id"]
    listed = shop.ana.get(f"/pdf/cfdi/{bill}").json
    assert [gap["code"] for gap in listed["gaps"]] == [
        *("rate_missing", "incoterm_missing", "product_code_missing", "weight_missing"),
    ]
    assert listed["gaps"][2] == {"code": "product_code_missing", "at": "product", "id": shop.item.pk, "name": "Anillo"}
    assert (listed["state"], listed["csd"]) == (None, False)
    answer = shop.ana.post("/pdf/create-cfdi", {"deliveryId": bill})
    assert (answer.status, answer.code) == (422, "customs_incomplete")
    Item.objects.update(sat_product_code="54101600", net_mg=4_250)
    assert codes(shop, bill) == ["rate_missing", "incoterm_missing"]


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("tariff_unknown", {"code": "7113119912"}),
        ("tariff_unknown", {"code": "71131199"}),
    ],
)
def test_a_fraction_that_the_sat_does_not_know_is_a_gap(shop: Shop, code: str, change: dict[str, str]) -> None:
    bill = invoiced(shop, 10)
    ExportTaxItem.objects.update(**change)
    Bill.objects.get(pk=bill).lines.update(issued=None)
    assert code in codes(shop, bill)


def test_what_was_wrong_on_the_day_of_the_bill_is_mended_in_the_records(
    shop: Shop, exporter: Company, own: Certificate
) -> None:
    certified(shop, exporter, own)
    rows = [Customer.objects.get(pk=shop.customer.pk), Item.objects.get(pk=shop.item.pk), exporter]
    rows[2].refresh_from_db()
    right = [rows[0].addresses, rows[1].sat_product_code, rows[2].commercial_address]
    Customer.objects.update(addresses=[{**right[0][0], "state": "Gotham"}])
    Item.objects.update(tax_item=ExportTaxItem.objects.create(code="71131199"), sat_product_code="99999999")
    Company.objects.update(tax_id="OBR01", commercial_address={**right[2], "postalCode": "00001"})
    bill = invoiced(shop, 10)
    faults = ["rfc_wrong", "postal_code_unknown", "state_unknown", "product_code_missing", "tariff_unknown"]
    assert codes(shop, bill) == faults
    Customer.objects.update(name="Otra", addresses=right[0])
    Item.objects.update(tax_item=ExportTaxItem.objects.get(code="7113119900"), sat_product_code=right[1])
    assert codes(shop, bill) == faults[:2]
    Company.objects.update(tax_id=RFC, commercial_address=right[2])
    assert codes(shop, bill) == []
    assert seal(shop, bill).status == 200
    root = xml_of(shop, bill)
    assert root.find(f"{CFDI}Emisor").get("Rfc") == RFC
    assert root.find(f"{CFDI}Receptor").get("Nombre") == "SILVER STONES INC"


def test_sealing_needs_a_certificate_of_the_company(shop: Shop) -> None:
    bill = invoiced(shop, 10)
    assert seal(shop, bill).code == "csd_required"
    assert somebody(Permission.ReportListBills).post(f"/pdf/cfdi/{bill}/seal").status == 403


def test_a_sealed_invoice_is_valid_and_openssl_verifies_its_seal(
    shop: Shop, exporter: Company, own: Certificate, tmp_path: Path
) -> None:
    certified(shop, exporter, own)
    bill = invoiced(shop, 10, 4)
    answer = seal(shop, bill)
    assert (answer.status, answer.json["state"], answer.json["gaps"]) == (200, "sealed", [])
    root = xml_of(shop, bill)
    assert root.get("NoCertificado") == "30001000000500003416"
    (tmp_path / "certificate.der").write_bytes(base64.b64decode(root.get("Certificado")))
    (tmp_path / "seal").write_bytes(base64.b64decode(root.get("Sello")))
    original = (
        "from satcfdi.cfdi import CFDI; import sys; "
        "sys.stdout.buffer.write(CFDI.from_string(sys.stdin.buffer.read()).cadena_original().encode())"
    )
    made = subprocess.run(
        [sys.executable, "-c", original], input=Cfdi.objects.get().xml.encode(), capture_output=True, check=True
    )
    (tmp_path / "original").write_bytes(made.stdout)
    assert made.stdout.startswith(b"||4.0|F|1|")
    for command in (
        "openssl x509 -inform DER -in certificate.der -pubkey -noout -out public.pem",
        "openssl dgst -sha256 -verify public.pem -signature seal original",
    ):
        ended = subprocess.run(command.split(), cwd=tmp_path, capture_output=True, text=True)
        assert ended.returncode == 0, ended
    assert "Verified OK" in ended.stdout


def test_a_sealed_bill_keeps_its_seal_and_what_it_says(shop: Shop, exporter: Company, own: Certificate) -> None:
    certified(shop, exporter, own)
    bill = invoiced(shop, 10)
    unsealed = shop.ana.get(f"{PATH}/{bill}").json
    first = seal(shop, bill).json
    xml = Cfdi.objects.get().xml
    now = shop.ana.get(f"{PATH}/{bill}").json
    assert now["version"] == unsealed["version"] + 1
    assert now["actions"] == unsealed["actions"] | {"cancel": False, "export": False}
    assert now["offers"] == unsealed["offers"] | {"cancel": False, "export": False}
    Company.objects.update(legal_name="Otra")
    assert seal(shop, bill).json == first
    assert Cfdi.objects.get().xml == xml
    assert shop.ana.put(f"{PATH}/{bill}/export", {"incoterm": "CIF"}).code == "already_sealed"
    assert shop.ana.delete(f"{PATH}/{bill}").code == "already_sealed"
    dropped = shop.ana.delete(f"/pdf/cfdi/{bill}/seal")
    assert (dropped.status, dropped.json["actions"]) == (200, unsealed["actions"])
    assert dropped.json["version"] == now["version"] + 1
    assert shop.ana.delete(f"/pdf/cfdi/{bill}/seal").code == "not_sealed"
    assert shop.ana.put(f"{PATH}/{bill}/export", {"incoterm": "CIF"}).status == 200
    assert seal(shop, bill).json["state"] == "sealed"
    assert [row.state for row in Cfdi.objects.order_by("id")] == [CfdiState.dropped, CfdiState.sealed]


def test_the_stamped_file_of_this_invoice_is_taken_and_no_other(
    shop: Shop, exporter: Company, own: Certificate
) -> None:
    certified(shop, exporter, own)
    bill, other = invoiced(shop, 10), invoiced(shop, 4)
    path = f"/pdf/cfdi/{bill}/stamped"
    assert shop.ana.post(path, {"xml": "<a/>"}).code == "not_sealed"
    seal(shop, bill)
    seal(shop, other)
    xml = Cfdi.objects.get(bill=bill).xml
    entity = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + stamped(xml)
    for wrong in (
        *("no es XML", "<a/>", xml, entity, stamped(xml, UUID="1")),
        stamped(Cfdi.objects.get(bill=other).xml),
        stamped(xml, SelloCFD="AAAA"),
        stamped(xml.replace("AN-1", "AN-2").replace("K-1", "K-2")),
        stamped(xml).replace('Incoterm="FCA"', 'Incoterm="CIF"'),
        stamped(xml, FechaTimbrado="ayer"),
        stamped(xml, SelloSAT=""),
        stamped(stamped(xml)),
    ):
        answer = shop.ana.post(path, {"xml": wrong})
        assert (answer.status, answer.fields) == (422, {"xml": "other_invoice"}), wrong[:200]
    answer = shop.ana.post(path, {"xml": stamped(xml)})
    assert (answer.status, answer.json["state"], answer.json["uuid"]) == (200, "stamped", UUID)
    central = ZoneInfo("America/Mexico_City")
    assert Cfdi.objects.get(bill=bill).stamped_at == datetime(2026, 3, 3, 12, tzinfo=central)
    assert shop.ana.get(f"{PATH}/{bill}").json["invoiceNumber"] == UUID
    assert shop.ana.post(path, {"xml": stamped(xml)}).code == "not_sealed"
    assert shop.ana.delete(f"/pdf/cfdi/{bill}/seal").code == "not_sealed"
    assert xml_of(shop, bill).find(f".//{{{TFD}}}TimbreFiscalDigital").get("UUID") == UUID


def test_an_invoice_canceled_at_the_sat_frees_its_bill(shop: Shop, exporter: Company, own: Certificate) -> None:
    certified(shop, exporter, own)
    bill = invoiced(shop, 10)
    path = f"/pdf/cfdi/{bill}/canceled"
    seal(shop, bill)
    assert shop.ana.post(path, {"reason": "02"}).code == "not_stamped"
    shop.ana.post(f"/pdf/cfdi/{bill}/stamped", {"xml": stamped(Cfdi.objects.get().xml)})
    other = "11111111-2222-4333-8444-555555555555"
    for body, fields in (
        ({"reason": "01"}, {"replacedBy": "required"}),
        ({"reason": "01", "replacedBy": UUID}, {"replacedBy": "replaced_by_itself"}),
        ({"reason": "02", "replacedBy": other}, {"replacedBy": "replaced_for_01"}),
    ):
        answer = shop.ana.post(path, body)
        assert (answer.status, answer.fields) == (422, fields)
    assert shop.ana.post(path, {"reason": "05"}).status == 422
    assert shop.ana.delete(f"{PATH}/{bill}").code == "already_sealed"
    answer = shop.ana.post(path, {"reason": "01", "replacedBy": other})
    assert (answer.status, answer.json["actions"]["cancel"]) == (200, True)
    row = Cfdi.objects.get()
    assert (row.state, row.reason, row.replaced_by) == (CfdiState.canceled, "01", other)
    assert shop.ana.delete(f"{PATH}/{bill}").status == 200
    assert seal(shop, bill).code == "already_canceled"


def stamp(shop: Shop, bill: int, folio: str) -> None:
    xml = Cfdi.objects.get(bill=bill, state=CfdiState.sealed).xml
    assert shop.ana.post(f"/pdf/cfdi/{bill}/stamped", {"xml": stamped(xml, UUID=folio)}).status == 200


def folios(bill: int) -> list[dict[str, str]]:
    """Return the changes of the bill's folio in the audit, oldest first."""
    entries = AuditEntry.objects.filter(entity="delivery", entity_id=bill).order_by("id")
    return [entry.changes["invoiceNumber"] for entry in entries if "invoiceNumber" in entry.changes]


def test_second_stamp_replaces_the_folio_that_was_canceled(shop: Shop, exporter: Company, own: Certificate) -> None:
    certified(shop, exporter, own)
    bill, second = invoiced(shop, 10), UUID.replace("5FB2", "6FB2")
    seal(shop, bill)
    stamp(shop, bill, UUID)
    shop.ana.post(f"/pdf/cfdi/{bill}/canceled", {"reason": "02"})
    known = shop.ana.get(f"{PATH}/{bill}").json
    seal(shop, bill)
    stamp(shop, bill, second)
    now = shop.ana.get(f"{PATH}/{bill}").json
    assert (known["invoiceNumber"], now["invoiceNumber"]) == (UUID, second)
    assert now["version"] == known["version"] + 2
    changes = folios(bill)[-2:]
    assert changes == [{"before": "", "after": UUID}, {"before": UUID, "after": second}]


def test_stamp_keeps_a_folio_that_somebody_wrote(shop: Shop, exporter: Company, own: Certificate) -> None:
    certified(shop, exporter, own)
    bill = invoiced(shop, 10)
    shop.ana.put(f"{PATH}/{bill}", {"invoiceNumber": "A-1"})
    seal(shop, bill)
    stamp(shop, bill, UUID)
    assert shop.ana.get(f"{PATH}/{bill}").json["invoiceNumber"] == "A-1"


def test_invoice_of_the_companys_former_rfc_is_not_sealed(shop: Shop, exporter: Company) -> None:
    bill = invoiced(shop, 10)
    Company.objects.update(tax_id="OTR010101AB1")
    certified(shop, exporter, certificate("OTR010101AB1"))
    answer = seal(shop, bill)
    assert (answer.status, answer.code) == (409, "csd_of_other_rfc")
    assert answer.json["params"] == {"rfc": "OTR010101AB1", "seller": RFC}
    assert not Cfdi.objects.exists()


def test_seal_is_taken_back_and_a_cancellation_noted_without_the_pdf_service(
    shop: Shop, exporter: Company, own: Certificate, settings: Any
) -> None:
    certified(shop, exporter, own)
    stamping, bill = invoiced(shop, 10), invoiced(shop, 4)
    for one in (stamping, bill):
        assert seal(shop, one).status == 200
    stamp(shop, stamping, UUID)
    settings.PDF_URL = "http://127.0.0.1:9"
    assert shop.ana.get(f"/pdf/cfdi/{bill}").json["state"] == "sealed"
    assert shop.ana.delete(f"/pdf/cfdi/{bill}/seal").status == 200
    assert shop.ana.post(f"/pdf/cfdi/{stamping}/canceled", {"reason": "03"}).status == 200
    assert shop.ana.get(f"/pdf/cfdi/{bill}").code == "pdf_unavailable"


def failing(error: Exception) -> Any:
    """Return a process of invoices whose work fails."""

    def start(*_: object, **__: object) -> "Future[None]":
        work: Future[None] = Future()
        work.set_exception(error)
        return work

    return start


@pytest.mark.parametrize("error", [ProcessEnded(-9), TimeoutError(), MemoryError()])
def test_process_that_ends_gets_503(shop: Shop, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    bill = invoiced(shop, 10)
    monkeypatch.setattr(cfdi._processes, "start", failing(error))
    answer = shop.ana.post("/pdf/create-cfdi", {"deliveryId": bill})
    assert (answer.status, answer.code) == (503, "pdf_unavailable")


def test_stamp_needs_a_place_in_the_queue(
    shop: Shop, exporter: Company, own: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    certified(shop, exporter, own)
    bill = invoiced(shop, 10)
    seal(shop, bill)
    monkeypatch.setattr(cfdi._processes, "_places", 0)
    answer = shop.ana.post(f"/pdf/cfdi/{bill}/stamped", {"xml": "<a/>"})
    assert (answer.status, answer.code) == (503, "pdf_unavailable")


def test_invoice_that_the_schema_refuses_is_not_sealed(shop: Shop, exporter: Company, own: Certificate) -> None:
    certified(shop, exporter, own)
    bill = invoiced(shop, 10)
    kept = Bill.objects.get(pk=bill)
    Bill.objects.filter(pk=bill).update(export={**(kept.export or {}), "paymentForm": "77"})
    answer = seal(shop, bill)
    assert (answer.status, answer.code) == (422, "against_schema"), answer.json
    assert "FormaPago" in answer.json["message"]
    assert not Cfdi.objects.exists()


def test_an_expired_certificate_seals_nothing(shop: Shop, exporter: Company, own: Certificate) -> None:
    certified(shop, exporter, own)
    bill = invoiced(shop, 10)
    Csd.objects.update(valid_to=clock.now() - timedelta(seconds=1))
    assert seal(shop, bill).code == "csd_required"
    assert not Cfdi.objects.exists()


def test_two_hundred_lines_are_written_and_sealed(shop: Shop, exporter: Company, own: Certificate) -> None:
    certified(shop, exporter, own)
    tariff = ExportTaxItem.objects.get()
    some = [product(f"Arete {number}") for number in range(200)]
    Item.objects.filter(pk__in=[one.pk for one in some]).update(
        tax_item=tariff, sat_unit_measurement="H87", sat_product_code="54101600", net_mg=1_100, tax_amount=0
    )
    order = done(shop, 3)
    first = Line.objects.get(order=order)
    for place, one in enumerate(some[1:], 2):
        first.pk, first.position, first.item = None, place, one
        first.save(force_insert=True)
    bill = billed(shop, *(of(order, place, 3, price=1.005) for place in range(1, 201)), currency="USD")["id"]
    body = {"incoterm": "FCA", "usdRate": 18.4, "rateDay": clock.today().isoformat()}
    assert shop.ana.put(f"{PATH}/{bill}/export", body).status == 200
    assert seal(shop, bill).status == 200
    root = xml_of(shop, bill)
    goods = root.findall(f".//{CCE}Mercancia")
    assert len(goods) == 200
    assert sum(Decimal(one.get("CantidadAduana")) for one in goods) == Decimal("0.669")
    assert min(Decimal(one.get("CantidadAduana")) for one in goods) > 0
    assert Decimal(root.get("Total")) == Bill.objects.get(pk=bill).total


def test_the_web_process_never_loads_the_library(shop: Shop) -> None:
    """It takes 100 MB. What the process of invoices answers does not need it either."""
    codes(shop, invoiced(shop, 10))
    loads = (
        "import django, os, sys; os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'project.settings'); django.setup(); "
        "import project.urls, project.asgi, project.printing.cfdi, project.printing.cfdi_tasks; "
        "print([name for name in sys.modules if name.startswith(('satcfdi', 'project.printing.cfdi_writer'))])"
    )
    ended = subprocess.run([sys.executable, "-c", loads], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"
    users = [path.name for path in Path("project").rglob("*.py") if "import satcfdi" in path.read_text()]
    users += [path.name for path in Path("project").rglob("*.py") if "from satcfdi" in path.read_text()]
    assert users == ["cfdi_writer.py"]
