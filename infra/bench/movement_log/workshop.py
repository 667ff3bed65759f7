"""Prepare a server for a log: processes, workers, products, and an approved order for each case."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from infra.bench.movement_log.client import Api, Json, Person, Refused
from infra.bench.movement_log.log import Movement
from infra.bench.movement_log.plan import CasePlan

WORKER_PASSWORD = "Obrador.2026"
ROLE = "Shop floor (replay)"
CUSTOMER = "Replayed movement log"
PERMISSIONS = [
    "ListSalesOrders",
    "ListOrders",
    "ShopFloor",
    "SalesOrderPositionProcessIn",
    "SalesOrderPositionProcessOut",
    "SalesOrderPositionRecord",
    "ReleaseProductionProccess",
    "Station",
]


@dataclass(frozen=True)
class Workshop:
    """The server's records by the log's names: ids of the processes, the workers, and the path of each case's line."""

    processes: dict[str, int]
    workers: dict[str, Person]
    lines: dict[str, str]


def set_up(api: Api, admin: Person, movements: Sequence[Movement], plans: dict[str, CasePlan]) -> Workshop:
    """Create the records that the log needs. Records of an earlier replay are used again; the orders are always new."""
    names = list(dict.fromkeys(movement.process for movement in movements))
    known = {row["name"].casefold(): row for row in api.pages("/api/production-processes", admin)}
    processes = {
        name: _process(api, admin, name, place, known.get(name.casefold())) for place, name in enumerate(names, start=1)
    }
    role = _kept(api, admin, "/identity/roles", "name", {"name": ROLE, "description": "", "permissions": PERMISSIONS})
    worked: dict[str, set[int]] = defaultdict(set)
    for movement in movements:
        worked[movement.worker].add(processes[movement.process])
    workers = {worker: _worker(api, admin, worker, role["id"], sorted(ids)) for worker, ids in worked.items()}
    customer = _kept(api, admin, "/api/customers", "name", {"name": CUSTOMER})
    items = {
        part: _kept(api, admin, "/api/items", "key", {"key": f"LOG {part}", "name": f"{part} (log)", "sellPrice": 1})
        for part in dict.fromkeys(plan.part for plan in plans.values())
    }
    run = uuid4().hex[:8]
    lines = {
        case: _line(api, admin, f"{case} {run}", customer["id"], items[plan.part]["id"], plan.pieces)
        for case, plan in plans.items()
    }
    return Workshop(processes, workers, lines)


def _kept(api: Api, admin: Person, path: str, unique: str, body: Json) -> Json:
    """Create a record, or change the existing one with the same unique value. Returns the answer."""
    try:
        return api.write("POST", path, admin, body)
    except Refused as refused:
        if refused.code != "already_exists":
            raise
    wanted = str(body[unique]).casefold()
    there = next(row for row in api.pages(path, admin) if row[unique].casefold() == wanted)
    return api.write("PUT", f"{path}/{there['id']}", admin, body)


def _process(api: Api, admin: Person, name: str, place: int, there: Json | None) -> int:
    if there is None:
        body = {"name": name, "order": place, "status": True, "price": 1}
        return int(api.write("POST", "/api/production-processes", admin, body)["id"])
    if not there["status"]:
        api.write("PUT", f"/api/production-processes/{there['id']}", admin, {"status": True})
    return int(there["id"])


def _worker(api: Api, admin: Person, worker: str, role: int, processes: list[int]) -> Person:
    local = re.sub(r"[^a-z0-9]+", "-", worker.casefold()).strip("-") or "worker"
    person = Person(f"{local}@replay.obrador.test", WORKER_PASSWORD)
    body = {
        "email": person.email,
        "firstName": "Worker",
        "lastName": worker,
        "userType": "Internal",
        "active": True,
        "locked": False,
        "language": "es",
        "password": person.password,
        "roleIds": [role],
        "productionProcessIds": processes,
    }
    person.full_name = _kept(api, admin, "/identity/users", "email", body)["fullName"]
    return api.sign_in(person)


def _line(api: Api, admin: Person, order_number: str, customer: int, item: int, pieces: int) -> str:
    """Create an order with one approved line. Returns the line's path in the API."""
    today = datetime.now(UTC).date()
    order = api.write(
        "POST",
        "/api/sales-order",
        admin,
        {
            "customerSalesOrderId": order_number,
            "customerId": customer,
            "salesOrderDate": today.isoformat(),
            "items": [{"itemId": item, "quantity": pieces, "deliveryDate": (today + timedelta(days=30)).isoformat()}],
        },
    )
    line = f"/api/sales-order/{order['id']}/position/1"
    api.write("PUT", f"{line}/update-status/Approved", admin)
    return line
