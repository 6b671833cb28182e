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
    """A bot in another process: one line of JSON in, one line of JSON out."""

    def __init__(self, command):
        self.process = Popen(command, stdin=PIPE, stdout=PIPE, text=True)
        self.history = []

    def choose(self, view):
        # The engine has no memory, so send all finished rounds. It would guess missing ones.
        if view["last_round"] and view["last_round"] not in self.history:
            self.history.append(view["last_round"])
        question = {"id": view["at"], "view": view, "history": self.history}
        try:
            print(json.dumps(question), file=self.process.stdin, flush=True)
            answer = json.loads(self.process.stdout.readline())
        except (OSError, ValueError):
            self.end()
            sys.exit(f"{' '.join(self.process.args)} does not answer as an engine does")
        return answer.get("action") or sys.exit(f"the engine says: {answer}")

    def end(self):
        with suppress(OSError):  # the process may have exited already
            self.process.stdin.close()
        return self.process.wait()

def game(tables, engine):
    """Plays one game and returns the ranks of our bot and of the engine."""
    engine.history = []
    ours = json.load(ask(tables, body={"players": 2, "name": "Python"}))
    table = f"{tables}/{ours['table']}"
    theirs = json.load(ask(f"{table}/seats", body={"name": "Engine"}))
    seats = {ours["seat"]: (ours["token"], choose), theirs["seat"]: (theirs["token"], engine.choose)}
    view = json.load(ask(table))
    while view["phase"] != "over":  # we play both seats, so no need to wait for events
        token, chosen_by = seats[view["to_act"]]
        view = json.load(ask(table, token))
        view = json.load(ask(f"{table}/actions", token, {"action": chosen_by(view), "at": view["at"]}))
    return [view["final"][seat["seat"]]["rank"] for seat in (ours, theirs)]

if __name__ == "__main__":
    if len(sys.argv) < 4 or not sys.argv[2].isdecimal():
        sys.exit(__doc__)
    server, games, *command = sys.argv[1:]
    try:
        engine = Engine(command)
    except OSError as trouble:
        sys.exit(f"no engine: {trouble}")
    try:
        results = [game(server.rstrip("/") + "/api/v1/tables", engine) for _ in range(int(games))]
    except (OSError, HTTPException, ValueError) as trouble:
        sys.exit(f"no game at {server}: {getattr(trouble, 'reason', trouble)}")
    ended = engine.end()
    print(f"{len(results)} games: won {results.count([1, 2])}, lost {results.count([2, 1])}, drawn {results.count([1, 1])}")
    sys.exit(ended)
