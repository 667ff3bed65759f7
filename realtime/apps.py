"""The Django app of live delivery."""

from django.apps import AppConfig


class RealtimeConfig(AppConfig):
    name = "realtime"
    default_auto_field = "django.db.models.BigAutoField"
