"""The addresses that Django answers; the built client is served in front of it (`asgi.py`)."""

from django.urls import path
from django.views.generic import RedirectView

from project.access.pictures import picture_view
from project.api import api
from project.docs import docs_page, openapi_document
from project.health import live, ready
from project.metrics import metrics

urlpatterns = [
    path("health/live", live),
    path("health/ready", ready),
    path("metrics", metrics),
    path("api/images/<str:place>", picture_view),
    # The path that a work sheet's code stands for, typed as an address: the client's own addresses stand behind a #.
    path(
        "operations/sales-order/<int:order_id>/position/<int:position>",
        RedirectView.as_view(url="/#/operations/sales-order/%(order_id)s/position/%(position)s"),
    ),
    path("api/openapi.json", openapi_document),
    path("api/docs", docs_page),
    path("", api.urls),
]

handler400 = "project.core.middleware.bad_request"
handler404 = "project.core.middleware.page_not_found"
handler500 = "project.core.middleware.server_error"
