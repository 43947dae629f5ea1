"""The directory of the embedded server: its owner, its room, its socket, and the lock for starting."""

import errno
import fcntl
import hashlib
import os
import socket
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from platformdirs import user_data_path

from events.errors import StoreDiskFull, StoreNotStarted

# The address of a socket file has room for this many bytes.
LONGEST_SOCKET = 103 if sys.platform == "darwin" else 107

MARK = "server.lock"
OURS = {MARK, "appendonlydir", "lock", "new.sock", "redis.log", "redis.pid", "redis.sock", "socket"}
NEUTRAL = {"lost+found", ".DS_Store"}

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def data_directory(named: Path | None) -> Path:
    """The directory given, or this user's own."""
    return (named or user_data_path("hidalgo", appauthor=False)).expanduser().absolute()


def prepare(data: Path) -> None:
    """A directory that is ours, and that no other user can read."""
    with disk_errors(data):
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        names = {entry.name for entry in data.iterdir()}
        strangers = names - OURS - NEUTRAL
        if strangers and MARK not in names:
            raise StoreNotStarted(
                f"{data} holds other things ({min(strangers)}) and no games; choose an empty directory with --data"
            )
        # Not ours to change if it was given to us as a mounted volume.
        with suppress(PermissionError):
            data.chmod(0o700)


def check_room(data: Path) -> None:
    """A server that cannot write ends at its first write; better to know before."""
    with disk_errors(data), (data / "redis.log").open("ab") as log:
        size = log.tell()
        try:
            log.write(b"\n" * 65536)
            log.flush()
            os.fsync(log.fileno())
        finally:
            os.ftruncate(log.fileno(), size)


def has_room(data: Path, least: int) -> bool:
    """Whether so many bytes are free, as the file system counts, and some can be written."""
    with suppress(OSError, StoreDiskFull):
        space = os.statvfs(data)
        if space.f_bavail * space.f_frsize >= least:
            check_room(data)
            return True
    return False


@contextmanager
def disk_errors(data: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        kind = StoreDiskFull if error.errno in NO_ROOM else StoreNotStarted
        raise kind(why_not(error, data)) from error


def why_not(error: OSError, data: Path) -> str:
    match error.errno:
        case number if number in NO_ROOM:
            return f"there is no room left for games in {data}; make room, or choose another directory with --data"
        case errno.EACCES | errno.EPERM | errno.EROFS:
            return f"games cannot be written to {data}: {error.strerror}; choose another directory with --data"
        case errno.ENOTDIR | errno.EEXIST:
            return f"{data} is not a directory; choose another with --data"
    return f"{data} cannot be used for games: {error.strerror}; choose another directory with --data"


# Where the socket is


def socket_of(data: Path) -> Path:
    """In the data directory, or, where its name would be too long, at the path that is noted there."""
    inside = data / "redis.sock"
    if fits(inside):
        return inside
    with suppress(FileNotFoundError):
        return Path(os.fsdecode((data / "socket").read_bytes()))
    return short_socket(data)


def settle_socket(data: Path) -> Path:
    """The path for a new server's socket, vacant and noted for later processes."""
    path = data / "redis.sock"
    with disk_errors(data):
        if not fits(path):
            path = short_socket(data)
            make_private(path.parent)
            (data / "socket").write_bytes(os.fsencode(path))
        check_is_vacant(path)
        path.unlink(missing_ok=True)
    return path


def check_is_vacant(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as caller, suppress(FileNotFoundError, ConnectionRefusedError):
        caller.settimeout(1)
        with suppress(TimeoutError):
            caller.connect(os.fspath(path))
        raise StoreNotStarted(f"{path} is in use by another program; stop it, or choose another --data")


def short_socket(data: Path) -> Path:
    digest = hashlib.sha256(os.fsencode(data)).hexdigest()[:16]
    name = Path(f"hidalgo-{os.getuid()}-{digest}") / "redis.sock"
    parents = [Path(f"/run/user/{os.getuid()}"), Path(tempfile.gettempdir()), Path("/tmp")]
    fitting = [path / name for path in parents if fits(path / name) and os.access(path, os.W_OK)]
    return fitting[0] if fitting else parents[-1] / name


def fits(path: Path) -> bool:
    return len(os.fsencode(path)) <= LONGEST_SOCKET


def make_private(directory: Path) -> None:
    """Others may write to its parent, so it could be a trap laid by them."""
    with suppress(FileExistsError):
        directory.mkdir(mode=0o700)
    found = directory.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise StoreNotStarted(f"{directory} belongs to another user; remove it, or choose a shorter --data")


# The lock for starting


@contextmanager
def starting(data: Path, report: Callable[[str], None]) -> Iterator[None]:
    """One at a time; the others wait, and then find the server."""
    lock = opened(data / "lock")
    try:
        if not taken(lock):
            report("waiting for another Hidalgo that is starting the store")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


@contextmanager
def lease_on(data: Path) -> Iterator[int | None]:
    """The lock that a server inherits and holds while it lives; nothing if one does."""
    lease = opened(data / MARK)
    try:
        yield lease if taken(lease) else None
    finally:
        os.close(lease)


def opened(file: Path) -> int:
    with disk_errors(file.parent):
        return os.open(file, os.O_RDWR | os.O_CREAT, 0o600)


def taken(lock: int) -> bool:
    with suppress(BlockingIOError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False
