#!/usr/bin/env python3
"""A bot that plays Sultan over HTTP, with nothing but Python's standard library.

    python3 examples/bot.py http://127.0.0.1:8080             opens a table against three merchants
    python3 examples/bot.py http://127.0.0.1:8080/t/TABLE     takes a free seat at that table
"""
import json, sys, time
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

POINTS = {"W": 1, "R": 2, "Y": 3, "G": 4, "B": 5}

def choose(view):
    """Put your own ideas here: `view` has all that your seat may know, `legal` all that it may do."""
    mine = view["seats"][view["seat"]]["collection"]
    worth = lambda jewel: POINTS[jewel] + mine[jewel]  # many of one colour bring a bonus
    def value(bid):
        card, cushion = map(int, bid.split("@"))
        jewel, bids = view["cushions"][cushion - 1]["jewel"], view["cushions"][cushion - 1]["bids"]
        return (card / 15) ** (len(bids) + 0.5) * worth(jewel) - card / 5  # more cards may come; a high one is dear
    return max(view["legal"], key=value if view["phase"] == "bid" else lambda offer: sum(map(worth, offer)))

def ask(link, token=None, body=None):
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    while True:
        try:
            return urlopen(Request(link, json.dumps(body).encode() if body else None, headers), timeout=60)
        except HTTPError as refused:
            if refused.code == 409:  # somebody was faster: look again
                raise
            if refused.code not in (429, 502, 503, 504):
                sys.exit(refused.read().decode())  # what is wrong, and its `code`
            time.sleep(int(refused.headers.get("Retry-After", 1)))  # we were too quick, or the server is busy

def play(table, token):
    """Plays a seat until the game is over, and gives what it sees then."""
    while True:
        try:
            for line in ask(f"{table}/events", token):  # the newest view at once, then one for every change
                if not line.startswith(b"data:"):
                    continue
                view = json.loads(line[5:])
                if view["phase"] == "over":
                    return view
                if view.get("to_act") == view["seat"]:  # `at` makes sure that it is done once, and now or not at all
                    ask(f"{table}/actions", token, {"action": choose(view), "at": view["at"]}).close()
        except (OSError, HTTPException):
            time.sleep(1)  # the server was away, or the table went on: look again

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    server, _, table = sys.argv[1].rstrip("/").partition("/t/")
    tables = f"{server}/api/v1/tables"
    against = {"players": 4, "name": "Python", "seats": [{"human": True}] + 3 * [{"bot": "merchant"}]}
    try:
        seat = json.load(ask(f"{tables}/{table}/seats", body={"name": "Python"}) if table else ask(tables, body=against))
    except HTTPError as refused:
        sys.exit(f"no seat for us: {json.load(refused)['detail']}")
    except (OSError, HTTPException, ValueError) as trouble:  # no server there, or nothing like http://…
        sys.exit(f"no seat for us at {server}: {getattr(trouble, 'reason', trouble)}")
    table = table or seat["table"]
    print(f"seat {seat['seat']} at {server}/t/{table}", flush=True)
    for place in sorted(play(f"{tables}/{table}", seat["token"])["final"], key=lambda place: place["rank"]):
        print(f"{place['rank']}. seat {place['seat']}: {place['points']} points")
