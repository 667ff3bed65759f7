"""People who were erased a few minutes ago."""

from django.db import models


class Erasure(models.Model):
    """An erasure that is done a second time. `names`: the person's names, sealed (`services`), until then."""

    user_id = models.BigIntegerField(primary_key=True)
    names = models.TextField()
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"user {self.user_id}"
