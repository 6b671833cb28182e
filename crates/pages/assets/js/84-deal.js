// Recomputes a deal from its seeds: the arithmetic of docs/fairness.md and the rules, independent of the page. All names start
// with `deal`, because the files of this folder share one module.
//
// SHA-256 is implemented here because pages on plain http have no crypto.subtle, and ChaCha20 because no browser offers it.

const DEAL_JEWELS = "WRYGB";

const dealHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const dealBytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
/** Whether a value is 32 bytes in hexadecimal, as the server seed is. */
const dealIsSeed = (text) => typeof text === "string" && /^[0-9a-f]{64}$/i.test(text);

/** The constants of SHA-256: of the first `count` primes, the first 32 fractional bits of the square (2) or cube (3) root. */
function dealPrimeRoots(count, exponent) {
  const primes = [];
  for (let number = 2; primes.length < count; number += 1) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  return primes.map((prime) => dealRootBits(BigInt(prime), exponent));
}

/** The first 32 fractional bits of a root, by bisection: floating-point roots are not guaranteed to be exact in all browsers. */
function dealRootBits(number, exponent) {
  // The root of number · 2^(32 · exponent) is the wanted root times 2^32.
  const target = number << BigInt(32 * exponent);
  let low = 0n;
  // The root of the greatest prime used (311) is below 2^8.
  let high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** BigInt(exponent) <= target) low = middle;
    else high = middle;
  }
  return Number(low & 0xffffffffn);
}

/** The initial hash and the round constants of SHA-256. */
let dealConstants = null;

/** SHA-256 of bytes, as bytes. The names of variables are those of the standard (FIPS 180-4). */
function dealSha256(message) {
  // Computed on first use: most pages never need it.
  dealConstants ??= { start: dealPrimeRoots(8, 2), round: dealPrimeRoots(64, 3) };
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const data = new DataView(padded.buffer);
  // The last 8 bytes are the length of the message in bits.
  data.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  data.setUint32(padded.length - 4, (message.length << 3) >>> 0);
  const rotateRight = (word, bits) => (word >>> bits) | (word << (32 - bits));
  const hash = dealConstants.start.slice();
  const schedule = new Uint32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i += 1) schedule[i] = data.getUint32(block + 4 * i);
    for (let i = 16; i < 64; i += 1) {
      const [x, y] = [schedule[i - 15], schedule[i - 2]];
      const sigma0 = rotateRight(x, 7) ^ rotateRight(x, 18) ^ (x >>> 3);
      const sigma1 = rotateRight(y, 17) ^ rotateRight(y, 19) ^ (y >>> 10);
      schedule[i] = schedule[i - 16] + sigma0 + schedule[i - 7] + sigma1;
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i += 1) {
      const choose = (e & f) ^ (~e & g);
      const majority = (a & b) ^ (a & c) ^ (b & c);
      const temp1 = (h + (rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)) + choose + dealConstants.round[i] + schedule[i]) | 0;
      const temp2 = ((rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)) + majority) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + temp1) | 0, c, b, a, (temp1 + temp2) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => { hash[i] = (hash[i] + word) | 0; });
  }
  const bytes = new Uint8Array(32);
  hash.forEach((word, i) => new DataView(bytes.buffer).setUint32(4 * i, word >>> 0));
  return bytes;
}

/** One block (16 words) of original ChaCha20: 64-bit counter, 64-bit stream number (both small here). */
function dealChaCha(key, counter, stream) {
  const keyWords = new DataView(key.buffer, key.byteOffset, 32);
  // The first four words are the constant "expand 32-byte k".
  const start = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];
  for (let i = 0; i < 8; i += 1) start.push(keyWords.getUint32(4 * i, true));
  start.push(counter, 0, stream, 0);
  const words = Uint32Array.from(start);
  const mix = (x, y, z, bits) => {
    words[x] += words[y];
    const word = words[z] ^ words[x];
    words[z] = (word << bits) | (word >>> (32 - bits));
  };
  const quarterRound = (a, b, c, d) => { mix(a, b, d, 16); mix(c, d, b, 12); mix(a, b, d, 8); mix(c, d, b, 7); };
  // Ten double rounds: first the columns, then the diagonals.
  for (let round = 0; round < 10; round += 1) {
    for (let i = 0; i < 4; i += 1) quarterRound(i, 4 + i, 8 + i, 12 + i);
    for (let i = 0; i < 4; i += 1) quarterRound(i, 4 + ((i + 1) % 4), 8 + ((i + 2) % 4), 12 + ((i + 3) % 4));
  }
  return words.map((word, i) => word + start[i]);
}

/**
 * The function `below(n)` of docs/fairness.md for one stream: each call returns the next random number from 0 to n − 1. The streams
 * are 0 to 4 for the decks of the seats, 16 + round for the draws, and 64 for the first seat.
 */
function dealStream(seed, stream) {
  let counter = 0;
  let words = [];
  return (n) => {
    // Words from this limit on would make small numbers more likely.
    const limit = Math.floor(2 ** 32 / n) * n;
    for (;;) {
      if (words.length === 0) words = Array.from(dealChaCha(seed, counter++, stream));
      const word = words.shift();
      if (word < limit) return word % n;
    }
  };
}

/** The seed of all randomness of a game, from the seeds of the server and of all seats. */
function dealGameSeed(serverSeed, clientSeeds) {
  const parts = [new TextEncoder().encode("sultan/1"), dealBytes(serverSeed)];
  for (const seed of clientSeeds) {
    const bytes = new TextEncoder().encode(seed);
    parts.push(Uint8Array.of(bytes.length), bytes);
  }
  return dealSha256(Uint8Array.from(parts.flatMap((part) => Array.from(part))));
}

/**
 * The parameters of the published game for a number of players (docs/rules.md), with the keys of a record's `parameters`. The bonus
 * has steps of [jewels of one colour, points].
 */
function dealPublished(players) {
  const two = players === 2;
  return {
    cards: two ? 12 : 15, copies: two ? 2 : 1, stages: 3, rounds: two ? 4 : 5, cushions: players === 3 ? 2 : 3,
    pouch: { W: 12, R: 11, Y: 10, G: 9, B: 8 }, bonus: two ? [[4, 2], [5, 5], [6, 10], [7, 20]] : [[3, 2], [4, 5], [5, 10], [6, 20]],
  };
}

/** Whether a value is an integer from `low` to `high`, both included. */
const dealIsIntegerIn = (value, low, high) => Number.isInteger(value) && value >= low && value <= high;

/** Whether a bonus table has one to eight rising steps of [jewels, points]. */
function dealIsBonus(steps) {
  const isStep = (step) => Array.isArray(step) && step.length === 2 && step.every((value) => dealIsIntegerIn(value, 1, 255));
  const isRising = (step, i) => i === 0 || (step[0] > steps[i - 1][0] && step[1] > steps[i - 1][1]);
  return Array.isArray(steps) && dealIsIntegerIn(steps.length, 1, 8) && steps.every(isStep) && steps.every(isRising);
}

/** The number of jewels of each colour at the start, from white to blue; null if the pouch is invalid. */
function dealPouch(pouch) {
  if (pouch === null || typeof pouch !== "object" || Object.keys(pouch).length !== DEAL_JEWELS.length) return null;
  const counts = Array.from(DEAL_JEWELS, (jewel) => pouch[jewel]);
  return counts.every((count) => dealIsIntegerIn(count, 0, 60)) ? counts : null;
}

/** All parameters of a game (docs/formats.md), given those that its record changes; null if they are invalid. */
function dealParameters(players, changed) {
  const published = dealPublished(players);
  const given = changed ?? {};
  if (typeof given !== "object" || Array.isArray(given) || Object.keys(given).some((key) => !Object.hasOwn(published, key))) return null;
  const all = {};
  for (const key of Object.keys(published)) all[key] = given[key] ?? published[key];
  const bidsEach = players === 2 ? 2 : 1;
  const pouch = dealPouch(all.pouch);
  // The limits of docs/formats.md.
  const isValid = dealIsIntegerIn(all.cards, 5, 15) && dealIsIntegerIn(all.copies, 1, 2) && dealIsIntegerIn(all.stages, 1, 3)
    && dealIsIntegerIn(all.rounds, 1, 8) && dealIsIntegerIn(all.cushions, bidsEach, 3) && pouch !== null && dealIsBonus(all.bonus);
  if (!isValid) return null;
  const rounds = all.stages * all.rounds;
  const jewels = pouch.reduce((sum, count) => sum + count, 0);
  // A player needs a card for each bid. Each round takes at most one jewel per cushion and draws one jewel more than there are
  // cushions.
  if (rounds * bidsEach > all.cards * all.copies || jewels > 60 || rounds * all.cushions + 1 > jewels) return null;
  return {
    players, cushions: all.cushions, stages: all.stages, rounds, perStage: all.rounds, bidsEach, hand: all.rounds * bidsEach,
    cards: all.cards, copies: all.copies, pouch, bonus: all.bonus,
  };
}

/** A seat's deck in the order of its hands: the hand of a stage is the next part of it. */
function dealDeck(seed, seat, parameters) {
  const cards = [];
  for (let value = 1; value <= parameters.cards; value += 1) for (let copy = 0; copy < parameters.copies; copy += 1) cards.push(value);
  const below = dealStream(seed, seat);
  for (let i = cards.length - 1; i > 0; i -= 1) {
    const j = below(i + 1);
    [cards[i], cards[j]] = [cards[j], cards[i]];
  }
  return cards;
}

/** Draws `count` jewels of a round (counted from 0) and removes them from the pouch. */
function dealDraw(seed, round, pouch, count) {
  const below = dealStream(seed, 16 + round);
  const drawn = [];
  for (let i = 0; i < count; i += 1) {
    let x = below(pouch.reduce((sum, remaining) => sum + remaining, 0));
    let jewel = 0;
    while (x >= pouch[jewel]) x -= pouch[jewel++];
    pouch[jewel] -= 1;
    drawn.push(DEAL_JEWELS[jewel]);
  }
  return drawn;
}

/**
 * The seat that wins a cushion's jewel, given the bids on it in order; null without a bid (rules 4.5 to 4.7). Of equal cards the
 * first wins; between two players, the card of the round's first player wins.
 */
function dealWinner(bids, firstSeat, players) {
  let best = null;
  for (const bid of bids) {
    const isTie = bid.card === best?.card;
    if (best === null || bid.card > best.card || (isTie && players === 2 && bid.seat === firstSeat)) best = bid;
  }
  return best?.seat ?? null;
}

/** The points and rank of each seat (rules 5.2 to 5.5). */
function dealResult(parameters, collections) {
  const places = collections.map((jewels, seat) => {
    let jewelPoints = 0;
    let bonus = 0;
    jewels.forEach((count, colour) => {
      // A jewel is worth 1 (white) to 5 (blue).
      jewelPoints += count * (colour + 1);
      bonus += parameters.bonus.findLast(([jewels]) => count >= jewels)?.[1] ?? 0;
    });
    return { seat, jewels, jewelPoints, bonus, points: jewelPoints + bonus, count: jewels.reduce((sum, count) => sum + count, 0) };
  });
  const isAhead = (a, b) => a.points > b.points || (a.points === b.points && a.count > b.count);
  return places.map((place) => ({ ...place, rank: 1 + places.filter((other) => isAhead(other, place)).length }));
}

/** Whether fetched JSON has the shape of a record. A record with parameters has version 2. */
function dealIsRecord(record) {
  const isHeaderValid = record !== null && typeof record === "object" && record.format === "sultan-record" && [1, 2].includes(record.version)
    && (record.version === 2 || (record.parameters ?? null) === null) && [2, 3, 4, 5].includes(record.players)
    && dealParameters(record.players, record.parameters) !== null;
  return isHeaderValid && dealIsIntegerIn(record.first_seat, 0, record.players - 1) && dealIsSeed(record.server_seed)
    && Array.isArray(record.client_seeds) && record.client_seeds.length === record.players
    && record.client_seeds.every((seed) => typeof seed === "string" && new TextEncoder().encode(seed).length <= 255)
    && Array.isArray(record.actions) && record.actions.every((action) => typeof action === "string");
}

/**
 * Plays a record's actions on the deal of its seeds, until an action is illegal or the record ends. The kind of a fault is "offer"
 * or "bid" for an illegal action, "more" for an action after the end of the game.
 */
function dealReplay(record, parameters, seed, decks) {
  const { players, cushions } = parameters;
  const game = { parameters, rounds: [], fault: null, final: null };
  const pouch = parameters.pouch.slice();
  const collections = decks.map(() => [0, 0, 0, 0, 0]);
  const hands = decks.map(() => []);
  let played = 0;
  // The record of an abandoned game is incomplete, but can still be checked.
  const isAtEnd = () => played >= record.actions.length;
  const fail = (kind) => { game.fault = { kind, action: played + 1, text: record.actions[played] }; return game; };
  for (let index = 0; index < parameters.rounds; index += 1) {
    const stage = Math.floor(index / parameters.perStage);
    if (index % parameters.perStage === 0) decks.forEach((deck, seat) => { hands[seat] = deck.slice(stage * parameters.hand, (stage + 1) * parameters.hand); });
    const first = (record.first_seat + index) % players;
    const drawn = dealDraw(seed, index, pouch, cushions + 1);
    const round = { stage: stage + 1, round: (index % parameters.perStage) + 1, first, drawn, offer: null, putBack: null, bids: [], winners: null };
    game.rounds.push(round);
    if (isAtEnd()) return game;
    const offer = Array.from(record.actions[played]);
    const remaining = drawn.slice();
    const takeDrawn = (jewel) => remaining.includes(jewel) && remaining.splice(remaining.indexOf(jewel), 1);
    if (offer.length !== cushions || !offer.every(takeDrawn)) return fail("offer");
    round.offer = offer;
    round.putBack = remaining[0];
    pouch[DEAL_JEWELS.indexOf(round.putBack)] += 1;
    played += 1;
    for (let turn = 0; turn < players * parameters.bidsEach; turn += 1, played += 1) {
      const seat = (first + turn) % players;
      if (isAtEnd()) return game;
      const notation = /^([1-9][0-9]?)@([1-9])$/.exec(record.actions[played]);
      const [card, cushion] = notation ? [Number(notation[1]), Number(notation[2])] : [0, 0];
      const isSecondBid = round.bids.some((bid) => bid.seat === seat && bid.cushion === cushion);
      if (!hands[seat].includes(card) || cushion < 1 || cushion > cushions || isSecondBid) return fail("bid");
      hands[seat].splice(hands[seat].indexOf(card), 1);
      round.bids.push({ seat, card, cushion });
    }
    round.winners = round.offer.map((jewel, i) => {
      const winner = dealWinner(round.bids.filter((bid) => bid.cushion === i + 1), first, players);
      // A jewel without a bid goes back into the pouch.
      (winner === null ? pouch : collections[winner])[DEAL_JEWELS.indexOf(jewel)] += 1;
      return winner;
    });
  }
  if (!isAtEnd()) return fail("more");
  game.final = dealResult(parameters, collections);
  return game;
}

/**
 * Whether a submitted seed (as 85-seed.js stores it) belongs to this page's table: a rejected form has submitted no seed, and a
 * seat taken at one table does not count at another.
 */
function dealSeedBelongsToTable(submitted, page) {
  return Boolean(page.table) && !page.refused && (!submitted.table || submitted.table === page.table);
}

/**
 * Checks a record. `noted` are this browser's notes, one for each submitted seed, with the commitment shown at that time.
 * `shown` is the information on the page besides the record: its commitment, and each seat's points and rank.
 * Each step is "good", "bad", or a reason that the page explains: the step cannot be checked, or had a choice ("host").
 */
function checkDeal(record, noted, shown) {
  if (!dealIsRecord(record)) return { good: false, steps: { record: "bad" } };
  const computed = dealHex(dealSha256(dealBytes(record.server_seed)));
  const given = typeof record.commitment === "string" ? record.commitment.toLowerCase() : null;
  const verdict = (isGood) => (isGood ? "good" : "bad");
  const steps = { record: "good" };
  steps.commitment = verdict((given === null || given === computed) && (!shown?.commitment || shown.commitment === computed));
  // A seed may be replaced before the start, and a commitment may stay unused: only those in the deal count.
  const isUsed = (note) => record.client_seeds.includes(note.seed);
  // The second player to request a rematch joins the first player's table, which has neither this seed nor this commitment.
  const withSeed = noted.filter((note) => note.seed && (!note.rematch || isUsed(note)));
  const used = withSeed.filter(isUsed);
  steps.seed = withSeed.length ? verdict(used.length > 0) : "unknown";
  const withCommitment = (used.length ? used : withSeed).filter((note) => note.commitment);
  steps.noted = withCommitment.length ? verdict(withCommitment.every((note) => String(note.commitment).toLowerCase() === computed)) : "unknown";
  const seed = dealGameSeed(record.server_seed, record.client_seeds);
  const parameters = dealParameters(record.players, record.parameters);
  const decks = record.client_seeds.map((_, seat) => dealDeck(seed, seat, parameters));
  const randomFirst = dealStream(seed, 64)(record.players);
  const firstSteps = { host: "host", rematch: "rematch", chance: verdict(randomFirst === record.first_seat) };
  steps.first = firstSteps[record.first_seat_by] ?? "unknown";
  const game = dealReplay(record, parameters, seed, decks);
  const kind = game.fault?.kind;
  // After the last round only an offer could follow, so a surplus action ("more") counts as a wrong offer.
  steps.offers = verdict(kind !== "offer" && kind !== "more");
  steps.bids = game.fault === null ? "good" : kind === "bid" ? "bad" : "unknown";
  const isShown = (place) => shown.places.some((other) => other.seat === place.seat && other.points === place.points && other.rank === place.rank);
  // The page shows places only if the game was played to its end.
  if (game.final === null) steps.result = shown?.places?.length ? "bad" : "unknown";
  else steps.result = verdict(!shown?.places || (shown.places.length === game.final.length && game.final.every(isShown)));
  const good = Object.values(steps).every((state) => state !== "bad");
  return { good, steps, computed, gameSeed: dealHex(seed), decks, ...game };
}
