"""The lists that can be imported: the catalogs with columns that an import reads, and people."""

from collections.abc import Mapping
from typing import Any

from project.catalogs.definition import CATALOGS, CatalogDefinition
from project.staffing.people import PEOPLE

IMPORTS: Mapping[str, CatalogDefinition[Any]] = {
    **{name: catalog for name, catalog in CATALOGS.items() if catalog.importable},
    PEOPLE.name: PEOPLE,
}
