"""Checks the rounds of a tournament: python3 verify_rounds.py tournament.json

The file is an export (`GET /api/v1/tournaments/{id}/export`, `hidalgo tournament export`), or that of
`tournaments/publication.py`; docs/tournaments.md tells what a certificate claims. Every claim is computed again from
players and results, by the standard library alone: this shares no code with the service.
Exit code 0: all is true. 1: something is not. 2: this is no such file.
"""

import json
import sys
from hashlib import sha256
from itertools import combinations, pairwise, product
from math import comb

LISTS = {"5-3-2-1-0": (5, 3, 2, 1), "6-5-3-1-0": (6, 5, 3, 1), "win-draw": (5,), "win": (5,), "chess": (1,)}


def digest(value):
    return sha256(json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()).hexdigest()


# Points, in sixtieths


def worth(scheme, size):
    preset, below = scheme.get("preset", "24"), range(size - 1, -1, -1)
    if preset in ("24", "vp-share"):
        return [24 * 60 * count // (size - 1) for count in below]
    if preset == "6-4-2-0":
        return [120 * count for count in below]
    return [60 * points for points in (*LISTS.get(preset, scheme.get("places", ())), *[0] * size)[:size]]


def table_points(scheme, table):
    result, size = table["result"], len(table["players"])
    absent, left = set(result.get("absent", ())), set(result.get("abandoned", ()))
    there, stayed = [s for s in range(size) if s not in absent], set(range(size)) - absent - left
    if len(there) < 2:
        return {seat: worth(scheme, size)[0] for seat in there}
    place = {s: 1 + sum(result["places"][o] < result["places"][s] for o in stayed) for s in stayed}
    places = [place.get(seat, len(stayed) + 1) for seat in there]
    scores = [result["victory_points"][seat] for seat in there] if result.get("victory_points") else []
    if scheme.get("preset") == "vp-share" and sum(scores) > 0:
        counted = [max(0, each) for each in scores]
        units = [(2 * 720 * len(there) * each + sum(counted)) // (2 * sum(counted)) for each in counted]
    elif scheme.get("preset") == "win-draw" and places.count(1) > 1:
        units = [60 * (each == 1) for each in places]
    else:
        first, count, value = sorted(places).index, places.count, worth(scheme, len(there))
        units = [sum(value[first(each) : first(each) + count(each)]) // count(each) for each in places]
    return {seat: points for seat, points in zip(there, units, strict=True) if seat in stayed}


class Stage:
    """What is known before a round: it grows round by round."""

    def __init__(self, history):
        self.history, self.scheme, self.bye = history, history.get("points", {}), history.get("bye", "win")
        self.players = {player["id"]: player for player in history["players"]}
        self.scores, self.odd = dict.fromkeys(self.players, 0), dict.fromkeys(self.players, 0)
        self.seats, self.met, self.past = {player: [] for player in self.players}, {}, []
        self.digest = digest([self.scheme, self.bye])

    def play(self, round):
        win, number = worth(self.scheme, round["size"])[0], len(self.past) + 1
        for table in round.get("tables", ()):
            there = present(table)
            for seat, player in enumerate(there if len(there) > 1 else ()):
                self.seats[player].append(seat)
                self.odd[player] += len(table["players"]) != round["size"]
            for pair in combinations(there, 2):
                self.met[frozenset(pair)] = self.met.get(frozenset(pair), 0) + 1
            for seat, units in table_points(self.scheme, table).items() if "result" in table else ():
                self.scores[table["players"][seat]] += units
        value = {"bye": {"win": win, "half": win // 2, "zero": 0}[self.bye], "full_bye": win, "half_bye": win // 2}
        for player, kind in round.get("unpaired", {}).items():
            self.odd[player] += kind == "bye"
            self.scores[player] += value.get(kind, 0)
        made = [made for made in self.history.get("adjustments", ()) if made["round"] == number]
        for each in made:
            self.scores[each["player"]] += each["units"]
        self.past.append(round)
        self.digest = digest([self.digest, round, made])


def present(table):
    absent = table.get("result", {}).get("absent", ())
    return [player for seat, player in enumerate(table["players"]) if seat not in absent]


# A round


class Claims:
    """A round and its certificate, beside what was known before."""

    def __init__(self, stage, round, drawn):
        self.stage, self.round, self.is_outdated = stage, round, drawn["is_outdated"]
        self.certificate, self.wishes = drawn["certificate"], drawn["certificate"]["wishes"]
        self.tables = [table["players"] for table in round["tables"]]
        self.is_odd = [len(players) != round["size"] for players in self.tables]
        self.seated = [player for players in self.tables for player in players]
        self.out = round.get("unpaired", {})
        self.scores = dict.fromkeys(stage.scores, 0) if self.wishes.get("by_lot") else stage.scores
        self.forbidden = {frozenset(pair) for pair in self.wishes.get("forbidden", ())}

    @property
    def bound(self):
        """What the digest is of: the certificate without it, and the round as it was drawn."""
        unsigned = {name: value for name, value in self.certificate.items() if name != "digest"}
        return [unsigned, {**self.round, "tables": [{"players": players} for players in self.tables]}]

    def problems(self):
        if self.certificate["digest"] != digest(self.bound):
            yield "the digest is another"
        everybody = {*self.seated, *self.out}
        if len(everybody) != len(self.seated) + len(self.out) or not everybody <= self.stage.players.keys():
            yield "a player is in two places, or none of this tournament"
        elif self.certificate["history"] == self.stage.digest:
            yield from (*self.order(), *self.numbers(), *self.exchanges())
        elif not self.is_outdated:
            yield "it was drawn from other results"

    def order(self):
        names = {player["number"]: id for id, player in self.stage.players.items()}
        order = [names.get(number) for number in self.certificate["order"]]
        byes = {player for player, kind in self.out.items() if kind == "bye"}
        drawn = {player for players in self.tables[self.certificate["fixed"] :] for player in players} | byes
        if len(set(order)) < len(order) or not drawn <= set(order) <= byes.union(self.seated):
            yield "the pairing order holds other players"
        elif any(self.scores[low] > self.scores[high] for high, low in pairwise(order)):
            yield "the pairing order is not one by scores"

    def numbers(self):
        tables, size, stage = self.tables, self.round["size"], self.stage
        had = [[*stage.seats[player], seat] for players in tables for seat, player in enumerate(players)]
        counts = [[seats.count(number) for number in range(size)] for seats in had]
        uneven = [max(each) - min(each) for each in counts]
        spreads = [[self.scores[player] for player in players] for players in tables]
        sums = self.cost(zip(tables, self.is_odd, strict=True))
        true = dict(zip(("kept_apart", "team_mates", "meetings", "odd", "squares"), sums, strict=True)) | {
            "repeats": sum(frozenset(pair) in stage.met for players in tables for pair in combinations(players, 2)),
            "least_repeats": least_repeats(stage, [len(players) for players in tables], set(self.seated)),
            "spread": sum(max(each) - min(each) for each in spreads),
            "seats_worst": max(uneven, default=0),
            "seats_sum": sum(uneven),
        }
        for name, value in true.items():
            if self.certificate[name] != value:
                yield f"{name} is {value}, not {self.certificate[name]}"

    def cost(self, tables):
        """Pairs kept apart, team-mates, squares of meetings, of odd tables, and of differences of scores."""
        apart = mates = meetings = odd = squares = 0
        for players, is_odd in tables:
            for one, other in combinations(players, 2):
                team = self.stage.players[one].get("team") if self.wishes.get("teams_apart", True) else None
                apart += frozenset((one, other)) in self.forbidden
                mates += bool(team) and team == self.stage.players[other].get("team")
                meetings += self.stage.met.get(frozenset((one, other)), 0) ** 2
                squares += (self.scores[one] - self.scores[other]) ** 2
            odd += is_odd * sum(self.stage.odd[player] ** 2 for player in players)
        return apart, mates, meetings, odd, squares

    def ranked(self, *tables):
        """The cost of some tables, the worst first."""
        apart, mates, meetings, odd, squares = self.cost(tables)
        is_level_first = self.wishes.get("rematch") == "level-first"
        return (apart, mates, squares, meetings, odd) if is_level_first else (apart, mates, meetings, odd, squares)

    def exchanges(self):
        """That no two players at tables near by could change places for a better round."""
        window = self.certificate["window"]
        for one in range(self.certificate["fixed"], len(self.tables)):
            for other in range(one + 1, min(len(self.tables), one + window + 1)):
                now = self.ranked((self.tables[one], self.is_odd[one]), (self.tables[other], self.is_odd[other]))
                for here, there in product(self.tables[one], self.tables[other]) if any(now) else ():
                    swap = {here: there, there: here}
                    new = [([swap.get(p, p) for p in self.tables[t]], self.is_odd[t]) for t in (one, other)]
                    if self.ranked(*new) < now:
                        yield f"{here} and {there} could change places"


def least_repeats(stage, sizes, seated):
    """As few pairs can meet again: by the strangers left to each player, and by the tables of each earlier round."""
    known = dict.fromkeys(seated, 0)
    for pair in stage.met:
        for player in pair if pair <= seated else ():
            known[player] += 1
    wanted = sorted(size - 1 for size in sizes for _ in range(size))
    strangers = sorted(len(seated) - 1 - count for count in known.values())
    bounds = [-(-sum(max(0, want - have) for want, have in zip(wanted, strangers, strict=True)) // 2)]
    for past in stage.past:
        groups = [count for t in past.get("tables", ()) if (count := len(seated.intersection(present(t)))) > 1]
        filled, alone = sorted(sizes), len(seated) - sum(groups)
        while alone and filled[-1] > len(groups):
            filled, alone = sorted([*filled[:-1], filled[-1] - 1]), alone - 1
        shares = [divmod(size, max(1, len(groups))) for size in filled]
        bounds.append(sum(more * comb(each + 1, 2) + (len(groups) - more) * comb(each, 2) for each, more in shares))
    return max(bounds)


class Log:
    """An export, fact by fact: it becomes what a publication tells. Facts that are hidden come to nothing here."""

    def __init__(self, commits):
        self.players, self.parts, self.drawn, self.secret, self.last_change = {}, [{}], None, "", 0
        self.rounds, self.adjustments = [], {}
        for number, commit in enumerate(commits):
            for fact in (each["fact"] for each in commit["facts"] if "fact" in each):
                getattr(self, f"after_{fact['fact']}", lambda number, fact: None)(number, fact)

    def after_tournament_created(self, number, fact):
        self.id, self.commitment, self.options = fact["tournament"], fact["commitment"], fact["options"]

    def after_options_changed(self, number, fact):
        self.options = fact["options"]

    def after_player_registered(self, number, fact):
        self.players[fact["player"]] = {"id": fact["player"], "number": fact.get("number", 0), "team": fact.get("team")}

    def after_player_unregistered(self, number, fact):
        del self.players[fact["player"]]

    def after_tournament_started(self, number, fact):
        numbers = enumerate(fact["numbers"], start=1)
        self.players = {player: {**self.players[player], "number": number} for number, player in numbers}

    def after_stage_begun(self, number, fact):
        self.parts.append({})

    def after_round_proposed(self, number, fact):
        self.drawn = {**fact, "stage": len(self.parts) - 1, "commit": number}

    def after_round_published(self, number, fact):
        self.rounds.append(self.drawn)

    def after_round_retracted(self, number, fact):
        self.rounds.pop()

    def after_result_recorded(self, number, fact):
        tables = self.rounds[fact["round"] - 1]["round"]["tables"]
        tables[fact["table"]] = {"players": tables[fact["table"]]["players"]}
        if fact["result"]:
            tables[fact["table"]]["result"] = fact["result"]

    def after_result_changed(self, number, fact):
        self.after_result_recorded(number, fact)
        self.last_change = number

    def after_points_adjusted(self, number, fact):
        self.adjustments.pop(fact["ruling"], None)
        if fact["units"]:
            self.adjustments[fact["ruling"]] = fact
        self.last_change = number

    def after_tournament_finished(self, number, fact):
        self.secret = fact["secret"]

    def published(self):
        stages = [self.stage(number) for number in range(len(self.parts))]
        return {"id": self.id, "commitment": self.commitment, "secret": self.secret, "stages": stages}

    def stage(self, stage):
        rounds, made = [each for each in self.rounds if each["stage"] == stage], self.adjustments.values()
        history = {
            "players": list(self.players.values()),
            "points": self.options.get("points", {}),
            "bye": self.options.get("bye", "win"),
            "rounds": [each["round"] for each in rounds],
            "adjustments": [
                {name: each[name] for name in ("player", "units", "round")}
                for each in made
                if each.get("stage", 0) == stage
            ],
        }
        for each in rounds:
            each["is_outdated"] = self.last_change > each["commit"]
        return {"history": history, "rounds": rounds}


def checked(file):
    """All problems of a file, one by one."""
    file = Log(file["commits"]).published() if "commits" in file else file
    secret = bytes.fromhex(file["secret"])
    if secret and sha256(b"hidalgo secret\0" + secret).hexdigest() != file["commitment"]:
        yield "the secret is another than the one that was fixed at the creation"
    for number, part in enumerate(file["stages"], start=1):
        stage = Stage(part["history"])
        for round, drawn in zip(part["history"].get("rounds", ()), part["rounds"], strict=True):
            purpose = f"round {drawn['number']} {drawn['attempt']}".encode()
            seed = sha256(b"\0".join([b"hidalgo tournament", secret, file["id"].encode(), purpose])).hexdigest()
            if secret and drawn["certificate"]["seed"] != seed:
                yield f"round {drawn['number']}: the seed does not follow from the secret"
            for problem in Claims(stage, round, drawn).problems():
                yield f"round {drawn['number']}: {problem}"
            if drawn["is_outdated"] and drawn["certificate"]["history"] != stage.digest:
                print(f"round {drawn['number']} was drawn before a ruling: its claims about scores are not checked")
            stage.play(round)
        print(f"stage {number}: {len(part['rounds'])} rounds, {len(stage.players)} players")


if __name__ == "__main__":
    try:
        with open(sys.argv[1], encoding="utf-8") as opened:
            wrong = list(checked(json.load(opened)))
    except (AttributeError, IndexError, KeyError, OSError, TypeError, ValueError) as error:
        sys.exit(print(f"this is no file of a tournament: {error!r}", file=sys.stderr) or 2)
    print(*wrong or ["every round is as its certificate says"], sep="\n")
    sys.exit(bool(wrong))
