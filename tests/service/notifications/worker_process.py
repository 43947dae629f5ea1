"""A process that sends notifications until it is killed: `python -m tests.service.notifications.worker_process URL`."""

import signal
import sys

from events.store import connect
from service.notifications.workers import NotificationWorkers
from tests.faults.writer import patiently
from tests.service.notifications.harness import QUICK

if __name__ == "__main__":
    # What a killed one had claimed is soon tried again.
    NotificationWorkers(patiently(lambda: connect(sys.argv[1])), retry_policy=QUICK, claimed_for=500).start()
    signal.pause()
