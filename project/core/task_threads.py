"""The backend of Django's tasks: threads of the process that enqueues them, so the product works as one process."""

import secrets
import threading
from typing import Any

from django.db import connections
from django.tasks import Task, TaskResult, TaskResultStatus
from django.tasks.backends.base import BaseTaskBackend
from django.utils import timezone

NAME = "task"
"""The name of the threads."""
AT_ONCE = threading.BoundedSemaphore(2)
"""Limits the tasks of one process. More tasks would compete for its processor and multiply its memory."""


class Threads(BaseTaskBackend):
    """Runs each task in a thread of its own, once. A task dies with its process, and its result is not kept.

    The code that enqueues a task must store the task's state, and must notice if the task died.
    """

    def enqueue[**P, R](self, task: "Task[P, R]", args: Any, kwargs: Any) -> "TaskResult[P, R]":
        """Start a thread for the task and return. The thread waits while two other tasks run (`AT_ONCE`)."""
        self.validate_task(task)
        result = TaskResult(
            task=task,
            id=secrets.token_hex(16),
            status=TaskResultStatus.READY,
            enqueued_at=timezone.now(),
            started_at=None,
            finished_at=None,
            last_attempted_at=None,
            args=args,
            kwargs=kwargs,
            backend=self.alias,
            errors=[],
            worker_ids=[],
        )
        threading.Thread(target=_run, args=[result], name=NAME, daemon=True).start()
        return result


def _run(result: "TaskResult[..., Any]") -> None:
    try:
        with AT_ONCE:
            result.task.call(*result.args, **result.kwargs)
    finally:
        connections.close_all()
