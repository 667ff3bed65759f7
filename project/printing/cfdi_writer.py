"""Runs in a process of its own: writes, seals and reads electronic invoices. The only module that uses satcfdi.

satcfdi takes 100 MB of memory and a second to load. Uses no database and no network.
"""

import csv
from collections.abc import Iterable
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID

from babel.core import get_global
from lxml import etree
from satcfdi.catalogs import select, select_all
from satcfdi.cfdi import CFDI
from satcfdi.create.cancela.cancelacion import Cancelacion, Folio
from satcfdi.create.cfd import cce20, cfdi40, pago20
from satcfdi.exceptions import SchemaValidationError
from satcfdi.models import Signer
from satcfdi.render import html_str

from project.billing.customs_rules import FREIGHT, Facts, Fraction, Goods, Party, Shipment, check, goods_of
from project.printing.cfdi_tasks import AgainstSchema, OtherInvoice, Settled, Stamp, Written

FRACTIONS = Path(__file__).parent / "sat" / "fractions.csv"
COMPLEMENT_BEGAN = date(2024, 1, 18)
"""The first day of the complement Comercio Exterior 2.0, and of the fractions for which the table names no other."""
ABROAD = "XEXX010101000"
"""The RFC of every buyer abroad."""
FREIGHT_CODE, FREIGHT_UNIT = "78102200", "E48"
"""The SAT's codes of the shipping: parcels and couriers, a service."""
CREDIT_CODE, CREDIT_UNIT = "84111506", "ACT"
"""The SAT's codes of the one concept of a credit note."""
ZERO_RATE = PRICE = Decimal("0.000000")
ZERO, EQUIVALENCE = Decimal("0.00"), Decimal("0.0000000001")
TFD = "{http://www.sat.gob.mx/TimbreFiscalDigital}TimbreFiscalDigital"
STAMPED = ("Version", "UUID", "FechaTimbrado", "RfcProvCertif", "SelloCFD", "NoCertificadoSAT", "SelloSAT")
"""What every stamp says."""
CFDI_40 = "{http://www.sat.gob.mx/cfd/4}"
MOST_REASON = 500
"""How many letters of the schema's refusal are shown."""


def invoice(shipment: Shipment, at: datetime, *, write: bool, csd: tuple[bytes, bytes] | None = None) -> Written:
    """Check a shipment and, if it lacks nothing and `write` is set, write its invoice as of `at`, in plant time.

    `csd`: the certificate and the key to seal with, both DER; without it the invoice has no seal. Raises
    `AgainstSchema` for a sealed invoice that the SAT's schema refuses.
    """
    facts = facts_of(shipment)
    goods = goods_of(shipment, facts)
    gaps = check(shipment, goods, facts)
    if gaps or not write:
        return Written(gaps, None)
    return Written([], _sealed(_comprobante(shipment, goods, facts, at), csd))


def _sealed(cfdi: CFDI, csd: tuple[bytes, bytes] | None) -> bytes:
    """Return the XML, sealed if `csd` is given. Raises `AgainstSchema` for what the SAT's schema refuses."""
    if csd is not None:
        cfdi.sign(Signer.load(certificate=csd[0], key=csd[1]))
        try:
            cfdi.to_xml(validate=True)
        except SchemaValidationError as error:
            raise AgainstSchema(
                reason=_reason(error)
            ) from None  # the library's error cannot be sent to another process
    xml: bytes = cfdi.xml_bytes(pretty_print=False)
    return xml


def settlement(settled: Settled, stamped: bytes, at: datetime, *, csd: tuple[bytes, bytes] | None = None) -> bytes:
    """Write the paper of a payment or a credit note for a stamped invoice as of `at`, in plant time.

    A payment: CFDI of type P with the complement Pagos 2.0. A credit note: CFDI of type E that names the invoice (01).
    Seller and buyer are those of the invoice. Raises `AgainstSchema`.
    """
    invoice = CFDI.from_string(stamped)
    write = _payment if settled.is_payment else _credit_note
    return _sealed(write(settled, invoice, at.replace(tzinfo=None, microsecond=0)), csd)


def _payment(settled: Settled, invoice: CFDI, at: datetime) -> CFDI:
    same = settled.currency == invoice["Moneda"]
    rate = settled.rate if settled.currency == "USD" else Decimal(1)
    tax = {"impuesto_dr": "002", "tipo_factor_dr": "Tasa", "tasa_o_cuota_dr": ZERO_RATE}
    related = pago20.DoctoRelacionado(
        id_documento=invoice["Complemento"]["TimbreFiscalDigital"]["UUID"],
        moneda_dr=invoice["Moneda"],
        num_parcialidad=settled.number,
        imp_saldo_ant=_cents(settled.before),
        imp_pagado=_cents(settled.settled),
        objeto_imp_dr="02",
        serie=invoice.get("Serie"),
        folio=invoice.get("Folio"),
        equivalencia_dr=1 if same else (settled.settled / settled.amount).quantize(EQUIVALENCE),
        impuestos_dr={"TrasladosDR": [pago20.TrasladoDR(_cents(settled.settled), **tax, importe_dr=ZERO)]},
    )
    payment = pago20.Pago(
        fecha_pago=settled.at.replace(tzinfo=None, microsecond=0),
        forma_de_pago_p=settled.payment_form,
        moneda_p=settled.currency,
        tipo_cambio_p=rate if settled.currency == "USD" else 1,
        docto_relacionado=[related],
    )
    complement = pago20.Pagos(pago=[payment])
    # satcfdi sums in the invoice's currency and rounds to no decimals: what was paid is in the payment's.
    amount = _cents(settled.amount)
    payment["Monto"] = amount
    zero = {"ImpuestoP": "002", "TipoFactorP": "Tasa", "TasaOCuotaP": ZERO_RATE, "BaseP": amount, "ImporteP": ZERO}
    payment["ImpuestosP"] = {"TrasladosP": [zero]}
    pesos = _cents(amount * (rate or 1))
    complement["Totales"] = {
        "TotalTrasladosBaseIVA0": pesos,
        "TotalTrasladosImpuestoIVA0": ZERO,
        "MontoTotalPagos": pesos,
    }
    return cfdi40.Comprobante.pago(
        emisor=invoice["Emisor"],
        lugar_expedicion=invoice["LugarExpedicion"],
        receptor=invoice["Receptor"],
        complemento_pago=complement,
        serie="P",
        folio=settled.folio,
        fecha=at,
    )


def _credit_note(settled: Settled, invoice: CFDI, at: datetime) -> CFDI:
    cfdi = cfdi40.Comprobante(
        emisor=invoice["Emisor"],
        lugar_expedicion=invoice["LugarExpedicion"],
        receptor=invoice["Receptor"],
        conceptos=[
            cfdi40.Concepto(
                clave_prod_serv=CREDIT_CODE,
                cantidad=Decimal(1),
                clave_unidad=CREDIT_UNIT,
                descripcion=_clean(settled.notes) or "Nota de crédito",
                valor_unitario=_cents(settled.amount),
                impuestos=cfdi40.Impuestos(
                    traslados=cfdi40.Traslado(impuesto="IVA", tipo_factor="Tasa", tasa_o_cuota=ZERO_RATE)
                ),
            )
        ],
        moneda=settled.currency,
        tipo_cambio=settled.rate if settled.currency == "USD" else None,
        tipo_de_comprobante="E",
        serie="E",
        folio=settled.folio,
        metodo_pago="PUE",
        forma_pago=settled.payment_form,
        cfdi_relacionados=cfdi40.CfdiRelacionados(
            tipo_relacion="01", cfdi_relacionado=[invoice["Complemento"]["TimbreFiscalDigital"]["UUID"]]
        ),
        fecha=at,
    )
    _take_amounts(cfdi, [settled.amount])
    return cfdi


def _cents(amount: Decimal) -> Decimal:
    return amount.quantize(ZERO, ROUND_HALF_UP)


def _reason(error: SchemaValidationError) -> str:
    return "; ".join(one.message for one in error.error_log)[:MOST_REASON]


def facts_of(shipment: Shipment) -> Facts:
    """Look up the codes of a shipment in the SAT's catalogs."""
    known, country = _fractions(), alpha3(shipment.buyer.country)
    postal = select("C756_c_CodigoPostal", shipment.seller.postal_code)
    return Facts(
        fractions={one.tariff: known[one.tariff] for one in shipment.lines if one.tariff in known},
        product_codes=frozenset(
            one.product_code for one in shipment.lines if select("C756_c_ClaveProdServ", one.product_code)
        ),
        postal_codes={shipment.seller.postal_code: (postal[0], postal[1], postal[2])} if postal else {},
        states=_states(country),
        country=country,
    )


def alpha3(code: str) -> str:
    """Return the three-letter code of a country for its two-letter code; empty if it is unknown."""
    return _countries().get(code, "")


@cache
def _countries() -> dict[str, str]:
    return {
        to[0]: code
        for code, to in get_global("territory_aliases").items()
        if len(code) == 3 and code.isalpha() and len(to) == 1 and select("C756_c_Pais", code)
    }


@cache
def _states(country: str) -> dict[str, str]:
    known: dict[str, str] = {}
    for code, (of, name) in select_all("C756_c_Estado").items():
        if of == country:
            known |= {code.lower(): code, name.lower(): code}
    return known


@cache
def _fractions() -> dict[str, Fraction]:
    with FRACTIONS.open(newline="") as file:
        return {
            row["fraction"]: Fraction(
                unit=row["unit"],
                begins=date.fromisoformat(row["begins"]) if row["begins"] else COMPLEMENT_BEGAN,
                ends=date.fromisoformat(row["ends"]) if row["ends"] else None,
            )
            for row in csv.DictReader(file)
        }


def _comprobante(shipment: Shipment, goods: list[Goods], facts: Facts, at: datetime) -> CFDI:
    seller, buyer = shipment.seller, shipment.buyer
    form = shipment.payment_form
    cfdi = cfdi40.Comprobante(
        emisor=cfdi40.Emisor(rfc=seller.tax_code, nombre=_clean(seller.name).upper(), regimen_fiscal=seller.regime),
        lugar_expedicion=seller.postal_code,
        receptor=cfdi40.Receptor(
            rfc=ABROAD,
            nombre=_clean(buyer.name).upper(),
            domicilio_fiscal_receptor=seller.postal_code,
            regimen_fiscal_receptor="616",
            uso_cfdi="S01",
            residencia_fiscal=facts.country,
            num_reg_id_trib=buyer.tax_code,
        ),
        conceptos=list(_concepts(shipment)),
        moneda=shipment.currency,
        tipo_cambio=shipment.rate if shipment.currency == "USD" else None,
        exportacion="02",
        serie="F",
        folio=str(shipment.folio),
        metodo_pago="PUE" if form else "PPD",
        forma_pago=form or "99",
        complemento=_complement(shipment, goods, facts),
        fecha=at.replace(tzinfo=None, microsecond=0),
    )
    _take_amounts(
        cfdi, [*(line.amount for line in shipment.lines), *([shipment.shipping] if shipment.shipping else [])]
    )
    return cfdi


def _concepts(shipment: Shipment) -> Iterable[cfdi40.Concepto]:
    tax = {"impuesto": "IVA", "tipo_factor": "Tasa", "tasa_o_cuota": ZERO_RATE}
    for line in shipment.lines:
        yield cfdi40.Concepto(
            clave_prod_serv=line.product_code,
            no_identificacion=_clean(line.code)[:100],
            cantidad=Decimal(line.quantity),
            clave_unidad=line.unit,
            descripcion=_clean(line.description)[:1_000],
            valor_unitario=line.price.quantize(PRICE),
            impuestos=cfdi40.Impuestos(traslados=cfdi40.Traslado(**tax)),
        )
    if shipment.shipping:
        yield cfdi40.Concepto(
            clave_prod_serv=FREIGHT_CODE,
            no_identificacion=FREIGHT,
            cantidad=Decimal(1),
            clave_unidad=FREIGHT_UNIT,
            descripcion="Envío",
            valor_unitario=shipment.shipping,
            impuestos=cfdi40.Impuestos(traslados=cfdi40.Traslado(**tax)),
        )


def _take_amounts(cfdi: CFDI, amounts: list[Decimal]) -> None:
    """Write the amounts of the bill, which rounds halves up; satcfdi rounds them to even."""
    for concept, amount in zip(cfdi["Conceptos"], amounts, strict=True):
        concept["Importe"] = amount.quantize(Decimal("0.01"))
        for tax in concept["Impuestos"]["Traslados"]:
            tax["Base"] = concept["Importe"]
    total = sum((concept["Importe"] for concept in cfdi["Conceptos"]), Decimal(0))
    cfdi["SubTotal"] = cfdi["Total"] = total
    for tax in _values(cfdi["Impuestos"]["Traslados"]):
        tax["Base"] = total


def _values(taxes: Any) -> Iterable[Any]:
    return taxes.values() if isinstance(taxes, dict) else taxes


def _complement(shipment: Shipment, goods: list[Goods], facts: Facts) -> CFDI:
    seller, buyer = shipment.seller, shipment.buyer
    state, municipality, locality = facts.postal_codes[seller.postal_code]
    return cce20.ComercioExterior(
        clave_de_pedimento="A1",
        certificado_origen=0,
        incoterm=shipment.incoterm,
        tipo_cambio_usd=shipment.rate,
        total_usd=sum((one.value for one in goods), Decimal(0)).quantize(Decimal("0.01")),
        emisor=cce20.Emisor(
            domicilio=cce20.Domicilio(
                **_street(seller),
                localidad=_code(locality),
                municipio=_code(municipality),
                estado=state,
                pais="MEX",
                codigo_postal=seller.postal_code,
            )
        ),
        receptor=cce20.Receptor(
            domicilio=cce20.Domicilio(
                **_street(buyer),
                colonia=_optional(buyer, "neighborhood"),
                municipio=_optional(buyer, "city"),
                estado=facts.states.get(buyer.place["state"].strip().lower(), _clean(buyer.place["state"])),
                pais=facts.country,
                codigo_postal=buyer.postal_code.upper(),
            )
        ),
        mercancias=[
            cce20.Mercancia(
                no_identificacion=_clean(one.code)[:100],
                fraccion_arancelaria=one.fraction or None,
                cantidad_aduana=one.quantity,
                unidad_aduana=one.unit,
                valor_unitario_aduana=one.unit_value,
                valor_dolares=one.value,
            )
            for one in goods
        ],
    )


def _street(party: Party) -> dict[str, str | None]:
    return {
        "calle": _clean(party.place["street"])[:100],
        "numero_exterior": _optional(party, "exteriorNumber"),
        "numero_interior": _optional(party, "interiorNumber"),
    }


def _optional(party: Party, name: str) -> str | None:
    return _clean(party.place.get(name, ""))[:55] or None


def _code(code: str) -> str | None:
    """Return the code of a place; None for the zero that the table has where there is none."""
    return code if code.strip("0") else None


def _clean(text: str) -> str:
    """Replace what the SAT's texts cannot hold: the bar, and blanks that follow each other."""
    return " ".join(text.replace("|", " ").split())


def stamp_of(sealed: bytes, stamped: bytes) -> Stamp:
    """Return the stamp of a stamped invoice. Check that it differs from the sealed invoice only by the stamp.

    Raises `OtherInvoice`.
    """
    ours, theirs = _parsed(sealed), _parsed(stamped)
    stamps = theirs.findall(f"{CFDI_40}Complemento/{TFD}")
    if len(stamps) != 1:
        raise OtherInvoice("no stamp")
    (stamp,) = stamps
    if stamp.get("SelloCFD") != ours.get("Sello"):
        raise OtherInvoice("the stamp is of another seal")
    if not all(stamp.get(name) for name in STAMPED):
        raise OtherInvoice("the stamp is not whole")
    stamp.getparent().remove(stamp)
    if _canonical(ours) != _canonical(theirs):
        raise OtherInvoice("the invoice was changed")
    try:
        folio = str(UUID(stamp.get("UUID", ""))).upper()
        return Stamp(folio, datetime.fromisoformat(stamp.get("FechaTimbrado", "")))
    except ValueError as error:
        raise OtherInvoice("the stamp has no folio or no time") from error


def _parsed(xml: bytes) -> Any:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, remove_blank_text=True)
    try:
        root = etree.fromstring(xml, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise OtherInvoice("not XML") from error
    if root.getroottree().docinfo.doctype:
        raise OtherInvoice("it declares entities")
    return root


def _canonical(root: Any) -> bytes:
    """Return the canonical form without `schemaLocation` and empty complements, to which a stamp may add."""
    root.attrib.pop("{http://www.w3.org/2001/XMLSchema-instance}schemaLocation", None)
    for complement in root.findall(f"{CFDI_40}Complemento"):
        if not len(complement):
            root.remove(complement)
    etree.cleanup_namespaces(root)
    canonical: bytes = etree.tostring(root, method="c14n2")
    return canonical


def texts_of(xml: bytes, names: tuple[str, ...]) -> dict[str, str]:
    """Return the texts of the first elements with these names, in any namespace. Raises `OtherInvoice` if not XML."""
    root = _parsed(xml)
    found = {name: root.find(f".//{{*}}{name}") for name in names}
    return {name: (one.text or "").strip() for name, one in found.items() if one is not None}


def cancelation(folio: str, reason: str, replaced_by: str, at: datetime, csd: tuple[bytes, bytes]) -> bytes:
    """Return the request to cancel a paper, signed with the CSD (both DER), as of `at` in plant time."""
    asked = Cancelacion(
        Signer.load(certificate=csd[0], key=csd[1]),
        Folio(folio, reason, replaced_by or None),
        fecha=at.replace(tzinfo=None, microsecond=0),
    )
    signed: bytes = etree.tostring(asked.to_xml(), encoding="UTF-8", xml_declaration=True)
    return signed


def expression_of(stamped: bytes) -> str:
    """Return the text of a stamped paper's printed code, by which the SAT finds the paper."""
    root = _parsed(stamped)
    seller, buyer = root.find(f"{CFDI_40}Emisor"), root.find(f"{CFDI_40}Receptor")
    folio = root.find(f"{CFDI_40}Complemento/{TFD}").get("UUID")
    end = root.get("Sello")[-8:]
    return f"?re={seller.get('Rfc')}&rr={buyer.get('Rfc')}&tt={root.get('Total')}&id={folio}&fe={end}"


def markup_of(stamped: bytes) -> str:
    """Return the printed form of a stamped paper as HTML: its fields in words, its seals and its QR code."""
    markup: str = html_str(CFDI.from_string(stamped))
    return markup
