"""One catalog over HTTP: the same operations for each (infra/docs/rules.md#catalogs)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from ninja import Path, Query, Router, Status as Answer

from project.access.guard import Requires, SignedIn, caller
from project.access.permissions import Permission
from project.access.principal import Principal
from project.audit.exporting import export
from project.catalogs import pictures, schemas, selectors, services
from project.catalogs.flat import FLAT
from project.catalogs.services import CatalogDefinition
from project.core.exporting import ExportQuery
from project.core.options import NAME, OptionOut, Options, OptionsQuery, Shown, with_options
from project.core.pagination import Orderings, Page, announce, paginate
from project.core.pictures import PICTURE_BODY, Pictured, PictureOut, picture_of, uploaded
from project.core.routing import domain_router
from project.core.schemas import Id, In, Out
from project.core.versions import Versioned, if_match

PathId = Annotated[Id, Path()]


@dataclass(frozen=True)
class Resource[Entry: Versioned]:
    """One catalog over HTTP: `permission` ends the permission's name, `name` starts the operation's, `option` is what
    names its entries in select boxes, `option_place` the column of their `ordering=place`.
    Without `reads` any of the staff may read it; `instead` are verbs that need another verb's permission; `listed`
    leaves out of a listed row what its reader may not know."""

    definition: CatalogDefinition[Entry]
    name: str
    permission: str
    reads: Permission | None
    body: type[In]
    change: type[In]
    answer: type[Out]
    present: Callable[[Entry], Any]
    orderings: Orderings
    guard: type[Requires] = Requires
    query: type[ExportQuery] = schemas.CatalogQuery
    option: Shown = NAME
    option_place: str | None = None
    narrow: Callable[[QuerySet[Entry], Any, Principal], QuerySet[Entry]] = lambda rows, query, by: rows
    listed: Callable[[Any, Principal], Any] = lambda shown, by: shown
    instead: Mapping[str, str] = field(default_factory=dict)

    @property
    def options(self) -> Options:
        flags = (flag for flag in ("status", "active") if flag in self.query.model_fields)
        return Options(self.definition.model, self.option, next(flags, None), place=self.option_place)

    def needs(self, verb: str) -> Requires:
        return Requires(Permission(self.instead.get(verb, verb) + self.permission))

    def reader(self, *, options: bool = False) -> SignedIn:
        """The guard of reading it; `options`: of its list, which may be asked for reduced rows or one's own."""
        if self.reads is None:
            return SignedIn(services=True)
        return self.guard(self.reads, or_options=True) if options else Requires(self.reads)


def resource_router[Entry: Versioned](resource: Resource[Entry]) -> Router:
    """The five operations of one catalog; its list is to be had as a file that the import reads again."""
    router = domain_router(resource.definition.catalog)
    definition, name = resource.definition, resource.name

    def entry_list(request: HttpRequest, response: HttpResponse, query: Any) -> Any:
        rows = resource.narrow(selectors.matching(definition.rows(), query.search), query, caller(request))
        if getattr(query, "status", None) is not None:
            rows = rows.filter(status=query.status)
        if query.format:
            catalog = definition.catalog
            return export(request, rows, query, resource.orderings, FLAT[catalog], catalog)
        page: Page[Entry] = paginate(rows, query, resource.orderings)
        by = caller(request)
        return [resource.listed(resource.present(row), by) for row in announce(page, request, response)]

    def entry_create(request: HttpRequest, body: Any) -> Any:
        row = services.entry_create(definition, fields=schemas.written(body), by=caller(request))
        return Answer(201, resource.present(row))

    def entry_get(request: HttpRequest, entry_id: PathId) -> Any:
        row = selectors.entry_get(definition.rows(), entry_id)
        return resource.present(row)

    def entry_change(
        request: HttpRequest,
        entry_id: PathId,
        body: Any,
    ) -> Any:
        row = services.entry_change(
            definition, entry_id=entry_id, fields=schemas.written(body), by=caller(request), expected=if_match(request)
        )
        return resource.present(row)

    def entry_delete(request: HttpRequest, entry_id: PathId) -> Any:
        return resource.present(services.entry_delete(definition, entry_id=entry_id, by=caller(request)))

    if issubclass(resource.query, OptionsQuery):
        entry_list = with_options(resource.options)(entry_list)
        listed: Any = list[resource.answer] | list[OptionOut]  # type: ignore[name-defined]
    else:
        listed = list[resource.answer]  # type: ignore[name-defined]
    # Ninja reads the types of parameters from the annotations, and here they are known only now.
    entry_list.__annotations__["query"] = Query[resource.query]  # type: ignore[misc, name-defined]
    entry_create.__annotations__["body"] = resource.body
    entry_change.__annotations__["body"] = resource.change
    answer = resource.answer
    one = "/{int:entry_id}"
    router.get(
        "",
        response=listed,
        auth=resource.reader(options=True),
        operation_id=f"{name}_list",
        summary=f"List {definition.catalog}",
    )(entry_list)
    router.post(
        "",
        response={201: answer},
        auth=resource.needs("Create"),
        operation_id=f"{name}_create",
        summary="Create",
    )(entry_create)
    router.get(one, response=answer, auth=resource.reader(), operation_id=f"{name}_get", summary="Read one")(entry_get)
    router.put(one, response=answer, auth=resource.needs("Update"), operation_id=f"{name}_update", summary="Change")(
        entry_change
    )
    router.delete(one, response=answer, auth=resource.needs("Delete"), operation_id=f"{name}_delete", summary="Delete")(
        entry_delete
    )
    if issubclass(definition.model, Pictured):
        _add_pictures(router, resource)
    return router


def _add_pictures(router: Router, resource: Resource[Any]) -> None:
    """The two operations of a record's picture."""
    documents = "/{int:entry_id}/document"

    def picture_put(request: HttpRequest, entry_id: PathId, reference: str) -> Any:
        row = pictures.picture_put(
            resource.definition, entry_id=entry_id, name_image=reference, raw=uploaded(request), by=caller(request)
        )
        return Answer(201, picture_of(row))

    def picture_remove(request: HttpRequest, entry_id: PathId, reference: str) -> Any:
        row = pictures.picture_remove(resource.definition, entry_id=entry_id, reference=reference, by=caller(request))
        return resource.present(row)

    needs = resource.needs("Update")
    router.post(
        documents + "/{reference}.jpeg",
        response={201: PictureOut},
        auth=needs,
        operation_id=f"{resource.name}_picture_put",
        summary="Upload the picture: JPEG or PNG, raw or as one multipart file",
        openapi_extra=PICTURE_BODY,
    )(picture_put)
    # The upload's address would catch the removal that is asked for with its ending, and refuse the method.
    for reference, suffix in (("/{reference}.jpeg", "_by_file"), ("/{reference}", "")):
        router.delete(
            documents + reference,
            response=resource.answer,
            auth=needs,
            operation_id=f"{resource.name}_picture_remove{suffix}",
            summary="Remove the picture, named with its ending" if suffix else "Remove the picture",
        )(picture_remove)
