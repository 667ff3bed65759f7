"""Renders the export papers of a bill in both languages: packing list, commercial invoice and certificate of origin."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from enum import StrEnum

from django.template import Context
from django.utils import translation

from project.billing import packing
from project.billing.models import Bill, BillLine, OriginCertificate, billed_pieces, export_of, metal_of
from project.billing.origin import goods_of, origin_of, origin_required
from project.billing.packing import Box, Export
from project.core import clock
from project.core.errors import FieldError
from project.core.money import money_text as money
from project.printing import origin
from project.printing.addresses import PAPER_STYLESHEET, logo_address
from project.printing.bills import Words, amounts, buyer, line_of, seller, seller_name, words_in
from project.printing.pages import Page, plain, template


class ExportPaper(StrEnum):
    """The papers that customs requires besides the bill."""

    packing_list = "packing-list"
    commercial_invoice = "commercial-invoice"
    certificate = "certificate-of-origin"


def page(bill: Bill, paper: ExportPaper, logo: str, language: str) -> Page:
    """Render a paper of a bill with the stored picture `logo` and `language` first. No query if the bill's lines are
    loaded.

    Raises `TariffItemRequired`; for a packing list `BoxesExceedBill` and `NotAllPacked`, for a commercial invoice
    `IncotermRequired`, for a certificate of origin `OriginRequired`.
    """
    lines = list(bill.lines.all())
    export = export_of(bill)
    packing.check_tariffs([(texts.item_name, texts.tariff_item != "") for texts in (line.texts for line in lines)])
    context = _shared(bill, paper, export, words_in(language, "export"), words_in(language))
    name, make = _PAPERS[paper]
    context |= make(bill, lines, export, language) | {"logo": logo_address(logo)}
    with translation.override(language):
        markup = template(name).render(Context(context | {"language": language}))
    return Page(markup, frozenset({logo} - {""}), PAPER_STYLESHEET)


def certificate_page(row: OriginCertificate, language: str) -> Page:
    """Render a certificate of origin for a period, with `language` first. No query."""
    parties, words = row.parties, words_in(language, "export")
    made_on = clock.day_of(row.created_at)
    goods = [origin.Certified(texts) for texts in row.goods]
    context: dict[str, object] = {
        "title": words_in(language, "origin")("certificate"),
        "parties": [],
        "facts": [],
        "exporter": origin.signer(parties),
        "signature": words("signature"),
        "notes": None,
        "canceled": "",
        "origin": origin.certification(parties, goods, made_on, (row.begins, row.ends), language),
        "logo": logo_address(row.logo),
        "language": language,
    }
    with translation.override(language):
        markup = template("certificate.html").render(Context(context))
    return Page(markup, frozenset({row.logo} - {""}), PAPER_STYLESHEET)


def certificate_name(row: OriginCertificate) -> str:
    """Return the file's name, in English for customs: `Certificate_of_origin_2026-01-01_2026-12-31.pdf`."""
    return f"Certificate_of_origin_{row.begins}_{row.ends}.pdf"


def file_name(bill: Bill, paper: ExportPaper) -> str:
    """Return the file's name, in English for customs: `Packing_list_F-0012.pdf`, `Commercial_invoice_F-0012.pdf`."""
    return f"{paper.value.replace('-', '_').capitalize()}_{bill.number_text}.pdf"


def _shared(bill: Bill, paper: ExportPaper, export: Export, words: Words, of_bill: Words) -> dict[str, object]:
    texts = bill.texts
    reach = [
        f"{words(name)}: {plain(value)}"
        for name, value in (("email", texts.company_email), ("phone", texts.company_phone))
        if value
    ]
    return {
        "parties": [
            (words("exporter"), [*seller(texts, of_bill), *reach]),
            (of_bill("buyer"), buyer(texts, of_bill)),
            (words("consignee"), buyer(texts, of_bill, "Shipping")),
        ],
        "facts": _facts(bill, paper, export, words, of_bill),
        "exporter": plain(seller_name(texts)),
        "signature": words("signature"),
        "notes": (of_bill("notes"), plain(bill.notes)) if bill.notes else None,
        "canceled": of_bill("Canceled") if bill.canceled_at else "",
    }


def _facts(bill: Bill, paper: ExportPaper, export: Export, words: Words, of_bill: Words) -> list[tuple[str, str]]:
    facts = [
        (words("bill"), bill.number_text),
        (of_bill("date"), bill.date.isoformat()),
        (of_bill("invoice"), bill.invoice_number),
        (of_bill("guide"), bill.guide_number),
        (words("incoterm"), " ".join(filter(None, (export.incoterm, export.place)))),
        (of_bill("currency"), bill.currency if paper is ExportPaper.commercial_invoice else ""),
        (words("boxes"), str(len(export.boxes)) if export.boxes else ""),
        (words("net"), _net(bill, export, words)),
        (words("gross"), _kilograms(export.gross_kg) if export.boxes else ""),
    ]
    return [(name, plain(value)) for name, value in facts if value]


def _packing_list(bill: Bill, lines: list[BillLine], export: Export, language: str) -> dict[str, object]:
    packing.check_packed(export, billed_pieces(bill))
    words, of_bill = words_in(language, "export"), words_in(language)
    by_place = {(line.line.order_id, line.line.position): line for line in lines}
    return {
        "title": words("packing_list"),
        "heads": [
            (words("box"), ""),
            (of_bill("item"), "wide"),
            (of_bill("tariff"), "middling"),
            (of_bill("origin"), ""),
            (words("pieces"), "figure"),
            (words("net"), "figure"),
            (words("gross"), "figure"),
        ],
        "boxes": [
            {
                "number": number,
                "dimensions": _dimensions(box),
                "net": _kilograms(box.net or Decimal(0), "" if box.net_kg is not None else words("metal")),
                "gross": _kilograms(box.gross_kg),
                "lines": [
                    line_of(by_place[content.place], bill.currency) | {"quantity": f"{content.quantity:,}"}
                    for content in box.contents
                ],
            }
            for number, box in enumerate(export.boxes, 1)
        ],
        "totals": {
            "boxes": str(len(export.boxes)),
            "name": words("totals"),
            "pieces": f"{export.pieces:,}",
            "net": _net(bill, export, words),
            "gross": _kilograms(export.gross_kg),
        },
        "by_tariff": _by_tariff(lines, None, words, of_bill),
    }


def _commercial_invoice(bill: Bill, lines: list[BillLine], export: Export, language: str) -> dict[str, object]:
    if not export.incoterm:
        raise packing.IncotermRequired(errors=[FieldError("incoterm", packing.IncotermRequired.code)])
    words, of_bill = words_in(language, "export"), words_in(language)
    return {
        **amounts(bill, of_bill),
        "title": words("commercial_invoice"),
        "by_tariff": _by_tariff(lines, bill.currency, words, of_bill),
        **_origin(bill, lines, language),
    }


def _certificate(bill: Bill, lines: list[BillLine], export: Export, language: str) -> dict[str, object]:
    found = _origin(bill, lines, language)
    if not found:
        raise origin_required(list(origin_of(bill).gaps))
    return {"title": words_in(language, "origin")("certificate"), "parties": [], **found}


def _origin(bill: Bill, lines: list[BillLine], language: str) -> dict[str, object]:
    """Return the certification of the lines that originate; nothing if no line is certified."""
    if not origin_of(bill).certified:
        return {}
    goods = [
        origin.Certified(texts, f"{line.quantity:,}")
        for line, texts, one in zip(lines, (line.texts for line in lines), goods_of(bill), strict=True)
        if one.originates
    ]
    parties = bill.texts
    certification = origin.certification(parties, goods, _certified_on(bill, lines), None, language)
    return {"origin": certification, "exporter": origin.signer(parties)}


def _certified_on(bill: Bill, lines: list[BillLine]) -> date:
    """Return the bill's day; today if something that is certified was missing on that day and is known only now."""
    lacked = _lacked(bill, _OF_PARTIES) or any(_lacked(line, _OF_GOODS) for line in lines)
    return clock.today() if lacked else bill.date


def _lacked(row: Bill | BillLine, names: tuple[str, ...]) -> bool:
    """Return whether one of these texts was empty when the bill was issued, and is known now."""
    return row.issued is not None and any(not row.issued.get(name) and getattr(row.texts, name) for name in names)


_OF_PARTIES = (
    *("company_certifier_name", "company_certifier_title", "company_certifier_role"),
    *("customer_email", "customer_phone"),
)
_OF_GOODS = ("origin_criterion", "tariff_item")


_Make = Callable[[Bill, list[BillLine], Export, str], dict[str, object]]
_PAPERS: dict[ExportPaper, tuple[str, _Make]] = {
    ExportPaper.packing_list: ("packing_list.html", _packing_list),
    ExportPaper.commercial_invoice: ("commercial_invoice.html", _commercial_invoice),
    ExportPaper.certificate: ("certificate.html", _certificate),
}


def _by_tariff(lines: list[BillLine], currency: str | None, words: Words, of_bill: Words) -> dict[str, object]:
    """Sum the pieces of each tariff item and origin, and their amounts unless `currency` is None."""
    sums: dict[tuple[str, str], tuple[int, Decimal]] = {}
    names: dict[tuple[str, str], tuple[str, str]] = {}
    for line in lines:
        texts = line.texts
        key = texts.tariff_item, str(line_of(line, "")["origin"])
        pieces, amount = sums.get(key, (0, Decimal(0)))
        sums[key] = pieces + line.quantity, amount + line.amount
        names[key] = plain(texts.tariff_spanish), plain(texts.tariff_english)
    heads = [
        (of_bill("tariff"), ""),
        (of_bill("item"), "wide"),
        (of_bill("origin"), ""),
        (words("pieces"), "figure"),
        (of_bill("amount"), "figure"),
    ]
    return {
        "title": words("by_tariff"),
        "heads": heads if currency else heads[:-1],
        "rows": [
            {
                "tariff": code,
                "spanish": names[code, origin][0],
                "english": names[code, origin][1],
                "origin": origin,
                "pieces": f"{pieces:,}",
                "amount": money(amount, currency) if currency else "",
            }
            for (code, origin), (pieces, amount) in sorted(sums.items())
        ],
    }


def _net(bill: Bill, export: Export, words: Words) -> str:
    """Return the net weight of all boxes. Without boxes, that of the metal by the ledger, if it knows all lines.

    It says so if all of it is metal by the ledger.
    """
    if export.boxes:
        typed = any(box.net_kg is not None for box in export.boxes)
        return _kilograms(export.net_kg, "" if typed else words("metal"))
    metal = metal_of(bill)
    known = len(metal) == len(billed_pieces(bill))
    return _kilograms(packing.kilograms(sum(mg for _, mg in metal.values())), words("metal")) if known else ""


def _kilograms(weight: Decimal, of: str = "") -> str:
    return f"{weight:,.3f} kg {of}".strip()


def _dimensions(box: Box) -> str:
    sides = (box.length_cm, box.width_cm, box.height_cm)
    return " × ".join(map(str, sides)) + " cm" if all(sides) else ""
