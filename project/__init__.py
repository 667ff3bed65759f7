"""Obrador: the Django project and its domains."""
