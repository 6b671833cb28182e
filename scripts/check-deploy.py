"""People who play through a proxy: what scripts/check-deploy has them do, and what must come of it.

Usage: check-deploy.py FOLDER HTTP-PORT HTTPS-PORT [NODE NODE]     without nodes: only what one node behind a proxy must do
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

# Whatever hangs ends then, and says where.
faulthandler.dump_traceback_later(600, exit=True)


def done(what):
    print(f"   {what}", flush=True)


class Person:
    """Somebody with an address and a connection of their own, who asks again where no answer came, as our pages do.

    Limits count by address: if the proxy did not tell it, or the nodes did not believe it, all would be over theirs soon.
    """

    count = 0

    def __init__(self):
        Person.count += 1
        self.address = (f"127.0.1.{Person.count}", 0)
        self.connection = None
        self.again = 0

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
            self.again += 1
            time.sleep(0.1)


class Table(threading.Thread):
    """A game of two people and perhaps a bot, played to its end."""

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
        # Nobody may ask more than 20 times a second with one token, for long.
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
        except Exception as fault:  # told by whoever waits
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
                    # What was shown is no longer so: it is looked at again.
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
        assert self.record, f"{self.id} did not come to its end"
        for at, action in self.acknowledged:
            assert self.record["actions"][at] == action, f"{action} at {at} is not in the record of {self.id}"


class Stream(threading.Thread):
    """The event stream of a table; called again where it ends."""

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
    """The socket of a table's page, or that of the API, opened as a browser does that has the link of a seat."""

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
            assert line, "the answer has no end"

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
    """Which nodes answered for each table, as the proxy tells it."""
    time.sleep(0.3)
    with open(f"{folder}/access.log", encoding="utf-8") as log:
        text = log.read()
    by_table = {}
    for table, node in re.findall(r'"[A-Z]+ /(?:t|api/v1/tables)/([0-9a-z]{12})\S* \S+" \d+ \d+ \S+ (.*)', text):
        by_table.setdefault(table, []).append(node)
    return by_table, text


def the_door():
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
    done("http leads to https, which is HTTP/2 and stays https")


def one_game():
    table = Table(bots=1)
    stream, lines = Stream(table), [Socket(table, path) for path in SOCKETS]
    for one in [*lines, stream, table]:
        one.start()
    table.finish()
    stream.join(10)
    messages = [line.messages for line in lines]
    assert stream.over and stream.calls == 1 and min(messages) > 10, (stream.calls, messages)
    done(f"a game; its stream told {len(stream.versions)} states, its sockets (page and API) {messages} messages")


def together():
    tables = [Table(bots=number % 2) for number in range(12)]
    streams = [Stream(table) for table in tables]
    lines = [Socket(tables[0], path) for path in SOCKETS]
    for one in [*lines, *streams]:
        one.start()
    until = time.monotonic() + 30
    while not all(stream.versions for stream in streams):
        assert time.monotonic() < until, "a stream tells nothing"
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
    done(f"{len(tables)} games, {actions} actions; streams told {states} states, sockets {messages} messages")
    by_table, text = served()
    of = {table.id: set(by_table[table.id]) for table in tables}
    assert all(len(node) == 1 for node in of.values()), of
    shares = [sum(node == {name} for node in of.values()) for name in nodes]
    assert sum(shares) == len(tables) and all(shares), shares
    done(f"each table stayed at one node: {shares[0]} at the first, {shares[1]} at the second")
    tokens = [token for table in tables for token in table.tokens.values()]
    assert "/in/(token)" in text and not any(token in text for token in tokens)
    done("the proxy's log has no token")


def without_one(how, name):
    tables = [Table(bots=number % 2) for number in range(14)]
    streams = [Stream(table) for table in tables]
    for table in tables:
        table.pause = 0.05
    for one in [*streams, *tables]:
        one.start()
    time.sleep(1)
    os.kill(pid(1), how)
    for table in tables:
        table.finish()
    for stream in streams:
        stream.join(10)
        assert stream.over, "a stream did not tell the end"
        # It may be told the same state again by another node, but never an older one.
        assert stream.versions == sorted(stream.versions), stream.versions
    by_table, _ = served()
    moved = [table for table in tables if any(nodes[0] in node for node in by_table[table.id])]
    assert moved, "nothing was at the first node"
    assert all(any(node.endswith(nodes[1]) for node in by_table[table.id]) for table in moved), "nothing went on"
    longest = max(table.longest for table in tables)
    again = sum(table.person.again for table in tables)
    stale = sum(table.stale for table in tables)
    called = sum(stream.calls for stream in streams) - len(streams)
    done(
        f"the first node {name} in the middle of {len(moved)} games: all {len(tables)} went on at the second; "
        f"{again} requests were sent again, {stale} had to look again, {called} streams called again, "
        f"the longest action took {longest:.2f} s"
    )


def one_after_the_other():
    """An upgrade as it is described: each node stops and comes back, and the next follows as soon as it is ready."""
    tables = [Table(bots=number % 2) for number in range(14)]
    for table in tables:
        table.pause = 0.05
        table.start()
    with open(f"{folder}/away", "w", encoding="utf-8") as file:
        file.write("0.2")
    _, before = served()
    for number, node in enumerate(nodes, 1):
        old = pid(number)
        os.kill(old, signal.SIGTERM)
        until = time.monotonic() + 30
        while pid(number) == old or not ready(node):
            assert time.monotonic() < until, f"{node} does not come back"
            time.sleep(0.05)
    for table in tables:
        table.finish()
    _, after = served()
    # What was on its way to a node at the very moment it went may be answered so, and is sent again.
    lost = after[len(before) :].count('" 502 ')
    assert lost <= 3, f"{lost} requests found no node"
    done(f"both nodes stopped and came back, one after the other: {lost} requests found no node")


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


def back():
    until = time.monotonic() + 30
    while True:
        table = Table(bots=0)
        table.person.ask("GET", table.path)
        by_table, _ = served()
        if nodes[0] in by_table[table.id]:
            done("the first node is back, and gets its share again")
            return
        assert time.monotonic() < until, "the first node gets nothing"


the_door()
if not nodes:
    one_game()
    sys.exit()
together()
without_one(signal.SIGKILL, "killed")
back()
without_one(signal.SIGTERM, "stopped")
back()
one_after_the_other()
