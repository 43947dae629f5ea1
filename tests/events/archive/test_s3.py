"""An archive in a bucket, beside a server that speaks as S3 does. Installed for the run: it brings half of a cloud."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import minio
import pytest
from urllib3.exceptions import HTTPError

from events.archive import ArchivedGame, Place, Volume, check, read_at
from events.archive.places import place
from events.errors import ArchiveDamaged, ArchiveUnavailable
from tests.events.servers import eventually, free_port

SERVER = "moto[server]>=5.2.5,<6"


@pytest.fixture(scope="module")
def address(tmp_path_factory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("s3")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True, capture_output=True)
    subprocess.run([folder / "bin" / "pip", "install", "-q", SERVER], check=True, capture_output=True)
    port = free_port()
    words = [str(folder / "bin" / "moto_server"), "-H", "127.0.0.1", "-p", str(port)]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        client = minio.Minio(f"127.0.0.1:{port}", access_key="key", secret_key="secret", secure=False)
        eventually(lambda: made(client), seconds=30)
        yield f"s3+http://key@127.0.0.1:{port}/games/below"
        server.kill()


def made(client: minio.Minio) -> bool:
    """Whether the bucket could be made: not before the server listens."""
    try:
        client.make_bucket("games")
    except HTTPError:
        return False
    return True


@pytest.fixture
def bucket(address: str) -> Place:
    return place(address, "secret")


@pytest.mark.long
def test_volumes_are_kept_and_read_in_parts(bucket: Place):
    games = [ArchivedGame(f"game {number}", 3, 17, b"s" * 32, os.urandom(20_000)) for number in range(20)]
    volume = Volume.of(games)
    bucket.write(volume.name, volume.bytes)
    bucket.write(volume.name, volume.bytes)
    assert [read_at(bucket, at) for at in volume.locations] == games
    check(bucket, volume.name)
    assert list(bucket.volumes()) == [(volume.name, len(volume.bytes))]
    bucket.remove(volume.name)
    bucket.remove(volume.name)
    assert list(bucket.volumes()) == []


@pytest.mark.long
def test_a_bucket_that_is_missing_or_away_says_so_and_no_secret(bucket: Place, address: str):
    with pytest.raises(ArchiveDamaged, match="missing"):
        bucket.read("0" * 24, 0, 10)
    with pytest.raises(ArchiveUnavailable, match="cannot be reached") as refused:
        place(address.replace("/games/", "/others/"), "secret").write("0" * 24, b"content")
    assert "secret" not in str(refused.value)
    with pytest.raises(ArchiveUnavailable, match="cannot be reached"):
        place(f"s3+http://key@127.0.0.1:{free_port()}/games", "secret").read("0" * 24)
