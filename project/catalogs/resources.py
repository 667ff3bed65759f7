"""Builds the HTTP operations of a catalog. Every catalog has the same operations."""

from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from ninja import Path, Query

from project.access.guard import Requires, SignedIn, caller
from project.audit.exporting import export
from project.catalogs import pictures, schemas, selectors, services
from project.catalogs.definition import CatalogDefinition
from project.core.answers import Created
from project.core.idempotency import Repeat
from project.core.options import OptionsQuery, with_options
from project.core.pagination import Page, announce, paginate
from project.core.pictures import PICTURE_BODY, Pictured, PictureOut, picture_kept, uploaded
from project.core.routing import DomainRouter, domain_router
from project.core.schemas import Id, Out
from project.core.spanish import matching
from project.core.versions import Versioned, if_match

PathId = Annotated[Id, Path()]


def catalog_router[Entry: Versioned](definition: CatalogDefinition[Entry]) -> DomainRouter:
    """Build a catalog's operations: list, create, read, change and delete; for pictures also upload and remove.

    The list can be downloaded as a file that the import reads.
    """
    router = domain_router(definition.name)

    def entry_list(request: HttpRequest, response: HttpResponse, query: Any) -> list[Out] | HttpResponseBase:
        by = caller(request)
        searched = definition.searched
        rows = definition.rows()
        rows = matching(rows, query.search, *searched) if searched else selectors.matching(rows, query.search)
        rows = definition.narrow(rows, query, by)
        if definition.flag and getattr(query, definition.flag) is not None:
            rows = rows.filter(**{definition.flag: getattr(query, definition.flag)})
        if query.format:
            return export(request, rows, query, definition.orderings, definition.columns, definition.file)
        page: Page[Entry] = paginate(rows, query, definition.orderings)
        return [definition.listed(definition.answer_of(row), by) for row in announce(page, request, response)]

    def entry_create(request: HttpRequest, body: Any) -> Created[Out]:
        row = services.entry_create(definition, fields=schemas.written(body), by=caller(request))
        return Created(definition.answer_of(row))

    def entry_get(request: HttpRequest, entry_id: PathId) -> Out:
        row = selectors.entry_get(definition.rows(), entry_id)
        return definition.answer_of(row)

    def entry_change(request: HttpRequest, entry_id: PathId, body: Any) -> Out:
        row = services.entry_change(
            definition, entry_id=entry_id, fields=schemas.written(body), by=caller(request), expected=if_match(request)
        )
        return definition.answer_of(row)

    def entry_delete(request: HttpRequest, entry_id: PathId) -> Out:
        return definition.answer_of(services.entry_delete(definition, entry_id=entry_id, by=caller(request)))

    # Ninja and the router read types from annotations; these types depend on the definition.
    answer = definition.answer
    entry_list.__annotations__ |= {"query": Query[definition.query], "return": list[answer]}  # type: ignore[misc, name-defined, valid-type]
    entry_create.__annotations__ |= {"body": definition.body, "return": Created[answer]}  # type: ignore[valid-type]
    entry_change.__annotations__["body"] = definition.change
    for view in (entry_get, entry_change, entry_delete):
        view.__annotations__["return"] = answer
    one = "/{int:entry_id}"
    router.get(
        "",
        auth=_reader(definition, options=True),
        operation_id=f"{definition.slug}_list",
        summary=f"List {definition.name}",
    )(with_options(definition.options)(entry_list) if issubclass(definition.query, OptionsQuery) else entry_list)
    router.post(
        "",
        auth=Requires(definition.needed("Create")),
        operation_id=f"{definition.slug}_create",
        summary="Create",
    )(entry_create)
    router.get(one, auth=_reader(definition), operation_id=f"{definition.slug}_get", summary="Read one")(entry_get)
    router.put(
        one,
        auth=Requires(definition.needed("Update")),
        operation_id=f"{definition.slug}_update",
        summary="Change",
    )(entry_change)
    router.delete(
        one,
        auth=Requires(definition.needed("Delete")),
        operation_id=f"{definition.slug}_delete",
        summary="Delete",
    )(entry_delete)
    if issubclass(definition.model, Pictured):
        _add_pictures(router, definition)
    return router


def _reader(definition: CatalogDefinition[Any], *, options: bool = False) -> SignedIn:
    """Return the guard of the read operations. `options`: all staff may list the entries with `fields=options`."""
    if definition.reads is None:
        return SignedIn(definition.open_because, services=True)
    return definition.guard(definition.reads, or_options=True) if options else Requires(definition.reads)


def _add_pictures(router: DomainRouter, definition: CatalogDefinition[Any]) -> None:
    """Add the operations that upload and remove a record's picture."""
    documents = "/{int:entry_id}/document"

    def picture_now(request: HttpRequest, entry_id: int) -> PictureOut:
        return picture_kept(selectors.entry_get(definition.rows(), entry_id))

    def picture_put(request: HttpRequest, entry_id: PathId, reference: str) -> Created[PictureOut]:
        row = pictures.picture_put(
            definition, entry_id=entry_id, name_image=reference, raw=uploaded(request), by=caller(request)
        )
        return Created(picture_kept(row))

    def picture_remove(request: HttpRequest, entry_id: PathId, reference: str) -> Out:
        row = pictures.picture_remove(definition, entry_id=entry_id, reference=reference, by=caller(request))
        return definition.answer_of(row)

    picture_remove.__annotations__["return"] = definition.answer
    needs = Requires(definition.needed("Update"))
    router.post(
        documents + "/{reference}.jpeg",
        auth=needs,
        operation_id=f"{definition.slug}_picture_put",
        repeat=Repeat(picture_now),
        summary="Upload the picture: JPEG or PNG, raw or as one multipart file",
        openapi_extra=PICTURE_BODY,
    )(picture_put)
    # Register DELETE with `.jpeg` too: that path matches the upload's route first, which would answer 405.
    for reference, suffix in (("/{reference}.jpeg", "_by_file"), ("/{reference}", "")):
        router.delete(
            documents + reference,
            auth=needs,
            operation_id=f"{definition.slug}_picture_remove{suffix}",
            summary="Remove the picture, named with its ending" if suffix else "Remove the picture",
        )(picture_remove)
