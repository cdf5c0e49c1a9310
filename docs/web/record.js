
// An audit's record, recomputed.

/** The SHA-256 of a text, in hexadecimal digits. */
async function sha256(text) {
  const found = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(found)].map(byte => byte.toString(16).padStart(2, "0")).join("");
}

/** The weights of a record's metric over tp, predicted and gold, in whole numbers. */
function recordedWeights({ columns, numerator, denominator }) {
  const parts = [...numerator, ...denominator].map(text => text.split("/").map(BigInt));
  const multiple = parts.reduce((all, [, below = 1n]) => all * below, 1n);
  const rows = [numerator, denominator].map((row, i) => ["tp", "predicted", "gold"].map(name => {
    const place = columns.indexOf(name);
    const [above, below = 1n] = place < 0 ? [0n] : parts[i * columns.length + place];
    return above * multiple / below;
  }));
  const common = rows.flat().reduce(divisor, 0n);
  return rows.map(row => row.map(w => w / common));
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
  if (!comparison.classes) throw new Error(
    "This page recomputes records of responses that are swapped one by one; csig verify recomputes all.");
  const sums = [comparison.sums_a, comparison.sums_b].map(row => row.map(BigInt));
  const classes = comparison.classes.map(row => row.map(BigInt)), [correct, spurious] = classes;
  const both = [0, 1].map(i => [sums[i][0] - correct[i], sums[i][1] - sums[i][0] - spurious[i], sums[i][2]]);
  row("What both systems found", both[0].join(" "), both[1].join(" "));
  if (classes.flat().concat(both.flat()).some(count => count < 0n || count > BigInt(LARGEST_CLASS)) ||
      classes.some(([a, b]) => a + b > BigInt(LARGEST_CLASS)))
    throw new Error("The counts of this record are negative, or too large for this page.");
  const words = runs.map(run => BigInt(run.n_resamples) * (256n + sum(classes.flat())));
  if (words.some(count => count > 1n << 34n) || runs.length > 9)
    throw new Error("This record has too many shuffles for this page; csig verify recomputes them.");
  const asked = new Map(), zero = BigInt(options.zero_division);
  const put = (name, weights) => asked.set(name, ofResponses(...sums, classes, weights, zero));
  put("recall", METRICS.Recall);
  record.metrics.filter(own => own.numerator).forEach(own => put(own.name, recordedWeights(own)));
  const listed = (items, field) => items.map(item => item[field]).join(" ");
  row("Runs", listed(runs, "run"), "0 1 2");
  row("Shuffles of each", listed(runs, "n_resamples"), runs.map(() => options.n_resamples).join(" "));
  row("Metrics with results", listed(results, "metric"), listed(record.metrics, "name"));
  const recomputed = new Map(), tails = { upper: "greater", lower: "less" };
  for (const run of runs) {
    const name = `Run ${run.run} (${run.bit_generator})`;
    if (!GENERATORS.includes(run.bit_generator)) {
      left.add(`run ${run.run} (${run.bit_generator})`);
      continue;
    }
    const tested = ["two-sided", "upper", "lower", options.alternative];
    const missing = record.metrics.flatMap(metric => tested.filter(tail =>
      !run.hits.some(hit => hit.metric === metric.name && hit.tail === tail)));
    if (missing.length) row(`${name}: hits that are missing`, missing.length, 0);
    const known = run.hits.filter(hit => asked.has(hit.metric)), found = known.map(() => 0), lines = [];
    const source = { generator: run.bit_generator, entropy: run.entropy.map(BigInt),
                     spawnKey: run.spawn_key, run: run.run };
    await kernels.shuffle(asked.get("recall"), source, run.n_resamples, (hits, _, chunk) => {
      const here = known.map(({ metric, tail }) => {
        const one = asked.get(metric);
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
    row(`${own.metric}: difference`, own.statistic, quotient(one.u, one.v).value);
    const hits = recomputed.get(`0 ${own.metric} ${options.alternative}`);
    row(`${own.metric}: hits of the first run`, own.n_hits, hits);
    row(`${own.metric}: p of the shuffles`, own.pvalue, (1 + hits) / (1 + options.n_resamples));
    const steps = one.turns ? sum(one.sizes) + 2n : (one.sizes[0] + 1n) * (one.sizes[1] + 1n);
    if (own.exact_pvalue === null && steps > BigInt(options.exact_budget)) continue;
    const exact = kernels.exact(one, options.alternative);
    if (exact) row(`${own.metric}: exact p`, own.exact_pvalue, exact.value);
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
