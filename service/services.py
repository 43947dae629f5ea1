"""The one wiring: everything that works on a store, put together.

Web servers, schedulers, commands, measurements and tests all use it. Nothing begins to work by being made here: threads
start when they are asked to.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from events.audit.verify import verify_chain
from events.games import Games
from events.log import Due
from events.log.redis import RedisLog
from events.log.service_secret import ServiceSecret
from events.repository import Accepted
from events.store import Store
from events.store.reserve import Reserve
from events.table.game import OVER, PEOPLE, Game
from events.workers.bucket_leases import BucketLeases
from events.workers.deadlines import DeadlineWorker
from events.workers.heartbeat import Heartbeat
from events.workers.packer import Packer
from service.accounts import Accounts
from service.accounts.ended_rights import EndedRights
from service.accounts.rate_limits import Limits
from service.games.game_index import GameIndex
from service.games.game_service import GameService
from service.games.invitations import Invitations
from service.games.lobby import Lobby
from service.games.log_length import BoundedGames
from service.live.rights import RightsWatch
from service.live.streams import Streams
from service.live.threads import Threads
from service.notifications.delivery_worker import DeliveryWorker
from service.notifications.inbox import Inboxes
from service.notifications.notifier import Notifier
from service.notifications.receiver_addresses import AddressPolicy
from service.notifications.sender import Sender
from service.notifications.webhooks import Webhooks
from service.operations import metrics
from service.settings import Settings


@dataclass(frozen=True)
class Services:
    store: Store
    heartbeat: Heartbeat
    games: Games
    index: GameIndex
    game_service: GameService
    lobby: Lobby
    accounts: Accounts
    limits: Limits
    reserve: Reserve
    inboxes: Inboxes
    webhooks: Webhooks
    threads: Threads
    streams: Streams
    rights: RightsWatch
    # For the jobs of a scheduler
    leases: BucketLeases
    deadlines: DeadlineWorker
    notifier: Notifier
    deliveries: DeliveryWorker
    packer: Packer

    def close(self) -> None:
        """Streams say goodbye, and the store is left."""
        self.rights.close()
        self.streams.close()
        self.deadlines.close()
        self.store.close()


def services(store: Store, settings: Settings, *, serving: bool = False) -> Services:
    """`serving`: whether players can move while this process beats."""
    log, heartbeat = RedisLog(store), Heartbeat(store, serving=serving)
    secret, index = ServiceSecret(store), GameIndex(store)
    games = Games(log, now=heartbeat.now, outages=heartbeat.outages, naming=secret.command_name, decider=BoundedGames())
    inboxes, sender = Inboxes(store), Sender(AddressPolicy(settings.webhooks_to))
    deliveries, accounts = DeliveryWorker(store, sender), Accounts(store)
    threads = Threads(settings.threads)
    return Services(
        store=store,
        heartbeat=heartbeat,
        games=games,
        index=index,
        game_service=GameService(games, index, Invitations(store), secret, round(1000 * settings.shortest_decision)),
        lobby=Lobby(games, index),
        accounts=accounts,
        limits=Limits(store, settings.limits),
        reserve=Reserve(store),
        inboxes=inboxes,
        webhooks=Webhooks(store, sender),
        threads=threads,
        streams=Streams(games, inboxes, threads=threads, keep_alive=settings.keep_alive),
        rights=RightsWatch(accounts, EndedRights(store)),
        leases=BucketLeases(store, log),
        deadlines=DeadlineWorker(games, heartbeat, partial(_fired, index)),
        notifier=Notifier(log, store, wake=deliveries.wake),
        deliveries=deliveries,
        packer=Packer(log, heartbeat.now, verify_chain, after=settings.pack_after, packed=metrics.packed),
    )


def _fired(index: GameIndex, due: Due, taken: Accepted[Game]) -> None:
    """A deadline was dealt with."""
    metrics.DEADLINES.inc()
    if due.priority == PEOPLE:
        metrics.LATENESS.observe(max(0, taken.after.at - due.at) / 1000)
    if taken.after.status == OVER:
        index.put(taken.after)
