"""Clients that play games through a proxy and check the results. Run by scripts/check-deploy.

Usage: check-deploy.py FOLDER HTTP-PORT HTTPS-PORT [NODE NODE]

FOLDER is the temporary folder of scripts/check-deploy. NODE is the address of a node behind the proxy, as in the access
log. Without nodes, only the checks for a single node run.
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

folder, http_port, https_port = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
nodes = sys.argv[4:]
# Trusts the certificate of the proxy.
tls_context = ssl.create_default_context(cafile=f"{folder}/nginx/tls/fullchain.pem")

# Ends a run that hangs after ten minutes, with a stack trace.
faulthandler.dump_traceback_later(600, exit=True)


def passed(message):
    print(f"   {message}", flush=True)


class Client:
    """A client with its own address and connection. It repeats a request that gets no response, as our pages do.

    Rate limits are per address. If the proxy did not forward the address of the client, or the nodes did not trust the
    proxy, all clients together would exceed the limit.
    """

    count = 0

    def __init__(self):
        Client.count += 1
        self.address = (f"127.0.1.{Client.count}", 0)
        self.connection = None
        self.repeats = 0

    def request(self, method, path, token=None, body=None, headers=None):
        headers = dict(headers or {})
        if token:
            headers["authorization"] = f"Bearer {token}"
        if body is not None:
            headers["content-type"] = "application/json"
            body = json.dumps(body)
        deadline = time.monotonic() + 20
        while True:
            try:
                if self.connection is None:
                    self.connection = http.client.HTTPSConnection(
                        "localhost", https_port, timeout=10, context=tls_context, source_address=self.address
                    )
                self.connection.request(method, path, body=body, headers=headers)
                response = self.connection.getresponse()
                text = response.read().decode()
                if response.status not in (502, 503, 504):
                    return response.status, response.headers, text
            except (OSError, http.client.HTTPException):
                self.connection = None
            assert time.monotonic() < deadline, f"{method} {path}: no response for 20 seconds"
            self.repeats += 1
            time.sleep(0.1)


class Table(threading.Thread):
    """A table where one client plays for two people, with or without a bot, until the game is over."""

    def __init__(self, bots):
        super().__init__(daemon=True)
        self.client = Client()
        seats = [{"human": True}, {"human": True}] + [{"bot": "merchant"}] * bots
        status, _, text = self.client.request("POST", "/api/v1/tables", body={"players": len(seats), "seats": seats})
        assert status == 201, text
        opened = json.loads(text)
        self.id = opened["table"]
        self.path = f"/api/v1/tables/{self.id}"
        status, _, text = self.client.request("POST", f"{self.path}/seats", body={})
        assert status == 201, text
        seated = json.loads(text)
        self.tokens = {opened["seat"]: opened["token"], seated["seat"]: seated["token"]}
        # The actions that the server has accepted, each with the number of actions before it.
        self.accepted = []
        # A pause in seconds after each turn. The rate limit of a token is 20 requests per second.
        self.pause = 0.02
        # The time of the slowest action in seconds.
        self.slowest_action = 0.0
        # The number of actions that were rejected because the view was outdated.
        self.outdated_views = 0
        self.record = None
        self.error = None

    def run(self):
        try:
            while self.turn():
                time.sleep(self.pause)
            status, _, text = self.client.request("GET", f"{self.path}/record")
            assert status == 200, text
            self.record = json.loads(text)
        except Exception as error:  # raised again by finish()
            self.error = error

    def turn(self):
        """Plays an action if one of the two people is to act. Returns whether the game goes on."""
        for seat, token in self.tokens.items():
            status, _, text = self.client.request("GET", self.path, token)
            assert status == 200, text
            view = json.loads(text)
            if view["phase"] == "over":
                return False
            if view.get("to_act") == seat:
                action = random.choice(view["legal"])
                start = time.monotonic()
                status, _, text = self.client.request(
                    "POST", f"{self.path}/actions", token, {"action": action, "at": view["at"]}
                )
                if status == 409 and json.loads(text)["code"] == "action/not-now":
                    # The view is outdated: get it again.
                    self.outdated_views += 1
                    return True
                assert status == 200, f"{action}: {status} {text}"
                self.slowest_action = max(self.slowest_action, time.monotonic() - start)
                self.accepted.append((view["at"], action))
        return True

    def finish(self):
        """Waits for the end of the game, and checks that every accepted action is in the record."""
        self.join(60)
        if self.error:
            raise self.error
        assert self.record, f"game {self.id} did not end"
        for at, action in self.accepted:
            assert self.record["actions"][at] == action, f"{action} at {at} is not in the record of {self.id}"


class Stream(threading.Thread):
    """The event stream of a table. Reconnects when it ends, until the game is over."""

    def __init__(self, table):
        super().__init__(daemon=True)
        self.path, self.versions, self.connections, self.over = f"{table.path}/events", [], 0, False

    def run(self):
        while not self.over:
            try:
                connection = http.client.HTTPSConnection("localhost", https_port, timeout=30, context=tls_context)
                headers = {"last-event-id": str(self.versions[-1])} if self.versions else {}
                connection.request("GET", self.path, headers=headers)
                response = connection.getresponse()
                if response.status == 200:
                    self.connections += 1
                    self.read_events(response)
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(0.1)

    def read_events(self, response):
        version = 0
        while line := response.readline().decode():
            if line.startswith("id:"):
                version = int(line[3:])
            elif line.startswith("data:"):
                self.versions.append(version)
                if json.loads(line[5:])["phase"] == "over":
                    self.over = True
                    return


# The WebSockets of a page and of the API.
SOCKET_PATHS = ["/t/{}/live", "/api/v1/tables/{}/socket"]


class Socket(threading.Thread):
    """The WebSocket of a page or of the API, opened with the cookie of a seat's link."""

    def __init__(self, table, path):
        super().__init__(daemon=True)
        status, headers, _ = table.client.request("GET", f"/t/{table.id}/in/{table.tokens[0]}")
        cookie = headers["set-cookie"]
        assert status in (302, 303) and "; Secure" in cookie and "HttpOnly" in cookie, (status, cookie)
        self.messages = 0
        tcp = socket.create_connection(("localhost", https_port), 30)
        self.connection = tls_context.wrap_socket(tcp, server_hostname="localhost")
        key = base64.b64encode(os.urandom(16)).decode()
        host = f"localhost:{https_port}"
        self.connection.sendall(
            f"GET {path.format(table.id)} HTTP/1.1\r\nHost: {host}\r\nOrigin: https://{host}\r\n"
            f"Cookie: {cookie.split(';')[0]}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()
        )
        self.reader = self.connection.makefile("rb")
        head = self.reader.readline().decode()
        assert " 101 " in head, head
        while (line := self.reader.readline()) != b"\r\n":
            assert line, "incomplete response header"

    def run(self):
        try:
            # Each frame starts with two bytes, which contain its type and its length.
            while head := self.reader.read(2):
                length = head[1] & 127
                if length == 126:
                    (length,) = struct.unpack("!H", self.reader.read(2))
                elif length == 127:
                    (length,) = struct.unpack("!Q", self.reader.read(8))
                self.reader.read(length)
                # Counts text and binary frames, but not pings.
                self.messages += head[0] & 15 in (1, 2)
        except OSError:
            pass


def read_access_log():
    """Returns the nodes that served the requests for each table, and the text of the access log of the proxy."""
    # nginx writes a line shortly after the response.
    time.sleep(0.3)
    with open(f"{folder}/access.log", encoding="utf-8") as log:
        text = log.read()
    by_table = {}
    for table, node in re.findall(r'"[A-Z]+ /(?:t|api/v1/tables)/([0-9a-z]{12})\S* \S+" \d+ \d+ \S+ (.*)', text):
        by_table.setdefault(table, []).append(node)
    return by_table, text


def check_http_and_tls():
    connection = http.client.HTTPConnection("localhost", http_port, timeout=5)
    connection.request("GET", "/rules?x=1")
    response = connection.getresponse()
    assert (response.status, response.headers["location"]) == (308, "https://localhost/rules?x=1"), response.status
    status, headers, text = Client().request("GET", "/")
    assert status == 200 and "max-age" in headers["strict-transport-security"] and "<html" in text
    context = ssl.create_default_context(cafile=f"{folder}/nginx/tls/fullchain.pem")
    context.set_alpn_protocols(["h2", "http/1.1"])
    tcp = socket.create_connection(("localhost", https_port), 10)
    with context.wrap_socket(tcp, server_hostname="localhost") as connection:
        assert connection.selected_alpn_protocol() == "h2"
    passed("HTTP redirects to HTTPS, with HTTP/2 and HSTS")


def play_one_game():
    table = Table(bots=1)
    stream, sockets = Stream(table), [Socket(table, path) for path in SOCKET_PATHS]
    for thread in [*sockets, stream, table]:
        thread.start()
    table.finish()
    stream.join(10)
    messages = [websocket.messages for websocket in sockets]
    assert stream.over and stream.connections == 1 and min(messages) > 10, (stream.connections, messages)
    passed(f"one game: {len(stream.versions)} states by event stream, {messages} messages by WebSocket (page, API)")


def play_many_games():
    """Plays games with both nodes, and checks the distribution of the tables and the access log."""
    tables = [Table(bots=number % 2) for number in range(12)]
    streams = [Stream(table) for table in tables]
    sockets = [Socket(tables[0], path) for path in SOCKET_PATHS]
    for thread in [*sockets, *streams]:
        thread.start()
    deadline = time.monotonic() + 30
    while not all(stream.versions for stream in streams):
        assert time.monotonic() < deadline, "no event from a stream"
        time.sleep(0.05)
    for table in tables:
        table.start()
    for table in tables:
        table.finish()
    for stream in streams:
        stream.join(10)
        assert stream.over and stream.connections == 1, (stream.over, stream.connections)
        assert stream.versions == sorted(set(stream.versions)), stream.versions
    messages = [websocket.messages for websocket in sockets]
    assert min(messages) > 10, messages
    actions = sum(len(table.accepted) for table in tables)
    states = sum(len(stream.versions) for stream in streams)
    passed(f"{len(tables)} games, {actions} actions: {states} states by event stream, {messages} messages by WebSocket")
    by_table, text = read_access_log()
    nodes_of_table = {table.id: set(by_table[table.id]) for table in tables}
    assert all(len(of_table) == 1 for of_table in nodes_of_table.values()), nodes_of_table
    counts = [sum(of_table == {node} for of_table in nodes_of_table.values()) for node in nodes]
    assert sum(counts) == len(tables) and all(counts), counts
    passed(f"each table stayed on one node: {counts[0]} on the first, {counts[1]} on the second")
    tokens = [token for table in tables for token in table.tokens.values()]
    assert "/in/(token)" in text and not any(token in text for token in tokens)
    passed("the log of the proxy contains no token")


def stop_first_node(signal_number, name):
    """Ends the first node during games, and checks that all games go on at the second node."""
    tables = [Table(bots=number % 2) for number in range(14)]
    streams = [Stream(table) for table in tables]
    for table in tables:
        table.pause = 0.05
    for thread in [*streams, *tables]:
        thread.start()
    time.sleep(1)
    os.kill(read_pid(1), signal_number)
    for table in tables:
        table.finish()
    for stream in streams:
        stream.join(10)
        assert stream.over, "a stream did not send the end of the game"
        # The second node may send the same state again, but never an older one.
        assert stream.versions == sorted(stream.versions), stream.versions
    by_table, _ = read_access_log()
    # If a request is repeated, the log lists both nodes for it.
    moved = [table for table in tables if any(nodes[0] in served_by for served_by in by_table[table.id])]
    assert moved, "no table was on the first node"
    all_moved = all(any(served_by.endswith(nodes[1]) for served_by in by_table[table.id]) for table in moved)
    assert all_moved, "a table did not move to the second node"
    slowest_action = max(table.slowest_action for table in tables)
    repeats = sum(table.client.repeats for table in tables)
    outdated_views = sum(table.outdated_views for table in tables)
    reconnects = sum(stream.connections for stream in streams) - len(streams)
    passed(
        f"first node {name} during {len(moved)} games: all {len(tables)} games finished; {repeats} requests repeated, "
        f"{outdated_views} outdated views, {reconnects} streams reconnected, slowest action {slowest_action:.2f} s"
    )


def rolling_upgrade():
    """A rolling upgrade: stops a node, waits until it is ready again, continues with the next."""
    tables = [Table(bots=number % 2) for number in range(14)]
    for table in tables:
        table.pause = 0.05
        table.start()
    with open(f"{folder}/restart_delay", "w", encoding="utf-8") as file:
        file.write("0.2")
    _, log_before = read_access_log()
    for number, node in enumerate(nodes, 1):
        old_pid = read_pid(number)
        os.kill(old_pid, signal.SIGTERM)
        deadline = time.monotonic() + 30
        while read_pid(number) == old_pid or not is_ready(node):
            assert time.monotonic() < deadline, f"{node} is not ready again"
            time.sleep(0.05)
    for table in tables:
        table.finish()
    _, log_after = read_access_log()
    # A request that was on its way when the node stopped may get a 502. The client repeats such a request.
    failed_requests = log_after[len(log_before) :].count('" 502 ')
    assert failed_requests <= 3, f"{failed_requests} requests got a 502"
    passed(f"both nodes replaced, one after the other: {failed_requests} requests got a 502")


def read_pid(number):
    """Returns the process ID of a node."""
    with open(f"{folder}/node{number}.pid", encoding="utf-8") as file:
        return int(file.read() or 0)


def is_ready(node):
    try:
        connection = http.client.HTTPConnection(node, timeout=2)
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    except OSError:
        return False


def wait_for_first_node():
    """Opens tables until the proxy sends one to the first node again."""
    deadline = time.monotonic() + 30
    while True:
        table = Table(bots=0)
        table.client.request("GET", table.path)
        by_table, _ = read_access_log()
        if nodes[0] in by_table[table.id]:
            passed("the first node is back and gets tables again")
            return
        assert time.monotonic() < deadline, "the first node gets no tables"


check_http_and_tls()
if not nodes:
    play_one_game()
    sys.exit()
play_many_games()
stop_first_node(signal.SIGKILL, "killed")
wait_for_first_node()
stop_first_node(signal.SIGTERM, "stopped")
wait_for_first_node()
rolling_upgrade()
