from tests.service.notifications.conftest import bot, harness

__all__ = ["bot", "harness"]
