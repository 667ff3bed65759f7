"""Relations between users and catalogs: the customer of an account, and the workers of a process."""

from typing import ClassVar

from django.db import models

from project.catalogs.models import Customer, ProductionProcess
from project.identity.models import User


class CustomerAccount(models.Model):
    """The customer that an account belongs to.

    The foreign key points at `User.id_if_customer`, which is null for staff, so the database refuses a customer for
    staff.
    """

    user = models.OneToOneField(
        User,
        on_delete=models.CASCADE,
        primary_key=True,
        to_field="id_if_customer",
        related_name="customer_account",
    )
    customer = models.ForeignKey(Customer, on_delete=models.PROTECT, related_name="accounts")

    def __str__(self) -> str:
        return f"{self.user_id}: {self.customer_id}"


class ProcessWorker(models.Model):
    """A user who works in a production process and may move pieces through it."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="workplaces")
    process = models.ForeignKey(ProductionProcess, on_delete=models.CASCADE, related_name="workers")

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["user", "process"], name="process_worker_once"),
        ]

    def __str__(self) -> str:
        return f"{self.process_id}: {self.user_id}"
