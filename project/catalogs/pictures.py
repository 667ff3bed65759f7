"""The pictures of catalog records: stored first, then named by the row; what it replaces goes after the commit, but a
company's stays for issued papers."""

from functools import partial
from typing import Any

from django.db import transaction

from project.access.principal import Principal
from project.catalogs import selectors
from project.catalogs.definition import CatalogDefinition
from project.catalogs.services import publish_change
from project.core import pictures
from project.core.errors import NotFound
from project.core.idempotency import unit_of_work


def picture_put(
    definition: CatalogDefinition[Any], *, entry_id: int, name_image: str, raw: bytes, by: Principal
) -> Any:
    """Store a picture and make it the record's. A failed upload leaves record and old picture as they were.

    Raises `NotFound`, `InvalidFields`, `UnsupportedImage`, `ImageTooLarge`, `Unavailable`.
    """
    pictures.check_name(name_image)
    selectors.entry_get(definition.rows(), entry_id)
    with pictures.stored(definition.model.folder, raw, whose=by.user_id) as name:
        return _put(definition, entry_id, name, name_image, by)


@unit_of_work
def picture_remove(definition: CatalogDefinition[Any], *, entry_id: int, reference: str, by: Principal) -> Any:
    """Remove the picture named `reference`, with or without `.jpeg`. Raises `NotFound` where it is not the record's."""
    row = selectors.entry_for_update(definition.rows(), entry_id)
    if not row.image or reference.removesuffix(".jpeg") != row.name_image:
        raise NotFound
    return _name(definition, row, "", "", by)


@unit_of_work
def _put(definition: CatalogDefinition[Any], entry_id: int, image: str, name_image: str, by: Principal) -> Any:
    return _name(definition, selectors.entry_for_update(definition.rows(), entry_id), image, name_image, by)


def _name(definition: CatalogDefinition[Any], row: Any, image: str, name_image: str, by: Principal) -> Any:
    """Name the picture of a record that the caller has locked."""
    before = definition.snapshot(row)
    row.claim(None)
    if not definition.model.keeps_replaced:
        transaction.on_commit(partial(pictures.discard, row.image), robust=True)
    row.image, row.name_image = image, name_image
    row.save(update_fields=["image", "name_image", "version"])
    publish_change(definition, row, "changed", by, before=before, after=definition.snapshot(row))
    return row
