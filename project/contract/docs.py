"""The API's own documentation: `/api/openapi.json`, and a plain page of its operations at `/api/docs`.

Both are public and the same for everybody, so each process builds them once and answers the bytes with an ETag.
"""

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.html import format_html, format_html_join
from django.views.decorators.http import condition, require_safe
from ninja.responses import NinjaJSONEncoder

from project.api import api

DOCUMENT = "/api/openapi.json"
PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title} {version}</title>
<style>
body {{ font: 16px/1.5 system-ui; margin: 2rem }}
td, th {{ padding: .2rem 1rem .2rem 0; text-align: left; vertical-align: top }}
</style>
<h1>{title} {version}</h1>
<p>The whole document: <a href="{document}">{document}</a></p>
<table><thead><tr><th>Method<th>Path<th>Operation<th>Needs one of</tr></thead><tbody>{rows}</tbody></table>
"""


@cache
def _schema() -> Any:
    return api.get_openapi_schema(path_prefix="")


@cache
def _document() -> bytes:
    return NinjaJSONEncoder(ensure_ascii=False).encode(_schema()).encode()


@cache
def _page() -> bytes:
    schema = _schema()
    rows = format_html_join(
        "",
        "<tr><td>{}<td><code>{}</code><td>{}<td>{}</tr>",
        (
            (method.upper(), path, operation["summary"], ", ".join(operation["x-permissions"]))
            for path, methods in schema["paths"].items()
            for method, operation in methods.items()
        ),
    )
    info = schema["info"]
    return format_html(_PAGE, title=info["title"], version=info["version"], document=DOCUMENT, rows=rows).encode()


def _served(body: Callable[[], bytes], **headers: str) -> Callable[[HttpRequest], HttpResponseBase]:
    """Make a view that answers `body()`, or 304 if the caller has it already."""

    def etag(request: HttpRequest) -> str:
        return f'"{sha256(body()).hexdigest()[:32]}"'

    @require_safe
    @condition(etag_func=etag)
    def view(request: HttpRequest) -> HttpResponse:
        return HttpResponse(body(), headers={"Cache-Control": "no-cache", **headers})

    return view


openapi_document = _served(_document, **{"Content-Type": "application/json"})
docs_page = _served(
    _page,
    **{
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy": PAGE_POLICY,
    },
)
