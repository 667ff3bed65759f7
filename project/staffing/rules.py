"""Rules for assigning production processes to users (infra/docs/rules.md#accounts)."""

from project.access.permissions import Permission
from project.access.principal import Principal
from project.core.errors import PermissionDenied

LAST_ORDER = 1_000_000
"""The highest order that a process may have."""


def check_processes(by: Principal, *, given: set[int], own: set[int]) -> None:
    """Raise `PermissionDenied` if the caller assigns a process that is not among their `own`, unless they may edit
    processes."""
    if given - own and not by.holds(Permission.UpdateProductionProcess):
        raise PermissionDenied(missing=[Permission.UpdateProductionProcess])
