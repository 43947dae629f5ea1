"""How hard the property tests search: a little and always the same in CI, much and at random with `--long`."""

from hypothesis import HealthCheck, settings


def pytest_configure(config):
    calm = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
    settings.register_profile("ci", calm, max_examples=60, derandomize=True, database=None)
    settings.register_profile("long", calm, max_examples=1000, print_blob=True)
    settings.load_profile("long" if config.getoption("--long") else "ci")
