"use strict";
// The kernels of csig in WebAssembly (web.c), and the whole numbers around them, as BigInt: what
// csig/engines/questions.py and csig/streams.py say in Python.

const CHUNK = 65536, UNITS = 65536, LARGEST_CLASS = 1 << 20, SEED = 4096, BINS = 128;
const GENERATORS = ["PCG64DXSM", "PCG64", "Philox"], ALTERNATIVES = ["greater", "less", "two-sided"];
const METRICS = { // weights of numerator and denominator over tp, predicted, gold
  Recall: [[1n, 0n, 0n], [0n, 0n, 1n]],
  Precision: [[1n, 0n, 0n], [0n, 1n, 0n]],
  F1: [[2n, 0n, 0n], [0n, 1n, 1n]],
};

const size = v => v < 0n ? -v : v;
const sign = v => Number(v > 0n) - Number(v < 0n);
const sum = values => values.reduce((a, b) => a + b, 0n);
const times = (row, values) => sum(row.map((w, i) => w * values[i]));
const divisor = (a, b) => { while (b) [a, b] = [b, a % b]; return size(a); };

/** mantissa * 2^exponent as a double, and the natural logarithm of its size. */
function scaled(mantissa, exponent) {
  const part = Math.max(-1000, Math.min(exponent, 900)); // no power alone leaves the doubles
  return { value: mantissa * 2 ** part * 2 ** Math.max(-1000, exponent - part),
           log: Math.log(Math.abs(mantissa)) + exponent * Math.LN2 };
}

/** u / v in the same way, correctly rounded. */
function quotient(u, v) {
  if (u === 0n) return { value: 0, log: -Infinity };
  const digits = w => 4 * size(w).toString(16).length;
  const shift = digits(u) - digits(v) - 70; // 66 bits of the quotient, or some more
  const [above, below] = shift < 0 ? [size(u) << BigInt(-shift), v] : [size(u), v << BigInt(shift)];
  const whole = 2n * (above / below) + BigInt(above % below !== 0n); // so that it is rounded once
  return scaled(sign(u) * Number(whole), shift - 1);
}

/** A metric's question: its numbers for the kernels, both scores, and the observed difference. */
function question(numerator, denominator, sizes, a, b, zero, more) {
  const u = a[0] * b[1] - b[0] * a[1], v = a[1] * b[1], common = divisor(u, v) || 1n;
  return { numerator, denominator, sizes, zero, u: u / common, v: v / common,
           scores: [quotient(...a).value, quotient(...b).value], ...more };
}

/** Of responses: both systems' sums of tp, predicted and gold, and what only one of them has. */
function ofResponses(sumsA, sumsB, [[correct, correctB], [spurious, spuriousB]], weights, zero) {
  const sizes = [correct + correctB, spurious + spuriousB];
  const rows = weights.map(row => {
    const steps = [row[0] + row[1], row[1]];
    const base = times(row, sumsA) - steps[0] * correct - steps[1] * spurious;
    return [base, ...steps, times(row, sumsA) + times(row, sumsB)];
  });
  const score = (i, j) => {
    const [above, below] = rows.map(row => row[0] + row[1] * i + row[2] * j);
    return below ? [above, below] : [zero, 1n];
  };
  const lattice = rows[0][2] === 0n && rows[1][1] === 0n && rows[1][2] === 0n;
  return question(...rows, sizes, score(correct, spurious), score(correctB, spuriousB), zero,
    { turns: directions(score, ...rows, ...sizes),
      step: lattice && rows[1][0] ? 2 * Number(size(rows[0][1])) / Number(rows[1][0]) : 0 });
}

/** Which classes to count from the other end so that the score rises with the first and falls with
 * the second; null where that cannot be. */
function directions(score, [n0, n1, n2], [d0, d1, d2], last, lastY) {
  const along = [
    [0n, lastY].map(y => sign(n1 * (d0 + d2 * y) - d1 * (n0 + n2 * y))),
    [0n, last].map(x => sign(n2 * (d0 + d1 * x) - d2 * (n0 + n1 * x))),
  ];
  if (d0 * (d0 + d1 * last) * (d0 + d2 * lastY) * (d0 + d1 * last + d2 * lastY) === 0n) {
    const ends = n => [0n, 1n, n - 1n, n].filter((v, i, all) => v >= 0n && v <= n && v >= (all[i - 1] ?? v));
    const step = (low, high) => sign(high[0] * low[1] - low[0] * high[1]);
    const xs = ends(last), ys = ends(lastY);
    xs.forEach((x, i) => ys.forEach((y, j) => {
      if (i) along[0].push(step(score(xs[i - 1], y), score(x, y)));
      if (j) along[1].push(step(score(x, ys[j - 1]), score(x, y)));
    }));
  }
  if (along.some(signs => signs.includes(1) && signs.includes(-1))) return null;
  return [along[0].includes(-1), along[1].includes(1)];
}

/** Of units that are swapped: what each takes from both systems' numerators (and denominators, where
 * these differ); sums that are closer than tau may be equal. */
function ofUnits(steps, below, a, b, zero = 0n, tau = 0n) {
  const of = ([above, under]) => under ? [above, under] : [zero, 1n];
  const own = question([a[0], -1n, 0n, a[0] + b[0]], [a[1], 0n, -1n, a[1] + b[1]],
    [a[0] - b[0], a[1] - b[1]], of(a), of(b), zero, { units: steps, below, step: 0 });
  own.difference = quotient(own.u, own.v).value;
  if (below.some(Boolean)) return own;
  const total = sum(steps);
  return { ...own, numerator: [total, -1n, 0n, total], denominator: [1n, 0n, 0n, 2n], sizes: [total, 0n],
           u: total, v: 1n, band: 2n * tau, step: 2 * Number(steps.reduce(divisor, 0n)) };
}

/** How many of the 2^n ways to swap units give each sum of what is swapped, 0, unit, 2 unit, ... of
 * the sizes of steps: one product of polynomials, packed into one number. */
function ways(steps, unit) {
  const sizes = new Map(), slot = BigInt(steps.length + 1);
  for (const step of steps) sizes.set(size(step) / unit, (sizes.get(size(step) / unit) ?? 0n) + 1n);
  let packed = 1n;
  for (const [step, count] of sizes) packed *= (1n + (1n << (slot * step))) ** count;
  const slots = (part, count) => {
    if (count === 1) return [part];
    const low = count >> 1, bits = slot * BigInt(low);
    return [...slots(BigInt.asUintN(Number(bits), part), low), ...slots(part >> bits, count - low)];
  };
  return slots(packed, Number(sum(steps.map(size)) / unit) + 1);
}

/** The exact null distribution of units: differences, the ways to each, and p. */
function exactOfUnits(asked, alternative = "two-sided") {
  const unit = asked.units.reduce(divisor, 0n) || 1n, all = 1n << BigInt(asked.units.length);
  const largest = sum(asked.units.map(size)) / unit;
  if (largest * BigInt(asked.units.length) > 3n * 10n ** 7n) return null;
  const counts = ways(asked.units, unit);
  const differences = counts.map((_, i) => (largest - 2n * BigInt(i)) * unit);
  const extreme = differences.map(d => alternative === "two-sided" ? size(d) >= size(asked.u)
    : alternative === "greater" ? d >= asked.u : d <= asked.u);
  return { differences, counts, extreme, all, ...quotient(sum(counts.filter((_, i) => extreme[i])), all) };
}

/** What seeds a run of shuffles: 32-bit words, without the chunk. */
function seedWords(entropy, spawnKey, run) {
  const words = [];
  for (let part of entropy) {
    do words.push(Number(part & 0xffffffffn)); while (part >>= 32n);
  }
  while (words.length < 4) words.push(0);
  words.push(...spawnKey, 0x63736967, 0, run);
  if (words.length > SEED) throw new Error("The seed is too long for this page.");
  return words;
}

async function loadKernels(bytes) {
  const web = (await WebAssembly.instantiate(bytes, {})).instance.exports, memory = web.memory.buffer;
  const bins = new Float64Array(memory, web.bins(), 2 * BINS);

  function ask(asked, alternative = "two-sided") {
    const observed = { greater: asked.u, less: -asked.u, "two-sided": size(asked.u) }[alternative];
    const least = observed - (asked.band ?? 0n);
    const halves = v => [size(v) >> 64n, BigInt.asUintN(64, size(v))];
    new BigInt64Array(memory, web.numbers(), 16).set([
      ...asked.numerator, ...asked.denominator, asked.zero, ...asked.sizes, BigInt(sign(least)),
      ...halves(least), ...halves(asked.v)]);
    web.ask(quotient(least, asked.v).value, ALTERNATIVES.indexOf(alternative));
  }

  return {
    bins,
    /** The exact p of responses as { value, log }. */
    exact(asked, alternative = "two-sided") {
      ask(asked, alternative);
      if (!asked.turns && (asked.sizes[0] + 1n) * (asked.sizes[1] + 1n) > 1n << 28n) return null;
      const mantissa = web.exact(Number(asked.turns !== null), ...(asked.turns ?? [0, 0]).map(Number));
      const found = scaled(mantissa, web.exponent() + Number(alternative === "two-sided"));
      return found.log > -1e-13 ? { value: 1, log: 0 } : found; // certain, but for rounding
    },
    /** The spread of the exact null distribution of responses; with a width, its bins. */
    null(asked, low, width) {
      ask(asked);
      return web.null(low, width);
    },
    /** n shuffles, chunk by chunk; each(hits, picture, chunk) counts and draws those of a chunk. */
    async shuffle(asked, { generator, entropy, spawnKey = [], run = 0 }, n, each) {
      const words = seedWords(entropy, spawnKey, run), kind = GENERATORS.indexOf(generator);
      let since = performance.now();
      for (let chunk = 0; chunk * CHUNK < n; chunk++) {
        const trials = Math.min(CHUNK, n - chunk * CHUNK);
        new Uint32Array(memory, web.entropy(), SEED).set(words);
        const draw = one => { // of all metrics the same shuffles
          if (one.units) {
            const steps = new BigInt64Array(memory, web.steps(), 2 * UNITS);
            steps.set(one.units);
            steps.set(one.below, UNITS);
            web.units(kind, words.length, chunk, trials, one.units.length);
          } else {
            ask(one);
            web.responses(kind, words.length, chunk, trials);
          }
        };
        let drawn = asked;
        draw(drawn);
        const of = one => one.units && one.units !== drawn.units && draw(drawn = one);
        each((one, alternative) => (of(one), ask(one, alternative), web.hits(trials)),
             (one, low, width) => (of(one), ask(one), web.picture(trials, low, width), bins), chunk);
        if (performance.now() - since < 50) continue;
        await new Promise(resolve => setTimeout(resolve)); // the page stays alive
        since = performance.now();
      }
    },
  };
}
