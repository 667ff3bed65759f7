"""How each write answers a repeated `Idempotency-Key`: as the GET of the written record answers now.

The path of the write decides which GET this is: the GET of the record at that path, or else of the nearest record
above. A repeated creation is answered with the record that the first request created. An operation that differs
declares it with `repeat` or `record_stays`: see `core.routing.DomainRouter`. The server does not start if a write has
no matching GET.
"""

import inspect
import re
from dataclasses import replace
from typing import Any

from ninja import NinjaAPI

from project.core.idempotency import LASTING, NOT_KEPT, RECORD_STAYS, REPEATS, Repeat, View, gone


def repeats_of(api: NinjaAPI) -> dict[str, Repeat]:
    """Return how to answer a repeat, for each write of `api` that stores a key, by operation id.

    Raises `LookupError` for a write without a matching GET, or with a `repeat` that cannot be called with the write's
    ids.
    """
    reads: dict[str, View] = {}
    writes: list[tuple[str, str, Any]] = []
    for bound in api._get_bound_routers():
        for path, view in bound.path_operations.items():
            whole = re.sub(r"\{\w+:", "{", bound.prefix + path)
            for operation in view.operations:
                if "GET" in operation.methods:
                    reads[whole] = inspect.unwrap(operation.view_func)
                elif operation.operation_id not in NOT_KEPT:
                    writes.append((operation.methods[0], whole, operation))
    return {one.operation_id: _repeat(method, path, one, reads) for method, path, one in writes}


def _repeat(method: str, path: str, operation: Any, reads: dict[str, View]) -> Repeat:
    name = operation.operation_id
    found = REPEATS.get(name) or _by_path(method, path, operation, reads)
    known = {*re.findall(r"\{(\w+)\}", path), found.made} - {""}
    _, *asked = inspect.signature(found.read).parameters
    if found.read is not gone and (not known >= {*asked} or found.made not in ("", *asked)):
        raise LookupError(f"{name}: {found.read.__name__} cannot be called with {sorted(known)}: see {__name__}")
    return replace(found, status=next(iter(operation.response_models)), lasting=name in LASTING)


def _by_path(method: str, path: str, operation: Any, reads: dict[str, View]) -> Repeat:
    if 201 in operation.response_models:
        below = next((one for one in reads if re.fullmatch(re.escape(path) + r"/\{\w+\}", one)), None)
        if below is None:
            raise LookupError(f"{operation.operation_id}: no GET reads what it creates: see {__name__}")
        return Repeat(reads[below], made=below.rpartition("{")[2].removesuffix("}"))
    if operation.operation_id in RECORD_STAYS and path not in reads:
        raise LookupError(f"{operation.operation_id}: no GET reads the record that stays: see {__name__}")
    if method == "DELETE" and path in reads and operation.operation_id not in RECORD_STAYS:
        return Repeat(gone)
    record = path
    while record not in reads or not record.endswith("}"):
        record, slash, _ = record.rpartition("/")
        if not slash:
            raise LookupError(f"{operation.operation_id}: no GET reads what it writes: see {__name__}")
    return Repeat(reads[record])
