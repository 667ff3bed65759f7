"""The first day of an installation: the steps that remain, and the sample workshop for an empty installation."""

import logging
import threading
from collections.abc import Callable
from typing import Literal

from django.db import connection, connections, transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse

from project.access.permissions import Permission
from project.access.principal import Principal
from project.audit.models import AuditEntry
from project.billing.models import Bill
from project.catalogs.models import Company, Component, Customer, ExportTaxItem, Item, Material, ProductionProcess, Tray
from project.core.errors import Refusal
from project.core.middleware import Handler, refused
from project.core.queries import Turn, take_turn
from project.demo import removing
from project.demo.people import PEOPLE, ROLES
from project.demo.workshop import build
from project.identity.models import Role, User
from project.metal.models import MetalEntry
from project.orders.models import ProcessRecord, SalesOrder

logger = logging.getLogger(__name__)

Step = Literal["company", "processes", "roles", "people", "customers", "products", "order", "sheet", "movement", "bill"]
Sample = Literal["offered", "loading", "failed", "loaded"]

THREAD = "sample-workshop"
_RECORDS = (Company, ProductionProcess, Customer, Item, Component, Material, ExportTaxItem, Tray, MetalEntry)
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
WRITES_NOTHING = frozenset({"/api/start", "/api/start/sample", "/api/live/ticket", "/api/scan"})
"""Calls that are answered while the sample is loaded, though they are no GET."""
_starting = threading.Lock()
_failed = threading.Event()


class NotEmpty(Refusal):
    """The sample workshop can be loaded only into an empty installation."""

    code = "not_empty"


class SampleLoading(Refusal):
    """The sample workshop is being loaded into SQLite, which has one writer. Try again later."""

    code = "sample_loading"


def steps(by: Principal) -> dict[Step, bool]:
    """Return whether each step of the first day is done, for the steps that the caller may do. At most 10 queries.

    The step `sheet` is also done once pieces have moved, because a workshop can work without sheets. Printed labels do
    not count as sheets.
    """
    printed = AuditEntry.objects.filter(entity="sales-order", action="printed", changes__has_key="sheets")
    moved = ProcessRecord.objects.exists()
    named = User.objects.filter(Q(pin_hash__isnull=False) | Q(badge_hash__isnull=False))
    found: dict[Step, tuple[Permission, Callable[[], bool]]] = {
        "company": (Permission.CreateCompany, Company.objects.exists),
        "processes": (Permission.CreateProductionProcess, ProductionProcess.objects.exists),
        "roles": (Permission.CreateRole, lambda: Role.objects.count() > 1),  # one is the administrator's
        "people": (Permission.CreateUser, named.exists),
        "customers": (Permission.CreateCustomer, Customer.objects.exists),
        "products": (Permission.CreateItem, Item.objects.exists),
        "order": (Permission.CreateSalesOrder, SalesOrder.objects.exists),
        "sheet": (Permission.PrintWorkSheet, lambda: moved or printed.exists()),
        "movement": (Permission.SalesOrderPositionProcessIn, lambda: moved),
        "bill": (Permission.CreateDelivery, Bill.objects.exists),
    }
    return {name: is_done() for name, (needed, is_done) in found.items() if by.holds(needed)}


def sample() -> tuple[Sample | None, removing.Held | None]:
    """Return the state of the sample workshop in this process, and what its removal would remove. At most 13 queries.

    The state is None if this database has other data.
    """
    if _is_loading():
        return "loading", None
    if not _is_empty():
        held = removing.held()
        return ("loaded" if held else None), held
    return ("failed" if _failed.is_set() else "offered"), None


def load(by: Principal) -> None:
    """Start to load the sample workshop in the background. A no-op while it loads. Raises `NotEmpty`."""
    with _starting:
        if _is_loading():
            return
        if not _is_empty():
            raise NotEmpty
        _failed.clear()
        threading.Thread(target=_load, args=(by,), name=THREAD, daemon=True).start()


def writes_answered_while_loading(get_response: Handler) -> Handler:
    """Refuse a write at once while the sample workshop is loaded into SQLite. Else the write would wait, and then fail.

    PostgreSQL has many writers. There only writes of accounts and roles wait until the sample is loaded.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        writes = request.method not in SAFE and request.path not in WRITES_NOTHING
        if writes and connection.vendor == "sqlite" and _is_loading():
            return refused(SampleLoading(retryAfter=1))
        return get_response(request)

    return middleware


def _is_loading() -> bool:
    return any(thread.name == THREAD for thread in threading.enumerate())


def _is_empty() -> bool:
    """Return whether there is at most one account, no record, and no account or role of the sample."""
    if SalesOrder.objects.exists() or any(model._default_manager.exists() for model in _RECORDS):
        return False
    if User.objects.count() > 1 or User.objects.filter(email__in=[one.email for one in PEOPLE]).exists():
        return False
    return not Role.objects.filter(name__in=ROLES).exists()


def _load(by: Principal) -> None:
    """Load the sample in one transaction. Its accounts get random passwords: the published password does not work."""
    try:
        with transaction.atomic():
            take_turn(Turn.LOADING_SAMPLE)
            if _is_empty():  # another process may have loaded it in the meantime
                since = removing.last_entry()
                build(published=False)
                removing.note_loaded(since=since, by=by)
    except Exception:
        logger.exception("the sample workshop could not be loaded")
        _failed.set()
    finally:
        connections.close_all()
