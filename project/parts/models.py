"""Which parts a workshop has switched on or off."""

from django.db import models


class Part(models.Model):
    """A part that was switched, or turned on by its first write. A part without a row is on if it has records."""

    key = models.CharField(max_length=40, primary_key=True)
    on = models.BooleanField()
    since = models.DateTimeField()

    def __str__(self) -> str:
        return self.key
