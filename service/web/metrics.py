"""Figures for Prometheus. They name no account, but are not meant for the public."""

from flask import Blueprint, Response
from prometheus_client import CONTENT_TYPE_LATEST

from service.http.context import settings
from service.operations.metrics import written

blueprint = Blueprint("metrics", __name__)


@blueprint.get("/metrics")
def metrics() -> Response:
    return Response(written(settings().shared_metrics), content_type=CONTENT_TYPE_LATEST)
