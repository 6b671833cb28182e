#!/usr/bin/env python3
"""Computes known_answers.json: decks and draws that the Rust code must reproduce from the same seeds.

Written from docs/fairness.md and docs/rules.md, not from the Rust code, with nothing but Python's standard library:
    python3 known_answers.py > known_answers.json

What is drawn depends on what is in the pouch, so a game has to be played. It is played in a way that needs no cards:
the first player puts back the last jewel drawn and offers the others in the order drawn; where a bid goes depends only
on the round and on the turn within it (see cushion_of). So it is known which cushions nobody bids on, and that is all
the pouch depends on.
"""

import hashlib
import json
import struct

JEWELS = "WRYGB"

# Variants: how many play, and the parameters that differ from the published game.
VARIANTS = [
    (2, {"stages": 1}),
    (3, {"stages": 1}),
    (4, {"stages": 1}),
    (5, {"stages": 1}),
    (2, {"cards": 8, "copies": 1, "stages": 2, "rounds": 2, "cushions": 2}),
    (3, {"cards": 9, "copies": 2, "stages": 2, "rounds": 8, "cushions": 3, "pouch": dict(zip(JEWELS, (20, 1, 19, 0, 20)))}),
    (4, {"copies": 2, "stages": 3, "rounds": 8, "cushions": 1}),
]


def rotl(x, n):
    return ((x << n) | (x >> (32 - n))) & 0xFFFFFFFF


def chacha20_block(key, counter, stream):
    state = list(struct.unpack("<4I", b"expand 32-byte k")) + list(struct.unpack("<8I", key))
    state += [counter & 0xFFFFFFFF, counter >> 32, stream & 0xFFFFFFFF, stream >> 32]
    work = state[:]

    def quarter(a, b, c, d):
        for x, y, z, n in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            work[x] = (work[x] + work[y]) & 0xFFFFFFFF
            work[z] = rotl(work[z] ^ work[x], n)

    for _ in range(10):
        for i in range(4):
            quarter(i, 4 + i, 8 + i, 12 + i)
        for i in range(4):
            quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
    return [(a + b) & 0xFFFFFFFF for a, b in zip(work, state)]


class Stream:
    def __init__(self, key, number):
        self.words = (w for counter in range(1 << 30) for w in chacha20_block(key, counter, number))

    def below(self, n):
        limit = (1 << 32) // n * n
        while True:
            word = next(self.words)
            if word < limit:
                return word % n


def numbers(players, parameters):
    """All parameters of a game: the published ones, and what a variant changes."""
    published = {
        "cards": 12 if players == 2 else 15,
        "copies": 2 if players == 2 else 1,
        "stages": 3,
        "rounds": 4 if players == 2 else 5,
        "cushions": 2 if players == 3 else 3,
        "pouch": dict(zip(JEWELS, (12, 11, 10, 9, 8))),
    }
    return published | parameters


def deck(seed, seat, cards, copies):
    cards = [v for v in range(1, cards + 1) for _ in range(copies)]
    stream = Stream(seed, seat)
    for i in range(len(cards) - 1, 0, -1):
        j = stream.below(i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def draw(seed, index, pouch, count):
    stream = Stream(seed, 16 + index)
    drawn = []
    for _ in range(count):
        x = stream.below(sum(pouch.values()))
        for jewel in JEWELS:
            if x < pouch[jewel]:
                break
            x -= pouch[jewel]
        pouch[jewel] -= 1
        drawn.append(jewel)
    return drawn


def cushion_of(players, cushions, index, turn):
    """The cushion, from 0, of the bid with this turn in the round with this index, both from 0."""
    return (index + turn // 2 if players == 2 else index * (turn + 1)) % cushions


def game(players, server_seed, client_seeds, parameters=None):
    hashed = hashlib.sha256(b"sultan/1" + server_seed)
    for client in client_seeds:
        hashed.update(bytes([len(client.encode())]) + client.encode())
    seed = hashed.digest()
    all_numbers = numbers(players, parameters or {})
    cushions = all_numbers["cushions"]
    bids = 4 if players == 2 else players
    pouch = dict(all_numbers["pouch"])
    draws = []
    for index in range(all_numbers["stages"] * all_numbers["rounds"]):
        drawn = draw(seed, index, pouch, cushions + 1)
        draws.append("".join(drawn))
        pouch[drawn[-1]] += 1
        bid_on = {cushion_of(players, cushions, index, turn) for turn in range(bids)}
        for cushion, jewel in enumerate(drawn[:-1]):
            if cushion not in bid_on:
                pouch[jewel] += 1
    return {
        "players": players,
        **({"parameters": parameters} if parameters else {}),
        "server_seed": server_seed.hex(),
        "client_seeds": client_seeds,
        "commitment": hashlib.sha256(server_seed).hexdigest(),
        "game_seed": seed.hex(),
        "first_seat": Stream(seed, 64).below(players),
        "decks": [deck(seed, seat, all_numbers["cards"], all_numbers["copies"]) for seat in range(players)],
        "draws": draws,
        "pouch_at_end": [pouch[jewel] for jewel in JEWELS],
    }


def main():
    # The block function against the published test vector: all-zero key, counter and stream.
    first = struct.pack("<16I", *chacha20_block(bytes(32), 0, 0))
    assert first[:16].hex() == "76b8e0ada0f13d90405d6ae55386bd28", first.hex()
    games = []
    for players in (2, 3, 4, 5):
        clients = [
            [""] * players,
            ["tulip", "Ünicode ✓", "", "x" * 255, "ő"][:players],
            [str(seat) for seat in range(players)],
            ["é" * 127] * players,
        ]
        for number, client_seeds in enumerate(clients):
            server_seed = hashlib.sha256(f"known answer {players} {number}".encode()).digest()
            games.append(game(players, bytes(32) if number == 0 else server_seed, client_seeds))
    for number, (players, parameters) in enumerate(VARIANTS):
        server_seed = hashlib.sha256(f"known variant {number}".encode()).digest()
        games.append(game(players, server_seed, [f"variant {seat}" for seat in range(players)], parameters))
    print("[" + ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in games) + "]")


main()
