"""The shared catalogs: codes and their names in both languages (contract, section 3).

Countries, calling codes and currencies come from the libraries that keep them; units, regimes and statuses are
those this product uses.
"""

from dataclasses import dataclass
from functools import cache

from babel import Locale
from phonenumbers import COUNTRY_CODE_TO_REGION_CODE

from project.core.money import currency_codes


@dataclass(frozen=True)
class Term:
    """One entry: its code, and what it is called."""

    code: str
    name_es: str
    name_en: str


_SAT_UNITS = (
    Term("H87", "Pieza", "Piece"),
    Term("PR", "Par", "Pair"),
    Term("SET", "Conjunto", "Set"),
    Term("KT", "Kit", "Kit"),
    Term("GRM", "Gramo", "Gram"),
    Term("KGM", "Kilogramo", "Kilogram"),
    Term("MTR", "Metro", "Meter"),
    Term("MTK", "Metro cuadrado", "Square meter"),
    Term("LTR", "Litro", "Liter"),
    Term("XBX", "Caja", "Box"),
    Term("E48", "Unidad de servicio", "Service unit"),
    Term("ACT", "Actividad", "Activity"),
)
_CUSTOMS_REGIMES = (
    Term("IMD", "Definitivo de importación", "Definitive import"),
    Term("EXD", "Definitivo de exportación", "Definitive export"),
    Term("ITR", "Importación temporal para retornar en el mismo estado", "Temporary import for return as is"),
    Term("ITE", "Importación temporal para elaboración (IMMEX)", "Temporary import for manufacture (IMMEX)"),
    Term("ETR", "Exportación temporal para retornar en el mismo estado", "Temporary export for return as is"),
    Term("ETE", "Exportación temporal para elaboración", "Temporary export for manufacture"),
    Term("DFI", "Depósito fiscal", "Bonded warehouse"),
    Term("RFE", "Elaboración en recinto fiscalizado", "Manufacture in a bonded area"),
    Term("RFS", "Recinto fiscalizado estratégico", "Strategic bonded area"),
    Term("TRA", "Tránsitos", "Transit"),
)
_FISCAL_REGIMES = (
    Term("601", "General de Ley Personas Morales", "General, legal entities"),
    Term("603", "Personas Morales con Fines no Lucrativos", "Non-profit legal entities"),
    Term("605", "Sueldos y Salarios", "Wages and salaries"),
    Term("606", "Arrendamiento", "Leasing"),
    Term("610", "Residentes en el Extranjero", "Residents abroad"),
    Term("612", "Personas Físicas con Actividades Empresariales", "Individuals with business activities"),
    Term("616", "Sin obligaciones fiscales", "No tax obligations"),
    Term("621", "Incorporación Fiscal", "Tax incorporation"),
    Term("625", "Plataformas Tecnológicas", "Technology platforms"),
    Term("626", "Régimen Simplificado de Confianza", "Simplified trust regime"),
)
_STATUSES = (
    Term("New", "Nuevo", "New"),
    Term("PartiallyApproved", "Parcialmente aprobada", "Partially approved"),
    Term("Approved", "Aprobada", "Approved"),
    Term("InProcess", "En proceso", "In process"),
    Term("Done", "Terminada", "Done"),
    Term("Canceled", "Cancelada", "Canceled"),
    Term("Invoiced", "Facturada", "Invoiced"),
    Term("Undefined", "Sin definir", "Undefined"),
)


_NO_COUNTRIES = frozenset({"EU", "EZ", "UN", "XA", "XB", "ZZ"})
"""What the library lists beside countries: unions, test locales, "unknown"."""


@cache
def shared_catalogs() -> dict[str, tuple[Term, ...]]:
    """Key → entries; countries, currencies and calling codes by their Spanish name or code."""
    es, en = Locale("es", "MX"), Locale("en")
    countries = [code for code in map(str, es.territories) if len(code) == 2 and code not in _NO_COUNTRIES]
    return {
        "satUnits": _SAT_UNITS,
        "countries": tuple(
            sorted(
                (Term(code, es.territories[code], en.territories.get(code, code)) for code in countries),
                key=lambda term: term.name_es,
            )
        ),
        "callingCodes": tuple(
            Term(f"+{code}", _regions(es, regions), _regions(en, regions))
            for code, regions in sorted(COUNTRY_CODE_TO_REGION_CODE.items())
            if regions != ("001",)
        ),
        "currencies": tuple(
            Term(code, es.currencies.get(code, code), en.currencies.get(code, code))
            for code in sorted(currency_codes())
        ),
        "customsRegimes": _CUSTOMS_REGIMES,
        "fiscalRegimes": _FISCAL_REGIMES,
        "statuses": _STATUSES,
    }


def _regions(locale: Locale, regions: tuple[str, ...]) -> str:
    return ", ".join(locale.territories.get(region, region) for region in regions)
