"""Routers as every domain has them."""

from ninja import Router


def domain_router(tag: str) -> Router:
    """A router whose answers are camelCase, filed under `tag` in the API's documentation."""
    return Router(by_alias=True, tags=[tag])
