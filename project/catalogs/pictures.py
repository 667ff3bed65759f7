"""Writes the pictures of catalog records: stores the file first, then writes its name into the row.

The replaced file is deleted after the commit. A company's replaced file is kept, because issued papers show it.
"""

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
    """Store a picture and set it on the record. A failed upload changes neither the record nor its old picture.

    Raises `NotFound`, `InvalidFields`, `UnsupportedImage`, `ImageTooLarge`, `Unavailable`.
    """
    pictures.check_name(name_image)
    selectors.entry_get(definition.rows(), entry_id)
    with pictures.stored(definition.model.folder, raw, whose=by.user_id) as name:
        return _put(definition, entry_id, name, name_image, by)


@unit_of_work
def picture_remove(definition: CatalogDefinition[Any], *, entry_id: int, reference: str, by: Principal) -> Any:
    """Remove the picture named `reference`, with or without `.jpeg`.

    Raises `NotFound` if the record has no picture, or a picture with another name.
    """
    row = selectors.entry_for_update(definition.rows(), entry_id)
    if not row.image or reference.removesuffix(".jpeg") != row.name_image:
        raise NotFound
    return _name(definition, row, "", "", by)


@unit_of_work
def _put(definition: CatalogDefinition[Any], entry_id: int, image: str, name_image: str, by: Principal) -> Any:
    return _name(definition, selectors.entry_for_update(definition.rows(), entry_id), image, name_image, by)


def _name(definition: CatalogDefinition[Any], row: Any, image: str, name_image: str, by: Principal) -> Any:
    """Set the picture of a record that the caller has locked; an empty `image` removes it."""
    before = definition.snapshot(row)
    row.claim(None)
    if not definition.model.keeps_replaced:
        transaction.on_commit(partial(pictures.discard, row.image), robust=True)
    row.image, row.name_image = image, name_image
    row.save(update_fields=["image", "name_image", "version"])
    publish_change(definition, row, "changed", by, before=before, after=definition.snapshot(row))
    return row
