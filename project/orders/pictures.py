"""Store and remove the picture of a line.

A file is stored before a row names it. The former file is deleted after the commit.
"""

from functools import partial

from django.db import transaction

from project.access.principal import Principal
from project.core import clock, pictures
from project.core.errors import NotFound
from project.core.idempotency import unit_of_work
from project.orders import auditing, events as live, rules
from project.orders.events import LineChanged
from project.orders.models import Line
from project.orders.movements import line_for_update
from project.orders.rules import Status
from project.orders.selectors import line_get
from realtime import outbox
from realtime.registry import Actor


def line_picture_put(*, order_id: int, position: int, name_image: str | None, raw: bytes, by: Principal) -> Line:
    """Store a line's own picture in place of its former one. Without a name, the picture is named after the time.

    Raises `NotFound`, `LineClosed`, `InvalidFields`, `UnsupportedImage`, `ImageTooLarge`, `Unavailable`.
    """
    name = pictures.check_name(name_image or f"{clock.now():%Y%m%d%H%M%S%f}")
    rules.check_editable(Status(line_get(order_id, position).status))
    with pictures.stored(Line.folder, raw, whose=by.user_id) as stored:
        return _put(order_id, position, stored, name, by)


@unit_of_work
def line_picture_remove(*, order_id: int, position: int, by: Principal) -> Line:
    """Remove the line's own picture. Raises `NotFound` (also if there is none), `LineClosed`."""
    line = line_for_update(order_id, position)
    if not line.image:
        raise NotFound
    return _name(line, "", "", by)


@unit_of_work
def _put(order_id: int, position: int, image: str, name_image: str, by: Principal) -> Line:
    return _name(line_for_update(order_id, position), image, name_image, by)


def _name(line: Line, image: str, name_image: str, by: Principal) -> Line:
    """Set the picture of a line that the caller has locked and claimed."""
    rules.check_editable(Status(line.status))
    before = auditing.snapshot(line)
    transaction.on_commit(partial(pictures.discard, line.image), robust=True)
    line.image, line.name_image = image, name_image
    line.save(update_fields=["image", "name_image", "version"])
    auditing.record_line(line, "changed", before=before, by=by)
    changed = line_get(line.order_id, line.position)
    outbox.publish(
        LineChanged(data=live.line_data(changed, changed.loaded_records)),
        by=Actor.of(by),
    )
    return changed
