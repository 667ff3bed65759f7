"""Lets the demo's people work while one looks: they move pieces by the ordinary services, at human pace."""

import logging
import random
import secrets
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Literal

from django.db import connections, transaction
from django.db.models import Count

from project.access.principal import Principal
from project.catalogs.models import ProductionProcess
from project.core import clock
from project.core.errors import Refusal
from project.demo import metal
from project.demo.goods import products
from project.demo.people import ADMINISTRATOR, PEOPLE, ROLES
from project.demo.workshop import FOREMAN, MAKERS, principal
from project.identity.models import User
from project.metal.rules import NOT_WEIGHED
from project.orders import movements, statuses
from project.orders.models import OPEN, Line, ProcessRecord
from project.orders.rules import Status
from project.worker.models import Lease

logger = logging.getLogger(__name__)

TASK = "demo-people"
LASTS = timedelta(minutes=10)
PACE = (4.0, 9.0)
"""The shortest and the longest pause between two movements, in seconds."""
BEGINS = 0.2
"""How often a line begins that has not been in any process."""
MOST_READ = 200


class NotDemo(Refusal):
    """This is not an installation of the demo, so there are no invented people to move pieces."""

    code = "not_demo"


def is_demo() -> bool:
    """Whether this is an installation of `manage.py demo`, whose first account is the demo's. 1 query."""
    return User.objects.order_by("pk").values_list("email", flat=True).first() == ADMINISTRATOR


def busiest_customer() -> int | None:
    """Return the customer with the most open lines. 1 query."""
    lines = Line.objects.filter(status=Status.InProcess).values("order__customer").annotate(lines=Count("pk"))
    return lines.order_by("-lines", "order__customer").values_list("order__customer", flat=True).first()


def moving_until() -> datetime | None:
    """Return until when the demo's people work; None if they do not. 1 query."""
    return Lease.objects.filter(task=TASK, until__gt=clock.now()).values_list("until", flat=True).first()


def move() -> None:
    """Let the demo's people work for `LASTS`. Does nothing if they already work. Raises `NotDemo`."""
    if not is_demo():
        raise NotDemo
    holder = secrets.token_hex(8)
    with transaction.atomic():
        Lease.objects.get_or_create(task=TASK, defaults={"until": clock.now()})
        free = Lease.objects.filter(task=TASK, until__lte=clock.now())
        if free.update(holder=holder, until=clock.now() + LASTS) == 0:
            return
        transaction.on_commit(threading.Thread(target=_work, args=[holder], name=TASK, daemon=True).start)


def stop() -> None:
    Lease.objects.filter(task=TASK).delete()


def _work(holder: str) -> None:
    """Move pieces until the lease of `holder` ends, or nothing is left to move."""
    people, pause = People(), threading.Event()
    try:
        while Lease.objects.filter(task=TASK, holder=holder, until__gt=clock.now()).exists() and people.move_one():
            connections.close_all()
            pause.wait(random.uniform(*PACE))
        Lease.objects.filter(task=TASK, holder=holder).delete()
    except Exception:
        logger.exception("the demo's people stopped")
    finally:
        connections.close_all()


@dataclass
class People:
    """The people of the demo, and the movements that they are about to make."""

    chance: random.Random = field(default_factory=random.Random)
    soon: deque[Callable[[], object]] = field(default_factory=deque)

    def move_one(self) -> bool:
        """Make one movement. Returns False if there was none to make.

        Also returns True if the movement was refused, because a user moved the pieces first.
        """
        if not self.soon:
            self.soon.extend(self._next())
        if not self.soon:
            return False
        try:
            self.soon.popleft()()
        except Refusal:
            self.soon.clear()
        return True

    def _next(self) -> list[Callable[[], object]]:
        """Choose a line: its pieces leave their process and enter the next one, or enter the first one. 4 queries."""
        inside = list(
            ProcessRecord.objects.filter(OPEN, line__batch_lines=None, process__name__in=MAKERS)
            .select_related("line__item", "process")
            .order_by("pk")[:MOST_READ]
        )
        fresh = list(
            Line.objects.filter(status=Status.Approved, records=None, batch_lines=None)
            .select_related("item")
            .order_by("pk")[:MOST_READ]
        )
        if fresh and (not inside or self.chance.random() < BEGINS):
            line = self.chance.choice(fresh)
            return [partial(_press, line, process, "in", line.quantity) for process in _way(line)[:1]]
        if not inside:
            return []
        record = self.chance.choice(inside)
        line, way = record.line, _way(record.line)
        pieces = sum(one.quantity for one in inside if (one.line_id, one.process_id) == (line.pk, record.process_id))
        place = way.index(record.process) + 1 if record.process in way else len(way)
        leaves = partial(_press, line, record.process, "out", pieces)
        then = partial(_press, line, way[place], "in", pieces) if place < len(way) else partial(_finish, line)
        return [leaves, then]


def _way(line: Line) -> list[ProductionProcess]:
    """Return the processes of the line's product, as far as somebody of the demo works there."""
    steps = line.item.way.select_related("process").order_by("place")
    return [step.process for step in steps if step.process.name in MAKERS]


def _press(line: Line, process: ProductionProcess, side: Literal["in", "out"], pieces: int) -> None:
    """Move pieces of a line in or out, weighed where the demo weighs."""
    product = {one.key: one for one in products()}.get(line.item.key)
    press = movements.move_in if side == "in" else movements.move_out
    press(
        order_id=line.order_id,
        position=line.position,
        process_id=process.pk,
        quantity=pieces,
        notes="",
        by=_person(MAKERS[process.name]),
        weights=metal.weights(product, side, process.name, pieces) if product else NOT_WEIGHED,
    )


def _finish(line: Line) -> None:
    by = _person(FOREMAN)
    statuses.line_change_status(order_id=line.order_id, position=line.position, status=Status.Done, by=by)


def _person(email: str) -> Principal:
    """Return a person of the demo. Raises `NotDemo` if the account may not work any more."""
    role = next(one.role for one in PEOPLE if one.email == email)
    user = User.objects.filter(email=email, active=True).first()
    if user is None:
        raise NotDemo
    return principal(user.pk, user.full_name, ROLES[role].permissions)
