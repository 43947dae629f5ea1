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
    MailServer,
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
    buckets=256,
    host="0.0.0.0",
    port=0,
    workers=3,
    threads=64,
    proxies=2,
    secure_cookies=True,
    keep_alive=0.25,
    shortest_decision=0.1,
    bot_pace=0.5,
    self_play_pace=0.25,
    shortest_reminded=60,
    access_log=False,
    webhooks_to=(ip_network("10.1.0.0/16"), ip_network("fd00::/8")),
    mail_server=MailServer("smtps", "mail.example", 4650, "ana@mail.example"),
    mail_password="a secret",
    mail_password_file=Path(__file__),
    mail_from="hidalgo@mail.example",
    mail_window=5,
    public_url="https://hidalgo.example",
    pack_after=86400,
    archive="/var/lib/hidalgo/archive",
    archive_secret="a secret",
    archive_secret_file=Path(__file__),
    archive_after=60,
    archive_keep=1000,
    shared_metrics=Path("/tmp"),
    health_host="::1",
    health_port=9101,
    notify_socket="@systemd",
    shared_commits=Path("/proc/1/fd/3"),
    locale=Path("/usr"),
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
    *(
        ("REDIS_URL", text, f"REDIS_URL is the address of a store, such as redis://host:6379/0, not {shown}")
        for text, shown in (
            ("foo://x", "foo://x"),
            ("localhost", "localhost"),
            ("foo://ana:secret@x/0?password=secret", "foo://x/0?password=…"),
            ("redis://host:99999", "redis://host:99999"),
            ("redis://host:port", "redis://host:port"),
            ("redis://[::1", "redis://[::1"),
            ("redis://host?colour=red", "redis://host?colour=…"),
            ("redis://host?socket_timeout=soon", "redis://host?socket_timeout=…"),
            ("rediss://host?ssl_ca_certs=/nowhere", "rediss://host?ssl_ca_certs=…"),
            ("rediss://host?ssl_cert_reqs=perhaps", "rediss://host?ssl_cert_reqs=…"),
            ("redis://host?protocol=9", "redis://host?protocol=…"),
            ("redis://host/games", "redis://host/games"),
            ("redis+cluster://host:7000/3", "redis+cluster://host:7000/3"),
            ("redis+cluster://host:7000/games", "redis+cluster://host:7000/games"),
        )
    ),
    ("HIDALGO_DATA", "/dev/null", "HIDALGO_DATA is a directory, not /dev/null"),
    ("HIDALGO_DATA", "/dev/null/games", "HIDALGO_DATA is a directory, not /dev/null/games"),
    ("HIDALGO_BUCKETS", "63", "HIDALGO_BUCKETS is a number from 64 to 1024, not 63"),
    ("HIDALGO_BUCKETS", "1025", "HIDALGO_BUCKETS is a number from 64 to 1024, not 1025"),
    ("HIDALGO_LOCALE", "/nowhere", "HIDALGO_LOCALE is a directory that exists, not /nowhere"),
    ("PROMETHEUS_MULTIPROC_DIR", "/nowhere", "PROMETHEUS_MULTIPROC_DIR is a directory that exists, not /nowhere"),
    ("HIDALGO_HEALTH_PORT", "65536", "HIDALGO_HEALTH_PORT is a number from 0 to 65535, not 65536"),
    ("HIDALGO_PORT", "8_000", "HIDALGO_PORT is a number from 0 to 65535, not 8_000"),
    ("HIDALGO_PORT", " 80", "HIDALGO_PORT is a number from 0 to 65535, not  80"),
    ("HIDALGO_PORT", "٨٠", "HIDALGO_PORT is a number from 0 to 65535, not ٨٠"),
    ("HIDALGO_PORT", "http", "HIDALGO_PORT is a number from 0 to 65535, not http"),
    ("HIDALGO_PORT", "65536", "HIDALGO_PORT is a number from 0 to 65535, not 65536"),
    ("HIDALGO_WORKERS", "0", "HIDALGO_WORKERS is a number from 1 to 256, not 0"),
    ("HIDALGO_THREADS", "31", "HIDALGO_THREADS is a number from 32 to 65536, not 31"),
    ("HIDALGO_PROXIES", "-1", "HIDALGO_PROXIES is a number from 0 up, not -1"),
    ("HIDALGO_FSYNC", "sometimes", "HIDALGO_FSYNC is always or everysec, not sometimes"),
    ("HIDALGO_STORE_MEMORY", "1", "HIDALGO_STORE_MEMORY is a number from 16 up, not 1"),
    ("HIDALGO_SECURE_COOKIES", "yes", "HIDALGO_SECURE_COOKIES is 1 or 0, not yes"),
    ("HIDALGO_ACCESS_LOG", "1", "HIDALGO_ACCESS_LOG is on or off, not 1"),
    ("HIDALGO_BOT_PACE", "0", "HIDALGO_BOT_PACE is a number of seconds above 0, not 0"),
    ("HIDALGO_SHORTEST_REMINDED", "no", "HIDALGO_SHORTEST_REMINDED is a number of seconds above 0, not no"),
    ("HIDALGO_MAIL_WINDOW", "-1", "HIDALGO_MAIL_WINDOW is a number of seconds above 0, not -1"),
    (
        "HIDALGO_MAIL_PASSWORD_FILE",
        "/nowhere/password",
        "HIDALGO_MAIL_PASSWORD_FILE is a file that can be read, not /nowhere/password",
    ),
    (
        "HIDALGO_MAIL_SERVER",
        "smtp://ana:secret@mail.example",
        "HIDALGO_MAIL_SERVER is smtps://, smtp+starttls:// or smtp:// and a host, without a password, "
        "not smtp://…@mail.example",
    ),
    ("HIDALGO_MAIL_FROM", "us", "HIDALGO_MAIL_FROM is a mail address, not us"),
    (
        "HIDALGO_MAIL_SERVER",
        "mail.example",
        "HIDALGO_MAIL_SERVER is smtps://, smtp+starttls:// or smtp:// and a host, without a password, not mail.example",
    ),
    (
        "HIDALGO_PUBLIC_URL",
        "hidalgo.example",
        "HIDALGO_PUBLIC_URL is an address such as https://hidalgo.example, not hidalgo.example",
    ),
    ("HIDALGO_KEEP_ALIVE", "0", "HIDALGO_KEEP_ALIVE is a number of seconds above 0, not 0"),
    ("HIDALGO_BOT_PACE", "-1", "HIDALGO_BOT_PACE is a number of seconds above 0, not -1"),
    ("HIDALGO_SELF_PLAY_PACE", "-1", "HIDALGO_SELF_PLAY_PACE is a number of seconds, or 0, not -1"),
    ("HIDALGO_SHORTEST_REMINDED", "soon", "HIDALGO_SHORTEST_REMINDED is a number of seconds above 0, not soon"),
    *(
        (
            "HIDALGO_ARCHIVE",
            text,
            "HIDALGO_ARCHIVE is a directory, or an address such as s3://key@s3.example/games without the secret, "
            f"not {shown}",
        )
        for text, shown in (
            ("ftp://s3.example/games", "ftp://s3.example/games"),
            ("s3://s3.example", "s3://s3.example"),
            ("s3://key:secret@s3.example/games", "s3://…@s3.example/games"),
        )
    ),
    (
        "HIDALGO_ARCHIVE_SECRET_FILE",
        "/nowhere/secret",
        "HIDALGO_ARCHIVE_SECRET_FILE is a file that can be read, not /nowhere/secret",
    ),
    ("HIDALGO_ARCHIVE_AFTER", "soon", "HIDALGO_ARCHIVE_AFTER is a number of seconds above 0, not soon"),
    ("HIDALGO_ARCHIVE_KEEP", "-1", "HIDALGO_ARCHIVE_KEEP is a number from 0 up, not -1"),
    ("HIDALGO_PACK_AFTER", "1e3", "HIDALGO_PACK_AFTER is a number of seconds above 0, not 1e3"),
    ("HIDALGO_SHORTEST_DECISION", "-1", "HIDALGO_SHORTEST_DECISION is a number of seconds above 0, not -1"),
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


ANY_TEXT = {"NOTIFY_SOCKET", "HIDALGO_MAIL_PASSWORD", "HIDALGO_ARCHIVE_SECRET", "HIDALGO_SHARED_COMMITS"}
"""Written by systemd; two secrets; written by `serve` for its workers, which do without what is not there."""

BAD_WHEN_USED = {
    "HIDALGO_HOST": (["serve"], "not an address", "is not an address of this machine; choose another with --host"),
    "HIDALGO_HEALTH_HOST": (
        ["scheduler", "--health-port", "0"],
        "not an address",
        "is not an address of this machine; choose another with --health-host",
    ),
    "HIDALGO_LANGUAGE": (["play"], "klingon", "there are no translations for klingon, only for"),
}
"""Commands that read these, and find out."""


def test_every_setting_has_a_bad_value_here():
    """Add one to BAD, or to BAD_WHEN_USED: a process must not start with it."""
    tried = {name for name, _, _ in BAD} | BAD_WHEN_USED.keys() | ANY_TEXT
    assert {each.name for each in VARIABLES.values()} - tried == set()


@pytest.mark.parametrize("name", BAD_WHEN_USED)
def test_a_value_that_only_its_command_can_judge_ends_it_in_a_sentence(name, tmp_path):
    command, text, sentence = BAD_WHEN_USED[name]
    env = {"HIDALGO_DATA": str(tmp_path), "REDIS_URL": None, "HIDALGO_PORT": "0", name: text}
    answer = CliRunner().invoke(main, command, env=env)
    assert answer.exit_code == 2
    assert sentence in answer.output.splitlines()[-1]


@pytest.mark.parametrize("command", [["serve", "--port", "0"], ["scheduler"], ["backup", "file"]], ids=" ".join)
@pytest.mark.parametrize(("name", "text", "sentence"), BAD, ids=[f"{name}={text}" for name, text, _ in BAD])
def test_a_command_ends_in_one_sentence_and_with_exit_code_2(command, name, text, sentence, tmp_path):
    env = {"HIDALGO_DATA": str(tmp_path), "REDIS_URL": None} | {name: text}
    answer = CliRunner().invoke(main, command, env=env)
    assert answer.exit_code == 2
    assert answer.output == f"Error: {sentence}\n"


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
    assert answer.exit_code == 2
    assert answer.output.startswith("Error: there is no limit HIDALGO_LIMIT_MOVES; the limits are ")
    assert not list(tmp_path.iterdir())


def test_an_option_is_read_as_its_variable_is():
    assert run("--port", "70000").exit_code == run(HIDALGO_PORT="70000").exit_code == 2
    assert "Invalid value for '--port': 70000 is not a number from 0 to 65535" in run("--port", "70000").output


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


# Mail


@pytest.mark.parametrize("missing", ["HIDALGO_MAIL_FROM", "HIDALGO_PUBLIC_URL"])
def test_a_mail_server_needs_an_address_to_send_from_and_a_site_to_lead_to(missing):
    given = {
        "HIDALGO_MAIL_SERVER": "smtp://127.0.0.1",
        "HIDALGO_MAIL_FROM": "us@mail.example",
        "HIDALGO_PUBLIC_URL": "https://hidalgo.example/",
    }
    assert Settings.from_env(given).public_url == "https://hidalgo.example"
    del given[missing]
    with pytest.raises(BadSetting, match=f"HIDALGO_MAIL_SERVER needs {missing}, too"):
        Settings.from_env(given)


@pytest.mark.parametrize(
    "server", ["mail.example", "http://mail.example", "smtp://", "smtp://ana:secret@mail.example", "smtp://a:port"]
)
def test_what_is_no_mail_server_is_refused(server):
    """A password in it would end up in lists of processes."""
    with pytest.raises(BadSetting, match="HIDALGO_MAIL_SERVER is"):
        Settings.from_env({"HIDALGO_MAIL_SERVER": server})


def test_the_password_of_the_mail_server_may_be_in_a_file(tmp_path):
    file = tmp_path / "password"
    file.write_text("tizona\n")
    assert Settings(mail_password_file=file).password_of_mail() == "tizona"
    with pytest.raises(BadSetting, match="HIDALGO_MAIL_PASSWORD_FILE cannot be read"):
        Settings(mail_password_file=tmp_path / "none").password_of_mail()
