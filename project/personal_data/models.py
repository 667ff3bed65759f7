"""Erasures that are repeated a few minutes later."""

from django.db import models


class Erasure(models.Model):
    """An erasure that will be repeated. `names`: the person's names, which `services` sealed for the repetition."""

    user_id = models.BigIntegerField(primary_key=True)
    names = models.TextField()
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"user {self.user_id}"
