"""Which parts a workshop has switched on or off."""

from django.db import models


class Part(models.Model):
    """A part that was switched, or turned on by its first write. A part with records is on, whatever its row says."""

    key = models.CharField(max_length=40, primary_key=True)
    on = models.BooleanField()
    since = models.DateTimeField()

    def __str__(self) -> str:
        return self.key
