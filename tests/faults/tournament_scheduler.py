"""A scheduler in a process of its own, whose new games have the secrets of a simulation: `URL SEED`.

It is the real one with all its jobs, but for two things: secrets follow from the seed, so that a run can be compared
with another one; and bots are not given the time in which people could look at the table.
"""

import signal
import sys
from dataclasses import replace
from threading import Event

from events.store import connect
from service.cli.tournaments.simulation import derived
from service.operations.jobs import ONE_BUCKET, jobs
from service.operations.scheduler import Guarded, Scheduler
from service.services import services
from service.settings import Settings

OFTEN = {"deadlines": 0.02, "rounds": 0.1, "tournaments": 0.1}
"""Seconds from one run of these jobs to the next."""


def main(url: str, seed: str) -> None:
    stopping = Event()
    signal.signal(signal.SIGTERM, lambda *_: stopping.set())
    wired = services(connect(url), Settings(store_url=url, bot_pace=0), secret_of=lambda id: derived(seed, id))
    Guarded("leases", wired.leases.renew)()
    often = [replace(job, every=OFTEN.get(job.name, job.every)) for job in jobs(wired)]
    with Scheduler(often, is_chosen=lambda: ONE_BUCKET in wired.leases.fences):
        print("ready", flush=True)
        stopping.wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
