// SPDX-License-Identifier: Apache-2.0
// node page.test.mjs REPORT_SAMPLES WEB_BUILD OUTPUT CHROMIUM [WORD]: the page in a browser; only tests with WORD in
// their names.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const [samples, web, output, chromium, only = ""] = process.argv.slice(2);

function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}
if (!chromium || chromium.includes("NOTFOUND")) skip("no Chromium (package chromium)");
if (Number(process.versions.node.split(".")[0]) < 20) skip("driving a browser needs Node.js 20 or later");
if (!existsSync(join(web, "node_modules", "playwright-core"))) skip("the page was built without what its tests need (package npm, and a network)");
if (!existsSync(join(web, "template.html")) || statSync(join(web, "template.html")).size === 0) skip("the page was not built");

const require = createRequire(join(web, "package.json"));
const { chromium: browserOf } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
execFileSync(samples, [output], { stdio: "inherit" });
const browser = await browserOf.launch({ executablePath: chromium, args: ["--no-sandbox", "--disable-gpu"] });

// Without scrolling that takes its time: it would draw every chart on its way.
async function open(name, options = {}, fragment = "") {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  page.said = [];
  page.asked = [];
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) page.said.push(message.text()); });
  page.on("pageerror", (error) => page.said.push(String(error)));
  page.on("request", (request) => { if (!/^(data|blob):/.test(request.url())) page.asked.push(request.url()); });
  await page.goto(pathToFileURL(join(output, `${name}.html`)).href + fragment);
  if (options.javaScriptEnabled !== false) await page.waitForFunction(() => document.documentElement.dataset.ready === "1");
  page.done = async () => {
    assert.deepEqual(page.said, []);
    assert.equal(page.asked.length, 1, `requests: ${page.asked}`);
    await context.close();
  };
  return page;
}

/**
 * Every chart is drawn, by scrolling to each as a reader does, however long the machine takes; to it once more where
 * charts that are drawn meanwhile push it away. The page itself looks at each frame: asking it from here, chart by
 * chart, takes twice as long.
 */
async function readThrough(page) {
  await page.waitForFunction(() => {
    const next = [...document.querySelectorAll("figure .drawing")].find((drawing) => drawing.firstChild === null);
    next?.scrollIntoView({ behavior: "instant", block: "center" });
    return !next;
  }, null, { polling: "raf", timeout: 120_000 });
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
}

/** These figures, or the first ones with these words, are drawn, each with what is around it and could push it away. */
async function readTo(page, ...figures) {
  for (const one of figures) {
    const figure = typeof one === "string" ? page.locator("figure", { hasText: one }).first() : one;
    await page.waitForFunction((figure) => {
      const drawing = figure.querySelector(".drawing");
      drawing.scrollIntoView({ behavior: "instant", block: "center" });
      const around = [...document.querySelectorAll("figure:not([hidden]) .drawing")].filter((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        return bottom > -600 && top < innerHeight + 600;
      });
      return drawing.firstChild !== null && around.every((one) => one.firstChild !== null);
    }, await figure.elementHandle(), { polling: "raf", timeout: 120_000 });
  }
}

/** A page that is read through once for all tests that only look at it. */
const read = new Map();
async function readOnce(name) {
  if (!read.has(name)) {
    const page = await open(name), done = page.done;
    await readThrough(page);
    page.done = async () => assert.deepEqual(page.said, []);
    read.set(name, { page, done });
  }
  return read.get(name).page;
}

async function charts(page) {
  return page.$$eval("figure", (figures) => figures.map((figure) => ({
    title: figure.querySelector("h3").textContent,
    marks: figure.querySelectorAll(".drawing path, .drawing rect, .drawing circle, .drawing line").length + 9 * figure.querySelectorAll("canvas").length,
    finite: !/NaN|Infinity/.test(figure.querySelector(".drawing").innerHTML),
    named: figure.querySelector(".drawing [role=img]")?.getAttribute("aria-label") ?? "",
  })));
}

// Leaves of rows and marks that look alike the first of each table and drawing: the audit says the same of all of them.
function thinOut() {
  const look = (one) => [one, ...one.querySelectorAll("*")].map((part) => `${part.tagName} ${part.getAttribute("class")} ${part.getAttribute("style")} ${part.getAttribute("fill")}`).join();
  for (const list of document.querySelectorAll("tbody, .drawing g")) {
    const seen = new Set();
    for (const one of [...list.children]) {
      if (seen.has(look(one))) one.remove();
      seen.add(look(one));
    }
  }
}

/** A sample with other data: what `change` makes of those that the page holds. */
function withData(sample, name, change) {
  const text = readFileSync(join(output, `${sample}.html`), "utf8"), held = /data-encoding="([^"]+)">([^<]*)/;
  const [, encoding, packed] = text.match(held);
  const data = JSON.parse(encoding === "json" ? packed : gunzipSync(Buffer.from(packed, "base64")));
  change(data);
  writeFileSync(join(output, `${name}.html`), text.replace(held, () => `data-encoding="json">${JSON.stringify(data).replace(/</g, "\\u003c")}`));
}

/** Places of the points of a benchmark among all. */
function placesOf(data, benchmark) {
  const number = data.dictionaries.benchmark.indexOf(benchmark);
  return data.points.benchmark.flatMap((one, i) => one === number ? [i] : []);
}

/** Number of the word in a dictionary, with it where it was not there. */
function wordOf(data, dictionary, word) {
  const words = data.dictionaries[dictionary];
  return words.includes(word) ? words.indexOf(word) : words.push(word) - 1;
}

/** The text that a chart tells of the mark. */
async function toldAt(page, mark) {
  await mark.scrollIntoViewIfNeeded();
  const box = await mark.boundingBox();
  await page.mouse.move(box.x + box.width / 2 + 1, box.y + box.height / 2);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  return mark.evaluate((one) => [...one.closest("svg").lastElementChild.querySelectorAll("tspan")].map((line) => line.textContent.replace("\u200b", "")).join("\n"));
}

const tests = {
  async "charts are there, not empty, and named"() {
    const page = await readOnce("points_400");
    const found = await charts(page);
    for (const title of ["imb-mpi1/PingPong", "imb-ext/Unidir_Put", "imb-io/S_Write_indv", "b_eff_io, scatter",
      "What the time goes into", "Roofline of a node, alpha", "Messages by pattern", "Interruptions of alpha",
      "Analysis paths of b_eff, 8 processes", "Best of all by length, 8 processes", "Patterns by name, 8 processes", "b_eff_io by pattern type, 4 processes",
      "Phases of FTIO, matrix of order 4096, 4 processes", "Share of I/O in FTIO", "Random ring by the processes of a node", "Overlap of the longest transfers",
      "Times of the same work, before measuring", "Speed over the run, alpha", "Clocks of the processes, alpha", "Random ring over HPL", "Figures over length of every point", "imb-nbc/Ibcast",
      "imb-mpi1/Allreduce over processes", "Latency of pairs, alpha"])
      assert.ok(found.some((one) => one.title === title), `no chart ${title}`);
    for (const start of ["Bandwidth per process by pattern", "Methods of b_eff, ", "Batches over time, "])
      assert.ok(found.some((one) => one.title.startsWith(start)), `no chart ${start}`);
    assert.equal(await page.locator(".drawing style").count(), 0, "the style of the page is that of every drawing");
    for (const one of found) {
      assert.ok(one.marks > 3, `${one.title} is empty`);
      assert.ok(one.finite, `${one.title} draws a number that is none`);
      assert.ok(one.named.includes(one.title), `${one.title} has no name`);
    }
    assert.equal(await page.getAttribute("html", "data-errors"), "0");
    await page.done();
  },

  async "nodes stand by their values, and those that stand out are named"() {
    for (const [name, worst, named] of [["screening_64", "lion0017", 1], ["screening_1024", "lion0721", 8]]) {
      const page = await open(name);
      await readThrough(page);
      const found = await charts(page);
      for (const title of ["triad of nodes, lion", "dgemm of nodes, lion", "chase of nodes, lion", "Bandwidth of pairs, lion"])
        assert.ok(found.some((one) => one.title === title && one.finite && one.marks > 3), `no chart ${title}`);
      const triad = page.locator("figure", { hasText: "triad of nodes" });
      const texts = await triad.locator("svg text").allTextContents();
      assert.ok(texts.includes(worst), texts.join(" "));
      assert.equal(texts.filter((text) => text.startsWith("lion")).length, named);
      assert.match(await triad.locator("figcaption").textContent(), /^\d+ nodes, median 35\d\sGB\/s; dashed: [\d.]+\s% worse\./);
      await page.done();
    }
  },

  async "blocks of pairs show their worst pair when asked"() {
    const page = await open("screening_1024");
    await readTo(page, "Bandwidth of pairs");
    const bandwidth = page.locator("#pairs figure", { hasText: "Bandwidth of pairs" });
    const least = () => bandwidth.locator(".scale").evaluate((scale) => scale.firstChild.textContent);
    assert.match(await least(), /^99\.\d\s%$/);
    await page.locator("#pairs .choice button", { hasText: "values" }).click();
    assert.equal(await least(), "23.9\u00a0GB/s");
    await page.locator("#pairs .choice button", { hasText: "worst pairs" }).click();
    assert.match(await least(), /^1[12](\.\d+)?\sGB\/s$/);
    assert.doesNotMatch(await bandwidth.locator("figcaption").textContent(), /lines part/);
    await page.done();
  },

  async "pairs stand switch by switch, in percent of their class"() {
    const page = await open("screening_switches");
    await readTo(page, "Bandwidth of pairs");
    const bandwidth = page.locator("#pairs figure", { hasText: "Bandwidth of pairs" });
    const picture = () => bandwidth.locator("canvas").evaluate((canvas) => canvas.toDataURL());
    const least = () => bandwidth.locator(".scale").evaluate((scale) => scale.firstChild.textContent);
    assert.match(await bandwidth.locator("figcaption").textContent(), /lines part hosts or switches.*at a switch, between switches/);
    assert.match(await least(), /^(49|50)(\.\d)?\s%$/, "links between switches are slower and usual");
    const bySwitch = await picture();
    await page.locator("#pairs .choice button", { hasText: "by rank" }).click();
    assert.ok(await picture() !== bySwitch, "the order changes the picture");
    await page.locator("#pairs .choice button", { hasText: "values" }).click();
    assert.match(await least(), /^9\.\d+\sGB\/s$/, "the slow link between switches");
    await page.done();
  },

  async "legend, switch and filter work by keyboard"() {
    const page = await open("points_400");
    await readTo(page, "imb-mpi1/PingPong");
    const first = page.locator("figure", { hasText: "imb-mpi1/PingPong" }).first();
    const before = await first.locator(".drawing path").count();
    await first.locator(".legend button").first().focus();
    await page.keyboard.press("Enter");
    assert.equal(await first.locator(".legend button").first().getAttribute("aria-pressed"), "false");
    assert.ok(await first.locator(".drawing path").count() < before);
    await page.locator("#messages .choice button", { hasText: "bandwidth" }).focus();
    await page.keyboard.press("Space");
    assert.match(await first.locator(".drawing").textContent(), /bandwidth/);
    const axis = async () => first.locator(".drawing").innerHTML();
    const logarithmic = await axis();
    await page.locator("#messages .choice button", { hasText: "linear" }).focus();
    await page.keyboard.press("Enter");
    assert.notEqual(await axis(), logarithmic);
    await page.waitForFunction(() => location.hash.includes("axis.messages=linear"));
    await page.locator("input[type=search]").focus();
    await page.keyboard.type("pingpong processes=4");
    await page.waitForFunction(() => /^1\d of/.test(document.querySelector("[role=status]").textContent));
    await page.keyboard.press("Tab");
    assert.ok(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle !== "none"), "focus is visible");
    await page.done();
  },

  async "what has the focus is never below the navigation"() {
    const page = await open("points_400", { viewport: { width: 800, height: 900 } });
    const [before, link] = await page.locator("#validity a").all();
    await before.evaluate((one) => one.focus());
    await link.evaluate((one) => scrollBy({ top: one.getBoundingClientRect().top - 10, behavior: "instant" }));
    const place = () => link.evaluate((one) => ({
      focused: one === document.activeElement, top: one.getBoundingClientRect().top, navigation: document.querySelector("nav").getBoundingClientRect().bottom,
    }));
    assert.ok((await place()).navigation > (await place()).top, "it was below");
    await page.keyboard.press("Tab");
    await page.waitForFunction(() => document.activeElement.getBoundingClientRect().top > 0);
    const { focused, top, navigation } = await place();
    assert.ok(focused && top >= navigation, `at ${top}, below ${navigation}`);
    await page.done();
  },

  async "a click isolates a pattern of b_eff"() {
    const page = await open("points_400");
    await readTo(page, "Bandwidth per process by pattern");
    const chart = page.locator("figure", { hasText: "Bandwidth per process by pattern" }).first();
    const faint = () => chart.locator(".drawing path[stroke-opacity='0.08']").count();
    assert.equal(await faint(), 0);
    await chart.locator(".drawing").scrollIntoViewIfNeeded();
    const clickOnPattern = async (opacity) => {
      const { x, y } = await chart.locator(`.drawing path[stroke-opacity='${opacity}']`).first().evaluate((path) => {
        const start = path.getPointAtLength(0).matrixTransform(path.getScreenCTM());
        return { x: start.x, y: start.y };
      });
      await page.mouse.move(x + 4, y);
      await page.mouse.move(x + 2, y);
      await page.mouse.click(x + 2, y);
    };
    await clickOnPattern("0.45");
    assert.ok(await faint() > 0);
    await clickOnPattern("1");
    assert.equal(await faint(), 0);
    await page.done();
  },

  async "a rectangle in the scatter bounds the table, and so do words"() {
    const page = await open("points_400");
    const canvas = page.locator("#points canvas");
    await page.locator("#points").scrollIntoViewIfNeeded();
    await canvas.waitFor();
    const count = async () => Number((await page.locator("[role=status]").textContent()).match(/^(\d+) of/)[1]);
    const all = await count(), box = await canvas.boundingBox();
    await page.mouse.move(box.x + box.width * .3, box.y + box.height * .1);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * .6, box.y + box.height * .7);
    await page.mouse.up();
    const filter = page.locator("input[type=search]");
    assert.match(await filter.inputValue(), /^length>=\d+ length<=\d+ time>=[\d.]+\ws time<=[\d.]+\ws$/);
    const within = await count();
    assert.ok(within > 0 && within < all, `${within} of ${all}`);
    await page.click("text=Show all");
    assert.equal(await count(), all);
    await filter.fill("processes=2 length>=1K length<=4M pingpong");
    await page.waitForFunction((before) => !document.querySelector("[role=status]").textContent.startsWith(`${before} `), all);
    const rows = await page.$$eval(".all-points tbody tr:not([aria-hidden])", (list) => list.map((row) => row.children[3].textContent));
    assert.ok(rows.length > 0 && rows.every((processes) => processes === "2"), String(rows));
    await page.done();
  },

  async "curves of the balance change between ratio and absolute value, and between axes"() {
    const page = await open("points_400");
    await readTo(page, "Random ring over HPL");
    const chart = page.locator("figure", { hasText: "Random ring over HPL" }).first(), text = () => chart.locator(".drawing").textContent();
    assert.match(await text(), /byte\/kflop/);
    const logarithmic = await text();
    await page.locator("#balance .choice button", { hasText: "linear" }).click();
    assert.notEqual(await text(), logarithmic);
    await page.locator("#balance .choice button", { hasText: "absolute" }).click();
    assert.match(await text(), /GB\/s/);
    assert.match(await text(), /100 byte\/kflop/, "lines of equal balance are named");
    await page.waitForFunction(() => /curves\.balance=absolute/.test(location.hash));
    await page.done();
  },

  async "a warning leads to its part and its points, and the part back"() {
    const page = await open("points_400");
    const row = page.locator("#validity tr", { hasText: "cut before the rule was satisfied" });
    await row.locator("a", { hasText: "its points" }).click();
    assert.match(await page.locator("input[type=search]").inputValue(), /status=partial/);
    assert.match(await page.locator("[role=status]").textContent(), /^1 of /);
    assert.equal(await page.evaluate(() => location.hash.split("&")[0]), "#points");
    await page.locator("#validity tr", { hasText: "page cache" }).locator("a").first().click();
    await page.waitForFunction(() => location.hash.startsWith("#io"));
    const note = page.locator("#io .warnings");
    assert.match(await note.textContent(), /page cache is measured/);
    await note.locator("a").click();
    await page.waitForFunction(() => location.hash.startsWith("#validity"));
    for (const href of await page.$$eval("#validity a", (links) => links.map((link) => link.getAttribute("href"))))
      assert.ok(await page.evaluate((id) => document.getElementById(id) !== null, href.slice(1)), `nothing at ${href}`);
    await page.locator("#verdict summary", { hasText: "Remarks" }).click();
    await page.locator("#verdict details a", { hasText: "its points" }).first().click();
    assert.match(await page.locator("[role=status]").textContent(), /^1 of /, "the marks of points can be filtered");
    await page.done();
  },

  async "doubts of points stand in the words of the terminal, with what they mean"() {
    const page = await open("points_400");
    await page.fill("input[type=search]", "mark=few_visits");
    await page.waitForFunction(() => /^1 of /.test(document.querySelector("[role=status]").textContent));
    const cell = page.locator(".all-points tbody tr:not([aria-hidden]) td:last-child");
    assert.equal(await cell.textContent(), "noisy, looked at fewer than six times: the interval tells little about what changes slowly");
    assert.match(await cell.getAttribute("title"), /many batches were disturbed/);
    await page.done();
  },

  async "marks of wrong data are hollow, and their texts and tables tell the doubts"() {
    withData("points_400", "wrong", (data) => {
      const unverified = wordOf(data, "status", "unverified"), doubt = wordOf(data, "doubts", "noisy");
      const wrong = (places) => {
        for (const place of places) {
          data.points.status[place] = unverified;
          data.points.doubts[place] = doubt;
        }
      };
      const of = (benchmark, processes) => placesOf(data, benchmark).filter((i) => data.points.processes[i] === processes && data.points.length_byte[i] > 0);
      wrong(of("Alltoall", 4).slice(1, 2));
      wrong(of("Allreduce", 8).slice(-1));
      wrong(of("Ibcast", 8).slice(-1));
      wrong(of("b_eff", 8));
    });
    const page = await open("wrong");
    for (const [title, name] of [["imb-mpi1/Alltoall", "messages"], ["imb-mpi1/Allreduce over processes", "scaling"], ["imb-nbc/Ibcast", "overlap"], ["Bandwidth per process by pattern", "b_eff"]]) {
      const chart = page.locator(`#${name} figure`, { hasText: title }).first();
      await readTo(page, chart);
      const hollow = chart.locator(".drawing g[fill='var(--card)'][stroke-width='1.5'] path");
      assert.ok(await hollow.count() > 0, `${title} has no hollow mark`);
      assert.match(await chart.locator("figcaption").textContent(), / Hollow: unverified \(wrong data\)/);
      if (name !== "b_eff") assert.match(await toldAt(page, hollow.last()), /unverified\nnoisy/, title);
      await chart.locator(".figure-head button[aria-expanded]").click();
      assert.match(await chart.locator(".chart-table thead").textContent(), /statusdoubts$/, title);
      assert.match((await chart.locator(".chart-table tbody tr", { hasText: "unverified" }).first().textContent()), /unverifiednoisy$/, title);
    }
    const sound = page.locator("#messages figure", { hasText: "imb-mpi1/Sendrecv" }).first();
    await readTo(page, sound);
    await sound.locator(".figure-head button[aria-expanded]").click();
    assert.doesNotMatch(await sound.locator(".chart-table thead").textContent(), /status/);
    assert.doesNotMatch(await sound.locator("figcaption").textContent(), /Hollow/);
    const bars = page.locator("#overlap figure", { hasText: "Overlap of the longest transfers" });
    await readTo(page, bars);
    assert.equal(await bars.locator(".drawing g[fill='var(--card)'][stroke-width='1.5'] rect").count(), 1);
    await page.done();
  },

  async "pairs stand in the order of hosts or of ranks"() {
    const page = await open("points_400");
    await readTo(page, "Latency of pairs");
    const picture = () => page.locator("#pairs canvas").first().evaluate((canvas) => canvas.toDataURL());
    const byHost = await picture();
    await page.locator("#pairs .choice button", { hasText: "by rank" }).click();
    assert.ok(await picture() !== byHost, "the order changes the picture");
    await page.done();
  },

  async "every chart shows its numbers"() {
    const page = await readOnce("two");
    const buttons = page.locator("figure .figure-head button[aria-expanded]");
    assert.ok(await buttons.count() > 20);
    const clickAll = () => page.evaluate(() => document.querySelectorAll("figure .figure-head button[aria-expanded]").forEach((button) => button.click()));
    await clickAll();
    const tables = await page.$$eval("figure .chart-table", (list) => list.map((table) => ({
      title: table.closest("figure").querySelector("h3").textContent, rows: table.querySelectorAll("tbody tr").length,
      finite: !/NaN|Infinity|undefined/.test(table.textContent),
    })));
    for (const one of tables) assert.ok(one.rows > 0 && one.finite, `${one.title}: ${one.rows} rows`);
    const bare = await page.$$eval("figure", (list) => list.filter((one) => !one.querySelector(".figure-head button[aria-expanded]")).map((one) => one.querySelector("h3").textContent));
    assert.deepEqual(bare, ["Figures over length of every point"]);  // its table is below it
    await clickAll();
    assert.equal(await page.locator("figure .chart-table:visible").count(), 0, "all are folded up again");
    await page.done();
  },

  async "a view is sent by its address"() {
    const page = await open("points_400");
    await readTo(page, "imb-mpi1/PingPong");
    await page.locator("#messages .choice button", { hasText: "bandwidth" }).click();
    const first = page.locator("figure", { hasText: "imb-mpi1/PingPong" }).first();
    await first.locator(".legend button").first().click();
    await first.locator(".figure-head button[aria-expanded]").click();
    await page.locator("input[type=search]").fill("processes=2");
    await page.click("text=Light or dark");
    await page.waitForFunction(() => /filter=/.test(location.hash) && /theme=/.test(location.hash));
    const fragment = await page.evaluate(() => location.hash), theme = await page.getAttribute("html", "data-theme");
    const said = await page.locator("[role=status]").textContent();
    await page.done();

    const again = await open("points_400", {}, fragment);
    assert.equal(await again.getAttribute("html", "data-theme"), theme);
    assert.equal(await again.locator("#messages .choice[aria-label=Show] button[aria-pressed=true]").textContent(), "bandwidth");
    const same = again.locator("figure", { hasText: "imb-mpi1/PingPong" }).first();
    assert.equal(await same.locator(".legend button").first().getAttribute("aria-pressed"), "false");
    assert.ok(await same.locator(".chart-table tbody tr").count() > 0);
    assert.equal(await again.locator("[role=status]").textContent(), said);
    await again.done();

    const broken = await open("points_400", {}, "#messages&series.messages.0=99.x.&filter=%E0%A4%A&show.messages=nothing");
    assert.equal(await broken.getAttribute("html", "data-errors"), "0");
    await broken.done();
  },

  async "patterns of b_eff_io stand in their order, each once"() {
    const page = await open("points_400");
    await readTo(page, "b_eff_io, scatter");
    const chart = page.locator("figure", { hasText: "b_eff_io, scatter" }).first();
    const words = (await chart.locator(".drawing text").allTextContents()).filter((text) => / KiB| MiB/.test(text));
    assert.deepEqual(words, ["1 KiB", "1 KiB + 8", "32 KiB", "32 KiB + 8", "1 MiB", "1 MiB + 8", "4 MiB", "1 MiB of 2 MiB"]);
    await chart.locator(".figure-head button[aria-expanded]").click();
    const rows = await chart.locator(".chart-table tbody tr").evaluateAll((list) => list.map((row) => `${row.cells[0].textContent}, ${row.cells[1].textContent}`));
    assert.equal(rows.length, 3 * words.length);
    assert.equal(new Set(rows).size, rows.length);
    await page.done();
  },

  async "cases of a benchmark have lines and bars of their own"() {
    const page = await open("points_400");
    const lines = page.locator("#overlap figure", { hasText: "imb-nbc/Ibcast" }).first();
    await readTo(page, lines);
    assert.deepEqual(await lines.locator(".legend button").allTextContents(), ["8 processes, progress=polled", "8 processes, progress=none"]);
    const bars = page.locator("#overlap figure", { hasText: "Overlap of the longest transfers" });
    await readTo(page, bars);
    await bars.locator(".figure-head button[aria-expanded]").click();
    const rows = await bars.locator(".chart-table tbody tr").evaluateAll((list) => list.map((row) => [row.cells[0].textContent, Number(row.cells[2].textContent)]));
    assert.deepEqual(rows.map(([name]) => name), ["Ibcast, 8 processes, progress=polled", "Ibcast, 8 processes, progress=none"]);
    assert.ok(rows[0][1] > 1.9 * rows[1][1], String(rows));
    await page.done();
  },

  async "the chart of all points draws what their rows tell"() {
    const page = await open("points_400");
    await page.locator("#points").scrollIntoViewIfNeeded();
    const chart = page.locator("#points figure"), filter = page.locator("input[type=search]");
    await chart.locator("canvas").waitFor();
    assert.match(await chart.locator(".drawing").textContent(), /time per operation/);
    await filter.fill("b-eff/");
    await page.waitForFunction(() => /bandwidth/.test(document.querySelector("#points figure .drawing").textContent));
    assert.match(await chart.locator(".drawing").textContent(), /[GM]B\/s/);
    const count = async () => Number((await page.locator("[role=status]").textContent()).match(/^(\d+) of/)[1]);
    const all = await count(), box = await chart.locator("canvas").boundingBox();
    await page.mouse.move(box.x + box.width * .3, box.y + box.height * .1);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * .8, box.y + box.height * .6);
    await page.mouse.up();
    assert.match(await filter.inputValue(), /^b-eff\/ length>=\d+ length<=\d+ bandwidth>=[\d.]+\w?B\/s bandwidth<=[\d.]+\w?B\/s$/);
    const within = await count();
    assert.ok(within > 0 && within < all, `${within} of ${all}`);
    await page.done();
  },

  async "charts on a canvas follow the colours of the system"() {
    const page = await open("points_400", { colorScheme: "light" });
    await page.locator("#points").scrollIntoViewIfNeeded();
    const canvas = page.locator("#points canvas"), picture = () => canvas.evaluate((one) => one.toDataURL());
    await canvas.waitFor();
    const light = await picture();
    await page.emulateMedia({ colorScheme: "dark" });
    await page.waitForFunction((before) => document.querySelector("#points canvas").toDataURL() !== before, light);
    await page.done();
  },

  async "a page that cannot read its data says so where charts would stand"() {
    const broken = join(output, "broken.html");
    writeFileSync(broken, readFileSync(join(output, "points_400.html"), "utf8").replace(/data-encoding="[^"]+">[^<]*/, 'data-encoding="json">{"format":"other"}'));
    const context = await browser.newContext(), other = await context.newPage();
    await other.goto(pathToFileURL(broken).href);
    await other.waitForSelector(".charts .note");
    assert.match(await other.locator(".charts .note").first().textContent(), /could not be drawn/);
    await context.close();
  },

  async "a saved chart is XML whatever its names hold"() {
    const page = await open("points_400");
    await readTo(page, "imb-mpi1/PingPong");
    const chart = page.locator("figure", { hasText: "imb-mpi1/PingPong" }).first();
    await chart.locator("h3").evaluate((head) => head.append("\u0001\u000b"));
    const coming = page.waitForEvent("download");
    await chart.locator(".figure-buttons button", { hasText: "SVG" }).click();
    const text = readFileSync(await (await coming).path()).toString();
    assert.equal(await page.evaluate((one) => new DOMParser().parseFromString(one, "image/svg+xml").querySelector("parsererror")?.textContent ?? "", text), "");
    await page.done();
  },

  async "two machines stand side by side and are compared"() {
    const page = await readOnce("two");
    const found = await charts(page);
    for (const title of ["Normalised columns", "imb-mpi1/PingPong, new over base", "Random ring over HPL", "Interruptions of beta"])
      assert.ok(found.some((one) => one.title === title && one.marks > 3 && one.finite), `no chart ${title}`);
    await page.done();
  },

  async "light and dark differ and are accessible"() {
    const page = await open("two", { colorScheme: "light", bypassCSP: true });
    await readThrough(page);
    const ground = (one) => one.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const grounds = [];
    await page.evaluate(axe);
    for (const [colorScheme, rules] of [["light", {}], ["dark", { runOnly: ["color-contrast", "link-in-text-block"] }]]) { // the same page: all but its colours stays
      await page.emulateMedia({ colorScheme });
      grounds.push(await ground(page));
      await page.evaluate(thinOut);
      const result = await page.evaluate((rules) => globalThis.axe.run(document, { resultTypes: ["violations"], ...rules }), rules);
      assert.deepEqual(result.violations.map((one) => `${one.id}: ${one.nodes[0].html.slice(0, 200)}`), [], colorScheme);
    }
    assert.notEqual(grounds[0], grounds[1]);
    await page.done();
    const other = await open("points_400", { colorScheme: "light" });
    assert.equal(await ground(other), grounds[0]);
    await other.click("text=Light or dark");
    assert.equal(await ground(other), grounds[1]);
    await other.done();
  },

  async "a name longer than a page makes no page wider"() {
    const page = await open("hostile", { viewport: { width: 800, height: 900 } });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 800, `${width} pixels wide`);
    await page.done();
  },

  async "a telephone does not scroll sideways"() {
    const page = await open("two", { viewport: { width: 390, height: 800 } });
    await readThrough(page);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `${width} pixels wide`);
    const links = await page.$$eval("nav a", (list) => list.map((one) => one.getBoundingClientRect().right));
    assert.ok(links.every((right) => right <= 390), "every part can be reached without scrolling the navigation");
    await page.done();
  },

  async "printing draws every chart and bounds the pages"() {
    const page = await open("points_10000");
    const pdf = await page.pdf({ format: "A4" });
    const pages = (pdf.toString("latin1").match(/\/Type\s*\/Page[^s]/g) ?? []).length;
    assert.ok(pages > 3 && pages < 60, `${pages} pages`);
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    for (const one of await charts(page)) assert.ok(one.marks > 3, `${one.title} is empty in print`);
    const heads = await page.$$eval("thead button", (list) => list.map((one) => getComputedStyle(one).display));
    assert.deepEqual([...new Set(heads)], ["contents"], "a head of boxes would stand on the first page alone");
    await page.done();
  },

  async "hostile texts do nothing and are shown"() {
    const page = await open("hostile");
    await readThrough(page);
    assert.equal(await page.evaluate(() => globalThis.hurt), undefined);
    assert.equal(await page.locator("img").count(), 0);
    assert.ok((await page.textContent("h1")).includes("<script>window.hurt=1</script>"));
    assert.equal(await page.getAttribute("html", "data-errors"), "0");
    await page.evaluate(() => document.querySelectorAll("figure .figure-head button, details > summary").forEach((button) => button.click()));
    for (const start of ["Patterns by name", "Analysis paths", "Latency of pairs", "Phases of FTIO"])
      assert.ok(await page.locator("figure h3", { hasText: start }).count() > 0, start);
    await page.locator("#validity a[data-filter]").first().click();
    assert.equal(await page.evaluate(() => globalThis.hurt), undefined);
    assert.equal(await page.locator("img").count(), 0);
    await page.done();
  },

  async "the first screen has the verdict, five figures with their trust, and what to do next"() {
    for (const width of [1400, 900, 420]) {
      const page = await open("points_400", { viewport: { width, height: 900 }, colorScheme: "light" });
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        const first = page.locator(".first"), bottom = await first.evaluate((one) => one.getBoundingClientRect().bottom);
        assert.ok(bottom <= 900, `${width} pixels wide: it ends at ${bottom}`);
        assert.equal(await first.locator(".said-verdict p").count(), 1);
        const cards = await first.locator(".card").evaluateAll((list) => list.map((one) => [...one.children].map((part) => part.textContent)));
        assert.equal(cards.length, 5);
        for (const [title, value, trust] of cards) {
          assert.match(value, /^[\d.]+\s\S+/, title);
          assert.match(trust, /interval|\+-|% to/, title);
        }
        assert.ok(await first.locator(".next li").count() > 0);
      }
      await page.done();
    }
  },

  async "a chart is saved as SVG and as PNG"() {
    const page = await open("points_400");
    for (const title of ["imb-mpi1/PingPong", "Messages by pattern", "Latency of pairs, alpha", "Figures over length of every point"]) {
      const chart = page.locator("figure", { hasText: title }).first();
      await readTo(page, chart);
      const saved = async (form) => {
        const coming = page.waitForEvent("download");
        await chart.locator(".figure-buttons button", { hasText: form }).click();
        return readFileSync(await (await coming).path());
      };
      const text = (await saved("SVG")).toString();
      assert.ok(text.startsWith("<svg") && text.includes(title), title);
      assert.ok(!text.includes("var("), `${title} names a colour of the page`);
      assert.equal(await page.evaluate((one) => new DOMParser().parseFromString(one, "image/svg+xml").querySelector("parsererror")?.textContent ?? "", text), "");
      assert.equal((await saved("PNG")).subarray(1, 4).toString(), "PNG", title);
    }
    await page.done();
  },

  async "tables are sorted by a click on a head, and once more the other way"() {
    const page = await open("points_400");
    await page.waitForSelector("th button.sort");
    await readTo(page, "Figures over length of every point"); // charts that are drawn meanwhile push away what is clicked
    await page.locator("#points").scrollIntoViewIfNeeded();
    const head = page.locator(".all-points th", { hasText: "processes" });
    const first = () => page.$eval(".all-points tbody tr:not([aria-hidden])", (row) => Number(row.children[3].textContent));
    await head.locator("button").click();
    assert.equal(await head.getAttribute("aria-sort"), "ascending");
    const least = await first();
    await head.locator("button").click();
    assert.ok(await first() > least);
    await readTo(page, page.locator("#messages figure").last());
    await page.locator("#messages details summary").first().click();
    const table = page.locator("#messages details[open] table").first(), length = table.locator("th", { hasText: "length" });
    await length.locator("button").click();
    await length.locator("button").click();
    const values = await table.evaluate((one) => {
      const column = [...one.tHead.rows[0].cells].findIndex((cell) => /length/.test(cell.textContent));
      return [...one.tBodies[0].rows].map((row) => Number(row.cells[column].textContent));
    });
    assert.ok(values.length > 2 && values.every((value, i) => i === 0 || values[i - 1] >= value), String(values));
    await page.done();
  },

  async "bandwidths are shown in the unit that was chosen"() {
    const page = await open("points_400");
    await readTo(page, "imb-mpi1/PingPong");
    const card = page.locator(".first .card-value", { hasText: "GB/s" }).first(), before = parseFloat(await card.textContent());
    await page.locator("header select").selectOption("MiB/s");
    assert.match(await page.locator(".first .card-value", { hasText: "MiB/s" }).first().textContent(), /MiB/);
    const after = parseFloat(await page.locator(".first .card-value", { hasText: "MiB/s" }).first().textContent());
    assert.ok(Math.abs(after / (before * 1e9 / 2 ** 20) - 1) < 1e-2, `${before} GB/s, ${after} MiB/s`);
    await page.locator("#messages .choice button", { hasText: "bandwidth" }).click();
    assert.match(await page.locator("figure", { hasText: "imb-mpi1/PingPong" }).first().locator(".drawing").textContent(), /MiB\/s/);
    await page.waitForFunction(() => /units=MiB/.test(location.hash));
    const significant = (text) => text.replace(/\D/g, "").replace(/^0+/, "").replace(/0+$/, "").length;
    const cards = await page.locator(".card-value", { hasText: "MiB/s" }).evaluateAll((list) => list.map((one) => one.firstChild.data));
    const rates = await page.$$eval("#messages .numbers td.number, #messages details td.number", (list) => list.filter((one) => {
      const head = one.closest("table").tHead.rows[0].cells[one.cellIndex];
      return /MiB\/s/.test(head.textContent) && /\d/.test(one.textContent);
    }).map((one) => one.textContent.trim()));
    assert.ok(cards.length > 3 && rates.length > 20 && rates.some((text) => Number(text) > 1000), `${cards}; ${rates.length} rates`);
    assert.deepEqual([...cards, ...rates].filter((text) => significant(text) > 3), [], "three digits stay three");
    await page.locator("header select").selectOption("units as fit");
    assert.equal(parseFloat(await card.textContent()), before);
    await page.done();
  },

  async "a filter that is wrong or matches nothing says so"() {
    const page = await open("points_400"), filter = page.locator("input[type=search]"), said = page.locator("[role=status]");
    await filter.fill("length>=1X");
    await page.waitForFunction(() => /No bound of this filter: "length>=1x"/.test(document.querySelector("[role=status]").textContent));
    assert.equal(await filter.getAttribute("aria-invalid"), "true");
    await filter.fill("pingpong nowhere");
    await page.waitForFunction(() => /No point has "nowhere"/.test(document.querySelector("[role=status]").textContent));
    await filter.fill("pingpong");
    await page.waitForFunction(() => !/No /.test(document.querySelector("[role=status]").textContent));
    assert.match(await said.textContent(), /^\d+ of \d+ points$/);
    await page.done();
  },

  async "ticks differ and stand apart"() {
    const page = await readOnce("two");
    const axes = await page.$$eval("figure", (figures) => figures.flatMap((figure) => ["x", "y"].map((axis) => ({
      title: `${figure.querySelector("h3").textContent}, ${axis}`, ticks: [...figure.querySelectorAll(`.drawing [aria-label='${axis}-axis tick label'] text, .drawing [class*=${axis}-axis-tick-label] text`)].map((one) => one.textContent),
    }))));
    const speed = await page.locator("figure", { hasText: "Speed over the run, alpha" }).first().locator(".drawing text").allTextContents();
    const seconds = speed.filter((text) => / s$/.test(text));
    assert.ok(seconds.length > 1 && new Set(seconds).size === seconds.length, String(seconds));
    for (const one of axes) assert.equal(new Set(one.ticks).size, one.ticks.length, one.title);
    const compared = page.locator("figure", { hasText: "imb-mpi1/PingPong, new over base" }).first();
    const heights = await compared.locator(".drawing text").evaluateAll((list) => list.filter((one) => /^[\d.]+$/.test(one.textContent)).map((one) => {
      const box = one.getBoundingClientRect();
      return { top: box.top, bottom: box.bottom, left: box.left, right: box.right, text: one.textContent };
    }));
    assert.ok(heights.length > 2);
    for (const [i, a] of heights.entries())
      for (const b of heights.slice(i + 1))
        assert.ok(a.bottom <= b.top + 1 || b.bottom <= a.top + 1 || a.right <= b.left || b.right <= a.left, `${a.text} lies on ${b.text}`);
    await page.done();
  },

  async "lengths at the end of an axis are whole"() {
    withData("points_400", "short", (data) => {
      for (const [i, length] of data.points.length_byte.entries()) if (length > 2 ** 18) data.points.length_byte[i] = 2 ** 18;
    });
    const page = await open("short");
    await readThrough(page);
    const lengths = await page.$$eval("#messages figure, #b_eff figure, #overlap figure", (list) => list.flatMap((figure) => {
      const right = figure.querySelector(".drawing").getBoundingClientRect().right;
      return [...figure.querySelectorAll(".drawing text")].filter((one) => /^\d+ [KM]?i?B$/.test(one.textContent)).map((one) => ({
        text: `${figure.querySelector("h3").textContent}: ${one.textContent}`, over: one.getBoundingClientRect().right - right,
      }));
    }));
    assert.ok(lengths.some(({ text }) => /: 256 KiB$/.test(text)), "an axis ends at a length");
    assert.deepEqual(lengths.filter(({ over }) => over > 0).map(({ text }) => text), []);
    await page.done();
  },

  async "the five minutes of the coffee cup stand at their line, and its names within their margin"() {
    const page = await open("cup", { viewport: { width: 800, height: 900 } });
    await readThrough(page);
    const drawing = page.locator("figure", { hasText: "Coffee cup" }).first().locator(".drawing");
    assert.match(await drawing.textContent(), /5 min/);
    const left = await drawing.evaluate((one) => [...one.querySelectorAll("text")].map((text) => text.getBoundingClientRect().left - one.getBoundingClientRect().left));
    assert.ok(left.every((one) => one >= 0), String(left));
    await page.done();
  },

  async "no mark of the roofline lies on a name"() {
    const page = await readOnce("points_400");
    const covered = await page.locator("figure", { hasText: "Roofline of a node" }).first().evaluate((figure) => {
      const marks = [...figure.querySelectorAll("[aria-label=dot] path, [class*=dot] path, .drawing g[fill='var(--c4)'] path")].map((one) => one.getBoundingClientRect()).filter((box) => box.width > 0 && box.width < 16);
      const names = [...figure.querySelectorAll(".drawing text[transform], .drawing g text")].filter((one) => /flop\/s$|triad$|FFT|HPL|PTRANS|DGEMM|RandomAccess/.test(one.textContent) && !/^[\d.]+ .?flop\/s$/.test(one.textContent) && !/rotate/.test(one.getAttribute("transform") ?? ""));
      return { marks: marks.length, names: names.length, covered: names.filter((one) => {
        const box = one.getBoundingClientRect();
        return marks.some((mark) => mark.left + 2 < box.right && box.left + 2 < mark.right && mark.top + 2 < box.bottom && box.top + 2 < mark.bottom);
      }).map((one) => one.textContent) };
    });
    assert.ok(covered.marks > 1 && covered.names > 1, JSON.stringify(covered));
    assert.deepEqual(covered.covered, []);
    await page.done();
  },

  async "no name of the roofline lies on another one where the roofs are near each other and the chart is narrow"() {
    withData("points_400", "near_roofs", (data) => {
      const roofs = data.figures.find((one) => one.id === "B11"), rows = roofs.rows.filter(([system]) => system === "alpha");
      const values = { peak: [null, 161.3, null], DGEMM: [null, 97, null], "STREAM triad": [null, null, 40.67], "random ring": [null, null, 13.52],
        triad: [1 / 12, 3.389, null], HPL: [24, 82.8, null], FFT: [0.8924, 14.88, null] };
      for (const row of rows) row.splice(3, 3, ...(values[row[2]] ?? row.slice(3)));
      roofs.rows = rows.filter(([, , name]) => values[name]);
      assert.equal(roofs.rows.length, 7);
    });
    const page = await open("near_roofs");
    await readTo(page, "Roofline of a node");
    const covered = await page.locator("figure", { hasText: "Roofline of a node" }).first().evaluate((figure) => {
      const names = [...figure.querySelectorAll(".drawing text")].filter((one) => /^(peak|DGEMM|STREAM|random|triad|HPL|FFT)/.test(one.textContent));
      const within = (one, other) => { // points of a name, which may be turned, within a level one
        const { x, y, width, height } = one.getBBox(), to = one.getScreenCTM(), { left, right, top, bottom } = other.getBoundingClientRect();
        return Array.from({ length: 300 }, (_, i) => new DOMPoint(x + (i % 100 + 0.5) * width / 100, y + (Math.floor(i / 100) + 1) * height / 4).matrixTransform(to))
          .some((at) => at.x > left && at.x < right && at.y > top + 2 && at.y < bottom - 2);
      };
      const level = (one) => !/rotate\(-/.test(one.getAttribute("transform"));
      return { names: names.length, turned: names.filter((one) => !level(one)).length,
        pairs: names.flatMap((one) => names.filter((other) => other !== one && level(other) && within(one, other)).map((other) => `${one.textContent} on ${other.textContent}`)) };
    });
    assert.deepEqual(covered, { names: 7, turned: 2, pairs: [] });
    await page.done();
  },

  async "no line ends between a number and its unit, nor an address with a comma on paper"() {
    const page = await readOnce("points_400");
    const said = await page.evaluate(() => [...document.querySelectorAll("p, li, td, figcaption, .card-value, .card-note, .chart-table td")].map((one) => one.textContent));
    assert.ok(said.filter((text) => /\d\u00a0(%|[GM]B\/s)/.test(text)).length > 5);
    assert.deepEqual(said.filter((text) => /\d (%|[GM]B\/s)/.test(text)), []);
    await page.emulateMedia({ media: "print" });
    const where = await page.locator(".validity td:last-child").evaluateAll((cells) => cells.map((cell) => cell.innerText.trim()));
    await page.emulateMedia({ media: null });
    assert.ok(where.some(Boolean));
    assert.deepEqual(where.filter((text) => text.endsWith(",")), []);
    await page.done();
  },

  async "messages within one node are no network"() {
    withData("points_400", "one_node", (data) => {
      const messages = data.figures.find((one) => one.id === "B1"), at = (key) => messages.columns.findIndex((column) => column.key === key);
      const row = messages.rows.find((one) => one[at("curve")] === "alpha");
      row[at("flags")] = "V1+V11";
      row[at("remarks")] = "V1 one node";
    });
    for (const [name, hollow, caption, slope] of [["one_node", 7, /dotted, messages within the one node allow.*The network was not measured/, "random ring within a node, 2.4 GB/s"], ["points_400", 0, /dotted, network bandwidth allow/, "random ring, 2.4 GB/s"]]) {
      const page = await open(name);
      await readTo(page, "Roofline of a node", "Messages by pattern");
      const roof = page.locator("figure", { hasText: "Roofline of a node" }).first();
      assert.match(await roof.locator("figcaption").textContent(), caption);
      assert.ok((await roof.locator(".drawing text").allTextContents()).includes(slope));
      assert.equal(await roof.locator(".drawing g[stroke-dasharray='2 3'][stroke='var(--c1)'] path").count(), 1);
      const patterns = page.locator("figure", { hasText: "Messages by pattern" }).first();
      assert.equal(await patterns.locator(".drawing g[fill='var(--card)'][stroke-width='1.5'] :is(path, circle)").count(), hollow);
      assert.equal(/Hollow: messages within one node/.test(await patterns.locator("figcaption").textContent()), hollow > 0);
      await page.done();
    }
  },

  async "cards with nothing to draw are named in one line"() {
    const page = await open("points_400");
    await page.locator("#messages .choice button", { hasText: "bandwidth" }).click();
    await readThrough(page);
    const empty = await page.$$eval("figure", (list) => list.filter((one) => !one.hidden && /Nothing to draw/.test(one.textContent)).map((one) => one.querySelector("h3").textContent));
    assert.deepEqual(empty, []);
    const hidden = await page.$$eval("figure[hidden] h3", (list) => list.map((one) => one.textContent));
    for (const title of hidden) assert.ok((await page.locator(".left-out").allTextContents()).join().includes(title), title);
    await page.done();
  },

  async "a barrier has no chart over length, which a line says, and one over processes"() {
    withData("points_400", "barrier", (data) => {
      const places = placesOf(data, "Bcast"), seen = new Set();
      const kept = data.points.run.map((_, i) => !places.includes(i) || !seen.has(data.points.processes[i]) && seen.add(data.points.processes[i]));
      for (const i of places) {
        data.points.length_byte[i] = null;
        data.points.byte_s[i] = null;
      }
      data.dictionaries.benchmark = data.dictionaries.benchmark.map((name) => name === "Bcast" ? "Barrier" : name);
      for (const [name, column] of Object.entries(data.points)) data.points[name] = column.filter((_, i) => kept[i]);
    });
    const page = await open("barrier");
    await readTo(page, "imb-mpi1/Barrier over processes");
    const line = page.locator("#messages .left-out"), said = "No chart over length, as no point has one: imb-mpi1/Barrier.";
    assert.equal(await line.textContent(), said);
    assert.ok(!(await charts(page)).some((one) => one.title === "imb-mpi1/Barrier"));
    const chart = page.locator("#scaling figure", { hasText: "imb-mpi1/Barrier over processes" });
    assert.equal(await chart.locator("figcaption").textContent(), "The thin line is what the fewest processes would promise.");
    await chart.locator(".figure-head button[aria-expanded]").click();
    assert.deepEqual(await chart.locator(".chart-table tbody tr").evaluateAll((list) => list.map((row) => `${row.cells[0].textContent}, ${row.cells[1].textContent}`)),
      ["no length, 2", "no length, 4", "no length, 8", "no length, 16"]);
    await page.locator("#messages .choice button", { hasText: "bandwidth" }).click();
    assert.equal(await line.count(), 1);
    assert.ok((await line.textContent()).endsWith(said));
    await page.done();
  },

  async "what bears on validity is wide enough to read on a telephone"() {
    const page = await open("points_400", { viewport: { width: 420, height: 800 } });
    const widths = await page.$$eval("#validity tr", (rows) => rows.filter((row) => row.closest("tbody")).map((row) => row.getBoundingClientRect().width));
    assert.ok(widths.length > 1 && widths.every((width) => width > 300), String(widths));
    const most = await page.$$eval("#validity tbody td:nth-child(3)", (cells) => Math.max(...cells.map((cell) => cell.getBoundingClientRect().width)));
    assert.ok(most > 200, `${most} pixels`);
    await page.done();
  },

  async "messages by pattern are whole on paper"() {
    const page = await open("points_400");
    await readTo(page, "Messages by pattern");
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.setViewportSize({ width: 700, height: 1000 });
    await page.emulateMedia({ media: "print" });
    const box = page.locator("figure", { hasText: "Messages by pattern" }).first();
    await box.scrollIntoViewIfNeeded();
    const [place, parts] = await box.evaluate((one) => [one.querySelector(".drawing").getBoundingClientRect().right, [...one.querySelectorAll(".drawing svg")].map((svg) => svg.getBoundingClientRect().right)]);
    assert.equal(parts.length, 3);
    assert.ok(parts.every((right) => right <= place + 1), `${parts} of ${place}`);
    await page.done();
  },

  async "ticks are whole and round in the unit that was chosen"() {
    const check = async (page, name, unit) => {
      const found = await page.$$eval("figure", (figures, unit) => figures.flatMap((figure) => {
        const drawing = figure.querySelector(".drawing"), { left, right } = drawing.getBoundingClientRect();
        return [...drawing.querySelectorAll("text")].filter((one) => one.textContent.endsWith(` ${unit}`) && !/[a-z]/.test(one.textContent[0])).map((one) => {
          const box = one.getBoundingClientRect();
          return { title: figure.querySelector("h3").textContent, text: one.textContent, cut: box.left < left || box.right > right + 1 };
        });
      }), unit);
      assert.ok(found.length > 40, `${found.length} ticks`);
      assert.deepEqual(found.filter(({ cut }) => cut), [], `${name}, ${unit}`);
      for (const { title, text } of found.filter(({ title }) => title.startsWith("imb-mpi1/")))
        assert.match(String(Number(parseFloat(text).toPrecision(3))), /^[0.]*[125]0*$|^0$/, `${title}: ${text}`);
    };
    for (const [name, width, more] of [["points_400", 1280, ["MB/s"]], ["two", 400, []]]) {
      const page = await open(name, { viewport: { width, height: 900 } }, "#messages&units=GiB%2Fs&show.messages=bandwidth");
      await readThrough(page);
      await check(page, name, "GiB/s");
      for (const unit of more) {
        await page.locator("header select").selectOption(unit);
        await check(page, name, unit);
      }
      await page.done();
    }
  },

  async "dots of the scatter stand at their axis on paper, and doubts in the table are whole"() {
    withData("points_400", "doubtful", (data) => {
      const doubt = wordOf(data, "doubts", "processors taken away, several machine states, noisy, looked at fewer than six times: the interval tells little about what changes slowly");
      data.points.doubts = data.points.doubts.map(() => doubt);
    });
    const page = await open("doubtful");
    await readTo(page, "Figures over length of every point");
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.setViewportSize({ width: 718, height: 1000 }); // A4 with margins of a centimetre
    await page.emulateMedia({ media: "print" });
    const [axes, dots] = await page.locator("#points .drawing").evaluate((one) => [...one.querySelectorAll("svg, canvas")].map((part) => {
      const { left, top, width, height } = part.getBoundingClientRect();
      return [left, top, width, height].map(Math.round);
    }));
    assert.ok(axes[2] < 718, `the axes are ${axes[2]} pixels wide`);
    assert.deepEqual(dots, axes);
    const right = await page.$$eval(".all-points tr:not([aria-hidden]) td:last-child", (cells) => Math.max(...cells.map((cell) => cell.getBoundingClientRect().right)));
    assert.ok(right <= 718, `doubts end at ${right} of 718 pixels`);
    await page.done();
  },

  async "the filter finds what stands in the rows"() {
    withData("two", "found", (data) => {
      const [first, second] = [0, 1].map((run) => data.points.run.indexOf(run));
      for (const place of [first, second]) data.points.doubts[place] = wordOf(data, "doubts", "processors taken away");
      data.dictionaries.variant.push("two words");
      data.points.variant[first] = data.dictionaries.variant.length - 1;
    });
    const page = await open("found"), filter = page.locator("input[type=search]");
    const found = async (words) => {
      await filter.fill(words);
      await page.waitForFunction((words) => new URLSearchParams(location.hash.split("&").slice(1).join("&")).get("filter") === words, words);
      assert.equal(await filter.getAttribute("aria-invalid"), "false", words);
      return Number((await page.locator("[role=status]").textContent()).match(/^(\d+) of/)[1]);
    };
    assert.equal(await found("taken"), 2);
    assert.equal(await found("taken run=2"), 1);
    assert.equal(await found("taken run>2"), 0);
    assert.equal(await found('"taken away"'), 2);
    assert.equal(await found('"away taken"'), 0);
    assert.equal(await found('"two words" run=1'), 1);
    const times = await found("imb-mpi1/pingpong time>0");
    assert.ok(times > 0);
    const shown = await page.$$eval(".all-points tbody tr:not([aria-hidden])", (rows) => rows.map((row) => row.cells[9].textContent));
    assert.ok(shown.some((text) => /\sGB\/s$/.test(text)), String(shown));
    const [fast, ...same] = [await found("imb-mpi1/pingpong bandwidth>1GB/s"), await found("imb-mpi1/pingpong bandwidth>1G"), await found("imb-mpi1/pingpong bandwidth>1000M")];
    assert.ok(fast > 0 && fast < times, `${fast} of ${times}`);
    assert.deepEqual(same, [fast, fast]);
    await page.done();
  },

  async "messages per second are sorted across prefixes"() {
    const rates = [2910.4, 5795.3, 3.8395e6, 12.5, 999.9e3];
    withData("points_400", "rates", (data) => {
      const metric = wordOf(data, "metric", "message_rate_op_s");
      for (const [i, place] of placesOf(data, "PingPong").entries()) {
        data.points.metric[place] = metric;
        for (const column of ["median", "low", "high"]) data.points[column][place] = rates[i % rates.length];
      }
    });
    const page = await open("rates");
    await readTo(page, "imb-mpi1/PingPong");
    const chart = page.locator("#messages figure", { hasText: "imb-mpi1/PingPong" }).first();
    await chart.locator(".figure-head button[aria-expanded]").click();
    await chart.locator(".chart-table th button").nth(2).click();
    const scales = { op: 1, kop: 1e3, Mop: 1e6 };
    const values = await chart.locator(".chart-table tbody tr").evaluateAll((rows) => rows.map((row) => row.cells[2].textContent));
    const numbers = values.map((text) => parseFloat(text) * scales[text.match(/ (\w+)\/s$/)[1]]);
    assert.ok(new Set(values.map((text) => text.split(" ")[1])).size === 3 && numbers.every((one, i) => i === 0 || numbers[i - 1] <= one), String(values));
    await page.done();
  },

  async "names that are too long lose their end, not their start"() {
    withData("two", "long", (data) => {
      const named = (name) => `${name} of the computing centre, 2026-11-20T08:30:00Z, the second launch of the morning`;
      const systems = data.figures.find((one) => one.id === "B12"), at = systems.columns.findIndex((column) => column.key === "system");
      for (const row of systems.rows) row[at] = named(row[at]);
      for (const run of data.runs) run.name = named(run.name);
    });
    for (const width of [1280, 420]) {
      const page = await open("long", { viewport: { width, height: 900 } });
      await readTo(page, "What the time goes into", "Overlap of the longest transfers");
      for (const [title, start] of [["What the time goes into", /^(dense|spectral|sparse)/], ["Overlap of the longest transfers", /^alpha|^beta/]]) {
        const chart = page.locator("figure", { hasText: title }).first();
        const names = await chart.locator(".drawing").evaluate((drawing) => {
          const { left } = drawing.getBoundingClientRect();
          return [...drawing.querySelectorAll("text")].filter((one) => /centre|…/.test(one.textContent)).map((one) => ({ text: one.textContent, cut: one.getBoundingClientRect().left < left }));
        });
        assert.ok(names.length > 0, title);
        for (const { text, cut } of names) {
          assert.match(text, start, title);
          assert.ok(!cut, `${title}: ${text}`);
        }
      }
      await page.done();
    }
  },

  async "value and machine of a card stay apart in another unit"() {
    const page = await open("two", {}, "#verdict&units=GiB%2Fs");
    const cards = await page.locator(".card-value", { hasText: "GiB/s" }).allTextContents();
    assert.ok(cards.length > 0);
    for (const text of cards) assert.match(text, /^[\d.]+\sGiB\/s( \S.*)?$/);
    await page.done();
  },

  async "microseconds are written alike in cards, tables, sentences and charts"() {
    const page = await readOnce("points_400");
    const said = await page.evaluate(() => [...document.querySelectorAll("main p, main li, main td, main th, .card-value, .card-note, .drawing text")].map((one) => one.textContent));
    assert.ok(said.filter((text) => /\d\s\u00b5s/.test(text)).length > 20);
    assert.ok(said.includes("median time, \u00b5s") && said.some((text) => /\d 1\/\u00b5s/.test(text)));
    assert.deepEqual(said.filter((text) => /(^|[\d,]\s|1\/)us\b/.test(text)), []);
    await page.done();
  },

  async "no title of a chart and no command ends a line behind a hyphen"() {
    withData("two", "scattered", (data) => {
      data.dictionaries.benchmark = data.dictionaries.benchmark.map((name) => name === "Allreduce" ? "Reduce_scatter_block" : name);
    });
    for (const width of [1280, 400]) {
      const page = await open("scattered", { viewport: { width, height: 900 } });
      const torn = await page.evaluate(() => [...document.querySelectorAll("figure h3, .said-verdict p, .said-grounds p, .next li")].flatMap((one) => {
        const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT), torn = [];
        for (let text = walker.nextNode(); text; text = walker.nextNode())
          for (const { index } of text.data.matchAll(/\w-(?=\w)/g)) {
            const top = (from) => {
              const range = document.createRange();
              range.setStart(text, from);
              range.setEnd(text, from + 1);
              return range.getBoundingClientRect().top;
            };
            if (top(index + 2) > top(index) + 4) torn.push(one.textContent);
          }
        return torn;
      }));
      assert.deepEqual(torn, [], `${width} pixels wide`);
      const wide = await page.$$eval("figure h3, .whole", (list) => list.filter((one) => one.getBoundingClientRect().right > innerWidth).map((one) => one.textContent));
      assert.deepEqual(wide, []);
      const loose = await page.$$eval("figcaption", (list) => list.flatMap((one) => [...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && /\w-\w/.test(node.data))).map((node) => node.data));
      assert.deepEqual(loose, [], "words of captions that may be torn");
      const units = await page.$$eval("figcaption wbr", (list) => list.map((one) => one.previousSibling.textContent).filter((text) => /[Bp]\/$/.test(text)));
      assert.deepEqual(units, [], "units that a line may end in");
      await page.done();
    }
  },

  async "every tick has its text, and an axis of names its title"() {
    const page = await readOnce("two");
    const bare = await page.$$eval("figure", (figures) => figures.filter((figure) => [...figure.querySelectorAll(".drawing g[font-variant] text")].some((one) => !one.textContent)).map((figure) => figure.querySelector("h3").textContent));
    assert.deepEqual(bare, []);
    const texts = (title) => page.locator("figure", { hasText: title }).first().locator(".drawing").textContent();
    assert.match(await texts("Interruptions of alpha"), /length of the interruption \u2192/);
    assert.match(await texts("b_eff_io, scatter"), /chunk in the file \u2192/);
    assert.match(await texts("b_eff_io by pattern type"), /pattern type \u2192/);
    await page.done();
  },

  async "batches say what their point is, and their ticks have no commas"() {
    withData("points_400", "slow_batch", (data) => {
      data.batches[0].batches[0] = 1500 * data.batches[0].median;
      data.batches[0].key = "imb-mpi1/Bcast;message_byte=2048;processes=1;type=MPI_BYTE";
    });
    const page = await open("slow_batch");
    await readTo(page, "Batches over time, imb-mpi1/Bcast");
    const chart = page.locator("figure", { hasText: "Batches over time, imb-mpi1/Bcast" }).first();
    assert.match(await chart.locator("figcaption").textContent(), /^1 process, 2\sKiB, type MPI_BYTE\. /);
    assert.deepEqual((await chart.locator(".drawing text").allTextContents()).filter((text) => text.includes(",")), []);
    await page.done();
  },

  async "on a telephone values stand below one another, and no word is broken into letters"() {
    const page = await open("two", { viewport: { width: 400, height: 800 } });
    const cards = await page.$$eval(".first .card", (list) => list.map((card) => [...card.querySelectorAll(".card-value")].map((value) => Math.round(value.getBoundingClientRect().right))));
    assert.ok(cards.every((rights) => rights.length === 2));
    assert.deepEqual(cards.filter(([one, other]) => one !== other), []);
    const label = await page.$eval(".filter label", (one) => {
      const range = document.createRange();
      range.selectNode(one.firstChild);
      return range.getClientRects().length;
    });
    assert.equal(label, 1);
    const narrow = await page.$$eval("#balance td:first-child", (cells) => cells.filter((cell) => cell.textContent.length > 20 && cell.getBoundingClientRect().width < 110).map((cell) => cell.textContent));
    assert.deepEqual(narrow, []);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 400);
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.$eval(".card", (card) => getComputedStyle(card).breakInside), "avoid");
    await page.done();
  },

  async "a name that would turn the numbers behind it shows how"() {
    withData("points_400", "turned", (data) => {
      data.runs[0].name = "al\u202epha\u2066";
    });
    const page = await open("turned");
    await readThrough(page);
    const text = await page.evaluate(() => document.querySelector("main").textContent);
    assert.ok(text.includes("al[U+202E]pha[U+2066]"));
    assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069]/);
    await page.done();
  },

  async "one point is one, and a byte is not halved"() {
    withData("points_400", "lone", (data) => {
      const [kept] = placesOf(data, "PingPong");
      for (const [name, column] of Object.entries(data.points)) data.points[name] = [column[kept]];
      data.points.length_byte[0] = 1;
      data.kept_points = data.total_points = 1;
    });
    const page = await open("lone");
    await readTo(page, "imb-mpi1/PingPong");
    const chart = page.locator("#messages figure", { hasText: "imb-mpi1/PingPong" }).first();
    assert.match(await chart.locator("figcaption").textContent(), /^1 point: /);
    assert.equal(await page.locator("[role=status]").textContent(), "1 of 1 point");
    const lengths = (await chart.locator(".drawing text").allTextContents()).filter((text) => / B$/.test(text));
    assert.deepEqual(lengths, ["1 B", "2 B"]);
    await page.done();
  },

  async "the last column of a table is wide enough to read at every width"() {
    withData("points_400", "wide", () => {});
    const path = join(output, "wide.html"), cells = (tag) => Array.from({ length: 8 }, (_, i) => `<${tag}>column_number_${i}</${tag}>`).join("");
    const table = `<div class="table" id="many"><table><thead><tr>${cells("th")}<th>doubts</th></tr></thead><tbody><tr>${cells("td")}<td>a doubt that needs some room</td></tr></tbody></table></div>`;
    writeFileSync(path, readFileSync(path, "utf8").replace("</main>", () => `${table}</main>`));
    const page = await open("wide", { viewport: { width: 900, height: 900 } });
    assert.ok(await page.$eval("#many td:last-child", (cell) => cell.getBoundingClientRect().width) >= 144);
    await page.done();
  },

  async "the axis of a history stands clear of its ticks"() {
    withData("points_400", "past", (data) => {
      const started = [0, 20, 40, 60].map((second) => new Date(Date.UTC(2026, 10, 20, 8, 0, second)).toISOString());
      data.history = {
        threshold: 0.05, drawable: 1, entries: started.map((one, i) => ({ run: `run ${i}`, started: one, text: false })),
        charts: [{ name: "imb_bandwidth", context: "alpha", level: "figures", unit: "byte/s", better: "higher", verdict: "too few", finding: "none", known: null,
          entries: [0, 1, 2, 3], values: [1e9, 1.1e9, 1e9, 1.05e9], lows: [null, null, null, null], highs: [null, null, null, null],
          steps: [{ from: 0, to: 3, median: 1.02e9 }], changes: [], marks: [] }],
      };
    });
    const path = join(output, "past.html");
    writeFileSync(path, readFileSync(path, "utf8").replace("</main>", () => `<section class="part" id="past"><div class="charts" data-charts="history"></div></section></main>`));
    const page = await open("past", {}, "#past&units=MiB%2Fs");
    await readThrough(page);
    const boxes = await page.$$eval("#past .drawing text", (list) => list.filter((one) => /started|:/.test(one.textContent)).map((one) => {
      const { top, bottom, left, right } = one.getBoundingClientRect();
      return { text: one.textContent, top, bottom, left, right, over: right - one.closest(".drawing").getBoundingClientRect().right };
    }));
    assert.equal(await page.locator("#past h3").textContent(), "imb_bandwidth: too few runs");
    const label = boxes.find(({ text }) => /started/.test(text));
    assert.ok(boxes.every(({ over }) => over <= 1), JSON.stringify(boxes));
    assert.equal(label.text, "started on 2026-11-20, UTC \u2192");
    assert.ok(boxes.length > 2);
    assert.ok(boxes.every((one) => one === label || /^08:0\d:\d\d$/.test(one.text)), JSON.stringify(boxes));
    for (const one of boxes) assert.ok(one === label || one.bottom <= label.top + 2 || one.right <= label.left, `${one.text} lies on ${label.text}`);
    await page.done();
  },

  async "without scripts the tables are there"() {
    const page = await open("points_400", { javaScriptEnabled: false });
    assert.ok(await page.locator("table").count() > 10);
    assert.match(await page.textContent("#merit"), /HPL/);
    await page.done();
  },

  async "many points are thinned where they are drawn, not lost"() {
    const page = await open("points_100000");
    await readThrough(page);
    assert.match(await page.locator("figure", { hasText: "imb-mpi1/PingPong" }).first().locator("figcaption").textContent(), /bins/);
    assert.match(await page.locator("[role=status]").textContent(), /^10\d{4} of/);
    assert.ok(await page.locator(".all-points tbody tr").count() < 120);
    const ready = await page.evaluate(() => Math.round(performance.getEntriesByName("ready")[0]?.startTime ?? -1));
    console.log(`    100 000 points ready after ${ready} ms, file of ${statSync(join(output, "points_100000.html")).size} byte`);
    await page.done();
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests).filter(([name]) => name.includes(only))) {
  const begin = performance.now();
  try {
    await test();
    console.log(`ok      ${name} (${Math.round((performance.now() - begin) / 100) / 10} s)`);
  } catch (error) {
    ++failed;
    console.log(`FAILED  ${name}\n${error.stack ?? error}`);
  }
}
for (const { done } of read.values()) await done();
await browser.close();
process.exit(failed ? 1 : 0);
