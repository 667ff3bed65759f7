"""Run a state machine of Hypothesis for a number of steps.

The environment variable `OBRADOR_PROPERTY_STEPS` overrides the number that a test asks for. A walk of
more than 4 minutes also needs `-o faulthandler_timeout=0`.
"""

import os
from collections.abc import Callable

from django.db import connection
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test


def walk(machine: Callable[[], RuleBasedStateMachine], *, steps: int, a_life: int) -> None:
    """Run new machines for `a_life` steps each at most, until about `steps` steps are taken in all."""
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=max(1, int(os.environ.get("OBRADOR_PROPERTY_STEPS", steps)) // a_life),
            stateful_step_count=a_life,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def analyze() -> None:
    """Let the database count its rows. A walk is one transaction, so PostgreSQL never does it by itself."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
