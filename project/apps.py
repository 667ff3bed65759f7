"""The project as a Django app: in every process it connects access tokens and the live engine to the domains."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class ProjectConfig(AppConfig):
    name = "project"

    def ready(self) -> None:
        from project.access import token
        from project.catalogs.selectors import issuer
        from project.core import clock, mailing
        from project.core.written_last import write_after_all
        from project.customer_links import selectors as links
        from project.customer_links.mails import content_of
        from project.customer_links.services import links_of_order_end
        from project.displays import selectors as displays
        from project.displays.services import note_connected
        from project.integrations import selectors as services
        from project.notices import links as mails_of_links
        from project.notices.causes import register
        from project.notices.rules import Kind
        from project.orders import services as orders
        from project.staffing.selectors import rights
        from project.talk.services import photos_of_order_end
        from realtime.application import Application, configure

        token.configure(rights, displays, services, links)
        register(Kind.CustomerAnswer, links.Answers())
        mails_of_links.configure(content_of)
        orders.configure(links_of_order_end, photos_of_order_end)
        mailing.give_company(lambda: issuer().name)
        configure(
            Application(
                now=lambda: clock.now(),
                current_principal=token.current,
                collect=write_after_all,
                note_connected=note_connected,
            )
        )
        # Load the event types and catalogs of all domains before anything reads the registries.
        autodiscover_modules("events", "definitions")
