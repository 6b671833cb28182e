#!/usr/bin/env python3
"""Plays the bot of bot.py against `sultan engine` in games for two on a running server.

    python3 examples/match.py http://127.0.0.1:8080 10 sultan engine --bot jeweller
"""
import json, sys
from contextlib import suppress
from http.client import HTTPException
from subprocess import PIPE, Popen

from bot import ask, choose

class Engine:
    """A bot in another process. It reads one line of JSON per question and writes one line of JSON per answer."""

    def __init__(self, command):
        self.process = Popen(command, stdin=PIPE, stdout=PIPE, text=True)
        self.history = []  # the finished rounds of the current game

    def choose(self, view):
        # The engine has no memory, so send all finished rounds. It would guess rounds that are missing.
        if view["last_round"] and view["last_round"] not in self.history:
            self.history.append(view["last_round"])
        question = {"id": view["at"], "view": view, "history": self.history}
        try:
            print(json.dumps(question), file=self.process.stdin, flush=True)
            answer = json.loads(self.process.stdout.readline())
        except (OSError, ValueError):
            self.close()
            sys.exit(f"{' '.join(self.process.args)} does not answer as an engine does")
        return answer.get("action") or sys.exit(f"the engine says: {answer}")

    def close(self):
        """Ends the process and returns its exit status."""
        with suppress(OSError):  # the process may have exited already
            self.process.stdin.close()
        return self.process.wait()

def play_game(tables, engine):
    """Plays one game at a new table. Returns the ranks of our bot and of the engine."""
    engine.history = []
    our_seat = json.load(ask(tables, body={"players": 2, "name": "Python"}))
    table = f"{tables}/{our_seat['table']}"
    engine_seat = json.load(ask(f"{table}/seats", body={"name": "Engine"}))
    players = {our_seat["seat"]: (our_seat["token"], choose), engine_seat["seat"]: (engine_seat["token"], engine.choose)}
    view = json.load(ask(table))
    while view["phase"] != "over":  # this program plays both seats, so it does not wait for events
        token, choose_action = players[view["to_act"]]
        view = json.load(ask(table, token))
        view = json.load(ask(f"{table}/actions", token, {"action": choose_action(view), "at": view["at"]}))
    return [view["final"][seat["seat"]]["rank"] for seat in (our_seat, engine_seat)]

if __name__ == "__main__":
    if len(sys.argv) < 4 or not sys.argv[2].isdecimal():
        sys.exit(__doc__)
    server, games, *command = sys.argv[1:]
    try:
        engine = Engine(command)
    except OSError as error:
        sys.exit(f"no engine: {error}")
    try:
        ranks = [play_game(server.rstrip("/") + "/api/v1/tables", engine) for _ in range(int(games))]
    except (OSError, HTTPException, ValueError) as error:
        sys.exit(f"no game at {server}: {getattr(error, 'reason', error)}")
    exit_status = engine.close()
    print(f"{len(ranks)} games: won {ranks.count([1, 2])}, lost {ranks.count([2, 1])}, drawn {ranks.count([1, 1])}")
    sys.exit(exit_status)
