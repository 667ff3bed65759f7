"""A workshop's work over HTTP, one short shift after the other until SIGTERM.

    python infra/chaos/shift.py URL

Each shift signs in, takes an order to its bill, prints both, reads what the screens read, and signs out. Each release
brings its own, so that its server is asked what its own pages ask. A line says how each went; ends with 1 where any
call failed. The administrator is that of `served.py`.
"""

import base64
import itertools
import json
import signal
import sys
import threading
import time
from typing import Any

import httpx
from filled import made, move, put
from served import sign_in, token

PRINT_TRIES = 10


def shift(client: httpx.Client) -> None:
    """From the sign-in to the sign-out. Raises `HTTPError` for the first call that is not answered as it should be."""
    client.headers["Authorization"] = f"Bearer {sign_in(client)}"
    run = token()
    me = int(_claims(client)["sub"])
    address = {"street": "Reforma", "city": "México", "country": "MX", "postalCode": "06600"}
    customer = made(client, "customers", name=f"Shift {run}", addresses=[{"kind": "Commercial", **address}])
    company = made(client, "companies", name=f"Shift {run}", commercialAddress=address)
    item = made(client, "items", key=run, name=f"Shift {run}", sellPrice=10, taxAmount=16)
    process = made(client, "production-processes", name=f"Shift {run}", order=1, price=2, userIds=[me])
    order = made(
        client,
        "sales-order",
        customerId=customer,
        customerSalesOrderId=run,
        items=[{"itemId": item, "quantity": 9}] * 2,
    )
    client.put(f"/api/sales-order/{order}", json={"notes": run}).raise_for_status()
    for position in (1, 2):
        place = order, position
        put(client, place, "update-status/Approved")
        move(client, place, "in", process, 4)
        move(client, place, "out", process, 4)
        move(client, place, "in", process)
        move(client, place, "out", process)
        put(client, place, "update-status/Done")
    lines = [{"salesOrderId": order, "position": 1, "quantity": 5, "price": 10}]
    header = {"customerId": customer, "companyId": company, "guideNumber": run, "invoiceNumber": run}
    bill = made(client, "deliveries", **header, lines=lines)
    printed(client, "/pdf/create-pdf", {"documents": [{"salesOrderId": order}]})
    printed(client, "/pdf/create-delivery", {"deliveryId": bill})
    for path in (*reads(client), f"/api/sales-order/{order}", f"/api/sales-order/{order}/position/1/history"):
        client.get(path).raise_for_status()
    client.post("/api/live/ticket").raise_for_status()
    client.post("/identity/authentication/sign-out").raise_for_status()


def printed(client: httpx.Client, path: str, body: dict[str, Any]) -> None:
    """Print, and come again as the pages do where the printing processes are busy: that says nothing of a release."""
    for _ in range(PRINT_TRIES):
        answer = client.post(path, json=body)
        if answer.status_code != 503 or answer.json()["code"] != "pdf_unavailable":
            break
        time.sleep(int(answer.headers["Retry-After"]))
    answer.raise_for_status()


def reads(client: httpx.Client) -> list[str]:
    """Whatever this server's API lets one read without naming anything: all lists, reports and files."""
    paths = client.get("/api/openapi.json").raise_for_status().json()["paths"]
    return [path for path, methods in paths.items() if "{" not in path and _is_read(methods.get("get"))]


def _is_read(operation: dict[str, Any] | None) -> bool:
    return operation is not None and not any(one.get("required") for one in operation.get("parameters", ()))


def _claims(client: httpx.Client) -> dict[str, str]:
    part = client.headers["Authorization"].split(".")[1]
    claims: dict[str, str] = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    return claims


def main() -> int:
    over, failed = threading.Event(), 0
    signal.signal(signal.SIGTERM, lambda number, frame: over.set())
    with httpx.Client(base_url=sys.argv[1], timeout=60) as client:
        for number in itertools.count(1):
            try:
                shift(client)
                print(f"shift {number}: ok", flush=True)
            except httpx.HTTPError as error:
                failed += 1
                answer = error.response.text[:200] if isinstance(error, httpx.HTTPStatusError) else ""
                print(f"shift {number}: failed: {error} {answer}".replace("\n", " "), flush=True)
            if over.is_set():
                return 1 if failed else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
