"""The page at /api/docs: the operations of the OpenAPI document as plain HTML, with nothing fetched from elsewhere."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html, format_html_join
from ninja import NinjaAPI
from ninja.openapi.docs import DocsBase

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


class PlainPage(DocsBase):
    """A table of all operations with the permissions they need."""

    def render_page(self, request: HttpRequest, api: NinjaAPI, **kwargs: Any) -> HttpResponse:
        schema = api.get_openapi_schema(path_prefix="")
        rows = format_html_join(
            "",
            "<tr><td>{}<td><code>{}</code><td>{}<td>{}</tr>",
            (
                (method.upper(), path, operation["summary"], ", ".join(operation["x-permissions"]))
                for path, methods in schema["paths"].items()
                for method, operation in methods.items()
            ),
        )
        page = format_html(
            _PAGE,
            title=schema["info"]["title"],
            version=schema["info"]["version"],
            document=self.get_openapi_url(api, kwargs),
            rows=rows,
        )
        return HttpResponse(page, headers={"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"})
