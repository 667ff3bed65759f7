"""REST of the first day: the steps that remain, and the sample workshop (infra/docs/rules.md#first-day)."""

from dataclasses import asdict

from django.http import HttpRequest

from project.access.guard import Requires, caller
from project.access.permissions import Permission
from project.access.principal import Principal
from project.core.idempotency import NotKept
from project.core.routing import domain_router
from project.core.schemas import Flag, In, Instant, Out
from project.demo import moving, removing, start

router = domain_router("start")

ADMINISTRATORS = Requires(Permission.UpdateRole, services=False)


class StartStepOut(Out):
    name: start.Step
    done: bool


class DemoOut(Out):
    """What an installation of the demo shows first. `customerId`: the customer with the most open lines.

    `movingUntil`: until when the demo's people move pieces; null if they do not.
    """

    customer_id: int
    moving_until: Instant | None


class SampleHoldsOut(Out):
    """How many records the sample workshop has. `people`: its accounts."""

    orders: int
    products: int
    customers: int
    processes: int
    people: int


class StartOut(Out):
    """The steps of the first day that the caller may do.

    `sample`: the state of the sample workshop: `offered` (it can be loaded), `loading`, `failed`, or `loaded` (it can
    be removed); null if there are other data. `sampleHolds`: what its removal would remove; null if it cannot be
    removed. `demo`: null unless this is an installation of `manage.py demo`.
    """

    steps: list[StartStepOut]
    sample: start.Sample | None
    sample_holds: SampleHoldsOut | None
    demo: DemoOut | None


class DemoPeopleIn(In):
    """Whether the demo's people move pieces. They stop after ten minutes."""

    move: Flag


def _state(by: Principal) -> StartOut:
    steps = [StartStepOut(name=name, done=done) for name, done in start.steps(by).items()]
    state, held = start.sample()
    return StartOut(
        steps=steps,
        sample=state,
        sample_holds=SampleHoldsOut(**asdict(held)) if held else None,
        demo=_demo(),
    )


def _demo() -> DemoOut | None:
    busiest = moving.busiest_customer() if moving.is_demo() else None
    return None if busiest is None else DemoOut(customer_id=busiest, moving_until=moving.moving_until())


@router.get("", auth=ADMINISTRATORS, operation_id="start_get")
def start_get(request: HttpRequest) -> StartOut:
    """Return which steps of a new installation are done, and the state of the sample workshop. At most 26 queries."""
    return _state(caller(request))


@router.post(
    "/sample",
    auth=ADMINISTRATORS,
    operation_id="sample_load",
    repeat=NotKept("loads once, whatever is repeated"),
)
def sample_load(request: HttpRequest) -> StartOut:
    """Start to load the sample workshop in the background: orders, people and products. 409 `not_empty`."""
    start.load(caller(request))
    return _state(caller(request))


@router.delete(
    "/sample",
    auth=ADMINISTRATORS,
    operation_id="sample_remove",
    repeat=NotKept("removes once: a repeat is refused"),
)
def sample_remove(request: HttpRequest) -> StartOut:
    """Remove the sample workshop: orders, people and products. 409 `sample_in_use` if anything else was written."""
    removing.remove(caller(request))
    return _state(caller(request))


@router.put(
    "/demo-people",
    auth=ADMINISTRATORS,
    operation_id="demo_people_move",
    repeat=NotKept("starts or stops, whatever is repeated"),
)
def demo_people_move(request: HttpRequest, body: DemoPeopleIn) -> StartOut:
    """Let the demo's people move real pieces for ten minutes, or stop them. 409 `not_demo`."""
    if body.move:
        moving.move()
    else:
        moving.stop()
    return _state(caller(request))
