"""What the page on deployment tells nginx, nginx understands: every request about a game reaches the same server."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.request import urlopen

import pytest

from events.submission import new_id
from tests.events.servers import eventually, free_port, is_in_use

PAGE = (Path(__file__).parents[2] / "docs" / "deployment.md").read_text()
SHARED, PROXY = re.findall(r"```nginx\n(.*?)```", PAGE, re.DOTALL)
ALONE = """
daemon off;
pid {folder}/pid;
error_log {folder}/errors;
events {{ }}
http {{
    access_log off;
    client_body_temp_path {folder};
    proxy_temp_path {folder};
    fastcgi_temp_path {folder};
    uwsgi_temp_path {folder};
    scgi_temp_path {folder};
    {rest}
}}
"""

needs_nginx = pytest.mark.skipif(not shutil.which("nginx"), reason="nginx is not installed")


class Upstream(BaseHTTPRequestHandler):
    """Answers with what tells it from others, and with what it was told of the client."""

    server: ThreadingHTTPServer

    def do_GET(self):
        answer = f"{self.server.server_port} {self.headers['X-Forwarded-For']} {self.headers['Host']}".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


@contextmanager
def upstream() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Upstream) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


@contextmanager
def nginx(folder: Path, rest: str, port: int) -> Iterator[str]:
    config = folder / "nginx.conf"
    config.write_text(ALONE.format(folder=folder, rest=rest))
    with subprocess.Popen(["nginx", "-p", str(folder), "-c", str(config)], stderr=subprocess.PIPE, text=True) as proxy:
        try:
            eventually(lambda: is_in_use(port) or proxy.poll() is not None)
            assert proxy.poll() is None, proxy.communicate()[1]
            yield f"http://127.0.0.1:{port}"
        finally:
            proxy.terminate()


def text_of(address: str) -> str:
    with urlopen(address, timeout=30) as answer:
        return answer.read().decode()


@needs_nginx
def test_every_request_about_a_game_reaches_the_same_server(tmp_path):
    with ExitStack() as running:
        ports = [running.enter_context(upstream()) for _ in range(2)]
        own = free_port()
        rest = SHARED
        for number, port in enumerate(ports, 1):
            rest = rest.replace(f"10.0.0.{number}:8000", f"127.0.0.1:{port}")
        rest += f"server {{ listen 127.0.0.1:{own}; location / {{ proxy_pass http://hidalgo; }} }}"
        here = running.enter_context(nginx(tmp_path, rest, own))
        reached = {}
        for game in (new_id() for _ in range(20)):
            about = (
                "api/v1/games/{}",
                "api/v1/games/{}/moves",
                "games/{}",
                "games/{}/replay",
                "api/v1/games/{}/events?x=1",
            )
            [reached[game]] = {text_of(f"{here}/{path.format(game)}") for path in about}
        assert len(set(reached.values())) == 2


@needs_nginx
def test_the_server_behind_the_proxy_is_told_who_asks(tmp_path):
    """The same file as for TLS, but for the two lines about it."""
    with upstream() as port:
        own = free_port()
        rest = PROXY.replace("listen 443 ssl;", f"listen 127.0.0.1:{own};").replace("http2 on;", "")
        rest = rest.replace("http://127.0.0.1:8000", f"http://127.0.0.1:{port}")
        with nginx(tmp_path, rest, own) as here:
            assert text_of(f"{here}/healthz") == f"{port} 127.0.0.1 127.0.0.1"
