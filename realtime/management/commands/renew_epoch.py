"""`manage.py renew_epoch`: start a new epoch of live events, after a database was restored."""

from typing import Any

from django.core.management.base import BaseCommand

from realtime import outbox


class Command(BaseCommand):
    help = "After a restore: have every client load afresh, since the ids it remembers are of another history."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(outbox.renew_epoch())
