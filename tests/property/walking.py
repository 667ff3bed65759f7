"""How the models are walked: so many steps in all, each life of a model a part of them.

`OBRADOR_PROPERTY_STEPS` sets how many; the proof of an issue takes 10,000.
"""

import os
from collections.abc import Callable

from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test


def walk(machine: Callable[[], RuleBasedStateMachine], *, steps: int, a_life: int) -> None:
    """Take `steps` steps, or as many as the environment says, in lives of `a_life` steps at most."""
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=max(1, int(os.environ.get("OBRADOR_PROPERTY_STEPS", steps)) // a_life),
            stateful_step_count=a_life,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
