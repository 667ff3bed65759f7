"""Build a small workshop for tests: a fixed cast of people and goods, orders, and clients of the JSON API."""

import itertools
import json
import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass, replace
from functools import cache
from threading import Barrier
from typing import Any

from django.db import IntegrityError, connection, connections, transaction
from django.db.models import Model
from django.db.models.sql import InsertQuery
from django.test import Client
from django.utils import translation

from project.access import token
from project.access.permissions import ALL
from project.catalogs.models import Component, Customer, ExportTaxItem, Item, Material, ProductionProcess
from project.core import clock, task_threads
from project.identity.models import Role, RolePermission, User
from project.orders.models import Line, ProcessRecord, SalesOrder
from project.parts.contents import PartKey
from project.parts.models import Part
from project.staffing.models import CustomerAccount, ProcessWorker

_numbers = itertools.count(1)


class Answer:
    """What the API answered."""

    def __init__(self, response: Any) -> None:
        self.status: int = response.status_code
        self.headers: Mapping[str, str] = response.headers
        self.content = bytes(response.getvalue())

    @property
    def text(self) -> str:
        return self.content.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.text)

    @property
    def code(self) -> str:
        """The stable code of a refusal."""
        return str(self.json["code"])

    @property
    def fields(self) -> dict[str, str]:
        """The refused fields: name → code."""
        return {row["field"]: row["code"] for row in self.json["errors"]}

    def __repr__(self) -> str:
        return f"{self.status} {self.content[:2_000].decode(errors='replace')}"


class Caller:
    """A client of the API: signed in as `user` with a new token, or with the token `bearer`, or anonymous."""

    def __init__(self, user: User | None = None, *, bearer: str | None = None, **headers: str) -> None:
        self.user = user
        self.bearer = bearer or (token.issue(user) if user else None)
        self.headers = headers

    @property
    def id(self) -> int:
        assert self.user is not None
        return self.user.pk

    def call(self, method: str, path: str, body: Any = None, *, raw: bytes | None = None, **headers: str) -> Answer:
        """Send one request. Keyword arguments are headers (`if_match="1"`)."""
        sent = {name.replace("_", "-"): value for name, value in (self.headers | headers).items()}
        if self.bearer:
            sent.setdefault("Authorization", f"Bearer {self.bearer}")
        data = raw if raw is not None else b"" if body is None else json.dumps(body).encode()
        content_type = sent.pop("content-type", "application/json")
        client = Client(raise_request_exception=False)
        return Answer(
            client.generic(method, path, data, content_type=content_type, headers=sent)  # type: ignore[arg-type]
        )

    def raw(self, path: str) -> bytes:
        """Download a file. Read its body as a server does: after the language of the request is deactivated."""
        sent = {name.replace("_", "-"): value for name, value in self.headers.items()}
        if self.bearer:
            sent["Authorization"] = f"Bearer {self.bearer}"
        response = Client().get(path, headers=sent)  # type: ignore[arg-type]
        with translation.override(None):
            content = bytes(response.getvalue())
        assert response.status_code == 200, content
        return content

    def get(self, path: str, **headers: str) -> Answer:
        return self.call("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        return self.call("POST", path, body, **headers)

    def put(self, path: str, body: Any = None, **headers: str) -> Answer:
        return self.call("PUT", path, body, **headers)

    def delete(self, path: str, **headers: str) -> Answer:
        return self.call("DELETE", path, **headers)


def person(name: str, *actions: str, processes: Iterable[ProductionProcess] = ()) -> User:
    """Create a user whose only role allows exactly `actions`."""
    user = User.objects.create(email=f"{name}@obrador.test", first_name=name.capitalize(), last_name="Torres")
    role = Role.objects.create(name=f"what {name} may do")
    RolePermission.objects.bulk_create(RolePermission(role=role, action=action) for action in actions)
    user.roles.add(role)
    ProcessWorker.objects.bulk_create(ProcessWorker(user=user, process=one) for one in processes)
    return user


def belongs(user: User, customer: Customer | None) -> None:
    """Turn `user` into a customer account. If `customer` is None, the account has no customer yet."""
    user.user_type = "Customer"
    user.save()
    if customer:
        CustomerAccount.objects.create(user=user, customer=customer)


def buyer(customer: Customer | None, *actions: str, processes: Iterable[ProductionProcess] = ()) -> Caller:
    """Create a customer account whose role holds `actions`, and return its caller."""
    user = person(f"buyer{next(_numbers)}", *actions, processes=processes)
    belongs(user, customer)
    return Caller(user)


def somebody(*actions: str, processes: Iterable[ProductionProcess] = ()) -> Caller:
    """Create a user who holds exactly `actions`, and return their caller."""
    return Caller(person(f"person{next(_numbers)}", *actions, processes=processes))


def process(name: str = "", *, order: int = 1, active: bool = True, price: str = "0") -> ProductionProcess:
    return ProductionProcess.objects.create(
        name=name or f"Proceso {next(_numbers)}", order=order, status=active, price=price
    )


def customer(name: str = "") -> Customer:
    return Customer.objects.create(name=name or f"Cliente {next(_numbers)}", quinto="Q-7")


def item(name: str = "") -> Item:
    number = next(_numbers)
    return Item.objects.create(key=f"K-{number}", name=name or f"Producto {number}", sell_price="10.50")


def tariff_item(code: str) -> ExportTaxItem:
    return ExportTaxItem.objects.create(code=code, spanish_description="Joyería", english_description="Jewellery")


def component(name: str = "") -> Component:
    return Component.objects.create(name=name or f"Componente {next(_numbers)}")


def material(name: str = "") -> Material:
    return Material.objects.create(name=name or f"Material {next(_numbers)}", description="Plata .925")


def line_path(order: int, position: int = 1) -> str:
    return f"/api/sales-order/{order}/position/{position}"


@dataclass(frozen=True)
class Shop:
    """Ana may do everything and works in casting and polishing. Beto may do everything and works in no process.

    Carla is signed in and has no permission. `nobody` sends no token. The workshop uses all parts of the product.
    """

    ana: Caller
    beto: Caller
    carla: Caller
    nobody: Caller
    casting: ProductionProcess
    polishing: ProductionProcess
    customer: Customer
    item: Item

    def order(self, *quantities: int, **fields: Any) -> int:
        """Create an order with a New line for each quantity. Return its id."""
        body = {
            "customerId": self.customer.pk,
            "customerSalesOrderId": f"PO-{next(_numbers)}",
            "items": [{"itemId": self.item.pk, "quantity": quantity} for quantity in quantities],
        } | fields
        answer = self.ana.post("/api/sales-order", body)
        assert answer.status == 201, answer
        return int(answer.json["id"])

    def approved(self, *quantities: int) -> int:
        """Create an order with an Approved line for each quantity. Return its id."""
        order = self.order(*quantities)
        for position in range(1, len(quantities) + 1):
            self.status(order, position, "Approved")
        return order

    def status(self, order: int, position: int, status: str) -> dict[str, Any]:
        return self._done(self.ana.put(f"{line_path(order, position)}/update-status/{status}"))

    def move(
        self, direction: str, order: int, process: ProductionProcess, quantity: int | None = None, **fields: Any
    ) -> Answer:
        """Move pieces of the order's first line as Ana."""
        return move(self.ana, direction, order, process, quantity, **fields)

    def enter(self, order: int, process: ProductionProcess, quantity: int | None = None) -> dict[str, Any]:
        return self._done(self.move("in", order, process, quantity))

    def leave(self, order: int, process: ProductionProcess, quantity: int | None = None) -> dict[str, Any]:
        return self._done(self.move("out", order, process, quantity))

    def scrap(self, order: int, process: ProductionProcess, quantity: int) -> dict[str, Any]:
        body = {"productionProcessId": process.pk, "quantity": quantity, "reason": "broken"}
        return self._done(self.ana.post(f"{line_path(order)}/scrap", body))

    def line(self, order: int, position: int = 1) -> dict[str, Any]:
        return self._done(self.ana.get(line_path(order, position)))

    def history(self, order: int, position: int = 1) -> list[dict[str, Any]]:
        """The records of a line, newest first."""
        answer = self.ana.get(f"{line_path(order, position)}/history")
        assert answer.status == 200, answer
        rows: list[dict[str, Any]] = answer.json
        return rows

    @staticmethod
    def _done(answer: Answer) -> dict[str, Any]:
        assert answer.status == 200, answer
        line: dict[str, Any] = answer.json
        return line


_CAST: tuple[type[Model], ...] = (
    *(User, Role, RolePermission, User.roles.through),
    *(ProductionProcess, ProcessWorker, Customer, Item, Part),
)
"""The models of the cast. Each comes after the models that it refers to."""


def shop() -> Shop:
    """Create the workshop with its cast.

    Inside a transaction, insert copies of the rows of the first workshop, with one statement for each table. Creating
    them with the models takes ten times as long, and most tests need them.
    """
    if not connection.in_atomic_block:
        with transaction.atomic():
            return _new_shop()
    first, statements = _first_shop()
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            for statement, values in statements:
                cursor.execute(statement, values)
    except IntegrityError:  # The test has already created rows with these ids.
        return _new_shop()
    return replace(
        first,
        **{name: Caller(copy(getattr(first, name).user)) for name in ("ana", "beto", "carla")},
        **{name: copy(getattr(first, name)) for name in ("casting", "polishing", "customer", "item")},
    )


@cache
def _first_shop() -> tuple[Shop, list[tuple[str, Any]]]:
    """Create the workshop and roll it back. Return it with the statements that insert its rows."""
    with transaction.atomic():
        before = [set(model._default_manager.values_list("pk", flat=True)) for model in _CAST]
        made, statements = _new_shop(), []
        for model, others in zip(_CAST, before, strict=True):
            query = InsertQuery(model)
            fields = [field for field in model._meta.local_concrete_fields if not field.generated]
            query.insert_values(fields, list(model._default_manager.exclude(pk__in=others).order_by("pk")), raw=True)
            statements += query.get_compiler(connection=connection).as_sql()
        transaction.set_rollback(True)
    return made, statements


def _new_shop() -> Shop:
    casting, polishing = process("Fundición", order=1, price="9.25"), process("Pulido", order=2, price="4.5")
    parts = [Part(key=key, on=True, since=clock.now()) for key in PartKey]
    Part.objects.bulk_create(parts, ignore_conflicts=True)
    return Shop(
        ana=Caller(person("ana", *ALL, processes=[casting, polishing])),
        beto=Caller(person("beto", *ALL)),
        carla=Caller(person("carla")),
        nobody=Caller(),
        casting=casting,
        polishing=polishing,
        customer=customer("Platería del Sur"),
        item=item("Anillo"),
    )


def move(
    by: Caller,
    direction: str,
    order: int,
    process: ProductionProcess,
    quantity: int | None = None,
    *,
    position: int = 1,
    notes: str = "",
    made_at: object = None,
    **headers: str,
) -> Answer:
    """Send a movement. Leave out `quantity` and `made_at` if they are None."""
    body: dict[str, Any] = {"productionProcessId": process.pk, "notes": notes}
    if made_at is not None:
        body["madeAt"] = made_at
    if quantity is not None:
        body["quantity"] = quantity
    return by.put(f"{line_path(order, position)}/production-process/{direction}", body, **headers)


def finished_line(shop: Shop, of: Item, *processes: ProductionProcess, status: str = "Done", **record: Any) -> Line:
    """Create a finished line of one piece that went through these processes. `record`: columns of its records."""
    now = clock.now()
    order = SalesOrder.objects.create(
        customer=shop.customer,
        customer_sales_order_id=f"PO-{next(_numbers)}",
        sales_order_date=clock.today(),
        creation_date=now,
        status=status,
    )
    line = Line.objects.create(
        order=order,
        position=1,
        item=of,
        quantity=1,
        quantity_billed=int(status == "Invoiced"),
        status=status,
        creation_date=now,
        done_at=now,
    )
    moved = {"input_at": now, "input_by_id": shop.ana.id, "output_at": now, "output_by_id": shop.ana.id}
    ProcessRecord.objects.bulk_create(
        ProcessRecord(line=line, process=one, quantity=1, **(moved | record)) for one in processes
    )
    return line


def usually(shop: Shop, of: Item, *processes: ProductionProcess) -> None:
    """Finish enough lines of a product to learn that it usually goes through these processes."""
    for _ in range(3):
        finished_line(shop, of, *processes)


def release(
    by: Caller, order: int, process: ProductionProcess, movement: str = "", *, position: int = 1, reason: str = ""
) -> Answer:
    """Release an exit (`out`), an entry (`in`), or the whole record if `movement` is empty."""
    path = f"{line_path(order, position)}/production-process/{process.pk}"
    path = f"{path}/movement-type/{movement}" if movement else path
    return by.delete(f"{path}?reason={reason}" if reason else path)


def undo(by: Caller, order: int, record: int, *, position: int = 1, **headers: str) -> Answer:
    """Undo the last movement of a record."""
    return by.post(f"{line_path(order, position)}/records/{record}/undo", **headers)


ATTEMPTS = 20
"""How often a call that is answered 503 is sent in all."""


def tasks_ended() -> None:
    """Wait until no task runs in a thread of this process."""
    for thread in threading.enumerate():
        if thread.name == task_threads.NAME:
            thread.join(600)  # reading processes run at low priority
            assert not thread.is_alive()


def at_once[T](calls: Iterable[Callable[[], T]]) -> list[T]:
    """Run all `calls` at the same time, each in its own thread with its own database connection.

    Retry a call that is answered 503 (too many requests wait for the database, and nothing was done), as clients do.
    """
    waiting = list(calls)
    all_are_here = Barrier(len(waiting))

    def run(call: Callable[[], T]) -> T:
        all_are_here.wait()
        try:
            for _ in range(ATTEMPTS):
                answer = call()
                if not (isinstance(answer, Answer) and answer.status == 503):
                    break
            return answer
        finally:
            connections.close_all()

    with ThreadPoolExecutor(max_workers=len(waiting)) as threads:
        return [future.result() for future in [threads.submit(run, call) for call in waiting]]
