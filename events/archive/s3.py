"""Volumes as objects in a bucket of an S3-compatible service, by the client that the extra `s3` installs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any
from urllib.parse import unquote, urlsplit

from events.errors import ArchiveDamaged, ArchiveFull, ArchiveUnavailable
from rules.texts import say

SECONDS = 10.0
TRIES = 2
FULL = ("QuotaExceeded", "XMinioStorageFull", "InsufficientStorage")
MISSING = ("NoSuchKey",)


class Bucket:
    """See `events.archive.Place`.

    The address is `s3://<key>@<host>[:<port>]/<bucket>[/<prefix>]`, or `s3+http://…` without encryption.
    """

    def __init__(self, address: str, secret: str) -> None:
        try:
            import minio
            import urllib3
        except ImportError:
            raise ArchiveUnavailable(say("the client of S3 is missing"), "pip install 'hidalgo[s3]'") from None
        self._named = address, secret
        parts = urlsplit(address)
        host = parts.netloc.rpartition("@")[2]
        self._bucket, _, prefix = parts.path.strip("/").partition("/")
        self._prefix = f"{prefix}/" if prefix else ""
        self.name = f"{parts.scheme}://{host}/{self._bucket}/{self._prefix}"
        self._errors: tuple[type[Exception], ...] = (
            minio.error.MinioException,
            urllib3.exceptions.HTTPError,
            OSError,
        )
        self._client: Any = minio.Minio(
            host,
            access_key=unquote(parts.username or ""),
            secret_key=secret,
            secure=parts.scheme == "s3",
            http_client=urllib3.PoolManager(timeout=SECONDS, retries=urllib3.Retry(TRIES, backoff_factor=0.2)),
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process connects for itself."""
        return Bucket, self._named

    def write(self, volume: str, content: bytes) -> None:
        with self._trouble(volume):
            self._client.put_object(self._bucket, self._object(volume), BytesIO(content), len(content))

    def read(self, volume: str, offset: int = 0, length: int | None = None) -> bytes:
        with self._trouble(volume):
            answer = self._client.get_object(self._bucket, self._object(volume), offset, length or 0)
            try:
                return bytes(answer.read())
            finally:
                answer.close()
                answer.release_conn()

    def volumes(self) -> Iterator[tuple[str, int]]:
        with self._trouble(""):
            for found in self._client.list_objects(self._bucket, self._prefix, recursive=True):
                name = found.object_name.removeprefix(self._prefix)
                if name.endswith(".games"):
                    yield name.removesuffix(".games"), found.size

    def remove(self, volume: str) -> None:
        with self._trouble(volume):
            self._client.remove_object(self._bucket, self._object(volume))

    def _object(self, volume: str) -> str:
        return f"{self._prefix}{volume}.games"

    @contextmanager
    def _trouble(self, volume: str) -> Iterator[None]:
        try:
            yield
        except self._errors as error:
            code = getattr(error, "code", "")
            about = f"{self.name}: {code or error}"
            if code in MISSING:
                raise ArchiveDamaged(say("volume {volume} of the archive is missing", volume=volume), about) from None
            if code in FULL:
                raise ArchiveFull(say("there is no room left in the archive"), about) from None
            raise ArchiveUnavailable(say("the archive cannot be reached"), about) from None
