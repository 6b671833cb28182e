"""Clients that play through a proxy and check the result. Run by scripts/check-deploy.

Usage: check-deploy.py FOLDER HTTP-PORT HTTPS-PORT [NODE NODE]     without nodes: only the checks for one node
"""

import base64
import faulthandler
import http.client
import json
import os
import random
import re
import signal
import socket
import ssl
import struct
import sys
import threading
import time

folder, plain, tls = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
nodes = sys.argv[4:]
trust = ssl.create_default_context(cafile=f"{folder}/nginx/tls/fullchain.pem")

# Ends a run that hangs, with a stack trace.
faulthandler.dump_traceback_later(600, exit=True)


def done(message):
    print(f"   {message}", flush=True)


class Person:
    """A client with its own address and connection. It repeats requests without an answer, as our pages do.

    Rate limits are per address. If the proxy did not forward it, or the nodes did not trust it, all clients together
    would exceed the limit.
    """

    count = 0

    def __init__(self):
        Person.count += 1
        self.address = (f"127.0.1.{Person.count}", 0)
        self.connection = None
        self.repeats = 0

    def ask(self, method, path, token=None, body=None, headers=None):
        headers = dict(headers or {})
        if token:
            headers["authorization"] = f"Bearer {token}"
        if body is not None:
            headers["content-type"] = "application/json"
            body = json.dumps(body)
        until = time.monotonic() + 20
        while True:
            try:
                if self.connection is None:
                    self.connection = http.client.HTTPSConnection(
                        "localhost", tls, timeout=10, context=trust, source_address=self.address
                    )
                self.connection.request(method, path, body=body, headers=headers)
                answer = self.connection.getresponse()
                text = answer.read().decode()
                if answer.status not in (502, 503, 504):
                    return answer.status, answer.headers, text
            except (OSError, http.client.HTTPException):
                self.connection = None
            assert time.monotonic() < until, f"{method} {path}: no answer"
            self.repeats += 1
            time.sleep(0.1)


class Table(threading.Thread):
    """A game of two people, with or without a bot, played to its end."""

    def __init__(self, bots):
        super().__init__(daemon=True)
        self.person = Person()
        seats = [{"human": True}, {"human": True}] + [{"bot": "merchant"}] * bots
        status, _, text = self.person.ask("POST", "/api/v1/tables", body={"players": len(seats), "seats": seats})
        assert status == 201, text
        opened = json.loads(text)
        self.id = opened["table"]
        self.path = f"/api/v1/tables/{self.id}"
        status, _, text = self.person.ask("POST", f"{self.path}/seats", body={})
        assert status == 201, text
        seated = json.loads(text)
        self.tokens = {opened["seat"]: opened["token"], seated["seat"]: seated["token"]}
        self.acknowledged = []
        # The rate limit of a token is 20 requests per second.
        self.pause = 0.02
        self.longest = 0.0
        self.stale = 0
        self.record = None
        self.fault = None

    def run(self):
        try:
            while self.turn():
                time.sleep(self.pause)
            status, _, text = self.person.ask("GET", f"{self.path}/record")
            assert status == 200, text
            self.record = json.loads(text)
        except Exception as fault:  # raised by finish()
            self.fault = fault

    def turn(self):
        for seat, token in self.tokens.items():
            status, _, text = self.person.ask("GET", self.path, token)
            assert status == 200, text
            view = json.loads(text)
            if view["phase"] == "over":
                return False
            if view.get("to_act") == seat:
                action = random.choice(view["legal"])
                begun = time.monotonic()
                status, _, text = self.person.ask(
                    "POST", f"{self.path}/actions", token, {"action": action, "at": view["at"]}
                )
                if status == 409 and json.loads(text)["code"] == "action/not-now":
                    # The view is outdated: get it again.
                    self.stale += 1
                    return True
                assert status == 200, f"{action}: {status} {text}"
                self.longest = max(self.longest, time.monotonic() - begun)
                self.acknowledged.append((view["at"], action))
        return True

    def finish(self):
        self.join(60)
        if self.fault:
            raise self.fault
        assert self.record, f"game {self.id} did not end"
        for at, action in self.acknowledged:
            assert self.record["actions"][at] == action, f"{action} at {at} is not in the record of {self.id}"


class Stream(threading.Thread):
    """The event stream of a table. Reconnects when it ends."""

    def __init__(self, table):
        super().__init__(daemon=True)
        self.path, self.versions, self.calls, self.over = f"{table.path}/events", [], 0, False

    def run(self):
        while not self.over:
            try:
                connection = http.client.HTTPSConnection("localhost", tls, timeout=30, context=trust)
                last = {"last-event-id": str(self.versions[-1])} if self.versions else {}
                connection.request("GET", self.path, headers=last)
                answer = connection.getresponse()
                if answer.status == 200:
                    self.calls += 1
                    self.read(answer)
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(0.1)

    def read(self, answer):
        version = 0
        while line := answer.readline().decode():
            if line.startswith("id:"):
                version = int(line[3:])
            elif line.startswith("data:"):
                self.versions.append(version)
                if json.loads(line[5:])["phase"] == "over":
                    self.over = True
                    return


SOCKETS = ["/t/{}/live", "/api/v1/tables/{}/socket"]


class Socket(threading.Thread):
    """The WebSocket of a page or of the API, opened with the cookie of a seat's link."""

    def __init__(self, table, path):
        super().__init__(daemon=True)
        status, headers, _ = table.person.ask("GET", f"/t/{table.id}/in/{table.tokens[0]}")
        cookie = headers["set-cookie"]
        assert status in (302, 303) and "; Secure" in cookie and "HttpOnly" in cookie, (status, cookie)
        self.messages = 0
        self.line = trust.wrap_socket(socket.create_connection(("localhost", tls), 30), server_hostname="localhost")
        key = base64.b64encode(os.urandom(16)).decode()
        self.line.sendall(
            f"GET {path.format(table.id)} HTTP/1.1\r\nHost: localhost:{tls}\r\nOrigin: https://localhost:{tls}\r\n"
            f"Cookie: {cookie.split(';')[0]}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()
        )
        self.input = self.line.makefile("rb")
        head = self.input.readline().decode()
        assert " 101 " in head, head
        while (line := self.input.readline()) != b"\r\n":
            assert line, "incomplete response header"

    def run(self):
        try:
            while head := self.input.read(2):
                length = head[1] & 127
                if length == 126:
                    (length,) = struct.unpack("!H", self.input.read(2))
                elif length == 127:
                    (length,) = struct.unpack("!Q", self.input.read(8))
                self.input.read(length)
                self.messages += head[0] & 15 in (1, 2)
        except OSError:
            pass


def served():
    """Returns the nodes that answered for each table, and the text of the access log."""
    time.sleep(0.3)
    with open(f"{folder}/access.log", encoding="utf-8") as log:
        text = log.read()
    by_table = {}
    for table, node in re.findall(r'"[A-Z]+ /(?:t|api/v1/tables)/([0-9a-z]{12})\S* \S+" \d+ \d+ \S+ (.*)', text):
        by_table.setdefault(table, []).append(node)
    return by_table, text


def http_and_tls():
    connection = http.client.HTTPConnection("localhost", plain, timeout=5)
    connection.request("GET", "/rules?x=1")
    answer = connection.getresponse()
    assert (answer.status, answer.headers["location"]) == (308, "https://localhost/rules?x=1"), answer.status
    status, headers, text = Person().ask("GET", "/")
    assert status == 200 and "max-age" in headers["strict-transport-security"] and "<html" in text
    context = ssl.create_default_context(cafile=f"{folder}/nginx/tls/fullchain.pem")
    context.set_alpn_protocols(["h2", "http/1.1"])
    with context.wrap_socket(socket.create_connection(("localhost", tls), 10), server_hostname="localhost") as line:
        assert line.selected_alpn_protocol() == "h2"
    done("HTTP redirects to HTTPS, with HTTP/2 and HSTS")


def one_game():
    table = Table(bots=1)
    stream, lines = Stream(table), [Socket(table, path) for path in SOCKETS]
    for one in [*lines, stream, table]:
        one.start()
    table.finish()
    stream.join(10)
    messages = [line.messages for line in lines]
    assert stream.over and stream.calls == 1 and min(messages) > 10, (stream.calls, messages)
    done(f"one game: {len(stream.versions)} states by event stream, {messages} messages by WebSocket (page, API)")


def together():
    tables = [Table(bots=number % 2) for number in range(12)]
    streams = [Stream(table) for table in tables]
    lines = [Socket(tables[0], path) for path in SOCKETS]
    for one in [*lines, *streams]:
        one.start()
    until = time.monotonic() + 30
    while not all(stream.versions for stream in streams):
        assert time.monotonic() < until, "no event from a stream"
        time.sleep(0.05)
    for table in tables:
        table.start()
    for table in tables:
        table.finish()
    for stream in streams:
        stream.join(10)
        assert stream.over and stream.calls == 1 and stream.versions == sorted(set(stream.versions)), stream.versions
    messages = [line.messages for line in lines]
    assert min(messages) > 10, messages
    actions = sum(len(table.acknowledged) for table in tables)
    states = sum(len(stream.versions) for stream in streams)
    done(f"{len(tables)} games, {actions} actions: {states} states by event streams, {messages} messages by WebSocket")
    by_table, text = served()
    of = {table.id: set(by_table[table.id]) for table in tables}
    assert all(len(node) == 1 for node in of.values()), of
    shares = [sum(node == {name} for node in of.values()) for name in nodes]
    assert sum(shares) == len(tables) and all(shares), shares
    done(f"each table stayed on one node: {shares[0]} on the first, {shares[1]} on the second")
    tokens = [token for table in tables for token in table.tokens.values()]
    assert "/in/(token)" in text and not any(token in text for token in tokens)
    done("the log of the proxy contains no token")


def without_one(signal_number, name):
    tables = [Table(bots=number % 2) for number in range(14)]
    streams = [Stream(table) for table in tables]
    for table in tables:
        table.pause = 0.05
    for one in [*streams, *tables]:
        one.start()
    time.sleep(1)
    os.kill(pid(1), signal_number)
    for table in tables:
        table.finish()
    for stream in streams:
        stream.join(10)
        assert stream.over, "a stream did not send the end of the game"
        # Another node may send the same state again, but never an older one.
        assert stream.versions == sorted(stream.versions), stream.versions
    by_table, _ = served()
    moved = [table for table in tables if any(nodes[0] in node for node in by_table[table.id])]
    assert moved, "no table was on the first node"
    went_on = all(any(node.endswith(nodes[1]) for node in by_table[table.id]) for table in moved)
    assert went_on, "a table did not move to the second node"
    longest = max(table.longest for table in tables)
    repeats = sum(table.person.repeats for table in tables)
    stale = sum(table.stale for table in tables)
    reconnects = sum(stream.calls for stream in streams) - len(streams)
    done(
        f"first node {name} during {len(moved)} games: all {len(tables)} games finished; {repeats} requests repeated, "
        f"{stale} outdated views, {reconnects} streams reconnected, longest action {longest:.2f} s"
    )


def rolling_upgrade():
    """A rolling upgrade: stops a node, waits until it is ready again, continues with the next."""
    tables = [Table(bots=number % 2) for number in range(14)]
    for table in tables:
        table.pause = 0.05
        table.start()
    with open(f"{folder}/restart_delay", "w", encoding="utf-8") as file:
        file.write("0.2")
    _, before = served()
    for number, node in enumerate(nodes, 1):
        old = pid(number)
        os.kill(old, signal.SIGTERM)
        until = time.monotonic() + 30
        while pid(number) == old or not ready(node):
            assert time.monotonic() < until, f"{node} is not ready again"
            time.sleep(0.05)
    for table in tables:
        table.finish()
    _, after = served()
    # A request that was on its way when the node stopped may get a 502. The client repeats it.
    lost = after[len(before) :].count('" 502 ')
    assert lost <= 3, f"{lost} requests got a 502"
    done(f"both nodes replaced, one after the other: {lost} requests got a 502")


def pid(number):
    with open(f"{folder}/node{number}.pid", encoding="utf-8") as file:
        return int(file.read() or 0)


def ready(node):
    try:
        connection = http.client.HTTPConnection(node, timeout=2)
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    except OSError:
        return False


def first_node_returns():
    until = time.monotonic() + 30
    while True:
        table = Table(bots=0)
        table.person.ask("GET", table.path)
        by_table, _ = served()
        if nodes[0] in by_table[table.id]:
            done("the first node is back and gets tables again")
            return
        assert time.monotonic() < until, "the first node gets no tables"


http_and_tls()
if not nodes:
    one_game()
    sys.exit()
together()
without_one(signal.SIGKILL, "killed")
first_node_returns()
without_one(signal.SIGTERM, "stopped")
first_node_returns()
rolling_upgrade()
