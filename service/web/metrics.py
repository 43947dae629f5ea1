"""Figures for Prometheus. They name no account, but are not meant for the public."""

from flask import Blueprint, Response
from prometheus_client import CONTENT_TYPE_LATEST

from service.http.context import application, settings
from service.operations.metrics import store_figures, written

blueprint = Blueprint("metrics", __name__)


@blueprint.get("/metrics")
def metrics() -> Response:
    wired = application().wired
    figures = written(settings().shared_metrics) + (store_figures(wired.store) if wired else b"")
    return Response(figures, content_type=CONTENT_TYPE_LATEST)
