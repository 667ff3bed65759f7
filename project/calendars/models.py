"""The secret addresses of people's calendars."""

from django.conf import settings
from django.db import models


class CalendarFeed(models.Model):
    """The secret address of a person's calendar. Only the digest of its secret is stored.

    `used_at`: when a calendar last read it, to the hour.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="calendar_feed")
    secret_digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"calendar of {self.user_id}"
