"""The certification of origin on papers, in both languages: the nine elements of annex 5-A of T-MEC."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from project.billing.customs_rules import hs_code
from project.billing.issued import BillTexts, LineTexts
from project.core.texts import LANGUAGES, texts as words_of
from project.printing.bills import Words, buyer, seller, words_in
from project.printing.pages import plain


@dataclass(frozen=True)
class Certified:
    """An originating product on a paper. `pieces`: empty on a certificate for a period."""

    texts: LineTexts
    pieces: str = ""


def certification(
    parties: BillTexts, goods: Sequence[Certified], made_on: date, period: tuple[date, date] | None, language: str
) -> dict[str, object]:
    """Return the values that `origin.html` shows. `period`: None if the paper certifies one shipment. No query."""
    words, of_bill = words_in(language, "origin"), words_in(language)
    exporter = [*seller(parties, of_bill), *_reach(parties.company_email, parties.company_phone)]
    certifier = [plain(parties.company_certifier_name), plain(parties.company_certifier_title), *exporter]
    is_producer = parties.company_certifier_role == "producer"
    importer = [*buyer(parties, of_bill), *_reach(parties.customer_email, parties.customer_phone)]
    return {
        "title": words("title"),
        "parties": [
            (f"1–2. {words('certifier')}: {words(parties.company_certifier_role)}", certifier),
            (f"3. {words('exporter')}", exporter),
            (f"4. {words('producer')}", exporter if is_producer else [words("producer_on_request")]),
            (f"5. {words('importer')}", importer),
        ],
        "heads": [
            (f"6. {words('goods')}", "wide"),
            (words("hs"), ""),
            (f"7. {words('criterion')}", ""),
            *([(words_in(language, "export")("pieces"), "figure")] if any(one.pieces for one in goods) else []),
        ],
        "rows": [
            {
                "item": " · ".join(plain(part) for part in (one.texts.item_key, one.texts.item_name)),
                "english": plain(one.texts.description_english or one.texts.tariff_english),
                "hs": hs_code(one.texts.tariff_item),
                "criterion": one.texts.origin_criterion,
                "pieces": one.pieces,
            }
            for one in goods
        ],
        "facts": [
            (f"8. {words('period')}", _period(period, words)),
            (f"9. {words('date')}", made_on.isoformat()),
        ],
        "statement": [words_of(one)["origin_statement"] for one in _first(language)],
    }


def signer(parties: BillTexts) -> str:
    """Return who signs a certification: the certifier with their title."""
    return plain(f"{parties.company_certifier_name}, {parties.company_certifier_title}")


def _first(language: str) -> list[str]:
    return [language, *(other for other in LANGUAGES if other != language)]


def _period(period: tuple[date, date] | None, words: Words) -> str:
    if period is None:
        return words("one_shipment")
    return " – ".join(day.isoformat() for day in period)


def _reach(email: str, phone: str) -> list[str]:
    return [plain(one) for one in (email, phone) if one]
