"""Permissions: every operation of the service, asked by every kind of client.

A new operation fails the first test until it has its rows here. A cell is the status of the answer; a letter behind it
tells which code it has, where the status has several.
"""

# ruff: noqa: E501 - a table is as wide as it must be

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

import pytest
from argon2 import PasswordHasher
from werkzeug.test import TestResponse

from events.table.commands import Join, Leave, Resign, Start
from replay.study.commands import AddChapter, SetMember
from service.accounts import SCOPES, Accounts
from service.accounts.passwords import Passwords
from service.app import create_app
from service.chat.complaints import Complaint
from service.http.application import Application
from service.notifications.receiver_addresses import AddressPolicy
from service.notifications.sender import Sender
from service.notifications.webhooks import Webhooks
from service.services import services
from service.settings import MailServer, Settings
from tests.service.applications import application
from tournaments.commands import SERVICE, ProposeRound, PublishRound, Register, StartRound, StartTournament
from tournaments.options import Options

API = "/api/v1"
PASSWORD = "tizona y colada"
HOOK = "https://bot.example/hook"
BACK = "https://club.example/back"

CODES = {
    "401": "unauthorized",
    "403": "forbidden",
    "403c": "csrf",
    "403s": "not_seated",
    "404": "not_found",
    "409": "not_now",
    "409d": "not_your_decision",
    "409g": "not_a_guest",
    "409s": "still_a_guest",
    "422": "invalid",
    "422g": "not_genuine",
}

# none       no token, no cookie
# bad        a token that does not exist
# read play  the owner of the table, with a token of this scope alone;
# acct admn  `account` and `admin` likewise
# guest      a guest who has nothing to do with the table
# other      a player who has nothing to do with the table
# seat       a player who sits there, contributes to the study, or takes part in the tournament
# owner      a player who sits there and owns the table, or the study, or organises the tournament
# admin      an administrator who has nothing to do with the table
# cookie     the owner's browser, sent by another site: the session without X-CSRF-Token
# csrf       the owner's browser, sent by our page: the session with it

TABLE = """
                                                                       none bad  read play acct admn guest other seat owner admin cookie csrf
GET    /api/v1/audit                                           -       401  401  403  403  403  200  403   403   403  403   200   403    403
GET    /api/v1/games                                           -       200  401  200  403  403  403  200   200   200  200   200   200    200
POST   /api/v1/games                                           -       401  401  403  201  403  403  201   201   201  201   201   403c   201
GET    /api/v1/games/<game>                                    public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/games/<game>                                    private 404  401  200  403  403  403  404   404   200  200   404   200    200
POST   /api/v1/games/<game>/abort                              public  401  401  403  200  403  403  403   403   403  200   403   403c   200
POST   /api/v1/games/<game>/abort                              private 401  401  403  200  403  403  404   404   403  200   404   403c   200
GET    /api/v1/games/<game>/clock                              public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/games/<game>/clock                              private 404  401  200  403  403  403  404   404   200  200   404   200    200
GET    /api/v1/games/<game>/decisions                          public  401  401  200  403  403  403  403s  403s  200  200   403s  200    200
GET    /api/v1/games/<game>/decisions                          private 401  401  200  403  403  403  404   404   200  200   404   200    200
GET    /api/v1/games/<game>/events                             public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/games/<game>/events                             private 404  401  200  403  403  403  404   404   200  200   404   200    200
GET    /api/v1/games/<game>/export                             public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/games/<game>/export                             private 404  401  200  403  403  403  404   404   200  200   404   200    200
POST   /api/v1/games/<game>/invitations                        public  401  401  403  201  403  403  403   403   201  201   403   403c   201
POST   /api/v1/games/<game>/invitations                        private 401  401  403  201  403  403  404   404   201  201   404   403c   201
POST   /api/v1/games/<game>/moves                              public  401  401  403  409d 403  403  403s  403s  409d 409d  403s  403c   409d
POST   /api/v1/games/<game>/moves                              private 401  401  403  409d 403  403  404   404   409d 409d  404   403c   409d
DELETE /api/v1/games/<game>/players/<player>                   public  401  401  403  200  403  403  403   403   403  200   403   403c   200
DELETE /api/v1/games/<game>/players/<player>                   private 401  401  403  200  403  403  404   404   403  200   404   403c   200
POST   /api/v1/games/<game>/pause                              public  401  401  403  409  403  403  403s  403s  409  409   409   403c   409
POST   /api/v1/games/<game>/pause                              private 401  401  403  409  403  403  404   404   409  409   409   403c   409
POST   /api/v1/games/<game>/resign                             public  401  401  403  200  403  403  403s  403s  200  200   403s  403c   200
POST   /api/v1/games/<game>/resign                             private 401  401  403  200  403  403  404   404   200  200   404   403c   200
POST   /api/v1/games/<game>/resume                             public  401  401  403  409  403  403  403s  403s  409  409   409   403c   409
POST   /api/v1/games/<game>/resume                             private 401  401  403  409  403  403  404   404   409  409   409   403c   409
POST   /api/v1/games/<game>/return                             public  401  401  403  409  403  403  403s  403s  409  409   403s  403c   409
POST   /api/v1/games/<game>/return                             private 401  401  403  409  403  403  404   404   409  409   404   403c   409
POST   /api/v1/games/<game>/take-back                          public  401  401  403  409  403  403  403s  403s  409  409   403s  403c   409
POST   /api/v1/games/<game>/take-back                          private 401  401  403  409  403  403  404   404   409  409   404   403c   409
POST   /api/v1/games/<game>/vacation                           public  401  401  403  409  403  403  403s  403s  409  409   403s  403c   409
POST   /api/v1/games/<game>/vacation                           private 401  401  403  409  403  403  404   404   409  409   404   403c   409
POST   /api/v1/games/<game>/seats                              public  401  401  403  409  403  403  200   200   409  409   200   403c   409
POST   /api/v1/games/<game>/seats                              private 401  401  403  409  403  403  404   404   409  409   404   403c   409
DELETE /api/v1/games/<game>/seats/mine                         public  401  401  403  200  403  403  403s  403s  200  200   403s  403c   200
DELETE /api/v1/games/<game>/seats/mine                         private 401  401  403  200  403  403  404   404   200  200   404   403c   200
POST   /api/v1/games/<game>/start                              public  401  401  403  200  403  403  403   403   403  200   403   403c   200
POST   /api/v1/games/<game>/start                              private 401  401  403  200  403  403  404   404   403  200   404   403c   200
GET    /api/v1/games/<game>/state                              public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/games/<game>/state                              private 404  401  200  403  403  403  404   404   200  200   404   200    200
GET    /api/v1/games/<game>/stream                             public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/games/<game>/stream                             private 404  401  200  403  403  403  404   404   200  200   404   200    200
GET    /api/v1/games/<game>/chat                               public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/games/<game>/chat                               private 404  401  200  403  403  403  404   404   200  200   404   200    200
POST   /api/v1/games/<game>/chat                               public  401  401  403  201  403  403  201   201   201  201   201   403c   201
POST   /api/v1/games/<game>/chat                               private 401  401  403  201  403  403  404   404   201  201   404   403c   201
GET    /api/v1/games/<game>/chat/stream                        public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/games/<game>/chat/stream                        private 404  401  200  403  403  403  404   404   200  200   404   200    200
DELETE /api/v1/games/<game>/chat/<room>/<message>              public  401  401  403  204  403  403  403   403   403  204   204   403c   204
DELETE /api/v1/games/<game>/chat/<room>/<message>              private 401  401  403  204  403  403  404   404   403  204   204   403c   204
POST   /api/v1/games/<game>/chat/<room>/<message>/complaint    public  401  401  403  204  403  403  403   403   204  204   403   403c   204
POST   /api/v1/games/<game>/chat/<room>/<message>/complaint    private 401  401  403  204  403  403  404   404   204  204   404   403c   204
POST   /api/v1/games/<game>/rematch                            public  401  401  403  409  403  403  403s  403s  409  409   403s  403c   409
POST   /api/v1/games/<game>/rematch                            private 401  401  403  409  403  403  404   404   409  409   404   403c   409
GET    /api/v1/complaints                                      -       401  401  403  403  403  200  403   403   403  403   200   403    403
GET    /api/v1/complaints/<complaint>                          -       401  401  403  403  403  200  403   403   403  403   200   403    403
POST   /api/v1/complaints/<complaint>/acts                     -       401  401  403  403  403  200  403   403   403  403   200   403c   403
GET    /staff/complaints                                       -       401  401  401  401  401  401  401   401   401  401   401   403    403
POST   /staff/complaints                                       -       401  401  401  401  401  401  401   401   401  401   401   403c   403
GET    /staff/audit                                            -       401  401  401  401  401  401  401   401   401  401   401   403    403
GET    /api/v1/me/mutes                                        -       401  401  200  403  403  403  200   200   200  200   200   200    200
PUT    /api/v1/me/mutes/<player>                               -       401  401  403  204  403  403  204   204   204  204   204   403c   204
DELETE /api/v1/me/mutes/<player>                               -       401  401  403  204  403  403  204   204   204  204   204   403c   204
GET    /api/v1/me/notices                                      -       401  401  403  403  200  403  200   200   200  200   200   200    200
PUT    /api/v1/me/notices                                      -       401  401  403  403  200  403  200   200   200  200   200   403c   200
POST   /start                                                  -       303  303  303  303  303  303  303   303   303  303   303   403c   303
GET    /games/<game>/waiting                                   public  303  303  303  303  303  303  303   303   303  303   303   303    303
GET    /games/<game>/waiting                                   private 404  404  404  404  404  404  404   404   404  404   404   303    303
POST   /games/<game>/waiting                                   public  409  409  409  409  409  409  409   409   409  409   409   403c   409
POST   /games/<game>/waiting                                   private 404  404  404  404  404  404  404   404   404  404   404   403c   409
POST   /games/<game>/rematch                                   public  401  401  401  401  401  401  401   401   401  401   401   403c   409
POST   /games/<game>/rematch                                   private 401  401  401  401  401  401  401   401   401  401   401   403c   409
GET    /games/<game>/chat                                      public  200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /games/<game>/chat                                      private 404  404  404  404  404  404  404   404   404  404   404   200    200
POST   /games/<game>/chat                                      public  401  401  401  401  401  401  401   401   401  401   401   403c   303
POST   /games/<game>/chat                                      private 404  404  404  404  404  404  404   404   404  404   404   403c   303
GET    /join/<game>/<word>                                     public  200  200  200  200  200  200  200   200   200  200   200   303    303
GET    /join/<game>/<word>                                     private 200  200  200  200  200  200  200   200   200  200   200   303    303
POST   /join/<game>/<word>                                     public  409  409  409  409  409  409  409   409   409  409   409   403c   409
POST   /join/<game>/<word>                                     private 409  409  409  409  409  409  409   409   409  409   409   403c   409
GET    /join/<game>/<word>/picture.png                         public  200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /join/<game>/<word>/picture.png                         private 200  200  200  200  200  200  200   200   200  200   200   200    200
POST   /account/notices                                        -       401  401  401  401  401  401  401   401   401  401   401   403c   303
POST   /account/mutes/<player>/end                             -       401  401  401  401  401  401  401   401   401  401   401   403c   303
GET    /api/v1/games/<game>/board.svg                          public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/games/<game>/board.svg                          private 404  401  200  403  403  403  404   404   200  200   404   200    200
GET    /api/v1/games/<game>/board.png                          public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/games/<game>/board.png                          private 404  401  200  403  403  403  404   404   200  200   404   200    200
GET    /api/v1/games/<game>/outline                            public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/games/<game>/outline                            private 404  401  200  403  403  403  404   404   200  200   404   200    200
GET    /api/v1/games/<game>/scene                              public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/games/<game>/scene                              private 404  401  200  403  403  403  404   404   200  200   404   200    200
GET    /api/v1/games/<game>/timeline                           public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/games/<game>/timeline                           private 404  401  200  403  403  403  404   404   200  200   404   200    200
GET    /api/v1/games/<game>/table                              public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/games/<game>/table                              private 404  401  200  403  403  403  404   404   200  200   404   200    200
PUT    /api/v1/games/<game>/ahead/<decision>                   public  401  401  403  200  403  403  403s  403s  200  200  403s  403c   200
PUT    /api/v1/games/<game>/ahead/<decision>                   private 401  401  403  200  403  403  404   404   200  200  404   403c   200
DELETE /api/v1/games/<game>/ahead/<decision>                   public  401  401  403  200  403  403  403s  403s  200  200  403s  403c   200
DELETE /api/v1/games/<game>/ahead/<decision>                   private 401  401  403  200  403  403  404   404   200  200  404   403c   200
POST   /api/v1/studies                                         -       401  401  403  201  403  403  201   201   201  201   201   403c   201
POST   /api/v1/studies/markdown                                -       401  401  200  403  403  403  200   200   200  200   200   403c   200
GET    /api/v1/studies/<study>                                 public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/studies/<study>                                 private 404  401  200  403  403  403  404   404   200  200   404   200    200
GET    /api/v1/studies/<study>/chapters/<chapter>              public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/studies/<study>/chapters/<chapter>              private 404  401  200  403  403  403  404   404   200  200   404   200    200
GET    /api/v1/studies/<study>/chapters/<chapter>/nodes/<node> public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/studies/<study>/chapters/<chapter>/nodes/<node> private 404  401  200  403  403  403  404   404   200  200   404   200    200
POST   /api/v1/studies/<study>/chapters/<chapter>/nodes/<node>/preview public  409d 401 409d 403 403 403  409d  409d  409d 409d  409d  403c   409d
POST   /api/v1/studies/<study>/chapters/<chapter>/nodes/<node>/preview private 404  401 409d 403 403 403  404   404   409d 409d  404   403c   409d
GET    /api/v1/studies                                         -       200  401  200  403  403  403  200   200   200  200   200   200    200
POST   /api/v1/studies/import                                  -       401  401  403  201  403  403  201   201   201  201   201   403c   201
DELETE /api/v1/studies/<study>                                 public  401  401  403  204  403  403  403   403   403  204   403   403c   204
DELETE /api/v1/studies/<study>                                 private 401  401  403  204  403  403  404   404   403  204   404   403c   204
GET    /api/v1/studies/<study>/export                          public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/studies/<study>/export                          private 404  401  200  403  403  403  404   404   200  200   404   200    200
GET    /api/v1/studies/<study>/history                         public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/studies/<study>/history                         private 404  401  200  403  403  403  404   404   200  200   404   200    200
POST   /api/v1/studies/<study>/presence                        public  401  401  403  204  403  403  204   204   204  204   204   403c   204
POST   /api/v1/studies/<study>/presence                        private 401  401  403  204  403  403  404   404   204  204   404   403c   204
GET    /api/v1/studies/<study>/chapters/<chapter>/nodes/<node>/board.svg public  200 401 200 403 403 403  200   200   200  200   200   200    200
GET    /api/v1/studies/<study>/chapters/<chapter>/nodes/<node>/board.svg private 404 401 200 403 403 403  404   404   200  200   404   200    200
POST   /api/v1/studies/<study>/chapters/<chapter>/nodes/<node>/guess public  409d 401 409d 403 403 403    409d  409d  409d 409d  409d  403c   409d
POST   /api/v1/studies/<study>/chapters/<chapter>/nodes/<node>/guess private 404  401 409d 403 403 403    404   404   409d 409d  404   403c   409d
GET    /api/v1/studies/<study>/stream                          public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/studies/<study>/stream                          private 404  401  200  403  403  403  404   404   200  200   404   200    200
POST   /api/v1/studies/<study>/edits                           public  401  401  403  201  403  403  403   403   201  201   403   403c   201
POST   /api/v1/studies/<study>/edits                           private 401  401  403  201  403  403  404   404   201  201   404   403c   201
POST   /api/v1/tournaments                                     -       401  401  403  201  403  403  201   201   201  201   201   403c   201
GET    /api/v1/tournaments                                     -       200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/tournaments/presets                             -       200  200  200  200  200  200  200   200   200  200   200   200    200
POST   /api/v1/tournaments/plan                                -       401  401  200  403  403  403  200   200   200  200   200   403c   200
GET    /api/v1/tournaments/<tournament>                        public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/tournaments/<tournament>                        private 404  401  200  403  403  403  404   404   200  200   404   200    200
GET    /api/v1/tournaments/<tournament>/players                public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/tournaments/<tournament>/players                private 404  401  200  403  403  403  404   404   200  200   404   200    200
GET    /api/v1/tournaments/<tournament>/rounds/<round>         public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/tournaments/<tournament>/rounds/<round>         private 404  401  200  403  403  403  404   404   200  200   404   200    200
GET    /api/v1/tournaments/<tournament>/rounds/<round>/tables/<table> public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/tournaments/<tournament>/rounds/<round>/tables/<table> private 404  401  200  403  403  403  404   404   200  200   404   200    200
GET    /api/v1/tournaments/<tournament>/standings              public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/tournaments/<tournament>/standings              private 404  401  200  403  403  403  404   404   200  200   404   200    200
GET    /api/v1/tournaments/<tournament>/crosstable             public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/tournaments/<tournament>/crosstable             private 404  401  200  403  403  403  404   404   200  200   404   200    200
GET    /api/v1/tournaments/<tournament>/rulings                public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/tournaments/<tournament>/rulings                private 404  401  200  403  403  403  404   404   200  200   404   200    200
GET    /api/v1/tournaments/<tournament>/history                public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/tournaments/<tournament>/history                private 404  401  200  403  403  403  404   404   200  200   404   200    200
POST   /api/v1/tournaments/<tournament>/actions                public  401  401  403  201  403  403  403   403   403  201   403   403c   201
POST   /api/v1/tournaments/<tournament>/actions                private 401  401  403  201  403  403  404   404   403  201   404   403c   201
POST   /api/v1/tournaments/<tournament>/actions/preview        public  401  401  403  200  403  403  403   403   403  200   403   403c   200
POST   /api/v1/tournaments/<tournament>/actions/preview        private 401  401  403  200  403  403  404   404   403  200   404   403c   200
POST   /api/v1/tournaments/import                              -       401  401  403  201  403  403  201   201   201  201   201   403c   201
GET    /api/v1/tournaments/<tournament>/export                 public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/tournaments/<tournament>/export                 private 404  401  200  403  403  403  404   404   200  200   404   200    200
GET    /api/v1/tournaments/<tournament>/standings.csv          public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/tournaments/<tournament>/standings.csv          private 404  401  200  403  403  403  404   404   200  200   404   200    200
GET    /api/v1/tournaments/<tournament>/report.trf             public  409  401  409  403  403  403  409   409   409  409   409   409    409
GET    /api/v1/tournaments/<tournament>/report.trf             private 404  401  409  403  403  403  404   404   409  409   404   409    409
GET    /api/v1/tournaments/<tournament>/stream                 public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/tournaments/<tournament>/stream                 private 404  401  200  403  403  403  404   404   200  200   404   200    200
GET    /api/v1/players/<player>/ratings                        -       200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/players/<player>/games                          -       200  401  200  403  403  403  200   200   200  200   200   200    200
POST   /api/v1/accounts                                        -       201  201  201  201  201  201  201   201   201  201   201   201    201
POST   /api/v1/guests                                          -       201  201  201  201  201  201  201   201   201  201   201   201    201
DELETE /api/v1/me                                              -       401  401  403  403  204  403  204   204   204  204   204   403c   204
GET    /api/v1/me                                              -       401  401  200  200  200  200  200   200   200  200   200   200    200
POST   /api/v1/me                                              -       401  401  403  403  409g 403  200   409g  409g 409g  409g  403c   409g
PUT    /api/v1/me/bot                                          -       401  401  403  403  200  403  200   200   200  200   200   403c   200
GET    /api/v1/openapi.json                                    -       200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /api/v1/players/<player>                                -       200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/positions                                       -       200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/rules                                           -       200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /api/v1/rules/<rules>                                   -       200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /api/v1/rules/<rules>/ground                            -       200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /api/v1/schemas                                         -       200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /api/v1/schemas/<schema>                                -       200  200  200  200  200  200  200   200   200  200   200   200    200
DELETE /api/v1/sessions                                        -       401  401  403  403  403  403  403   403   403  403   403   403c   204
POST   /api/v1/sessions                                        -       200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /api/v1/tokens                                          -       401  401  403  403  200  403  200   200   200  200   200   200    200
POST   /api/v1/tokens                                          -       401  401  403  403  201  403  201   201   201  201   201   403c   201
DELETE /api/v1/tokens/<token>                                  -       401  401  403  403  204  403  204   204   204  204   204   403c   204
GET    /api/v1/me/apps                                         -       401  401  403  403  200  403  200   200   200  200   200   200    200
POST   /api/v1/me/apps                                         -       401  401  403  403  201  403  409s  201   201  201   201   403c   201
GET    /api/v1/me/apps/<app>                                   -       401  401  403  403  200  403  404   200   200  200   200   200    200
PATCH  /api/v1/me/apps/<app>                                   -       401  401  403  403  200  403  404   200   200  200   200   403c   200
DELETE /api/v1/me/apps/<app>                                   -       401  401  403  403  204  403  404   204   204  204   204   403c   204
GET    /api/v1/me/authorizations                               -       401  401  403  403  200  403  200   200   200  200   200   200    200
DELETE /api/v1/me/authorizations/<app>                         -       401  401  403  403  204  403  204   204   204  204   204   403c   204
GET    /api/v1/me/inbox                                        -       401  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/me/inbox/stream                                 -       401  401  200  403  403  403  200   200   200  200   200   200    200
PUT    /api/v1/me/password                                     -       401  401  403  403  204  403  409s  204   204  204   204   403c   204
GET    /api/v1/me/mail                                         -       401  401  403  403  200  403  200   200   200  200   200   200    200
PUT    /api/v1/me/mail                                         -       401  401  403  403  200  403  200   200   200  200   200   403c   200
DELETE /api/v1/me/mail                                         -       401  401  403  403  204  403  204   204   204  204   204   403c   204
POST   /api/v1/me/mail/confirmation                            -       401  401  403  403  409  403  409   409   409  409   409   403c   409
POST   /api/v1/me/mail/retry                                   -       401  401  403  403  200  403  200   200   200  200   200   403c   200
GET    /mail/confirm/<token>                                   -       200  200  200  200  200  200  200   200   200  200   200   200    200
POST   /mail/confirm/<token>                                   -       409  409  409  409  409  409  409   409   409  409   409   409    409
GET    /mail/unsubscribe/<token>                               -       200  200  200  200  200  200  200   200   200  200   200   200    200
POST   /mail/unsubscribe/<token>                               -       409  409  409  409  409  409  409   409   409  409   409   409    409
GET    /api/v1/me/webhooks                                     -       401  401  403  403  200  403  200   200   200  200   200   200    200
POST   /api/v1/me/webhooks                                     -       401  401  403  403  201  403  201   201   201  201   201   403c   201
GET    /api/v1/me/webhooks/<webhook>                           -       401  401  403  403  200  403  200   200   200  200   200   200    200
PATCH  /api/v1/me/webhooks/<webhook>                           -       401  401  403  403  200  403  200   200   200  200   200   403c   200
DELETE /api/v1/me/webhooks/<webhook>                           -       401  401  403  403  204  403  204   204   204  204   204   403c   204
GET    /api/v1/me/webhooks/<webhook>/deliveries                -       401  401  403  403  200  403  200   200   200  200   200   200    200
POST   /api/v1/me/webhooks/<webhook>/deliveries/<number>/retry -       401  401  403  403  404  403  404   404   404  404   404   403c   404
POST   /api/v1/me/webhooks/<webhook>/secret                    -       401  401  403  403  200  403  200   200   200  200   200   403c   200
POST   /api/v1/me/webhooks/<webhook>/test                      -       401  401  403  403  200  403  200   200   200  200   200   403c   200
GET    /client/<name>                                          -       200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /static/<path:name>                                     -       200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /assets/<version>/<path:name>                           -       200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /                                                       -       200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /games/<game>                                           public  200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /games/<game>                                           private 404  404  404  404  404  404  404   404   404  404   404   200    200
GET    /games/<game>/replay                                    public  200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /games/<game>/replay                                    private 404  404  404  404  404  404  404   404   404  404   404   200    200
GET    /games/<game>/embed                                     public  200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /games/<game>/embed                                     private 404  404  404  404  404  404  404   404   404  404   404   404    404
GET    /games/<game>/card.png                                  public  200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /games/<game>/card.png                                  private 404  404  404  404  404  404  404   404   404  404   404   404    404
GET    /games/<game>/story.txt                                 public  200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /games/<game>/story.txt                                 private 404  404  404  404  404  404  404   404   404  404   404   200    200
GET    /games/<game>/round.gif                                 public  200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /games/<game>/round.gif                                 private 404  404  404  404  404  404  404   404   404  404   404   200    200
GET    /oembed                                                 -       404  404  404  404  404  404  404   404   404  404   404   404    404
GET    /replay                                                 -       200  200  200  200  200  200  200   200   200  200   200   200    200
POST   /replay                                                 -       422  422  422  422  422  422  422   422   422  422   422   403c   422
POST   /replay/told                                            -       422g 422g 422g 422g 422g 422g 422g  422g  422g 422g  422g  422g   422g
GET    /studies                                                -       200  200  200  200  200  200  200   200   200  200   200   200    200
POST   /studies                                                -       401  401  401  401  401  401  401   401   401  401   401   403c   303
GET    /studies/<study>                                        public  200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /studies/<study>                                        private 404  404  404  404  404  404  404   404   404  404   404   200    200
POST   /studies/<study>/chapters                               public  401  401  401  401  401  401  401   401   401  401   401   403c   404
POST   /studies/<study>/chapters                               private 401  401  401  401  401  401  401   401   401  401   401   403c   404
GET    /inbox                                                  -       401  401  401  401  401  401  401   401   401  401   401   200    200
GET    /tournaments                                            -       200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /tournaments/new                                        -       200  200  200  200  200  200  200   200   200  200   200   200    200
POST   /tournaments/new                                        -       401  401  401  401  401  401  401   401   401  401   401   403c   303
GET    /tournaments/<tournament>                               public  200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /tournaments/<tournament>                               private 404  404  404  404  404  404  404   404   404  404   404   200    200
GET    /tournaments/<tournament>/standings                     public  200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /tournaments/<tournament>/standings                     private 404  404  404  404  404  404  404   404   404  404   404   200    200
GET    /tournaments/<tournament>/crosstable                    public  200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /tournaments/<tournament>/crosstable                    private 404  404  404  404  404  404  404   404   404  404   404   200    200
GET    /tournaments/<tournament>/players                       public  200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /tournaments/<tournament>/players                       private 404  404  404  404  404  404  404   404   404  404   404   200    200
GET    /tournaments/<tournament>/players/<player>              public  200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /tournaments/<tournament>/players/<player>              private 404  404  404  404  404  404  404   404   404  404   404   200    200
GET    /tournaments/<tournament>/log                           public  200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /tournaments/<tournament>/log                           private 404  404  404  404  404  404  404   404   404  404   404   200    200
GET    /tournaments/<tournament>/rounds/<int:number>/certificate public  200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /tournaments/<tournament>/rounds/<int:number>/certificate private 404  404  404  404  404  404  404   404   404  404   404   200    200
GET    /tournaments/<tournament>/rounds/<int:number>/print     public  200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /tournaments/<tournament>/rounds/<int:number>/print     private 404  404  404  404  404  404  404   404   404  404   404   200    200
GET    /tournaments/<tournament>/wall                          public  200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /tournaments/<tournament>/wall                          private 404  404  404  404  404  404  404   404   404  404   404   200    200
GET    /tournaments/<tournament>/desk                          public  403  403  403  403  403  403  403   403   403  403   403   200    200
GET    /tournaments/<tournament>/desk                          private 404  404  404  404  404  404  404   404   404  404   404   200    200
POST   /tournaments/<tournament>                               public  401  401  401  401  401  401  401   401   401  401   401   403c   303
POST   /tournaments/<tournament>                               private 401  401  401  401  401  401  401   401   401  401   401   403c   303
POST   /tournaments/<tournament>/desk                          public  401  401  401  401  401  401  401   401   401  401   401   403c   303
POST   /tournaments/<tournament>/desk                          private 401  401  401  401  401  401  401   401   401  401   401   403c   303
GET    /watch                                                  -       200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /players/<name>                                         -       200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /sign-in                                                -       200  200  200  200  200  200  200   200   200  200   200   200    200
POST   /sign-in                                                -       303  303  303  303  303  303  303   303   303  303   303   303    303
GET    /sign-up                                                -       200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /sign-up/name                                           -       200  200  200  200  200  200  200   200   200  200   200   200    200
POST   /sign-up                                                -       303  303  303  303  303  303  303   303   303  303   303   403c   303
POST   /guest                                                  -       303  303  303  303  303  303  303   303   303  303   303   403c   303
POST   /sign-out                                               -       303  303  303  303  303  303  303   303   303  303   303   403c   303
GET    /account                                                -       401  401  401  401  401  401  401   401   401  401   401   200    200
POST   /account/password                                       -       401  401  401  401  401  401  401   401   401  401   401   403c   303
POST   /account/bot                                            -       401  401  401  401  401  401  401   401   401  401   401   403c   303
POST   /account/mail                                           -       401  401  401  401  401  401  401   401   401  401   401   403c   303
POST   /account/mail/letter                                    -       401  401  401  401  401  401  401   401   401  401   401   403c   303
POST   /account/mail/confirmation                              -       401  401  401  401  401  401  401   401   401  401   401   403c   409
POST   /account/mail/retry                                     -       401  401  401  401  401  401  401   401   401  401   401   403c   303
POST   /account/mail/forget                                    -       401  401  401  401  401  401  401   401   401  401   401   403c   303
POST   /account/tokens                                         -       401  401  401  401  401  401  401   401   401  401   401   403c   200
POST   /account/tokens/<token>/revoke                          -       401  401  401  401  401  401  401   401   401  401   401   403c   303
POST   /account/sessions/<session>/end                         -       401  401  401  401  401  401  401   401   401  401   401   403c   303
POST   /account/sessions/end-others                            -       401  401  401  401  401  401  401   401   401  401   401   403c   303
POST   /account/authorizations/<app>/end                       -       401  401  401  401  401  401  401   401   401  401   401   403c   303
POST   /account/apps                                           -       401  401  401  401  401  401  401   401   401  401   401   403c   303
POST   /account/apps/<app>                                     -       401  401  401  401  401  401  401   401   401  401   401   403c   303
POST   /account/apps/<app>/delete                              -       401  401  401  401  401  401  401   401   401  401   401   403c   303
GET    /oauth/authorize                                        -       401  401  401  401  401  401  401   401   401  401   401   200    200
POST   /oauth/authorize                                        -       401  401  401  401  401  401  401   401   401  401   401   403c   303
POST   /oauth/token                                            -       400  400  400  400  400  400  400   400   400  400   400   400    400
POST   /oauth/revoke                                           -       200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /.well-known/oauth-authorization-server                 -       200  200  200  200  200  200  200   200   200  200   200   200    200
POST   /account/delete                                         -       401  401  401  401  401  401  401   401   401  401   401   403c   303
GET    /docs                                                   -       200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /docs/<name>                                            -       200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /docs/contents                                          -       200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /healthz                                                -       200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /metrics                                                -       200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /readyz                                                 -       200  200  200  200  200  200  200   200   200  200   200   200    200
"""


@dataclass(frozen=True)
class Column:
    """A client that asks."""

    role: str = ""
    at_the_table: str = "nobody"
    scopes: tuple[str, ...] = ()
    by: str = "token"


COLUMNS = {
    "none": Column(by="nothing"),
    "bad": Column(by="bad token"),
    "read": Column("player", "owner", ("read",)),
    "play": Column("player", "owner", ("play",)),
    "acct": Column("player", "owner", ("account",)),
    "admn": Column("admin", "owner", ("admin",)),
    "guest": Column("guest"),
    "other": Column("player"),
    "seat": Column("player", "seated"),
    "owner": Column("player", "owner"),
    "admin": Column("admin"),
    "cookie": Column("player", "owner", by="cookie"),
    "csrf": Column("player", "owner", by="csrf"),
}


@dataclass(frozen=True)
class Row:
    method: str
    path: str
    kind: str
    """`public` or `private` for what concerns a table, a study or a tournament; `-` for the rest."""
    cells: tuple[str, ...]

    @property
    def operation(self) -> str:
        return f"{self.method} {self.path}"


def rows(table: str) -> list[Row]:
    header, *lines = table.strip().splitlines()
    assert header.split() == list(COLUMNS)
    split = [line.split() for line in lines if line.strip()]
    return [Row(method, path, kind, tuple(cells)) for method, path, kind, *cells in split]


ROWS = rows(TABLE)


# What is sent, where an empty body does not do, and how far the table has come


NOBODYS_MOVE = {"decision": "99-red", "kind": "stop"}
"""No player was ever asked this: a client that may move at all learns that it is not the question."""

TWO_BOTS = "012 Duels\n001    1      bot:greedy:1\n001    2      bot:greedy:2\n"

BODIES: dict[str, dict[str, Any]] = {
    "POST /api/v1/accounts": {"handle": "babieca", "password": PASSWORD},
    "POST /api/v1/sessions": {"handle": "host", "password": PASSWORD},
    "POST /api/v1/complaints/<complaint>/acts": {"acts": ["silence"]},
    "POST /api/v1/me": {"handle": "babieca", "password": PASSWORD},
    "DELETE /api/v1/me": {"password": PASSWORD},
    "PUT /api/v1/me/bot": {"bot": True},
    "POST /api/v1/me/mail/confirmation": {"code": "a code"},
    "POST /api/v1/tokens": {"name": "my bot"},
    "PUT /api/v1/me/password": {"old": PASSWORD, "new": "babieca y tizona"},
    "POST /api/v1/me/webhooks": {"url": HOOK},
    "PATCH /api/v1/me/webhooks/<webhook>": {"enabled": True},
    "POST /api/v1/me/apps": {"name": "Club site", "redirect_uris": ["https://club.example/back"]},
    "PATCH /api/v1/me/apps/<app>": {"name": "Club"},
    "POST /api/v1/games": {"players": 2},
    "POST /api/v1/games/<game>/chat": {"text": "Hola"},
    "PUT /api/v1/me/notices": {"browser": True, "sound": False},
    "POST /api/v1/games/<game>/vacation": {"days": 1},
    "POST /api/v1/games/<game>/moves": NOBODYS_MOVE,
    "PUT /api/v1/games/<game>/ahead/<decision>": {
        "answer": {"kind": "veto_response", "answer": "allow"},
        "every": True,
    },
    "POST /api/v1/studies": {"title": "Vetoes"},
    "POST /api/v1/studies/markdown": {"text": "Takes the *sting* out of it"},
    "POST /api/v1/studies/<study>/chapters/<chapter>/nodes/<node>/preview": {"seat": "red", "move": NOBODYS_MOVE},
    "POST /api/v1/studies/<study>/chapters/<chapter>/nodes/<node>/guess": {"seat": "red", "move": NOBODYS_MOVE},
    "POST /api/v1/studies/import": {"format": "text", "document": "# Vetoes"},
    "POST /api/v1/tournaments": {"title": "Club evening", "game": "el_grande"},
    "POST /api/v1/tournaments/plan": {"players": 8, "size": 4},
    "POST /api/v1/tournaments/import": {"game": "el_grande", "document": TWO_BOTS},
    "POST /api/v1/tournaments/<tournament>/actions": {"kind": "announce", "text": "Welcome"},
    "POST /api/v1/tournaments/<tournament>/actions/preview": {
        "kind": "adjudicate",
        "round": 1,
        "table": 0,
        "result": {"places": [1, 2, 3, 4]},
        "reason": "A power failure",
    },
    "POST /api/v1/studies/<study>/edits": {"kind": "write_comment", "chapter": "k1", "node": "2", "text": "Aha"},
}
FORMS: dict[str, dict[str, str]] = {
    "POST /start": {"with": "friends"},
    "POST /games/<game>/waiting": {"act": "sit"},
    "POST /games/<game>/chat": {"text": "Hola"},
    "POST /studies": {"title": "Vetoes"},
    "POST /tournaments/new": {"preset": "casual-evening", "act": "open", "title": "Club evening", "key": "one"},
    "POST /tournaments/<tournament>": {"act": "announce", "text": "Welcome"},
    "POST /tournaments/<tournament>/desk": {
        "act": "rule",
        "table": "1",
        "kind": "adjudicate",
        "place-1": "1",
        "reason": "A power failure",
    },
    "POST /sign-in": {"handle": "host", "password": PASSWORD},
    "POST /sign-up": {"handle": "babieca", "password": PASSWORD},
    "POST /account/password": {"old": PASSWORD, "new": "babieca y tizona"},
    "POST /account/mail": {"address": "ana@people.example", "choices": "turn", "digest": "soon"},
    "POST /account/mail/confirmation": {"code": "a code"},
    "POST /account/tokens": {"name": "my bot", "scopes": "read", "key": "one"},
    "POST /account/apps": {"name": "Club site", "redirect_uris": BACK, "key": "one"},
    "POST /account/apps/<app>": {"name": "Club", "redirect_uris": BACK},
    "POST /oauth/authorize": {"decision": "allow", "scopes": "read", "duration": "day"},
    "POST /oauth/token": {"grant_type": "authorization_code", "code": "nothing"},
    "POST /oauth/revoke": {"token": "nothing"},
    "POST /account/delete": {"password": PASSWORD},
}
"""The forms of pages, where an empty one does not do."""

A_SEAT_IS_FREE = ("/seats", "/seats/mine", "/invitations", "/abort")
FULL = ("/start", "/players/<player>")


class World:
    """A table, its host, and a client that asks."""

    def __init__(self, app: Application, column: Column, row: Row) -> None:
        self.app = app
        self.accounts: Accounts = app.services.accounts
        self.column = column
        self.host = self.accounts.register("host", PASSWORD).id
        self.asker = self.account(column.role) if column.role else ""
        self.game = self.table(row) if "<game>" in row.path else ""
        self.study = self.study_of(row) if "<study>" in row.path else ""
        self.tournament = self.tournament_of(row) if "<tournament>" in row.path else ""

    def account(self, role: str) -> str:
        if role == "guest":
            return self.accounts.make_guest().id
        account = self.accounts.register("asker", PASSWORD).id
        self.accounts.set_role("asker", "admin" if role == "admin" else "player")
        return account

    def table(self, row: Row) -> str:
        games = self.app.services.games
        owner = self.asker if self.column.at_the_table == "owner" else self.host
        second = self.asker if self.column.at_the_table == "seated" else "a_another_player_1"
        game = games.create("el_grande", 3, owner=owner, visibility=row.kind).id
        for account in (owner, second, "a_another_player_2"):
            games.submit(game, Join(account, invited=True))
        if row.path.endswith(A_SEAT_IS_FREE):
            games.submit(game, Leave("a_another_player_2"))
        elif not row.path.endswith(FULL):
            games.submit(game, Start(owner))
        if "<message>" in row.path:
            self.app.services.chat.chat.write(f"{game}/players", "a_another_player_2", "Hola")
        return str(game)

    def study_of(self, row: Row) -> str:
        """A study of a game that ended early."""
        games, studies = self.app.services.games, self.app.services.studies
        game = games.create("el_grande", 2, owner=self.host).id
        for account in ("a_another_player_1", "a_another_player_2"):
            games.submit(game, Join(account))
        games.submit(game, Start(self.host))
        games.submit(game, Resign("a_another_player_1"))
        owner = self.asker if self.column.at_the_table == "owner" else self.host
        study = studies.create(owner, "Vetoes", row.kind).id
        studies.submit(study, AddChapter(owner, "One", game, "everything"))
        if self.column.at_the_table == "seated":
            studies.submit(study, SetMember(owner, self.asker, "contributor"))
        return str(study)

    def tournament_of(self, row: Row) -> str:
        """A tournament in its first round."""
        tournaments = self.app.services.tournaments
        owner = self.asker if self.column.at_the_table == "owner" else self.host
        options = Options("Club evening", "el_grande", visibility=row.kind)
        tournament = tournaments.create(owner, options).id
        seated = [self.asker] if self.column.at_the_table == "seated" else []
        for player in [*seated, *(f"bot:greedy:{number}" for number in range(1, 5))][:4]:
            tournaments.submit(tournament, Register(SERVICE, player))
        for command in (StartTournament(owner), ProposeRound(owner), PublishRound(owner), StartRound(owner)):
            tournaments.submit(tournament, command)
        return str(tournament)

    def ask(self, row: Row) -> TestResponse:
        client, headers, csrf = self.app.test_client(), {}, ""
        match self.column.by:
            case "bad token":
                headers = {"Authorization": f"Bearer hdg_{'x' * 59}"}
            case "token":
                headers = {"Authorization": f"Bearer {self.token()}"}
            case "cookie" | "csrf":
                session = self.accounts.sessions.sign_in("asker", PASSWORD)
                client.set_cookie("hidalgo_session", session.secret)
                csrf = session.csrf if self.column.by == "csrf" else ""
        sent = self.sent(row, csrf)
        if csrf and "json" in sent:
            headers = {"X-CSRF-Token": csrf}
        return client.open(self.filled(row.path), method=row.method, headers=headers, **sent)

    def sent(self, row: Row, csrf: str) -> dict[str, Any]:
        """The body; pages are sent forms, in which the token against forged requests is a field."""
        if row.method == "GET":
            return {}
        if not row.path.startswith(API):
            sent = FORMS.get(row.operation, {}) | {"csrf": csrf}
            return {"data": sent | ({"client_id": self.app_id()} if row.path.startswith("/oauth") else {})}
        return {"json": BODIES.get(row.operation, {})}

    def token(self) -> str:
        return self.accounts.tokens.create(self.asker, "test", self.column.scopes or SCOPES[self.column.role]).secret

    def app_id(self) -> str:
        """An app of the host's, which the asker allows; where apps are looked after, it is the asker's own."""
        name, mine = "Club site", self.asker and self.column.role != "guest"
        app = self.app.services.apps.register(self.asker if mine else self.host, name, [BACK], once="one app")
        if self.asker:
            self.app.services.authorizations.allow(self.asker, app.id, name, ["read"], 0, BACK, "c" * 43)
        return app.id

    def word(self) -> str:
        """The link of the table."""
        service = self.app.services.game_service
        return service.link(self.game, service.games.load(self.game).owner).word if self.game else ""

    def filled(self, path: str) -> str:
        """The path with names in it; what is asked about besides tables belongs to the host or to the asker."""
        if "<complaint>" in path:
            self.app.services.chat.complaints.add(Complaint("g", "players", 1, self.host, "rude", "a_another_player_1"))
            path = path.replace("<complaint>", self.app.services.chat.complaints.all()[0].id)
        if "<token>" in path:
            mine = self.asker or self.host
            path = path.replace("<token>", self.accounts.tokens.create(mine, "old", ["read"]).token.id)
        if "<app>" in path:
            path = path.replace("<app>", self.app_id())
        if path == "/oauth/authorize":
            asked = {"response_type": "code", "client_id": self.app_id(), "redirect_uri": BACK}
            path += "?" + urlencode(asked | {"code_challenge": "c" * 43, "code_challenge_method": "S256"})
        if "<webhook>" in path:
            hook = self.app.services.webhooks.create(self.asker or self.host, HOOK, ["your_turn"], "old")
            path = path.replace("<webhook>", hook.id).replace("<number>", "1")
        names = {"<game>": self.game, "<player>": self.host, "<rules>": "el_grande", "<name>": "clients"}
        names |= {"<tournament>": self.tournament, "<round>": "1", "<int:number>": "1", "<table>": "0"}
        names |= {"<word>": self.word(), "<room>": "players", "<message>": "1"}
        names |= {"<study>": self.study, "<chapter>": "k1", "<node>": "4"}
        names |= {
            "<schema>": "Fact",
            "<decision>": "veto",
            "<path:name>": "pages.css",
            "<version>": "0",
            "<session>": "0" * 16,
        }
        if "/games/<game>/players" in path:
            names["<player>"] = "a_another_player_2"
        if "/tournaments/<tournament>/players" in path:
            names["<player>"] = "bot:greedy:1"
        if path.startswith("/players"):
            names["<name>"] = "host"
        if path.startswith("/client"):
            names["<name>"] = "hidalgo.js"
        for name, value in names.items():
            path = path.replace(name, value)
        return path


@pytest.fixture
def app(running_stores):
    """With passwords that are kept in no time."""
    with running_stores.opened("embedded") as store:
        settings = Settings(
            mail_server=MailServer("smtp", "127.0.0.1", 1), mail_from="us@mail.example", public_url="https://x.example"
        )
        quick = Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        # All names lead to where no webhook may, so that a test delivery is refused before it leaves.
        private = AddressPolicy(resolve=lambda host, port: ["10.0.0.1"])
        wired = replace(
            services(store, settings, serving=True),
            accounts=Accounts(store, quick, cached_for=0),
            webhooks=Webhooks(store, Sender(private)),
        )
        yield application(settings, wired)
        wired.close()


def test_every_operation_of_the_service_has_its_rows():
    operations = {
        f"{method} {rule.rule}"
        for rule in create_app().url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert {row.operation for row in ROWS} == operations
    for operation in operations:
        concerned = any(name in operation for name in ("<game>", "<study>", "<tournament>"))
        kinds = {"public", "private"} if concerned else {"-"}
        assert {row.kind for row in ROWS if row.operation == operation} == kinds


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.operation} {row.kind}")
def test_every_role_may_do_the_operations_of_its_rows(app, row):
    found = {name: asked(app, column, row) for name, column in COLUMNS.items()}
    assert found == dict(zip(COLUMNS, row.cells, strict=True))


def asked(app: Application, column: Column, row: Row) -> str:
    for primary in app.services.store.primaries().values():
        primary.flushall()
    with World(app, column, row).ask(row) as answer:
        status = str(answer.status_code)
        if answer.status_code < 400:
            return status
        code = (answer.get_json(silent=True) or {}).get("code")
    if not code:  # Of OAuth, or in a page.
        return status
    return next(
        (cell for cell, expected in CODES.items() if (cell[:3], expected) == (status, code)), f"{status} {code}"
    )
