"""A process that heralds until it is killed: `python -m tests.service.herald.heralding URL`."""

import sys
from threading import Event

from events.store import connect
from service.herald.running import run
from tests.faults.writer import patiently
from tests.service.herald.town import QUICK

if __name__ == "__main__":
    # What a killed one had claimed is soon tried again.
    run(patiently(lambda: connect(sys.argv[1])), Event(), QUICK, claimed_for=500)
