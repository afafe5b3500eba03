// SPDX-License-Identifier: Apache-2.0
// node page.test.mjs REPORT_SAMPLES WEB_BUILD OUTPUT CHROMIUM [WORD]: the page in a browser; only tests with WORD in
// their names.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

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

async function open(name, options = {}, fragment = "") {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
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

/** Every chart is drawn, by scrolling to each as a reader does, however long the machine takes. */
async function readThrough(page) {
  const painted = (figure) => page.waitForFunction((one) => one.querySelector(".drawing").firstChild !== null, figure, { polling: 20 });
  for (const figure of await page.$$("figure")) {
    await figure.evaluate((one) => one.scrollIntoView({ behavior: "instant", block: "center" }));
    await painted(figure);
  }
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
}

async function charts(page) {
  return page.$$eval("figure", (figures) => figures.map((figure) => ({
    title: figure.querySelector("h3").textContent,
    marks: figure.querySelectorAll(".drawing path, .drawing rect, .drawing circle, .drawing line").length + 9 * figure.querySelectorAll("canvas").length,
    finite: !/NaN|Infinity/.test(figure.querySelector(".drawing").innerHTML),
    named: figure.querySelector(".drawing [role=img]")?.getAttribute("aria-label") ?? "",
  })));
}

const tests = {
  async "charts are there, not empty, and named"() {
    const page = await open("points_400");
    await readThrough(page);
    const found = await charts(page);
    for (const title of ["imb-mpi1/PingPong", "imb-ext/Unidir_Put", "imb-io/S_Write_indv", "b_eff_io, scatter",
      "What the time goes into", "Roofline of a node, alpha", "Messages by pattern", "Interruptions of alpha",
      "Analysis paths of b_eff, 8 processes", "Best of all by length, 8 processes", "Patterns by name, 8 processes", "b_eff_io by pattern type, 4 processes",
      "Phases of FTIO, matrix of order 4096, 4 processes", "Share of I/O in FTIO", "Random ring by the processes of a node", "Overlap of the longest messages",
      "Times of the same work, before measuring", "Speed over the run, alpha", "Clocks of the processes, alpha", "Random ring over HPL", "Time over length of every point", "imb-nbc/Ibcast",
      "imb-mpi1/Allreduce over processes", "Latency of pairs, alpha"])
      assert.ok(found.some((one) => one.title === title), `no chart ${title}`);
    for (const start of ["Bandwidth per process by pattern", "Batches over time, "])
      assert.ok(found.some((one) => one.title.startsWith(start)), `no chart ${start}`);
    for (const one of found) {
      assert.ok(one.marks > 3, `${one.title} is empty`);
      assert.ok(one.finite, `${one.title} draws a number that is none`);
      assert.ok(one.named.includes(one.title), `${one.title} has no name`);
    }
    assert.equal(await page.getAttribute("html", "data-errors"), "0");
    await page.done();
  },

  async "legend, switch and filter work by keyboard"() {
    const page = await open("points_400");
    await readThrough(page);
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

  async "a click isolates a pattern of b_eff"() {
    const page = await open("points_400");
    await readThrough(page);
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
    await readThrough(page);
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

  async "pairs stand in the order of hosts or of ranks"() {
    const page = await open("points_400");
    await readThrough(page);
    const picture = () => page.locator("#pairs canvas").first().evaluate((canvas) => canvas.toDataURL());
    const byHost = await picture();
    await page.locator("#pairs .choice button", { hasText: "by rank" }).click();
    assert.ok(await picture() !== byHost, "the order changes the picture");
    await page.done();
  },

  async "every chart shows its numbers"() {
    const page = await open("two");
    await readThrough(page);
    const buttons = page.locator("figure .figure-head button");
    assert.ok(await buttons.count() > 20);
    await page.evaluate(() => document.querySelectorAll("figure .figure-head button").forEach((button) => button.click()));
    const tables = await page.$$eval("figure .chart-table", (list) => list.map((table) => ({
      title: table.closest("figure").querySelector("h3").textContent, rows: table.querySelectorAll("tbody tr").length,
      finite: !/NaN|Infinity|undefined/.test(table.textContent),
    })));
    for (const one of tables) assert.ok(one.rows > 0 && one.finite, `${one.title}: ${one.rows} rows`);
    const bare = await page.$$eval("figure", (list) => list.filter((one) => !one.querySelector(".figure-head button")).map((one) => one.querySelector("h3").textContent));
    assert.deepEqual(bare, ["Time over length of every point"]);  // its table is below it
    await page.done();
  },

  async "a view is sent by its address"() {
    const page = await open("points_400");
    await readThrough(page);
    await page.locator("#messages .choice button", { hasText: "bandwidth" }).click();
    const first = page.locator("figure", { hasText: "imb-mpi1/PingPong" }).first();
    await first.locator(".legend button").first().click();
    await first.locator(".figure-head button").click();
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

  async "two machines stand side by side and are compared"() {
    const page = await open("two");
    await readThrough(page);
    const found = await charts(page);
    for (const title of ["Normalised columns", "imb-mpi1/PingPong, new over base", "Random ring over HPL", "Interruptions of beta"])
      assert.ok(found.some((one) => one.title === title && one.marks > 3 && one.finite), `no chart ${title}`);
    await page.done();
  },

  async "light and dark differ and are accessible"() {
    const grounds = new Set();
    for (const colorScheme of ["light", "dark"]) {
      const page = await open("two", { colorScheme, bypassCSP: true });
      await readThrough(page);
      grounds.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
      await page.evaluate(axe);
      const result = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
      assert.deepEqual(result.violations.map((one) => `${one.id}: ${one.nodes[0].html.slice(0, 200)}`), [], colorScheme);
        await page.done();
    }
    assert.equal(grounds.size, 2);
    const page = await open("points_400", { colorScheme: "light" });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.click("text=Light or dark");
    assert.notEqual(await ground(), light);
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
for (const [name, test] of Object.entries(tests).filter(([name]) => name.includes(only)))
  try {
    await test();
    console.log(`ok      ${name}`);
  } catch (error) {
    ++failed;
    console.log(`FAILED  ${name}\n${error.stack ?? error}`);
  }
await browser.close();
process.exit(failed ? 1 : 0);
