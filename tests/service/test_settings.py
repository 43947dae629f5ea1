"""Settings: read in one place, checked there, and written for other processes so that they read the same."""

import re
from dataclasses import fields
from ipaddress import ip_network
from pathlib import Path

import pytest
from click.testing import CliRunner

from service.cli import main
from service.settings import (
    LIMITS,
    VARIABLES,
    BadSetting,
    Limit,
    Settings,
    described,
    environment,
    export,
    unknown_settings,
)
from tests.repository.checkout import ROOT

OTHERS = Settings(
    store_url="redis://elsewhere:6379/0",
    data=Path("/var/lib/hidalgo"),
    fsync="everysec",
    store_memory=512,
    host="0.0.0.0",
    port=0,
    workers=3,
    threads=64,
    proxies=2,
    secure_cookies=True,
    keep_alive=0.25,
    shortest_decision=0.1,
    access_log=False,
    webhooks_to=(ip_network("10.1.0.0/16"), ip_network("fd00::/8")),
    pack_after=86400,
    shared_metrics=Path("/run/hidalgo"),
    locale=Path("/usr/share/locale"),
    language="fr",
    limits=dict.fromkeys(LIMITS) | {"tables_of_an_account": Limit(5, 60.5)},
)


@pytest.mark.parametrize("settings", [Settings(), OTHERS], ids=["defaults", "others"])
def test_settings_that_one_process_writes_another_reads(settings):
    assert Settings.from_env(settings.to_env()) == settings


def test_no_default_is_among_the_others():
    """Or else the test above could not see a setting that is not written."""
    same = [each.name for each in fields(Settings) if getattr(OTHERS, each.name) == getattr(Settings(), each.name)]
    assert same == []


def test_an_unset_variable_is_the_default():
    assert Settings.from_env({}) == Settings.from_env({"HIDALGO_PORT": "", "HIDALGO_LIMIT_TABLES_OF_AN_ACCOUNT": ""})


BAD = [
    ("HIDALGO_PORT", "http", "HIDALGO_PORT is a number from 0 to 65535, not http"),
    ("HIDALGO_PORT", "65536", "HIDALGO_PORT is a number from 0 to 65535, not 65536"),
    ("HIDALGO_WORKERS", "0", "HIDALGO_WORKERS is a number from 1 up, not 0"),
    ("HIDALGO_THREADS", "31", "HIDALGO_THREADS is a number from 32 up, not 31"),
    ("HIDALGO_PROXIES", "-1", "HIDALGO_PROXIES is a number from 0 up, not -1"),
    ("HIDALGO_FSYNC", "sometimes", "HIDALGO_FSYNC is always or everysec, not sometimes"),
    ("HIDALGO_STORE_MEMORY", "1", "HIDALGO_STORE_MEMORY is a number from 16 up, not 1"),
    ("HIDALGO_SECURE_COOKIES", "yes", "HIDALGO_SECURE_COOKIES is 1 or 0, not yes"),
    ("HIDALGO_ACCESS_LOG", "1", "HIDALGO_ACCESS_LOG is on or off, not 1"),
    ("HIDALGO_KEEP_ALIVE", "0", "HIDALGO_KEEP_ALIVE is a number of seconds above 0, not 0"),
    ("HIDALGO_HEARTBEAT", "nan", "HIDALGO_HEARTBEAT is a number of seconds above 0, not nan"),
    (
        "HIDALGO_WEBHOOKS_TO",
        "10.0.0.0/8, everywhere",
        "HIDALGO_WEBHOOKS_TO is a list of networks, such as 10.1.0.0/16,fd00::/8, not 10.0.0.0/8, everywhere",
    ),
    *(
        (
            "HIDALGO_LIMIT_SIGN_INS_OF_A_HANDLE",
            text,
            f"HIDALGO_LIMIT_SIGN_INS_OF_A_HANDLE is 5/60 (five in sixty seconds) or off, not {text}",
        )
        for text in (
            *("0/60", "5/0", "-1/60", "5", "/", "nan/5", "5/nan", "5/inf", "often"),
            *("1_0/60", "5/6_0", " 5/60", "5/60 ", "+5/60", "5/1e3", "٥/60", "5.5/60", "5/60/2", "OFF"),
            *("1000001/60", "5/0.0001", "5/99999999", "5/" + "9" * 400),
        )
    ),
]


@pytest.mark.parametrize(("name", "text", "sentence"), BAD, ids=[f"{name}={text}" for name, text, _ in BAD])
def test_a_value_that_makes_no_sense_is_reported_in_a_sentence(name, text, sentence):
    with pytest.raises(BadSetting) as refusal:
        Settings.from_env({name: text})
    assert str(refusal.value) == sentence


def test_a_limit_that_does_not_exist_is_reported_with_those_that_do():
    with pytest.raises(BadSetting) as refusal:
        Settings.from_env({"HIDALGO_LIMIT_MOVES": "1/60"})
    assert str(refusal.value).startswith(
        "there is no limit HIDALGO_LIMIT_MOVES; the limits are HIDALGO_LIMIT_SIGN_INS_OF"
    )


def test_a_setting_that_does_not_exist_is_reported_with_the_most_similar_one(tmp_path):
    known = [
        "HIDALGO_PORT",
        "HIDALGO_TEST_REDIS_URL",
        "HIDALGO_HEARTBEAT",
        "HIDALGO_LIMIT_TABLES_OF_AN_ACCOUNT",
        "PATH",
    ]
    assert unknown_settings(dict.fromkeys(known, "1")) == []
    env = {"HIDALGO_DATA": str(tmp_path), "REDIS_URL": None, "HIDALGO_TREADS": "64"}
    answer = CliRunner().invoke(main, ["account", "clean-guests"], env=env)
    sentence = "there is no setting HIDALGO_TREADS, and it counts for nothing; the most similar one is HIDALGO_THREADS"
    assert f"warning: {sentence}\n" in answer.output


@pytest.mark.parametrize("command", [["serve", "--port", "0"], ["scheduler"], ["admin", "el_cid"]], ids=" ".join)
def test_no_command_starts_with_a_setting_that_makes_no_sense(command, tmp_path):
    env = {"HIDALGO_DATA": str(tmp_path), "REDIS_URL": None, "HIDALGO_LIMIT_MOVES": "1/60"}
    answer = CliRunner().invoke(main, command, env=env)
    assert answer.exit_code == 1
    assert answer.output.startswith("Error: there is no limit HIDALGO_LIMIT_MOVES; the limits are ")
    assert not list(tmp_path.iterdir())


def test_an_option_is_read_as_its_variable_is():
    for answer in (run("--port", "70000"), run(HIDALGO_PORT="70000")):
        assert answer.exit_code == 2
        assert "70000 is not a number from 0 to 65535" in answer.output


def run(*options, **env):
    return CliRunner().invoke(main, ["serve", *options], env=env)


def test_the_former_name_of_a_setting_is_read_where_the_new_one_is_not_set():
    assert Settings.from_env({"HIDALGO_HEARTBEAT": "2.5"}).keep_alive == 2.5
    assert Settings.from_env({"HIDALGO_HEARTBEAT": "2.5", "HIDALGO_KEEP_ALIVE": "3"}).keep_alive == 3


def test_another_process_has_the_settings_given_and_no_others(monkeypatch):
    monkeypatch.setenv("HIDALGO_HEARTBEAT", "1")
    monkeypatch.setenv("HIDALGO_LIMIT_SIGN_INS_OF_A_HANDLE", "off")
    monkeypatch.setenv("REDIS_URL", "redis://elsewhere")
    monkeypatch.setenv("HIDALGO_TEST_EXAMPLE", "stays")
    assert Settings.from_env(environment(Settings())) == Settings()
    assert environment(Settings())["HIDALGO_TEST_EXAMPLE"] == "stays"


def test_workers_that_are_started_from_now_on_have_the_settings_that_are_exported(monkeypatch):
    for name in OTHERS.to_env():
        monkeypatch.setenv(name, "")
    export(OTHERS)
    assert Settings.from_env() == OTHERS


# No other place


def test_no_other_module_looks_into_the_environment():
    code = [
        file for part in ("service", "events", "rules", "replay", "tournaments") for file in (ROOT / part).rglob("*.py")
    ]
    reading = re.compile(r"os\.environ|getenv|from os import")
    assert [str(file.relative_to(ROOT)) for file in code if reading.search(file.read_text())] == ["service/settings.py"]


def test_the_page_about_settings_is_what_the_command_prints():
    assert (ROOT / "docs/settings.md").read_text() == CliRunner().invoke(main, ["settings"]).output


def test_every_variable_that_a_page_names_is_a_setting():
    pages = "\n".join(
        page.read_text() for page in [*(ROOT / "docs").glob("*.md"), ROOT / "compose.yaml", ROOT / "Dockerfile"]
    )
    named = set(re.findall(r"\bHIDALGO_[A-Z_]*[A-Z]\b", pages))
    documented = {name for each in described() for name in (each.name, each.former)}
    assert named - documented - {"HIDALGO_LIMIT"} == set()
    assert len({each.name for each in VARIABLES.values()}) == len(VARIABLES)
