
// The page: forms in, sentences, tables and pictures out. What users enter is only ever shown as text.

const MOST = 1 << 26, LONGEST = 400000; // shuffles; letters of a field
const ready = loadKernels(Uint8Array.from(atob("@KERNELS@"), letter => letter.charCodeAt(0)));

const counted = number => number.toLocaleString("en");
/** A p-value, its logarithm where it is too small for a double. */
function shown({ value, log }) {
  if (value < 1e-300) return `10^${(log / Math.LN10).toFixed(1)}`;
  return value < 1e-4 ? value.toExponential(2) : value.toPrecision(3);
}

function whole(form, name, least, most) {
  const field = form.elements[name], written = field.value.trim(); // with groups of three digits, or without
  const text = /^\d{1,3}([,\s]\d{3})+$/.test(written) ? written.replace(/[,\s]/g, "") : written;
  const label = field.title || field.labels[0].firstChild.textContent.trim();
  if (!/^\d{1,400}$/.test(text) || BigInt(text) < least || BigInt(text) > most) {
    const limit = most < 2n ** 64n ? `from ${counted(least)} to ${counted(most)}` : "of 0 or more";
    const found = text ? `“${text.slice(0, 20)}”` : "nothing";
    throw new Error(`${label}: expected a whole number ${limit}, found ${found}.`);
  }
  return BigInt(text);
}

/** Where the bins of a picture of second less first lie: on the steps of the difference, where it has equal ones. */
function binning(asked, spread) {
  const observed = quotient(-asked.u, asked.v).value, step = asked.step;
  const reach = Math.max(1.15 * Math.abs(observed), 4.2 * spread);
  if (!step) return { low: -reach, width: 2 * reach / 41, observed };
  const start = observed - step * (Math.ceil((reach + observed) / step) + 0.5);
  return { low: start, width: step * Math.ceil(2 * reach / step / 61), observed };
}

/** Bars of a null distribution, those at least as extreme as observed in another colour. */
function picture(bins, { low, width, observed }, scale, unit, label) {
  const [wide, high, bottom] = [360, 170, 140];
  const tallest = Math.max(...[...Array(BINS).keys()].map(i => bins[i] + bins[BINS + i]));
  const used = [...Array(BINS).keys()].filter(i => bins[i] + bins[BINS + i] > tallest / 2000);
  const end = Math.max(-low, low + width * (used.at(-1) + 1), Math.abs(observed) * 1.1);
  const at = value => wide / 2 + value / end * (wide / 2 - 8);
  const svg = element("svg", { viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": label });
  for (const i of used) {
    const tall = [bins[BINS + i], bins[i]].map(share => share / tallest * (bottom - 12));
    const bar = (kind, from, height) => height && svg.append(element("rect", { class: kind,
      x: at(low + width * i) + 0.25, width: Math.max(0.5, at(width) - at(0) - 0.5),
      y: bottom - from - height, height }));
    bar("hit", 0, tall[0]);
    bar("rest", tall[0], tall[1]);
  }
  svg.append(element("line", { class: "axis", x1: 0, x2: wide, y1: bottom, y2: bottom }));
  const most = end * scale, power = 10 ** Math.floor(Math.log10(most));
  const tick = [5, 2, 1, 0.5, 0.2].map(part => part * power).find(part => most / part >= 2);
  for (let i = -Math.floor(most / tick); i * tick <= most; i++) {
    const place = at(i * tick / scale);
    if (place < 12 || place > wide - 12) continue;
    svg.append(element("text", { x: place, y: bottom + 13, "text-anchor": "middle" },
      String(Number((i * tick).toPrecision(3))).replace("-", "−")));
  }
  svg.append(element("text", { x: wide / 2, y: high - 3, "text-anchor": "middle" }, unit));
  for (const one of new Set([observed, -observed])) {
    svg.append(element("line", { class: "observed", x1: at(one), x2: at(one), y1: 4, y2: bottom }));
  }
  const outside = wide / 2 - Math.abs(at(observed) - wide / 2) > 60; // room for the word
  const after = observed > 0 === outside;
  svg.append(element("text", { x: at(observed) + (after ? 4 : -4), y: 12,
    "text-anchor": after ? "start" : "end" }, "observed"));
  return svg;
}

/** Tests some metrics, { name, asked, scale, unit, show, noun }, as a form says; shows them in `place`. */
async function test(kernels, form, place, tested, names, note) {
  const drawn = form.elements.method.value === "approximate", n = drawn ? Number(whole(form, "n", 1n, BigInt(MOST))) : 0;
  for (const one of tested) {
    const { asked } = one, variance = asked.units
      ? Number(sum(asked.units.map(step => step * step))) : kernels.null(asked, 0, 0);
    one.binned = binning(asked, Math.sqrt(variance));
    one.bins = new Float64Array(2 * BINS);
    one.hits = 0;
    if (drawn) continue;
    const exact = one.p = asked.units ? exactOfUnits(asked) : kernels.exact(asked);
    if (!exact) throw new Error("An exact p-value would take too long here; choose “by shuffles”.");
    if (!asked.units) {
      kernels.null(asked, one.binned.low, one.binned.width);
      one.bins.set(kernels.bins);
    } else {
      exact.counts.forEach((count, i) => {
        const bin = Math.floor((Number(exact.differences[i]) - one.binned.low) / one.binned.width);
        if (bin >= 0 && bin < BINS) one.bins[bin + BINS * exact.extreme[i]] += quotient(count, exact.all).value;
      });
    }
  }
  const generator = form.elements.generator.value;
  if (drawn) {
    const source = { generator, entropy: [whole(form, "seed", 0n, 10n ** 400n)] };
    const words = Number(tested[0].asked.units?.length ?? sum(tested[0].asked.sizes)) * n;
    if (words > 2 ** 37) throw new Error("So many shuffles would take too long here; ask for fewer.");
    await kernels.shuffle(tested[0].asked, source, n, (hits, picture, chunk) => {
      for (const one of tested) {
        one.hits += hits(one.asked, "two-sided");
        picture(one.asked, one.binned.low, one.binned.width).forEach((share, i) => { one.bins[i] += share; });
      }
      place.replaceChildren(element("p", { class: "quiet" },
        `${counted(Math.min(n, (chunk + 1) * CHUNK))} of ${counted(n)} shuffles`));
    });
    for (const one of tested) one.p = quotient(BigInt(one.hits + 1), BigInt(n + 1));
  }
  const rows = tested.map(({ name, asked: { scores }, show, p }) =>
    [name, show(scores[0]), show(scores[1]), show(scores[1] - scores[0], true), shown(p)]);
  const figures = tested.map(({ name, asked, bins, binned, scale, unit, show, noun, p, hits }) => {
    const gap = show(Math.abs(asked.scores[1] - asked.scores[0]));
    const share = p.value < 1e-8 ? `a share of ${shown(p)}` : `${Number((100 * p.value).toPrecision(3))}%`;
    const sentence = asked.u === 0n ? "The systems score the same." :
      `If it made no difference which system a result came from, a gap of ${gap}${noun} or more, ` +
      `in either direction, would arise in ${share} of all shuffles.`;
    const exactly = drawn ? `p = (${counted(hits)} + 1) / (${counted(n)} + 1) = ${p.value}, ${generator}, seed ${form.elements.seed.value}` :
      `p = ${p.value}, exact`;
    const label = `Null distribution of the difference in ${name}; observed ${rows.find(row => row[0] === name)[3]}`;
    return element("figure", {}, element("figcaption", {}, `${name}: p = ${shown(p)}`),
      element("p", {}, sentence),
      ...(bins.some(Boolean) && binned.width > 0 ? [picture(bins, binned, scale, unit, label)] : []),
      element("p", { class: "quiet" }, exactly));
  });
  place.replaceChildren(table(["Metric", ...names, "difference", "p"], rows), ...figures,
    element("p", { class: "quiet" }, note));
}

const points = (score, signed) => (signed && score > 0 ? "+" : "") + (100 * score).toFixed(2).replace("-", "−");

async function testCounts(kernels, form, place) {
  const c = Object.fromEntries(["gold", "both_correct", "only_a_correct", "only_b_correct", "both_spurious",
    "only_a_spurious", "only_b_spurious"].map(name => [name, whole(form, name, 0n, BigInt(LARGEST_CLASS))]));
  const classes = [[c.only_a_correct, c.only_b_correct], [c.only_a_spurious, c.only_b_spurious]];
  const found = c.both_correct + sum(classes[0]);
  if (found > c.gold) throw new Error(`There are ${found} correct responses, but ${c.gold} items in the gold.`);
  if (classes.some(one => sum(one) > BigInt(LARGEST_CLASS))) throw new Error("These counts are too large for this page.");
  const sums = [0, 1].map(i => [c.both_correct + classes[0][i],
    c.both_correct + classes[0][i] + c.both_spurious + classes[1][i], c.gold]);
  const tested = Object.entries(METRICS).map(([name, weights]) => ({ name, scale: 100, show: points, noun: " points",
    unit: "difference in points, if the systems were interchangeable",
    asked: ofResponses(...sums, classes, weights, 0n) }));
  const names = ["name_a", "name_b"].map((name, i) => form.elements[name].value.trim() || ["first", "second"][i]);
  await test(kernels, form, place, tested, names, "Scores are percentages. This is the test of Yeh (2000), " +
    "csig compare --statistic difference: it asks whether the systems are interchangeable. Of precision and " +
    "F1, csig by default asks whether the metric itself differs, and gives other p-values.");
}

/** The text of a form's file, if one is chosen, else of its field. */
async function content(form, name) {
  const [file] = form.elements.file.files;
  return file ? file.text() : form.elements[name].value;
}

async function testColumns(kernels, form, place) {
  const lines = (await content(form, "columns")).replace(/^\ufeff/, "").split(/\r\n|[\r\n]/);
  const fields = lines[0].trim().split(/\s*[,;]\s*|\s+/);
  const names = fields.length === 2 && !fields.some(text => /^([-+−.\d]|(nan|na|null|none|true|false|inf(inity)?)$|$)/i.test(text))
    ? fields : null;
  const scores = [], two = /^\s*([-+−]?\d{1,9})(?:\.0*)?(?:\s*[,;]\s*|\s+)([-+−]?\d{1,9})(?:\.0*)?\s*$/;
  lines.forEach((line, i) => {
    if ((names && i === 0) || line.trim() === "") return;
    if (!(names && lines[0].includes(",")) && /^\s*[-+−]?\d+,\d+\s*$/.test(line))
      throw new Error(`Scores, line ${i + 1}: “${line.trim().slice(0, 40)}” may be two whole numbers, or one with a ` +
        "decimal comma. Between two write a space, or name both in a first line, such as base,new.");
    const found = two.exec(line);
    if (!found) throw new Error(`Scores, line ${i + 1}: expected two whole numbers, found “${line.trim().slice(0, 40)}”.`);
    scores.push([Number(found[1].replace("−", "-")), Number(found[2].replace("−", "-"))]);
  });
  const units = scores.map(([a, b]) => a - b).filter(step => step).map(BigInt), count = BigInt(scores.length);
  if (!count) throw new Error("Scores: expected at least one line, found none.");
  if (scores.length > 1 << 22) throw new Error(`Scores: expected at most ${counted(1 << 22)} lines, found ${counted(scores.length)}.`);
  if (units.length > UNITS) throw new Error(`Scores: the systems differ on more than ${counted(UNITS)} lines.`);
  const asked = ofUnits(units, units.map(() => 0n), ...[0, 1].map(i =>
    [BigInt(scores.reduce((total, row) => total + row[i], 0)), count]));
  const show = (score, signed) => (signed && score > 0 ? "+" : "") + String(Number(score.toPrecision(4))).replace("-", "−");
  await test(kernels, form, place, [{ name: "Mean", asked, show, noun: "", scale: 1 / Number(count),
    unit: "difference of the means, if the systems were interchangeable" }], names ?? ["first", "second"],
  `Units: ${counted(scores.length)}, of which ${counted(units.length)} differ; these are swapped.`);
}

async function checkRecord(kernels, form, place) {
  const text = await content(form, "record");
  if (!text.trim()) throw new Error("Choose a file, or paste its text.");
  await showRecord(kernels, text, place);
}

for (const [id, run] of [["from-counts", testCounts], ["from-columns", testColumns], ["from-record", checkRecord]]) {
  const section = document.getElementById(id), form = section.querySelector("form");
  const place = section.querySelector(".answer");
  if (run !== checkRecord) {
    form.querySelector("button").before(document.getElementById("method").content.cloneNode(true));
    const method = form.elements.method, show = () => form.querySelectorAll(".drawn").forEach(
      field => { field.hidden = method.value === "exact"; });
    method.addEventListener("change", show);
    show();
  }
  form.querySelector("textarea")?.addEventListener("paste", event => {
    if (event.clipboardData.getData("text").length <= LONGEST) return;
    event.preventDefault(); // browsers take minutes to lay it out
    place.replaceChildren(element("p", { class: "error", role: "alert" }, "This text is too long to be pasted; choose its file."));
  });
  form.addEventListener("submit", async event => {
    event.preventDefault();
    await pressed(form.querySelector("button"), place, async () => run(await ready, form, place));
  });
  // What stands behind the # fills the form, and is tested at once.
  const given = [...new URLSearchParams(location.hash.slice(1))].filter(([name]) =>
    form.elements[name] && form.elements[name].type !== "file");
  const here = given.some(([name]) => !["method", "n", "seed", "generator"].includes(name));
  if (!here) continue;
  for (const [name, value] of given) form.elements[name].value = value;
  form.elements.method?.dispatchEvent(new Event("change"));
  form.requestSubmit();
}
