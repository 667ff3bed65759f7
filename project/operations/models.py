"""Tables of the operator's tools."""

from django.db import models


class KnownKey(models.Model):
    """The fingerprint of a secret, and when the doctor first saw the secret in use."""

    fingerprint = models.CharField(max_length=16, primary_key=True)
    since = models.DateTimeField()

    def __str__(self) -> str:
        return self.fingerprint
