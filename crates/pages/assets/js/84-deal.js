// Recomputes a deal from its seeds: the arithmetic of docs/fairness.md and the rules, independent of the page.
// Pages on plain http have no crypto.subtle, hence SHA-256; no browser offers ChaCha20.

const DEAL_JEWELS = "WRYGB";

const dealHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const dealBytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const dealIsSecret = (text) => typeof text === "string" && /^[0-9a-f]{64}$/i.test(text);

/** The first 32 fractional bits of a root of each of the first primes: the constants of SHA-256. */
function dealRoots(count, root) {
  const found = [];
  for (let number = 2; found.length < count; number += 1) {
    let prime = true;
    for (let by = 2; by * by <= number; by += 1) prime &&= number % by !== 0;
    if (prime) found.push(dealRootBits(BigInt(number), root));
  }
  return found;
}

/** Exact, by bisection: floating point is not guaranteed to be exact in all browsers. */
function dealRootBits(number, root) {
  const target = number << BigInt(32 * root);
  let low = 0n;
  let high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** BigInt(root) <= target) low = middle;
    else high = middle;
  }
  return Number(low & 0xffffffffn);
}

let dealConstants = null;

/** SHA-256 of bytes, as bytes. */
function dealSha256(message) {
  // Computed on first use: most pages never need it.
  dealConstants ??= { start: dealRoots(8, 2), round: dealRoots(64, 3) };
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const data = new DataView(padded.buffer);
  data.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  data.setUint32(padded.length - 4, (message.length << 3) >>> 0);
  const right = (word, by) => (word >>> by) | (word << (32 - by));
  const hash = dealConstants.start.slice();
  const w = new Uint32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i += 1) w[i] = data.getUint32(block + 4 * i);
    for (let i = 16; i < 64; i += 1) {
      const small = right(w[i - 15], 7) ^ right(w[i - 15], 18) ^ (w[i - 15] >>> 3);
      const large = right(w[i - 2], 17) ^ right(w[i - 2], 19) ^ (w[i - 2] >>> 10);
      w[i] = w[i - 16] + small + w[i - 7] + large;
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i += 1) {
      const choose = (e & f) ^ (~e & g);
      const one = (h + (right(e, 6) ^ right(e, 11) ^ right(e, 25)) + choose + dealConstants.round[i] + w[i]) | 0;
      const most = (a & b) ^ (a & c) ^ (b & c);
      const two = ((right(a, 2) ^ right(a, 13) ^ right(a, 22)) + most) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => { hash[i] = (hash[i] + word) | 0; });
  }
  const bytes = new Uint8Array(32);
  hash.forEach((word, i) => new DataView(bytes.buffer).setUint32(4 * i, word >>> 0));
  return bytes;
}

/** One block of original ChaCha20: 64-bit counter, 64-bit stream number (both small here). */
function dealChaCha(key, counter, stream) {
  const words = new DataView(key.buffer, key.byteOffset, 32);
  const start = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];
  for (let i = 0; i < 8; i += 1) start.push(words.getUint32(4 * i, true));
  start.push(counter, 0, stream, 0);
  const work = Uint32Array.from(start);
  const mix = (x, y, z, by) => {
    work[x] += work[y];
    const word = work[z] ^ work[x];
    work[z] = (word << by) | (word >>> (32 - by));
  };
  const quarter = (a, b, c, d) => { mix(a, b, d, 16); mix(c, d, b, 12); mix(a, b, d, 8); mix(c, d, b, 7); };
  for (let round = 0; round < 10; round += 1) {
    for (let i = 0; i < 4; i += 1) quarter(i, 4 + i, 8 + i, 12 + i);
    for (let i = 0; i < 4; i += 1) quarter(i, 4 + ((i + 1) % 4), 8 + ((i + 2) % 4), 12 + ((i + 3) % 4));
  }
  return work.map((word, i) => word + start[i]);
}

/** `below(n)` on one stream of the game's randomness. */
function dealStream(seed, stream) {
  let counter = 0;
  let words = [];
  const next = () => {
    if (words.length === 0) words = Array.from(dealChaCha(seed, counter++, stream));
    return words.shift();
  };
  return (n) => {
    const limit = Math.floor(2 ** 32 / n) * n;
    for (;;) {
      const word = next();
      if (word < limit) return word % n;
    }
  };
}

function dealGameSeed(serverSeed, clientSeeds) {
  const parts = [new TextEncoder().encode("sultan/1"), dealBytes(serverSeed)];
  for (const seed of clientSeeds) {
    const bytes = new TextEncoder().encode(seed);
    parts.push(Uint8Array.of(bytes.length), bytes);
  }
  return dealSha256(Uint8Array.from(parts.flatMap((part) => Array.from(part))));
}

/** The parameters of the published game for a number of players (docs/rules.md), with the keys of a variant. */
function dealPublished(players) {
  const two = players === 2;
  return {
    cards: two ? 12 : 15, copies: two ? 2 : 1, stages: 3, rounds: two ? 4 : 5, cushions: players === 3 ? 2 : 3,
    pouch: { W: 12, R: 11, Y: 10, G: 9, B: 8 }, bonus: two ? [[4, 2], [5, 5], [6, 10], [7, 20]] : [[3, 2], [4, 5], [5, 10], [6, 20]],
  };
}

const dealIsNumber = (value, low, high) => Number.isInteger(value) && value >= low && value <= high;

/** Whether a bonus table has one to eight rising steps of [jewels, points]. */
function dealIsBonus(steps) {
  const isStep = (step) => Array.isArray(step) && step.length === 2 && step.every((value) => dealIsNumber(value, 1, 255));
  const rises = (step, i) => i === 0 || (step[0] > steps[i - 1][0] && step[1] > steps[i - 1][1]);
  return Array.isArray(steps) && dealIsNumber(steps.length, 1, 8) && steps.every(isStep) && steps.every(rises);
}

/** Jewels of each colour at the start, from white to blue; null if absent. */
function dealPouch(pouch) {
  if (pouch === null || typeof pouch !== "object" || Object.keys(pouch).length !== DEAL_JEWELS.length) return null;
  const counts = Array.from(DEAL_JEWELS, (jewel) => pouch[jewel]);
  return counts.every((count) => dealIsNumber(count, 0, 60)) ? counts : null;
}

/** All parameters of a record's game (docs/formats.md); null if they are invalid. */
function dealNumbers(players, parameters) {
  const published = dealPublished(players);
  const given = parameters ?? {};
  if (typeof given !== "object" || Array.isArray(given) || Object.keys(given).some((key) => !Object.hasOwn(published, key))) return null;
  const all = {};
  for (const key of Object.keys(published)) all[key] = given[key] ?? published[key];
  const bidsEach = players === 2 ? 2 : 1;
  const pouch = dealPouch(all.pouch);
  const isKnown = dealIsNumber(all.cards, 5, 15) && dealIsNumber(all.copies, 1, 2) && dealIsNumber(all.stages, 1, 3)
    && dealIsNumber(all.rounds, 1, 8) && dealIsNumber(all.cushions, bidsEach, 3) && pouch !== null && dealIsBonus(all.bonus);
  if (!isKnown) return null;
  const rounds = all.stages * all.rounds;
  const jewels = pouch.reduce((sum, count) => sum + count, 0);
  // Each round takes at most one jewel per cushion and draws one jewel more than there are cushions.
  if (rounds * bidsEach > all.cards * all.copies || jewels > 60 || rounds * all.cushions + 1 > jewels) return null;
  return {
    players, cushions: all.cushions, stages: all.stages, rounds, perStage: all.rounds, bidsEach, hand: all.rounds * bidsEach,
    cards: all.cards, copies: all.copies, pouch, bonus: all.bonus,
  };
}

function dealDeck(seed, seat, numbers) {
  const cards = [];
  for (let value = 1; value <= numbers.cards; value += 1) for (let copy = 0; copy < numbers.copies; copy += 1) cards.push(value);
  const below = dealStream(seed, seat);
  for (let i = cards.length - 1; i > 0; i -= 1) {
    const j = below(i + 1);
    [cards[i], cards[j]] = [cards[j], cards[i]];
  }
  return cards;
}

/** Draws the jewels of a round from the pouch. */
function dealDraw(seed, round, pouch, count) {
  const below = dealStream(seed, 16 + round);
  const drawn = [];
  for (let i = 0; i < count; i += 1) {
    let x = below(pouch.reduce((sum, left) => sum + left, 0));
    let jewel = 0;
    while (x >= pouch[jewel]) x -= pouch[jewel++];
    pouch[jewel] -= 1;
    drawn.push(DEAL_JEWELS[jewel]);
  }
  return drawn;
}

/** The seat that wins a cushion's jewel; null without a bid (rules 4.5 to 4.7). */
function dealWinner(bids, first, players) {
  let best = null;
  for (const bid of bids) {
    const tie = best !== null && bid.card === best.card;
    if (best === null || bid.card > best.card || (tie && players === 2 && bid.seat === first)) best = bid;
  }
  return best === null ? null : best.seat;
}

/** Points and standings (rules 5.2 to 5.5). */
function dealResult(numbers, collections) {
  const places = collections.map((jewels, seat) => {
    let jewelPoints = 0;
    let bonus = 0;
    jewels.forEach((count, colour) => {
      jewelPoints += count * (colour + 1);
      bonus += numbers.bonus.findLast(([from]) => count >= from)?.[1] ?? 0;
    });
    return { seat, jewels, jewelPoints, bonus, points: jewelPoints + bonus, count: jewels.reduce((sum, one) => sum + one, 0) };
  });
  const ahead = (a, b) => a.points > b.points || (a.points === b.points && a.count > b.count);
  return places.map((place) => ({ ...place, rank: 1 + places.filter((other) => ahead(other, place)).length }));
}

/** Whether fetched JSON has the shape of a record. One with parameters has version 2. */
function dealIsRecord(record) {
  return record !== null && typeof record === "object" && record.format === "sultan-record" && [1, 2].includes(record.version)
    && (record.version === 2 || (record.parameters ?? null) === null) && [2, 3, 4, 5].includes(record.players) && dealNumbers(record.players, record.parameters) !== null && Number.isInteger(record.first_seat) && record.first_seat >= 0
    && record.first_seat < record.players && dealIsSecret(record.server_seed)
    && Array.isArray(record.client_seeds) && record.client_seeds.length === record.players
    && record.client_seeds.every((seed) => typeof seed === "string" && new TextEncoder().encode(seed).length <= 255)
    && Array.isArray(record.actions) && record.actions.every((action) => typeof action === "string");
}

/** Plays a record's actions on the deal of its seeds, until an action is illegal. */
function dealReplay(record, numbers, seed, decks) {
  const { players, cushions } = numbers;
  const game = { numbers, rounds: [], fault: null, final: null };
  const pouch = numbers.pouch.slice();
  const collections = decks.map(() => [0, 0, 0, 0, 0]);
  const hands = decks.map(() => []);
  let at = 0;
  // The record of an abandoned game is incomplete, but can still be checked.
  const stops = () => at >= record.actions.length;
  const wrong = (kind) => { game.fault = { kind, action: at + 1, text: record.actions[at] }; return game; };
  for (let index = 0; index < numbers.rounds; index += 1) {
    const stage = Math.floor(index / numbers.perStage);
    if (index % numbers.perStage === 0) decks.forEach((deck, seat) => { hands[seat] = deck.slice(stage * numbers.hand, (stage + 1) * numbers.hand); });
    const first = (record.first_seat + index) % players;
    const drawn = dealDraw(seed, index, pouch, cushions + 1);
    const round = { stage: stage + 1, round: (index % numbers.perStage) + 1, first, drawn, offer: null, putBack: null, bids: [], winners: null };
    game.rounds.push(round);
    if (stops()) return game;
    const offer = record.actions[at];
    const left = drawn.slice();
    const takes = (jewel) => { const place = left.indexOf(jewel); if (place >= 0) left.splice(place, 1); return place >= 0; };
    if (offer.length !== cushions || !Array.from(offer).every(takes)) return wrong("offer");
    round.offer = Array.from(offer);
    round.putBack = left[0];
    pouch[DEAL_JEWELS.indexOf(left[0])] += 1;
    at += 1;
    for (let turn = 0; turn < players * numbers.bidsEach; turn += 1, at += 1) {
      const seat = (first + turn) % players;
      if (stops()) return game;
      const bid = /^([1-9][0-9]?)@([1-9])$/.exec(record.actions[at]);
      const [card, cushion] = bid ? [Number(bid[1]), Number(bid[2])] : [0, 0];
      const place = hands[seat].indexOf(card);
      const again = round.bids.some((bid) => bid.seat === seat && bid.cushion === cushion);
      if (place < 0 || cushion < 1 || cushion > cushions || again) return wrong("bid");
      hands[seat].splice(place, 1);
      round.bids.push({ seat, card, cushion });
    }
    round.winners = round.offer.map((jewel, i) => {
      const winner = dealWinner(round.bids.filter((bid) => bid.cushion === i + 1), first, players);
      (winner === null ? pouch : collections[winner])[DEAL_JEWELS.indexOf(jewel)] += 1;
      return winner;
    });
  }
  if (!stops()) return wrong("more");
  game.pouch = pouch;
  game.final = dealResult(numbers, collections);
  return game;
}

/**
 * Whether a submitted seed belongs to this table: a rejected form has submitted no seed, and a seat taken at one table does
 * not count at another.
 */
function dealSeedBelongsToTable(given, page) {
  return Boolean(page.table) && !page.refused && (!given.table || given.table === page.table);
}

/**
 * Checks a record. `noted` are this browser's notes, one for each submitted seed, with the commitment shown at that time.
 * `shown` is the information on the page besides the record: its commitment, and each seat's points and standing.
 * Each step is "good", "bad", or a code for an impossible check.
 */
function checkDeal(record, noted, shown) {
  if (!dealIsRecord(record)) return { good: false, steps: { record: "bad" } };
  const computed = dealHex(dealSha256(dealBytes(record.server_seed)));
  const given = typeof record.commitment === "string" ? record.commitment.toLowerCase() : null;
  const is = (good) => (good ? "good" : "bad");
  const steps = { record: "good" };
  steps.commitment = is((given === null || given === computed) && (!shown?.commitment || shown.commitment === computed));
  // A seed may be replaced before the start, and a commitment may stay unused: only those in the deal count.
  const isUsed = (one) => record.client_seeds.includes(one.seed);
  // The second player to request a rematch joins the first player's table, which has neither this seed nor this commitment.
  const seeds = noted.filter((one) => one.seed && (!one.rematch || isUsed(one)));
  const used = seeds.filter(isUsed);
  steps.seed = seeds.length ? is(used.length > 0) : "unknown";
  const commitments = (used.length ? used : seeds).filter((one) => one.commitment);
  steps.noted = commitments.length ? is(commitments.every((one) => String(one.commitment).toLowerCase() === computed)) : "unknown";
  const seed = dealGameSeed(record.server_seed, record.client_seeds);
  const numbers = dealNumbers(record.players, record.parameters);
  const decks = record.client_seeds.map((_, seat) => dealDeck(seed, seat, numbers));
  const chance = dealStream(seed, 64)(record.players);
  const by = { host: "host", rematch: "rematch", chance: is(chance === record.first_seat) };
  steps.first = by[record.first_seat_by] ?? "unknown";
  const game = dealReplay(record, numbers, seed, decks);
  const kind = game.fault?.kind;
  steps.offers = is(kind !== "offer" && kind !== "more");
  steps.bids = game.fault === null ? "good" : kind === "bid" ? "bad" : "unknown";
  const same = (place) => shown.places.some((other) => other.seat === place.seat && other.points === place.points && other.rank === place.rank);
  if (game.final === null) steps.result = shown?.places?.length ? "bad" : "unknown";
  else steps.result = is(!shown?.places || (shown.places.length === game.final.length && game.final.every(same)));
  const good = Object.values(steps).every((state) => state !== "bad");
  return { good, steps, computed, gameSeed: dealHex(seed), decks, chance, ...game };
}
