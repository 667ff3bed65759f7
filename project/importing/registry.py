"""The lists that can be imported: the catalogs with columns that an import reads, people, and piece prices."""

from collections.abc import Mapping
from typing import Any

from project.catalogs.definition import CATALOGS, CatalogDefinition
from project.catalogs.price_grid import PRICE_GRID
from project.staffing.people import PEOPLE

IMPORTS: Mapping[str, CatalogDefinition[Any]] = {
    **{name: catalog for name, catalog in CATALOGS.items() if catalog.importable},
    PEOPLE.name: PEOPLE,
    PRICE_GRID.name: PRICE_GRID,
}
"""The definitions as they are declared. Call `current()` for a definition with the columns that its file has now."""
