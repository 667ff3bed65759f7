"""REST of the first day: the steps that remain, and the sample workshop (infra/docs/rules.md#first-day)."""

from django.http import HttpRequest

from project.access.guard import Requires, caller
from project.access.permissions import Permission
from project.access.principal import Principal
from project.core.idempotency import NotKept
from project.core.routing import domain_router
from project.core.schemas import Out
from project.demo import start

router = domain_router("start")

ADMINISTRATORS = Requires(Permission.UpdateRole, services=False)


class StartStepOut(Out):
    name: start.Step
    done: bool


class StartOut(Out):
    """The steps of the first day that the caller may do.

    `sample`: whether the sample workshop can be loaded, is being loaded, or could not be loaded; null if this
    installation is not empty.
    """

    steps: list[StartStepOut]
    sample: start.Sample | None


def _state(by: Principal) -> StartOut:
    steps = [StartStepOut(name=name, done=done) for name, done in start.steps(by).items()]
    return StartOut(steps=steps, sample=start.sample())


@router.get("", auth=ADMINISTRATORS, operation_id="start_get")
def start_get(request: HttpRequest) -> StartOut:
    """Return which steps of a new installation are done, and the state of the sample workshop. At most 20 queries."""
    return _state(caller(request))


@router.post(
    "/sample",
    auth=ADMINISTRATORS,
    operation_id="sample_load",
    repeat=NotKept("loads once, whatever is repeated"),
)
def sample_load(request: HttpRequest) -> StartOut:
    """Start to load the sample workshop in the background: orders, people and products. 409 `not_empty`."""
    start.load()
    return _state(caller(request))
