
// An audit's record, recomputed.

/** The SHA-256 of a text, in hexadecimal digits. */
async function sha256(text) {
  const found = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(found)].map(byte => byte.toString(16).padStart(2, "0")).join("");
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
    if (counts.some(count => count < 0n || count > BigInt(LARGEST_CLASS)))
      throw new Error("The counts of this record are negative, or too large for this page.");
    return weights => ofResponses(...sums, [correct, spurious], weights, zero);
  };
  const n = sum((comparison.responses ?? comparison.classes ?? []).flat().map(BigInt));
  if (comparison.classes) return { n, ask: ofClasses(comparison.classes) };
  if (!comparison.differences) throw new Error(
    "This record does not hold its data (--no-table); csig verify --inputs reads them again.");
  const table = comparison.differences.map(text => text.split(" ").map(BigInt));
  if (table.length > UNITS) throw new Error("This record has too many units for this page.");
  const columns = sums[0].map((_, c) => table.map(unit => unit[c]));
  row("Differences of the sums", sums[0].map((a, c) => a - sums[1][c]).join(" "), columns.map(sum).join(" "));
  const ask = weights => {
    const taken = weights.map(own => own.map((w, c) => columns[c].some(Boolean) ? w : 0n));
    const [steps, below] = taken.map(own => table.map(unit => times(own, unit)));
    const [a, b] = sums.map(own => weights.map(w => times(w, own)));
    if ([steps, below].some(own => sum(own.map(size)) >= 1n << 61n))
      throw new Error("The numbers of this record are too large for this page.");
    if (below.some(Boolean)) return ofUnits(steps, below, a, b, zero);
    const common = taken[0].reduce(divisor, 0n) || 1n, still = a[1] ? 1n : 0n;
    const tau = BigInt(comparison.tau) * taken[0].map(w => size(w) / common).reduce((x, y) => x > y ? x : y);
    return ofUnits(steps.map(step => step / common * still), below, a, b, zero, tau * still);
  };
  return { n: n + BigInt(table.length), ask, single: comparison.responses && ofClasses(comparison.responses) };
}

/** An audit's record of counts, recomputed: rows of what it says beside what comes out here. */
async function verifyRecord(kernels, text) {
  let record;
  try { record = JSON.parse(text); } catch { throw new Error("This is not JSON."); }
  if (record?.schema !== "csig.audit") throw new Error("This is not the record of an audit.");
  const { comparison, options, runs, results } = record, rows = [], left = new Set();
  const row = (what, recorded, found) => rows.push({ what, recorded, found, same:
    typeof found === "number" && !Number.isInteger(found)
      ? Math.abs(found - recorded) <= 1e-9 * Math.abs(found) : found === recorded });
  const last = `,\n "sha256": ${JSON.stringify(record.sha256)}\n}\n`;
  if (text.endsWith(last)) {
    row("SHA-256 of the record", record.sha256, await sha256(`${text.slice(0, -last.length)}\n}\n`));
  } else {
    left.add("the SHA-256, as the file is not in the form that csig writes");
  }
  const { n, ask, single } = recordedData(comparison, BigInt(options.zero_division), row);
  if (runs.some(run => BigInt(run.n_resamples) * (256n + n) > 1n << 34n) || runs.length > 9)
    throw new Error("This record has too many shuffles for this page; csig verify recomputes them.");
  const asked = new Map(), recall = { columns: ["tp", "gold"], numerator: ["1", "0"], denominator: ["0", "1"] };
  const named = own => recordedWeights(own, comparison);
  if (comparison.columns.join(" ") === "tp predicted gold") asked.set("recall", ask(named(recall)));
  record.metrics.filter(own => own.numerator).forEach(own => asked.set(own.name, ask(named(own))));
  const listed = (items, field) => items.map(item => item[field]).join(" ");
  row("Runs", listed(runs, "run"), single ? "0 1 2 3" : "0 1 2");
  row("Shuffles of each", listed(runs, "n_resamples"), runs.map(() => options.n_resamples).join(" "));
  row("Metrics with results", listed(results, "metric"), listed(record.metrics, "name"));
  const recomputed = new Map(), tails = { upper: "greater", lower: "less" };
  for (const run of runs) {
    const name = `Run ${run.run} (${run.bit_generator})`;
    if (!GENERATORS.includes(run.bit_generator)) {
      left.add(`run ${run.run} (${run.bit_generator})`);
      continue;
    }
    const alone = run.run === 3, questions = alone ? new Map([["recall", single(named(recall))]]) : asked;
    const tested = ["two-sided", "upper", "lower", alone ? "two-sided" : options.alternative];
    const missing = (alone ? [{ name: "recall" }] : record.metrics).flatMap(metric => tested.filter(tail =>
      !run.hits.some(hit => hit.metric === metric.name && hit.tail === tail)));
    if (missing.length) row(`${name}: hits that are missing`, missing.length, 0);
    const known = run.hits.filter(hit => questions.has(hit.metric)), found = known.map(() => 0), lines = [];
    const source = { generator: run.bit_generator, entropy: run.entropy.map(BigInt),
                     spawnKey: run.spawn_key, run: run.run };
    if (!known.length) continue;
    await kernels.shuffle(questions.values().next().value, source, run.n_resamples, (hits, _, chunk) => {
      const here = known.map(({ metric, tail }) => {
        const one = questions.get(metric);
        return tails[tail] ? hits({ ...one, u: tail === "upper" ? size(one.u) : -size(one.u) }, tails[tail])
          : hits(one, tail);
      });
      here.forEach((count, i) => { found[i] += count; });
      lines.push(`${chunk} ${here.join(" ")}\n`);
    });
    known.forEach((hit, i) => {
      row(`${name}: hits, ${hit.metric}, ${hit.tail}`, hit.hits, found[i]);
      recomputed.set(`${run.run} ${hit.metric} ${hit.tail}`, found[i]);
    });
    if (known.length === run.hits.length) row(`${name}: SHA-256 of the hits by chunk`,
      run.chunks_sha256, await sha256(lines.join("")));
  }
  for (const own of results) {
    const one = asked.get(own.metric);
    if (!one) { left.add(`${own.metric}, which is not a ratio`); continue; }
    row(`${own.metric}: score of A`, own.score_a, one.scores[0]);
    row(`${own.metric}: score of B`, own.score_b, one.scores[1]);
    row(`${own.metric}: difference`, own.statistic, one.difference ?? quotient(one.u, one.v).value);
    const hits = recomputed.get(`0 ${own.metric} ${options.alternative}`);
    if (hits !== undefined) {
      row(`${own.metric}: hits of the first run`, own.n_hits, hits);
      row(`${own.metric}: p of the shuffles`, own.pvalue, (1 + hits) / (1 + options.n_resamples));
    }
    const steps = one.turns ? sum(one.sizes) + 2n : (one.sizes[0] + 1n) * (one.sizes[1] + 1n);
    if (own.exact_pvalue === null && (one.units || steps > BigInt(options.exact_budget))) continue;
    const listable = one.units && !one.band && !one.below.some(Boolean) && options.alternative === "two-sided";
    const exact = one.units ? listable && exactOfUnits(one) : kernels.exact(one, options.alternative);
    if (exact && own.engine !== "fourier") row(`${own.metric}: exact p`, own.exact_pvalue, exact.value);
    else left.add(`the exact p of ${own.metric}`);
  }
  return { rows, left: [...left], names: comparison.names };
}

async function checkRecord(kernels, form, place) {
  const [file] = form.elements.file.files, text = file ? await file.text() : form.elements.record.value;
  if (!text.trim()) throw new Error("Choose a file, or paste its text.");
  const { rows, left, names } = await verifyRecord(kernels, text);
  const wrong = rows.filter(row => !row.same);
  const verdict = wrong.length ? `This record is not right: ${wrong.length} of ${rows.length} values do not come out again.`
    : `All ${rows.length} values that are computed here match the record.`;
  place.replaceChildren(element("p", { class: wrong.length ? "differs" : "agrees" }, element("strong", {}, verdict)),
    table(["", "Record", "Here", ""], [...wrong, ...rows.filter(row => row.same)].map(row => [row.what,
      String(row.recorded), String(row.found), element("span", { class: row.same ? "agrees" : "differs" },
        row.same ? "same" : "differs")]), "long"),
    element("p", { class: "quiet" }, `A is ${names[0]}, B is ${names[1]}. Not computed here: the checks, intervals, ` +
      `files, date and environment${left.map(what => `, ${what}`).join("")}. csig verify computes all that can be.`));
}
