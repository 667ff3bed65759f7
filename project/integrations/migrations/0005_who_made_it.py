"""Adds the users who made a token and who set a webhook's address."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("integrations", "0004_webhook_given_up")]

    operations = [
        migrations.AddField("serviceaccount", "token_by", models.BigIntegerField(blank=True, null=True)),
        migrations.AddField("webhook", "url_by", models.BigIntegerField(blank=True, null=True)),
    ]
