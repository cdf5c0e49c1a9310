
// The checks of an audit that follow from hits and exact p-values, as csig/audits/checks.py makes them.

const RISK = 1e-6; // of a faultless audit

/** log(n!) less Stirling's formula (Loader 2000), and x log(x / m) + m - x. */
const FACTORIALS = [0, 0.0810614667953272582, 0.0413406959554092941, 0.0276779256849983391, 0.0207906721037650931,
  0.0166446911898211922, 0.0138761288230707480, 0.0118967099458917701, 0.0104112652619720965, 0.0092554621827127329,
  0.0083305634333628708, 0.0075736754879518408, 0.0069428401072116599, 0.0064089941880042071, 0.0059513701127588475,
  0.0055547335519628014];
function stirling(n) {
  if (n < FACTORIALS.length) return FACTORIALS[n];
  const s = n * n;
  return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / s) / s) / s) / s) / n;
}
function deviance(x, mean) {
  if (Math.abs(x - mean) >= 0.1 * (x + mean)) return x * Math.log(x / mean) + mean - x;
  const v = (x - mean) / (x + mean);
  let found = (x - mean) * v, term = 2 * x * v;
  for (let j = 1; j < 1000; j++) {
    const more = found + (term *= v * v) / (2 * j + 1);
    if (more === found) break;
    found = more;
  }
  return found;
}

/** The probability of k hits in n trials. */
function binomial(k, n, p) {
  if (k === 0) return Math.exp(n * Math.log1p(-p));
  if (k === n) return Math.exp(n * Math.log(p));
  const log = stirling(n) - stirling(k) - stirling(n - k) - deviance(k, n * p) - deviance(n - k, n * (1 - p));
  return Math.exp(log) * Math.sqrt(n / (2 * Math.PI * k * (n - k)));
}

/** first + first * ratio(1) + first * ratio(1) * ratio(2) + ..., until nothing is added. */
function series(first, ratio, terms) {
  let total = first, term = first;
  for (let i = 1; i <= terms && term > total * 1e-18; i++) total += term *= ratio(i);
  return total;
}

/** P(X <= k) and P(X >= k): the smaller one is summed. */
function atMost(k, n, p) {
  if (k < 0 || k >= n) return Number(k >= n);
  return k > n * p ? 1 - atLeast(k + 1, n, p)
    : series(binomial(k, n, p), i => (k - i + 1) / (n - k + i) * (1 - p) / p, k);
}
function atLeast(k, n, p) {
  if (k <= 0 || k > n) return Number(k <= 0);
  return k < n * p ? 1 - atMost(k - 1, n, p)
    : series(binomial(k, n, p), i => (n - k - i + 1) / (k + i) * p / (1 - p), n - k);
}

/** Two-sided tests: of hits against a rate, and of two runs against each other (Fisher). */
function ratePvalue(hits, n, p) {
  if (p >= 1 || p <= 0) return Number(hits === (p >= 1 ? n : 0));
  return Math.min(1, 2 * Math.min(atMost(hits, n, p), atLeast(hits, n, p)));
}
function sameRatePvalue(hits, other, n) {
  if (hits === other) return 1;
  const low = Math.min(hits, other), both = hits + other, p = both / (2 * n);
  const first = binomial(low, n, p) * binomial(both - low, n, p) / binomial(both, 2 * n, p);
  const ratio = i => (low - i + 1) / (n - low + i) * (n - both + low - i + 1) / (both - low + i);
  return Math.min(1, 2 * series(first, ratio, low - Math.max(0, both - n)));
}

/** Clopper and Pearson's interval. */
function clopperPearson(hits, n, level) {
  const tail = (1 - level) / 2, limit = (reached, end) => {
    let [small, large] = [end, hits / n]; // where less and more than the tail is reached
    for (let i = 0; i < 200 && small !== large; i++) {
      const middle = (small + large) / 2;
      if (middle === small || middle === large) break;
      if (reached(middle) < tail) small = middle; else large = middle;
    }
    return large;
  };
  return [hits ? limit(p => atLeast(hits, n, p), 0) : 0, hits < n ? limit(p => atMost(hits, n, p), 1) : 1];
}

/** The correct responses, or units that serve as such, of one system only, and the run of their sign test. */
function signs(record) {
  const { comparison, schema_version: version } = record;
  if (comparison.columns.join(" ") !== "tp predicted gold") return null;
  if (comparison.classes) return { counts: comparison.classes[0], run: 0 };
  if (version < 2) return null;
  if (comparison.responses) return { counts: comparison.responses[0], run: 3 };
  const units = comparison.differences.map(text => text.split(" ").map(Number));
  if (units.some(([tp, , gold]) => gold !== 0 || Math.abs(tp) > 1)) return null;
  return { counts: [1, -1].map(way => units.filter(([tp]) => tp === way).length), run: 0 };
}

/** The names of checks, or what is before the colon, that every audit of such a record has; and those that some have,
 * which are not recomputed. */
function checkNames({ results, comparison, schema_version: version }) {
  const generator = ["known answers", "same words", "single bits", "each unit", "counts of the shuffles",
    "neighbouring trials", "RANDU's relation", "repeated words", "period",
    ...version > 1 ? ["neighbouring groups", "copied words"] : []].map(name => `generator: ${name}`);
  const of = (...names) => results.flatMap(({ metric }) => names.map(name => name.replace("*", () => metric)));
  const larger = comparison.levels ?? ["cluster", "document", "sentence"];
  return [[...of("runs: *, first and second", "runs: *, first and third", "runs: *, second and third", "symmetry: *",
    "resolution: *"), "sign test", "exact", ...generator, "determinism: replay", "determinism: threads", "independence",
    "dependence", ...version > 4 ? ["metric itself"] : []],
  [...of("exact: *", "symmetry: *, sum", "metric itself: *"), "exact: recall", ...["two-sided", "less", "greater"].map(
    name => `sign test: recall, ${name}`), ...larger.map(level => `dependence: ${level}`)]];
}

/** The checks of a record as { name, pvalue, passed, statistic }: of hits(run, metric, tail) and exact(metric),
 * which are undefined where they were not recomputed; certain(metric) is whether both systems score the same. */
function recomputedChecks(record, hits, exact, certain) {
  const { options: { alternative, n_resamples: n, alpha }, results } = record, found = [];
  const add = (name, values, of) => values.includes(undefined) || found.push({ name, ...of(...values) });
  const tested = (value, p, statistic = value) => ({ pvalue: p, statistic });
  for (const { metric } of results) {
    const of = run => hits(run, metric, alternative);
    for (const [i, j, which] of [[0, 1, "first and second"], [0, 2, "first and third"], [1, 2, "second and third"]])
      add(`runs: ${metric}, ${which}`, [of(i), of(j)], (one, other) =>
        tested(one - other, sameRatePvalue(one, other, n)));
  }
  const sign = signs(record), tails = [["two-sided", "two-sided"]];
  if (sign) {
    const [a, b] = sign.counts, all = a + b;
    if (a !== b) tails.push(a > b ? ["upper", "greater"] : ["lower", "less"]);
    for (const [tail, name] of tails) {
      const p = name === "greater" ? atLeast(a, all, 0.5) : name === "less" ? atMost(a, all, 0.5)
        : Math.min(1, 2 * atMost(Math.min(a, b), all, 0.5));
      add(`sign test: recall, ${name}`, [hits(sign.run, "recall", tail)], k => tested(k, ratePvalue(k, n, p)));
    }
  }
  for (const metric of new Set([...results.map(own => own.metric), "recall"]))
    add(`exact: ${metric}`, [hits(0, metric, alternative), exact(metric)], (k, p) => tested(k, ratePvalue(k, n, p)));
  for (const own of results) {
    const { metric } = own, of = tail => certain(metric) ? undefined : hits(0, metric, tail);
    add(`symmetry: ${metric}`, [of("upper"), of("lower")], (up, down) =>
      tested(up - down, ratePvalue(up, up + down, 0.5)));
    add(`symmetry: ${metric}, sum`, [of("upper"), of("lower"), of("two-sided")], (up, down, both) =>
      ({ pvalue: null, statistic: null, passed: up + down === both }));
    add(`resolution: ${metric}`, [hits(0, metric, alternative)], k => {
      const p = exact(metric) ?? own.exact_pvalue, low = own.certificate?.low ?? p;
      const settled = p !== null && !(low <= alpha && alpha < p);
      const open = atLeast(k, n, alpha) >= RISK && atMost(k, n, alpha) >= RISK;
      return { pvalue: null, statistic: null, passed: settled || !open ? true : null };
    });
  }
  return found;
}
