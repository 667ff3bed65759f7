"""What the operator's tools remember of the installation."""

from django.db import models


class KnownKey(models.Model):
    """A secret that the doctor has seen in use, by its fingerprint, and when it saw it first."""

    fingerprint = models.CharField(max_length=16, primary_key=True)
    since = models.DateTimeField()

    def __str__(self) -> str:
        return self.fingerprint
