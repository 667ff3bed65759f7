"""The URLs that Django answers. `asgi.py` serves the built client in front of them."""

from django.urls import path
from django.views.generic import RedirectView

from project.access.pictures import picture_view
from project.api import api
from project.contract.docs import docs_page, openapi_document
from project.doors.company import company_back
from project.operations.health import live, ready
from project.operations.metrics import metrics
from project.operations.security_txt import security_txt

urlpatterns = [
    path("health/live", live),
    path("health/ready", ready),
    path("metrics", metrics),
    path(".well-known/security.txt", security_txt),
    path("api/images/<str:place>", picture_view),
    # The code on a work sheet holds this path. If somebody types it as an address, redirect to the client's route,
    # which lives behind a #.
    path(
        "operations/sales-order/<int:order_id>/position/<int:position>",
        RedirectView.as_view(url="/#/operations/sales-order/%(order_id)s/position/%(position)s"),
    ),
    # The company's provider sends the browser back here: to the client's route, with what the provider added.
    path("identity/authentication/company/back", company_back),
    path("api/openapi.json", openapi_document),
    path("api/docs", docs_page),
    path("", api.urls),
]

handler400 = "project.core.middleware.bad_request"
handler404 = "project.core.middleware.page_not_found"
handler500 = "project.core.middleware.server_error"
