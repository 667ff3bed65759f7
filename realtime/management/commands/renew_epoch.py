"""`manage.py renew_epoch`: start a new epoch of live events, after a database was restored."""

from typing import Any

from django.core.management.base import BaseCommand

from realtime import outbox


class Command(BaseCommand):
    help = "After a restore: make every client load everything again, because it remembers ids of another history."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(outbox.renew_epoch())
