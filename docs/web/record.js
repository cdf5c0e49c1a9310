
// An audit's record, recomputed.

/** The SHA-256 of a text or of bytes, in hexadecimal digits. */
async function sha256(content) {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const found = await crypto.subtle.digest("SHA-256", bytes);
  return [...new Uint8Array(found)].map(byte => byte.toString(16).padStart(2, "0")).join("");
}

/** A text in JSON as Python writes it, in ASCII. */
const inAscii = text => JSON.stringify(text).replace(/[\x7f-\uffff]/g, letter =>
  `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** A number, or a word, of JSON as Python writes it. */
function written(token) {
  if (!/^[-\d]/.test(token)) return token;
  if (!/[.eE]/.test(token)) return token === "-0" ? "0" : token;
  const value = Number(token), [digits, exponent] = value.toExponential().split("e");
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  if (exponent < -4 || exponent > 15) return `${digits}e${exponent.replace(/^([-+])(\d)$/, "$10$2")}`;
  return Number.isInteger(value) ? `${BigInt(value)}.0` : String(value);
}

/** The canonical text of a record's file, and of all its fields but the SHA-256: keys in order, one space of
 * indentation, ASCII. */
function canonical(text) {
  const tokens = /[ \t\n\r]*("[^"\\]*(?:\\.[^"\\]*)*"|[-+.\w]+|[{}[\]:,])/y, next = () => tokens.exec(text)[1];
  let fields;
  const value = (token, indent) => {
    if (token[0] === '"') return inAscii(JSON.parse(token));
    if (token !== "{" && token !== "[") return written(token);
    const items = [], names = new Set(), [begin, end] = token === "{" ? "{}" : "[]", deeper = `${indent} `;
    for (let own = next(); own !== end; own = next()) {
      if (own === ",") continue;
      const name = begin === "{" ? JSON.parse(own) : "";
      if (names.has(name)) throw new Error("The record has a field twice.");
      if (begin === "{") names.add(name) && next();
      items.push([name, begin === "{" ? `${inAscii(name)}: ${value(next(), deeper)}` : value(own, deeper)]);
    }
    if (begin === "{") items.sort(([a], [b]) => a < b ? -1 : 1);
    if (!indent) fields = items;
    return of(items, begin, end, indent);
  };
  const of = (items, begin, end, indent) => items.length === 0 ? begin + end
    : `${begin}\n${items.map(([, item]) => `${indent} ${item}`).join(",\n")}\n${indent}${end}`;
  const file = `${value(next(), "")}\n`;
  return { file, body: `${of(fields.filter(([name]) => name !== "sha256"), "{", "}", "")}\n` };
}

/** The SHA-256 of a comparison's data, as csig.audits.records.comparison_digest. */
function dataDigest({ unit, columns, sums_a, sums_b, scale, tau, classes, differences }) {
  const listed = texts => `[${texts.map(inAscii).join(", ")}]`;
  const head = [inAscii(unit), ...[columns, sums_a, sums_b, scale].map(listed), inAscii(tau),
    ...(classes ?? []).map(pair => `[${pair.join(", ")}]`)];
  const start = new TextEncoder().encode(`[${head.join(", ")}]`);
  const numbers = classes ? [] : differences.flatMap(text => text.split(" ").map(BigInt));
  const bytes = new Uint8Array(start.length + 8 * numbers.length), view = new DataView(bytes.buffer);
  bytes.set(start);
  numbers.forEach((number, i) => view.setBigInt64(start.length + 8 * i, number, true));
  return sha256(bytes);
}

/** The weights of csig's own ratios, by name; null where this page does not know them. */
function ownWeights({ name, columns }) {
  const beta = /^f(\d{1,4})(?:\.(\d{1,4}))?$/.exec(name);
  if (beta && columns.includes("gold")) {
    const below = 10n ** BigInt(beta[2]?.length ?? 0), b = BigInt(beta[1] + (beta[2] ?? "")) ** 2n;
    return [{ tp: below * below + b }, { predicted: below * below, gold: b }];
  }
  const known = { recall: ["tp", "gold"], precision: ["tp", "predicted"], accuracy: ["correct", "items"],
    mean: ["score", "n"], error_rate: ["errors", "items"], wer: ["errors", "words"] };
  const [above, below] = Object.hasOwn(known, name) ? known[name] : [];
  return columns.includes(below) ? [{ [above]: 1n }, { [below]: 1n }] : null;
}

/** The weights of a record's metric over some columns, in whole numbers. */
function recordedWeights({ columns, numerator, denominator }, { columns: all, scale }) {
  const fraction = text => text.split("/").map(BigInt).concat(1n).slice(0, 2);
  const rows = [numerator, denominator].map(row => all.map((name, i) => {
    const [above, below] = fraction(row[columns.indexOf(name)] ?? "0"), [up, down] = fraction(scale[i]);
    return [above * up, below * down];
  }));
  const multiple = rows.flat().reduce((product, [, below]) => product * below, 1n);
  const whole = rows.map(row => row.map(([above, below]) => above * multiple / below));
  const common = whole.flat().reduce(divisor, 0n);
  return whole.map(row => row.map(w => w / common));
}

/** The data of a record: makes a question of a metric's weights. */
function recordedData(comparison, zero, row) {
  const sums = [comparison.sums_a, comparison.sums_b].map(row => row.map(BigInt));
  const ofClasses = classes => {
    const [correct, spurious] = classes.map(row => row.map(BigInt));
    const both = [0, 1].map(i => [sums[i][0] - correct[i], sums[i][1] - sums[i][0] - spurious[i], sums[i][2]]);
    row("What both systems found", both[0].join(" "), both[1].join(" "));
    const counts = [...correct, ...spurious, sum(correct), sum(spurious), ...both.flat()];
    if (counts.some(count => count > BigInt(LARGEST_CLASS)))
      throw new TooLarge("the counts of this record are too large for this page");
    if (counts.some(count => count < 0n)) throw new Error("The counts of this record are negative.");
    return weights => ofResponses(...sums, [correct, spurious], weights, zero);
  };
  const n = sum((comparison.responses ?? comparison.classes ?? []).flat().map(BigInt));
  row("Scales of counts that are not 1, of scores that are not above 0", comparison.columns.filter((name, i) =>
    name === "score" ? !/^[1-9]/.test(comparison.scale[i]) : comparison.scale[i] !== "1").join(" "), "");
  row("Tolerance of sums, below 0", comparison.tau.startsWith("-"), false);
  if (comparison.classes) {
    if (comparison.responses !== undefined) row("Responses", String(comparison.responses), String(comparison.classes));
    return { n, ask: ofClasses(comparison.classes) };
  }
  if (!comparison.differences) throw new TooLarge(
    "this record does not hold its data (--no-table), which csig verify --inputs reads again");
  const table = comparison.differences.map(text => text.split(" ").map(BigInt));
  if (table.length > UNITS) throw new TooLarge("this record has too many units for this page");
  const columns = sums[0].map((_, c) => table.map(unit => unit[c]));
  row("Units that do not differ", table.filter(unit => !unit.some(Boolean)).length, 0);
  row("Fewer units than differ", comparison.n_total === null || comparison.n_total < table.length, false);
  row("Differences of the sums", sums[0].map((a, c) => a - sums[1][c]).join(" "), columns.map(sum).join(" "));
  const ask = weights => {
    const taken = weights.map(own => own.map((w, c) => columns[c].some(Boolean) ? w : 0n));
    const [steps, below] = taken.map(own => table.map(unit => times(own, unit)));
    const [a, b] = sums.map(own => weights.map(w => times(w, own)));
    if ([steps, below].some(own => sum(own.map(size)) >= 1n << 61n))
      throw new TooLarge("the numbers of this record are too large for this page");
    if (below.some(Boolean)) return ofUnits(steps, below, a, b, zero);
    const common = taken[0].reduce(divisor, 0n) || 1n, still = a[1] ? 1n : 0n;
    const tau = BigInt(comparison.tau) * taken[0].map(w => size(w) / common).reduce((x, y) => x > y ? x : y);
    return ofUnits(steps.map(step => step / common * still), below, a, b, zero, tau * still);
  };
  return { n: n + BigInt(table.length), ask, single: comparison.responses && ofClasses(comparison.responses) };
}

/** csig's JSON Schemas of records, of which the last is that of all later versions. */
const SCHEMAS = @SCHEMAS@, VERSIONS = [1, 2, 3, 4, 5, 6];

/** A text without letters that reorder or hide others, and not long. */
const plain = value => String(value).replace(/\p{C}/gu, " ").replace(/^(.{400}).+$/su, "$1…");

/** Where a value breaks a schema first, for the keywords that csig's have; nothing where it does not. */
function mistake(value, rule, where = "") {
  const object = value !== null && typeof value === "object", list = Array.isArray(value), at = where || "record";
  const kinds = { null: value === null, array: list, object: object && !list, string: typeof value === "string",
    boolean: typeof value === "boolean", number: Number.isFinite(value), integer: Number.isInteger(value) };
  const { type, enum: choices = [value], minItems, maxItems, pattern, properties = {}, additionalProperties: other } = rule;
  if (type && ![type].flat().some(kind => kinds[kind])) return `${at} is not of type ${[type].flat().join(" or ")}`;
  if (!choices.includes(value) || ("const" in rule && value !== rule.const)) return `${at} has another value`;
  if (kinds.string && (value.length > rule.maxLength || (pattern && !new RegExp(pattern).test(value))))
    return `${at} has another form`;
  if (value < rule.minimum || value > rule.maximum) return `${at} is too small or too large`;
  if (list && (value.length < minItems || value.length > maxItems)) return `${at} has ${value.length} items`;
  if (!object) return "";
  const missing = (rule.required ?? []).find(name => !Object.hasOwn(value, name));
  if (missing) return `${at} has no field ${missing}`;
  for (const [name, item] of Object.entries(value)) {
    const own = list ? rule.items : Object.hasOwn(properties, name) ? properties[name] : other;
    const found = own === false ? `${at} has a field that csig does not know: ${plain(name)}`
      : own && mistake(item, own, list ? `${where}[${name}]` : where && `${where}.` + name || name);
    if (found) return found;
  }
  return "";
}

/** What no page recomputes and no conclusion rests on. */
const UNCHECKED = ["cautions", "command", "date", "environment", "inputs", "request", "comparison.ids_digest",
  "comparison.levels", "comparison.n_total", "options.allow_bad_generator",
  "comparison.tau, options.exact_budget and options.zero_division where they change no number", "results[].engine",
  "results[].certificate but for low and high", "the words and the order of checks"];

/** An audit's record, recomputed: rows of what it says beside what comes out here; results that are `open`, what its
 * conclusions `rest` on besides, and what else is `left` out. */
async function verifyRecord(kernels, text, progress = () => {}) {
  let record;
  try { record = JSON.parse(text); } catch { throw new Error("This is not JSON."); }
  if (record?.schema !== "csig.audit") throw new Error("This is not the record of an audit.");
  const { file, body } = canonical(text), version = record.schema_version;
  if (!VERSIONS.includes(version))
    throw new Error(`This page knows only versions 1 to ${VERSIONS.at(-1)} of records, not ${plain(version)}.`);
  const schema = SCHEMAS[Math.min(version, SCHEMAS.length) - 1];
  schema.properties.schema_version.const = version;
  const hashed = globalThis.crypto?.subtle, wrong = mistake(record, schema);
  if (wrong) throw new Error(`This record cannot be right: ${wrong}.`);
  const rows = [], [open, rest, left] = [new Set(), new Set(), new Set(UNCHECKED)];
  const alike = (one, other, digits) => one === other || (typeof one === "number" && typeof other === "number" &&
    !(Number.isInteger(one) && Number.isInteger(other)) && Math.abs(one - other) <= digits * Math.abs(other));
  const row = (what, recorded, found, digits = 1e-9) =>
    rows.push({ part: done.part, what, recorded, found, same: alike(recorded, found, digits) });
  // What is shown first: 0, results; 1, runs; 2, checks; 3, the form of the record.
  const done = { part: 3, rows, open, rest, left, digest: hashed ? await sha256(file) : "" };
  if (hashed) row("SHA-256 of the record", record.sha256, await sha256(body));
  else left.add("digests, for which the page must be opened as a file or from https");
  try {
    await recompute(kernels, record, row, done, progress);
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    open.add(`all results: ${error.message}`);
  }
  rows.sort((one, other) => one.part - other.part);
  return done;
}

/** What this page cannot recompute, of a record that may be right. */
class TooLarge extends Error {}

async function recompute(kernels, { comparison, options, runs, results, checks, ...record }, row, done, progress) {
  const { open, rest, left } = done;
  const hashed = globalThis.crypto?.subtle;
  const { n, ask, single } = recordedData(comparison, BigInt(options.zero_division), row);
  if (hashed) row("SHA-256 of the data", comparison.digest, await dataDigest(comparison));
  row("Units that differ", comparison.n_units, comparison.classes ? Number(n) : comparison.differences.length);
  const listed = (items, field) => items.map(item => item[field]).join(" ");
  row("Runs", listed(runs, "run"), single ? "0 1 2 3" : "0 1 2");
  row("Shuffles of each", listed(runs, "n_resamples"), runs.map(() => options.n_resamples).join(" "));
  if (runs.some(run => BigInt(run.n_resamples) * (256n + n) > 1n << 34n))
    throw new TooLarge("the record has too many shuffles for this page; csig verify recomputes them");
  const asked = new Map(), recall = { columns: ["tp", "gold"], numerator: ["1", "0"], denominator: ["0", "1"] };
  const named = own => recordedWeights(own, comparison);
  const twice = record.metrics.filter((own, i) => record.metrics.findIndex(({ name }) => name === own.name) !== i);
  row("Metrics that are there twice", twice.map(own => own.name).join("; "), "");
  rest.add(`that the systems are ${comparison.names.join(" and ")}, in this order`);
  rest.add(`that the unit is ${comparison.unit}, and that what was counted is ${comparison.columns.join(", ")}`);
  rest.add(`the level ${options.alpha}`);
  if (comparison.columns.join(" ") === "tp predicted gold") asked.set("recall", ask(named(recall)));
  for (const own of record.metrics) {
    if (!own.numerator) {
      if (ownWeights(own)) row(`${own.name}: its weights`, own.numerator, "known");
      continue;
    }
    asked.set(own.name, ask(named(own)));
    const known = ownWeights(own), plain = { columns: own.columns, scale: own.columns.map(() => "1") };
    const shown = weights => weights.map(weight => weight.join(" ")).join(" / ");
    if (known && own.name !== "mean")
      row(`${own.name}: greater is better`, own.greater_is_better, !["error_rate", "wer"].includes(own.name));
    else rest.add(`that ${own.greater_is_better ? "more" : "less"} of ${own.name} is better`);
    if (!known) open.add(`whether csig has other weights for ${own.name}`);
    else row(`${own.name}: weights of ${own.columns.join(", ")}`, shown(recordedWeights(own, plain)),
      shown(recordedWeights({ columns: own.columns, ...Object.fromEntries(["numerator", "denominator"].map((part, i) =>
        [part, own.columns.map(column => String(known[i][column] ?? 0))])) }, plain)));
  }
  const first = runs[0], seeds = run => `${run.entropy.join(" ")} ${run.spawn_key.join(" ")}`.trim();
  row("Seeds", runs.map(seeds).join(", "), runs.map(() => seeds(first)).join(", "));
  const other = first.bit_generator === "Philox" ? "PCG64DXSM" : "Philox", own = first.bit_generator;
  row("Generators", listed(runs, "bit_generator"), [own, own, other, own].slice(0, runs.length).join(" "));
  row("Metrics with results", listed(results, "metric"), listed(record.metrics, "name"));
  done.part = 1;
  const counts = new Map(), tails = { upper: "greater", lower: "less" };
  for (const run of runs) {
    const name = `Run ${run.run} (${run.bit_generator})`;
    if (!GENERATORS.includes(run.bit_generator)) {
      const [where, of] = run.run === 0 ? [open, "hits, p and its interval"] : [rest, "hits"];
      for (const metric of run.run === 3 ? ["recall"] : results.map(result => result.metric))
        where.add(`${of} of ${metric} in run ${run.run} (${run.bit_generator})`);
      continue;
    }
    const alone = run.run === 3;
    if (alone && !single) continue;
    const questions = alone ? new Map([["recall", single(named(recall))]]) : asked;
    const tested = ["two-sided", "upper", "lower", alone ? "two-sided" : options.alternative];
    const wanted = alone ? ["recall"] : record.metrics.map(metric => metric.name);
    wanted.push(...[...questions.keys()].filter(metric => !wanted.includes(metric)));
    const missing = wanted.flatMap(metric => tested.filter(tail =>
      !run.hits.some(hit => hit.metric === metric && hit.tail === tail)));
    const unasked = run.hits.filter(hit => !wanted.includes(hit.metric) || !tested.includes(hit.tail)).length;
    if (unasked) row(`${name}: hits of nothing that was asked`, unasked, 0);
    if (missing.length) row(`${name}: hits that are missing`, missing.length, 0);
    const known = run.hits.filter(hit => questions.has(hit.metric));
    const found = known.map(() => 0), lines = [], metrics = known.map(hit => hit.metric);
    for (const hit of run.hits) if (!known.includes(hit)) rest.add(`hits of ${hit.metric}`);
    const source = { generator: run.bit_generator, entropy: run.entropy.map(BigInt),
                     spawnKey: run.spawn_key, run: run.run };
    if (!known.length) continue;
    await kernels.shuffle(questions.get(metrics[0]), source, run.n_resamples, (hits, _, chunk) => {
      const here = known.map(({ metric, tail }) => {
        const one = questions.get(metric);
        return tails[tail] ? hits({ ...one, u: tail === "upper" ? size(one.u) : -size(one.u) }, tails[tail])
          : hits(one, tail);
      });
      here.forEach((count, i) => { found[i] += count; });
      lines.push(`${chunk} ${here.join(" ")}\n`);
      progress(`${name}: ${Math.min(run.n_resamples, (chunk + 1) * CHUNK)} of ${run.n_resamples} shuffles`);
    });
    known.forEach((hit, i) => {
      row(`${name}: hits, ${hit.metric}, ${hit.tail}`, hit.hits, found[i]);
      counts.set(`${run.run} ${hit.metric} ${hit.tail}`, found[i]);
    });
    if (known.length < run.hits.length) left.add(`the SHA-256 of run ${run.run}'s hits by chunk`);
    else if (hashed) row(`${name}: SHA-256 of the hits by chunk`, run.chunks_sha256, await sha256(lines.join("")));
  }
  // The exact p where a kernel, or one product of polynomials, gives it. What a record has in its place follows from
  // the data: bounds only of units, and no exact p only beyond the budget, and what shuffles take.
  const exact = new Map(), bounded = new Map(), words = n * BigInt(options.n_resamples) / 64n;
  for (const [metric, one] of asked) {
    const steps = one.turns ? sum(one.sizes) + 2n : (one.sizes[0] + 1n) * (one.sizes[1] + 1n);
    const result = results.find(result => result.metric === metric), none = result?.exact_pvalue == null;
    const affordable = steps <= BigInt(options.exact_budget) || steps * (record.schema_version > 1 ? 8n : 1n) <= words;
    if (none && (one.units || !affordable)) continue;
    const listable = one.units && !one.band && !one.below.some(Boolean);
    const found = one.units ? listable && exactOfUnits(one, options.alternative) : kernels.exact(one, options.alternative);
    if (found) (one.units && result?.certificate ? bounded : exact).set(metric, found);
  }
  done.part = 0;
  const [a, b] = comparison.names.map(name => name.slice(0, 60));
  for (const own of results) {
    const one = asked.get(own.metric), found = exact.get(own.metric);
    if (!one) { open.add(`${own.metric}, which is not a ratio`); continue; }
    row(`${own.metric}: score of ${a}`, own.score_a, one.scores[0]);
    row(`${own.metric}: score of ${b}`, own.score_b, one.scores[1]);
    row(`${own.metric}: ${a} - ${b}`, own.statistic, one.difference ?? quotient(one.u, one.v).value);
    const hits = counts.get(`0 ${own.metric} ${options.alternative}`), trials = options.n_resamples;
    row(`${own.metric}: shuffles of its p`, own.n_resamples, trials);
    if (hits !== undefined) {
      row(`${own.metric}: hits of the first run`, own.n_hits, hits);
      row(`${own.metric}: p of the shuffles`, own.pvalue, (1 + hits) / (1 + trials));
      clopperPearson(hits, trials, options.confidence_level).forEach((limit, i) =>
        row(`${own.metric}: ${["lower", "upper"][i]} limit of that p`, own.pvalue_interval[i], limit));
    }
    const p = own.exact_pvalue, log = own.exact_log_pvalue, of = found ?? { value: p, log: p === null ? p : Math.log(p) };
    if (found || p === null || p > 1e-300) {
      const near = of.value >= 0.5 && Math.abs(log - of.log) < 1e-9; // near 0
      row(`${own.metric}: logarithm of the exact p`, log, near ? log : of.log);
    }
    if (found) {
      row(`${own.metric}: exact p`, p, found.value);
      row(`${own.metric}: bounds of p`, own.certificate == null ? "none" : "bounds", "none");
    } else if (bounded.has(own.metric)) {
      const { value } = bounded.get(own.metric), { low, high } = own.certificate;
      row(`${own.metric}: upper bound of p`, p, high);
      row(`${own.metric}: p within its bounds`, low <= value * (1 + 1e-9) && value * (1 - 1e-9) <= high, true);
      if (high <= options.alpha !== value <= options.alpha) open.add(`how close the bounds of p of ${own.metric} are`);
      else left.add(`how close the bounds of p of ${own.metric} are`);
    } else {
      const { low = p, high = p } = own.certificate ?? {};
      if (p !== null && hits !== undefined) { // what cannot be recomputed must still agree with the shuffles
        const near = Math.min(Math.max(hits / trials, low), high), chance = ratePvalue(hits, trials, near);
        row(`${own.metric}: exact p and the hits`, p === high && chance > RISK / 1000 ? "agree" : "apart", "agree");
      }
      open.add(`the exact p of ${own.metric}${own.engine ? ` (engine ${own.engine})` : ""}`);
    }
  }
  done.part = 2;
  compareChecks({ ...record, comparison, options, results, checks }, row, rest,
    (run, metric, tail) => counts.get(`${run} ${metric} ${tail}`), metric => exact.get(metric)?.value,
    metric => { const one = asked.get(metric); return !one || size(one.u) <= (one.band ?? 0n); });
}

/** The checks of a record beside those that follow from what was recomputed, and all limits and outcomes. */
function compareChecks(record, row, rest, ...recomputed) {
  const { checks, options: { alpha } } = record;
  row("Level between 0 and 1", alpha > 0 && alpha < 1, true);
  const found = recomputedChecks(record, ...recomputed), names = found.map(own => own.name);
  for (const { name, passed, ...own } of found) {
    const recorded = checks.find(check => check.name === name);
    if (!recorded) { row(`Check ${name}`, "missing", own.pvalue ?? "made"); continue; }
    if (own.pvalue === null) row(`Check ${name}`, recorded.passed, passed);
    else row(`Check ${name}: its p`, recorded.pvalue, own.pvalue, 1e-6); // logarithms of factorials have rounding
    if (recorded.statistic !== own.statistic) row(`Check ${name}: its statistic`, recorded.statistic, own.statistic);
  }
  const tests = checks.filter(check => check.pvalue !== null), limit = RISK / Math.max(1, tests.length);
  const off = tests.find(check => Math.abs(check.limit / limit - 1) > 1e-9);
  row("Limit of every check with a p", off ? off.limit : limit, limit);
  const odd = checks.filter(check => check.pvalue === null && check.limit !== null);
  row("Checks with a limit and no p", odd.map(check => check.name).join("; "), "");
  const inform = /^(independence|dependence|metric itself)(:|$)/;
  row("Checks that only inform, with an outcome", checks.filter(({ name, passed }) =>
    inform.test(name) && passed !== null).map(check => check.name).join("; "), "");
  const all = checks.map(check => check.name), [expected, possible] = checkNames(record);
  row("Checks that are there twice", all.filter((name, i) => all.indexOf(name) !== i).join("; "), "");
  const families = all.map(name => name.split(":")[0]);
  row("Checks that csig has not", all.filter(name => ![...expected, ...possible, ...names].includes(name)).join("; "), "");
  row("Checks that are missing", expected.filter(name => ![...all, ...families].includes(name)).join("; "), "");
  row("Checks with a p whose outcome is another", tests.filter(check => check.passed !== check.pvalue >= limit).length, 0);
  row("No check failed", record.passed, !checks.some(check => check.passed === false));
  const others = new Map();
  for (const { name } of checks) if (!names.includes(name)) {
    const family = name.split(":")[0];
    others.set(family, (others.get(family) ?? 0) + 1);
  }
  if (others.size) rest.add(`the checks ${[...others].map(([family, number]) => `${family} (${number})`).join(", ")}`);
}

// ---- shown in a page ----

function element(name, attributes, ...children) {
  const made = ["svg", "rect", "line", "text"].includes(name)
    ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** A table that scrolls; its cells know their columns, for narrow pages. */
const table = (head, rows, kind = "") =>
  element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Results" },
  element("table", { class: kind },
    element("thead", {}, element("tr", {}, ...head.map(text => element("th", { scope: "col" }, text)))),
    element("tbody", {}, ...rows.map(row => element("tr", {}, ...row.map((cell, i) => i
      ? element("td", { "data-label": head[i] }, cell) : element("th", { scope: "row" }, cell)))))));

/** What a record's rows amount to, and in which colour: green only where all results were recomputed. */
function verdictOf({ rows, open }) {
  const wrong = rows.filter(row => !row.same).length;
  if (wrong) return ["differs", `This record is not right: ${wrong} of ${rows.length} values differ.`];
  if (!rows.some(row => row.part === 0))
    return ["quiet", `No result could be recomputed here; other values that match: ${rows.length}.`];
  return open.size ? ["quiet", `${rows.length} values match, but not every result could be recomputed here.`]
    : ["agrees", `${rows.length} values were recomputed here and match; csig verify compares all.`];
}

/** Recomputes a record, and shows its values beside those of this page; gives the SHA-256 of its file. */
async function showRecord(kernels, text, place) {
  const done = await verifyRecord(kernels, text, words =>
    place.replaceChildren(element("p", { class: "quiet" }, words)));
  const { rows, open, rest, left, digest } = done, [kind, verdict] = verdictOf(done);
  const wrong = rows.filter(row => !row.same), listed = (...sets) => sets.flatMap(own => [...own]).map(plain).join("; ");
  place.replaceChildren(element("p", { class: kind }, element("strong", {}, verdict)),
    element("p", { class: "doubt" }, `Not recomputed here, and its conclusions rest on it: ${listed(open, rest)}.`),
    element("p", {}, `Not recomputed here, and no conclusion rests on it: ${listed(left)}. ` +
      "csig verify recomputes what it can of both, and lists the rest."),
    table(["Value", "Record", "Here", "Outcome"], [...wrong, ...rows.filter(row => row.same)].map(row => [plain(row.what),
      plain(row.recorded), plain(row.found), element("span", { class: row.same ? "agrees" : "differs" },
        row.same ? "same" : "differs")]), "csig-many long"),
    element("p", { class: "quiet" }, (digest && "The SHA-256 of the record’s file, to compare with the one that was published: "),
      element("code", {}, digest)));
  return digest;
}

/** Does what a button asks for, and says in `place` what cannot be done. */
async function pressed(button, place, work) {
  button.disabled = true;
  place.replaceChildren(element("p", { class: "quiet" }, "Computing ..."));
  await new Promise(resolve => setTimeout(resolve, 20)); // until that is seen
  try {
    await work();
  } catch (error) {
    const told = error.constructor === Error ? error.message : `This cannot be read: ${error.message}`;
    place.replaceChildren(element("p", { class: "error differs", role: "alert" }, told));
  }
  button.disabled = false;
}
