"""Who may say who works where (infra/docs/rules.md#accounts)."""

from project.access.permissions import Permission
from project.access.principal import Principal
from project.core.errors import PermissionDenied

LAST_ORDER = 1_000_000
"""The highest order that a process may have."""


def check_processes(by: Principal, *, given: set[int], own: set[int]) -> None:
    """Nobody gives a production process in which he does not work, unless it is his to say who works there. Raises
    `PermissionDenied`."""
    if given - own and not by.holds(Permission.UpdateProductionProcess):
        raise PermissionDenied(missing=[Permission.UpdateProductionProcess])
