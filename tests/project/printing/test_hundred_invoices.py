"""A hundred generated bills: the SAT's schema takes each invoice, openssl verifies its seal, its sums are right."""

import base64
import pickle
import subprocess
import sys
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from lxml import etree

from project.billing import rules
from project.billing.customs_rules import Party, Shipment, SoldLine
from project.billing.rules import Totals
from tests.project.billing.sat import RFC, certificate
from tests.project.printing.test_cfdi import CCE, CFDI

BILLS = 100
AT = datetime(2026, 3, 3, 11, 30, tzinfo=ZoneInfo("America/Mexico_City"))
WRITE = """
import pickle, sys
from pathlib import Path
from lxml import etree
from satcfdi import transform
from satcfdi.cfdi import CFDI
from project.printing import cfdi_writer

class Once:
    compiled = {}
    def __getattr__(self, name):
        return getattr(etree, name)
    def XMLSchema(self, named):
        key = etree.tostring(named)
        if key not in self.compiled:
            self.compiled[key] = etree.XMLSchema(named)
        return self.compiled[key]

transform.etree = Once()
at, keys, shipments = pickle.loads(sys.stdin.buffer.read())
for shipment in shipments:
    written = cfdi_writer.invoice(shipment, at, write=True, csd=keys)
    assert not written.gaps, written.gaps
    read, path = CFDI.from_string(written.xml), Path(sys.argv[1], str(shipment.bill_id))
    read.to_xml(validate=True)
    path.with_suffix(".xml").write_bytes(written.xml)
    path.with_suffix(".original").write_text(read.cadena_original())
assert len(Once.compiled) == 1
"""
"""Writes each invoice, checks what was written by the SAT's schema, which is read once, and writes the text that was
sealed beside it."""
BUYERS = (
    ("US", "10001-1234", {"city": "New York", "state": "Nueva York"}),
    ("CA", "M5V 2T6", {"city": "Toronto", "state": "ON"}),
    ("DE", "75172", {"city": "Pforzheim", "state": "Baden-Württemberg"}),
)
UNITS = {"7113119900": "H87", "7117190100": "H87", "7113200100": "H87"}


@dataclass(frozen=True)
class Generated:
    """A bill: what its invoice is written from, and its sums by the rules of bills."""

    shipment: Shipment
    sums: Totals


def generated(number: int, chance: Random) -> Generated:
    country, postal_code, place = chance.choice(BUYERS)
    currency = chance.choice(("USD", "MXN"))
    lines, amounts = [], []
    for item in chance.sample(range(1, 40), chance.randint(1, 12)):
        quantity, price = chance.randint(1, 400), Decimal(chance.randint(1, 9_000_000)).scaleb(-chance.randint(2, 4))
        amount = rules.line_amount(quantity=quantity, price=price, tax_amount=Decimal(0), currency=currency)
        tariff = chance.choice(sorted(UNITS))
        amounts.append(amount)
        lines.append(
            SoldLine(
                item_id=item,
                code=f"Ñ&{item} | «A»",
                name=f"Dije {item}",
                description=f"Dije de plata | Ñandú & <{item}>",
                product_code="54101600",
                unit=UNITS[tariff],
                tariff=tariff,
                quantity=quantity,
                price=price,
                amount=amount.amount,
                mg=chance.randint(1, 60_000) * quantity,
            )
        )
    shipping = chance.choice((Decimal(0), Decimal(chance.randint(1, 9_999)).scaleb(-2)))
    shipment = Shipment(
        bill_id=number,
        number=f"F-{number:04}",
        folio=number,
        issued=True,
        day=AT.date(),
        currency=currency,
        rate=Decimal(chance.randint(160_000, 210_000)).scaleb(-4),
        rate_day=date(2026, 3, chance.randint(1, 3)),
        incoterm=chance.choice(("FCA", "DAP", "CIF", "EXW")),
        payment_form=chance.choice(("", "03")),
        shipping=shipping,
        tax=Decimal(0),
        seller=Party(1, "Platería Ñandú & Hijos", RFC, "MX", "40200", {"street": "Calle & | 1"}, "601"),
        buyer=Party(2, "Ñandú & Söhne | Inc", "74-1234567", country, postal_code, {"street": "5th & 1", **place}),
        lines=tuple(lines),
        net_grams=chance.choice((None, chance.randint(50, 90_000))),
    )
    return Generated(shipment, rules.totals(amounts, shipping))


@pytest.mark.parametrize("seed", [20_261_130])
def test_a_hundred_generated_bills_are_valid_sealed_and_add_up(tmp_path: Path, seed: int) -> None:
    chance, own = Random(seed), certificate()
    bills = [generated(number, chance) for number in range(1, BILLS + 1)]
    key = own.key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    work = pickle.dumps((AT, (own.der, key), [one.shipment for one in bills]))
    subprocess.run([sys.executable, "-c", WRITE, str(tmp_path)], input=work, check=True)
    (tmp_path / "own.der").write_bytes(own.der)
    openssl(tmp_path, "x509 -inform DER -in own.der -pubkey -noout -out public.pem")
    for one in bills:
        root = etree.fromstring((tmp_path / f"{one.shipment.bill_id}.xml").read_bytes())
        (tmp_path / "seal").write_bytes(base64.b64decode(root.get("Sello")))
        openssl(tmp_path, f"dgst -sha256 -verify public.pem -signature seal {one.shipment.bill_id}.original")
        adds_up(one, root)
    (tmp_path / "changed").write_text((tmp_path / f"{BILLS}.original").read_text().replace("||4.0|", "||4.1|"))
    with pytest.raises(subprocess.CalledProcessError):
        openssl(tmp_path, "dgst -sha256 -verify public.pem -signature seal changed")


def openssl(folder: Path, command: str) -> None:
    subprocess.run(["openssl", *command.split()], cwd=folder, capture_output=True, check=True)


def adds_up(bill: Generated, root: Any) -> None:
    """Check that lines and totals are the bill's, and that the goods add up to dollars and to the boxes."""
    shipment, sums = bill.shipment, bill.sums
    amounts = [Decimal(one.get("Importe")) for one in root.findall(f"{CFDI}Conceptos/{CFDI}Concepto")]
    assert amounts == [one.amount for one in shipment.lines] + ([shipment.shipping] if shipment.shipping else [])
    assert Decimal(root.get("SubTotal")) == Decimal(root.get("Total")) == sums.total == sum(amounts)
    customs = root.find(f"{CFDI}Complemento/{CCE}ComercioExterior")
    goods = customs.findall(f"{CCE}Mercancias/{CCE}Mercancia")
    values = [Decimal(one.get("ValorDolares")) for one in goods]
    assert Decimal(customs.get("TotalUSD")) == sum(values)
    rate = Decimal(1) if shipment.currency == "USD" else Decimal(customs.get("TipoCambioUSD"))
    assert abs(sum(values) - sums.total / rate) <= (Decimal("0.005") * len(values) if rate != 1 else 0)
    weighed = [Decimal(one.get("CantidadAduana")) for one in goods if one.get("UnidadAduana") == "01"]
    assert all(weight > 0 for weight in weighed)
    if shipment.net_grams and len(weighed) == len(goods) - bool(shipment.shipping):
        assert sum(weighed) == Decimal(shipment.net_grams).scaleb(-3)
