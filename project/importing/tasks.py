"""The jobs of imports as tasks: what they get is plain JSON, so that any backend of `TASKS` can run them."""

from typing import Any

from django.tasks import task

from project.importing import applying, previewing
from project.importing.jobs import working


@task
def preview(import_id: int, asked: dict[str, Any], *, catalog: str, same_rows: bool = True) -> None:
    """Run `previewing.preview`."""
    with working(import_id, asked) as by:
        previewing.preview(import_id, catalog, same_rows=same_rows, by=by)


@task
def preview_again(import_id: int, asked: dict[str, Any], *, catalog: str) -> None:
    """Run `previewing.preview_again`."""
    with working(import_id, asked) as by:
        previewing.preview_again(import_id, catalog, by=by)


@task
def apply(import_id: int, asked: dict[str, Any], *, catalog: str) -> None:
    """Run `applying.apply`."""
    with working(import_id, asked) as by:
        applying.apply(import_id, catalog, by=by)
