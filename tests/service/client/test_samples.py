"""The requests that the page about the interface shows, as they are copied: in a shell, in Python, in JavaScript."""

import ast
import json
import shutil
import subprocess
import sys

import pytest

from service.client import Hidalgo
from service.web.es_client import joined
from service.web.reference import Reference, first_example, scopes
from service.web.samples import samples
from tests.repository.checkout import ROOT

LANGUAGES = {"sh": "curl", "python": "", "js": "node"}
WALK = [
    ("POST", "/api/v1/games"),
    ("POST", "/api/v1/games/{game}/chat"),
    ("PUT", "/api/v1/me/bot"),
    ("GET", "/api/v1/games/{game}/board.svg"),
]


def sample(document, language: str, method: str, path: str) -> str:
    about = document["paths"][path][method.lower()]
    body = first_example(Reference(document).resolved(about.get("requestBody", {})))
    needs_token = bool(scopes(about.get("security", document["security"])))
    return dict(samples(method, path, body, needs_token=needs_token))[language]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_copied_runs(service, tmp_path, language):
    if LANGUAGES[language] and not shutil.which(LANGUAGES[language]):
        pytest.skip(f"{LANGUAGES[language]} is not installed")
    (tmp_path / "hidalgo.mjs").write_bytes(joined())
    document = json.loads(service.get("/api/v1/openapi.json"))
    with Hidalgo(service.url).guest() as host:
        game = host.create_game(players=2).id
        for method, path in WALK:
            text = sample(document, language, method, path)
            done = run(language, text, tmp_path, service.url, str(host.token), game)
            assert (done.returncode, done.stderr) == (0, ""), text
            assert '"code"' not in done.stdout, "a problem was answered"
        assert host.me().bot
        assert host.chat.look(game)["messages"]


def run(language: str, text: str, folder, service: str, token: str, game: str):
    given = {"service": service, "token": token, "game": game}
    match language:
        case "sh":
            values = "".join(f"{name.upper()}='{value}'; " for name, value in given.items())
            command = ["sh", "-c", values + text]
        case "python":
            values = "".join(f"{name} = {value!r}\n" for name, value in given.items())
            command = [sys.executable, "-W", "error", "-c", values + text.replace("hidalgo_client", "service.client")]
        case _:
            values = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in given.items())
            (folder / "sample.mjs").write_text(values + text)
            command = ["node", str(folder / "sample.mjs")]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def test_every_operation_has_a_sample_in_each_language():
    document = json.loads((ROOT / "docs/openapi.json").read_text())
    for path, item in document["paths"].items():
        for method in item.keys() - {"parameters"}:
            for language in LANGUAGES:
                text = sample(document, language, method.upper(), path)
                assert text
                if language == "python":
                    ast.parse(text)
