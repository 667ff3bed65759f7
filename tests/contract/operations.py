"""The operations of the API, as its OpenAPI document describes them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from project.access.guard import Requires, SignedIn
from project.api import api


def _guards() -> dict[str, SignedIn]:
    return {
        str(operation.operation_id): guard
        for bound in api._get_bound_routers()
        for view in bound.path_operations.values()
        for operation in view.operations
        for guard in operation.auth_callbacks
        if isinstance(guard, SignedIn)
    }


GUARDS = _guards()
"""The guard of each operation that needs a token, by operation id."""
SIGNED_IN = {name: guard.why for name, guard in GUARDS.items() if not isinstance(guard, Requires)}
"""The operations that need a token and no permission, and why."""
CUSTOMERS = {name: guard.customers for name, guard in GUARDS.items() if guard.customers}
"""The operations open to customers' accounts, and what they read there."""


@dataclass(frozen=True)
class Operation:
    """One operation. The caller needs one of `permissions`. `path` has its parameters filled in."""

    name: str
    method: str
    template: str
    permissions: frozenset[str]
    description: Any

    @property
    def path(self) -> str:
        """The path with ids that do not exist, and with valid words."""
        filled = self.template.replace("{run_id}", "00000000-0000-4000-8000-000000000000")
        filled = re.sub(r"\{(\w*id|position)\}", "999999", filled)
        words = {
            "movement": "in",
            "status": "Approved",
            "name_image": "retrato",
            "reference": "retrato",
            "kind": "csv",
            "key": "metal",
        }
        words |= {"secret": "x" * 43, "token": "x" * 43, "paper": "invoice"}
        words |= {"start_date": "2026-03-01", "end_date": "2026-03-31", "days": "7"}
        return re.sub(r"\{(\w+)\}", lambda match: words[match[1]], filled)

    @property
    def takes_file(self) -> bool:
        """Whether its body is a file and not JSON."""
        return "application/json" not in self.description.get("requestBody", {}).get("content", {"application/json": 0})

    @property
    def parameters(self) -> frozenset[str]:
        """The names of its parameters, without the body."""
        return frozenset(parameter["name"] for parameter in self.description.get("parameters", ()))

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return self.name


@cache
def schema() -> dict[str, Any]:
    """The OpenAPI document."""
    return dict(api.get_openapi_schema(path_prefix=""))


def operations() -> Iterator[Operation]:
    """All operations, with their shared parameters written out."""
    shared = schema()["components"]["parameters"]
    for path, methods in schema()["paths"].items():
        for method, described in methods.items():
            named = described.get("parameters", ())
            parameters = [shared[one["$ref"].rsplit("/", 1)[1]] if "$ref" in one else one for one in named]
            operation = described | {"parameters": parameters}
            yield Operation(
                operation["operationId"], method.upper(), path, frozenset(operation["x-permissions"]), operation
            )
