"""The one wiring: everything that works on a store, put together.

Web servers, schedulers, commands, measurements and tests all use it. Nothing begins to work by being made here: threads
start when they are asked to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from events.audit.verify import verify_chain
from events.games import Games
from events.log import STUDIES, TOURNAMENTS, Due
from events.log.recent import recent_commits
from events.log.redis import RedisLog
from events.log.service_secret import ServiceSecret
from events.repository import Accepted, SecretOf
from events.store import Store
from events.store.reserve import Reserve
from events.table.game import OVER, PEOPLE, Game
from events.workers.archiver import Archiver, When
from events.workers.bucket_leases import BucketLeases
from events.workers.deadlines import DeadlineWorker
from events.workers.heartbeat import Heartbeat
from events.workers.packer import Packer
from events.workers.rebuilding import Rebuilding
from replay.studies import Studies
from service.accounts import Accounts
from service.accounts.answers import Answers
from service.accounts.apps import Apps
from service.accounts.audit_log import AuditLog
from service.accounts.authorizations import Authorizations
from service.accounts.ended_rights import EndedRights
from service.accounts.mutes import Mutes
from service.accounts.notice_choices import NoticeChoicesOf
from service.accounts.rate_limits import Limits
from service.accounts.silences import Silences
from service.chat.chat_service import ChatService
from service.chat.complaints import Complaints
from service.chat.moderation import Moderation
from service.chat.rooms import Chat
from service.games.answers_ahead import AnswersAhead
from service.games.broadcast import Broadcast
from service.games.gallery import Gallery
from service.games.game_index import GameIndex
from service.games.game_service import GameService
from service.games.index_rebuild import index_rebuild
from service.games.invitations import Invitations
from service.games.lobby import Lobby
from service.games.log_length import BoundedGames
from service.games.timelines import Timelines
from service.language import installed
from service.live.chat_streams import ChatStreams
from service.live.rights import RightsWatch
from service.live.streams import Streams
from service.live.study_streams import StudyStreams
from service.live.threads import Threads
from service.live.tournament_streams import TournamentStreams
from service.notifications.complaint_notices import ComplaintNotices
from service.notifications.delivery_worker import DeliveryWorker
from service.notifications.inbox import Inboxes
from service.notifications.mail.mail_queue import MailQueue
from service.notifications.mail.mail_service import MailService
from service.notifications.mail.mail_worker import MailWorker
from service.notifications.mail.preferences import MailPreferences
from service.notifications.mail.smtp import SmtpSender
from service.notifications.notice_names import NamesOf, names_of
from service.notifications.notifier import Notifier
from service.notifications.postings import Postings
from service.notifications.receiver_addresses import AddressPolicy
from service.notifications.rematches import Rematches
from service.notifications.reminders import ReminderIndex, Reminders, next_reminder
from service.notifications.sender import Sender
from service.notifications.webhooks import Webhooks
from service.operations import metrics
from service.settings import Settings
from service.studies.access import StudyAccessReader
from service.studies.chapters import ChapterRules
from service.studies.index_worker import IndexWorker
from service.studies.numbering import Numbering
from service.studies.positions import StudyPositions
from service.studies.presence import Presence
from service.studies.study_imports import StudyImports
from service.studies.study_index import StudyIndex
from service.studies.study_list import StudyList
from service.studies.study_search import StudySearch
from service.studies.study_service import StudyService
from service.tournaments.ended_games import EndedGames
from service.tournaments.feed_worker import FeedWorker
from service.tournaments.game_effects import GameEffects
from service.tournaments.notice_worker import NoticeWorker
from service.tournaments.rating_ledger import RatingLedger
from service.tournaments.rating_representations import RatingHistory
from service.tournaments.rating_worker import RatingWorker
from service.tournaments.round_worker import RoundWorker
from service.tournaments.table_games import TableGames
from service.tournaments.tournament_index import TournamentIndex
from service.tournaments.tournament_representations import is_staff
from service.tournaments.tournament_service import TournamentService
from tournaments.repository import Tournaments


@dataclass(frozen=True)
class Services:
    store: Store
    heartbeat: Heartbeat
    games: Games
    studies: Studies
    study_service: StudyService
    presence: Presence
    tournaments: Tournaments
    tournament_service: TournamentService
    index: GameIndex
    game_service: GameService
    lobby: Lobby
    gallery: Gallery
    timelines: Timelines
    ahead: AnswersAhead
    study_positions: StudyPositions
    study_imports: StudyImports
    accounts: Accounts
    answers: Answers
    audit_log: AuditLog
    apps: Apps
    authorizations: Authorizations
    limits: Limits
    reserve: Reserve
    chat: ChatService
    moderation: Moderation
    rematches: Rematches
    notice_choices: NoticeChoicesOf
    inboxes: Inboxes
    webhooks: Webhooks
    mail: MailService
    threads: Threads
    streams: Streams
    study_streams: StudyStreams
    tournament_streams: TournamentStreams
    chat_streams: ChatStreams
    rights: RightsWatch
    # For the jobs of a scheduler
    leases: BucketLeases
    deadlines: DeadlineWorker
    notifier: Notifier
    deliveries: DeliveryWorker
    reminders: Reminders
    packer: Packer
    archiver: Archiver
    index_rebuild: Rebuilding
    study_worker: IndexWorker
    round_worker: RoundWorker
    tournament_feed: FeedWorker
    tournament_notices: NoticeWorker
    ratings: RatingLedger
    rating_history: RatingHistory
    rating_worker: RatingWorker

    def close(self) -> None:
        """Streams say goodbye, and the store is left."""
        self.rights.close()
        self.streams.close()
        self.study_streams.close()
        self.tournament_streams.close()
        self.chat_streams.close()
        self.deadlines.close()
        self.store.close()


def services(
    store: Store,
    settings: Settings,
    *,
    serving: bool = False,
    clock: Heartbeat | None = None,
    secret_of: SecretOf | None = None,
) -> Services:
    """`serving`: whether players can move while this process beats. A simulation has a clock and secrets of its own."""
    log, heartbeat = RedisLog(store), clock or Heartbeat(store, serving=serving)
    secret, index = ServiceSecret(store), GameIndex(store)
    games = Games(
        log,
        now=heartbeat.now,
        outages=heartbeat.outages,
        naming=secret.command_name,
        decider=BoundedGames(),
        recent=recent_commits(settings.shared_commits),
        secret_of=secret_of,
    )
    inboxes, sender = Inboxes(store), Sender(AddressPolicy(settings.webhooks_to))
    messages, complaints = Chat(store, heartbeat.now), Complaints(store)
    leaving = (StudyIndex(store).note_leaving, messages.forget, complaints.forget)
    deliveries, accounts = DeliveryWorker(store, sender), Accounts(store, leaving=partial(_each, leaving))
    naming = partial(names_of, accounts.profiles)
    studies, timelines = Studies(log.space(STUDIES), heartbeat.now, secret.study_command_name), Timelines(games)
    broadcast = Broadcast(games)
    service = study_service(store, studies, games, broadcast, accounts, secret)
    tournaments = Tournaments(
        log.space(TOURNAMENTS),
        heartbeat.now,
        outages=heartbeat.outages,
        naming=secret.tournament_command_name,
        secret_of=secret_of,
    )
    tournament_index, ended = TournamentIndex(store), EndedGames(store)
    paces = (settings.bot_pace, settings.self_play_pace, settings.shortest_decision)
    bot_pace_ms, self_play_pace_ms, shortest_decision_ms = (round(1000 * seconds) for seconds in paces)
    ledger, audit_log, mutes = RatingLedger(store), AuditLog(store), Mutes(store)
    tournament_service = TournamentService(
        tournaments, games, accounts, secret, tournament_index, ledger, audit_log, mutes, shortest_decision_ms
    )
    threads = Threads(settings.threads)
    mail = mail_service(store, settings, games, heartbeat, naming)
    told = mail.worker.note if mail.worker else _untold
    lobby = Lobby(games, index, broadcast)
    study_positions = StudyPositions(timelines)
    game_service = GameService(
        games,
        index,
        Invitations(store),
        secret,
        broadcast,
        shortest_decision_ms=shortest_decision_ms,
        bot_pace_ms=bot_pace_ms,
    )
    ahead = AnswersAhead(store, games, game_service.submit)
    postings = Postings(store, wake=deliveries.wake, told=told, names_of=naming)
    notices = NoticeWorker(store, tournaments, games, postings, heartbeat.now)
    tables = TableGames(games, index, secret, bot_pace_ms, self_play_pace_ms)
    rating_worker = RatingWorker(ledger, tournaments, games)
    chat = ChatService(
        messages,
        game_service,
        accounts.profiles,
        mutes,
        complaints,
        lambda tournament, account: is_staff(tournaments.load(tournament), account),
        audit_log,
        silences := Silences(store),
    )
    complainers = ComplaintNotices(games, postings)
    moderation = Moderation(
        complaints, messages, silences, accounts.profiles, audit_log, heartbeat.now, complainers.tell
    )
    follow = [GameEffects(games, index).follow, notices.follow, rating_worker.follow]
    return Services(
        store=store,
        heartbeat=heartbeat,
        games=games,
        studies=studies,
        study_service=service,
        presence=service.presence,
        tournaments=tournaments,
        tournament_service=tournament_service,
        index=index,
        game_service=game_service,
        lobby=lobby,
        gallery=Gallery(lobby),
        timelines=timelines,
        ahead=ahead,
        study_positions=study_positions,
        study_imports=StudyImports(service, game_service, study_positions, accounts),
        accounts=accounts,
        answers=Answers(store),
        audit_log=audit_log,
        apps=Apps(store, accounts.rights.tell_of_change),
        authorizations=Authorizations(store, accounts.rights.tell_of_change),
        limits=Limits(store, settings.limits),
        reserve=Reserve(store),
        chat=chat,
        moderation=moderation,
        rematches=Rematches(game_service, secret, postings, mutes),
        notice_choices=NoticeChoicesOf(store),
        inboxes=inboxes,
        webhooks=Webhooks(store, sender),
        mail=mail,
        threads=threads,
        streams=Streams(games, inboxes, threads=threads, keep_alive=settings.keep_alive, names_of=naming),
        study_streams=StudyStreams(service, threads=threads, keep_alive=settings.keep_alive),
        tournament_streams=TournamentStreams(tournament_service, threads=threads, keep_alive=settings.keep_alive),
        chat_streams=ChatStreams(chat, threads=threads, keep_alive=settings.keep_alive),
        rights=RightsWatch(accounts, EndedRights(store)),
        leases=BucketLeases(store, log),
        deadlines=DeadlineWorker(games, heartbeat, partial(_fired, index)),
        notifier=Notifier(
            log, store, wake=deliveries.wake, changed=partial(_changed, store, settings, ended, ahead), told=told
        ),
        deliveries=deliveries,
        reminders=Reminders(games, store, postings, round(1000 * settings.shortest_reminded)),
        packer=Packer(log, heartbeat.now, partial(_verified, index), after=settings.pack_after, packed=metrics.packed),
        archiver=archiver(log, heartbeat.now, settings),
        index_rebuild=index_rebuild(games, index, store),
        study_worker=service.worker,
        round_worker=RoundWorker(tournaments, games, tables, ended, notices.alert),
        tournament_feed=FeedWorker(tournaments, tournament_index, follow),
        tournament_notices=notices,
        ratings=ledger,
        rating_history=RatingHistory(ledger, tournaments),
        rating_worker=rating_worker,
    )


def study_service(
    store: Store, studies: Studies, games: Games, broadcast: Broadcast, accounts: Accounts, secret: ServiceSecret
) -> StudyService:
    index, accesses, presence = StudyIndex(store), StudyAccessReader(games), Presence(store)
    return StudyService(
        studies=studies,
        accounts=accounts,
        secret=secret,
        accesses=accesses,
        chapters=ChapterRules(games, broadcast),
        numbering=Numbering(studies),
        index=index,
        worker=IndexWorker(studies, index, accesses, lambda account: accounts.account(account) is None),
        lists=StudyList(studies, index, StudySearch(store), accesses, presence),
        presence=presence,
        mutes=Mutes(store),
    )


def mail_service(store: Store, settings: Settings, games: Games, heartbeat: Heartbeat, naming: NamesOf) -> MailService:
    """Without a mail server it can be looked at, and no more."""
    preferences = MailPreferences(store, heartbeat.now)
    queue = MailQueue(
        store,
        games,
        preferences,
        window_ms=round(1000 * settings.mail_window),
        site=settings.public_url or "",
        languages=installed(settings.locale),
        names_of=naming,
    )
    worker = None
    if settings.mail_server and settings.mail_from:
        sender = SmtpSender(settings.mail_server, settings.password_of_mail())
        worker = MailWorker(store, queue, preferences, sender, settings.mail_from, heartbeat.now)
    return MailService(preferences, queue, worker, heartbeat.now)


def _each(calls: Sequence[Callable[[str], None]], account: str) -> None:
    """An account is about to be deleted."""
    for call in calls:
        call(account)


def archiver(log: RedisLog, now: Callable[[], int], settings: Settings) -> Archiver:
    when = When(round(1000 * settings.archive_after), settings.archive_keep)
    return Archiver(log, now, verify_chain, when)


def _untold(kinds: object) -> None:
    """No mail is sent."""


def _changed(
    store: Store, settings: Settings, ended: EndedGames, ahead: AnswersAhead, games: Mapping[str, Game]
) -> None:
    """These games have changed: when to remind their players, which were answered ahead, which tournaments wait."""
    ended.note(games)
    ahead.note(games.values())
    shortest_ms = round(1000 * settings.shortest_reminded)
    if times := {name: next_reminder(game, shortest_ms) for name, game in games.items() if game.time}:
        ReminderIndex(store).put(times)


def _verified(index: GameIndex, game: str, entries: Sequence[bytes], secret: bytes) -> None:
    """Checks the chain of a game, and notes it for lists."""
    index.mark_verified(game, verify_chain(game, entries, secret).head)


def _fired(index: GameIndex, due: Due, taken: Accepted[Game]) -> None:
    """A deadline was dealt with."""
    metrics.DEADLINES.inc()
    if due.priority == PEOPLE:
        metrics.LATENESS.observe(max(0, taken.after.at - due.at) / 1000)
    if taken.after.status == OVER:
        index.put(taken.after)
