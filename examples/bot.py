#!/usr/bin/env python3
"""A bot that plays Sultan over HTTP. Needs only the Python standard library.

    python3 examples/bot.py http://127.0.0.1:8080             opens a table against three merchants
    python3 examples/bot.py http://127.0.0.1:8080/t/TABLE     takes a free seat at that table
"""
import json, sys, time
from http.client import HTTPException
from urllib.request import Request, urlopen

def choose(view):
    """Returns one of `view["legal"]`. Replace this with your own strategy."""
    mine = view["seats"][view["seat"]]["collection"]
    worth = lambda jewel: "WRYGB".index(jewel) + 1 + mine[jewel]  # points, plus a little for a set
    def value(bid):
        card, there = int(bid.split("@")[0]), view["cushions"][int(bid.split("@")[1]) - 1]
        # Each bid on the cushion lowers the chance to win. Subtract a price, so that high cards are saved.
        return (card / 15) ** (len(there["bids"]) + 0.5) * worth(there["jewel"]) - card / 5
    return max(view["legal"], key=value if view["phase"] == "bid" else lambda offer: sum(map(worth, offer)))

def ask(link, token=None, body=None):
    """Sends a request. Retries after rate limits (429) and server errors (502, 503, 504)."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    while True:
        try:
            return urlopen(Request(link, json.dumps(body).encode() if body else None, headers), timeout=60)
        except OSError as refused:
            if getattr(refused, "code", 0) not in (429, 502, 503, 504):
                raise
            time.sleep(int(refused.headers.get("Retry-After", 1)))

def play(table, token):
    """Plays a seat until the game is over and returns the final result."""
    while True:
        try:
            for line in ask(f"{table}/events", token):  # the newest view, then one view per change
                view = json.loads(line[5:]) if line.startswith(b"data:") else {}
                if view.get("phase") == "over":
                    return view["final"]
                if view.get("legal"):  # our turn; `at` prevents a repeated request from acting twice
                    ask(f"{table}/actions", token, {"action": choose(view), "at": view["at"]}).close()
        except (OSError, HTTPException) as trouble:  # connection lost, or the table changed (409): reconnect
            time.sleep(1) if getattr(trouble, "code", 409) == 409 else sys.exit(trouble.read().decode())

if __name__ == "__main__":
    server, _, table = (sys.argv[1] if sys.argv[1:] else sys.exit(__doc__)).rstrip("/").partition("/t/")
    tables = f"{server}/api/v1/tables"
    against = {"players": 4, "name": "Python", "seats": [{"human": True}] + 3 * [{"bot": "merchant"}]}
    try:
        seat = json.load(ask(f"{tables}/{table}/seats", body={"name": "Python"}) if table else ask(tables, body=against))
    except (OSError, HTTPException, ValueError) as trouble:  # no free seat, no server, or not a URL
        sys.exit(f"no seat for us: {trouble.read().decode() if hasattr(trouble, 'code') else trouble}")
    print(f"seat {seat['seat']} at {server}/t/{table or seat['table']}", flush=True)
    final = sorted(play(f"{tables}/{table or seat['table']}", seat["token"]), key=lambda place: place["rank"])
    print(*(f"{place['rank']}. seat {place['seat']}: {place['points']} points" for place in final), sep="\n")
