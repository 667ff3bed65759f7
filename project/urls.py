"""The addresses that Django answers; the built client is served in front of it (`asgi.py`)."""

from django.urls import path

from project.api import api
from project.core.pictures import picture_view
from project.health import live, ready

urlpatterns = [
    path("health/live", live),
    path("health/ready", ready),
    path("api/images/<str:signed>", picture_view),
    path("", api.urls),
]

handler400 = "project.core.middleware.bad_request"
handler404 = "project.core.middleware.page_not_found"
handler500 = "project.core.middleware.server_error"
