from django.db import migrations, models

from project.core.operations import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False
    dependencies = [
        ("integrations", "0002_delivery_failure"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="webhookdelivery",
            index=models.Index(
                fields=["webhook", "delivered_at"], condition=models.Q(delivered_at__isnull=False), name="webhook_delivered"
            ),
        ),
    ]
