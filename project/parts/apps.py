"""The app of the parts. At the start it says which writes turn a part on."""

from functools import partial

from django.apps import AppConfig


class PartsConfig(AppConfig):
    name = "project.parts"

    def ready(self) -> None:
        from project.audit.services import AFTER_WRITES
        from project.parts.contents import PARTS
        from project.parts.services import turn_on

        for key, contents in PARTS.items():
            AFTER_WRITES.update(dict.fromkeys(contents.entities, partial(turn_on, key)))
