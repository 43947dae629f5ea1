"""A process that sends notifications until it is killed: `python -m tests.service.notifications.worker_process URL`."""

import signal
import sys

from events.store import connect
from tests.faults.writer import patiently
from tests.service.notifications.harness import Harness

if __name__ == "__main__":
    # What a killed one had claimed is soon tried again.
    Harness(patiently(lambda: connect(sys.argv[1]))).workers().start()
    signal.pause()
