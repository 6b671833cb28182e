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
    # The points of the jewel's colour, and one more for each jewel of this colour that we have: sets give a bonus.
    worth = lambda jewel: "WRYGB".index(jewel) + 1 + mine[jewel]
    def bid_value(bid):  # a bid such as "12@2" is the card 12 on cushion 2
        card, number = map(int, bid.split("@"))
        cushion = view["cushions"][number - 1]
        # Each bid on the cushion lowers the chance to win; 0.5 stands for later bids. The price saves high cards.
        return (card / 15) ** (len(cushion["bids"]) + 0.5) * worth(cushion["jewel"]) - card / 5
    offer_value = lambda offer: sum(map(worth, offer))  # an offer such as "RYB" has one letter per jewel
    return max(view["legal"], key=bid_value if view["phase"] == "bid" else offer_value)

def ask(url, token=None, body=None):
    """Sends a request and returns the response. A request with a body is a POST.

    Retries after rate limits (429) and server errors (502, 503, 504).
    """
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    while True:
        try:
            return urlopen(Request(url, json.dumps(body).encode() if body else None, headers), timeout=60)
        except OSError as error:
            if getattr(error, "code", 0) not in (429, 502, 503, 504):
                raise
            time.sleep(int(error.headers.get("Retry-After", 1)))

def play(table, token):
    """Plays a seat until the game is over and returns the final result."""
    while True:
        try:
            # Server-sent events: the newest view, then one view per change.
            for line in ask(f"{table}/events", token):
                view = json.loads(line.removeprefix(b"data:")) if line.startswith(b"data:") else {}
                if view.get("phase") == "over":
                    return view["final"]
                if view.get("legal"):  # our turn; `at` prevents a repeated request from acting twice
                    ask(f"{table}/actions", token, {"action": choose(view), "at": view["at"]}).close()
        except (OSError, HTTPException) as error:
            if getattr(error, "code", 409) != 409:
                sys.exit(error.read().decode())
            time.sleep(1)  # the connection was lost, or the table had changed (409): reconnect

if __name__ == "__main__":
    server, _, table = (sys.argv[1] if sys.argv[1:] else sys.exit(__doc__)).rstrip("/").partition("/t/")
    tables = f"{server}/api/v1/tables"
    new_table = {"players": 4, "name": "Python", "seats": [{"human": True}] + 3 * [{"bot": "merchant"}]}
    try:
        response = ask(f"{tables}/{table}/seats", body={"name": "Python"}) if table else ask(tables, body=new_table)
        seat = json.load(response)
    except (OSError, HTTPException, ValueError) as error:  # no free seat, no server, or not a URL
        sys.exit(f"no seat for us: {error.read().decode() if hasattr(error, 'code') else error}")
    table = table or seat["table"]
    print(f"seat {seat['seat']} at {server}/t/{table}", flush=True)
    places = sorted(play(f"{tables}/{table}", seat["token"]), key=lambda place: place["rank"])
    print(*(f"{place['rank']}. seat {place['seat']}: {place['points']} points" for place in places), sep="\n")
