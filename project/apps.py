"""The project as a Django app: in every process it gives the live engine what that needs of the product."""

from django.apps import AppConfig


class ProjectConfig(AppConfig):
    name = "project"

    def ready(self) -> None:
        from project.core.written_last import write_after_all
        from realtime import outbox

        outbox.collect_by(write_after_all)
