"""What is installed, and who owns it."""

import re
import tomllib
from importlib.metadata import distributions, packages_distributions
from importlib.util import find_spec

import pytest
from packaging.requirements import Requirement

from tests.repository.checkout import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PINS = (ROOT / "constraints.txt").read_text().splitlines()
# Part of every virtual environment, or ourselves.
NOT_OURS_TO_PIN = {"pip", "setuptools", "hidalgo"}


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned() -> dict[str, str]:
    pairs = (line.split("==") for line in PINS)
    return {canonical(name): version for name, version in pairs}


@pytest.mark.parametrize("package", PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"])
def test_our_generic_package_names_are_ours_alone(package):
    """Another distribution of that name would silently be merged with ours."""
    # An editable installation owns a pointer to the checkout, not the packages in it.
    assert set(packages_distributions().get(package, [])) <= {"hidalgo"}
    spec = find_spec(package)
    assert spec
    assert spec.submodule_search_locations == [str(ROOT / package)]


def test_pins_are_names_and_versions_and_nothing_else():
    assert [line for line in PINS if not re.fullmatch(r"[\w.-]+==[\w.]+", line)] == []
    assert sorted(PINS, key=str.lower) == PINS


def test_every_installed_distribution_is_pinned_to_its_version():
    installed = {(canonical(d.name), d.version) for d in distributions()}
    loose = installed - pinned().items()
    assert {name for name, _ in loose} <= NOT_OURS_TO_PIN


def test_the_build_system_is_pinned_too():
    assert {canonical(Requirement(r).name) for r in PROJECT["build-system"]["requires"]} <= pinned().keys()


@pytest.mark.parametrize("system", [("linux", "Linux"), ("darwin", "Darwin")], ids=["Linux", "macOS"])
@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13", "3.14"])
def test_packages_that_only_some_machines_need_are_pinned_too(python, system):
    machine = {"python_version": python, "python_full_version": f"{python}.0", "extra": ""}
    machine |= {"sys_platform": system[0], "platform_system": system[1]}
    requirements = [Requirement(r) for d in distributions() for r in d.requires or ()]
    needed = [r for r in requirements if not r.marker or r.marker.evaluate(machine)]
    assert {canonical(r.name) for r in needed} <= pinned().keys()


def test_every_direct_dependency_has_its_reason_in_the_docs():
    reasons = (ROOT / "docs/dependencies.md").read_text()
    explained = {canonical(name) for name in re.findall(r"^\| \*\*([\w.-]+)\*\*", reasons, re.MULTILINE)}
    extras = PROJECT["project"]["optional-dependencies"].values()
    direct = [*PROJECT["project"]["dependencies"], *(r for extra in extras for r in extra)]
    assert explained == {canonical(Requirement(r).name) for r in [*direct, *PROJECT["build-system"]["requires"]]}
