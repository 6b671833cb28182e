#!/usr/bin/env python3
"""Computes known_answers.json: decks and draws that the Rust code must reproduce from the same seeds.

Written from docs/fairness.md and docs/rules.md, not from the Rust code, and only with Python's standard library:
    python3 known_answers.py > known_answers.json

A draw depends on the contents of the pouch, so the program has to play games. It plays them in a way that does not
depend on the cards. The first player puts back the last jewel drawn, and offers the other jewels in the order of the
draw. The cushion of a bid depends only on the round and the bid's index in the round (see cushion_of). The pouch gets
back the jewels of the cushions without a bid, so it can be computed without the values of the cards.
"""

import hashlib
import json
import struct

JEWELS = "WRYGB"

# Variants: the number of players, and the parameters that differ from the published game.
VARIANTS = [
    (2, {"stages": 1}),
    (3, {"stages": 1}),
    (4, {"stages": 1}),
    (5, {"stages": 1}),
    (2, {"cards": 8, "copies": 1, "stages": 2, "rounds": 2, "cushions": 2}),
    (3, {"cards": 9, "copies": 2, "stages": 2, "rounds": 8, "cushions": 3, "pouch": dict(zip(JEWELS, (20, 1, 19, 0, 20)))}),
    (4, {"copies": 2, "stages": 3, "rounds": 8, "cushions": 1}),
]


def rotate_left(word, bits):
    """Rotates a 32-bit word."""
    return ((word << bits) | (word >> (32 - bits))) & 0xFFFFFFFF


def chacha20_block(key, block_counter, stream_number):
    """The sixteen 32-bit words of one ChaCha20 block. Counter and stream number have 64 bits each."""
    state = list(struct.unpack("<4I", b"expand 32-byte k")) + list(struct.unpack("<8I", key))
    state += [block_counter & 0xFFFFFFFF, block_counter >> 32, stream_number & 0xFFFFFFFF, stream_number >> 32]
    work = state[:]

    def quarter_round(a, b, c, d):
        """Mixes the words with these indices."""
        for target, addend, rotated, bits in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            work[target] = (work[target] + work[addend]) & 0xFFFFFFFF
            work[rotated] = rotate_left(work[rotated] ^ work[target], bits)

    for _ in range(10):
        for column in range(4):
            quarter_round(column, 4 + column, 8 + column, 12 + column)
        for column in range(4):
            quarter_round(column, 4 + (column + 1) % 4, 8 + (column + 2) % 4, 12 + (column + 3) % 4)
    return [(mixed + initial) & 0xFFFFFFFF for mixed, initial in zip(work, state)]


class Stream:
    """One of the sequences of random words that a game seed gives."""

    def __init__(self, game_seed, number):
        self.words = (word for counter in range(1 << 30) for word in chacha20_block(game_seed, counter, number))

    def below(self, bound):
        """A random number below the bound. Words that would make small numbers more likely are skipped."""
        limit = (1 << 32) // bound * bound
        while True:
            word = next(self.words)
            if word < limit:
                return word % bound


def all_parameters(players, variant):
    """All parameters of a game: the published ones, replaced by those of the variant."""
    published = {
        "cards": 12 if players == 2 else 15,
        "copies": 2 if players == 2 else 1,
        "stages": 3,
        "rounds": 4 if players == 2 else 5,
        "cushions": 2 if players == 3 else 3,
        "pouch": dict(zip(JEWELS, (12, 11, 10, 9, 8))),
    }
    return published | variant


def deck(game_seed, seat, highest_card, copies):
    """The deck of a seat, the top card first: a full set of cards, shuffled from the last card down."""
    cards = [value for value in range(1, highest_card + 1) for _ in range(copies)]
    stream = Stream(game_seed, seat)
    for index in range(len(cards) - 1, 0, -1):
        other = stream.below(index + 1)
        cards[index], cards[other] = cards[other], cards[index]
    return cards


def draw(game_seed, round_index, pouch, count):
    """Draws jewels for a round one by one, and removes them from the pouch."""
    # Streams below 16 are for decks: each seat uses the stream with its number.
    stream = Stream(game_seed, 16 + round_index)
    drawn = []
    for _ in range(count):
        # The index of the drawn jewel, if the jewels in the pouch are sorted by colour.
        index = stream.below(sum(pouch.values()))
        for jewel in JEWELS:
            if index < pouch[jewel]:
                break
            index -= pouch[jewel]
        pouch[jewel] -= 1
        drawn.append(jewel)
    return drawn


def cushion_of(players, cushions, round_index, bid_index):
    """The cushion of a bid. All numbers count from 0; bid_index counts the bids of the round.

    In some rounds a cushion gets no bid. With two players, each player's two bids are on different cushions."""
    return (round_index + bid_index // 2 if players == 2 else round_index * (bid_index + 1)) % cushions


def known_answer(players, server_seed, client_seeds, variant=None):
    """Plays one game. Returns its seeds, and everything that follows from them."""
    hashed = hashlib.sha256(b"sultan/1" + server_seed)
    for client_seed in client_seeds:
        hashed.update(bytes([len(client_seed.encode())]) + client_seed.encode())
    game_seed = hashed.digest()
    parameters = all_parameters(players, variant or {})
    cushions = parameters["cushions"]
    bids_per_round = 4 if players == 2 else players
    pouch = dict(parameters["pouch"])
    draws = []
    for round_index in range(parameters["stages"] * parameters["rounds"]):
        drawn = draw(game_seed, round_index, pouch, cushions + 1)
        draws.append("".join(drawn))
        pouch[drawn[-1]] += 1
        cushions_with_bids = {cushion_of(players, cushions, round_index, index) for index in range(bids_per_round)}
        for cushion, jewel in enumerate(drawn[:-1]):
            if cushion not in cushions_with_bids:
                pouch[jewel] += 1
    return {
        "players": players,
        **({"parameters": variant} if variant else {}),
        "server_seed": server_seed.hex(),
        "client_seeds": client_seeds,
        "commitment": hashlib.sha256(server_seed).hexdigest(),
        "game_seed": game_seed.hex(),
        "first_seat": Stream(game_seed, 64).below(players),
        "decks": [deck(game_seed, seat, parameters["cards"], parameters["copies"]) for seat in range(players)],
        "draws": draws,
        "pouch_at_end": [pouch[jewel] for jewel in JEWELS],
    }


def main():
    # Checks chacha20_block with the published test vector: key, counter and stream number are zero.
    zero_block = struct.pack("<16I", *chacha20_block(bytes(32), 0, 0))
    assert zero_block[:16].hex() == "76b8e0ada0f13d90405d6ae55386bd28", zero_block.hex()
    answers = []
    for players in (2, 3, 4, 5):
        client_seed_lists = [
            [""] * players,
            ["tulip", "Ünicode ✓", "", "x" * 255, "ő"][:players],
            [str(seat) for seat in range(players)],
            ["é" * 127] * players,
        ]
        for number, client_seeds in enumerate(client_seed_lists):
            server_seed = hashlib.sha256(f"known answer {players} {number}".encode()).digest()
            # One of the server seeds is all zeros.
            answers.append(known_answer(players, bytes(32) if number == 0 else server_seed, client_seeds))
    for number, (players, variant) in enumerate(VARIANTS):
        server_seed = hashlib.sha256(f"known variant {number}".encode()).digest()
        answers.append(known_answer(players, server_seed, [f"variant {seat}" for seat in range(players)], variant))
    print("[" + ",\n".join(json.dumps(answer, ensure_ascii=False) for answer in answers) + "]")


main()
