"""The project as a Django app: in every process it gives tokens and the live engine what they need of the product."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class ProjectConfig(AppConfig):
    name = "project"

    def ready(self) -> None:
        from project.access import token
        from project.core import clock
        from project.core.written_last import write_after_all
        from project.displays import selectors as displays
        from project.displays.services import note_connected
        from project.integrations import selectors as services
        from project.staffing.selectors import standing
        from realtime.application import Application, configure

        token.configure(standing, displays, services)
        configure(
            Application(
                now=lambda: clock.now(),
                current_principal=token.current,
                collect=write_after_all,
                note_connected=note_connected,
            )
        )
        # Every domain's event types and catalogs are known before the first of them is read.
        autodiscover_modules("events", "definitions")
