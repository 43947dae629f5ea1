"""The application that answers this request, with its settings and services."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from flask import current_app

if TYPE_CHECKING:
    from service.http.application import Application
    from service.services import Services
    from service.settings import Settings


def application() -> Application:
    return cast("Application", current_app)


def settings() -> Settings:
    return application().settings


def services() -> Services:
    return application().services
