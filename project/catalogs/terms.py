"""The shared catalogs: codes and their names in both languages (infra/docs/rules.md#catalogs).

Countries, calling codes and currencies come from libraries; units, regimes and statuses are listed here. The first
rows of a new database's short lists are defined here too.
"""

from dataclasses import dataclass
from functools import cache

from babel import Locale
from phonenumbers import COUNTRY_CODE_TO_REGION_CODE

from project.core.money import currency_codes


@dataclass(frozen=True)
class Term:
    """One entry: its code and its names."""

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
FISCAL_REGIMES = (
    Term("601", "General de Ley Personas Morales", "General, legal entities"),
    Term("603", "Personas Morales con Fines no Lucrativos", "Non-profit legal entities"),
    Term("605", "Sueldos y Salarios e Ingresos Asimilados a Salarios", "Wages, salaries and similar income"),
    Term("606", "Arrendamiento", "Leasing"),
    Term("607", "Régimen de Enajenación o Adquisición de Bienes", "Sale or acquisition of goods"),
    Term("608", "Demás ingresos", "Other income"),
    Term(
        "610",
        "Residentes en el Extranjero sin Establecimiento Permanente en México",
        "Residents abroad without a permanent establishment in Mexico",
    ),
    Term("611", "Ingresos por Dividendos (socios y accionistas)", "Dividends (partners and shareholders)"),
    Term(
        "612",
        "Personas Físicas con Actividades Empresariales y Profesionales",
        "Individuals with business and professional activities",
    ),
    Term("614", "Ingresos por intereses", "Interest income"),
    Term("615", "Régimen de los ingresos por obtención de premios", "Prizes"),
    Term("616", "Sin obligaciones fiscales", "No tax obligations"),
    Term(
        "620",
        "Sociedades Cooperativas de Producción que optan por diferir sus ingresos",
        "Production cooperatives that defer their income",
    ),
    Term("621", "Incorporación Fiscal", "Tax incorporation"),
    Term(
        "622",
        "Actividades Agrícolas, Ganaderas, Silvícolas y Pesqueras",
        "Agriculture, livestock, forestry and fishing",
    ),
    Term("623", "Opcional para Grupos de Sociedades", "Optional, groups of companies"),
    Term("624", "Coordinados", "Coordinated transport companies"),
    Term(
        "625",
        "Régimen de las Actividades Empresariales con ingresos a través de Plataformas Tecnológicas",
        "Business activities through technology platforms",
    ),
    Term("626", "Régimen Simplificado de Confianza", "Simplified trust regime"),
)
"""The SAT's regimes, from its CFDI 4.0 catalog. They are also the tax sections of a new database."""
CUSTOMER_TYPES = (
    Term("wholesale", "Mayorista", "Wholesale"),
    Term("retail", "Minorista", "Retail"),
    Term("distributor", "Distribuidor", "Distributor"),
    Term("designer", "Diseñador", "Designer"),
    Term("export", "Exportación", "Export"),
)
ENTRY_ERROR = "entry-error"
"""The release reason for a mistake of the person who recorded. Every other reason sends pieces to be made again."""
RELEASE_REASONS = (
    Term("porosity", "Porosidad", "Porosity"),
    Term("bad-polish", "Mal pulido", "Bad polish"),
    Term("wrong-size", "Medida incorrecta", "Wrong size"),
    Term("bad-solder", "Mala soldadura", "Bad soldering"),
    Term("loose-stone", "Piedra floja", "Loose stone"),
    Term(ENTRY_ERROR, "Error de captura", "Entry mistake"),
    Term("other", "Otro", "Other"),
)
SCRAP_REASONS = (
    Term("casting-defect", "Defecto de fundición", "Casting defect"),
    Term("broken", "Pieza rota", "Broken piece"),
    Term("deformed", "Pieza deformada", "Deformed piece"),
    Term("wrong-material", "Material equivocado", "Wrong material"),
    Term("lost", "Pieza extraviada", "Lost piece"),
    Term("other", "Otro", "Other"),
)
ALLOYS = (
    ("Plata fina 999", 9_990, "10.6"),
    ("Plata 950", 9_500, "10.5"),
    ("Plata ley 925", 9_250, "10.5"),
    ("Liga", 0, None),
)
"""The alloys of a new database: name, fineness in tenths of a per mille, grams of metal for a gram of wax."""
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
"""Codes among Babel's territories that are not countries: unions, test locales, "unknown"."""


@cache
def shared_catalogs() -> dict[str, tuple[Term, ...]]:
    """Return the entries of each shared catalog by its key. Countries are sorted by Spanish name, currencies and
    calling codes by code."""
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
        "fiscalRegimes": FISCAL_REGIMES,
        "statuses": _STATUSES,
    }


def _regions(locale: Locale, regions: tuple[str, ...]) -> str:
    return ", ".join(locale.territories.get(region, region) for region in regions)
